"""gradebook.csv: all known facts about each student, for people and spreadsheets.

A student without points has an empty cell and a word in the column `state`, never a zero.
"""

from __future__ import annotations

from book.model import ClassRun, Student
from book.table import defused, points_cell, table_text

FILE = "gradebook.csv"
BOM = "\ufeff"  # without it, Excel takes UTF-8 for the encoding of the system
COLUMNS = (
    "id",
    "name",
    "mail",
    "section",
    "state",
    "points",
    "points_max",
    "points_open",
    "late_mark",
    "late_days",
    "deduction_percent",
    "points_final",
    "received",
    "tries",
    "source",
    "note",
)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


def _final(student: Student) -> str:
    return "open" if student.is_open else points_cell(student.points_final)


def _answers(student: Student) -> str:
    if not student.answers:
        return ""
    return "open" if student.answers.points_open else points_cell(student.answers.points)


def _row(student: Student, run: ClassRun) -> list[str]:
    graded = student.state == "graded"
    cells = [
        student.id,
        student.name,
        student.mail,
        student.section,
        student.state,
        points_cell(student.points),
        points_cell(run.points_max),
        points_cell(student.points_open) if graded else "",
        "yes" if student.late_mark else "",
        _number(student.late_days),
        _number(student.deduction_percent),
        _final(student),
        student.received,
        str(student.tries or ""),
        student.source,
        "; ".join(text for text in (student.warning, student.note) if text),
    ]
    for exercise in run.exercises:
        kernel = student.kernels.get(exercise.name)
        if not kernel:
            cells += ["", ""]
        else:
            cells += ["open" if kernel.is_open else points_cell(kernel.points), kernel.verdict]
    if run.answers_max:
        cells.append(_answers(student))
    return [defused(cell) for cell in cells]


def render(run: ClassRun) -> str:
    heads = list(COLUMNS)
    for exercise in run.exercises:
        heads += [f"{exercise.name} points", f"{exercise.name} verdict"]
    heads += ["answers points"] if run.answers_max else []
    rows = [_row(student, run) for student in run.students]
    return BOM + table_text([[defused(head) for head in heads], *rows])
