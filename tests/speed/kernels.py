"""The kernels whose counted and measured speed are compared: see kernels.txt.

All of them are right.  A kernel is a file in kernels/EXERCISE/, or a file of the course, perhaps
for another exercise, with some lines replaced.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


@dataclass(frozen=True)
class Kernel:
    exercise: str
    name: str
    path: Path
    changes: tuple[tuple[str, str], ...]

    def text(self) -> str:
        """The file as a student would submit it."""
        text = self.path.read_text(encoding="utf-8")
        for old, new in self.changes:
            if ("\n" + text).count("\n" + old) != 1:
                raise ValueError(f"{self.exercise}/{self.name}: not exactly once: {old}")
            text = ("\n" + text).replace("\n" + old, "\n" + new)[1:]
        (of,) = re.findall(r"^LAUNCH_CONFIG\((\w+),", text, re.MULTILINE)
        prefix = "matmul_" if of.startswith("matmul_") else ""
        return re.sub(rf"\b{of}\b", prefix + self.exercise, text)


def kernel_of(block: str) -> Kernel:
    head, _, body = block.partition("\n")
    title, _, base = head.partition(" = ")
    exercise, _, name = title.partition("/")
    found = re.findall(r"((?:^-.*\n)+)((?:^\+.*\n?)*)", body + "\n", re.MULTILINE)
    changes = [[re.sub(r"(?m)^[-+]", "", lines) for lines in change] for change in found]
    return Kernel(
        exercise,
        name,
        ROOT / base if base else HERE / "kernels" / exercise / f"{name}.cu",
        tuple((old, new) for old, new in changes),
    )


def kernels() -> list[Kernel]:
    text = (HERE / "kernels.txt").read_text(encoding="utf-8")
    blocks = re.split(r"\n\n(?=\w)", text.strip("\n") + "\n")
    return [kernel_of(block) for block in blocks if not block.startswith("#")]
