"""Shows, or writes, the changes for each student of a class under the present thresholds and points
of the course.

No kernel is run: `tilegrade regrade` computes the points of one result after the other.  A written
result gets the key of the job with the present course, if only points and thresholds have changed.
Otherwise it keeps its old key, and the next class run grades it again.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from book.model import ClassRun, Student, class_read, class_write
from course import Course, Program, course_read, said_of
from language import _
from run.book import entered
from run.outcome import RESULT, folder_of, outcome_read
from run.plan import Job, plan_read, plan_write
from texts import printable
from trouble import Trouble
from words import points_text


class Regrade:
    def __init__(self, program: Program, out: Path, write: bool) -> None:
        self.out = out
        self.write = write
        self.plan = plan_read(out)
        self.program = replace(program, choice=self.plan.choice)
        self.course: Course = course_read(self.program)
        same = (self.course.grader, self.course.running) == (self.plan.grader, self.plan.running)
        self.keys_fit = same  # nothing has changed that affects the runs of kernels
        self.same = self.changed = self.impossible = 0

    def _computed(self, path: Path, key: str, into: str) -> str:
        """Writes the result with its present points. Returns why they cannot be computed, or ""."""
        choice = replace(self.program, choice=dict.fromkeys(self.program.choice, ""))
        words = choice.words("regrade", f"--result={path}", f"--out={into}", f"--job={key}")
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1, 2):
            raise Trouble(said_of(done.stderr), 3)
        why = said_of(done.stderr) if done.returncode == 2 else ""
        return why.removeprefix(f"{path}: ").removeprefix(f"{path}：")

    def _student(self, one: Student, job: Job, now: Job, into: str) -> None:
        path = folder_of(self.out, job) / RESULT
        why = self._computed(path, now.job if self.keys_fit else job.job, into)
        if why:
            self.impossible += 1
            text = _("  %(id)s: the points cannot be computed again: %(why)s", id=one.id, why=why)
            print(text)
            return
        new = Path(into) / RESULT
        change = _change(json.loads(path.read_bytes()), json.loads(new.read_bytes()))
        self.changed += bool(change)
        self.same += not change
        if change:
            print(f"  {printable(one.id)}: {change}")
        if self.write:
            os.replace(new, path)

    def _store(self) -> None:
        """The plan and class.json of the present results."""
        plan = self.plan.with_course(self.course) if self.keys_fit else self.plan
        if self.keys_fit:
            plan_write(self.out, plan)
        outcomes = {job: outcome_read(self.out, job) for job in plan.jobs}
        run = class_read(self.out, with_results=False)
        class_write(entered(_with_points(run, self.course), plan, outcomes))

    def run(self) -> int:
        """Prints the changes. Returns the exit code: 1 if there are any."""
        keyed = self.plan.with_course(self.course)
        jobs = {job.pseudonym: (job, now) for job, now in zip(self.plan.jobs, keyed.jobs)}
        with tempfile.TemporaryDirectory(dir=self.out, prefix="regrade.") as into:
            for one in class_read(self.out, with_results=False).students:
                job, now = jobs.get(one.pseudonym, (None, None))
                # The result belongs to this plan, or was regraded before the run was interrupted.
                if job and now and any(outcome_read(self.out, key).done for key in (job, now)):
                    self._student(one, job, now, into)
        if self.write:
            self._store()
        self._end()
        return 1 if self.changed else 0

    def _end(self) -> None:
        print(
            _(
                "  %(changed)d change, %(same)d stay the same, %(impossible)d cannot be computed "
                "again",
                changed=self.changed,
                same=self.same,
                impossible=self.impossible,
            )
        )
        if not self.keys_fit:
            print(
                _(
                    "  the grader or a program that it runs has also changed, so the next class "
                    "run grades all submissions again"
                )
            )
        if self.write:
            print(_("  written: %(path)s", path=self.out))
        elif self.changed:
            print(_("  nothing is written; OUT=%(path)s (or --out) writes it", path=self.out))


def _points(result: dict[str, Any]) -> dict[str, Any]:
    """The points of each part, by its name."""
    found = {
        one["name"]: [one["points"], *(speed.get("points") for speed in one.get("speed", []))]
        for one in result["exercises"]
    }
    return found | {"answers": (result.get("answers") or {}).get("points")}


def _change(old: dict[str, Any], new: dict[str, Any]) -> str:
    """ "36 of 40 -> 38.5 of 40  (tiled, naive)"; "" if the points are the same."""
    sums = [(one["points"], one["points_max"]) for one in (old, new)]
    if sums[0] == sums[1]:
        return ""
    text = _(
        "%(points)s of %(most)s -> %(new)s of %(new_most)s",
        points=points_text(sums[0][0]),
        most=points_text(sums[0][1]),
        new=points_text(sums[1][0]),
        new_most=points_text(sums[1][1]),
    )
    before, after = _points(old), _points(new)
    names = ", ".join(name for name in after if before.get(name) != after[name])
    return f"{text}  ({names})" if names else text


def _with_points(run: ClassRun, course: Course) -> ClassRun:
    """With the points of the exercises that the class has, as they are now."""
    now = {one["name"]: one["points_max"] for one in course.assignment["exercises"]}
    exercises = [
        one | {"points_max": now.get(one["name"], one["points_max"])}
        for one in run.assignment["exercises"]
    ]
    sums = {name: course.assignment[name] for name in ("points_max", "answers_max")}
    return replace(run, assignment=run.assignment | sums | {"exercises": exercises})
