"""How much of each parser the inputs of its target reach, by gcov.

Usage: python3 tests/fuzz/coverage.py [TARGET...].  The programs are built for it, with gcc.  A
target is run over the inputs that it starts from (inputs.py), and over those that `make fuzz` has
found since, if they are kept (build/fuzz/corpus).  The files counted are those that it reaches in
the layers whose headers it includes, except base/.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from inputs import HERE, ROOT, prepare, targets

CORPUS = ROOT / "build/fuzz/corpus"
BUILD = "build/fuzz-coverage"
BRUSHED = 10  # a file that is reached less than this is not part of the parser
INCLUDED = re.compile(r'^#include "(?!base/)([a-z]+)/', re.MULTILINE)


@dataclass(frozen=True)
class Reached:
    lines: int
    of_lines: int
    branches: int
    of_branches: int

    def __add__(self, other: Reached) -> Reached:
        return Reached(
            self.lines + other.lines,
            self.of_lines + other.of_lines,
            self.branches + other.branches,
            self.of_branches + other.of_branches,
        )

    def percent(self) -> str:
        lines = 100 * self.lines / max(1, self.of_lines)
        branches = 100 * self.branches / max(1, self.of_branches)
        return (
            f"{lines:5.1f} % of {self.of_lines:4} lines"
            f"  {branches:5.1f} % of {self.of_branches:4} branches"
        )


def layers_of(target: str) -> set[str]:
    return set(INCLUDED.findall((HERE / f"fuzz_{target}.c").read_text(encoding="utf-8")))


def gcov(objects: Path, layers: set[str]) -> dict[str, Reached]:
    """What the last run has reached, file by file."""
    found: dict[str, Reached] = {}
    for data in sorted(objects.rglob("*.gcda")):
        words = ["gcov", "--json-format", "--stdout", "--branch-probabilities", str(data)]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
        for file in json.loads(done.stdout)["files"]:
            path = file["file"].split("/")
            if path[0] != "grader" or path[1] not in layers or not path[-1].endswith(".c"):
                continue
            branches = [branch for line in file["lines"] for branch in line["branches"]]
            reached = Reached(
                sum(line["count"] > 0 for line in file["lines"]),
                len(file["lines"]),
                sum(branch["count"] > 0 for branch in branches),
                len(branches),
            )
            if reached.lines * BRUSHED > reached.of_lines:
                found[file["file"]] = reached
    return found


def target_run(objects: Path, target: str, folder: Path) -> dict[str, Reached]:
    for data in objects.rglob("*.gcda"):
        data.unlink()
    program = str(objects.parent / "tests/fuzz" / target)
    words = [program, str(folder)]
    if (CORPUS / target).is_dir():
        words.append(str(CORPUS / target))
    subprocess.run(words, cwd=ROOT, capture_output=True, check=True)
    return gcov(objects, layers_of(target))


def programs_make(names: list[str]) -> Path:
    """Builds the targets with counters; returns the folder of their objects."""
    words = ["make", "-s", f"BUILD={BUILD}", "CC=gcc --coverage", "CFLAGS=-std=c11 -g -O0"]
    words += [f"{BUILD}/tests/fuzz/{name}" for name in names]
    subprocess.run(words, cwd=ROOT, check=True)
    return ROOT / BUILD / "obj"


def main(names: list[str]) -> int:
    names = names or targets()
    objects = programs_make(names)
    total = Reached(0, 0, 0, 0)
    for target in names:
        with tempfile.TemporaryDirectory() as name:
            folder = prepare(target, Path(name))
            (folder / "zeros").write_bytes(bytes(64))  # a target without seeds uses it
            started = len(list(folder.iterdir()))
            found = target_run(objects, target, folder)
        kept = len(list((CORPUS / target).glob("*"))) if (CORPUS / target).is_dir() else 0
        whole = sum(found.values(), Reached(0, 0, 0, 0))
        total += whole
        print(f"{target:10} {whole.percent()}  ({started} inputs to start from, {kept} kept)")
        for path, reached in sorted(found.items()):
            print(f"    {path:40} {reached.percent()}")
    print(f"{'together':10} {total.percent()}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
