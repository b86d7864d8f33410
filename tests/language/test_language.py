"""Every row of lessons/cuda.md has a kernel that proves it.

Kernels with features that work run clean in tests/emu.  Kernels with features that need a GPU or
are not allowed are in this folder, and the product refuses them for that reason, at the line marked
`//@here`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROGRAM = ROOT / "build/tilegrade"
SECTIONS = {"Works": "pass", "Needs a GPU": "needs_gpu", "Not allowed": "not_allowed"}


def rows() -> dict[str, str]:
    """The first column of each table, and what its section says."""
    found: dict[str, str] = {}
    section = ""
    for line in (ROOT / "lessons/cuda.md").read_text().splitlines():
        if line.startswith("## "):
            section = SECTIONS[line[3:]]
        elif line.startswith("| ") and not line.startswith("| what |"):
            found[line[2:].split(" |")[0]] = section
    return found


def row_of(path: Path) -> str:
    match = re.search(r"^// row: (.*)$", path.read_text(), re.M)
    return match[1] if match else ""


def message_of(path: Path) -> str:
    """What the program says of one kernel file, with its place first."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(path, Path(folder, "naive.cu"))
        run = subprocess.run(
            [PROGRAM, "grade", "--exercise", "naive", "--device", "emu"]
            + ["--submission", folder, "--out", folder],
            capture_output=True,
            text=True,
            cwd=ROOT,
            timeout=120,
            check=False,
        )
    return f"exit {run.returncode}\n{run.stdout}\n{run.stderr}"


class Table(unittest.TestCase):
    """The table of the lessons against the kernels."""

    def test_each_row_that_works_has_a_clean_kernel(self) -> None:
        kernels = {row_of(path): path for path in (ROOT / "tests/emu").glob("*.cu")}
        wanted = {row for row, kind in rows().items() if kind == "pass"}
        self.assertGreater(len(wanted), 20)
        self.assertEqual(wanted, set(kernels) - {""})
        for row in wanted:
            text = kernels[row].read_text()
            self.assertIsNone(re.search(r"^// (expect|end|compile):", text, re.M), row)

    def test_each_other_row_is_refused_for_its_reason_at_its_line(self) -> None:
        paths = sorted(HERE.glob("*.cu"))
        wanted = {row: kind for row, kind in rows().items() if kind != "pass"}
        self.assertEqual(sorted(wanted), sorted(row_of(path) for path in paths))
        with ThreadPoolExecutor(2) as pool:
            for path, message in zip(paths, pool.map(message_of, paths)):
                with self.subTest(path.name):
                    text = path.read_text()
                    kind = wanted[row_of(path)]
                    self.assertTrue(text.startswith(f"// expect: {kind}\n"))
                    lines = text.splitlines()
                    line = next(i for i, each in enumerate(lines, 1) if "//@here" in each)
                    self.assertIn(f"naive.cu:{line}:", message)
                    # Only this kernel was asked for: if it needs a GPU, there is nothing to grade.
                    self.assertIn("exit 3\n" if kind == "needs_gpu" else "exit 1\n", message)
                    self.assertIn("only" if kind == "needs_gpu" else "not allowed", message)


if __name__ == "__main__":
    unittest.main()
