"""blackboard.csv: the points after lateness, for Blackboard's "Upload grades".

Rules of Blackboard's help for instructors: one header row, a user name in every row, each cell of
a comma-separated file in quotation marks.  Rows of unknown users are not processed.  A column
without Blackboard's own column id becomes a new column.
"""

from __future__ import annotations

from book.model import ClassRun, Student
from book.table import Import, defused, is_odd, points_cell, shared, table_text

FILE = "blackboard.csv"


def render(run: ClassRun) -> Import:
    # Ids stand in for user names only if the roster has no user names at all.
    known = any(student.lms.get("username") for student in run.students)

    def user(student: Student) -> str:
        name = student.lms.get("username", "") if known else student.id
        return "" if is_odd(name) else name

    taken = shared(user(student) for student in run.students)
    rows = [["Username", defused(run.title)]]
    left_out = []
    for student in run.students:
        if student.points_final is None or student.is_open:
            continue
        if user(student) and user(student) not in taken:
            rows.append([user(student), points_cell(student.points_final)])
        else:
            left_out.append(student)
    count = len(rows) - 1
    text = table_text(rows, quote_all=True) if count else ""
    return Import(FILE, text, count, tuple(left_out))
