"""Drawings of products in tiles: the grid of tiles, an edge, reuse, 4 x 4 results, a pipeline."""

from __future__ import annotations

from dataclasses import dataclass

from drawings.svg import Drawing


@dataclass(frozen=True)
class Matrix:
    """A matrix on the paper; edge is that of an element."""

    name: str
    x: float
    y: float
    rows: int
    columns: int
    edge: float

    def place(self, row: float, column: float) -> tuple[float, float]:
        return self.x + column * self.edge, self.y + row * self.edge


def matrix_draw(drawing: Drawing, matrix: Matrix, tile: int, words: str = "") -> None:
    drawing.box(matrix.x, matrix.y, matrix.columns * matrix.edge, matrix.rows * matrix.edge, "box")
    rows, columns = -(-matrix.rows // tile), -(-matrix.columns // tile)
    for row in range(1, rows):
        y = matrix.place(row * tile, 0)[1]
        drawing.line([(matrix.x, y), (matrix.place(0, matrix.columns)[0], y)])
    for column in range(1, columns):
        x = matrix.place(0, column * tile)[0]
        drawing.line([(x, matrix.y), (x, matrix.place(matrix.rows, 0)[1])])
    drawing.text(matrix.x, matrix.y - 6, f"{matrix.name} {words}".strip(), "bold")


def part(
    drawing: Drawing, matrix: Matrix, at: tuple[int, int], size: tuple[int, int], kind: str
) -> None:
    x, y = matrix.place(*at)
    drawing.box(x, y, size[1] * matrix.edge, size[0] * matrix.edge, kind)


def product(
    sizes: tuple[int, int, int], edge: float, left: float, top: float
) -> tuple[Matrix, Matrix, Matrix]:
    """A, B and C as a course draws them: B above C, A left of C."""
    m, n, k = sizes
    right, below = left + k * edge + 40, top + k * edge + 40
    return (
        Matrix("A", left, below, m, k, edge),
        Matrix("B", right, top, k, n, edge),
        Matrix("C", right, below, m, n, edge),
    )


def span(number: int, tile: int) -> str:
    """The rows or columns of a tile."""
    return f"[{number * tile}..{number * tile + tile - 1}]"


def phases(
    size: int = 16, tile: int = 4, block: tuple[int, int] = (2, 1), phase: int = 2
) -> Drawing:
    """The whole grid of tiles; one block of C, its row and column of tiles, one phase in colour."""
    edge = 12
    drawing = Drawing(
        "All tiles of a product; the tiles of one block in one step", 2 * size * edge + 100
    )
    a, b, c = product((size, size, size), edge, 30, 34)
    row, column = block
    for matrix in (a, b, c):
        matrix_draw(drawing, matrix, tile)
    part(drawing, a, (row * tile, 0), (tile, size), "faint")
    part(drawing, b, (0, column * tile), (size, tile), "faint")
    part(drawing, a, (row * tile, phase * tile), (tile, tile), "a")
    part(drawing, b, (phase * tile, column * tile), (tile, tile), "b")
    part(drawing, c, (row * tile, column * tile), (tile, tile), "c")
    for matrix in (a, b, c):
        drawing.grid(matrix.x, matrix.y, size, size, edge)
    steps = size // tile
    x = c.x + size * edge + 30
    lines = (
        f"{size} x {size} elements, TILE {tile}:",
        f"{steps} x {steps} blocks, {steps} steps each",
        "",
        f"block ({column},{row}), step t = {phase}:",
        f"A{span(row, tile)}{span(phase, tile)}",
        f"B{span(phase, tile)}{span(column, tile)}",
        "",
        "grey: the other steps",
    )
    for number, words in enumerate(lines):
        drawing.text(x, c.y + 20 + number * 18, words)
    return drawing


def edge_tiles(size: int = 6, tile: int = 4) -> Drawing:
    """The last step of the last block, where tiles stick out: zeros."""
    edge = 22
    whole = -(-size // tile) * tile
    drawing = Drawing(
        "The tiles of the last block in the last step: zeros beyond the edge", 2 * whole * edge + 96
    )
    a, b, c = product((whole, whole, whole), edge, 30, 34)
    first = whole - tile
    for matrix in (a, b, c):
        inner = Matrix(matrix.name, matrix.x, matrix.y, size, size, edge)
        drawing.box(inner.x, inner.y, size * edge, size * edge, "box")
        drawing.text(inner.x, inner.y - 6, f"{inner.name} [{size}][{size}]", "bold")
        drawing.grid(matrix.x, matrix.y, size, size, edge)
        for row in range(first, whole):
            for column in range(first, whole):
                x, y = matrix.place(row, column)
                inside = row < size and column < size
                kind = {"A": "a", "B": "b", "C": "c"}[matrix.name] if inside else "zero"
                drawing.box(x + 1, y + 1, edge - 2, edge - 2, kind)
                if not inside and matrix.name != "C":
                    drawing.text(x + edge / 2, y + edge / 2 + 4, "0", "small", "middle")
    inside = (size - first) ** 2
    x = c.x + whole * edge + 24
    lines = (
        f"TILE {tile}: a tile has {tile * tile} cells.",
        f"{inside} of them are in the matrix,",
        f"{tile * tile - inside} get a 0.",
        "",
        f"{inside} of {tile * tile} threads store",
        "an element of C; all of them",
        "copy, wait and multiply.",
    )
    for number, words in enumerate(lines):
        drawing.text(x, c.y + 20 + number * 18, words)
    return drawing


def reuse(tile: int = 16) -> Drawing:
    """One element on its way: loaded once, used by a whole row of threads."""
    drawing = Drawing(f"One element of A: 1 load from global memory, {tile} uses", 190)
    drawing.box(12, 40, 120, 100, "b", 4)
    drawing.text(72, 30, "global memory", "bold", "middle")
    drawing.cells([(64, 84)], 14, "hot")
    drawing.text(72, 120, "A[row][k]", "small", "middle")
    drawing.line([(134, 91), (232, 91)], arrow=True)
    drawing.text(183, 82, "1 load,", "small", "middle")
    drawing.text(183, 106, "by 1 thread", "small", "middle")
    drawing.box(236, 40, 120, 100, "s", 4)
    drawing.text(296, 30, "shared memory", "bold", "middle")
    drawing.cells([(288, 84)], 14, "hot")
    drawing.text(296, 120, "As[ty][k]", "small", "middle")
    drawing.text(540, 30, f"{tile} threads of one row of the block", "bold", "middle")
    for thread in range(tile):
        y = 40 + thread * 100 / tile
        drawing.line([(358, 91), (448, y + 3)], "thin")
        drawing.box(450, y, 180, 100 / tile - 1.5, "c")
    drawing.text(400, 164, f"{tile} uses, after the barrier", "small", "middle")
    drawing.text(12, 164, f"without sharing: {tile} loads", "small dim")
    return drawing


def coarsening(tile: int = 64, results: int = 4, thread: tuple[int, int] = (5, 2)) -> Drawing:
    """The block's tile of C, its threads, and the results of one thread."""
    threads = tile // results
    drawing = Drawing(
        f"{tile} x {tile} elements, {threads} x {threads} threads, {results} x {results} each", 320
    )
    edge = 260 / tile
    left, top = 30, 36
    drawing.text(left, 24, f"C of one block: {tile} x {tile}", "bold")
    drawing.box(left, top, 260, 260, "box")
    drawing.grid(left, top, threads, threads, results * edge)
    x, y = left + thread[0] * results * edge, top + thread[1] * results * edge
    drawing.box(x, y, results * edge, results * edge, "hot")
    drawing.text(
        left,
        312,
        f"{threads} x {threads} threads; thread ({thread[0]},{thread[1]}) in red",
        "small",
    )
    right, cell = 420, 42
    drawing.line([(x + results * edge, y), (right - 6, 96)], "thin")
    row, column = thread[1] * results, thread[0] * results
    drawing.text(right + 2 * cell, 24, f"its {results} x {results} elements", "bold", "middle")
    for i in range(results):
        drawing.box(right - 44, 98 + i * cell, 36, cell - 4, "a", 3)
        drawing.text(right - 26, 98 + i * cell + 24, f"a{i}", "small", "middle")
        drawing.box(right + i * cell, 54, cell - 4, 36, "b", 3)
        drawing.text(right + i * cell + 19, 76, f"b{i}", "small", "middle")
        for j in range(results):
            drawing.box(right + j * cell, 98 + i * cell, cell - 4, cell - 4, "c", 3)
            drawing.text(right + j * cell + 19, 98 + i * cell + 24, f"a{i}*b{j}", "small", "middle")
    under = 98 + results * cell + 20
    drawing.text(
        right - 44,
        under,
        f"rows {row} to {row + results - 1}, columns {column} to {column + results - 1}",
    )
    loads, products = 2 * results, results * results
    drawing.text(
        right - 44,
        under + 20,
        f"{loads} loads for {products} multiply-adds: {loads / products:g} each",
    )
    return drawing


def pipeline(stages: int = 4, slices: int = 5) -> Drawing:
    """The loads in flight while a slice is multiplied; the axis is order, not time in clocks."""
    top, row, step = 46, 30, 96
    drawing = Drawing(
        f"{stages} buffers: copies on their way while slices are multiplied",
        top + stages * row + 64,
    )
    drawing.text(
        12, 22, "copies (blue) begin after a barrier, and arrive before their slice (green)", "bold"
    )
    left = 150
    for buffer in range(stages):
        y = top + buffer * row
        drawing.text(12, y + 19, f"buffer {buffer}")
        for number in range(slices + stages - 1):
            if number % stages != buffer:
                continue
            begin = max(number - (stages - 1), -1)
            start = left + begin * step if begin >= 0 else left - 60
            end = left + number * step
            if start < left + slices * step:
                stop = min(end, left + slices * step)
                drawing.box(start + 2, y + 4, stop - start - 4, row - 10, "a", 3)
                drawing.text(start + 8, y + 19, f"copy {number}", "small")
            if number < slices:
                drawing.box(end + 2, y + 4, step - 4, row - 10, "c", 3)
                drawing.text(end + 8, y + 19, f"multiply {number}", "small")
    bottom = top + stages * row
    for number in range(slices):
        x = left + number * step
        drawing.line([(x, top - 4), (x, bottom + 4)], "strong")
    drawing.text(
        left, bottom + 22, "each line: wait for this slice's copies, then a barrier", "small"
    )
    words = f"a copy has the time of {stages - 1} slices; {stages - 2} may still be on their way"
    drawing.text(left, bottom + 40, words, "small")
    return drawing
