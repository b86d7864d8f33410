"""Speed by time of kernels that are not matmuls, on a simulated GPU (tests/gpu/fake_cuda.c).

Times are invented, outputs are not.  NVRTC is needed.
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

from test_cublas import BUILD, ROOT, library

TIMED = "[timed]\n70001 = 0.95 0.30 1\n\n"
CASES = "[cases]\none = 1\nragged = 1003\n\n"
REDUCTION = """#include "kernel.cuh"

__global__ void reduction(const float *x, float *y, int N) {
    //@cut 1 add all elements
    float sum = 0.0f;
    for (int i = 0; i < N; ++i) sum += x[i];
    y[0] = sum;
    //@end
}

LAUNCH_CONFIG(reduction, N) {
    launch->block = dim3(1);
    launch->grid = dim3(1);
}
"""


class TimedAny(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.kept = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.kept.name)
        cls.folder.chmod(0o755)  # workers run as another user
        library("fake_cuda", cls.folder / "driver", "libcuda.so.1")
        library("fake_clock", cls.folder / "driver", "fake_clock.so")
        for part in ("reference", "student", "lessons"):
            (cls.folder / "course" / part).mkdir(parents=True)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.kept.cleanup()

    def grade(self, name: str, text: str, extra: str) -> dict[str, Any]:
        """The exercise in the result of a kernel file; the reference lacks what is extra."""
        course = self.folder / "course"
        lesson = next(ROOT.glob(f"lessons/[0-9]*_{name}"))
        shutil.copytree(lesson, course / "lessons" / lesson.name)
        ini = course / "lessons" / lesson.name / "exercise.ini"
        changed = re.sub(r"^\[timed\][^\[]*", TIMED, ini.read_text(), flags=re.M)
        ini.write_text(re.sub(r"^\[cases\][^\[]*", CASES, changed, flags=re.M))
        (course / f"reference/{name}.cu").write_text(text)
        (self.folder / name).mkdir()
        (self.folder / name / f"{name}.cu").write_text(text + extra)
        out = self.folder / f"out_{name}"
        command = [BUILD / "tilegrade", "--root", course, "grade", "--exercise", name]
        command += ["--submission", self.folder / name, "--device", "gpu", "--out", out]
        done = subprocess.run(
            [*command, "--seed", "00000000000000000000000000000001"],
            env={
                **os.environ,
                "LD_LIBRARY_PATH": str(self.folder / "driver"),
                "LD_PRELOAD": f"{self.folder}/driver/fake_clock.so",
                "TILEGRADE_LOCKS": str(self.folder),
            },
            capture_output=True,
            text=True,
            check=False,
        )
        if "NVRTC" in done.stderr:
            raise unittest.SkipTest("NVRTC is not here")
        self.assertTrue((out / "result.json").exists(), done.stdout + done.stderr)
        result: dict[str, Any] = json.loads((out / "result.json").read_text())
        return result["exercises"][0]

    def test_a_right_kernel_is_timed_in_pairs_with_the_reference(self) -> None:
        exercise = self.grade("reduction", REDUCTION, "")
        self.assertEqual(exercise["verdict"], "pass")
        (speed,) = exercise["speed"]
        self.assertEqual((speed["size"], speed["verdict"], speed["pairs"]), ([70001], "fast", 11))
        self.assertEqual(speed["points"], speed["points_max"])

    def test_an_element_that_is_wrong_in_a_timed_launch_alone_is_found(self) -> None:
        text = (ROOT / "reference/vector_add.cu").read_text()
        exercise = self.grade("vector_add", text, "__global__ void wrong_if_many() {}\n")
        self.assertEqual(exercise["verdict"], "wrong_result")
        self.assertEqual(exercise["points"], 0)
        self.assertIn("z[69999]", exercise["headline"])


if __name__ == "__main__":
    unittest.main()
