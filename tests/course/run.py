#!/usr/bin/python3
"""Proves the course: run.py BUILD_FOLDER.

References and stubs are proved at all sizes, wrong kernels at those at which they were last seen to
fail (sizes.txt in their folders).  Of right kernels the commit draws one in RIGHT_PART, proved at
two of [cases], and one in PART, proved at all sizes as are those that it changes.  With SETS=all
every kernel is proved at all sizes, as `make check-course` does it.
"""

from __future__ import annotations

import configparser
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from drawn import drawn, drawn_wrong, sample  # noqa: E402  (found by the line above)

PART = 36
RIGHT_PART = 2
# Work of the sizes at which right kernels are tried: of a large tile, more.
COST_MIN, COST_MAX = 110_000, 1_500_000
TERMS_MIN = 64  # of a sum: a short one costs as much, as each element may have a block of its own
REMEDY = "`make check-course WRITE=1 EX=name` tries wrong kernels at all sizes, and records some"


def course_copy(folder: Path, suite: str, wrong_part: int, right_part: int) -> None:
    """The course, with the wrong and right kernels that are drawn, one in so many."""
    for name in ("lessons", "reference", "student"):
        shutil.copytree(ROOT / name, folder / name)
    for reference in sorted((ROOT / "reference").glob("*.cu")):
        name = reference.stem
        sides = {
            "wrong": drawn_wrong(suite, name, wrong_part),
            "right": drawn(suite, f"tests/right/{name}/*.cu", right_part),
        }
        for side, sources in sides.items():
            place = folder / "tests" / side / name
            place.mkdir(parents=True, exist_ok=True)
            for source in sources:
                shutil.copyfile(source, place / source.name)


def cost_of(size: str) -> int:
    """Multiply-adds, or elements if the kernel computes no product."""
    numbers = [int(number) for number in size.split("x")]
    return math.prod([*numbers[:2], max(numbers[2], TERMS_MIN)] if len(numbers) > 2 else numbers)


def right_sizes(exercise: str) -> str:
    """The sizes at which right kernels are tried: of those that are cheap the largest, and `ragged`
    or the second largest."""
    path = next(ROOT.glob(f"lessons/[0-9][0-9][0-9]_{exercise}/exercise.ini"))
    page = path.read_text(encoding="utf-8")
    text = configparser.ConfigParser(interpolation=None)
    text.read_string(f"[first]\n{page}")
    tile = int(re.search(r"(?m)^tile = (\d+)", page)[1])
    limit = max(COST_MIN, min(1.1 * tile**3, COST_MAX))
    sizes = sorted(text["cases"].values(), key=cost_of)
    cheap = [size for size in sizes if cost_of(size) <= limit]
    largest, second = cheap[-1], cheap[-2]
    ragged = text["cases"].get("ragged", sizes[-1])
    return f"{largest} {ragged if ragged in cheap and ragged != largest else second}"


def sizes_add(folder: Path) -> None:
    """Adds sizes.txt to a copy of the course: the recorded one for wrong kernels, and one for the
    right kernels that are not drawn."""
    for reference in sorted((ROOT / "reference").glob("*.cu")):
        name = reference.stem
        shutil.copy(ROOT / f"tests/wrong/{name}/sizes.txt", folder / f"tests/wrong/{name}")
        whole = drawn("course", f"tests/right/{name}/*.cu", PART)
        copied = sorted(folder.glob(f"tests/right/{name}/*.cu"))
        two = [path.stem for path in copied if ROOT / path.relative_to(folder) not in whole]
        lines = "".join(f"{stem} {right_sizes(name)}\n" for stem in two)
        (folder / f"tests/right/{name}/sizes.txt").write_text(lines, encoding="utf-8")


def counts_share(folder: Path) -> None:
    """Lets the copy find the counted work of references that other suites have counted."""
    counts = ROOT / "build/counts"
    counts.mkdir(parents=True, exist_ok=True)
    (folder / "build").mkdir()
    (folder / "build/counts").symlink_to(counts)


def course_prove(
    build_folder: Path, folder: Path, compiler: str = "", exercises: Iterable[str] = ()
) -> subprocess.CompletedProcess[str]:
    """check-course of a folder, all of it or some exercises: the whole way of the product, with
    another g++ if one is named."""
    chosen = ",".join(exercises)
    return subprocess.run(
        [build_folder / "tilegrade", "check-course", f"--root={folder}"]
        + ([f"--exercise={chosen}"] if chosen else []),
        env={**os.environ, **({"TILEGRADE_CXX": compiler} if compiler else {})},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def main() -> int:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(f"right kernels drawn by SAMPLE={sample()}" if sample() else "all sizes", flush=True)
    with tempfile.TemporaryDirectory() as temporary:
        course_copy(Path(temporary), "course", 1, RIGHT_PART)
        counts_share(Path(temporary))
        if sample():
            sizes_add(Path(temporary))
        words = [f"{sys.argv[1]}/tilegrade", "check-course", f"--root={temporary}"]
        code = subprocess.run(words + ["--recorded"] * bool(sample()), cwd=ROOT, check=False)
    if sample() and code.returncode:
        print(REMEDY)
    return code.returncode


if __name__ == "__main__":
    sys.exit(main())
