"""Plots over two axes as coordinates: speed over size, and a roofline."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from drawing.bars import WIDTH, Tick, nice_ticks
from language import N_, _
from model import Exercise, Result
from speed import Needs, Peaks
from words import gb_s_text, gflops_text

Axis = Callable[[float], float]  # maps a value to a coordinate
HEIGHT = 210
LEFT = 46
RIGHT = 10
TOP = 12
BOTTOM = 40
NAMES = {"student": N_("yours"), "reference": N_("reference"), "cublas": "cuBLAS"}
LETTER = 6.4  # a wide guess at the width of a letter
LABEL_HEIGHT = 14


@dataclass(frozen=True)
class Point:
    who: str
    x: float
    y: float
    title: str
    label: str = ""  # written next to it …
    label_y: float = 0.0  # … at this height …
    on_left: bool = False  # the label is on this side


@dataclass(frozen=True)
class Lines:
    """Points over two axes, and strokes between some of them."""

    height: int
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    strokes: tuple[tuple[str, str], ...]  # a class, and points as SVG writes them
    labels: tuple[tuple[float, float, float, str], ...]  # x, y, angle
    points: tuple[Point, ...]
    text: str


def _log_axis(low: float, high: float, start: float, end: float, base: float) -> Axis:
    span = math.log(high / low, base)

    def place(value: float) -> float:
        return start + (end - start) * math.log(max(value, low) / low, base) / span

    return place


def speed_over_size(exercise: Exercise) -> Lines | None:
    """GFLOPS over the size, if at least three sizes of a product were timed."""
    if not exercise.signature.is_matmul:
        return None
    measured = sorted(
        (speed for speed in exercise.speed if speed.gflops and speed.reference_gflops),
        key=lambda speed: math.prod(speed.size),
    )
    if len(measured) < 3:
        return None
    edges = [math.prod(speed.size) ** (1 / 3) for speed in measured]
    x = _log_axis(edges[0] / 1.15, edges[-1] * 1.15, LEFT, WIDTH - RIGHT, 2)
    values = [
        value for speed in measured for value in (speed.gflops or 0, speed.reference_gflops or 0)
    ]
    ticks = nice_ticks(max(values))

    def y(value: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / ticks[-1]

    strokes, points = [], []
    for who, pick in (("reference", lambda s: s.reference_gflops), ("student", lambda s: s.gflops)):
        square = [
            f"{x(edge):.1f},{y(pick(speed)):.1f}"
            for speed, edge in zip(measured, edges)
            if len(set(speed.size)) == 1
        ]
        strokes.append((who, " ".join(square)))
        points += [
            Point(
                who,
                x(edge),
                y(pick(speed)),
                _(
                    "%(size)s: %(speed)s (%(who)s)",
                    size=speed.size_text,
                    speed=gflops_text(pick(speed)),
                    who=_(NAMES[who]),
                ),
            )
            for speed, edge in zip(measured, edges)
        ]
    marks = [
        power
        for power in (128, 256, 512, 1024, 2048, 4096, 8192)
        if edges[0] / 1.15 <= power <= edges[-1] * 1.15
    ]
    return Lines(
        HEIGHT,
        tuple(Tick(x(mark), str(mark)) for mark in marks),
        tuple(Tick(y(tick), f"{tick / 1000:g}") for tick in ticks),
        tuple(strokes),
        (),
        tuple(points),
        "; ".join(f"{speed.size_text}: {gflops_text(speed.gflops or 0)}" for speed in measured),
    )


@dataclass(frozen=True)
class Roofline:
    plot: Lines
    unit: str  # of the vertical axis
    basis: str  # "an estimate for H200, not measured", "measured at 4096x4096x4096"
    no_intensity: bool  # a speed is drawn at the right edge: its intensity is not known


@dataclass(frozen=True)
class Spot:
    """Speeds on a GPU, in GFLOP/s, and the source of these numbers."""

    peaks: Peaks
    gflops: dict[str, float]  # of the known ones among NAMES
    basis: str
    needs: Needs

    def in_words(self, gflops: float, by_flop: bool) -> str:
        if by_flop or not (self.needs.bytes and self.needs.flop):
            return gflops_text(gflops)
        return gb_s_text(gflops * self.needs.bytes / self.needs.flop)


def _spot(exercise: Exercise, result: Result) -> Spot | None:
    estimate = exercise.estimate
    if estimate and estimate.peaks and estimate.gflops > 0:
        basis = _("an estimate for %(card)s, not measured", card=estimate.card)
        speeds = {"student": estimate.gflops, "reference": estimate.reference_gflops or 0.0}
        return Spot(estimate.peaks, speeds, basis, estimate.needs)
    timed = [speed for speed in exercise.speed if speed.gflops]
    if result.peaks and timed:
        largest = max(timed, key=lambda speed: speed.needs.flop)
        basis = _("measured at %(size)s", size=largest.size_text)
        speeds = {
            "student": largest.gflops or 0.0,
            "reference": largest.reference_gflops or 0.0,
            "cublas": largest.cublas_gflops or 0.0,
        }
        return Spot(result.peaks, speeds, basis, largest.needs)
    return None


def _intensities(exercise: Exercise) -> dict[str, float]:
    """FLOP per byte of global memory, for kernels with counts at the same size."""
    found = {}
    if exercise.counts and exercise.counts.sector_bytes_per_flop > 0:
        found["student"] = 1 / exercise.counts.sector_bytes_per_flop
        for speed in exercise.speed:
            counts = speed.reference_counts
            if counts and counts.size == exercise.counts.size and counts.sector_bytes_per_flop > 0:
                found["reference"] = 1 / counts.sector_bytes_per_flop
    return found


def is_free(label: tuple[float, float, float, str], points: tuple[Point, ...]) -> bool:
    """True if the label would cover no point and no other label."""
    x, y, angle, text = label
    slope = math.tan(math.radians(angle))
    run = LETTER * len(text) * math.cos(math.radians(angle))
    for point in points:
        width = LETTER * len(point.label) + 12
        left = point.x - (width if point.on_left else 8)
        right = point.x + (8 if point.on_left else width)
        begin, end = max(x, left), min(x + run, right)
        at = sorted(y + slope * (edge - x) for edge in (begin, end))
        low, high = min(point.y, point.label_y) - 12, max(point.y, point.label_y) + 12
        if begin <= end and at[0] <= high and at[1] >= low:
            return False
    return True


def _roofs(
    peaks: Peaks,
    low: tuple[float, float],
    high_x: float,
    x: Axis,
    y: Axis,
    points: tuple[Point, ...],
):
    """The roofs as strokes, each with its name along it, away from the points."""
    strokes, labels = [], []
    for name, bandwidth in (
        (_("L1 cache"), peaks.l1_gb_s),
        (_("L2 cache"), peaks.l2_gb_s),
        (_("memory"), peaks.memory_gb_s),
    ):
        start = max(low[0], low[1] / bandwidth)
        knee = max(min(peaks.gflops / bandwidth, high_x), start)
        left, right = (x(start), y(bandwidth * start)), (x(knee), y(bandwidth * knee))
        strokes.append(("roof", f"{left[0]:.1f},{left[1]:.1f} {right[0]:.1f},{right[1]:.1f}"))
        angle = -math.degrees(math.atan2(left[1] - right[1], right[0] - left[0]))
        slope = math.tan(math.radians(angle))
        places = [
            (left[0] + 10 + step, left[1] - 10 + slope * step, angle, name)
            for step in range(0, max(1, int(right[0] - left[0]) - 60), 10)
        ]
        labels.append(next((place for place in places if is_free(place, points)), places[0]))
    top = y(peaks.gflops)
    first = x(min(peaks.gflops / peaks.l1_gb_s, high_x))
    strokes.append(("roof", f"{first:.1f},{top:.1f} {x(high_x):.1f},{top:.1f}"))
    labels.append(
        (x(high_x) - 140, top - 5, 0.0, _("fp32 peak %(speed)s", speed=gflops_text(peaks.gflops)))
    )
    return tuple(strokes), tuple(labels)


def _named(points: list[Point]) -> tuple[Point, ...]:
    """The points with their labels' places: towards the middle, and none on top of another."""
    placed: list[Point] = []
    for point in sorted(points, key=lambda point: point.y):
        width = LETTER * len(point.label) + 12
        on_left = point.x + width > WIDTH - RIGHT
        above = max((other.label_y for other in placed), default=0.0)
        label_y = max(point.y + 4, above + LABEL_HEIGHT)
        placed.append(replace(point, label_y=label_y, on_left=on_left))
    return tuple(placed)


