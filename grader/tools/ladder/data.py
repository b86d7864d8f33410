"""The contents of ladder.csv: what tilegrade-bench measured."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field

CUBLAS = "cublas_fp32"
NAMES = {CUBLAS: "cuBLAS, fp32"}  # kernels that are not exercises


@dataclass(frozen=True)
class Row:
    """The median of one kernel at one size; gflops is None if an output was wrong."""

    kernel: str
    before: str
    size: tuple[int, int, int]
    gflops: float | None
    ms: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Ladder:
    """One run of tilegrade-bench."""

    facts: dict[str, str]
    rows: list[Row]
    bounds: dict[str, str] = field(default_factory=dict)

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
        if CUBLAS in self.kernels():
            return CUBLAS
        last = self.sizes()[-1]
        return max(self.kernels(), key=lambda kernel: self.gflops(kernel, last) or 0.0)


def size_name(size: tuple[int, int, int]) -> str:
    """4096, or 33x65x129."""
    return str(size[0]) if len(set(size)) == 1 else "x".join(str(part) for part in size)


def size_read(text: str) -> tuple[int, int, int]:
    parts = [int(part) for part in text.split("x")]
    return tuple(parts * 3) if len(parts) == 1 else tuple(parts)


def kernel_name(kernel: str) -> str:
    return NAMES.get(kernel, kernel)


def facts_read(lines: list[str]) -> dict[str, str]:
    """The lines `# name value`: where and how it was measured."""
    return dict(line[2:].split(" ", 1) for line in lines if line.startswith("# "))


def ladder_read(text: str, result: dict | None = None) -> Ladder:
    """Reads ladder.csv; for kernels without a `# bound` line, a result says what may bound them."""
    lines = text.splitlines()
    facts = facts_read(lines)
    seen = dict(line[8:].split(" ", 1) for line in lines if line.startswith("# bound "))

    def number(word: str) -> float | None:
        return float(word) if word else None

    rows = [
        Row(
            line["kernel"],
            line["before"],
            (int(line["m"]), int(line["n"]), int(line["k"])),
            number(line["gflops"]),
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
    return Ladder(facts, rows, bounds | seen)
