"""The contents of result.json, as typed, frozen objects for every rendering; see parse.py."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime

from block_trace import IndexMaps
from language import _, in_language
from speed import Counts, Estimate, Peaks, Speed
from words import Size, is_word, points_of_text, size_text, word


@dataclass(frozen=True)
class Finding:
    kind: str
    severity: str
    file: str
    line: int
    column: int
    other_line: int
    other_column: int
    count: int
    message: str
    lesson: str
    source: str
    other_source: str
    mark: tuple[int, int]  # first byte and number of bytes; (0, 0) if nothing is marked
    other_mark: tuple[int, int]
    array: str
    index: tuple[int, ...]
    block: tuple[int, ...]  # x, y, z; empty if unknown
    thread: tuple[int, ...]
    other_block: tuple[int, ...]
    other_thread: tuple[int, ...]
    size: Size | None
    values: tuple[tuple[str, int], ...]  # of variables, in the thread that failed
    barrier_after: int  # the line after which a barrier is missing; 0: not the cause


@dataclass(frozen=True)
class Case:
    size: Size
    inputs: str
    device: str
    verdict: str

    @property
    def name(self) -> str:
        """The size as people write it, with inputs and device, which distinguish equal sizes."""
        return f"{size_text(self.size)} {self.inputs} {self.device}"


@dataclass(frozen=True)
class Argument:
    """A parameter of a kernel, or an array that its file declares as constant."""

    name: str
    kind: str  # "array", "constant", "size", "scalar"
    type: str  # "float", "uint8" …
    role: str  # of an array: "in", "out", "inout"; else ""
    shape: tuple[str, ...]  # of an array, in names of sizes


@dataclass(frozen=True)
class Signature:
    is_matmul: bool  # C = A B
    by_flop: bool  # its speeds are in FLOP per second, not in bytes
    sizes: tuple[str, ...]  # their names, in the order in which a size has them
    arguments: tuple[Argument, ...]

    @property
    def text(self) -> str:
        """ "x[H][W], y[W][H], H, W"."""
        shown = (argument for argument in self.arguments if argument.kind != "constant")
        return ", ".join(
            argument.name + "".join(f"[{extent}]" for extent in argument.shape)
            for argument in shown
        )


@dataclass(frozen=True)
class WrongTiles:
    """The wrong places of C, by squares of edge x edge elements."""

    size: Size
    edge: int
    wrong: int
    rows: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class WrongCells:
    """The values of the wrong elements of a small C."""

    size: Size
    cells: tuple[tuple[str, int, int, tuple[int, ...]], ...]  # kind, row, column, and the fact


@dataclass(frozen=True)
class Exercise:
    name: str
    title_en: str
    title_zh: str  # "" if there is none
    lesson: str
    signature: Signature
    verdict_lesson: str
    file: str
    verdict: str
    headline: str
    detail: str
    diagnostics: str
    output: str
    is_test: bool  # of `make test`, which gives no points
    complete: bool
    points: int
    points_max: int
    points_open: int  # part of points_max that this machine could not decide
    findings: tuple[Finding, ...]
    cases: tuple[Case, ...]
    speed: tuple[Speed, ...]
    estimate: Estimate | None
    repeat_size: Size | None
    speed_complete: bool
    cublas_note: str  # why figures of cuBLAS are missing; "" if they exist
    source: str  # "" if it is not known
    counts: Counts | None
    wrong_tiles: WrongTiles | None
    wrong_cells: WrongCells | None
    maps: IndexMaps | None

    @property
    def title(self) -> str:
        return in_language(self.title_en, self.title_zh)

    @property
    def is_open(self) -> bool:
        """Not all of its points are decided: a gradebook gets a word and no number."""
        return not self.complete or self.points_open > 0

    @property
    def points_shown(self) -> str:
        """A word if no point is decided, or if none is given."""
        if self.is_test:
            return _("no points")
        if not self.complete:
            return _("open")
        return points_of_text(self.points, self.points_max, self.points_open)

    @property
    def verdict_title(self) -> str:
        return word(self.verdict)

    @property
    def detail_left(self) -> str:
        """The detail, without its first sentence if the headline already has it."""
        end = re.search(r"\. |。|$", self.detail)
        assert end
        first = self.detail[: end.start()].rstrip(".")
        return self.detail[end.end() :] if first in self.headline else self.detail


@dataclass(frozen=True)
class Answer:
    """A question that is worth points, and its answer."""

    section: str  # of answers.ini
    number: int
    title_en: str
    title_zh: str  # "" if there is none
    given: str | None  # "" if not answered; None: must not be shown
    unread_line: int  # of answers.ini, if `given` does not count; 0: it counts
    right: bool
    points: int
    points_max: int

    @property
    def title(self) -> str:
        return in_language(self.title_en, self.title_zh)

    @property
    def word(self) -> str:
        if self.unread_line:
            return _("line %(line)d does not count", line=self.unread_line)
        if self.given == "":
            return _("not answered")
        return _("right") if self.right else _("wrong") if self.given else _("not right")

    @property
    def said(self) -> str:
        """The answer; for a repaired kernel, its verdict."""
        is_verdict = self.given and not self.unread_line and is_word(self.given)
        return word(self.given) if is_verdict else self.given or ""


@dataclass(frozen=True)
class Answers:
    state: str  # "marked", "missing", "withheld"
    note: str  # the missing or wrong part; "" if none
    points: int
    points_max: int
    points_open: int
    list: tuple[Answer, ...]  # empty if students may not see it

    @property
    def shown(self) -> str:
        if self.state == "missing" and not self.points:
            return _("not handed in")
        return points_of_text(self.points, self.points_max, self.points_open)


@dataclass(frozen=True)
class Assignment:
    """The data of the result's assignment; see lessons/teaching/exercises.md."""

    title: str
    feedback: str  # the amount shown to students: "full", "verdicts" or "points"
    reference_from: datetime | None  # when a model answer may be shown; None: never


