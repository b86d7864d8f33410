"""What bounds a kernel of the ladder, from a shortened table of ncu on an H200."""

from __future__ import annotations

import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "grader/tools/ladder"))

import ladder  # noqa: E402
import bounds  # noqa: E402

CSV = (Path(__file__).parent / "ladder.csv").read_text()
FMA, TENSOR, ISSUE, L1, L2, MEMORY = bounds.RESOURCES


def ncu(*launches: tuple[str, str, str, str, str], tensor: str = "0") -> str:
    """ncu's raw page, with each launch's name, time, and shares of FMA, issue and L1."""
    heads = ["ID", "Kernel Name", bounds.TIME, FMA, ISSUE, L1, TENSOR, L2, MEMORY]
    rows = [heads, [""] * 3 + ["%"] * 6]
    rows += [[str(i), *launch, tensor, "1.0", "2.0"] for i, launch in enumerate(launches)]
    table = "\n".join(",".join(f'"{field}"' for field in row) for row in rows)
    return f"==PROF== Connected to process 1\n# card x\n{table}\n"


OWN = ("inputs_make(inputs_matrix)", "90,000", "1", "2", "3")
COMPARE = ("inputs_compare(inputs_matrix, unsigned int *)", "9,000,000", "1", "2", "3")
CONFIG = ("matmul_second_launch_config", "3,000", "0", "1", "2")
FIRST = ("matmul_first", "25,464,416", "16.69", "36.98", "96.87")
PARTS = ("sum_parts(const float *)", "2,838,592", "76.20", "83.63", "59.25")
ADD = ("add_parts(const float *)", "10,000", "1.00", "2.00", "97.00")
CUBLAS = ("sm80_xmma_gemm_f32f32", "2,689,600", "79.05", "89.29", "59.14")
WHOLE = ncu(OWN, FIRST, COMPARE, CONFIG, OWN, PARTS, ADD, COMPARE, OWN, CUBLAS, COMPARE)
KERNELS = ["first", "second", "cublas_fp32"]


class Bounds(unittest.TestCase):
    def test_the_busiest_part_of_the_longest_launch_is_named(self) -> None:
        found = bounds.bounds_read(WHOLE, KERNELS)
        self.assertEqual(found["first"], "shared memory and L1, 97 %")
        self.assertEqual(found["second"], "issuing instructions, 84 %")
        self.assertEqual(found["cublas_fp32"], "issuing instructions, 89 %")

    def test_tensor_cores_are_a_part_of_the_gpu(self) -> None:
        made = ("array_make(inputs_array)", "9,000,000", "1", "2", "3")
        compared = ("array_compare(inputs_array, unsigned int *)", "9,000,000", "1", "2", "3")
        pad = ("pad(const __half *)", "10,000", "1.00", "2.00", "97.00")
        multiply = ("multiply(float *)", "2,838,592", "1.20", "13.63", "59.25")
        output = ncu(made, made, pad, multiply, compared, tensor="88.4")
        self.assertEqual(bounds.bounds_read(output, ["last"]), {"last": "tensor cores, 88 %"})

    def test_where_nothing_is_busy_the_kernel_waits(self) -> None:
        lazy = ("matmul_first", "25,464,416", "16.69", "36.98", "49.4")
        found = bounds.bounds_read(ncu(OWN, lazy, COMPARE), ["first"])
        self.assertEqual(found["first"], "waiting; shared memory and L1 49 %")

    def test_another_number_of_products_says_nothing(self) -> None:
        self.assertEqual(bounds.bounds_read(WHOLE, KERNELS[:2]), {})
        self.assertEqual(bounds.bounds_read("==ERROR== ERR_NVGPUCTRPERM", KERNELS), {})

    def test_two_products_with_nothing_of_ours_between_are_one(self) -> None:
        self.assertEqual(bounds.bounds_read(ncu(OWN, FIRST, CUBLAS), KERNELS[:2]), {})

    def test_the_size_is_that_of_the_table_of_steps(self) -> None:
        rows = [{"m": "33", "n": "65", "k": "129"}] + [
            {"m": n, "n": n, "k": n} for n in ("1024", "4096", "8192", "2048")
        ]
        self.assertEqual(bounds.size_choose(rows), ("4096",) * 3)
        self.assertEqual(bounds.size_choose(rows[:1]), ("33", "65", "129"))


class Program(unittest.TestCase):
    """Over a stand-in for ncu, found by PATH."""

    def run_over(self, script: str) -> tuple[str, str]:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "ncu").write_text(f"#!/bin/sh\n{script}\n")
            (folder / "ncu").chmod(0o755)
            (folder / "ladder.csv").write_text(CSV)
            done = bounds.subprocess.run(
                [sys.executable, ROOT / "grader/tools/ladder/bounds.py", folder / "ladder.csv"]
                + ["bench", "extra.cu"],
                env={"PATH": f"{folder}:/usr/bin:/bin"},
                capture_output=True,
                text=True,
                check=False,
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            return (folder / "ladder.csv").read_text(), done.stderr

    def test_the_ladder_has_what_ncu_saw(self) -> None:
        text, said = self.run_over(f"echo \"$@\" >&2; cat <<'END'\n{WHOLE}END")
        self.assertEqual(said, "")
        rows = ladder.step_table(ladder.ladder_read(text), (4096,) * 3).splitlines()
        self.assertTrue(rows[0].endswith(" busiest |"))
        self.assertTrue(rows[2].endswith("| shared memory and L1, 97 % |"), rows[2])
        self.assertTrue(rows[4].endswith("| issuing instructions, 89 % |"), rows[4])

    def test_bench_is_asked_for_one_launch_of_each_at_that_size(self) -> None:
        asks = 'case "$*" in *" bench --launches 0 4096x4096x4096 extra.cu") exit 0;; esac; exit 9'
        _, said = self.run_over(f"{asks}")
        self.assertIn("it did not see each kernel once", said)

    def test_counters_that_may_not_be_read_change_nothing(self) -> None:
        text, said = self.run_over("echo '==ERROR== ERR_NVGPUCTRPERM - no permission'")
        self.assertEqual(text, CSV)
        self.assertIn("ERR_NVGPUCTRPERM - no permission; what bounds a kernel is estimated", said)


if __name__ == "__main__":
    unittest.main()
