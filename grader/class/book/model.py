"""class.json as typed, frozen objects: the students of the class, their submissions and results,
with a digest of each student's result.  All reports about a class are made from it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timezone
from functools import cached_property
from pathlib import Path
from typing import Any

from files import write_whole
from language import N_, _, in_language, language
from model import Answers, Exercise, Finding, Result
from parse import ResultError, moment, result_parse
from parse_values import cleaned
from words import Size

SCHEMA = "tilegrade/class/v1"
BYTES_MAX = 64 << 20
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
    """The parts of a result's exercise that class reports need."""

    name: str
    verdict: str
    points: int
    is_open: bool
    sentence: str  # the message of the finding that decided, or else the headline
    finding: int  # its number in the result; -1 if there is only the headline
    place: tuple[str, str]  # arrays and called functions at both ends of that finding
    lesson: str
    speeds: tuple[Speed, ...]


@dataclass(frozen=True)
class Student:
    """A row of class.json, with fields in the same order; "" and None are null there."""

    id: str
    name: str = ""
    mail: str = ""
    section: str = ""
    lms: dict[str, str] = field(default_factory=dict)
    in_roster: bool = False
    pseudonym: str = ""
    state: str = "waiting"
    source: str = ""
    tries: int = 0
    note: str = ""
    warning: str = ""  # what to see before the points are imported
    received: str = ""
    points: int | None = None
    points_open: int = 0
    # Points after the deduction for lateness; None: not known, which is never shown as 0.
    points_final: int | None = None
    seconds: float | None = None
    cpu_seconds: float | None = None
    late_mark: bool = False  # the platform calls it late
    late_days: int | None = None
    deduction_percent: int | None = None
    # From the result; class.json lacks these.
    kernels: dict[str, Kernel] = field(default_factory=dict)  # by exercise
    answers: Answers | None = None  # None: not graded, or there are no questions

    @property
    def is_open(self) -> bool:
        return self.state == "graded" and self.points_open > 0

    def row(self) -> dict[str, Any]:
        """As class.json has it."""
        found = {one.name: getattr(self, one.name) for one in fields(self)}
        del found["kernels"], found["answers"]
        found["lms"] = {key: text or None for key, text in self.lms.items()}
        return {key: None if value == "" else value for key, value in found.items()}


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
    """class.json, with the data of the results."""

    folder: Path
    grader_version: str
    language: str
    assignment: dict[str, Any]
    layout: str
    written_at: str
    device: str
    students: tuple[Student, ...]
    unmatched: tuple[tuple[str, str], ...]  # source, and the reason why it has no student
    jobs: int  # at a time
    engine: str
    wall_seconds: float | None = None
    cpu_seconds: float | None = None
    troubles: tuple[str, ...] = ()  # results that cannot be read or do not fit, as sentences

    def with_state(self, *states: str) -> tuple[Student, ...]:
        return tuple(student for student in self.students if student.state in states)

    @property
    def title(self) -> str:
        text = self.assignment.get("title") or self.assignment.get("name")
        return _name(text) or _("All exercises")

    @property
    def column(self) -> str:
        """Its heading in the gradebook that Canvas exported; "" if it is not known."""
        return _text(self.assignment.get("column"))

    @property
    def due(self) -> str:
        """"" if there is no date."""
        return _text(self.assignment.get("due"))

    @property
    def feedback(self) -> str:
        """What students see: "full", "verdicts", "points"."""
        return _one_of(FEEDBACK, self.assignment.get("feedback", "full"))

    @property
    def answers_from(self) -> datetime | None:
        """When a model answer may be shown; None: never."""
        show = _one_of(SHOW, self.assignment.get("show_reference", "never"))
        if show == "always":
            return datetime.min.replace(tzinfo=timezone.utc)
        text = self.assignment.get("reference_from")
        return moment(text) if show != "never" and text else None

    @property
    def points_max(self) -> int:
        return int(self.assignment["points_max"])

    @property
    def answers_max(self) -> int:
        """Of points_max, for answers to questions."""
        return int(self.assignment.get("answers_max") or 0)

    @cached_property
    def exercises(self) -> tuple[Work, ...]:
        return tuple(
            Work(
                item["name"],
                _name(item["title"]),
                _name(item.get("title_zh", "")),
                item.get("lesson", ""),
                int(item["points_max"]),
            )
            for item in self.assignment["exercises"]
        )

    def document(self) -> dict[str, Any]:
        """class.json."""
        return {
            "schema": SCHEMA,
            "grader_version": self.grader_version,
            "language": self.language,
            "assignment": self.assignment,
            "layout": self.layout,
            "written_at": self.written_at,
            "device": self.device,
            "students": [student.row() for student in self.students],
            "unmatched": [{"source": name, "why": why} for name, why in self.unmatched],
            "run": {
                "jobs": self.jobs,
                "engine": self.engine,
                "wall_seconds": self.wall_seconds,
                "cpu_seconds": self.cpu_seconds,
            },
        }


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


