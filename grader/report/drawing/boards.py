"""The arrays of a kernel as rectangles, and which of their cells a box of accesses covers."""

from __future__ import annotations

from dataclasses import dataclass

from block_trace import IndexMap, MapAccess, MapArray
from language import _

WIDTH = 440
GAP = 26  # between two matrices: room for a label
FIRST_Y = 14.0  # top of B, below its label
WRAP = 32  # columns of an array of one dimension


@dataclass(frozen=True)
class Board:
    """One array as a rectangle."""

    name: str
    title: str
    x: float
    y: float
    cell: float
    rows: int
    columns: int
    grid: str  # path of the lines between tiles


def columns_of(array: MapArray) -> int:
    """Elements of a row; an array of one dimension is wrapped."""
    if len(array.extent) >= 2 and array.extent[-1] > 0:
        return array.extent[-1]
    return WRAP


def _rows_of(array: MapArray, accesses: list[MapAccess]) -> int:
    if len(array.extent) >= 2 and array.extent[0] > 0:
        rows = 1
        for extent in array.extent[:-1]:
            rows *= extent
        return rows
    last = max((max(elements_of(access, array), default=0) for access in accesses), default=0)
    return last // columns_of(array) + 1


def _walk(first: int, steps: list[tuple[int, int]]) -> list[int]:
    """The places that nested loops visit: each (count, step) repeats them `count` times."""
    places = [first]
    for count, step in steps:
        if step or count == 1:
            places = [place + number * step for number in range(count) for place in places]
    return places


def elements_of(access: MapAccess, array: MapArray, thread: int | None = None) -> list[int]:
    """The elements that the block, or one thread of it, touches by these accesses."""
    size = array.element_bytes or 4
    loops = [(count, offset) for count, threads, offset in access.steps if threads == 0]
    spread = [step for step in access.steps if step[1] != 0]
    firsts = [(access.thread, access.offset)]
    for count, threads, offset in spread:
        firsts = [
            (who + number * threads, at + number * offset)
            for number in range(count)
            for who, at in firsts
        ]
    starts = sorted({at for who, at in firsts if thread is None or who == thread})
    width = max(access.bytes // size, 1)
    return [
        place // size + word
        for start in starts
        for place in _walk(start, loops)
        for word in range(width)
    ]


def _runs(cells: list[int], board: Board) -> dict[int, list[tuple[int, int]]]:
    """Cells as runs in each row: first column and how many."""
    runs: dict[int, list[tuple[int, int]]] = {}
    for cell in cells:
        row, column = divmod(cell, board.columns)
        here = runs.setdefault(row, [])
        if here and sum(here[-1]) == column:
            here[-1] = (here[-1][0], here[-1][1] + 1)
        else:
            here.append((column, 1))
    return runs


def path_of(elements: list[int], board: Board) -> str:
    """Cells as rectangles; equal rows below each other become one rectangle."""
    cells = sorted(cell for cell in set(elements) if 0 <= cell < board.rows * board.columns)
    runs = _runs(cells, board)
    parts = []
    row = 0
    while row < board.rows:
        height = 1
        while row in runs and runs.get(row + height) == runs[row]:
            height += 1
        for column, width in runs.get(row, []):
            parts.append(f"M{column} {row}h{width}v{height}h{-width}z")
        row += height
    return "".join(parts)


def _grid(rows: int, columns: int, tile_rows: int, tile_columns: int) -> str:
    down = range(tile_columns, columns, tile_columns) if tile_columns > 1 else ()
    right = range(tile_rows, rows, tile_rows) if tile_rows > 1 else ()
    return "".join([f"M{c} 0v{rows}" for c in down] + [f"M0 {r}h{columns}" for r in right])


def _extents(data: IndexMap, array: int) -> tuple[int, int]:
    """Rows and columns that the block touches in the first phase in which it touches the array."""
    accesses = [access for access in data.accesses if access.array == array]
    first = min((access.phase for access in accesses), default=0)
    reached = [
        divmod(element, columns_of(data.arrays[array]))
        for access in accesses
        if access.phase == first
        for element in elements_of(access, data.arrays[array])
    ]
    if not reached:
        return 0, 0
    rows, columns = [row for row, _ in reached], [column for _, column in reached]
    return max(rows) - min(rows) + 1, max(columns) - min(columns) + 1


def boards_of(data: IndexMap) -> tuple[list[Board | None], float]:
    """A below, B to the right, C where they meet, as a course draws them; shared arrays below."""
    m, n, k = data.size
    cell = (WIDTH - GAP) / (n + k)
    tile_m, tile_n = _extents(data, 2)
    tile_k = _extents(data, 0)[1] if data.phases > 1 else 0
    left, top = k * cell + GAP, k * cell + GAP + FIRST_Y
    places = (
        (0.0, top, m, k, tile_m, tile_k),
        (left, FIRST_Y, k, n, tile_k, tile_n),
        (left, top, m, n, tile_m, tile_n),
    )
    boards: list[Board | None] = [
        Board(
            array.name,
            f"{array.name} [{rows}][{columns}]",
            x,
            y,
            cell,
            rows,
            columns,
            _grid(rows, columns, down, right),
        )
        for array, (x, y, rows, columns, down, right) in zip(data.arrays, places)
    ]
    x, y, lowest = 0.0, top + m * cell + GAP, top + m * cell
    boards += [None] * (len(data.arrays) - len(boards))
    shared = list(enumerate(data.arrays))[3:]
    for number, array in sorted(shared, key=lambda pair: pair[1].name):
        accesses = [access for access in data.accesses if access.array == number]
        if not accesses:
            continue
        rows, columns = _rows_of(array, accesses), columns_of(array)
        small = min(9.0, 200 / max(columns, 1), 260 / max(rows, 1))
        if x > 0 and x + columns * small > WIDTH:
            x, y = 0.0, lowest + GAP
        extent = "".join(f"[{number}]" for number in array.extent if number)
        title = f"{array.name} {extent}" + (_(" (shared)") if array.space == "shared" else "")
        boards[number] = Board(array.name, title, x, y, small, rows, columns, "")
        x += max(columns * small, 8.0 * len(array.name) + 90) + 20
        lowest = max(lowest, y + rows * small)
    return boards, lowest + 4
