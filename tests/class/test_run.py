"""The jobs of a class: a plan is read as it was written, a result belongs to one job, and a process
that ends without a result is tried once more; the seed, what is late, and lines on a terminal."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

import rig

sys.path[:0] = [str(rig.ROOT / "grader/class"), str(rig.ROOT / "grader/report")]

import terminal  # noqa: E402
from course import lateness, moment_of, points_after, seconds_of  # noqa: E402
from run.outcome import Outcome, folder_of, outcome_read, trouble_write  # noqa: E402
from run.plan import Job, Plan, plan_read, plan_write  # noqa: E402
from run.pool import Pool  # noqa: E402
from run.slurm import number_in  # noqa: E402
from run.state import Locked, Seed, folder_open, locked, seed_open  # noqa: E402
from trouble import Trouble  # noqa: E402

DAY = 86400
DUE = {"due": "2026-11-30T23:59:00+01:00", "late_percent": 10, "grace_days": 0}
# Seconds after the due date, grace and extension in days; days late, per cent.
LATE = (
    (-1, 0, 0, 0, 0),
    (0, 0, 0, 0, 0),
    (1, 0, 0, 1, 10),
    (DAY, 0, 0, 1, 10),
    (DAY + 1, 0, 0, 2, 20),
    (1, 1, 0, 1, 0),
    (DAY + 1, 1, 0, 2, 10),
    (DAY, 0, 1, 0, 0),
    (DAY + 1, 0, 1, 1, 10),
    (2 * DAY + 1, 1, 1, 2, 10),
    (10 * DAY, 0, 0, 10, 100),
    (11 * DAY, 0, 0, 11, 100),
)


class InFolder(unittest.TestCase):
    def setUp(self) -> None:
        self.out = Path(tempfile.mkdtemp(prefix="tilegrade-class-"))
        self.addCleanup(shutil.rmtree, self.out)


class Jobs(InFolder):
    def setUp(self) -> None:
        super().setUp()
        self.plan = Plan("1", 1000, 2, rig_choice(), "1" * 64, "2" * 64, "3" * 64, ())
        jobs = [Job(16 * name, 64 * str(at), 32 * "7") for at, name in enumerate("abc")]
        self.plan = replace(self.plan, jobs=tuple(map(self.plan.keyed, jobs)))
        for job in jobs:
            folder_of(self.out, job).mkdir(parents=True)

    def result_write(self, job: Job, key: str) -> None:
        result = {"schema": "tilegrade/result/v1", "job": key, "points": 5, "exercises": []}
        result["graded_at"] = "2026-11-30T22:10:00Z"
        (folder_of(self.out, job) / "result.json").write_text(json.dumps(result))

    def test_plan_is_read_as_written(self) -> None:
        plan_write(self.out, self.plan)
        self.assertEqual(plan_read(self.out), self.plan)

    def test_plan_with_another_name_for_a_folder_is_refused(self) -> None:
        jobs = (replace(self.plan.jobs[0], pseudonym="../../../escaped"),)
        plan_write(self.out, replace(self.plan, jobs=jobs))
        with self.assertRaises(Trouble):
            plan_read(self.out)

    def test_everything_a_grade_depends_on_is_in_the_key(self) -> None:
        job = self.plan.jobs[0]
        others = [replace(self.plan, grader="f"), replace(self.plan, course="f")]
        others += [
            replace(self.plan, choice=self.plan.choice | {name: "x"}) for name in ("device", "card")
        ]
        keys = [other.keyed(job).job for other in others]
        jobs = [replace(job, submission="f"), replace(job, seed="f")]
        keys += [self.plan.keyed(other).job for other in jobs]
        self.assertEqual(len({job.job, *keys}), 7)
        self.assertEqual(self.plan.keyed(job), job)

    def test_result_of_another_job_counts_as_none(self) -> None:
        one, other, third = self.plan.jobs
        self.result_write(one, one.job)
        self.result_write(other, one.job)
        trouble_write(self.out, third, "disk full")
        self.assertEqual(outcome_read(self.out, one), Outcome(done=True, points=5))
        self.assertEqual(outcome_read(self.out, other), Outcome())
        self.assertEqual(outcome_read(self.out, third), Outcome(trouble="disk full"))

    def run_pool(self, script: str, at_a_time: int, *done: Job) -> tuple[list[Outcome], list[int]]:
        """Runs the jobs as a script of a shell.  Returns the outcomes, and how often each ran."""

        def words(job: Job) -> list[str]:
            text = f"cd {folder_of(self.out, job)} && echo x >>tries && {script}"
            return ["/bin/sh", "-c", text, "job", job.pseudonym]

        outcomes = {job: Outcome(done=job in done) for job in self.plan.jobs}
        Pool(self.out, self.plan, words, at_a_time, lambda _progress: None).run(outcomes)
        tries = [folder_of(self.out, job) / "tries" for job in self.plan.jobs]
        counts = [len(path.read_text()) // 2 if path.exists() else 0 for path in tries]
        return list(outcomes.values()), counts

    def test_job_without_a_result_is_tried_once_more(self) -> None:
        one, other, third = self.plan.jobs
        self.result_write(other, third.job)  # in time for the second try of the third
        outcomes, tries = self.run_pool(
            "[ $1 = bbbbbbbbbbbbbbbb ] && kill -9 $$; [ $(wc -l <tries) = 1 ] && "
            "{ echo tilegrade: why >&2; exit 3; }; cp ../bbbbbbbbbbbbbbbb/result.json .",
            1,
            one,
        )
        self.assertEqual([outcome.done for outcome in outcomes], [True, False, True])
        self.assertEqual(tries, [0, 2, 2])
        self.assertIn("signal 9", outcomes[1].trouble)

    def test_exit_code_0_without_a_result_is_no_result(self) -> None:
        outcomes, tries = self.run_pool("echo tilegrade: why >&2", 3)
        self.assertEqual(tries, [2, 2, 2])
        self.assertEqual({outcome.trouble for outcome in outcomes}, {"why"})

    def test_job_is_told_its_key_and_seed_where_nobody_else_sees_them(self) -> None:
        self.run_pool("cat >told", 2)
        for job in self.plan.jobs:
            told = (folder_of(self.out, job) / "told").read_text()
            self.assertEqual(told, f"{job.job} {job.seed} 2\n")

    def test_number_of_an_array_is_found_among_warnings(self) -> None:
        self.assertEqual(number_in("12\n"), "12")
        self.assertEqual(number_in("sbatch: warning: 3 nodes\n345;cluster\n"), "345")
        self.assertEqual([number_in("sbatch: error: 12\n"), number_in("")], ["", ""])


def rig_choice() -> dict[str, str]:
    names = ("assignment", "exercise", "card")
    return dict.fromkeys(names, "") | {"device": "emu", "sandbox": "default"}


class State(InFolder):
    def test_draws_are_hmac_sha256(self) -> None:
        seed = Seed(bytes(range(32)))
        self.assertEqual(seed.pseudonym("anna"), "c8745dab7aa1c9eb")
        drawn = seed.of_submission("anna", 32 * "ab")
        self.assertEqual(drawn, "580c90157d20ac31dbc8e08c693033e7")

    def test_students_share_what_decides_about_points(self) -> None:
        seed = Seed(bytes([1, 2, 3]))
        anna, ben = seed.of_submission("anna", "ab"), seed.of_submission("ben", "cd")
        self.assertEqual(anna[:2], ben[:2])
        self.assertNotEqual(anna, ben)
        others = {Seed(bytes([key])).of_submission("anna", "ab")[:2] for key in range(20)}
        self.assertGreater(len(others), 10)  # another class may draw something else

    def test_seed_is_drawn_once_and_private(self) -> None:
        before = os.umask(0o077)
        self.addCleanup(os.umask, before)
        first = seed_open(self.out).pseudonym("anna")
        self.assertEqual(seed_open(self.out).pseudonym("anna"), first)
        self.assertEqual((self.out / "seed").stat().st_mode & 0o777, 0o600)
        (self.out / "seed").write_text("0123\n")
        with self.assertRaisesRegex(Trouble, "seed: not a seed of 64"):
            seed_open(self.out)

    def test_folder_has_one_run_at_a_time(self) -> None:
        child = os.fork()
        if child == 0:  # a run that is killed
            locked(self.out).__enter__()
            os._exit(0)
        os.waitpid(child, 0)
        with locked(self.out):
            with self.assertRaisesRegex(Locked, f"process {os.getpid()}"):
                locked(self.out).__enter__()
        with locked(self.out):
            pass

    def test_folder_of_other_files_is_refused(self) -> None:
        (self.out / "thesis.tex").write_text("x")
        for path in (self.out, self.out / "thesis.tex"):
            with self.assertRaisesRegex(Trouble, "thesis.tex"):
                folder_open(path)


class Late(unittest.TestCase):
    def test_each_day_begun_costs_its_percentage(self) -> None:
        due = seconds_of(DUE["due"]) or 0
        for after, grace, extension, days, percent in LATE:
            found = lateness(DUE | {"grace_days": grace}, due + after, extension)
            self.assertEqual(found, (days, percent))
        # With 30 % a day and one free day, all is deducted after the time at which `facts` says
        # that a model answer may be shown: due date, extension, and 1 + 3 days.
        steep = DUE | {"late_percent": 30, "grace_days": 1}
        for after, percent in ((6 * DAY, 90), (6 * DAY + 1, 100)):
            self.assertEqual((lateness(steep, due + after, 2) or (0, 0))[1], percent)

    def test_unknown_time_costs_nothing(self) -> None:
        self.assertIsNone(lateness(DUE, None, 0))
        self.assertIsNone(lateness(DUE | {"due": None}, 1, 0))

    def test_points_are_rounded_down(self) -> None:
        found = [points_after(33333, percent) for percent in (10, 0, 100)]
        self.assertEqual([*found, points_after(1, 1)], [29999, 33333, 0, 0])

    def test_moments(self) -> None:
        for text in ("2026-11-30T22:10:00+01:00", "2026-11-30T21:10:00.123456789Z"):
            self.assertEqual(moment_of(seconds_of(text)), "2026-11-30T21:10:00Z")
        wrong = ("", "2026-11-30 22:10", "2026-11-30T22:10:00", "2026-02-30T00:00:00Z")
        self.assertEqual({seconds_of(text) for text in wrong}, {None})


class Terminal(unittest.TestCase):
    def test_lines_are_wrapped_by_columns(self) -> None:
        text = "students: 16, row = 1 of two"
        self.assertEqual(terminal.wrapped(text, 2, 20), "  students: 16,\n  row = 1 of two\n")
        text = "布局（用 LAYOUT 选择其他布局）；学生。"
        lines = "  布局（用 LAYOUT 选\n  择其他布局）；学\n  生。\n"
        self.assertEqual(terminal.wrapped(text, 2, 20), lines)

    def test_further_lines_hang(self) -> None:
        text = terminal.hung("    anna: ", "one two three", 6, 16)
        self.assertEqual(text, "    anna: one two\n      three\n")

    def test_foreign_text_commands_nothing(self) -> None:
        text = "\033[2J::error::x ##vso[task] \u202e"
        self.assertEqual(terminal.wrapped(text, 2, 80), "  │ ::error::x ##vso?task] ?\n")


if __name__ == "__main__":
    unittest.main()
