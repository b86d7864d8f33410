"""Drawings of the machine: the chip, a load in sectors, words in banks, the roofline.

The numbers of a drawing are computed here from the GPU's figures or from addresses; none are typed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from drawings.svg import LETTER, Drawing

LANES = 32
SECTOR = 32  # bytes
BANKS = 32
WORD = 4


@dataclass(frozen=True)
class Card:
    """A card as grader/measure/devices.c has it."""

    name: str
    sms: int
    clock_mhz: int
    fma_per_clock: int
    shared_kib: int
    l2_mib: int
    memory_gb_s: float
    registers: int
    clocks: tuple[int, int, int]  # until a value arrives from shared memory, L2, global memory


def sectors(addresses: list[int]) -> int:
    """Sectors of 32 bytes that hold the words at these addresses."""
    return len({address // SECTOR for address in addresses})


def wavefronts(words: list[int]) -> int:
    """The most different words that one bank has to deliver."""
    banks: dict[int, set[int]] = {}
    for word in words:
        banks.setdefault(word % BANKS, set()).add(word)
    return max(len(found) for found in banks.values())


def machine(card: Card) -> Drawing:
    drawing = Drawing(f"{card.name}: {card.sms} SMs, the L2 cache, and the memory", 330)
    drawing.text(12, 22, f"{card.name}: the chip", "bold")
    columns = 22
    edge = 12
    places = [(12 + i % columns * 15, 34 + i // columns * 15) for i in range(card.sms)]
    drawing.cells(places[1:], edge, "a")
    drawing.cells(places[:1], edge, "hot")
    bottom = 34 + math.ceil(card.sms / columns) * 15
    drawing.text(12, bottom + 16, f"{card.sms} SMs at {card.clock_mhz / 1000:.2f} GHz", "small")
    drawing.box(12, bottom + 28, columns * 15 - 3, 34, "s", 3)
    drawing.text(22, bottom + 50, f"L2 cache, {card.l2_mib} MB, for all SMs")
    drawing.text(332, bottom + 50, f"{card.clocks[1]} clocks", "small dim", "end")
    drawing.box(12, bottom + 78, columns * 15 - 3, 52, "b", 3)
    drawing.text(22, bottom + 101, "global memory: A, B and C")
    drawing.text(22, bottom + 118, f"{card.memory_gb_s / 1000:.1f} TB/s", "small dim")
    drawing.text(332, bottom + 118, f"{card.clocks[2]} clocks", "small dim", "end")
    drawing.line([(170, bottom + 77), (170, bottom + 63)], arrow=True)
    words = "clocks: until a value arrives that an SM has asked for"
    drawing.text(12, bottom + 148, words, "small")
    left, top = 380, 34
    drawing.line([(26, 36), (left - 8, top - 8)], "thin")
    drawing.text(left, 22, "one SM", "bold")
    drawing.box(left, top, 328, 284, "box", 4)
    for part in range(4):
        x, y = left + 12 + part % 2 * 156, top + 12 + part // 2 * 92
        drawing.box(x, y, 148, 84, "faint", 3)
        drawing.text(x + 8, y + 18, "warp scheduler", "small bold")
        drawing.text(x + 8, y + 34, "1 instruction / clock", "small")
        drawing.cells(
            [(x + 8 + i % 16 * 8, y + 42 + i // 16 * 8) for i in range(card.fma_per_clock // 4)],
            6,
            "c",
        )
        drawing.text(x + 8, y + 74, f"{card.registers // 4:,} registers", "small")
    y = top + 200
    drawing.box(left + 12, y, 304, 40, "s", 3)
    drawing.text(left + 20, y + 17, f"shared memory (up to {card.shared_kib} KB) and L1 cache")
    drawing.text(left + 20, y + 33, "32 banks: a wavefront (128 bytes) / clock", "small")
    drawing.text(left + 308, y + 33, f"{card.clocks[0]} clocks", "small dim", "end")
    drawing.line([(341, bottom + 45), (362, bottom + 45), (362, 254), (391, 254)], arrow=True)
    per_clock = card.fma_per_clock
    drawing.text(left + 12, y + 60, f"{per_clock} multiply-adds a clock;", "small")
    peak = card.sms * per_clock * card.clock_mhz * 2 / 1e6
    drawing.text(left + 12, y + 75, f"all SMs together: {peak:.1f} TFLOPS", "small")
    return drawing


def coalesced() -> Drawing:
    drawing = Drawing("A coalesced and a strided load of one warp", 270)
    row = 512 * WORD
    cases = (
        (
            "neighbours in x read neighbours in memory: B[k][col + lane]",
            [WORD * i for i in range(LANES)],
        ),
        (
            "neighbours in x read different rows of 512: A[row + lane][k]",
            [row * i for i in range(LANES)],
        ),
    )
    for case, (words, addresses) in enumerate(cases):
        top = 14 + case * 130
        count = sectors(addresses)
        drawing.text(12, top + 12, words, "bold")
        for lane in range(LANES):
            drawing.box(12 + lane * 21.5, top + 22, 18, 16, "a", 2)
            drawing.text(21 + lane * 21.5, top + 34, str(lane), "small", "middle")
        shown = sorted({address // SECTOR for address in addresses})
        width = 696 / len(shown)
        for at, sector in enumerate(shown):
            x = 12 + at * width
            drawing.box(x, top + 66, width - 3, 18, "faint", 2)
            for address in sorted(set(addresses)):
                if address // SECTOR == sector:
                    part = (width - 3) / (SECTOR / WORD)
                    place = x + address % SECTOR / WORD * part
                    drawing.box(place, top + 66, part, 18, "b")
                    lane = addresses.index(address)
                    drawing.line(
                        [(21 + lane * 21.5, top + 39), (place + part / 2, top + 65)], "thin"
                    )
        used = 100 * len(set(addresses)) * WORD / (count * SECTOR)
        moved = f"{count} sectors of {SECTOR} bytes; {used:.4g} % of what is moved is used"
        drawing.text(12, top + 102, moved, "small")
    return drawing


STRIDES = (1, 2, 4, 32, 33)


def banks() -> Drawing:
    drawing = Drawing("Words of a warp in the banks, by the distance between neighbours", 260)
    drawing.text(
        12, 22, "a row: thread t reads word t * distance; a column: one of the 32 banks", "bold"
    )
    drawing.text(12, 46, "distance", "small dim")
    drawing.text(660, 46, "wavefronts", "small dim", "middle")
    edge = 16
    y = 56.0
    for stride in STRIDES:
        words = [lane * stride for lane in range(LANES)]
        count = wavefronts(words)
        drawing.text(48, y + 14, str(stride), "", "middle")
        for bank in range(BANKS):
            wanted = len({word for word in words if word % BANKS == bank})
            kind = "faint" if wanted == 0 else "c" if wanted == 1 else "hot"
            drawing.box(84 + bank * edge, y, edge - 2, 22, kind, 2)
            if wanted:
                drawing.text(
                    84 + bank * edge + (edge - 2) / 2, y + 15, str(wanted), "small", "middle"
                )
        drawing.text(660, y + 15, str(count), "bold", "middle")
        y += 34
    drawing.text(84, y + 14, "0", "small dim")
    drawing.text(84 + 31 * edge, y + 14, "31", "small dim")
    drawing.text(330, y + 14, "the bank, and the words that it delivers", "small dim", "middle")
    return drawing


@dataclass(frozen=True)
class Axis:
    """A logarithmic axis."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + (self.end - self.start) * share


