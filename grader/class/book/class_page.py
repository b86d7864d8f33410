"""class.html: one page on the whole class, for a screen and for a projector; nothing is loaded.

Its only script sorts the table; the content security policy names that script by its hash.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

import page
from book.mistakes import Example, Mistake, example, mistakes, verdict_counts
from book.model import NO_GRADE, ClassRun, Kernel, Student, moment_text
from book.similar import Similar
from book.strip_plot import strip_plot
from book.table import Import
from language import N_, _, language
from words import points_text, word

FILE = "class.html"
SCRIPT = Path(__file__).resolve().parents[2] / "report/templates/class/sort.js"
EXAMPLES_MAX = 24  # groups that are shown with an example; the others get one line each
SLOWEST_MAX = 10
BINS = 10

STATES = {"graded": N_("graded"), **NO_GRADE}
# Classes of verdicts, in the order of the bars: a class of the style sheet, and its name.
GROUPS = {
    "good": N_("right"),
    "bad": N_("wrong"),
    "idle": N_("not started"),
    "open": N_("open"),
    "none": N_("nothing to judge"),
}


@dataclass(frozen=True)
class Cell:
    """A kernel's cell in the table of students."""

    group: str
    mark: str
    text: str
    points: str


@dataclass(frozen=True)
class StudentRow:
    student: Student
    label: str
    link: str  # "" if there is none
    state: str
    cells: tuple[Cell, ...]
    answers: str  # "" if there are no questions
    points: str
    raw: str  # the points before lateness, if they differ
    late: str
    order: int  # milli-points to sort by; -1 without a number


@dataclass(frozen=True)
class Bar:
    """An exercise as shares of the class."""

    title: str
    parts: tuple[tuple[str, str, int, float], ...]  # class, name, count, per cent
    text: str


@dataclass(frozen=True)
class MistakeView:
    mistake: Mistake
    example: Example
    sentence: str
    share: float
    who: tuple[tuple[str, str], ...]  # label and link


@dataclass(frozen=True)
class Bin:
    label: str
    count: int
    height: float


def _group(kernel: Kernel | None) -> str:
    if not kernel or kernel.verdict == "missing":
        return "none"
    if kernel.verdict == "pass":
        return "good"
    return {"not_started": "idle", "needs_gpu": "open"}.get(kernel.verdict, "bad")


MARKS = {"good": "✓", "bad": "✗", "idle": "○", "open": "○", "none": "–"}


def _bars(run: ClassRun) -> list[Bar]:
    bars = []
    for exercise in run.exercises:
        groups = [_group(student.kernels.get(exercise.name)) for student in run.students]
        parts = tuple(
            (name, _(title), groups.count(name), 100 * groups.count(name) / len(groups))
            for name, title in GROUPS.items()
            if name in groups
        )
        text = " · ".join(f"{title} {count}" for _name, title, count, _share in parts)
        bars.append(Bar(exercise.title, parts, text))
    return bars


