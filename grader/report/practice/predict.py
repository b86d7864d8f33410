#!/usr/bin/python3
"""Asks for a prediction, and counts: predict.py ROOT EXERCISE.

What is predicted of a product is p, the wavefronts that a warp needs for each of its multiply-adds.
Loads and stores of shared memory and loads through the L1 cache take the same path of an SM, one
wavefront in a clock, in which the SM could do four multiply-adds of a warp. So a kernel reaches at
most 1 / (4 p) of the peak. Tensor cores do more of them in a clock, by a factor that depends on the
card and the format, so none is shown for a kernel that uses them. Of any other kernel it is r,
the bytes that it moves to and from global memory for each byte that the operation needs: it
reaches at most 1 / r of the bandwidth.
Exit codes: 0 done, 2 bad usage.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
# pylint: disable=wrong-import-position
from language import N_, _, language_used
from practice.kernel import Kernel, kernel_of
from practice.lessons import asked, language_of, lesson_of, shown
from words import size_text

# Kinds of wavefronts, and the counters that they come from.
PARTS = (
    (N_("loads from global memory"), "global_load_wavefronts"),
    (N_("loads from shared memory, joined as nvcc joins them"), "shared_load_joined"),
    (N_("stores to shared memory"), "shared_store_wavefronts"),
)
MOVED = (
    (N_("bytes of sectors that are loaded"), "global_load_sectors"),
    (N_("bytes of sectors that are stored"), "global_store_sectors"),
    (N_("bytes of sectors that atomic operations access"), "global_atomic_sectors"),
)
PRODUCTS_PER_CLOCK = 4  # multiply-adds of a warp, per SM
NEAR = 0.01  # a prediction with a smaller error is right, here and for points
HARDLY = 0.05  # more extra bytes than this get a remark


@dataclass(frozen=True)
class Bound:
    p: float
    share: float  # maximum share of the peak for the kernel


def bound_of(kernel: Kernel) -> Bound:
    p = sum(kernel.value(counter) for _words, counter in PARTS) / kernel.warp_products
    return Bound(p, min(1.0, 1 / (PRODUCTS_PER_CLOCK * p)) if p else 1.0)


def number_of(text: str) -> float | None:
    """2.375, 2,375 or 19/8; None if it is no number."""
    over, _slash, under = text.strip().replace(",", ".").partition("/")
    try:
        return float(over) / float(under or 1)
    except (ValueError, ZeroDivisionError):
        return None


def compared(predicted: float, p: float, written: float) -> str:
    """`written` is p of the unchanged source, before a compiler joins reads of neighbours."""
    if abs(predicted - p) <= NEAR * p:
        return _("You predicted %(number)g. That is right.", number=predicted)
    if abs(predicted - written) <= NEAR * written:
        return _(
            "You predicted %(number)g. That is right for the source as it is written. The compiler"
            " joins reads of neighbours in shared memory, so fewer are needed.",
            number=predicted,
        )
    return _(
        "You predicted %(number)g. Which of these lines did you expect to be different?",
        number=predicted,
    )


def told(kernel: Kernel, predicted: float | None) -> list[str]:
    said = product_told if kernel.warp_products else other_told
    return said(kernel, predicted)


def other_told(kernel: Kernel, predicted: float | None) -> list[str]:
    """For a kernel that is not a matmul: bytes moved per needed byte."""
    counts = kernel.exercise.counts
    if not counts or not counts.needs.bytes:
        return [_("exercise.ini does not state how many bytes this operation needs.")]
    needed = counts.needs.bytes
    lines = [
        _(
            "Counted at %(size)s, where the operation needs %(bytes)s bytes; for each of them:",
            size=size_text(kernel.size),
            bytes=f"{needed:,.0f}",
        ),
        *(f"  {32 * kernel.value(name) / needed:8.3f}  {_(words)}" for words, name in MOVED),
    ]
    r = counts.bytes_per_needed
    lines += [f"  {r:8.3f}  r", ""]
    if predicted is not None:
        lines += [compared(predicted, r, r), ""]
    if r > 1 + HARDLY:
        lines.append(
            _(
                "The L2 cache may hold what is loaded again. Without it, this kernel reaches at"
                " most 1 / r = %(percent).0f %% of the bandwidth.",
                percent=100 / r,
            )
        )
    else:
        lines.append(_("r is about 1: the kernel moves hardly more than it must."))
    return lines


def product_told(kernel: Kernel, predicted: float | None) -> list[str]:
    lines = [
        _("Counted at %(size)s, for each multiply-add of a warp:", size=size_text(kernel.size)),
        *(
            f"  {kernel.value(counter) / kernel.warp_products:8.3f}  {_(words)}"
            for words, counter in PARTS
        ),
    ]
    bound = bound_of(kernel)
    joined = kernel.value("shared_load_wavefronts") - kernel.value("shared_load_joined")
    written = bound.p + joined / kernel.warp_products
    lines += [f"  {bound.p:8.3f}  p", ""]
    if predicted is not None:
        lines += [compared(predicted, bound.p, written), ""]
    if kernel.value("tensor_flops"):
        lines.append(
            _(
                "An SM does one wavefront per clock. Its tensor cores do several times the four"
                " multiply-adds of a warp that its other units do in that time. So shared memory"
                " may limit this kernel even if p is less than 1/4."
            )
        )
        return lines
    if 0 < bound.share < 1:
        lines.append(
            _(
                "An SM does one wavefront or four multiply-adds of a warp per clock. So this"
                " kernel reaches at most 1 / (4 p) = %(percent).0f %% of the peak.",
                percent=100 * bound.share,
            )
        )
    else:
        lines.append(
            _("p is at most 1/4: shared memory and the L1 cache do not limit this kernel.")
        )
    peak = kernel.estimate.get("card_peaks", {}).get("gflops")
    if peak:
        lines.append(
            _(
                "On %(card)s: %(limit).1f of %(peak).1f TFLOPS, at its highest clock.",
                card=kernel.estimate.get("card", ""),
                limit=peak * bound.share / 1000,
                peak=peak / 1000,
            )
        )
    return lines


def ini_of(folder: Path) -> str:
    try:
        return (folder / "exercise.ini").read_text("utf-8")
    except OSError:
        return ""


def main(arguments: list[str]) -> int:
    root = Path(arguments[0])
    lesson = lesson_of(root, arguments[1] if len(arguments) > 1 else "")
    if not lesson:
        print(_("name one exercise: make practice predict EX=name"), file=sys.stderr)
        return 2
    is_matmul = not re.search(r"^\[parameters\]", ini_of(lesson.folder), re.M)
    if is_matmul:
        print(_("p: how many wavefronts does a warp need for each of its multiply-adds?"))
    else:
        print(_("r: how many bytes does it move for each byte that the operation needs?"))
    predicted = None
    while (text := asked("p = " if is_matmul else "r = ")) is not None and text.strip():
        if (predicted := number_of(text)) is not None:
            break
        print(_("A number, please, such as 2.5 or 5/2; an empty line to see it at once."))
    print(_("Counting your kernel ..."), flush=True)
    kernel = kernel_of(root, lesson.exercise)
    if not kernel:
        print(_("The kernel does not pass yet: make test EX=%(name)s", name=lesson.exercise))
        return 0
    for line in told(kernel, predicted):
        shown(line) if not line.startswith(" ") else print(line)
    return 0


if __name__ == "__main__":
    with language_used(language_of(sys.argv)):
        sys.exit(main([word for word in sys.argv[1:] if not word.startswith("--language")]))