@dataclass(frozen=True)
class Roof:
    """Of a roofline: its slope meets its peak, in TFLOPS."""

    title: str
    peak: float
    slope: float  # TFLOPS for each unit of x
    slope_words: str
    x_words: str
    x_ticks: tuple[float, ...]
    y_ticks: tuple[float, ...]


def roofline(roof: Roof, points: list[tuple[str, float, float]]) -> Drawing:
    """A point is a name, its place on the x axis, and TFLOPS."""
    drawing = Drawing(roof.title, 330)
    x = Axis(roof.x_ticks[0], roof.x_ticks[-1], 60, 690)
    y = Axis(roof.y_ticks[0], roof.y_ticks[-1], 280, 28)
    for value in roof.x_ticks:
        drawing.line([(x.at(value), y.start), (x.at(value), y.start + 4)])
        label = f"1/{1 / value:.0f}" if value < 1 else f"{value:g}"
        drawing.text(x.at(value), y.start + 18, label, "small", "middle")
    for value in roof.y_ticks:
        drawing.line([(x.start - 4, y.at(value)), (x.end, y.at(value))], "thin")
        drawing.text(x.start - 8, y.at(value) + 4, f"{value:g}", "small", "end")
    drawing.line([(x.start, y.end), (x.start, y.start), (x.end, y.start)])
    drawing.text(x.end, y.start + 36, roof.x_words, "small", "end")
    drawing.text(x.start - 36, y.end - 12, "TFLOPS", "small")
    ridge = roof.peak / roof.slope
    low = max(roof.y_ticks[0] / roof.slope, roof.x_ticks[0])
    drawing.line(
        [
            (x.at(low), y.at(low * roof.slope)),
            (x.at(ridge), y.at(roof.peak)),
            (x.end, y.at(roof.peak)),
        ],
        "strong",
    )
    drawing.text(
        x.start + 8, y.at(roof.peak) - 7, f"the multiply-add units: {roof.peak:g}", "small"
    )
    middle = math.sqrt(low * ridge)
    drawing.text(x.at(middle) - 10, y.at(middle * roof.slope) - 6, roof.slope_words, "small", "end")
    for number, (name, place, tflops) in enumerate(points):
        drawing.dot(x.at(place), y.at(tflops))
        words = f"{name}: {tflops:.3g}"
        left = min(x.at(place) + 8, drawing.size[0] - 8 - LETTER * len(words))
        drawing.text(left, y.at(tflops) + 16 + number % 2 * 14, words, "small")
    return drawing
