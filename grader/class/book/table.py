"""CSV files for spreadsheets and learning platforms, in which no cell counts as a formula.

Source: OWASP, CSV Injection; RFC 4180.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from book.model import NO_GRADE, ClassRun, Student
from language import _
from words import points_text

# Characters that make a spreadsheet compute a cell: at its start, or after a character that ends a
# cell in another locale.  Full-width forms count in Japanese and Chinese spreadsheets.
FORMULA = re.compile("(^|[;,|\"']) *([=+@\uff1d\uff0b\uff0d\uff20-])")


@dataclass(frozen=True)
class Import:
    """A file for a learning platform, and the students missing from it."""

    file: str
    text: str  # "" if there is no row to import
    rows: int
    left_out: tuple[Student, ...]  # students with points, but unknown to the platform

    def absent(self, run: ClassRun) -> list[tuple[str, tuple[Student, ...]]]:
        """The missing students, by reason."""
        groups = [
            (_("points are open"), tuple(one for one in run.students if one.is_open)),
            (_("id on that platform not known"), self.left_out),
            *((_(name), run.with_state(state)) for state, name in NO_GRADE.items()),
        ]
        return [(reason, students) for reason, students in groups if students]


def defused(text: str) -> str:
    """The text on one line, with an apostrophe before the beginning of a formula."""
    return FORMULA.sub(r"\1'\2", " ".join(text.split()))


def is_odd(text: str) -> bool:
    """Whether a cell cannot hold the text unchanged, as a platform needs for an identity."""
    return defused(text) != text


def _folded(text: str) -> str:
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(part for part in parts if not unicodedata.combining(part))


def shared(identities: Iterable[str]) -> frozenset[str]:
    """The values that several students share.  The databases of platforms may ignore case and
    accents."""
    known = [text for text in identities if text]
    seen = Counter(_folded(text) for text in known)
    return frozenset(text for text in known if seen[_folded(text)] > 1)


def points_cell(milli_points: int | None) -> str:
    return "" if milli_points is None else points_text(milli_points)


def table_text(rows: Iterable[Iterable[str]], quote_all: bool = False) -> str:
    """Rows as CSV with the line ends of RFC 4180."""
    out = io.StringIO()
    quoting = csv.QUOTE_ALL if quote_all else csv.QUOTE_MINIMAL
    csv.writer(out, lineterminator="\r\n", quoting=quoting).writerows(rows)
    return out.getvalue()
