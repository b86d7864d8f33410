"""A mistake at the counted sizes alone is a mistake: counted launches check a sample of blocks.

Each kernel is the reference of `tiled` with other lines where it is BIG.  No case is; 144 is
counted.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / os.environ.get("BUILD", "build")
EXERCISE = "tiled"
COUNTED = "[counted]\n144 = 0.95 0.30\n\n"
TILE = "#define TILE 16\n"
STORE = "        C[row * N + col] = acc;\n"

# What becomes of each line of the reference that is named here.
WRONG = {
    "no_second_barrier": ("race", {"second": "if (!BIG) __syncthreads();"}),
    "no_barrier_in_the_last_row": (
        "race",
        {"second": "if (!BIG || blockIdx.y != gridDim.y - 1) __syncthreads();"},
    ),
    "all_blocks_add_to_one_element": (
        "race",
        {STORE: STORE + "        if (BIG && threadIdx.x == 1) C[1] = C[1] + 0.0f;\n"},
    ),
    "reads_before_the_first_store": (
        "uninitialized",
        {"float acc = 0.0f;": "float acc = BIG && As[ty][tx] > 1e30f ? 1.0f : 0.0f;"},
    ),
}
RIGHT = {
    "as_it_is": {},
    "one_more_barrier": {"second": "__syncthreads(); if (BIG) __syncthreads();"},
    "by_exchange": {STORE: "        if (!BIG) {\n    " + STORE + "        } else {\n"
                    "            atomicExch(&C[row * N + col], acc);\n        }\n"},
    "with_fences": {STORE: STORE + "        __threadfence();\n"},
}


def course_make(root: Path) -> str:
    """A course of one exercise.  Returns its reference."""
    for folder in ("reference", "student"):
        (root / folder).mkdir(parents=True)
        shutil.copy(ROOT / f"{folder}/{EXERCISE}.cu", root / folder)
    (lesson,) = ROOT.glob(f"lessons/[0-9][0-9][0-9]_{EXERCISE}")
    shutil.copytree(lesson, root / "lessons" / lesson.name)
    ini = root / "lessons" / lesson.name / "exercise.ini"
    text = re.sub(r"^\[counted\][^\[]*", COUNTED, ini.read_text(), flags=re.M)
    # Parts of launches at larger timed sizes would find the mistakes.
    text = re.sub(r"^\[timed\][^\[]*", "[timed]\n64 = 0.95 0.30\n\n", text, flags=re.M)
    ini.write_text(re.sub(r"^before = .*\n", "", text, flags=re.M))
    return (root / f"reference/{EXERCISE}.cu").read_text()


def changed(reference: str, changes: dict[str, str]) -> str:
    big = "#define BIG (M >= 6 * TILE + 4 && K >= 6 * TILE + 4)\n"  # no number of it is tried
    reference = reference.replace(TILE, TILE + big)
    for old, new in changes.items():
        if old == "second":
            before, barrier, after = reference.rpartition("__syncthreads();")
            reference = before + new + after
            assert barrier
            continue
        assert reference.count(old) == 1, old
        reference = reference.replace(old, new)
    return reference


class Sampled(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.kept = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.kept.name)
        cls.folder.chmod(0o755)  # workers run as another user
        cls.reference = course_make(cls.folder / "course")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.kept.cleanup()

    def graded(self, name: str, changes: dict[str, str]) -> dict[str, Any]:
        submission, out = self.folder / name, self.folder / f"{name}.out"
        submission.mkdir()
        (submission / f"{EXERCISE}.cu").write_text(changed(self.reference, changes))
        words = [BUILD / "tilegrade", "grade", f"--submission={submission}", f"--out={out}"]
        done = subprocess.run(
            [*map(str, words), "--device=emu"],
            cwd=self.folder / "course",
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertTrue((out / "result.json").exists(), done.stdout + done.stderr)
        (exercise,) = json.loads((out / "result.json").read_text())["exercises"]
        return exercise

    def test_mistakes_of_the_counted_size_are_named(self) -> None:
        for name, (verdict, changes) in WRONG.items():
            with self.subTest(name):
                exercise = self.graded(name, changes)
                self.assertEqual(exercise["verdict"], verdict)
                self.assertEqual(exercise["points"], 0)
                finding = exercise["findings"][0]
                self.assertEqual(finding["kind"], verdict)
                self.assertGreater(finding["line"], 0)
                self.assertEqual(exercise["cases"][-1]["size"], [144, 144, 144])

    def test_right_kernels_have_their_points(self) -> None:
        for name, changes in RIGHT.items():
            with self.subTest(name):
                exercise = self.graded(name, changes)
                self.assertEqual((exercise["verdict"], exercise["findings"]), ("pass", []))
                self.assertGreater(exercise["points"], 0)


if __name__ == "__main__":
    unittest.main()
