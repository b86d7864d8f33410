"""cuBLAS of the type of an exercise next to a grade, on a simulated GPU as in test_cublas.py.

Times are invented, products are not.  NVRTC is needed.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

from test_cublas import BUILD, library

INI = "title = X\npoints = 2\nspeed_points = 1\ntile = 16\n{own}\n"
CASES = "[cases]\none = 1\nragged = 3x5x7\n\n"
CASES += "[timed]\n48 = 0.95 0.30 1\n\n[counted]\n16 = 0.95 0.30\n"
HALVES = """sizes = M N K
precision = fp16
against = cublas
[parameters]
A = in half [M][K]
B = in half [K][N]
C = out float [M][N]
M = int
N = int
K = int
[work]
flop = 2*M*N*K
bytes = 2*M*K + 2*K*N + 4*M*N
"""
EXPECTED = """void halves(const number *A, const number *B, number *C, int M, int N, int K) {
    EACH(i, M * N) {
        number sum = 0;
        for (int k = 0; k < K; ++k) {
            sum += A[i / N * K + k] * B[k * N + i % N];
        }
        C[i] = sum;
    }
}
"""
KERNEL = """#include "HEADER.cuh"
__global__ void NAME(const TYPE *A, const TYPE *B, float *C, int M, int N, int K) {
    //@cut 1 add the products of a row and a column
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < K && row < M && col < N; ++k) {
        sum += (float)A[row * K + k] * (float)B[k * N + col];
    }
    if (row < M && col < N) C[row * N + col] = sum;
    //@end
}
LAUNCH_CONFIG(NAME, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
"""


def exercise_make(course: Path, name: str, own: str, header: str, element: str) -> None:
    kernel = name if header == "kernel" else f"matmul_{name}"
    lesson = course / f"lessons/{10 + len(list(course.glob('lessons/*')))}_{name}"
    for folder in (lesson, course / "reference", course / "student"):
        folder.mkdir(parents=True, exist_ok=True)
    (lesson / "exercise.ini").write_text(INI.format(own=own) + CASES)
    if header == "kernel":
        (lesson / "expected.c").write_text(EXPECTED)
    text = KERNEL.replace("HEADER", header).replace("NAME", kernel).replace("TYPE", element)
    (course / f"reference/{name}.cu").write_text(text)


class Types(unittest.TestCase):
    def setUp(self) -> None:
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = Path(kept.name)
        self.folder.chmod(0o755)  # workers run as another user

    def grade(self, *defines: str, driver: tuple[str, ...] = ()) -> tuple[str, dict[str, Any]]:
        """What is printed, and each exercise of the result by its name."""
        library("fake_cuda", self.folder / "driver", "libcuda.so.1", *driver)
        library("fake_clock", self.folder / "driver", "fake_clock.so")
        library("fake_cublas", self.folder / "driver", "libcublas.so.13", *defines)
        course, out = self.folder / "course", self.folder / "out"
        done = subprocess.run(
            [BUILD / "tilegrade", "--root", course, "grade", "--submission", course / "reference"]
            + ["--device", "gpu", "--out", out, "--seed", "00000000000000000000000000000001"],
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
            self.skipTest("NVRTC is not here")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        result = json.loads((out / "result.json").read_text())
        return " ".join(done.stdout.split()), {each["name"]: each for each in result["exercises"]}

    def test_matrices_of_half_are_timed_in_pairs_with_cublas_of_half(self) -> None:
        exercise_make(self.folder / "course", "halves", HALVES, "kernel", "__half")
        text, exercises = self.grade("-DFAKE_MS=0.2f", driver=("-DFAKE_HALF",))
        (speed,) = exercises["halves"]["speed"]
        self.assertEqual(speed["against_cublas"]["verdict"], "slow")
        self.assertAlmostEqual(speed["against_cublas"]["ratio"], 0.8, 5)
        self.assertEqual(speed["verdict"], "fast")  # against the reference
        self.assertIn("0.000885 TFLOPS; reference 0.000885, cuBLAS 0.00111", text)
        self.assertIn("slower than cuBLAS 13.0.0: 0.800", text)

    def test_matrices_of_bf16_are_timed_in_pairs_with_cublas_of_bf16(self) -> None:
        own = HALVES.replace("in half", "in bf16")
        exercise_make(self.folder / "course", "halves", own, "kernel", "__nv_bfloat16")
        text, exercises = self.grade("-DFAKE_MS=a_type==R_16BF?0.2f:1.0f", driver=("-DFAKE_BF16",))
        (speed,) = exercises["halves"]["speed"]
        self.assertAlmostEqual(speed["against_cublas"]["ratio"], 0.8, 5)
        self.assertEqual(exercises["halves"]["points"], 2000)
        self.assertIn("slower than cuBLAS 13.0.0: 0.800", text)

    def test_a_cublas_that_is_wrong_costs_nobody_anything(self) -> None:
        exercise_make(self.folder / "course", "halves", HALVES, "kernel", "__half")
        _, exercises = self.grade("-DFAKE_WRONG", driver=("-DFAKE_HALF",))
        self.assertEqual(exercises["halves"]["points"], 2000)
        self.assertIn("is not right: ", exercises["halves"]["cublas"]["note"])

    def test_floats_that_may_be_rounded_have_another_time_at_the_same_size(self) -> None:
        exercise_make(self.folder / "course", "plain", "", "matmul", "float")
        exercise_make(self.folder / "course", "rounded", "precision = tf32", "matmul", "float")
        _, exercises = self.grade("-DFAKE_MS=compute==COMPUTE_32F?0.2f:0.1f")
        for name, ms in (("plain", 0.2), ("rounded", 0.1)):
            (speed,) = exercises[name]["speed"]
            self.assertEqual([round(each, 5) for each in speed["cublas_ms"]], [ms] * 7)


if __name__ == "__main__":
    unittest.main()
