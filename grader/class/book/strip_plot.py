"""The speed of all right kernels, one row of dots for each exercise and size, as coordinates."""

from __future__ import annotations

from dataclasses import dataclass

from book.model import ClassRun, Speed
from drawing.bars import Tick, size_label
from language import _
from words import Size

LEFT = 150  # left edge of the plotting area
WIDTH = 720
RIGHT = 20
ROW = 46
SPREAD = 30  # the height over which the dots of a row are spread
RATIO_MAX = 3.0  # faster kernels are drawn at the edge
GOLDEN = 0.6180339887498949  # spreads any number of dots evenly: the most irrational number


@dataclass(frozen=True)
class Row:
    y: float
    exercise: str
    size: str
    dots: str  # the path of all dots
    zero: float
    full: float
    text: str


@dataclass(frozen=True)
class Strip:
    width: int
    height: int
    ticks: tuple[Tick, ...]
    one: float  # the position of the reference
    rows: tuple[Row, ...]
    counted: bool


def _speeds(run: ClassRun) -> dict[tuple[str, Size], list[Speed]]:
    found: dict[tuple[str, Size], list[Speed]] = {}
    for exercise in run.exercises:
        for student in run.students:
            kernel = student.kernels.get(exercise.name)
            if kernel and kernel.verdict == "pass":
                for speed in kernel.speeds:
                    found.setdefault((exercise.name, speed.size), []).append(speed)
    return found


def _row_text(speeds: list[Speed]) -> str:
    ratios = sorted(speed.ratio for speed in speeds)
    full = sum(speed.ratio >= speed.full for speed in speeds)
    return _(
        "%(count)d kernels, median %(median).2f; %(full)d have full points",
        count=len(ratios),
        median=ratios[len(ratios) // 2],
        full=full,
    )


def strip_plot(run: ClassRun) -> Strip | None:
    """None if the speed of no kernel is known."""
    found = _speeds(run)
    if not found:
        return None
    fastest = max(speed.ratio for speeds in found.values() for speed in speeds)
    most = max(1.2, min(fastest * 1.05, RATIO_MAX))
    scale = (WIDTH - LEFT - RIGHT) / most

    def x(ratio: float) -> float:
        return round(LEFT + min(max(ratio, 0.0), most) * scale, 1)

    titles = {exercise.name: exercise.title for exercise in run.exercises}
    rows = []
    for number, ((name, size), speeds) in enumerate(found.items()):
        y = 34 + ROW * number
        dots = "".join(
            f"M{x(speed.ratio)} {y + SPREAD * (at * GOLDEN % 1 - 0.5):.1f}h0"
            for at, speed in enumerate(speeds)
        )
        ends = x(speeds[0].zero), x(speeds[0].full)
        rows.append(Row(y, titles[name], size_label(size), dots, *ends, _row_text(speeds)))
    step = 0.25 if most <= 1.5 else 0.5
    ticks = [step * tick for tick in range(int(most / step) + 1)]
    return Strip(
        width=WIDTH,
        height=34 + ROW * len(rows),
        ticks=tuple(Tick(x(tick), f"{tick:g}") for tick in ticks),
        one=x(1.0),
        rows=tuple(rows),
        counted=all(speed.counted for speeds in found.values() for speed in speeds),
    )