def _student(data: dict[str, Any]) -> Student:
    state, pseudonym = data["state"], data["pseudonym"]
    if state not in STATES or not re.fullmatch("[0-9a-f]{8,64}", pseudonym):
        raise ValueError(f"{data['id']!r}: {state!r}, {pseudonym!r}")
    numbers = ("points", "points_final", "seconds", "cpu_seconds", "late_days", "deduction_percent")
    return Student(
        id=_text(data["id"]),
        name=_name(data.get("name")),
        section=_name(data.get("section")),
        lms={key: _text(value) for key, value in data.get("lms", {}).items()},
        in_roster=bool(data.get("in_roster")),
        pseudonym=pseudonym,
        state=state,
        tries=int(data.get("tries") or 0),
        points_open=int(data.get("points_open") or 0),
        late_mark=bool(data.get("late_mark")),
        **{key: _text(data.get(key)) for key in ("mail", "source", "note", "warning", "received")},
        **{key: data.get(key) for key in numbers},
    )


def _with_result(one: Student, folder: Path, troubles: list[str]) -> Student:
    if one.state != "graded":
        return one
    path = result_path(folder, one.pseudonym)
    try:
        result = result_read(path)
        if (result.points, result.points_open) != (one.points, one.points_open):
            why = _("it is not the result that class.json counts: run `make class` again")
            troubles.append(f"{path}: {why}")
    except ResultError as error:
        troubles.append(str(error))
        return one
    kernels = {exercise.name: _kernel(exercise) for exercise in result.exercises}
    return replace(one, kernels=kernels, answers=result.answers)


def _one_of(known: tuple[str, ...], text: str) -> str:
    if text not in known:
        raise ValueError(f"{text!r}: {', '.join(known)}")
    return text


def _parsed(data: dict[str, Any], folder: Path) -> ClassRun:
    run = data.get("run", {})
    parsed = ClassRun(
        folder=folder,
        grader_version=_text(data.get("grader_version")),
        language=data.get("language", "en"),
        assignment=dict(data["assignment"]),
        layout=_text(data.get("layout")),
        written_at=_text(data.get("written_at")),
        device=_text(data.get("device")),
        students=tuple(_student(item) for item in data["students"]),
        unmatched=tuple(
            (_text(item["source"]), _text(item["why"])) for item in data.get("unmatched", [])
        ),
        jobs=int(run.get("jobs") or 0),
        engine=_text(run.get("engine")),
        wall_seconds=float(run.get("wall_seconds") or 0),
        cpu_seconds=float(run.get("cpu_seconds") or 0),
    )
    if len({student.id for student in parsed.students}) < len(parsed.students):
        raise ValueError(_("two students have the same id"))
    # Mistakes in an assignment are reported here, not by the first file that needs it.
    _checked = (parsed.title, parsed.feedback, parsed.answers_from, parsed.exercises)
    _checked += (parsed.points_max, parsed.answers_max)
    return parsed


def class_read(folder: Path, with_results: bool = True) -> ClassRun:
    """Reads class.json of a folder, and all results.  Raises ResultError with path and reason."""
    path = folder / "class.json"
    try:
        with path.open("rb") as file:
            data = json.loads(file.read(BYTES_MAX))
        if data.get("schema") != SCHEMA:
            found = data.get("schema")
            why = _("is not a %(schema)s (schema: %(found)r)", schema=SCHEMA, found=found)
            raise ResultError(f"{path}: {why}")
        run = _parsed(data, folder)
        troubles: list[str] = []
        if with_results:
            students = tuple(_with_result(one, folder, troubles) for one in run.students)
            run = replace(run, students=students, troubles=tuple(troubles))
        return run
    except OSError as error:
        why = _("%(why)s; `make class` writes it", why=error.strerror)
        raise ResultError(f"{path}: {why}") from error
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        why = _("is not a complete class: %(why)r", why=error)
        raise ResultError(f"{path}: {why}") from error


def class_write(run: ClassRun) -> None:
    text = json.dumps(run.document(), indent=1, ensure_ascii=False)
    write_whole(run.folder / "class.json", text)
