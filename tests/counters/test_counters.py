"""What the CPU device counts equals what Nsight Compute counts on an H200.

The one-warp patterns are compiled and launched one by one, and compared with the table of
patterns.h. tests/unit/emu/test_count_rules.c tests only the rules.  The values of the reference
kernels were read on an NVIDIA H200 (driver 580.159.04, Nsight Compute 2025.3.1.0, 2026-11-21) with
tests/gpu/counters.py.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests/emu"))

# pylint: disable=wrong-import-position
from toolchain import Rig, Toolchain, build, rig_make, run

LIBRARY = ROOT / "build/libemu-worker.a"
KINDS = {"LOAD": "load", "STORE": "store", "REDUCE": "atomic", "FETCH": "atomic"}

# Diverging lanes, shape by shape: requests and sectors of global loads, read as those below.
SHAPES = [
    ("inner loops that take turns", (6, 24)),
    ("the same with a load before", (8, 32)),
    ("as many rounds as the lane's number", (32, 80)),
    ("some skip", (11, 44)),
    ("some leave", (63, 156)),
    ("one function called in two branches", (8, 32)),
]
# In the first shape, no access is made by all lanes in each iteration of the outer loop, so nothing
# shows where they reconverge: its requests are counted as if the lanes never waited for each other.
NOT_SEEN = {"inner loops that take turns": (4, 28)}

# Requests and sectors of global loads and stores, excessive wavefronts of shared memory, and
# operations of floating point (twice the FFMA instructions of threads).
REFERENCES = {
    ("register_tiled", 512): (32768, 524288, 2048, 32768, 0, 2 * 134217728),
    ("register_tiled", 500): (32128, 580000, 2016, 33250, 0, 2 * 134217728),
}
# memory_l2_theoretical_sectors_global_ideal: loads and stores.
IDEAL_SECTORS = {
    ("register_tiled", 512): 557056,
    ("register_tiled", 500): 531252,
}


def counts_of(output: str) -> dict[str, int]:
    return {name: int(value) for name, value in re.findall(r"^count (\w+) (\d+)", output, re.M)}


def table(name: str) -> list[tuple[str, str, int, int, int]]:
    """Name, kind, requests, units and ideal of each row of patterns.h."""
    text = (HERE / "patterns.h").read_text(encoding="utf-8")
    part = text.split(f"#define {name}(X)")[1].split("\n\n")[0]
    rows = re.findall(r'X\("([^"]+)", (\w+), .*?, (\d+), (\d+), (\d+)\)', part)
    return [(row[0], row[1], int(row[2]), int(row[3]), int(row[4])) for row in rows]


class Device(unittest.TestCase):
    """Builds and runs kernels as the product does."""

    rig: Rig
    folder: Path

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(tempfile.mkdtemp())
        cls.rig = rig_make(Toolchain("g++"), cls.folder, LIBRARY)

    @classmethod
    def tearDownClass(cls) -> None:
        shutil.rmtree(cls.folder)

    def built(self, source: Path, kernel: str) -> Path:
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        program, messages = build(self.rig, source, kernel, folder)
        assert program is not None, messages
        return program

    def patterns(self) -> Path:
        """A submission is one file, so the table goes into it."""
        whole = self.folder / "patterns.cu"
        table_text = (HERE / "patterns.h").read_text(encoding="utf-8")
        text = (HERE / "patterns.cu").read_text(encoding="utf-8")
        whole.write_text(text.replace('#include "patterns.h"', table_text), encoding="utf-8")
        return self.built(whole, "matmul_patterns")

    def output(self, program: Path, size: str, *words: str) -> str:
        done = run(self.rig, program, size, "count", "cpu_ms=100000", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("end finished", done.stdout)
        return done.stdout


class Patterns(Device):
    """One warp, one instruction."""

    def test_each_pattern_costs_what_nsight_compute_reads(self) -> None:
        program = self.patterns()
        tables = {"global": table("GLOBAL_PATTERNS"), "shared": table("SHARED_PATTERNS")}
        self.assertGreater(len(tables["shared"]), 190)
        with ThreadPoolExecutor(2) as pool:
            outputs = list(
                pool.map(
                    lambda number: self.output(program, f"64x{200 + number}x128"),
                    range(len(tables["global"])),
                )
            )
        for space, rows in tables.items():
            for row, output in zip(rows, outputs):
                counts = counts_of(output)
                prefix = f"{space}_{KINDS[row[1]]}"
                unit = "sectors" if space == "global" else "wavefronts"
                got = tuple(counts[f"{prefix}_{name}"] for name in ("requests", unit, "ideal"))
                with self.subTest(space=space, pattern=row[0]):
                    self.assertEqual(got, row[2:])

    def test_lanes_that_part_and_meet(self) -> None:
        program = self.patterns()
        for number, (name, read) in enumerate(SHAPES):
            counts = counts_of(self.output(program, f"64x{1000 + number}x128"))
            got = (counts["global_load_requests"], counts["global_load_sectors"])
            with self.subTest(shape=name):
                self.assertEqual(got, NOT_SEEN.get(name, read))


# Calls that take vectors by value, from memory; marked with the requests of one warp.
BY_VALUE = """\
#include "matmul.cuh"

struct Four {
    float x, y, z, w;
};

