"""A product of bf16, graded on the CPU device: sums must be float, however they are computed."""

from __future__ import annotations

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

from test_cublas import BUILD
from test_cublas_types import HALVES, KERNEL, exercise_make

OWN = HALVES.replace("in half", "in bf16").replace("against = cublas\n", "")
PLAIN = KERNEL.replace("HEADER", "kernel").replace("NAME", "halves")
PLAIN = PLAIN.replace("TYPE", "__nv_bfloat16")
TERM = "(float)A[row * K + k] * (float)B[k * N + col]"
TENSOR = """#include <mma.h>
#include "kernel.cuh"
using namespace nvcuda;
__global__ void halves(const __nv_bfloat16 *A, const __nv_bfloat16 *B, float *C, int M, int N,
                       int K) {
    __shared__ __align__(32) __nv_bfloat16 As[16][16], Bs[16][16];
    __shared__ __align__(32) float Cs[16][16];
    const int row = blockIdx.y * 16, col = blockIdx.x * 16;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
    wmma::fill_fragment(acc, 0.0f);
    for (int t = 0; t < K; t += 16) {
        for (int i = threadIdx.x; i < 256; i += 32) {
            const int r = i / 16, c = i % 16;
            As[r][c] = row + r < M && t + c < K ? A[(row + r) * K + t + c] : __nv_bfloat16(0.0f);
            Bs[r][c] = t + r < K && col + c < N ? B[(t + r) * N + col + c] : __nv_bfloat16(0.0f);
        }
        __syncthreads();
        wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> a;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> b;
        wmma::load_matrix_sync(a, &As[0][0], 16);
        wmma::load_matrix_sync(b, &Bs[0][0], 16);
        wmma::mma_sync(acc, a, b, acc);
        __syncthreads();
    }
    wmma::store_matrix_sync(&Cs[0][0], acc, 16, wmma::mem_row_major);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += 32) {
        if (row + i / 16 < M && col + i % 16 < N) {
            C[(row + i / 16) * N + col + i % 16] = Cs[i / 16][i % 16];
        }
    }
}
LAUNCH_CONFIG(halves, M, N, K) {
    launch->block = dim3(32);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
"""


def summed_in(element: str) -> str:
    """The plain kernel with sums of another type."""
    text = PLAIN.replace("float sum = 0.0f", f"{element} sum = 0.0f")
    text = text.replace(f"sum += {TERM}", f"sum = sum + ({element})({TERM})")
    return "#include <cuda_fp16.h>\n" + text.replace("= sum;", "= (float)sum;")


class Products(unittest.TestCase):
    def grade(self, text: str) -> str:
        with tempfile.TemporaryDirectory() as kept:
            folder = Path(kept)
            folder.chmod(0o755)  # workers run as another user
            exercise_make(folder / "course", "halves", OWN, "kernel", "__nv_bfloat16")
            (folder / "handed").mkdir()
            (folder / "handed/halves.cu").write_text(text)
            subprocess.run(
                [BUILD / "tilegrade", "--root", folder / "course", "grade", "--device", "emu"]
                + ["--submission", folder / "handed", "--out", folder / "out"]
                + ["--seed", "00000000000000000000000000000001"],
                capture_output=True,
                check=False,
            )
            result = json.loads((folder / "out/result.json").read_text())
            return str(result["exercises"][0]["verdict"])

    def test_sums_of_float_are_right_on_tensor_cores_too(self) -> None:
        for text in (PLAIN, TENSOR):
            self.assertEqual(self.grade(text), "pass")

    def test_sums_of_bf16_or_half_are_not_right(self) -> None:
        self.assertEqual(self.grade(summed_in("__nv_bfloat16")), "low_precision")
        # Two large products are infinite as a half.
        self.assertIn(self.grade(summed_in("__half")), ("low_precision", "wrong_result"))


if __name__ == "__main__":
    unittest.main()
