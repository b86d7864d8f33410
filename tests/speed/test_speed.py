"""Counted speed against measured speed, kernel by kernel (kernels.txt, measured.csv).

One in PART is judged, drawn by the commit, of FEW: a kernel for each way to be slow, and a few fast
ones.  All are with SETS=all in the environment, or those that KERNELS names:
KERNELS="tiled/all_in_one_block vectorized/thin_blocks".
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from kernels import ROOT, Kernel, kernels

sys.path.insert(0, str(ROOT / "tests"))

from drawn import is_drawn, sample  # noqa: E402  (found by the line above)

BUILD = ROOT / "build"
MEASURED = Path(__file__).resolve().parent / "measured.csv"
FAST = 0.95  # of the points on a GPU
PART = 4
FEW = (
    "naive/row_in_a_local_array",
    "reduction/atomics_one_address",
    "reduction/more_blocks",
    "register_tiled/sums_by_a_call",
    "tensor_mma/one_buffer",
    "tensor_mma/sleeps_by_step",
    "softmax/row_in_shared",
    "tiled/all_in_one_block",
    "tiled/tile_of_32",
    "tiled/warps_that_only_wait",
    "transpose/tile32_pad1",
    "vector_add/blocks_of_32",
    "vectorized/eight_divisions",
    "vectorized/spills_for_four_blocks",
    "warp_specialized/boxes_of_a_row",
    "warp_specialized/waits_with_pauses",
    "warp_tiled/vectorized_for_it",
)


def rows() -> dict[str, dict[str, str]]:
    with MEASURED.open(encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    return {f"{row['exercise']}/{row['kernel']}": row for row in csv.DictReader(lines)}


def verdict_of(kernel: Kernel) -> str:
    """`fast` with all points, else `slow`; `open` if counted work does not show it."""
    with tempfile.TemporaryDirectory() as folder:
        submission = Path(folder, "submission")
        submission.mkdir()
        (submission / f"{kernel.exercise}.cu").write_text(kernel.text(), encoding="utf-8")
        command = [str(BUILD / "tilegrade"), "grade", "--root", str(ROOT), "--device", "emu"]
        command += ["--exercise", kernel.exercise, "--submission", str(submission)]
        command += ["--seed", "1", "--jobs", "1", "--out", f"{folder}/out"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        try:
            result = json.loads(Path(folder, "out", "result.json").read_text(encoding="utf-8"))
        except OSError:
            return f"no result: {done.stdout}{done.stderr}"
    (exercise,) = result["exercises"]
    if exercise["verdict"] != "pass":
        return exercise["verdict"]
    parts = [speed["points"] == speed["points_max"] for speed in exercise["speed"]]
    return "open" if not parts else "fast" if all(parts) else "slow"


class Speed(unittest.TestCase):
    def test_each_kernel_was_measured(self) -> None:
        names = [f"{kernel.exercise}/{kernel.name}" for kernel in kernels()]
        self.assertEqual(sorted(names), sorted(rows()))
        self.assertTrue(all(kernel.text() for kernel in kernels()))  # its lines are in its file

    def test_no_kernel_is_fast_that_earns_nothing_on_a_gpu(self) -> None:
        fast = {name: row for name, row in rows().items() if row["counted"] == "fast"}
        wrong = [name for name, row in fast.items() if row["share"] == "0.00"]
        self.assertEqual(wrong, [])

    def test_few_kernels_that_are_fast_on_a_gpu_are_denied_it(self) -> None:
        fast = [name for name, row in rows().items() if float(row["share"]) >= FAST]
        denied = [name for name in fast if rows()[name]["counted"] != "fast"]
        self.assertGreaterEqual(len(fast), 20)
        self.assertLessEqual(10 * len(denied), len(fast), denied)

    def test_the_verdict_is_the_one_of_the_table(self) -> None:
        wanted = os.environ.get("KERNELS", "").split()
        wanted = wanted or [name for name in FEW if is_drawn("speed", name, PART)]
        if os.environ.get("SETS") == "all":
            wanted = tuple(rows())
        chosen = [kernel for kernel in kernels() if f"{kernel.exercise}/{kernel.name}" in wanted]
        self.assertEqual(len(chosen), len(wanted))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for kernel, verdict in zip(chosen, pool.map(verdict_of, chosen)):
                name = f"{kernel.exercise}/{kernel.name}"
                with self.subTest(name, SAMPLE=sample()):
                    self.assertEqual(verdict, rows()[name]["counted"])


if __name__ == "__main__":
    unittest.main()
