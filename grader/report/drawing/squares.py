"""C as squares coloured by the share of wrong elements, and a small C element by element."""

from __future__ import annotations

from dataclasses import dataclass

from language import N_, _
from model import Exercise, WrongCells

CELLS_MAX = 32  # rows and columns of a C that is drawn element by element
WORDS_ROWS, WORDS_COLUMNS = 12, 6  # of a C with words in its cells
CELL = 18  # edge of a cell, in pixels
RUNS_MAX = 24
# The sign for a wrong element's value, and the words of the legend.
HELD = {
    "unwritten": ("·", N_("never written")),
    "zero": ("0", N_("0")),
    "not_finite": ("∞", N_("infinity or NaN")),
    "place": ("→", N_("the value of another element")),
    "missing": ("−", N_("terms are missing")),
    "twice": ("+", N_("terms are in the sum twice")),
    "other": ("?", N_("another value")),
}


@dataclass(frozen=True)
class Cell:
    x: int
    y: int
    held: str  # "right" or a key of HELD
    sign: str
    words: str


@dataclass(frozen=True)
class Run:
    """Neighbours in a row, or in equal parts of rows, with the same properties."""

    where: str
    words: str


@dataclass(frozen=True)
class Cells:
    """C element by element."""

    rows: tuple[tuple[Cell, ...], ...]  # empty if there are too many to draw
    held: tuple[tuple[str, str, str], ...]  # the kinds that occur: class, sign and words
    runs: tuple[Run, ...]
    runs_left: int
    in_words: bool  # the cells are wide enough for words
    text: str

    @property
    def width(self) -> int:
        return len(self.rows[0]) * CELL

    @property
    def height(self) -> int:
        return len(self.rows) * CELL


@dataclass(frozen=True)
class Squares:
    width: int
    height: int
    paths: tuple[
        tuple[int, str], ...
    ]  # level (0 is right, 4 is all wrong) and its squares as a path
    text: str
    levels: tuple[int, ...]  # those that occur


def wrong_squares(exercise: Exercise) -> Squares | None:
    """C by squares, the wrong ones coloured by their number of wrong elements."""
    tiles = exercise.wrong_tiles
    if not tiles:
        return None
    m, n = tiles.size[:2]
    columns = max(len(row) for row in tiles.rows)
    edge = max(8, min(16, 400 // max(columns, len(tiles.rows))))
    paths: dict[int, str] = {}
    for r, row in enumerate(tiles.rows):
        for c, wrong in enumerate(row):
            height = min((r + 1) * tiles.edge, m) - r * tiles.edge
            width = min((c + 1) * tiles.edge, n) - c * tiles.edge
            level = min(4, 1 + 4 * wrong // max(height * width, 1)) if wrong else 0
            square = f"M{c * edge} {r * edge}h{edge - 1}v{edge - 1}h{1 - edge}z"
            paths[level] = paths.get(level, "") + square
    return Squares(
        columns * edge,
        len(tiles.rows) * edge,
        tuple(sorted(paths.items())),
        _("%(wrong)d of %(all)d elements of C are not right", wrong=tiles.wrong, all=m * n),
        tuple(sorted(paths)),
    )


def _span(first: int, last: int) -> str:
    return f"[{first}]" if first == last else f"[{first}..{last}]"


def _terms(held: str, first: int, last: int) -> str:
    if held == "missing" and first == last:
        return _("term k = %(k)d is missing", k=first)
    if held == "missing":
        return _("terms k = %(first)d to %(last)d are missing", first=first, last=last)
    if first == last:
        return _("term k = %(k)d is in the sum twice", k=first)
    return _("terms k = %(first)d to %(last)d are in the sum twice", first=first, last=last)


def _words(held: str, fact: tuple[int, ...], rows: int = 1, columns: int = 1) -> str:
    """The value of an element, or of `rows` x `columns` elements from it on."""
    if held == "place":
        place = f"C{_span(fact[0], fact[0] + rows - 1)}{_span(fact[1], fact[1] + columns - 1)}"
        return _("the value of %(place)s", place=place)
    return _terms(held, fact[0], fact[1]) if fact else _(HELD[held][1])


# The common properties of a run's elements: their value, and for places their distance.
_Common = tuple[str, tuple[int, ...]]


def _common(held: str, row: int, column: int, fact: tuple[int, ...]) -> _Common:
    return held, (fact[0] - row, fact[1] - column) if held == "place" else fact


def _runs(wrong: WrongCells) -> list[Run]:
    """The wrong elements as rectangles, each of one fact."""
    in_rows: dict[tuple[int, int, _Common], list[int]] = {}  # first, last column: its rows
    at = 0
    while at < len(wrong.cells):
        held, row, column, fact = wrong.cells[at]
        common, end = _common(held, row, column, fact), at + 1
        while end < len(wrong.cells):
            next_held, next_row, next_column, next_fact = wrong.cells[end]
            if (next_row, next_column) != (row, column + end - at) or common != _common(
                next_held, next_row, next_column, next_fact
            ):
                break
            end += 1
        in_rows.setdefault((column, column + end - at - 1, common), []).append(row)
        at = end
    runs = []
    for (first, last, (held, fact)), rows in in_rows.items():
        while rows:
            top, count = rows[0], 1
            while count < len(rows) and rows[count] == top + count:
                count += 1
            del rows[:count]
            fact_here = (fact[0] + top, fact[1] + first) if held == "place" else fact
            where = f"C{_span(top, top + count - 1)}{_span(first, last)}"
            runs.append(Run(where, _words(held, fact_here, count, last - first + 1)))
    return runs


def wrong_cells(exercise: Exercise) -> Cells | None:
    """A small C with the value of each wrong element; None if there is none."""
    wrong = exercise.wrong_cells
    if not wrong or not wrong.cells:
        return None
    m, n = wrong.size[:2]
    is_drawn = max(m, n) <= CELLS_MAX
    known = {(row, column): (held, fact) for held, row, column, fact in wrong.cells}
    rows = []
    for row in range(m if is_drawn else 0):
        cells = []
        for column in range(n):
            held, fact = known.get((row, column), ("right", ()))
            sign, words = HELD[held][0] if held in HELD else "", _("right")
            words = _words(held, fact) if held in HELD else words
            cells.append(Cell(column * CELL, row * CELL, held, sign, words))
        rows.append(tuple(cells))
    runs = _runs(wrong)
    occurs = {held for held, _fact in known.values()}
    return Cells(
        tuple(rows),
        tuple((held, sign, _(words)) for held, (sign, words) in HELD.items() if held in occurs),
        tuple(runs[:RUNS_MAX]),
        max(len(runs) - RUNS_MAX, 0),
        m <= WORDS_ROWS and n <= WORDS_COLUMNS,
        _("%(wrong)d of %(all)d elements of C are not right", wrong=len(known), all=m * n),
    )
