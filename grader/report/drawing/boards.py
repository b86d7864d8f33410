"""The arrays of a kernel as rectangles, and the cells that a box of accesses covers."""

from __future__ import annotations

import math
from dataclasses import dataclass

from block_trace import IndexMap, MapAccess, MapArray
from language import _

WIDTH = 440
GAP = 28  # between two matrices: room for a label
LABEL = 22  # below A: room for its label, apart from C's label
HATCH = 5.0  # between two lines of a hatched part, in pixels
FIRST_Y = 18.0  # top of the first array, below its label
WRAP = 32  # columns of a shared array of one dimension: its banks
CELL_MAX = 12.0
LETTER = 7.5  # a wide guess at the width of a letter
HEIGHT_MAX = 240.0  # of an array of a kernel that is not a matmul
BESIDE_MIN = 1.5  # minimum width of cells if two arrays are next to each other
# Columns of a global array of one dimension, for up to this many elements.
WRAPS = ((512, 32), (4096, 64), (1 << 15, 128))


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
    beyond: str = ""  # path of the hatched part of the last tiles, which is outside the matrix
    all_rows: int = 0  # with that part
    all_columns: int = 0
    absent: str = ""  # path of the rest of the last row, in which the array has no elements
    label_y: float = -4.0  # the title's distance from the top


def columns_of(array: MapArray) -> int:
    """Elements of a row; an array of one dimension is wrapped."""
    if len(array.extent) >= 2 and array.extent[-1] > 0:
        return array.extent[-1]
    if array.space == "shared" or not array.extent:
        return WRAP
    count = array.extent[0]
    return min(count, next((columns for most, columns in WRAPS if count <= most), 256))


