"""The contents of ladder.csv: measurements of tilegrade-bench, or by other means.

Lines `# NAME VALUE` say where and how.  `# how` describes the inputs, unless tilegrade-bench made
them; `# name KERNEL TEXT` is the title of a kernel that is no exercise.
`# how_zh` and `# name_zh` are the Chinese.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, field

CUBLAS = "cublas_fp32"
# Kernels that are not exercises: cuBLAS, each with matrices and factors of a type.
NAMES = {
    CUBLAS: "cuBLAS, fp32",
    "cublas_tf32": "cuBLAS, TF32",
    "cublas_fp16": "cuBLAS, FP16",
    "cublas_bf16": "cuBLAS, BF16",
}
DIGITS = 3  # the most digits of a figure in a table


@dataclass(frozen=True)
class Row:
    """The median of one kernel at one size; gflops is None if an output was wrong."""

    kernel: str
    before: str
    size: tuple[int, int, int]
    gflops: float | None
    digits: int  # known digits
    ms: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Ladder:
    """One run of tilegrade-bench."""

    facts: dict[str, str]
    rows: list[Row]
    bounds: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    names_zh: dict[str, str] = field(default_factory=dict)

    def name(self, kernel: str, chinese: bool = False) -> str:
        english = self.names.get(kernel, NAMES.get(kernel, kernel))
        return self.names_zh.get(kernel, english) if chinese else english

    def kernels(self) -> list[str]:
        return list(dict.fromkeys(row.kernel for row in self.rows))

    def sizes(self) -> list[tuple[int, int, int]]:
        return list(dict.fromkeys(row.size for row in self.rows))

    def row(self, kernel: str, size: tuple[int, int, int]) -> Row | None:
        found = [row for row in self.rows if row.kernel == kernel and row.size == size]
        return found[0] if found else None

    def gflops(self, kernel: str, size: tuple[int, int, int]) -> float | None:
        row = self.row(kernel, size)
        return row.gflops if row else None

    def yardstick(self) -> str:
        """What the others are compared with: cuBLAS, or the best kernel at the last size."""
        for kernel in self.kernels():
            if kernel in NAMES:
                return kernel
        last = self.sizes()[-1]
        return max(self.kernels(), key=lambda kernel: self.gflops(kernel, last) or 0.0)


def size_name(size: tuple[int, int, int]) -> str:
    """4096, or 33x65x129."""
    return str(size[0]) if len(set(size)) == 1 else "x".join(str(part) for part in size)


def size_read(text: str) -> tuple[int, int, int]:
    parts = [int(part) for part in text.split("x")]
    return tuple(parts * 3) if len(parts) == 1 else tuple(parts)


def facts_read(lines: list[str]) -> dict[str, str]:
    """The lines `# name value`: where and how it was measured."""
    return dict(line[2:].split(" ", 1) for line in lines if line.startswith("# "))


def kernels_read(lines: list[str], key: str) -> dict[str, str]:
    """The lines `# key KERNEL TEXT`."""
    start = f"# {key} "
    return dict(line[len(start) :].split(" ", 1) for line in lines if line.startswith(start))


def digits_of(number: str) -> int:
    """The digits that are known of a number, such as 2 of 24e3; at most those of a table."""
    digits = re.sub(r"e.*|[.]", "", number).lstrip("0")
    return min(len(digits), DIGITS)


def ladder_read(text: str, result: dict | None = None) -> Ladder:
    """Reads ladder.csv; for kernels without a `# bound` line, a result says what may bound them."""
    lines = text.splitlines()
    facts = facts_read(lines)

    def number(word: str) -> float | None:
        return float(word) if word else None

    rows = [
        Row(
            line["kernel"],
            line["before"],
            (int(line["m"]), int(line["n"]), int(line["k"])),
            number(line["gflops"]),
            digits_of(line["gflops"]),
            number(line["ms"]),
            number(line["ms_low"]),
            number(line["ms_high"]),
        )
        for line in csv.DictReader(line for line in lines if not line.startswith("#"))
    ]
    if not rows:
        raise ValueError("ladder.csv holds no measurement")
    bounds = {}
    for exercise in (result or {}).get("exercises", []):
        estimate = exercise.get("estimate") or {}
        if estimate.get("student"):
            bounds[exercise["name"]] = f"{estimate['student']['bound_text']} (estimated)"
    bounds |= kernels_read(lines, "bound")
    names = [kernels_read(lines, key) for key in ("name", "name_zh")]
    return Ladder(facts, rows, bounds, *names)
