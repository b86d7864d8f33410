"""A table of text with comma-separated values, as spreadsheets and learning platforms write it.

Source: RFC 4180, and the habits of spreadsheets: `;` or tabs, a byte order mark, blank lines.
The module csv does not say on which line a row begins that spans several, or where a quote opens
that has no end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from language import _
from trouble import Trouble, of_name

BYTES_MAX = 16 << 20
ROWS_MAX = 20000
COLUMNS_MAX = 1000
QUOTED, OPENED = r'"([^"]*(?:""[^"]*)*)"', re.compile(' *"')


@dataclass(frozen=True)
class Row:
    line: int  # of the file, from 1, where the row begins
    cells: tuple[str, ...]

    def cell(self, column: int | None) -> str:
        """ "" if the row is shorter, or there is no such column."""
        return self.cells[column] if column is not None and column < len(self.cells) else ""


def file_read(path: str, bytes_max: int) -> bytes:
    """All of a plain file.  Raises Trouble."""
    place = Path(path)
    try:
        if place.is_dir():
            raise Trouble("%(path)s: is a folder, not a file", path=path)
        if place.exists() and not place.is_file():
            raise Trouble("%(path)s: is not a regular file", path=path)
        with place.open("rb") as file:
            data = file.read(bytes_max + 1)
    except OSError as error:
        raise of_name(error, path) from error
    if len(data) > bytes_max:
        raise Trouble("%(path)s: larger than %(count)d MiB", path=path, count=bytes_max >> 20)
    return data


def _fault(path: str, line: int, why: str) -> Trouble:
    return Trouble("%(path)s:%(line)d: %(why)s", path=path, line=line, why=why)


def _text(path: str, data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise _fault(path, 1, _("this is UTF-16; save it as CSV in UTF-8 (Excel: CSV UTF-8)"))
    at = data.find(b"\0")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        at = error.start if at < 0 else min(at, error.start)
    if at >= 0:
        line = data.count(b"\n", 0, at) + 1
        raise _fault(path, line, _("not UTF-8; save it as CSV in UTF-8 (Excel: CSV UTF-8)"))
    return text


def _separator(text: str) -> str:
    """The most frequent of , ; and tab in the header, outside quotes."""
    header = re.match(r'(?:[^"\r\n]|"[^"]*(?:"|\Z))*', text)
    plain = re.sub(r'"[^"]*(?:"|\Z)', "", header[0] if header else "")
    counts = {mark: plain.count(mark) for mark in ",;\t"}
    if counts[";"] > counts[","] and counts[";"] >= counts["\t"]:
        return ";"
    return "\t" if counts["\t"] > counts[","] else ","


def _rows(path: str, text: str) -> Iterator[Row]:
    """Cells lose the blanks around them, unless they are quoted."""
    mark = _separator(text)
    cell = re.compile(rf" *(?:{QUOTED} *|([^{mark}\r\n]*?) *)({mark}|\r\n|\r|\n|\Z)")
    at, line, begin = 0, 1, 1
    cells: list[str] = []
    while at < len(text):
        found = cell.match(text, at)
        if not found or (found[1] is None and OPENED.match(text, at)):
            closed = re.compile(" *" + QUOTED).match(text, at)
            if not closed:
                raise _fault(path, line, _("the quote that opens here has no end"))
            raise _fault(path, line + closed[0].count("\n"), _("text follows a closing quote"))
        cells.append(found[2] if found[1] is None else found[1].replace('""', '"'))
        line += (found[1] or "").count("\n")
        at = found.end()
        if found[3] == mark and at == len(text):
            cells.append("")
        if len(cells) > COLUMNS_MAX:
            raise _fault(path, line, _("more than %(count)d columns", count=COLUMNS_MAX))
        if found[3] != mark or at == len(text):
            line += found[3] in ("\r\n", "\r", "\n")
            yield Row(begin, tuple(cells))
            cells, begin = [], line


def table_parse(path: str, data: bytes) -> list[Row]:
    """The first row is the header; rows without any text are left out.

    Raises Trouble with path and line.
    """
    rows = []
    for row in _rows(path, _text(path, data)):
        if any(row.cells):
            rows.append(row)
        if len(rows) > ROWS_MAX:
            raise _fault(path, row.line, _("more than %(count)d rows", count=ROWS_MAX))
    if not rows:
        raise Trouble("%(path)s: empty; its first line names the columns", path=path)
    return rows