def _rows_of(array: MapArray, accesses: list[MapAccess]) -> int:
    if len(array.extent) >= 2 and array.extent[0] > 0:
        return math.prod(array.extent[:-1])
    if array.space == "global" and array.extent:
        return -(-array.extent[0] // columns_of(array))
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
    """Cells as runs in each row: first column and count."""
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


def _extents(data: IndexMap, array: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """First row and column, and the number of each, that the block accesses in an array, in the
    first phase with such accesses."""
    accesses = [access for access in data.accesses if access.array == array]
    first = min((access.phase for access in accesses), default=0)
    reached = [
        divmod(element, columns_of(data.arrays[array]))
        for access in accesses
        if access.phase == first
        for element in elements_of(access, data.arrays[array])
    ]
    if not reached:
        return (0, 0), (0, 0)
    rows, columns = [row for row, _ in reached], [column for _, column in reached]
    extents = max(rows) - min(rows) + 1, max(columns) - min(columns) + 1
    return (min(rows), min(columns)), extents


def _hatched(left: int, top: int, right: int, bottom: int, step: float) -> str:
    """The outline of a part and diagonal lines in it."""
    width, height = right - left, bottom - top
    if width <= 0 or height <= 0:
        return ""
    path = f"M{left} {top}h{width}v{height}h{-width}z"
    at = step
    while at < width + height:
        x0, y0 = left + max(at - height, 0), top + min(at, height)
        x1, y1 = left + min(at, width), top + max(at - width, 0)
        path += f"M{x0:.4g} {y0:.4g}L{x1:.4g} {y1:.4g}"
        at += step
    return path


def _up(value: int, tile: int) -> int:
    """The next multiple of the tile."""
    return -(-value // tile) * tile if tile > 0 else value


def _is_product(data: IndexMap) -> bool:
    """Whether the first arrays are A [M][K], B [K][N] and C [M][N]."""
    if len(data.size) != 3:
        return False
    m, n, k = data.size
    return [array.extent for array in data.arrays[:3]] == [(m, k), (k, n), (m, n)]


def _title(array: MapArray) -> str:
    extent = "".join(f"[{number}]" for number in array.extent if number)
    return f"{array.name} {extent}" + (_(" (shared)") if array.space == "shared" else "")


def _tile_length(first: int, count: int, end: int, block: int) -> int:
    """Of a tile of C, of which a block stores `count` rows or columns: the last one is cut off."""
    is_cut = first > 0 and first + count == end
    return first // block if is_cut and block > 0 and first % block == 0 else count


def _tile_of_c(data: IndexMap) -> tuple[int, int]:
    (row, column), (rows, columns) = _extents(data, 2)
    return (
        _tile_length(row, rows, data.size[0], data.block[1]),
        _tile_length(column, columns, data.size[1], data.block[0]),
    )


def _product(
    data: IndexMap, tile: tuple[int, int, int]
) -> tuple[list[Board | None], float]:
    """A at the bottom, B at the right, C where they meet, as a course draws them."""
    m, n, k = data.size
    tile_m, tile_n = tile[:2] if all(tile[:2]) else _tile_of_c(data)
    tile_k = tile[2] or (_extents(data, 0)[1][1] if data.phases > 1 else 0)
    all_m, all_n, all_k = _up(m, tile[0]), _up(n, tile[1]), _up(k, tile[2])
    cell = (WIDTH - GAP) / (all_n + all_k)
    left, top = all_k * cell + GAP, all_k * cell + GAP + FIRST_Y
    places = (
        (0.0, top, (m, k), (all_m, all_k), (tile_m, tile_k)),
        (left, FIRST_Y, (k, n), (all_k, all_n), (tile_k, tile_n)),
        (left, top, (m, n), (all_m, all_n), (tile_m, tile_n)),
    )
    boards: list[Board | None] = []
    for array, (x, y, (rows, columns), (all_rows, all_columns), tiles) in zip(data.arrays, places):
        label_y = all_rows * cell + 16 if array.name == "A" else -4.0
        step = HATCH / cell
        right = _hatched(columns, 0, all_columns, all_rows, step)
        beyond = right + _hatched(0, rows, columns, all_rows, step)
        grid = _grid(rows, columns, *tiles)
        beyond_it = (beyond, all_rows, all_columns)
        place = (_title(array), x, y, cell, rows, columns, grid)
        boards.append(Board(array.name, *place, *beyond_it, label_y=label_y))
    return boards, top + all_m * cell + LABEL


def _lines(data: IndexMap, number: int, rows: int, columns: int) -> str:
    """Lines between the parts of equal size that blocks access, and between layers."""
    array = data.arrays[number]
    if len(array.extent) < 2:
        return ""
    (top, left), (part_rows, part_columns) = _extents(data, number)
    even = part_rows > 0 and top % part_rows == 0 and left % part_columns == 0
    layers = _grid(rows, columns, array.extent[-2], 0) if len(array.extent) > 2 else ""
    return layers + (_grid(rows, columns, part_rows, part_columns) if even else "")


def _others(
    data: IndexMap, boards: list[Board | None], lowest: float
) -> tuple[list[Board | None], float]:
    """The arrays that have no board yet, from left to right and from top to bottom."""
    x, y = 0.0, lowest + GAP if lowest > 0 else FIRST_Y
    boards = boards + [None] * (len(data.arrays) - len(boards))
    missing = [pair for pair in enumerate(data.arrays) if not boards[pair[0]]]
    own = [pair for pair in missing if pair[1].space == "global"]
    shared = sorted((pair for pair in missing if pair not in own), key=lambda pair: pair[1].name)
    for number, array in own + shared:
        accesses = [access for access in data.accesses if access.array == number]
        is_argument = array.space == "global" and bool(array.extent)
        if not accesses and not is_argument:
            continue
        rows, columns = _rows_of(array, accesses), columns_of(array)
        if is_argument:
            beside = (WIDTH - GAP) / 2 / columns
            wide = beside if len(array.extent) > 1 and beside >= BESIDE_MIN else WIDTH / columns
            cell = min(CELL_MAX, wide, HEIGHT_MAX / rows)
        else:
            cell = min(9.0, 200 / columns, 260 / rows)
        count = array.extent[0] if is_argument and len(array.extent) == 1 else rows * columns
        rest = rows * columns - count
        absent = f"M{columns - rest} {rows - 1}h{rest}v1h{-rest}z" if rest else ""
        grid = _lines(data, number, rows, columns) if is_argument else ""
        title = _title(array)
        if is_argument and len(array.extent) == 1 and rows > 1:
            title = _("%(array)s, in rows of %(columns)d", array=title, columns=columns)
        width = max(columns * cell, LETTER * len(title))
        if x > 0 and x + width > WIDTH:
            x, y = 0.0, lowest + GAP
        boards[number] = Board(array.name, title, x, y, cell, rows, columns, grid, absent=absent)
        x += width + 20
        lowest = max(lowest, y + rows * cell)
    return boards, lowest + 4


def boards_of(
    data: IndexMap, tile: tuple[int, int, int] = (0, 0, 0)
) -> tuple[list[Board | None], float]:
    """A board for each array that is accessed, and for each argument; and their height.

    `tile` is the part that a block of a product computes, and the progress of a phase along K:
    beyond the matrices, the rest of the last tiles is hatched.
    """
    return _others(data, *(_product(data, tile) if _is_product(data) else ([], 0.0)))
