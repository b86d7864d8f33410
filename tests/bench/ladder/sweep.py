#!/usr/bin/python3
"""Tries versions of the course's references on a GPU, with cuBLAS: how their sizes were chosen.

    sweep.py build BUILD FOLDER       compiles all versions into FOLDER; needs NVRTC, but no GPU
    FOLDER/tune jobs.txt out.csv 60   on a machine with a GPU, in FOLDER: measures for 60 seconds
    sweep.py table FOLDER out.csv     the best versions of each size, as ratios to cuBLAS

BUILD is the program's folder, such as build.  A version is a reference in which numbers are
replaced, so that the course's own code is measured.  Jobs are in order of size, and after an early
stop out.csv has what was measured so far. tune is built from tune.cu if nvcc is found; tune.cu says
how it measures and how it checks each product.
"""

from __future__ import annotations

import csv
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
COMPILES_AT_ONCE = 2
BEST = 4  # versions of an exercise that the table shows for a size


@dataclass(frozen=True)
class Version:
    """A reference with other numbers: pairs of a text that is there once, and a new text."""

    name: str
    exercise: str
    changes: tuple[tuple[str, str], ...] = ()


def defined(exercise: str, **numbers: int) -> Version:
    """With other values of #define lines."""
    changes = tuple((rf"(?m)^(#define {k}\s+)\S+", rf"\g<1>{v}") for k, v in numbers.items())
    name = "_".join([exercise] + [f"{k}{v}" for k, v in numbers.items()])
    return Version(name, exercise, changes)


def shaped(which: str, numbers: str) -> Version:
    """The challenge with another shape."""
    changes = ((rf"(using {which} = shape<)[^>]*>", rf"\g<1>{numbers}>"),)
    return Version(f"{which}_{numbers}".replace(", ", "x"), "challenge", changes)


def each(which: str, shapes: list[str]) -> list[Version]:
    return [shaped(which, numbers) for numbers in shapes]


def replaced(name: str, text: str, other: str) -> Version:
    return Version(name, "challenge", ((re.escape(text), other),))


LADDER = [Version(name, name) for name in ("register_tiled", "vectorized", "warp_tiled")] + [
    Version("double_buffered", "double_buffered"),
    defined("double_buffered", STAGES=3),
    defined("double_buffered", STAGES=5),
    defined("double_buffered", BM=128),
]
AS_IT_IS = [
    Version("challenge", "challenge"),
    replaced("nothing_cut", "tiles % S::WORKERS;", "0;"),
]
LARGE = each(
    "Large",
    [
        "64, 256, 8, 64, 64, 16, 8, 1, 4, 2",
        "64, 256, 8, 64, 64, 8, 16, 1, 4, 2",
        "128, 128, 8, 64, 64, 8, 16, 1, 4, 2",
        "128, 128, 8, 64, 64, 16, 8, 1, 4, 2",
        "64, 128, 8, 64, 64, 8, 16, 1, 4, 4",
        "64, 128, 8, 64, 64, 16, 8, 1, 4, 4",
    ],
)
MIDDLE = each(
    "Middle",
    [
        "64, 64, 16, 32, 64, 8, 8, 2, 4, 2",
        "64, 64, 16, 64, 32, 8, 8, 2, 4, 2",
        "64, 64, 16, 64, 64, 16, 8, 4, 4, 2",
        "128, 64, 16, 64, 64, 16, 8, 4, 3, 1",
        "64, 128, 16, 64, 64, 16, 8, 4, 3, 1",
    ],
)
STRIP = each(
    "Strip",
    [
        "32, 64, 32, 32, 64, 8, 8, 8, 3, 1",
        "32, 64, 32, 32, 64, 8, 8, 4, 3, 1",
        "32, 64, 16, 32, 64, 8, 8, 8, 4, 1",
    ],
)
ASKING = [replaced("no_shape_asks", "GROUPS > 4;", "false;")]