@dataclass(frozen=True)
class Result:
    grader_version: str
    language: str  # the language of its texts: "en", "zh"
    submission: str  # its hash
    device: str
    gpu: str  # "" if there was none
    peaks: Peaks | None  # the peak rates of that GPU
    speed_basis: str
    sandbox: str
    seed: str
    complete: bool
    points: int
    points_max: int
    points_open: int
    exercises: tuple[Exercise, ...]
    answers: Answers | None  # None: there are no questions
    assignment: Assignment | None
    student: str  # "" if it is not known
    graded_at: datetime | None

    @property
    def title(self) -> str:
        """The title of the assignment; "" for a result of the whole course."""
        return self.assignment.title if self.assignment else ""

    @property
    def is_test(self) -> bool:
        """`make test` has made it: with public inputs, without speed, for no points."""
        return self.speed_basis == "none"

    @property
    def heading(self) -> str:
        """The title of a report: in a test the verdict counts."""
        if self.is_test and len(self.exercises) == 1:
            return f"{self.exercises[0].title}: {self.exercises[0].verdict_title}"
        return _("Test results") if self.is_test else self.points_shown

    @property
    def points_shown(self) -> str:
        if self.is_test:
            return _("A test gives no points")
        return points_of_text(self.points, self.points_max, self.points_open)


def _short(exercise: Exercise, headline: str) -> Exercise:
    """The exercise without anything that explains it."""
    speed = tuple(replace(speed, metric_text="", doubt="", note="") for speed in exercise.speed)
    return replace(
        exercise,
        headline=headline,
        detail="",
        diagnostics="",
        output="",
        findings=(),
        cases=(),
        speed=speed,
        estimate=None,
        cublas_note="",
        source="",
        counts=None,
        wrong_tiles=None,
        wrong_cells=None,
        maps=None,
    )


def for_students(result: Result) -> Result:
    """The part of the result that students may see."""
    feedback = result.assignment.feedback if result.assignment else "full"
    if feedback == "full":
        return result
    shown = tuple(
        _short(exercise, f"{exercise.verdict_title}." if feedback == "verdicts" else "")
        for exercise in result.exercises
    )
    answers = result.answers
    if answers:
        listed = tuple(replace(answer, given=None) for answer in answers.list)
        answers = replace(answers, list=listed if feedback == "verdicts" else ())
    return replace(result, exercises=shown, answers=answers)


def missing_text(result: Result) -> str:
    """A sentence if something could not be judged; else nothing."""
    if result.complete:
        return ""
    if result.points_open:
        return _(
            "Some parts could not be judged on this machine: their points are open, neither given "
            "nor lost, until they are graded on a machine with a GPU."
        )
    return _(
        "Some parts could not be judged on this machine; the points do not include them."
    )
