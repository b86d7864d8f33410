"""The counters that the lessons speak of, next to those of the reference."""

from __future__ import annotations

from dataclasses import dataclass

from drawing.code_view import HEAT_STEPS
from language import N_, _
from model import Exercise
from speed import Counts
from words import size_text

NAMES = (
    *("global_load_requests", "global_load_sectors", "global_load_wavefronts"),
    *("global_store_requests", "global_store_sectors"),
    *("global_atomic_requests", "global_atomic_sectors"),
    *("shared_load_requests", "shared_load_wavefronts", "shared_load_ideal", "shared_load_joined"),
    *("shared_store_requests", "shared_store_wavefronts"),
    *("shared_atomic_requests", "shared_atomic_wavefronts"),
    *("async_copies", "tensor_flops", "barriers", "blocks", "threads"),
)
PER_FLOP = "sector_bytes_per_flop"
PER_NEEDED = "needed"  # of a kernel that is not a matmul
WORDS = {  # for counters that no lesson names
    "tensor_flops": N_("operations on tensor cores"),
    PER_NEEDED: N_("bytes moved / bytes needed"),
}


@dataclass(frozen=True)
class Number:
    text: str
    level: int  # of heat, against the reference
    times: str  # ratio to the reference's number; "" if unknown


@dataclass(frozen=True)
class Counters:
    sizes: tuple[tuple[str, bool], ...]  # and whether the reference's numbers are known
    rows: tuple[tuple[str, tuple[Number, ...]], ...]  # its name; numbers for each size


def _value(counts: Counts, name: str) -> float:
    if name == PER_NEEDED:
        return counts.bytes_per_needed
    return counts.sector_bytes_per_flop if name == PER_FLOP else counts.numbers.get(name, 0)


def _text(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"


def _numbers(name: str, own: Counts, reference: Counts | None) -> list[Number]:
    value = _value(own, name)
    if not reference:
        return [Number(_text(value), 0, "")]
    least = _value(reference, name)
    times = value / least if least else 1.0
    level = 0 if name in ("blocks", "threads") else sum(times > step for step in HEAT_STEPS)
    shown = Number(_text(value), level, f"{times:.3g}" if least else "")
    return [shown, Number(_text(least), 0, "")]


def counters(exercise: Exercise) -> Counters | None:
    """The numbers at each size that was counted; None if nothing was counted."""
    pairs = [
        (speed.counts, speed.reference_counts)
        for speed in exercise.speed
        if speed.counts and speed.counts.numbers
    ]
    if not pairs and exercise.counts and exercise.counts.numbers:
        pairs = [(exercise.counts, None)]
    if not pairs:
        return None
    rows = []
    for name in (*NAMES, PER_FLOP if exercise.signature.is_matmul else PER_NEEDED):
        if any(_value(counts, name) for pair in pairs for counts in pair if counts):
            numbers = [number for pair in pairs for number in _numbers(name, *pair)]
            shown = _(WORDS[name]) if name in WORDS else f"`{name}`"
            rows.append((shown, tuple(numbers)))
    sizes = tuple((size_text(own.size), reference is not None) for own, reference in pairs)
    return Counters(sizes, tuple(rows))
