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

# For each name of tilegrade-bench: what the memory is called, and its size.
LEVELS = {
    "registers": ("registers", "{} in each SM"),
    "shared": ("shared memory", "{} in each SM"),
    "L1": ("L1 cache", "-"),
    "L2": ("L2 cache", "{} in all"),
    "global": ("global memory", "{} in all"),
    "constant": ("constant memory", "{} in all"),
}
LEVELS_ZH = {
    "registers": ("寄存器", "每个 SM {}"),
    "shared": ("共享内存", "每个 SM {}"),
    "L1": ("L1 缓存", "-"),
    "L2": ("L2 缓存", "共 {}"),
    "global": ("全局内存", "共 {}"),
    "constant": ("常量内存", "共 {}"),
}
HEADS = ["memory", "size", "bytes for each second", "clocks until a value arrives", "ns"]
HEADS_ZH = ["内存", "大小", "每秒字节数", "数据到达所需的时钟周期", "ns"]


def size(text: str) -> str:
    """233472: 228 KB, where 1 KB is 1,024 bytes."""
    units = ["bytes", "KB", "MB", "GB"]
    number = float(text)
    while number >= 1024 and len(units) > 1:
        number /= 1024
        units.pop(0)
    return f"{number:.3g} {units[0]}"


def measured(text: str, digits: int = 0) -> str:
    number = float(text)
    return "-" if math.isnan(number) else f"{number:.{digits}f}"


def page(text: str, chinese: bool = False) -> str:
    """The table, under a line with card, date and version."""
    lines = text.splitlines()
    facts = facts_read(lines)
    rows = []
    for row in csv.DictReader(line for line in lines if not line.startswith("#")):
        name, place = (LEVELS_ZH if chinese else LEVELS)[row["level"]]
        speed = float(row["gb_per_s"]) / 1000
        rows.append(
            [
                name,
                place.format(size(row["bytes"])),
                "-" if math.isnan(speed) else f"{speed:.3g} TB",
                measured(row["clocks"]),
                measured(row["ns"], 1),
            ]
        )
    if not rows:
        raise ValueError("there is no measurement")
    caption = [facts["card"], facts["date"], f"CUDA {facts['driver']}"]
    if chinese:
        return f"{'，'.join(caption)}：\n\n{table(HEADS_ZH, rows)}\n"
    return f"{', '.join(caption)}:\n\n{table(HEADS, rows)}\n"


def main() -> int:
    words = sys.argv[1:]
    if len(words) not in (1, 3) or (len(words) == 3 and words[1] != "--write"):
        sys.exit(__doc__)
    try:
        text = Path(words[0]).read_text()
        print(page(text), end="")
    except (OSError, ValueError, KeyError) as problem:
        sys.exit(f"card: {problem}")
    if len(words) == 3:
        for path in sorted(Path(words[2]).glob("lessons/**/*.md")):
            lesson = path.read_text()
            if MARKED.search(lesson):
                new = page(text, path.name.endswith(".zh.md"))
                path.write_text(MARKED.sub(rf"\g<1>{new}\g<2>", lesson))
                print(f"written: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