PLAN: list[tuple[str, list[Version]]] = [
    ("4096x4096x4096", LADDER + AS_IT_IS + LARGE),
    ("2048x2048x2048", LADDER + AS_IT_IS + LARGE),
    ("4095x4095x4095", LADDER + AS_IT_IS + LARGE),
    ("2047x2047x2047", LADDER + AS_IT_IS + LARGE),
    ("1024x1024x1024", AS_IT_IS + MIDDLE),
    ("1000x1000x1000", AS_IT_IS + MIDDLE),
    ("1023x1023x1023", AS_IT_IS + MIDDLE),
    ("512x512x512", AS_IT_IS + STRIP),
    ("256x256x256", AS_IT_IS + ASKING),
    ("33x65x129", AS_IT_IS + ASKING),
    ("100x100x10000", AS_IT_IS + STRIP + ASKING),
    ("4096x64x4096", AS_IT_IS + MIDDLE),
    ("64x4096x4096", AS_IT_IS + MIDDLE),
    ("8192x8192x8192", AS_IT_IS + LARGE),
]


def versions() -> dict[str, Version]:
    return {version.name: version for _, some in PLAN for version in some}


def source_of(version: Version) -> str:
    text = (ROOT / "reference" / f"{version.exercise}.cu").read_text()
    for pattern, other in version.changes:
        text, count = re.subn(pattern, other, text)
        if count != 1:
            raise ValueError(f"{version.name}: '{pattern}' stands there {count} times")
    return text


def compile_one(build: Path, folder: Path, number: int, version: Version) -> bool:
    """Makes FOLDER/vNNN.cubin as the grader would.  A version that does not compile is left out."""
    cubin = folder / f"v{number:03}.cubin"
    if cubin.exists():
        return True
    with tempfile.TemporaryDirectory() as work:
        (Path(work) / "submission.cu").write_text(source_of(version))
        kernel = f"matmul_{version.exercise}"
        command = [build / "tilegrade-nvrtc", "submission.cu", kernel, "sm_90", "kernel.cubin"]
        done = subprocess.run([*command, ROOT / "grader/include"], cwd=work, capture_output=True)
        if done.returncode != 0 or not (Path(work) / "kernel.cubin").exists():
            print(f"{version.name}: does not compile: {done.stdout.decode()[:300]}")
            return False
        shutil.copy(Path(work) / "kernel.cubin", cubin)
    return True


def build_all(build: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    numbered = list(enumerate(versions().values()))
    with ThreadPoolExecutor(COMPILES_AT_ONCE) as pool:
        made = list(pool.map(lambda one: compile_one(build, folder, *one), numbered))
    numbers = {version.name: n for (n, version), good in zip(numbered, made) if good}
    (folder / "names.csv").write_text("".join(f"v{n:03},{name}\n" for name, n in numbers.items()))
    lines = []
    for size, some in PLAN:
        lines.append(f"- cublas {size} 0")
        for version in some:
            if version.name in numbers:
                number = numbers[version.name]
                lines.append(f"v{number:03}.cubin matmul_{version.exercise} {size} 0")
        lines.append(f"- cublas {size} 0")
    (folder / "jobs.txt").write_text("\n".join(lines) + "\n")
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    stubs = Path(nvcc).resolve().parents[1] / "lib64/stubs"
    command = [nvcc, "-O2", "-arch=sm_90", "-o", folder / "tune", HERE / "tune.cu", f"-L{stubs}"]
    subprocess.run([*command, "-lcuda", "-ldl"], check=True)
    print(f"{len(numbers)} versions, {len(lines)} jobs in {folder}")


def table(folder: Path, path: Path) -> None:
    with open(folder / "names.csv", newline="") as stream:
        names = {f"{row[0]}.cubin": row[1] for row in csv.reader(stream)}
    yardstick: dict[str, list[float]] = defaultdict(list)
    found: dict[str, list[tuple[float, str, str]]] = defaultdict(list)
    with open(path, newline="") as stream:
        for cubin, _, m, n, k, _, median, _, _, _, state, _ in csv.reader(stream):
            size = f"{m}x{n}x{k}"
            if cubin == "-":
                yardstick[size].append(float(median))
            else:
                found[size].append((float(median), names[cubin], state))
    for size, rows in found.items():
        cublas = statistics.median(yardstick[size] or [float("nan")])
        print(f"{size}: cuBLAS {cublas:.1f} us")
        for median, name, state in sorted(rows):
            if state != "ok":
                print(f"  {state} {name}")
            else:
                print(f"  {cublas / median:.3f} {median:9.1f} us  {name}")


def main() -> int:
    if len(sys.argv) == 4 and sys.argv[1] == "build":
        build_all(Path(sys.argv[2]).resolve(), Path(sys.argv[3]))
    elif len(sys.argv) == 4 and sys.argv[1] == "table":
        table(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