def why_no_roofline(exercise: Exercise) -> str:
    """A sentence on a kernel that is not a matmul; "" if it has a roofline, or nothing is known."""
    known = exercise.counts or next(iter(exercise.speed), None)
    if not known or exercise.signature.is_matmul or not known.needs.bytes:
        return ""
    if known.needs.flop:
        timed = exercise.estimate or any(speed.is_timed for speed in exercise.speed)
        return "" if timed else _("There is no roofline, because this kernel was not timed.")
    return _(
        "There is no roofline, because this operation needs no floating-point operations: its "
        "limit is the number of bytes that it moves."
    )


def roofline(exercise: Exercise, result: Result) -> Roofline | None:
    """Speed over arithmetic intensity, in operations per byte of global memory.

    Source: Williams, Waterman, Patterson, Roofline: an insightful visual performance model,
    Communications of the ACM 52(4), 2009.
    """
    spot = _spot(exercise, result)
    intensities = _intensities(exercise)
    if not spot or not spot.needs.flop or "student" not in intensities:
        return None
    peaks = spot.peaks
    is_matmul, by_flop = exercise.signature.is_matmul, exercise.signature.by_flop
    speeds = {who: gflops for who, gflops in spot.gflops.items() if gflops > 0}
    if not is_matmul and spot.needs.bytes and not speeds.keys() <= intensities.keys():
        intensities = dict.fromkeys(speeds, spot.needs.flop / spot.needs.bytes)
    low_x = min(0.25, *(value / 2 for value in intensities.values()))
    high_x = max(128.0, *(value * 2 for value in intensities.values()))
    low_y = 10.0 ** math.floor(math.log10(min(speeds.values()) / 4))
    x = _log_axis(low_x, high_x, LEFT, WIDTH - RIGHT, 2)
    y = _log_axis(low_y, peaks.gflops * 2.2, HEIGHT - BOTTOM, TOP, 10)
    points, texts = [], []
    for who, gflops in speeds.items():
        title = f"{_(NAMES[who])}: {gflops_text(gflops)}"
        if who in intensities:
            title = _(
                "%(title)s at %(intensity).3g FLOP per byte",
                title=title,
                intensity=intensities[who],
            )
        at = x(intensities.get(who, high_x))
        label = f"{_(NAMES[who])} {spot.in_words(gflops, by_flop)}"
        points.append(Point(who, at, y(gflops), title, label))
        texts.append(title)
    named = _named(points)
    strokes, labels = _roofs(peaks, (low_x, low_y), high_x, x, y, named)
    powers = [2.0**power for power in range(-4, 14) if low_x <= 2.0**power <= high_x]
    tens = [10.0**power for power in range(0, 7) if low_y <= 10.0**power <= peaks.gflops * 2.2]
    plot = Lines(
        HEIGHT,
        tuple(Tick(x(power), f"{power:g}") for power in powers[:: 1 if len(powers) < 8 else 2]),
        tuple(Tick(y(ten), f"{ten / 1000:g}" if by_flop else f"{ten:.5g}") for ten in tens),
        strokes,
        labels,
        named,
        _(
            "%(titles)s (%(basis)s); the peak is %(peak)s, bandwidths are L1 %(l1).0f, L2 "
            "%(l2).0f, memory %(memory).0f GB/s",
            titles="; ".join(texts),
            basis=spot.basis,
            peak=gflops_text(peaks.gflops),
            l1=peaks.l1_gb_s,
            l2=peaks.l2_gb_s,
            memory=peaks.memory_gb_s,
        ),
    )
    unit = "TFLOPS" if by_flop else "GFLOPS"
    return Roofline(plot, unit, spot.basis, any(who not in intensities for who in speeds))
