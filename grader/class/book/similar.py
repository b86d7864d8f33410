"""Similar kernels of a class, found by Dolos (https://dolos.ugent.be), if it is installed.

Nothing is compared here.  Dolos gets each exercise's kernels under pseudonyms, and the stub as its
template, whose fragments it ignores. Its command is tried first; without it, the library
@dodona/dolos-lib writes the same table of pairs.  Neither uses the network.
"""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from book.model import ClassRun, Work
from files import write_whole
from language import _

FOLDER = "similar"
PAIRS = "pairs.csv"
OUT = "report"  # what Dolos writes, next to the kernels and the stub
STUB = "stub.cu"
PAIRS_MAX = 1000  # pairs kept for an exercise, the most similar ones
SHOWN_MAX = 15  # on the class page
SCRIPT = Path(__file__).resolve().with_name("dolos_pairs.mjs")
INSTALL = "`npm install -g @dodona/dolos` (or `@dodona/dolos-lib`)"
MISSING = 4  # the exit code of SCRIPT if it does not find the library
UNTOUCHED = ("missing", "not_started")  # nothing there that a student wrote
ROOT = Path(__file__).resolve().parents[3]


class SimilarError(Exception):
    """Dolos is not installed, or has failed; the text is for people."""


@dataclass(frozen=True)
class Pair:
    left: str  # pseudonyms
    right: str
    similarity: float
    longest: int


@dataclass(frozen=True)
class Similar:
    """The result of Dolos for an exercise."""

    exercise: Work
    path: str  # of the table, within the class folder
    pairs: tuple[Pair, ...]


def _table(run: ClassRun, exercise: Work) -> Path:
    return run.folder / FOLDER / exercise.name / PAIRS


def _pairs(path: Path) -> tuple[Pair, ...]:
    with path.open(encoding="utf-8", newline="") as file:
        found = [
            Pair(
                Path(row["leftFilePath"]).stem,
                Path(row["rightFilePath"]).stem,
                float(row["similarity"]),
                int(float(row["longestFragment"])),
            )
            for row in csv.DictReader(file)
        ]
    return tuple(sorted(found, key=lambda pair: (-pair.similarity, -pair.longest, pair.left)))


def similar_read(run: ClassRun) -> list[Similar]:
    """The output of an earlier call of similar_run."""
    found = []
    for exercise in run.exercises:
        path = _table(run, exercise)
        try:
            pairs = _pairs(path)
        except (OSError, KeyError, ValueError):
            continue
        found.append(Similar(exercise, str(path.relative_to(run.folder)), pairs[:SHOWN_MAX]))
    return found


def stub_text(reference: str) -> str:
    """The code that every student received: the reference without the lines that its stub omits."""
    kept, cut = [], False
    for line in reference.splitlines():
        mark = re.match(r"\s*//@(cut|end|stub ?)", line)
        if not mark:
            kept += [] if cut else [line]
        elif mark[1].startswith("stub"):
            kept.append(line[mark.end() :])
        else:
            cut = mark[1] == "cut"
    return "\n".join(kept) + "\n"


def _command(files: list[str]) -> list[str]:
    """The command that compares the files and the stub of its folder, and writes OUT/pairs.csv."""
    if shutil.which("dolos"):
        options = ["--language", "cpp", "--output-format", "csv", "--output-destination", OUT]
        options += ["--limit-results", str(PAIRS_MAX), "--ignore", STUB]
        return ["dolos", "run", *options, *files]
    if shutil.which("node"):
        return ["node", str(SCRIPT), os.getcwd(), f"{OUT}/{PAIRS}", str(PAIRS_MAX), STUB, *files]
    raise SimilarError(_("Dolos is not installed here; %(remedy)s installs it", remedy=INSTALL))


def _run(command: list[str], folder: Path) -> None:
    """Raises SimilarError with the last line that the command printed."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode == MISSING:
        raise SimilarError(_("Dolos is not installed here; %(remedy)s installs it", remedy=INSTALL))
    if done.returncode:
        said = (done.stderr + done.stdout).strip().splitlines() or [str(done.returncode)]
        raise SimilarError(_("Dolos failed: %(why)s", why=said[-1]))


def _compare(run: ClassRun, exercise: Work) -> bool:
    """Compares the kernels of one exercise.  False if there are fewer than two."""
    final = run.folder / FOLDER / exercise.name
    sources = {}
    for student in sorted(run.students, key=lambda one: one.pseudonym):
        kernel = student.kernels.get(exercise.name)
        path = run.folder / "jobs" / student.pseudonym / "submission" / f"{exercise.name}.cu"
        if kernel and kernel.verdict not in UNTOUCHED and path.is_file():
            sources[student.pseudonym] = path
    if len(sources) < 2:
        shutil.rmtree(final, ignore_errors=True)
        return False
    with tempfile.TemporaryDirectory(dir=final.parent) as folder:
        top = Path(folder)
        kernels = top / "kernels"
        kernels.mkdir()
        for name, path in sources.items():
            shutil.copyfile(path, kernels / f"{name}.cu")
        reference = ROOT / "reference" / f"{exercise.name}.cu"
        stub = stub_text(reference.read_text("utf-8")) if reference.is_file() else ""
        write_whole(top / STUB, stub)
        _run(_command([f"{kernels.name}/{name}.cu" for name in sources]), top)
        kernels.rename(top / OUT / kernels.name)
        shutil.rmtree(final, ignore_errors=True)
        (top / OUT).rename(final)
    return True


def strangers_remove(run: ClassRun) -> None:
    """Removes an outcome that has the kernel of a student who is no longer in the class."""
    known = {student.pseudonym for student in run.students}
    for exercise in sorted((run.folder / FOLDER).glob("*/")):
        if not {path.stem for path in (exercise / "kernels").glob("*.cu")} <= known:
            shutil.rmtree(exercise)


def similar_run(run: ClassRun) -> list[str]:
    """Compares the kernels of all exercises.  Returns the names of those that were compared."""
    (run.folder / FOLDER).mkdir(exist_ok=True)
    return [exercise.name for exercise in run.exercises if _compare(run, exercise)]
