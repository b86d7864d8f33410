"""A student's kernel in numbers: its counts and the accesses of one block, from a grade."""

from __future__ import annotations

import hashlib
import json
import math
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model import Exercise
from parse import result_parse
from parse_values import size
from words import Size

LANES = 32


@dataclass(frozen=True)
class Kernel:
    """The facts about a right kernel; `counts` are from the first counted size."""

    path: Path  # the result.json that contains it
    exercise: Exercise
    counts: dict[str, Any]
    estimate: dict[str, Any]

    @property
    def size(self) -> Size:
        return size(self.counts["size"])

    @property
    def warp_products(self) -> float:
        """Multiply-adds of a whole warp that a product needs; 0 for any other kernel."""
        return math.prod(self.size) / LANES if self.exercise.signature.is_matmul else 0.0

    def value(self, counter: str) -> float:
        """A counter of result.json; 0 if the kernel lacks that kind of access."""
        found = self.counts.get(counter, 0)
        return found if isinstance(found, (int, float)) else 0


def graded(path: Path, name: str, digest: str) -> Kernel | None:
    """The kernel of a result, if it is the file with that digest, and right."""
    try:
        text = path.read_text("utf-8")
        data = next(one for one in json.loads(text)["exercises"] if one["name"] == name)
        if data["sha256"] != digest or not data.get("counts"):
            return None
        parsed = result_parse(text, str(path)).exercises
        exercise = next(one for one in parsed if one.name == name)
        return Kernel(path, exercise, data["counts"], data.get("estimate", {}))
    except (OSError, ValueError, KeyError, TypeError, StopIteration):
        return None


def kernel_of(root: Path, name: str) -> Kernel | None:
    """The student's kernel, graded first if there is no grade of this file; None if it does not
    pass."""
    file = root / "student" / f"{name}.cu"
    if not file.is_file():
        return None
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    own = root / "build/practice" / name
    places = (root / "build/grade/result.json", own / "result.json")
    for path in places:
        if found := graded(path, name, digest):
            return found
    words = ["build/tilegrade", "grade", f"--exercise={name}", "--quiet", f"--out={own}"]
    subprocess.run(words, cwd=root, capture_output=True, check=False)
    return graded(places[1], name, digest)
