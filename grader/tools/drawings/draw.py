#!/usr/bin/python3
"""Writes the drawings of the lessons: draw.py ROOT [--check].

A lesson asks for a drawing by a mark before the image, which names a function of FIGURES and its
values:

    <!-- drawing: phases size=16 tile=4 block=2,1 phase=2 -->
    ![All tiles of a product](phases.svg)

The words of a drawing are Chinese on a page such as lesson.zh.md, which has phases.zh.svg.

With --check nothing is written.  Exit codes: 0 every file matches its mark, 1 some file does not, 2
a mark is wrong.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
# pylint: disable=wrong-import-position
from drawings import groups, machine, tiles
from drawings.svg import Drawing

MARK = re.compile(r"<!-- drawing: (\w+)([^>]*) -->\n!\[[^\]]*\]\(([\w.-]+\.svg)\)")

Value = float | str | tuple["Value", ...]


def value_of(text: str) -> Value:
    """3, 2.5, a name, or several of these with commas or colons between them."""
    for separator in ",:":
        if separator in text:
            return tuple(value_of(part) for part in text.split(separator) if part)
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    return float(text) if re.fullmatch(r"-?\d+\.\d+", text) else text.replace("_", " ")


def chip(**values: Value) -> Drawing:
    return machine.machine(machine.Card(**values))


def bytes_roofline(peak: float, bandwidth: float, sizes: tuple[int, ...]) -> Drawing:
    """The maximum for a product of square matrices if each element is moved once."""
    roof = machine.Roof(
        "Roofline: what products of some sizes can reach at most",
        peak,
        bandwidth,
        f"memory: {bandwidth:g} TB/s",
        "FLOP for each byte from global memory",
        tuple(2.0**power for power in range(-2, 11)),
        (1, 2, 5, 10, 20, 50, 100),
    )
    intensity = [2 * n**3 / (4 * 3 * n * n) for n in sizes]
    points = [(f"n = {n}", x, min(peak, x * bandwidth)) for n, x in zip(sizes, intensity)]
    return machine.roofline(roof, points)


def wavefront_roofline(peak: float, kernels: tuple[tuple[str, float, float], ...]) -> Drawing:
    """A kernel is its name, its wavefronts for each multiply-add of a warp, and TFLOPS."""
    roof = machine.Roof(
        "Roofline of shared memory and the L1 cache, and kernels of this course",
        peak,
        peak / 4,
        "one wavefront in a clock",
        "multiply-adds of a warp for each wavefront (1 / p)",
        tuple(2.0**power for power in range(-5, 4)),
        (0.5, 1, 2, 5, 10, 20, 50, 100),
    )
    return machine.roofline(roof, [(name, 1 / p, tflops) for name, p, tflops in kernels])


FIGURES: dict[str, Callable[..., Drawing]] = {
    "machine": chip,
    "coalesced": machine.coalesced,
    "banks": machine.banks,
    "bytes_roofline": bytes_roofline,
    "wavefront_roofline": wavefront_roofline,
    "phases": tiles.phases,
    "edge": tiles.edge_tiles,
    "reuse": tiles.reuse,
    "coarsening": tiles.coarsening,
    "pipeline": tiles.pipeline,
    "warps": groups.warps,
    "full_empty": groups.full_empty,
    "pair": groups.pair,
    "tree": groups.tree,
    "looking_back": groups.looking_back,
    "halo": groups.halo,
}


def drawings(page: Path) -> list[tuple[Path, str]]:
    """Each drawing that a page asks for: its file, and the required content."""
    found = []
    for mark in MARK.finditer(page.read_text("utf-8")):
        name, words, file = mark.groups()
        values = dict(word.split("=", 1) for word in words.split())
        try:
            drawing = FIGURES[name](**{key: value_of(text) for key, text in values.items()})
            text = drawing.render("zh" if page.name.endswith(".zh.md") else "en")
        except (LookupError, TypeError, ValueError, AttributeError) as problem:
            sys.exit(f"{page}: drawing {name}: {problem!r}")
        found.append((page.parent / file, text))
    return found


def main(arguments: list[str]) -> int:
    root = Path(arguments[0] if arguments else ".")
    stale = 0
    for page in sorted(root.glob("lessons/**/*.md")):
        for file, text in drawings(page):
            if file.is_file() and file.read_text("utf-8") == text:
                continue
            stale += 1
            print(f"{'stale' if '--check' in arguments else 'written'}: {file}")
            if "--check" not in arguments:
                file.write_text(text, "utf-8")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
