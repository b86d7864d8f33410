"""The result of a kernel is the same, byte by byte, in every run and for any number of processes.

Takes kernels of tests/wrong and tests/right at one size that is large enough to be shared: one in
PART, drawn by the commit, in 1 and 2 processes, or with SETS=all each, and in 4 as well (minutes).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/emu")]

from drawn import drawn, drawn_wrong, sample  # noqa: E402  (found by the line above)
from toolchain import products  # noqa: E402

TILEGRADE = ROOT / os.environ.get("BUILD", "build") / "tilegrade"
PART = 96
SIZE = "97x83x70"  # 563,570 multiply-adds: two shares
JOBS = (1, 2) if sample() else (1, 2, 4)


def kernels() -> list[Path]:
    """The kernels of the exercises of the course that are drawn; one if none is."""
    found: list[Path] = []
    for exercise in products():
        found += drawn_wrong("jobs", exercise, PART)
        found += drawn("jobs", f"tests/right/{exercise}/*.cu", PART)
    return found or drawn("jobs", "tests/right/*/*.cu", 1)[:1]


def result_of(exercise: str, submission: Path, out: Path, jobs: int) -> bytes:
    """What `test` writes, or says if only a GPU runs it; later builds come from its cache."""
    words = ["test", f"--exercise={exercise}", f"--submission={submission}", f"--size={SIZE}"]
    words += [f"--out={out}", f"--jobs={jobs}", "--device=emu", f"--root={ROOT}"]
    done = subprocess.run(
        [str(TILEGRADE), *words], capture_output=True, text=True, timeout=120, check=False
    )
    if done.returncode == 3 and "only a GPU can run" in done.stderr:
        return done.stderr.encode()
    if done.returncode not in (0, 1):
        raise AssertionError(f"{submission}: exit code {done.returncode}: {done.stderr}")
    return (out / "result.json").read_bytes()


def difference(path: Path, folder: Path) -> str:
    """What differs between runs of one kernel; empty if nothing does."""
    submission = folder / "submission"
    submission.mkdir(parents=True)
    shutil.copy(path, submission / f"{path.parent.name}.cu")
    results = [
        result_of(path.parent.name, submission, folder / f"out{number}", jobs)
        for number, jobs in enumerate(JOBS)
    ]
    differing = [str(jobs) for jobs, result in zip(JOBS, results) if result != results[0]]
    return f"{path.relative_to(ROOT)}: differs with --jobs {', '.join(differing)}" * bool(differing)


class Jobs(unittest.TestCase):
    def test_results_are_the_same_for_any_number_of_processes(self) -> None:
        paths = kernels()
        self.assertGreater(len(paths), 0)
        with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(2) as pool:
            folders = [Path(temporary) / str(number) for number in range(len(paths))]
            differences = [text for text in pool.map(difference, paths, folders) if text]
        self.assertEqual(differences, [], f"drawn by SAMPLE={sample()}")


if __name__ == "__main__":
    unittest.main()
