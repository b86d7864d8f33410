#!/usr/bin/python3
"""Renders what `tilegrade-bench --levels` measured of the memories of a card.

Usage: card.py CARD.csv [--write ROOT]

Prints the table in Markdown. With --write it also replaces what is between these marks in the
lessons:

    <!-- card -->
    <!-- /card -->
"""

from __future__ import annotations

import csv
import math
import re
import sys
from pathlib import Path

from data import facts_read
from ladder import table

MARKED = re.compile(r"(<!-- card -->\n).*?(<!-- /card -->)", re.S)

# The names of tilegrade-bench: what the memory is called, and what its bytes are counted for.
LEVELS = {
    "registers": ("registers", "in each SM"),
    "shared": ("shared memory", "in each SM"),
    "L1": ("L1 cache", ""),
    "L2": ("L2 cache", "in all"),
    "global": ("global memory", "in all"),
    "constant": ("constant memory", "in all"),
}


def size(text: str) -> str:
    """233472: 228 KB, where 1 KB is 1,024 bytes. An empty text for 0."""
    units = ["bytes", "KB", "MB", "GB"]
    number = float(text)
    while number >= 1024 and len(units) > 1:
        number /= 1024
        units.pop(0)
    return f"{number:.3g} {units[0]}" if number else ""


def measured(text: str, digits: int = 0) -> str:
    number = float(text)
    return "-" if math.isnan(number) else f"{number:.{digits}f}"


def page(text: str) -> str:
    """The table, under a line with card, date and version."""
    lines = text.splitlines()
    facts = facts_read(lines)
    rows = []
    for row in csv.DictReader(line for line in lines if not line.startswith("#")):
        name, where = LEVELS[row["level"]]
        speed = float(row["gb_per_s"]) / 1000
        rows.append(
            [
                name,
                f"{size(row['bytes'])} {where}".strip() or "-",
                "-" if math.isnan(speed) else f"{speed:.3g} TB",
                measured(row["clocks"]),
                measured(row["ns"], 1),
            ]
        )
    if not rows:
        raise ValueError("there is no measurement")
    heads = ["memory", "size", "bytes for each second", "clocks until a value arrives", "ns"]
    return f"{facts['card']}, {facts['date']}, CUDA {facts['driver']}:\n\n{table(heads, rows)}\n"


def main() -> int:
    words = sys.argv[1:]
    if len(words) not in (1, 3) or (len(words) == 3 and words[1] != "--write"):
        sys.exit(__doc__)
    try:
        measurement = page(Path(words[0]).read_text())
    except (OSError, ValueError, KeyError) as problem:
        sys.exit(f"card: {problem}")
    print(measurement, end="")
    if len(words) == 3:
        for path in sorted(Path(words[2]).glob("lessons/**/*.md")):
            text = path.read_text()
            if MARKED.search(text):
                path.write_text(MARKED.sub(lambda mark: mark[1] + measurement + mark[2], text))
                print(f"written: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