static __device__ float sum4(float4 v)
{
    return v.x + v.y + v.z + v.w;
}

static __device__ float sum2(float2 v, float2 w)
{
    return v.x + v.y + w.x + w.y;
}

static __device__ int sum_int4(int4 v)
{
    return v.x + v.y + v.z + v.w;
}

static __device__ float sum_double4(double4 v)
{
    return (float)(v.x + v.y + v.z + v.w);
}

static __device__ float sum_struct(Four v)
{
    return v.x + v.y + v.z + v.w;
}

__global__ void matmul_by_value(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float4 tile[33];
    int lane = threadIdx.x;
    tile[lane] = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
    __syncwarp();
    float sum = sum4(((const float4 *)A)[lane]);  //@1 0
    sum += sum2(((const float2 *)A)[lane], ((const float2 *)B)[lane]);  //@2 0
    sum += sum_int4(((const int4 *)A)[lane]);  //@1 0
    sum += sum_double4(((const double4 *)A)[lane]);  //@2 0
    sum += sum_struct(((const Four *)A)[lane]);  //@4 0
    sum += sum4(tile[lane]);  //@0 1
    C[lane] = sum;
}

LAUNCH_CONFIG(matmul_by_value, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
"""


class Vectors(Device):
    """A float4 that a call takes by value is one access, as on a GPU."""

    def test_a_vector_by_value_is_one_access(self) -> None:
        source = self.folder / "by_value.cu"
        source.write_text(BY_VALUE, encoding="utf-8")
        counts = counts_of(self.output(self.built(source, "matmul_by_value"), "32x32x32"))
        marks = [tuple(map(int, mark)) for mark in re.findall(r"//@(\d+) (\d+)$", BY_VALUE, re.M)]
        self.assertEqual(counts["global_load_requests"], sum(mark[0] for mark in marks))
        self.assertEqual(counts["shared_load_requests"], sum(mark[1] for mark in marks))


# A kernel of one warp; a line marked with a number executes so many operations in each thread.
FLOPS = """\
#include "matmul.cuh"
#include <math.h>

static __device__ float twice(float x)
{
    return x + x;  //@4
}

__global__ void matmul_flops(const float *A, const float *B, float *C, int M, int N, int K)
{
    int lane = threadIdx.x;
    float a = A[lane];
    float b = B[lane];
    double d = (double)a;
    float sum = 0.0f;
    for (int k = 0; k < 10; k++) {
        sum = fmaf(a, b, sum) + a * b;  //@40
        if (k < 3) {
            sum = __fmaf_rn(a, sum, b) / 3.0f;  //@9
        }
        sum = k % 2 == 0 ? fmaxf(sum, a) : -sum;
    }
    d = d * d - 1.0;  //@2
    sum += (float)d;  //@1
    sum += sqrtf(a * a);  //@3
    for (int k = 0; k < 2; k++) {
        sum = twice(sum) * twice(1.0f);  //@2
    }
    int bits = lane * 7 + M;
    C[lane] = sum > 1.0e30f ? (float)bits : sum;
}

LAUNCH_CONFIG(matmul_flops, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
"""


class Operations(Device):
    """Operations of floating point, line by line."""

    def test_each_line_counts_what_it_executes(self) -> None:
        source = self.folder / "flops.cu"
        source.write_text(FLOPS, encoding="utf-8")
        output = self.output(self.built(source, "matmul_flops"), "8x8x8", "places")
        wanted = {
            number: 32 * int(mark[1])
            for number, line in enumerate(FLOPS.splitlines(), 1)
            if (mark := re.search(r"//@(\d+)$", line))
        }
        got = {int(a): int(b) for a, b in re.findall(r"^flops (\d+) (\d+)$", output, re.M)}
        self.assertEqual(got, wanted)
        self.assertEqual(counts_of(output)["flops"], sum(wanted.values()))


class References(Device):
    """The last kernel of the course, at an aligned and at a ragged size, with several processes.

    tests/grade has the others."""

    def test_each_reference_counts_what_nsight_compute_reads(self) -> None:
        programs = {
            name: self.built(ROOT / f"reference/{name}.cu", f"matmul_{name}")
            for name in ("register_tiled",)
        }
        for (name, n), read in REFERENCES.items():
            outputs = [
                self.output(programs[name], f"{n}x{n}x{n}", "places", f"processes={processes}")
                for processes in (2, 1, 4)[: 1 if (name, n) != ("register_tiled", 500) else 3]
            ]
            counts = counts_of(outputs[0])
            excessive = counts["shared_load_joined"] - counts["shared_load_joined_ideal"]
            excessive += counts["shared_store_wavefronts"] - counts["shared_store_ideal"]
            got = (
                *[counts[f"global_load_{what}"] for what in ("requests", "sectors")],
                *[counts[f"global_store_{what}"] for what in ("requests", "sectors")],
                excessive,
                counts["flops"],
            )
            ideal = counts["global_load_ideal"] + counts["global_store_ideal"]
            with self.subTest(kernel=name, n=n):
                self.assertEqual(got, read)
                self.assertEqual(ideal, IDEAL_SECTORS[(name, n)])
                self.assertEqual(counts["flop_blocks"], counts["blocks"])
                self.assertEqual(len(set(outputs)), 1)  # with any number of processes


if __name__ == "__main__":
    unittest.main()
