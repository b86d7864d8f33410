"""moodle.csv: the points after lateness and a sentence, for Moodle's import of grades.

Rules of grade/import/csv in moodle/moodle: the teacher chooses the column that identifies users,
and an unknown user ends the import.  A blank cell in that column is worse: Moodle keeps the user of
the row before and stores the grade there.  So a column that identifies users is in the file only if
no row has it blank, and no two students of the class have the same text in it.
"""

from __future__ import annotations

from collections.abc import Callable

from book.model import ClassRun, Student
from book.table import Import, defused, is_odd, points_cell, shared, table_text
from language import _
from words import points_of_text, word

FILE = "moodle.csv"
KEYS: dict[str, Callable[[Student], str]] = {
    "username": lambda student: student.lms.get("username", ""),
    "email": lambda student: student.mail,
    "idnumber": lambda student: student.id,
}
POINTS_MAX = 100_000  # Moodle refuses more, unless the site allows unlimited grades


def feedback_text(student: Student, run: ClassRun) -> str:
    """Each exercise in some words; Moodle shows it as HTML, so nothing of a submission is in it."""
    parts = []
    for exercise in run.exercises:
        kernel = student.kernels.get(exercise.name)
        if kernel:
            points = points_of_text(kernel.points, exercise.points_max)
            verdict = "" if run.feedback == "points" else f"{word(kernel.verdict)}, "
            parts.append(f"{exercise.name}: {verdict}{points}")
    if student.answers:
        parts.append(_("answers: %(points)s", points=student.answers.shown))
    if student.deduction_percent:
        parts.append(_("%(percent)g %% deducted for lateness", percent=student.deduction_percent))
    return "; ".join(parts)


def render(run: ClassRun) -> Import:
    found = [item for item in run.students if item.points_final is not None and not item.is_open]
    twins = shared(item.id for item in run.students)
    students = [item for item in found if not (is_odd(item.id) or item.id in twins)]
    keys = {}
    for name, key in KEYS.items():
        taken = shared(map(key, run.students)) | {""}
        if not any(is_odd(key(item)) or key(item) in taken for item in students):
            keys[name] = key
    rows = [[*keys, "grade", "feedback"]]
    for student in students:
        points = points_cell(student.points_final)
        feedback = defused(feedback_text(student, run))
        rows.append([*(key(student) for key in keys.values()), points, feedback])
    left_out = tuple(item for item in found if item not in students)
    return Import(FILE, table_text(rows) if students else "", len(students), left_out)
