#!/usr/bin/python3
"""Proves the course: run.py BUILD_FOLDER.

All references and stubs are proved, and one in PART of the wrong and right kernels, drawn by the
commit, or with SETS=all each of them.  `make check-course` proves them all too.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from drawn import drawn, drawn_wrong, sample  # noqa: E402  (found by the line above)

PART = 12


def course_copy(folder: Path, suite: str, part: int) -> None:
    """The course, with the wrong and right kernels that are drawn."""
    for name in ("lessons", "reference", "student"):
        shutil.copytree(ROOT / name, folder / name)
    for reference in sorted((ROOT / "reference").glob("*.cu")):
        name = reference.stem
        sides = {
            "wrong": drawn_wrong(suite, name, part),
            "right": drawn(suite, f"tests/right/{name}/*.cu", part),
        }
        for side, sources in sides.items():
            place = folder / "tests" / side / name
            place.mkdir(parents=True, exist_ok=True)
            for source in sources:
                shutil.copyfile(source, place / source.name)


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
    with tempfile.TemporaryDirectory() as temporary:
        course_copy(Path(temporary), "course", PART)
        proof = course_prove(Path(sys.argv[1]).resolve(), Path(temporary))
    print(f"kernels drawn by SAMPLE={sample()}" if sample() else "all kernels")
    print(proof.stdout, end="")
    return proof.returncode


if __name__ == "__main__":
    sys.exit(main())
