"""A class is graded, stopped, killed, changed and continued; its folder is the state."""

from __future__ import annotations

import fcntl
import json
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import rig


class Class(unittest.TestCase):
    folder: Path
    course: Path
    submissions: Path
    out: Path

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(tempfile.mkdtemp(prefix="tilegrade-class-"))
        cls.folder.chmod(0o711)  # programs of other users can reach a TMPDIR in it
        cls.course = rig.course_make(cls.folder)
        cls.submissions = rig.submissions_make(cls.course, cls.folder / "submissions")
        cls.out = cls.folder / "out"
        rig.seed_write(cls.out, "5")
        done = rig.run(cls.words(cls.out, "--jobs=1"))
        assert done.returncode == 0, done.stdout + done.stderr

    @classmethod
    def tearDownClass(cls) -> None:
        shutil.rmtree(cls.folder)

    @classmethod
    def words(cls, out: Path, *more: str) -> list[str]:
        return rig.command(cls.course, out, f"--submissions={cls.submissions}", *more)

    def copy_of_out(self, name: str) -> Path:
        copy = self.folder / name
        shutil.copytree(self.out, copy)
        return copy

    def test_every_student_has_a_state(self) -> None:
        rows = rig.book(self.out)
        states = {name: row["state"] for name, row in rows.items()}
        self.assertEqual(states.pop("hana"), "empty")
        self.assertEqual(set(states.values()), {"graded"})
        points = {name: row["points"] for name, row in rows.items()}
        expected = dict.fromkeys(("anna", "eva", "gil"), 10000)
        expected |= dict.fromkeys(("ben", "cara", "dan", "finn"), 0) | {"hana": None}
        self.assertEqual(points, expected)

    def test_killed_at_random_moments_and_continued(self) -> None:
        out = self.folder / "killed"
        scratch = self.folder / "scratch"
        scratch.mkdir()
        rig.seed_write(out, "5")
        hit = rig.run_killed(self.words(out, "--jobs=3"), 6, (0.1, 1.0), 1, TMPDIR=str(scratch))
        self.assertGreater(hit, 0)
        self.assertEqual(rig.content(out), rig.content(self.out))
        self.assertEqual(list(scratch.iterdir()), [])  # those of killed runs too

    def test_only_what_changed_is_graded_again(self) -> None:
        out = self.copy_of_out("changed")
        before = {name: rig.result(out, name) for name in ("anna", "ben", "eva")}
        time.sleep(1.1)
        path = self.submissions / "ben/sum.cu"
        text = path.read_text()
        try:
            path.write_text(text + "// once more\n")
            (out / "jobs" / rig.book(out)["eva"]["pseudonym"] / "result.json").unlink()
            done = rig.run(self.words(out))
        finally:
            path.write_text(text)
        self.assertEqual(done.returncode, 0, done.stderr)
        after = {name: rig.result(out, name) for name in before}
        self.assertEqual(before["anna"], after["anna"])
        self.assertNotEqual(before["ben"]["seed"], after["ben"]["seed"])
        self.assertNotEqual(before["eva"]["graded_at"], after["eva"]["graded_at"])
        self.assertEqual(rig.without_times(before["eva"]), rig.without_times(after["eva"]))

    def test_one_run_at_a_time(self) -> None:
        with open(self.out / "lock", "r+b") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            second = rig.run(self.words(self.out))
        self.assertEqual(second.returncode, 2)
        self.assertIn("another class run works here", second.stderr)

    def test_trouble_of_the_machine_is_no_grade(self) -> None:
        out = self.folder / "trouble"
        broken = self.folder / "g++"
        broken.write_text("#!/bin/sh\nexit 1\n")
        broken.chmod(0o755)
        done = rig.run(self.words(out, "--jobs=1"), TILEGRADE_CXX=str(broken))
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, "tries in a row gave no result; the last reason: .*g\\+\\+")
        states = {row["state"] for row in rig.book(out).values()}
        self.assertEqual(states, {"failed", "waiting", "empty"})
        self.assertTrue(all(row["points"] is None for row in rig.book(out).values()))
        self.assertEqual(list(out.glob("jobs/*/result.json")), [])

    def test_interrupted_run_says_that_it_goes_on(self) -> None:
        out = self.folder / "interrupted"
        scratch = self.folder / "interrupted-scratch"
        scratch.mkdir()
        process = subprocess.Popen(
            self.words(out, "--jobs=2"),
            env=rig.environment(TMPDIR=str(scratch)),
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
        rig.wait_for(lambda: bool(list(out.glob("jobs/*/result.json"))))
        below = rig.descendants(process.pid)
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=rig.WAIT_S)[1]
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        self.assertIn("the same command goes on", said)
        self.assertEqual(list(scratch.iterdir()), [])
        rig.wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in below))

    def test_files_are_private_and_jobs_know_no_student(self) -> None:
        for path in [self.out, *self.out.rglob("*")]:
            self.assertEqual(path.stat().st_mode & 0o077, 0, path)
        private = [self.out / "plan.json", *self.out.glob("jobs/*/*.json")]
        for path in private:
            text = path.read_text()
            self.assertEqual([name for name in rig.book(self.out) if f'"{name}"' in text], [], path)
        seed = (self.out / "seed").read_text().strip()
        for path in self.out.rglob("*.json"):
            self.assertNotIn(seed, path.read_text())

    def test_seed_may_be_removed(self) -> None:
        out = self.copy_of_out("without-seed")
        (out / "seed").unlink()
        done = rig.run(self.words(out))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(rig.book(out)["anna"]["points"], 10000)

    def test_job_refuses_what_was_not_planned(self) -> None:
        out = self.copy_of_out("unplanned")
        pseudonym = rig.book(out)["anna"]["pseudonym"]
        job = out / "jobs" / pseudonym
        (job / "result.json").unlink()
        text = (job / "submission/sum.cu").read_text()
        words = [str(rig.TILEGRADE), "grade", f"--root={self.course}", f"--out={job}", "--job"]
        words += [f"--submission={job / 'submission'}", "--device=emu", "--jobs=1", "--quiet"]
        plan = json.loads((out / "plan.json").read_text())
        own = next(one for one in plan["jobs"] if one["pseudonym"] == pseudonym)
        line = f"{own['job']} {own['seed']} {plan['extension_days_max']}\n"
        (job / "submission/sum.cu").write_text(text + "// another one\n")
        changed = rig.run(words, line)
        self.assertEqual(changed.returncode, 3)
        self.assertRegex(changed.stderr, "the submission, .* differ from those")
        (job / "submission/sum.cu").write_text(text)
        self.assertEqual(rig.run([*words, "--card=rtx3060"], line).returncode, 3)
        self.assertEqual(rig.run(words, "no job\n").returncode, 2)
        self.assertFalse((job / "result.json").exists())
        self.assertEqual(rig.run(words, line).returncode, 0)
        self.assertEqual(rig.content(out), rig.content(self.out))

    def test_new_points_are_shown_then_written_without_a_run(self) -> None:
        out = self.copy_of_out("regraded")
        course = self.folder / "regraded-course"
        shutil.copytree(self.course, course)
        ini = course / "lessons/01_sum/exercise.ini"
        ini.write_text(ini.read_text().replace("points = 10", "points = 12"))
        words = [*rig.CLASS, "regrade", f"--root={course}", f"--result={out}"]
        words.append(f"--programs={rig.TILEGRADE.parent}")
        before = rig.content(out)
        shown = rig.run(words)
        self.assertEqual(shown.returncode, 1, shown.stderr)
        self.assertIn("anna: 10 of 10 -> 12 of 12  (sum)", shown.stdout)
        self.assertIn("ben: 0 of 10 -> 0 of 12", shown.stdout)
        self.assertEqual(rig.content(out), before)
        elsewhere = rig.run([*words, f"--out={self.folder}"])
        self.assertEqual(elsewhere.returncode, 2)
        self.assertEqual(rig.run([*words, f"--out={out}"]).returncode, 1)
        self.assertEqual(rig.book(out)["anna"]["points_final"], 12000)
        assignment = json.loads((out / "class.json").read_text())["assignment"]
        self.assertEqual(assignment["points_max"], 12000)
        self.assertIn("0 change, 7 stay the same", rig.run(words).stdout)
        again = rig.command(course, out, f"--submissions={self.submissions}")
        self.assertIn("7 of them already done", rig.run(again).stdout)
        # A new case is more than new points.
        ini.write_text(ini.read_text().replace("ragged = 9x10x11", "ragged = 9x10x12"))
        self.assertIn("grades all submissions again", rig.run(words).stdout)

    def test_damaged_result_is_made_again(self) -> None:
        out = self.copy_of_out("damaged")
        path = out / "jobs" / rig.book(out)["eva"]["pseudonym"] / "result.json"
        path.write_bytes(path.read_bytes()[:1000])
        other = out / "jobs" / rig.book(out)["gil"]["pseudonym"] / "result.json"
        shutil.copy(out / "jobs" / rig.book(out)["anna"]["pseudonym"] / "result.json", other)
        self.assertEqual(rig.run(self.words(out)).returncode, 0)
        self.assertEqual(rig.content(out), rig.content(self.out))

    def test_folder_of_another_class_or_assignment_is_refused(self) -> None:
        others = self.folder / "others"
        shutil.copytree(self.submissions / "anna", others / "zoe")
        for why, words in (
            ("none of its students", [*self.words(self.out), f"--submissions={others}"]),
            ("grades of all exercises, and this is sum", self.words(self.out, "--exercise=sum")),
        ):
            before = rig.content(self.out)
            done = rig.run(words)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(why, done.stderr)
            self.assertIn("OUT=../hw2", done.stderr)
            self.assertEqual(rig.content(self.out), before)
        some = self.folder / "some"  # a class that has changed is the same
        shutil.copytree(self.submissions / "anna", some / "anna")
        shutil.copytree(self.submissions / "anna", some / "zoe")
        done = rig.run([*self.words(self.copy_of_out("some-out")), f"--submissions={some}"])
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_references_are_counted_before_jobs_that_begin_together(self) -> None:
        wrong = self.folder / "wrong"
        for name in ("ben", "finn"):
            shutil.copytree(self.submissions / name, wrong / name)
        for jobs, kept in ((1, False), (2, True)):
            course = rig.course_make(self.folder / f"counted-{jobs}")
            words = [f"--submissions={wrong}", f"--jobs={jobs}"]
            done = rig.run(rig.command(course, self.folder / f"counted-{jobs}-out", *words))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual((course / "build/counts/sum.json").is_file(), kept)

    def test_folder_must_be_apart_and_ours(self) -> None:
        inside = rig.run(self.words(self.submissions / "out"))
        self.assertEqual(inside.returncode, 2, inside.stderr)
        self.assertFalse((self.submissions / "out").exists())
        other = rig.run(self.words(self.course))
        self.assertEqual(other.returncode, 2)
        self.assertIn("other files", other.stderr)


if __name__ == "__main__":
    unittest.main()
