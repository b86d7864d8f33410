"""The loads of each thread, drawn from the trace of one block: boxes of accesses as cells and as
formulas."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from block_trace import IndexMap, IndexMaps, MapAccess, MapArray, index_of
from drawing import steps
from drawing.boards import WIDTH, Board, boards_of, elements_of, path_of
from language import N_, _, clauses, listed
from model import Finding

CELLS_MAX = 1 << 18  # cells of a trace; the grader never writes more
PHASES_MAX = 12
DOT = 9.0  # a cell of a thread that is smaller, in pixels, is drawn with a thick border
LISTED_MAX = 4  # elements that a thread accesses, one by one
ROWS_MAX = 14  # rows of the table
# The actions of a block or a thread on a list of arrays or places.
VERBS = {
    "load": N_("loads %(places)s"),
    "store": N_("stores %(places)s"),
    "atomic": N_("adds atomically to %(places)s"),
    "zero": N_("stores 0 to %(places)s"),
}


@dataclass(frozen=True)
class Cells:
    board: Board
    kind: str
    path: str


@dataclass(frozen=True)
class Mine:
    """The accesses of one thread in a phase."""

    text: str
    cells: tuple[Cells, ...]


@dataclass(frozen=True)
class Phase:
    number: int
    text: str
    cells: tuple[Cells, ...]  # cells that the whole block touches
    mine: tuple[Mine, ...]  # one for each thread that can be chosen

    def on(self, board: Board) -> list[tuple[str, str]]:
        """Class and path of the shapes on a board, the bottom layer first."""
        drawn = [(cells.kind, cells.path) for cells in self.cells if cells.board is board]
        for number, mine in enumerate(self.mine):
            size = " dot" if board.cell < DOT else ""
            drawn += [
                (f"me t{number}{size}", cells.path) for cells in mine.cells if cells.board is board
            ]
        return drawn


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    line: int
    kind: str  # a key of VERBS
    element: str
    when: str

    @property
    def text(self) -> str:
        return _(VERBS[self.kind], places=f"`{self.element}`")


@dataclass(frozen=True)
class Map:
    width: float
    height: float
    boards: tuple[Board, ...]
    phases: tuple[Phase, ...]
    phases_left: int
    threads: tuple[str, ...]
    rows: tuple[Row, ...]
    rows_left: int
    data: IndexMap
    order: steps.Steps | None

    @property
    def first_phase(self) -> int:
        """The first step that is drawn with an access; 0 if none is."""
        return next((at for at, phase in enumerate(self.phases) if phase.cells), 0)

    @property
    def has_zeros(self) -> bool:
        return any(access.kind == "zero" for access in self.data.accesses)

    @property
    def has_atomics(self) -> bool:
        return any(access.kind == "atomic" for access in self.data.accesses)

    @property
    def reaches_beyond(self) -> bool:
        return any(board.beyond for board in self.boards)

    @property
    def counts_threads(self) -> bool:
        """Whether a formula uses tid."""
        return any("tid" in row.element for row in self.rows)


def _chosen(data: IndexMap) -> list[tuple[int, str]]:
    """A few threads to follow: corners and one inside."""
    x, y, z = data.threads
    if y * z == 1:
        wanted = [(min(5, x - 1), 0), (0, 0), (1, 0), (x - 1, 0)]
        names = {(a, b): f"tx {a}" for a, b in wanted}
    else:
        wanted = [(min(5, x - 1), min(3, y - 1)), (0, 0), (1, 0), (0, 1), (x - 1, y - 1)]
        names = {(a, b): f"tx {a}, ty {b}" for a, b in wanted}
    return [(a + x * b, names[a, b]) for a, b in dict.fromkeys(wanted) if a < x and b < y * z]


def _cells(
    data: IndexMap, boards: list[Board | None], phase: int, thread: int | None
) -> tuple[Cells, ...]:
    found: dict[tuple[int, str], list[int]] = {}
    for access in data.accesses:
        if access.phase == phase:
            elements = elements_of(access, data.arrays[access.array], thread)
            found.setdefault((access.array, access.kind), []).extend(elements)
    cells = []
    for (array, kind), elements in found.items():
        board = boards[array]
        path = path_of(elements, board) if board else ""
        if board and path:
            cells.append(Cells(board, kind, path))
    return tuple(cells)


def _done(did: dict[str, list[str]]) -> str:
    """Places grouped by the actions on them, as in "loads A, B; stores As"."""
    return clauses(
        _(VERBS[kind], places=listed(sorted(places))) for kind, places in did.items() if places
    )


def _phase_text(data: IndexMap, phase: int) -> str:
    did: dict[str, list[str]] = {}
    for access in data.accesses:
        name = data.arrays[access.array].name
        if access.phase == phase and name not in did.setdefault(access.kind, []):
            did[access.kind].append(name)
    what = _done(did) or _("touches no memory")
    if data.phases == 1:
        return _("From start to end, the block %(what)s.", what=what)
    if phase == 0:
        return _("Before barrier 1, the block %(what)s.", what=what)
    if phase == data.phases - 1:
        return _("After barrier %(barrier)d, the block %(what)s.", barrier=phase, what=what)
    return _(
        "Between barriers %(first)d and %(second)d, the block %(what)s.",
        first=phase,
        second=phase + 1,
        what=what,
    )


def _span(first: int, last: int) -> str:
    return f"[{first}]" if first == last else f"[{first}..{last}]"


def _region(access: MapAccess, array: MapArray, thread: int) -> str:
    """The elements that one thread touches: "A[3][0..15]", else their number."""
    cells = set(elements_of(access, array, thread))
    if not cells:
        return ""
    if not array.extent and cells == {0}:
        return array.name
    known = [set(places) for places in zip(*(index_of(cell, array.extent) for cell in cells))]
    whole = math.prod(len(places) for places in known) == len(cells)
    even = all(max(places) - min(places) == len(places) - 1 for places in known)
    if len(cells) <= LISTED_MAX and not (whole and even) and array.extent:
        places = (index_of(cell, array.extent) for cell in sorted(cells))
        return listed(array.name + "".join(f"[{at}]" for at in place) for place in places)
    if not (whole and even and array.extent):
        return _("%(count)d elements of %(array)s", count=len(cells), array=array.name)
    return array.name + "".join(_span(min(places), max(places)) for places in known)


def _mine(data: IndexMap, boards: list[Board | None], phase: int, thread: int, name: str) -> Mine:
    did: dict[str, list[str]] = {}
    for access in data.accesses:
        region = _region(access, data.arrays[access.array], thread) if access.phase == phase else ""
        if region:
            regions = did.setdefault(access.kind, [])
            regions += [region] if region not in regions else []
    what = _done(did) or _("touches no memory")
    text = _("Thread %(thread)s %(what)s.", thread=name, what=what)
    return Mine(text, _cells(data, boards, phase, thread))


def _index_map(
    data: IndexMap, tile: tuple[int, int, int], rows: tuple[Row, ...], order: steps.Steps | None
) -> Map | None:
    if not data.accesses or data.cells() > CELLS_MAX:
        return None
    boards, height = boards_of(data, tile)
    chosen = _chosen(data)
    phases = []
    for number in range(min(data.phases, PHASES_MAX)):
        mine = tuple(_mine(data, boards, number, *thread) for thread in chosen)
        phases.append(
            Phase(number, _phase_text(data, number), _cells(data, boards, number, None), mine)
        )
    return Map(
        width=WIDTH,
        height=height,
        boards=tuple(board for board in boards if board),
        phases=tuple(phases),
        phases_left=max(data.phases - PHASES_MAX, 0),
        threads=tuple(name for _, name in chosen),
        rows=rows[:ROWS_MAX],
        rows_left=max(len(rows) - ROWS_MAX, 0),
        data=data,
        order=order,
    )


def index_maps(
    maps: IndexMaps | None,
    rows_of: Callable[[IndexMap], tuple[Row, ...]],
    findings: tuple[Finding, ...] = (),
) -> tuple[Map, ...]:
    """The drawings; none if there is no trace, or if the grader cannot have written it."""
    drawn = [
        _index_map(
            data, maps.tile, rows_of(data), steps.steps_of(data, findings, PHASES_MAX)
        )
        for data in (maps.list if maps else ())
    ]
    return tuple(one for one in drawn if one)
