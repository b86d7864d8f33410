"""The course and the assignment as `tilegrade facts` prints them, and the cost of lateness."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from trouble import Trouble, of_system

# RFC 3339; a time without its offset from UTC is invalid.
MOMENT = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|([+-])(\d\d):(\d\d))", re.ASCII
)
DAY_S = 86400
DAYS_MAX = 100  # beyond these there is nothing left to deduct, at any percentage
# The options for judging kernels, as the program and a plan name them.
CHOICES = ("assignment", "exercise", "device", "card", "sandbox")


def seconds_of(text: str) -> int | None:
    """A moment such as 2026-11-30T22:10:00+01:00, as seconds since 1970; None if it is invalid."""
    found = MOMENT.fullmatch(text)
    if not found:
        return None
    sign, hours, minutes = found[7] or "+", int(found[8] or 0), int(found[9] or 0)
    if hours > 23 or minutes > 59:
        return None
    try:
        date = datetime(*(int(found[part]) for part in range(1, 7)), tzinfo=timezone.utc)
    except ValueError:
        return None
    return int(date.timestamp()) - (60 if sign == "+" else -60) * (60 * hours + minutes)


def moment_of(seconds: float | None) -> str:
    """ "2026-11-30T21:10:00Z"; "" if it is not known."""
    if seconds is None:
        return ""
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True)
class Program:
    """build/tilegrade, with the options that all of its commands here share."""

    path: Path
    root: str  # "": found from the working folder
    language: str
    choice: dict[str, str]  # by CHOICES; "" if it was not given
    mask: int  # the user's umask, for the program's own files in build/

    def words(self, command: str, *more: str, names: tuple[str, ...] = CHOICES) -> list[str]:
        options = {"root": self.root, "language": self.language}
        options |= {name: self.choice[name] for name in names}
        given = [f"--{name}={value}" for name, value in options.items() if value]
        return [str(self.path), command, *given, *more]

    def ask(self, words: list[str]) -> str:
        """Returns its output. Raises Trouble with its error message."""
        try:
            done = subprocess.run(
                words, capture_output=True, text=True, check=False, umask=self.mask
            )
        except OSError as error:
            raise of_system(error, self.path) from error
        if done.returncode not in (0, 1):
            raise Trouble(said_of(done.stderr) or str(done.returncode), min(done.returncode, 3))
        return done.stdout


def said_of(text: str) -> str:
    """The last line that a process has printed, without its own name."""
    lines = text.strip().splitlines()
    return lines[-1].removeprefix("tilegrade: ") if lines else ""


@dataclass(frozen=True)
class Course:
    version: str
    root: Path
    assignment: dict[str, Any]  # as class.json has it
    wanted: tuple[str, ...]  # file names: a kernel for each exercise, then answers and bugs
    exercise_count: int
    has_references: bool
    # The inputs of a grade, as hashes: the judging programs and headers, the runs for the
    # exercises, and all of the exercises, with points and thresholds.
    grader: str
    running: str
    course: str

    @property
    def exercises(self) -> tuple[str, ...]:
        return tuple(one["name"] for one in self.assignment["exercises"])

    @property
    def title(self) -> str:
        return self.assignment["title"] or ""


def course_read(program: Program) -> Course:
    facts = json.loads(program.ask(program.words("facts")))
    exercises = facts["exercises"]
    own = facts["assignment"]
    points = sum(one["points_max"] for one in exercises) + facts["answers_max"]
    assignment = {
        "name": own["name"],
        "title": own["title"],
        "column": None,
        **{key: own[key] for key in ("due", "late_percent", "grace_days", "feedback")},
        "show_reference": own["show_reference"],
        "reference_from": own["reference_from"],
        "points_max": points,
        "answers_max": facts["answers_max"],
        "exercises": exercises,
    }
    return Course(
        version=facts["version"],
        root=Path(facts["root"]),
        assignment=assignment,
        wanted=tuple(facts["wanted"]),
        exercise_count=len(exercises),
        has_references=facts["has_references"],
        **{name: facts[name] for name in ("grader", "running", "course")},
    )


def extended(assignment: dict[str, Any], days: int) -> dict[str, Any]:
    """The assignment of a class whose longest extension is this many days: model answers wait."""
    begin = assignment["reference_from"]
    if begin and assignment["show_reference"] == "after_due":
        begin = moment_of((seconds_of(begin) or 0) + days * DAY_S)
    return assignment | {"reference_from": begin}


def lateness(
    assignment: dict[str, Any], received: int | None, extension_days: int
) -> tuple[int, int] | None:
    """Days begun after the due date and its extension, and their cost in per cent; None if there is
    no date or the time is unknown. A day always has 24 hours."""
    due = seconds_of(assignment["due"] or "")
    if due is None or received is None:
        return None
    days = max(0, -(-(received - due - extension_days * DAY_S) // DAY_S))
    charged = min(max(0, days - assignment["grace_days"]), DAYS_MAX)
    return days, min(100, charged * assignment["late_percent"])


def points_after(points: int, percent: int) -> int:
    """Rounded down to milli-points."""
    return points * (100 - percent) // 100
