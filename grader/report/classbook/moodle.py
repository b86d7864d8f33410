"""moodle.csv: the points after lateness and a sentence, for Moodle's import of grades.

Rules of grade/import/csv in moodle/moodle: the teacher says which column identifies users, and an
unknown user ends the import.  A blank cell in that column is worse: Moodle keeps the user of the
row before and stores the grade there.  So a column that identifies users is in the file only if
no row has it blank.
"""

from __future__ import annotations

from classbook.roll import ClassRun, Student
from classbook.table import Import, defused, is_odd, points_cell, table_text
from language import _
from words import points_of_text, word

FILE = "moodle.csv"
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
    if student.deduction_percent:
        parts.append(_("%(percent)g %% deducted for lateness", percent=student.deduction_percent))
    return "; ".join(parts)


def render(run: ClassRun) -> Import:
    found = [item for item in run.students if item.points_final is not None and not item.is_open]
    students = [item for item in found if item.id and not is_odd(item.id)]
    keys = {
        "username": [item.lms.get("username", "") for item in students],
        "email": [item.mail for item in students],
        "idnumber": [item.id for item in students],
    }
    whole = {
        name: values
        for name, values in keys.items()
        if all(value and not is_odd(value) for value in values)
    }
    rows = [[*whole, "grade", "feedback"]]
    for at, student in enumerate(students):
        points = points_cell(student.points_final)
        feedback = defused(feedback_text(student, run))
        rows.append([*(values[at] for values in whole.values()), points, feedback])
    left_out = tuple(item for item in found if item not in students)
    return Import(FILE, table_text(rows) if students else "", len(students), left_out)
