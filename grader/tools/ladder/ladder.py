#!/usr/bin/python3
"""Renders what tilegrade-bench measured: Markdown, a plot, and the tables in the lessons.

Usage: ladder.py FOLDER [--write ROOT]

FOLDER holds ladder.csv, which tilegrade-bench wrote, and may hold counted/result.json, a grade of
the references without a GPU, which says what bounds each kernel.  Lines `# bound` of ladder.csv,
which bounds.py adds on a machine with ncu, have precedence over that estimate. ladder.md and
ladder.svg are written next to it (the plot only if matplotlib is installed).  With --write the
tables in the lessons are rewritten.  A table is between two marks, and the first mark says what it
shows:

    <!-- ladder: kernels=tiled,register_tiled,cublas_fp32 sizes=1024,4096 -->
    <!-- /ladder -->

A page `*.zh.md` gets the same table in Chinese.  A table that needs a kernel or a size which
ladder.csv lacks stays as it is.

Only ratios of medians are computed here; every other figure is in ladder.csv.
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from pathlib import Path

from data import DIGITS, Ladder, ladder_read, size_name, size_read

MARKED = re.compile(r"(<!-- ladder: ([^>]*?) -->\n).*?(<!-- /ladder -->)", re.S)
NOT_MEASURED = "-"
WIDTH = 100  # of the text on a page


def table(heads: list[str], rows: list[list[str]]) -> str:
    """A Markdown table; the first column is text, the others are numbers."""
    line = "|---|" + "---:|" * (len(heads) - 1)
    return "\n".join(
        [f"| {' | '.join(heads)} |", line] + [f"| {' | '.join(row)} |" for row in rows]
    )


def ratio(over: float | None, under: float | None, digits: int = 2) -> str:
    return f"{over / under:.{digits}f}" if over and under else NOT_MEASURED


def tflops(gflops: float | None, digits: int = DIGITS) -> str:
    """With the known digits, and at most two after the point."""
    if gflops is None:
        return NOT_MEASURED
    before = len(f"{gflops / 1000:.0f}") if gflops >= 1000 else 1
    return f"{gflops / 1000:.{min(2, max(0, digits - before))}f}"


def measured(ladder: Ladder, kernel: str, size: tuple[int, int, int]) -> str:
    row = ladder.row(kernel, size)
    return tflops(row.gflops, row.digits) if row else NOT_MEASURED


# Words of the tables on Chinese pages; `{}` is replaced by a name.
CHINESE = {
    "step, at {}": "步骤，{} 时",
    "of {}": "相对于 {}",
    "of the FMA peak": "相对于 FMA 峰值",
    "gain over the step before": "相对于上一步的提高",
    "busiest": "最忙的单元",
    "the multiply-add units alone": "只有乘加单元",
    "multiply-adds": "乘加",
    "tensor cores": "张量核心",
    "issuing instructions": "发射指令",
    "shared memory and L1": "共享内存和 L1",
    "the L2 cache": "L2 缓存",
    "memory": "内存",
    "waiting": "等待",
}


def said(words: str, chinese: bool) -> str:
    """Words of a table in the language of its page."""
    return CHINESE.get(words, words) if chinese else words


def busiest(bound: str, chinese: bool) -> str:
    """The bound of a kernel, such as `shared memory and L1, 97 %` or `waiting; memory 40 %`."""
    unit = re.fullmatch(r"(?:(waiting); )?(.+?)(,?) (\d+ %)", bound)
    if not chinese or not unit:
        return bound
    wait = f"{said(unit[1], chinese)}；" if unit[1] else ""
    return f"{wait}{said(unit[2], chinese)}{'，' if unit[3] else ' '}{unit[4]}"


def caption(ladder: Ladder, chinese: bool = False) -> str:
    """GPU, date, and method of measurement."""
    facts = ladder.facts
    launches = facts["launches"]
    if chinese:
        how = facts.get("how_zh", "开始时输入不在缓存中，每个乘积都经过检验")
        return (
            f"{facts['card']}，{facts['date']}，CUDA {facts['driver']}："
            f"{launches.replace('at least', '至少')} 次启动的中位数，{how}。"
        )
    how = facts.get("how", "inputs not in the cache at the start, every product verified")
    return textwrap.fill(
        f"{facts['card']}, {facts['date']}, CUDA {facts['driver']}: medians of {launches}"
        f" launches, {how}.",
        WIDTH,
    )


def size_table(
    ladder: Ladder,
    kernels: list[str],
    sizes: list[tuple[int, int, int]],
    chinese: bool = False,
) -> str:
    heads = ["TFLOPS"] + [size_name(size) for size in sizes]
    rows = [
        [ladder.name(kernel, chinese)] + [measured(ladder, kernel, size) for size in sizes]
        for kernel in kernels
    ]
    return table(heads, rows)


def ratio_table(ladder: Ladder, kernels: list[str], sizes: list[tuple[int, int, int]]) -> str:
    yardstick = ladder.yardstick()
    heads = [f"ratio to {ladder.name(yardstick)}"] + [size_name(size) for size in sizes]
    rows = [
        [ladder.name(kernel)]
        + [ratio(ladder.gflops(kernel, size), ladder.gflops(yardstick, size)) for size in sizes]
        for kernel in kernels
        if kernel != yardstick
    ]
    return table(heads, rows)


def peak_of(ladder: Ladder) -> float:
    """The multiply-add units alone, in GFLOPS; 0 if that was not measured."""
    return float(ladder.facts.get("fma_peak_gflops", 0))


def step_table(ladder: Ladder, size: tuple[int, int, int], chinese: bool = False) -> str:
    """The ladder at one size: the speed-up of each step."""
    yardstick = ladder.yardstick()
    peak = peak_of(ladder)
    heads = [
        said("step, at {}", chinese).format(size_name(size)),
        "TFLOPS",
        said("of {}", chinese).format(ladder.name(yardstick)),
        *([said("of the FMA peak", chinese)] if peak else []),
        said("gain over the step before", chinese),
        said("busiest", chinese),
    ]
    rows = []
    for kernel in ladder.kernels():
        row = ladder.row(kernel, size)
        if row is None:
            continue
        rows.append(
            [
                ladder.name(kernel),
                tflops(row.gflops),
                ratio(row.gflops, ladder.gflops(yardstick, size)),
                *([ratio(row.gflops, peak)] if peak else []),
                ratio(row.gflops, ladder.gflops(row.before, size)),
                busiest(ladder.bounds.get(kernel, NOT_MEASURED), chinese),
            ]
        )
    if peak:
        alone = said("the multiply-add units alone", chinese)
        rows.append([alone, tflops(peak), "", "1.00", "", ""])
    return table(heads, rows)


def markdown(ladder: Ladder) -> str:
    sizes = ladder.sizes()
    squares = [size for size in sizes if len(set(size)) == 1]
    steps = max(squares or sizes, key=lambda size: (size[0] <= 4096, size[0]))
    cublas = ladder.facts.get("cublas")
    note = (
        f"{ladder.name(ladder.yardstick())}, version {cublas}, in the same run.\n"
        if cublas and cublas != "none"
        else "cuBLAS was not found: ratios are to the best of these kernels.\n"
        if cublas
        else "Ratios are to the best of these kernels.\n"
    )
    return "\n".join(
        [
            "# The ladder",
            "",
            caption(ladder),
            note,
            *((step_table(ladder, steps), "") if peak_of(ladder) or ladder.bounds else ()),
            size_table(ladder, ladder.kernels(), sizes),
            "",
            ratio_table(ladder, ladder.kernels(), sizes),
            "",
        ]
    )


def marked_table(ladder: Ladder, words: str, chinese: bool = False) -> str:
    """The table that a mark in a lesson asks for; "" if not all of it was measured."""
    asked = dict(word.split("=", 1) for word in words.split())
    kernels = asked["kernels"].split(",") if "kernels" in asked else ladder.kernels()
    sizes = [size_read(size) for size in asked.get("steps", asked.get("sizes", "")).split(",")]
    if not all(ladder.row(kernel, size) for kernel in kernels for size in sizes):
        return ""
    if "steps" not in asked:
        body = size_table(ladder, kernels, sizes, chinese)
    elif peak_of(ladder):
        body = step_table(ladder, sizes[0], chinese)
    else:
        return ""
    return f"{caption(ladder, chinese)}\n\n{body}\n"


def first_cells(table: str) -> set[str]:
    """The names of the rows of a table."""
    return {line.split(" | ")[0] for line in table.split("\n| ")[2:]}


def lesson_write(ladder: Ladder, text: str, chinese: bool = False) -> str:
    """A lesson with its tables rewritten.

    A table is unchanged, with its own GPU and date, if a part of it was not measured.
    """

    def written(mark: re.Match[str]) -> str:
        new = marked_table(ladder, mark[2], chinese)
        is_whole = new and first_cells(mark[0]) <= first_cells(new)
        return mark[1] + new + mark[3] if is_whole else mark[0]

    return MARKED.sub(written, text)


def plot(ladder: Ladder, path: Path) -> bool:
    """Bars of each size, in an SVG.  False if matplotlib is not installed."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("svg")
    from matplotlib import pyplot

    kernels, sizes = ladder.kernels(), ladder.sizes()
    figure, axes = pyplot.subplots(figsize=(max(7.0, 1.1 * len(sizes) + 2), 4.5))
    width = 0.85 / len(kernels)
    for number, kernel in enumerate(kernels):
        heights = [(ladder.gflops(kernel, size) or 0.0) / 1000 for size in sizes]
        places = [place + number * width for place in range(len(sizes))]
        axes.bar(places, heights, width, label=ladder.name(kernel))
    if peak := peak_of(ladder) / 1000:
        axes.axhline(peak, color="black", linewidth=0.8, linestyle="--")
        axes.text(0, peak, "multiply-add units alone", va="bottom", fontsize=8)
    axes.set_xticks([place + 0.425 for place in range(len(sizes))])
    axes.set_xticklabels([size_name(size) for size in sizes], fontsize=8)
    axes.set_xlabel("size, M x N x K")
    axes.set_ylabel("TFLOPS")
    axes.set_title(f"{ladder.facts['card']}, {ladder.facts['date']}", fontsize=10)
    axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path)
    pyplot.close(figure)
    return True


def result_load(folder: Path) -> dict | None:
    path = folder / "counted" / "result.json"
    return json.loads(path.read_text()) if path.exists() else None


def main() -> int:
    words = sys.argv[1:]
    if len(words) not in (1, 3) or (len(words) == 3 and words[1] != "--write"):
        sys.exit(__doc__)
    folder = Path(words[0])
    try:
        ladder = ladder_read((folder / "ladder.csv").read_text(), result_load(folder))
    except (OSError, ValueError, KeyError) as problem:
        sys.exit(f"ladder: {problem}")
    (folder / "ladder.md").write_text(markdown(ladder))
    print(markdown(ladder))
    if not plot(ladder, folder / "ladder.svg"):
        print("no plot: matplotlib is not installed (package python3-matplotlib)", file=sys.stderr)
    if len(words) == 3:
        for path in sorted(Path(words[2]).glob("lessons/**/*.md")):
            text = path.read_text()
            new = lesson_write(ladder, text, path.name.endswith(".zh.md"))
            if new != text:
                path.write_text(new)
                print(f"written: {path}")
            elif MARKED.search(text):
                print(f"unchanged: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
