"""Bars as coordinates: the templates draw them, and a table has everything in them too."""

from __future__ import annotations

import math
from dataclasses import dataclass

from language import _
from model import Exercise
from speed import Speed
from words import Size, size_text, word

# A drawing has the width of a phone's screen, so that its text is readable there and larger
# elsewhere.
WIDTH = 340
LEFT = 8  # left edge of the bars: their labels are above them
RIGHT = 90  # for the values at the ends of bars
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Tick:
    at: float
    text: str


@dataclass(frozen=True)
class Bar:
    who: str  # "student", "reference", "cublas": a class of the style sheet
    y: float
    width: float
    value: str
    low: float | None  # lower end of the interval, if there is one
    high: float | None


@dataclass(frozen=True)
class Bars:
    """Horizontal bars, one group per size."""

    unit: str  # of the axis
    height: int
    ticks: tuple[Tick, ...]
    groups: tuple[tuple[float, str], ...]  # y and label
    bars: tuple[Bar, ...]
    text: str


def median_interval(samples: tuple[float, ...]) -> tuple[float, float, float]:
    """The median, and the order statistics that enclose the true median with CONFIDENCE.

    Source: the binomial distribution of how many samples lie below a median.
    """
    ordered = sorted(samples)
    count = len(ordered)
    median = (ordered[(count - 1) // 2] + ordered[count // 2]) / 2
    tail = 0.0
    rank = 0
    for below in range(count // 2):
        tail += math.comb(count, below) / 2**count
        if 2 * tail > 1 - CONFIDENCE:
            break
        rank = below + 1
    low = ordered[max(rank - 1, 0)]
    return median, low, ordered[count - 1 - max(rank - 1, 0)]


def nice_ticks(most: float, count: int = 4) -> list[float]:
    raw = most / count
    unit = 10 ** math.floor(math.log10(raw)) if raw > 0 else 1.0
    step = next(unit * factor for factor in (1, 2, 2.5, 5, 10) if unit * factor >= raw * 0.999)
    return [step * number for number in range(int(most / step + 1.001) + 1)]


def size_label(size: Size) -> str:
    """A cube by its edge."""
    return str(size[0]) if len(set(size)) == 1 else size_text(size)


def _interval(speed: Speed, samples: tuple[float, ...]) -> tuple[float | None, float | None]:
    if len(samples) < 6 or min(samples) <= 0:
        return None, None
    _, low, high = median_interval(samples)
    return speed.rate_of(high), speed.rate_of(low)


def _values_text(speed: Speed) -> str:
    values = {
        _("yours"): speed.rate,
        _("reference"): speed.reference_rate,
        "cuBLAS": speed.cublas_gflops,
    }
    return ", ".join(f"{name} {speed.in_words(value)}" for name, value in values.items() if value)


def speed_bars(exercise: Exercise) -> Bars | None:
    """The speed of the kernels; None if nothing was timed."""
    measured = [speed for speed in exercise.speed if speed.rate]
    if not measured:
        return None
    by_bytes = measured[0].unit == "GB/s"
    rows: list[tuple[str, float, float | None, float | None, str]] = []
    groups = []
    y = 18.0
    placed: list[tuple[float, int]] = []
    for speed in measured:
        contenders = [
            ("student", speed.rate, _interval(speed, speed.student_ms)),
            ("reference", speed.reference_rate, _interval(speed, speed.reference_ms)),
            ("cublas", speed.cublas_gflops, _interval(speed, speed.cublas_ms)),
        ]
        groups.append((y - 5, size_label(speed.size)))
        for who, value, (low, high) in contenders:
            if value:
                placed.append((y, len(rows)))
                rows.append((who, value, low, high, speed.in_words(value)))
                y += 15
        y += 20
    ticks = nice_ticks(max(value for _, value, *_others in rows))
    scale = (WIDTH - LEFT - RIGHT) / ticks[-1]
    bars = []
    for at, index in placed:
        who, value, low, high, text = rows[index]
        bars.append(
            Bar(
                who,
                at,
                value * scale,
                text,
                None if low is None else LEFT + low * scale,
                None if high is None else LEFT + high * scale,
            )
        )
    return Bars(
        unit="GB/s" if by_bytes else "TFLOPS",
        height=int(y + 4),
        ticks=tuple(
            Tick(LEFT + tick * scale, f"{tick:g}" if by_bytes else f"{tick / 1000:g}")
            for tick in ticks
        ),
        groups=tuple(groups),
        bars=tuple(bars),
        text="; ".join(f"{speed.size_text}: {_values_text(speed)}" for speed in measured),
    )


@dataclass(frozen=True)
class RatioRow:
    y: float  # the bar's top; its label is above it
    label: str
    verdict: str
    x: float
    low: float
    high: float
    zero: float
    full: float
    value: str


@dataclass(frozen=True)
class Ratios:
    height: int
    ticks: tuple[Tick, ...]
    rows: tuple[RatioRow, ...]
    text: str


def ratio_rows(exercise: Exercise) -> Ratios | None:
    """The deciding ratios, on scales from the ratio for no points to the ratio for all points."""
    if not exercise.speed:
        return None
    most = max(1.2, *(min(max(speed.high, speed.full), 3.0) for speed in exercise.speed))
    scale = (WIDTH - LEFT - RIGHT) / most

    def x(ratio: float) -> float:
        return LEFT + min(max(ratio, 0.0), most) * scale

    rows = tuple(
        RatioRow(
            y=18 + 38 * number,
            label=size_label(speed.size),
            verdict=word(speed.verdict),
            x=x(speed.ratio),
            low=x(speed.low),
            high=x(speed.high),
            zero=x(speed.zero),
            full=x(speed.full),
            value=f"{speed.ratio:.3f}",
        )
        for number, speed in enumerate(exercise.speed)
    )
    ticks = [tick / 4 for tick in range(int(most * 4 + 0.001) + 1)]
    return Ratios(
        height=38 * len(rows) + 24,
        ticks=tuple(Tick(LEFT + tick * scale, f"{tick:g}") for tick in ticks if tick % 0.5 == 0),
        rows=rows,
        text="; ".join(
            _(
                "%(size)s: ratio %(ratio).3f, no points at %(zero)g, all from %(full)g",
                size=speed.size_text,
                ratio=speed.ratio,
                zero=speed.zero,
                full=speed.full,
            )
            for speed in exercise.speed
        ),
    )
