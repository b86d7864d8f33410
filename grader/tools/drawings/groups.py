"""Drawings of threads that work together: warps and lanes, buffers that change hands, a pair of
blocks, a tree, a look back, a halo.

What is shown is simulated or computed here, step by step; no result is typed.
"""

from __future__ import annotations

from dataclasses import dataclass

from drawings.svg import LETTER, Drawing

HALF = 2  # bytes
QUAD = 4  # neighbouring rows, or columns, of a lane


@dataclass(frozen=True)
class Share:
    """The elements of one thread in a block's part of C: row and column of each of its quads."""

    warp: int
    lane: int
    rows: tuple[int, int]
    columns: tuple[int, int]


def share_of(thread: int, block: int, part: tuple[int, int], lanes: tuple[int, int]) -> Share:
    """part: rows and columns of a warp; lanes: rows and columns of its lanes."""
    warp, lane = divmod(thread, 32)
    down, across = divmod(warp, block // part[1])
    row = down * part[0] + lane // lanes[1] * QUAD
    column = across * part[1] + lane % lanes[1] * QUAD
    return Share(warp, lane, (row, row + part[0] // 2), (column, column + part[1] // 2))


def warps(thread: int = 75, block: int = 128) -> Drawing:
    """Block, warp, lane, element: each a part of the one before."""
    part, lanes = (32, 64), (4, 8)
    share = share_of(thread, block, part, lanes)
    drawing = Drawing("From the block to the elements of one thread", 246)
    top, left, edge = 44, 12, 1.5
    drawing.text(left, 22, f"C of one block: {block} x {block}", "bold")
    drawing.text(left, 37, f"{block // part[0] * (block // part[1])} warps", "small")
    for warp in range(block // part[0] * (block // part[1])):
        down, across = divmod(warp, block // part[1])
        x, y = left + across * part[1] * edge, top + down * part[0] * edge
        is_mine = warp == share.warp
        drawing.box(x, y, part[1] * edge - 2, part[0] * edge - 2, "hot" if is_mine else "a", 2)
        drawing.text(x + part[1] * edge / 2, y + 28, f"warp {warp}", "small", "middle")
    left, side = 250, 16
    drawing.text(left, 22, f"warp {share.warp}: {part[0]} x {part[1]}", "bold")
    drawing.text(left, 37, f"{lanes[0]} rows of {lanes[1]} lanes, and again", "small")
    mine, others = [], []
    for place in range(part[0] // QUAD * (part[1] // QUAD)):
        row, column = divmod(place, part[1] // QUAD)
        lane = row % lanes[0] * lanes[1] + column % lanes[1]
        cells = mine if lane == share.lane else others
        cells.append((left + column * side, top + row * side, lane))
    for kind, cells in (("hot", mine), ("b", others)):
        drawing.cells([(x, y) for x, y, _lane in cells], side - 1, kind)
        for x, y, lane in cells:
            drawing.text(x + 7.5, y + 11.5, str(lane), "small", "middle")
    left, cell = 590, 12
    drawing.text(left - 40, 22, f"thread {thread}: lane {share.lane}", "bold")
    for i, row in enumerate(share.rows):
        for j, column in enumerate(share.columns):
            x, y = left + j * (QUAD * cell + 14), top + 12 + i * (QUAD * cell + 26)
            drawing.box(x, y, QUAD * cell, QUAD * cell, "c")
            drawing.grid(x, y, QUAD, QUAD, cell)
            if j == 0:
                drawing.text(x - 6, y + 27, f"{row}..{row + QUAD - 1}", "small", "end")
            if i == 0:
                words = f"{column}..{column + QUAD - 1}"
                drawing.text(x + QUAD * cell / 2, y - 4, words, "small", "middle")
    under = top + 12 + 2 * (QUAD * cell + 26) + 8
    drawing.text(left - 40, under, f"{2 * QUAD} x {2 * QUAD} elements", "small")
    for place, words in enumerate(("for one k the warp reads", f"{part[0]} + {part[1]} values")):
        drawing.text(250, top + 146 + place * 16, words, "small")
    return drawing


@dataclass(frozen=True)
class Turn:
    """One slice in its buffer, in units of time, and the parity of both waits."""

    buffer: int
    copy: tuple[float, float]
    multiply: tuple[float, float]
    full: int
    empty: int


def turns(stages: int, slices: int, copy: float, multiply: float) -> list[Turn]:
    """A slice is copied when its buffer is empty, and multiplied when it is full."""
    found: list[Turn] = []
    for number in range(slices):
        begin = found[-1].copy[1] if found else 0.0
        if number >= stages:
            begin = max(begin, found[number - stages].multiply[1])
        arrived = begin + copy
        start = max(arrived, found[-1].multiply[1] if found else 0.0)
        phase = number // stages
        found.append(
            Turn(
                number % stages,
                (begin, arrived),
                (start, start + multiply),
                phase % 2,
                (phase + 1) % 2,
            )
        )
    return found


def full_empty(stages: int = 3, slices: int = 7) -> Drawing:
    """Who works when, and what each buffer is in the meantime."""
    found = turns(stages, slices, 1.0, 1.6)
    unit, left, top, row = 64, 110, 40, 30
    until = found[-1].copy[1] + 0.8
    drawing = Drawing("Full and empty: three buffers on a time axis", top + (stages + 2) * row + 66)
    drawing.text(12, 22, "who works, and what is in each buffer; time goes to the right", "bold")

    def bar(y: float, span: tuple[float, float], kind: str, words: str) -> None:
        begin, end = left + span[0] * unit, left + min(span[1], until) * unit
        if begin < end:
            drawing.box(begin + 1, y + 4, end - begin - 2, row - 9, kind, 3)
            if end - begin > LETTER * len(words):
                drawing.text(begin + 5, y + 19, words, "small")

    for line, words in enumerate(("warp 4", "warps 0 to 3")):
        drawing.text(12, top + line * row + 19, words)
    for number, turn in enumerate(found):
        bar(top, turn.copy, "a", f"copy {number}")
        bar(top + row, turn.multiply, "c", f"multiply {number}")
    under = top + 2 * row + 14
    for buffer in range(stages):
        y = under + buffer * row
        drawing.text(12, y + 19, f"buffer {buffer}")
        empty_from = 0.0
        for turn in found:
            if turn.buffer == buffer:
                bar(y, (empty_from, turn.copy[0]), "faint", "")
                bar(y, turn.copy, "a", "")
                bar(y, (turn.copy[1], turn.multiply[1]), "c", f"full, parity {turn.full}")
                empty_from = turn.multiply[1]
        bar(y, (empty_from, until), "faint", "")
    for turn in found:
        if turn.multiply[1] < until:
            x, y = left + turn.multiply[1] * unit, under + turn.buffer * row
            drawing.line([(x, top + 2 * row - 5), (x, y + 4)], "line", arrow=True)
    bottom = under + stages * row + 16
    words = "grey: empty; blue: bytes arrive; green: full, until the warps have arrived at empty"
    drawing.text(12, bottom, words, "small")
    drawing.text(12, bottom + 17, "an arrow: a buffer is handed back, and can be filled", "small")
    return drawing


def pair(rows: int = 128, columns: int = 256, depth: int = 64, warps_each: int = 8) -> Drawing:
    """What two blocks of a cluster copy for each other, and who arrives where."""
    own, half = rows * depth * HALF, depth * columns // 2 * HALF
    drawing = Drawing("A pair of blocks: each copies half of B for both", 344)
    drawing.box(220, 30, 280, 46, "box", 4)
    drawing.text(360, 22, "L2 cache: a slice of B", "bold", "middle")
    for number in range(2):
        drawing.box(228 + number * 134, 40, 128, 26, "b", 3)
        drawing.text(292 + number * 134, 57, f"half {number}", "", "middle")
    for block in range(2):
        x = 20 + block * 370
        drawing.box(x, 144, 310, 100, "box", 4)
        drawing.text(x + 8, 219, f"block {block}: shared memory", "bold")
        for place in range(3):
            kind, words = ("b", f"half {place - 1}") if place else ("a", "A")
            drawing.box(x + 8 + place * 99, 158, 94, 30, kind, 3)
            drawing.text(x + 55 + place * 99, 177, words, "", "middle")
            size = half if place else own
            drawing.text(x + 55 + place * 99, 202, f"{size:,}", "small", "middle")
        total = f"full expects {own + 2 * half:,} bytes"
        drawing.text(x + 302, 236, total, "small", "end")
        for number in range(2):
            start = 292 + number * 134
            kind = "strong" if number == block else "line"
            drawing.line([(start, 68), (x + 154 + number * 99, 156)], kind, arrow=True)
    drawing.text(12, 96, "thick: started by the block itself", "small")
    drawing.text(12, 111, "thin: the same copy, to the other block", "small")
    for block in range(2):
        x = 20 + block * 370
        drawing.box(x, 276, 130, 34, "c", 3)
        drawing.text(x + 65, 297, f"{warps_each} warps multiply", "small", "middle")
        drawing.box(x + 200, 276, 110, 34, "s", 3)
        drawing.text(x + 255, 297, f"empty: {2 * warps_each} arrivals", "small", "middle")
        drawing.line([(x + 132, 293), (x + 197, 293)], arrow=True)
    drawing.line([(150, 276), (270, 260), (560, 260), (640, 274)], arrow=True)
    drawing.line([(455, 311), (390, 326), (300, 326), (276, 312)], arrow=True)
    return drawing


def tree_steps(lanes: int) -> list[list[str]]:
    """What the lanes that matter hold: at first, and after each step."""
    values = ["abcdefghijklmnopqrstuvwxyz"[lane] for lane in range(lanes)]
    found = [values]
    step = lanes // 2
    while step:
        values = ["".join(sorted(values[i] + values[i + step])) for i in range(step)]
        found.append(values)
        step //= 2
    return found


def tree(lanes: int = 8) -> Drawing:
    """Halves are added to halves: log2 of the lanes in steps."""
    found = tree_steps(lanes)
    left, top, wide, high = 96, 44, 74, 56
    drawing = Drawing("A tree: half of the values are added to the other half", 290)
    drawing.text(12, 20, f"{lanes} lanes, {lanes - 1} additions, {len(found) - 1} steps", "bold")
    for lane in range(lanes):
        drawing.text(left + lane * wide + 30, 38, f"lane {lane}", "small", "middle")
    for level, values in enumerate(found):
        y = top + level * high
        step = lanes >> level
        if level:
            drawing.text(12, y + 18, f"step {step}")
            for lane in range(len(values)):
                x = left + lane * wide + 30
                drawing.line([(x, y - high + 28), (x, y - 2)], "strong", arrow=True)
                other = x + step * wide
                drawing.line([(other, y - high + 28), (x + 14, y - 2)], "line", arrow=True)
        for lane, value in enumerate(values):
            x = left + lane * wide
            kind = "c" if level == len(found) - 1 else "a" if lane < len(values) // 2 else "b"
            drawing.box(x, y, 60, 26, kind, 3)
            words = "+".join(value if len(value) < 5 else (value[0], "...", value[-1]))
            drawing.text(x + 30, y + 17, words, "", "middle")
    y = top + len(found) * high - 4
    drawing.text(12, y, "blue: the lanes of the next step; orange: what they add", "small")
    return drawing


def look_back(states: tuple[str, ...], me: int) -> tuple[list[int], int | None]:
    """The parts whose own sums are added, and the one with the sum of all before it."""
    own = []
    for number in range(me - 1, -1, -1):
        if states[number] == "ALL":
            return own, number
        own.append(number)
    return own, None


def looking_back(states: tuple[str, ...] = ("ALL", "ALL", "ALL", "OWN", "OWN")) -> Drawing:
    """The words of the parts before mine, and which of them are read."""
    me = len(states)
    own, last = look_back(states, me)
    left, wide = 60, 104
    drawing = Drawing("Looking back: own sums, until a sum of everything", 230)
    drawing.text(12, 20, f"part {me} looks back over the words of the parts before it", "bold")
    read = [*own, *([last] if last is not None else [])]
    for number in range(me + 1):
        x = left + number * wide
        kind = "a" if number in own else "faint"
        kind = "hot" if number == me else "c" if number == last else kind
        drawing.box(x, 120, 88, 52, kind, 4)
        drawing.text(x + 44, 140, f"part {number}", "bold", "middle")
        words = states[number] if number < me else "me"
        drawing.text(x + 44, 159, words, "small", "middle")
        if number in own:
            drawing.text(x + 44, 188, f"sum of {number}", "small", "middle")
        if number == last:
            drawing.text(x + 44, 188, f"sum of 0 to {number}", "small", "middle")
    for order, number in enumerate(read):
        begin, end = left + me * wide + 40 - order * 10, left + number * wide + 44
        height = 100 - order * 24
        drawing.line([(begin, 118), (begin, height), (end, height), (end, 117)], arrow=True)
        drawing.text(end + 6, height - 5, f"{order + 1}.", "small")
    terms = " + ".join([*(f"own {number}" for number in own), f"all {last}"])
    drawing.text(12, 216, f"before = {terms}", "bold")
    return drawing


def halo_cells(rows: int, columns: int, radius: int) -> int:
    return (rows + 2 * radius) * (columns + 2 * radius)


def halo(tile: int = 4, radius: int = 2, rows: int = 64, columns: int = 32) -> Drawing:
    """A tile among its neighbours, its halo, and the window of its first pixel."""
    edge, blocks, left, top = 20, 3, 30, 40
    side = 2 * radius + 1
    drawing = Drawing("A tile and its halo", top + tile * blocks * edge + 24)
    drawing.text(left, 22, f"{blocks} x {blocks} blocks of {tile} x {tile} pixels", "bold")
    drawing.box(left, top, tile * blocks * edge, tile * blocks * edge, "box")
    x, y = left + tile * edge, top + tile * edge
    wide = (tile + 2 * radius) * edge
    drawing.box(x - radius * edge, y - radius * edge, wide, wide, "b")
    drawing.box(x, y, tile * edge, tile * edge, "c")
    drawing.grid(left, top, tile * blocks, tile * blocks, edge)
    for line in range(1, blocks):
        at = line * tile * edge
        drawing.line([(left + at, top), (left + at, top + blocks * tile * edge)])
        drawing.line([(left, top + at), (left + blocks * tile * edge, top + at)])
    drawing.box(x + 4, y + 4, edge - 8, edge - 8, "hot")
    far = side * edge
    corner = (x - radius * edge, y - radius * edge)
    drawing.line(
        [
            corner,
            (corner[0] + far, corner[1]),
            (corner[0] + far, corner[1] + far),
            (corner[0], corner[1] + far),
            corner,
        ],
        "strong",
    )
    cells, pixels = halo_cells(tile, tile, radius), tile * tile
    large, many = halo_cells(rows, columns, radius), rows * columns
    lines = (
        f"green: the {tile} x {tile} pixels of the block",
        f"orange: its halo, pixels of {blocks * blocks - 1} neighbours",
        f"frame: the {side} x {side} pixels that the red one needs",
        "",
        f"{cells} cells for {pixels} pixels: {cells / pixels:g} each",
        f"tile of {rows} x {columns}: {large:,} for {many:,}, {large / many:.2f} each",
        f"without a tile: {side * side} each",
    )
    for number, words in enumerate(lines):
        drawing.text(left + tile * blocks * edge + 30, top + 20 + number * 20, words)
    return drawing
