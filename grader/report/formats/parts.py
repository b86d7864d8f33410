"""A result as the rows that learning platforms show: everything that is worth points, each with its
text.

All points are milli-points; the rows of a result sum to its points.
"""

from __future__ import annotations

from dataclasses import dataclass

from language import _
from model import Answers, Exercise, Result, missing_text
from reading.sections import in_language
from speed import Speed
from words import word

# Verdicts on files from which no kernel ever ran.
NOT_BUILT = (
    "missing",
    "not_started",
    "not_allowed",
    "build_error",
    "no_kernel",
    "bad_signature",
)


@dataclass(frozen=True)
class Row:
    name: str  # unique in a result; platforms compare submissions by it, so it is never translated
    title: str  # the verdict in words
    passed: bool
    open: bool  # its points are not decided yet
    points: int
    points_max: int
    text: str  # for people, plain

    @property
    def shown(self) -> str:
        """The text, which begins with "Open" if the row is open."""
        if not self.open:
            return self.text
        said = _("Open: these points are neither given nor lost.")
        return f"{said}\n{self.text}" if self.text else said


def _correct(exercise: Exercise) -> Row:
    speed_points = sum(speed.points for speed in exercise.speed)
    speed_max = sum(speed.points_max for speed in exercise.speed)
    parts = [exercise.headline, exercise.detail_left]
    for finding in exercise.findings:
        place = f"{finding.file}:{finding.line}: " if finding.line else ""
        parts.append(place + finding.message)
        if finding.lesson:
            parts.append(_("Read %(lesson)s", lesson=in_language(finding.lesson)))
    parts.append(exercise.diagnostics)
    speed_open = exercise.points_open if exercise.complete else 0
    return Row(
        name=f"{exercise.name}: right",
        title=exercise.verdict_title,
        passed=exercise.verdict == "pass",
        open=not exercise.complete,
        points=exercise.points - speed_points,
        points_max=exercise.points_max - speed_max - speed_open,
        text="\n".join(part for part in parts if part),
    )


def answer_lines(answers: Answers) -> list[str]:
    """A line for each question, with the answer if it may be seen."""
    return [
        f"{one.section} {one.number}. {one.title}: "
        + (f"{one.said} ({one.word})" if one.said else one.word)
        for one in answers.list
    ]


def _answers(answers: Answers) -> Row:
    parts = [answers.note, *(answer_lines(answers) if answers.state == "marked" else [])]
    return Row(
        name="answers",
        title=answers.shown,
        passed=answers.points == answers.points_max,
        open=answers.points_open > 0,
        points=answers.points,
        points_max=answers.points_max,
        text="\n".join(part for part in parts if part),
    )


def speed_text(speed: Speed) -> str:
    """Verdict, ratio and the deciding work, in one line."""
    return _(
        "%(verdict)s: ratio to the reference %(ratio)s, decided by %(cause)s",
        verdict=word(speed.verdict),
        ratio=speed.ratio_text,
        cause=speed.decided_by,
    )


def rows(result: Result) -> tuple[Row, ...]:
    """One row per exercise for correctness, and one for each size at which its speed counts; then
    one for all answers to questions.

    Points that could not be decided here have a separate, open row.
    """
    found = []
    for exercise in result.exercises:
        found.append(_correct(exercise))
        for speed in exercise.speed:
            found.append(
                Row(
                    name=f"{exercise.name}: speed at {speed.size_text}",
                    title=exercise.verdict_title,
                    passed=speed.points == speed.points_max,
                    open=False,
                    points=speed.points,
                    points_max=speed.points_max,
                    text=speed_text(speed),
                )
            )
        if exercise.complete and exercise.points_open:
            found.append(
                Row(
                    name=f"{exercise.name}: speed",
                    title=exercise.verdict_title,
                    passed=False,
                    open=True,
                    points=0,
                    points_max=exercise.points_open,
                    text=exercise.detail or missing_text(result),
                )
            )
    if result.answers:
        found.append(_answers(result.answers))
    return tuple(found)


def whole_points(points: tuple[int, ...], most: tuple[int, ...]) -> tuple[int, ...]:
    """Whole points that sum to the rounded sum of the milli-points, each at most its `most`."""
    missing = (sum(points) + 500) // 1000 - sum(value // 1000 for value in points)
    whole = [value // 1000 for value in points]
    while missing > 0:
        for at in sorted(range(len(points)), key=lambda at: (-(points[at] % 1000), at)):
            if missing > 0 and whole[at] < most[at]:
                whole[at] += 1
                missing -= 1
    return tuple(whole)
