"""What class.json says, as typed, frozen objects, with a digest of each student's result."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from language import N_, _, in_language, language
from model import Answers, Exercise, Finding, Result
from parse import ResultError, moment, result_parse
from parse_values import cleaned
from words import Size

SCHEMA = "tilegrade/class/v1"
NO_GRADE = {
    "missing": N_("nothing handed in"),
    "empty": N_("no kernel file"),
    "broken": N_("cannot be opened"),
    "failed": N_("not graded: the grader failed"),
    "waiting": N_("not graded yet"),
}
STATES = ("graded", *NO_GRADE)
FEEDBACK = ("full", "verdicts", "points")
SHOW = ("never", "after_due", "always")
JOINERS = re.compile("([\u200c\u200d])")  # needed by names in Persian and in scripts of India
# Verdicts that are no mistake: nothing was tried, or it cannot be judged here.
NOT_MISTAKES = ("pass", "missing", "not_started", "needs_gpu")


@dataclass(frozen=True)
class Speed:
    size: Size
    ratio: float
    full: float
    zero: float
    counted: bool


@dataclass(frozen=True)
class Kernel:
    """What the class reports need of an exercise of a result."""

    name: str
    verdict: str
    points: int
    is_open: bool
    sentence: str  # the message of the finding that decided, or else the headline
    finding: int  # its number in the result; -1 if the headline alone tells
    place: tuple[str, str]  # what is used at both ends of that finding: arrays, called functions
    lesson: str
    speeds: tuple[Speed, ...]


@dataclass(frozen=True)
class Student:
    id: str
    name: str  # "" if it is not known
    mail: str
    section: str
    lms: dict[str, str]  # "" for what is not known
    pseudonym: str
    state: str
    source: str
    note: str
    warning: str  # what to see before the points are imported
    tries: int
    received: str
    late_mark: bool  # the platform calls it late
    late_days: int | None
    deduction_percent: float | None
    points: int | None
    points_open: int
    points_final: int | None  # None: no number, which is never a zero
    seconds: float | None
    kernels: dict[str, Kernel]  # by exercise
    answers: Answers | None  # None: not graded, or none are asked for

    @property
    def is_open(self) -> bool:
        return self.state == "graded" and self.points_open > 0


@dataclass(frozen=True)
class Work:
    """An exercise of the assignment."""

    name: str
    title_en: str
    title_zh: str  # "" if there is none
    lesson: str
    points_max: int

    @property
    def title(self) -> str:
        return in_language(self.title_en, self.title_zh)


@dataclass(frozen=True)
class ClassRun:
    folder: Path
    language: str
    title: str
    column: str  # its heading in the gradebook that Canvas exported; "" if it is not known
    due: str  # "" if there is no date
    feedback: str  # what students see: "full", "verdicts", "points"
    answers_from: datetime | None  # when a model answer may be shown; None: never
    assignment: dict[str, Any]  # what students may know of it beyond its title, as in a result
    points_max: int
    answers_max: int  # of points_max, for answers to questions
    exercises: tuple[Work, ...]
    layout: str
    written_at: str
    device: str
    students: tuple[Student, ...]
    unmatched: tuple[tuple[str, str], ...]  # source, and why it belongs to nobody
    wall_seconds: float
    troubles: tuple[str, ...]  # results that cannot be read or do not fit, as sentences

    def with_state(self, *states: str) -> tuple[Student, ...]:
        return tuple(student for student in self.students if student.state in states)


def moment_text(text: str) -> str:
    """A moment as people write it: 2026-11-30 22:10 UTC, or with another offset (UTC+01:00)."""
    try:
        found = moment(text)
    except ValueError:
        return text
    offset = found.strftime("%z")
    zone = "UTC" if not offset.strip("+-0") else f"(UTC{offset[:3]}:{offset[3:5]})"
    return f"{found:%Y-%m-%d %H:%M} {zone}"


def result_path(folder: Path, pseudonym: str) -> Path:
    return folder / "jobs" / pseudonym / "result.json"


def result_read(path: Path) -> Result:
    """Raises ResultError, also for a file that is not there."""
    try:
        return result_parse(path.read_text("utf-8"), str(path), language())
    except OSError as error:
        raise ResultError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ResultError(f"{path}: {error}") from error


def deciding(exercise: Exercise) -> tuple[int, Finding | None]:
    """The finding to which an exercise owes its verdict, with its number; (-1, None) if none."""
    for number, finding in enumerate(exercise.findings):
        if finding.severity == "error" and finding.kind == exercise.verdict:
            return number, finding
    return -1, None


def _used(source: str, mark: tuple[int, int]) -> str:
    """The name at the start of the marked bytes of a line."""
    marked = source.encode()[mark[0] : mark[0] + mark[1]].decode(errors="ignore")
    name = re.match(r"\w+", marked)
    return name[0] if name else ""


def _kernel(exercise: Exercise) -> Kernel:
    number, finding = deciding(exercise)
    return Kernel(
        name=exercise.name,
        verdict=exercise.verdict,
        points=exercise.points,
        is_open=exercise.is_open,
        sentence=finding.message if finding else exercise.headline,
        finding=number,
        place=(
            _used(finding.source, finding.mark) if finding else "",
            _used(finding.other_source, finding.other_mark) if finding else "",
        ),
        lesson=(finding.lesson if finding else "") or exercise.verdict_lesson,
        speeds=tuple(
            Speed(speed.size, speed.ratio, speed.full, speed.zero, speed.counted)
            for speed in exercise.speed
        ),
    )


def _name(text: str | None) -> str:
    """A name without characters that cannot be seen, except those that scripts need."""
    parts = JOINERS.split(text or "")
    return "".join(part if JOINERS.match(part) else cleaned(part) for part in parts).strip()


def _text(value: Any) -> str:
    return "" if value is None else cleaned(str(value))


def _student(data: dict[str, Any], folder: Path, troubles: list[str]) -> Student:
    state, pseudonym = data["state"], data["pseudonym"]
    if state not in STATES or not re.fullmatch("[0-9a-f]{8,64}", pseudonym):
        raise ValueError(f"{data['id']!r}: {state!r}, {pseudonym!r}")
    kernels: dict[str, Kernel] = {}
    answers = None
    if state == "graded":
        try:
            result = result_read(result_path(folder, pseudonym))
            kernels = {exercise.name: _kernel(exercise) for exercise in result.exercises}
            answers = result.answers
            if (result.points, result.points_open) != (data["points"], data["points_open"]):
                why = _("it is not the result that class.json counts: run `make class` again")
                raise ResultError(f"{result_path(folder, pseudonym)}: {why}")
        except ResultError as error:
            troubles.append(str(error))
    return Student(
        id=_text(data["id"]),
        name=_name(data.get("name")),
        mail=_text(data.get("mail")),
        section=_name(data.get("section")),
        lms={key: _text(value) for key, value in data.get("lms", {}).items()},
        pseudonym=pseudonym,
        state=state,
        source=_text(data.get("source")),
        note=_text(data.get("note")),
        warning=_text(data.get("warning")),
        tries=int(data.get("tries") or 0),
        received=_text(data.get("received")),
        late_mark=bool(data.get("late_mark")),
        late_days=data.get("late_days"),
        deduction_percent=data.get("deduction_percent"),
        points=data.get("points"),
        points_open=int(data.get("points_open") or 0),
        points_final=data.get("points_final"),
        seconds=data.get("seconds"),
        kernels=kernels,
        answers=answers,
    )


def _one_of(known: tuple[str, ...], text: str) -> str:
    if text not in known:
        raise ValueError(f"{text!r}: {', '.join(known)}")
    return text


def _answers_from(assignment: dict[str, Any]) -> datetime | None:
    show = _one_of(SHOW, assignment.get("show_reference", "never"))
    if show == "always":
        return datetime.min.replace(tzinfo=timezone.utc)
    text = assignment.get("reference_from")
    if show == "never" or not text:
        return None
    return moment(text)


def class_read(folder: Path) -> ClassRun:
    """Reads class.json of a folder, and all results.  Raises ResultError with path and reason."""
    path = folder / "class.json"
    try:
        data = json.loads(path.read_text("utf-8"))
        if data.get("schema") != SCHEMA:
            found = data.get("schema")
            why = _("is not a %(schema)s (schema: %(found)r)", schema=SCHEMA, found=found)
            raise ResultError(f"{path}: {why}")
        troubles: list[str] = []
        assignment = data["assignment"]
        students = tuple(_student(item, folder, troubles) for item in data["students"])
        if len({student.id for student in students}) < len(students):
            raise ValueError(_("two students have one id"))
        return ClassRun(
            folder=folder,
            language=data.get("language", "en"),
            title=_name(assignment.get("title") or assignment.get("name")) or _("All exercises"),
            column=_text(assignment.get("column")),
            due=_text(assignment.get("due")),
            feedback=_one_of(FEEDBACK, assignment.get("feedback", "full")),
            answers_from=_answers_from(assignment),
            assignment={key: assignment.get(key) for key in ("due", "feedback", "reference_from")},
            points_max=int(assignment["points_max"]),
            answers_max=int(assignment.get("answers_max") or 0),
            exercises=tuple(
                Work(
                    item["name"],
                    _name(item["title"]),
                    _name(item.get("title_zh", "")),
                    item.get("lesson", ""),
                    int(item["points_max"]),
                )
                for item in assignment["exercises"]
            ),
            layout=_text(data.get("layout")),
            written_at=_text(data.get("written_at")),
            device=_text(data.get("device")),
            students=students,
            unmatched=tuple(
                (_text(item["source"]), _text(item["why"])) for item in data.get("unmatched", [])
            ),
            wall_seconds=float(data.get("run", {}).get("wall_seconds") or 0),
            troubles=tuple(troubles),
        )
    except OSError as error:
        why = _("%(why)s; `make class` writes it", why=error.strerror)
        raise ResultError(f"{path}: {why}") from error
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        why = _("is not a complete class: %(why)r", why=error)
        raise ResultError(f"{path}: {why}") from error
