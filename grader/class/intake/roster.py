"""The list of a class: a table with one student a row.

The header names the columns; only `id` is needed:

  id, name, mail, section, canvas_id, sis_user_id, sis_login_id, moodle_id, username, github,
  extension_days (whole days), received (2026-11-30T22:10:00+01:00)

Tables that learning platforms export can be used unchanged: their names for the same columns are
known, and without an id the first of ID_COLUMNS that has a text serves as one; without any of
these columns the name.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from course import seconds_of
from intake.person import KEYS, Person, id_fault
from intake.table import Row
from language import _
from texts import cleaned
from trouble import Trouble

EXTENSION_DAYS_MAX = 3650
UNUSED_SHOWN = 5
# Names of columns in lower case, with '_' for blanks: ours, and those of Canvas' gradebook,
# Moodle's grading worksheet and participants, Gradescope's roster, GitHub Classroom's and
# Classroom 50's.
KNOWN = {
    **{name: name for name in (*KEYS, "id", "name", "first_name", "last_name", "mail", "section")},
    **dict.fromkeys(("sid", "student_id", "id_number", "idnumber"), "id"),
    **dict.fromkeys(("full_name", "student"), "name"),
    "surname": "last_name",
    **dict.fromkeys(("email", "email_address"), "mail"),
    "sections": "section",
    "identifier": "moodle_id",
    "github_username": "github",
    "extension_days": "extension_days",
    "received": "received",
}
ID_COLUMNS = ("id", "sis_login_id", "username", "sis_user_id", "mail", "canvas_id", "github")


@dataclass(frozen=True)
class Roster:
    people: tuple[Person, ...]  # in the order of the file
    unused: str  # unknown columns: "a, b, …"; or ""
    is_canvas: bool  # a gradebook that Canvas exported
    grades: tuple[str, ...]  # its columns for assignments, "Homework 1 (77)", and for other grades

    def column_of(self, title: str) -> str:
        """The column of Canvas' gradebook for this title, "TITLE (77)"; "" if there is none."""
        wanted = re.compile(re.escape(title) + r" \([0-9]+\)")
        return next((column for column in self.grades if title and wanted.fullmatch(column)), "")


@dataclass(frozen=True)
class _Header:
    path: str
    columns: dict[str, int]

    def cell(self, row: Row, column: str) -> str:
        return row.cell(self.columns.get(column))


def _header(path: str, row: Row, is_canvas: bool) -> tuple[_Header, list[str]]:
    """The known columns, and the names of the others."""
    columns: dict[str, int] = {}
    others = []
    for number, name in enumerate(row.cells):
        column = KNOWN.get(re.sub("[ -]", "_", name.lower()))
        if column is None:
            others += [name] if name else []
        elif column in columns:
            raise Trouble(
                "%(path)s:%(line)d: the columns '%(first)s' and '%(second)s' are the same",
                path=path,
                line=row.line,
                first=row.cells[columns[column]],
                second=name,
            )
        else:
            columns[column] = number
    if is_canvas and "id" in columns and "canvas_id" not in columns:
        columns["canvas_id"] = columns.pop("id")  # ID is Canvas' own number there
    if not columns.keys() & {*ID_COLUMNS, "name", "last_name"}:
        raise Trouble(
            "%(path)s:%(line)d: no column is called id, name or mail; the first one is "
            "'%(name)s'; the first line names the columns, such as id,name,mail",
            path=path,
            line=row.line,
            name=row.cell(0)[:40],
        )
    return _Header(path, columns), others


def _extension(header: _Header, row: Row) -> int:
    text = header.cell(row, "extension_days")
    if re.fullmatch("[0-9]{0,5}", text) and int(text or 0) <= EXTENSION_DAYS_MAX:
        return int(text or 0)
    raise Trouble(
        "%(path)s:%(line)d: extension_days is '%(text)s'; write whole days, at most %(most)d",
        path=header.path,
        line=row.line,
        text=text,
        most=EXTENSION_DAYS_MAX,
    )


def _received(header: _Header, row: Row) -> int | None:
    text = header.cell(row, "received")
    seconds = seconds_of(text)
    if text and seconds is None:
        raise Trouble(
            "%(path)s:%(line)d: received is '%(text)s'; write date, time and offset from UTC, "
            "such as 2026-11-30T22:10:00+01:00",
            path=header.path,
            line=row.line,
            text=text,
        )
    return seconds


def _person(header: _Header, row: Row) -> Person:
    parts = (header.cell(row, "first_name"), header.cell(row, "last_name"))
    name = header.cell(row, "name") or " ".join(part for part in parts if part)
    found = [header.cell(row, column) for column in ID_COLUMNS]
    has_id = header.columns.keys() & set(ID_COLUMNS)
    student = next((text for text in found if text), "") if has_id else name
    fault = id_fault(student)
    if fault:
        raise Trouble(
            "%(path)s:%(line)d: '%(id)s' cannot be an id: %(why)s",
            path=header.path,
            line=row.line,
            id=student[:100],
            why=_(fault),
        )
    keys = {key: header.cell(row, key) for key in KEYS}
    keys["moodle_id"] = keys["moodle_id"].removeprefix("Participant ")
    return Person(
        id=student,
        name=cleaned(name),
        mail=cleaned(header.cell(row, "mail")),
        section=cleaned(header.cell(row, "section")),
        keys={key: cleaned(text) for key, text in keys.items() if text},
        extension_days=_extension(header, row),
        received=_received(header, row),
    )


def _unused(names: list[str]) -> str:
    shown = [cleaned(name[:30]) for name in names[:UNUSED_SHOWN]]
    return ", ".join([*shown, "…"] if len(names) > UNUSED_SHOWN else shown)


def roster_read(path: str, rows: list[Row]) -> Roster:
    """Raises Trouble: no column for an id, two columns for the same thing, an invalid id or one
    that two rows share, an invalid number or time."""
    is_canvas = rows[0].cell(0).lower() == "student"
    header, others = _header(path, rows[0], is_canvas)
    # Canvas' gradebook has a row with the points of each assignment.
    students = [row for row in rows[1:] if row.cell(0).strip().lower() != "points possible"]
    people = tuple(_person(header, row) for row in students)
    seen: set[str] = set()
    for one in people:
        same = unicodedata.normalize("NFC", one.id)
        if same in seen:
            raise Trouble("%(path)s: two rows have the id '%(id)s'", path=path, id=one.id)
        seen.add(same)
    grades = tuple(map(cleaned, others)) if is_canvas else ()
    return Roster(people, "" if is_canvas else _unused(others), is_canvas, grades)
