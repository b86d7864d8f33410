"""canvas.csv: the points after lateness, for Canvas' "Import Grades".

Rules of lib/gradebook_importer.rb in instructure/canvas-lms: the first header contains "Student",
the second "ID", then SIS User ID and SIS Login ID, then Section, then the assignments.  A row is
matched by ID, else by SIS User ID, else by SIS Login ID, else by name.  An ID is read as far as it
is a number, and two students may share a name: so a row has an ID or an SIS id, which no other
student of the class has, or is left out.  A column is matched by the id in its heading, so that of
the exported gradebook is used if it is known.
"""

from __future__ import annotations

import re
from operator import contains

from book.model import ClassRun, Student
from book.table import Import, defused, is_odd, points_cell, shared, table_text

FILE = "canvas.csv"
# Canvas skips a column whose title contains one of these, and takes a number in parentheses at the
# end of a title for the id of an assignment.
NOT_A_TITLE = re.compile(
    r"(Current|Final) (Score|Points|Grade)|Override (Score|Grade|Status)|\(\d+\)$"
)


def title_for(title: str) -> str:
    text = defused(title)
    return text if not NOT_A_TITLE.search(text) else re.sub(r"[()]", "", text).replace(" ", "_")


def _ids(student: Student) -> tuple[str, str, str]:
    number = student.lms.get("canvas_id", "")
    sis = [student.lms.get(key, "") for key in ("sis_user_id", "sis_login_id")]
    user, login = ("" if is_odd(value) else value for value in sis)
    return number if re.fullmatch("[1-9][0-9]*", number) else "", user, login


def render(run: ClassRun) -> Import:
    title = defused(run.column) if run.column else title_for(run.title)
    heads = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", title]
    rows = [heads, ["    Points Possible", "", "", "", "", points_cell(run.points_max)]]
    taken = [shared(column) for column in zip(*map(_ids, run.students), strict=True)]
    left_out = []
    for student in run.students:
        if student.points_final is None or student.is_open:
            continue
        ids = _ids(student)
        if not any(ids) or any(map(contains, taken, ids)):
            left_out.append(student)
            continue
        name, section = defused(student.name or student.id), defused(student.section)
        rows.append([name, *ids, section, points_cell(student.points_final)])
    count = len(rows) - 2
    return Import(FILE, table_text(rows) if count else "", count, tuple(left_out))