def _bins(run: ClassRun) -> list[Bin]:
    """The distribution of points, by tenths of the maximum."""
    points = [item.points_final for item in run.students if item.points_final is not None]
    if not points or not run.points_max:
        return []
    counts = [0] * BINS
    for value in points:
        counts[min(BINS * value // run.points_max, BINS - 1)] += 1
    edges = [points_text(run.points_max * at // BINS) for at in range(BINS + 1)]
    most = max(counts)
    return [
        Bin(f"{edges[at]}–{edges[at + 1]}", count, 100 * count / most)
        for at, count in enumerate(counts)
    ]


class Names:
    """The names of students on the page, with links."""

    def __init__(self, folders: dict[str, Path]) -> None:
        self._folders = folders

    def label(self, student: Student) -> str:
        return student.name or student.id

    def link(self, student: Student) -> str:
        if student.state != "graded":
            return ""
        folder = self._folders[student.id].name
        return f"students/{folder}/index.html"


def _cell(kernel: Kernel | None) -> Cell:
    group = _group(kernel)
    if kernel is None:
        return Cell(group, "", "", "")
    points = _("open") if kernel.is_open else points_text(kernel.points)
    return Cell(group, MARKS[group], word(kernel.verdict), points)


def _row(student: Student, run: ClassRun, names: Names) -> StudentRow:
    final = student.points_final
    late = _("marked late, time not known") if student.late_mark else ""
    if student.late_days == 0:
        late = ""
    if student.deduction_percent:
        percent = student.deduction_percent
        late = _("%(days)d d, −%(percent)g %%", days=student.late_days or 0, percent=percent)
    return StudentRow(
        student=student,
        label=names.label(student),
        link=names.link(student),
        state=_(STATES[student.state]),
        cells=tuple(_cell(student.kernels.get(exercise.name)) for exercise in run.exercises),
        points=_("open") if student.is_open else "" if final is None else points_text(final),
        raw=points_text(student.points) if student.points not in (None, final) else "",
        answers=student.answers.shown if student.answers else "",
        late=late,
        order=-1 if final is None or student.is_open else final,
    )


def _mistake_views(found: list[Mistake], run: ClassRun, names: Names) -> list[MistakeView]:
    views = []
    for mistake in found[:EXAMPLES_MAX]:
        views.append(
            MistakeView(
                mistake=mistake,
                example=example(mistake, run),
                sentence=mistake.sentence,
                share=100 * len(mistake.students) / len(run.students),
                who=tuple((names.label(one), names.link(one)) for one in mistake.students),
            )
        )
    return views


def _summary(run: ClassRun) -> list[str]:
    """Sentences on the progress of the class."""
    graded, count = len(run.with_state("graded")), len(run.students)
    points = [item.points_final for item in run.students if item.points_final is not None]
    lines = [_("Students graded: %(graded)d of %(count)d.", graded=graded, count=count)]
    if points:
        lines.append(
            _(
                "The median is %(median)s of %(most)s points, the mean %(mean)s.",
                median=points_text(round(median(points))),
                most=points_text(run.points_max),
                mean=points_text(round(sum(points) / len(points) / 100) * 100),
            )
        )
    others = {_(STATES[state]): len(run.with_state(state)) for state in NO_GRADE}
    rest = " · ".join(f"{state} ({count})" for state, count in others.items() if count)
    if rest:
        lines.append(_("Without a grade: %(rest)s.", rest=rest))
    timeless = sum(student.late_days is None for student in run.with_state("graded"))
    if run.due and timeless:
        lines.append(
            _(
                "Graded without a known time of submission, so nothing is deducted: %(count)d.",
                count=timeless,
            )
        )
    opened = sum(student.is_open for student in run.students)
    if opened:
        lines.append(
            _("Students with open points, which a GPU must judge: %(count)d.", count=opened)
        )
    return lines


def render(
    run: ClassRun,
    folders: dict[str, Path],
    imports: Sequence[Import],
    similar: Sequence[Similar],
) -> str:
    """Returns the whole page; ends in a newline."""
    names = Names(folders)
    script = SCRIPT.read_text("utf-8")
    found = mistakes(run)
    students = list(run.students)
    timed = sorted((one.seconds or 0, one.pseudonym, one) for one in students if one.seconds)
    slowest = [(names.label(one), names.link(one), time) for time, _id, one in timed[::-1]]
    return (
        page.environment()
        .get_template("class/class.html")
        .render(
            run=run,
            due=moment_text(run.due),
            written=moment_text(run.written_at),
            language=language(),
            script=script,
            script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
            summary=_summary(run),
            groups={name: _(title) for name, title in GROUPS.items()},
            bars=_bars(run) if run.students else [],
            bins=_bins(run),
            verdicts=verdict_counts(run),
            mistakes=_mistake_views(found, run, names),
            more=[(one, one.sentence) for one in found[EXAMPLES_MAX:]],
            strip=strip_plot(run),
            rows=[_row(student, run, names) for student in students],
            slowest=slowest[:SLOWEST_MAX],
            warnings=[
                (names.label(one), names.link(one), one.warning)
                for one in run.with_state("graded")
                if one.warning
            ],
            states={
                state: [(names.label(one), one.note, one.source) for one in run.with_state(state)]
                for state in NO_GRADE
            },
            state_names={name: _(title) for name, title in STATES.items()},
            imports=[
                (file, [(reason, len(students)) for reason, students in file.absent(run)])
                for file in imports
                if file.rows
            ],
            similar=similar,
            people={one.pseudonym: (names.label(one), names.link(one)) for one in students},
        )
    )
