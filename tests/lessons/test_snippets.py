"""The examples of lessons/verdicts.md give their own verdicts; those of other pages compile.

An example is wrapped into a function with what the head of that page says: in, out, n, part, t, i.
All but one are in one kernel, which chooses by n: example e runs with n = 256 (e + 1).  So there
are two compilations of them.
"""

from __future__ import annotations

import re
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/emu"))

# pylint: disable=wrong-import-position
from toolchain import Rig, Toolchain, build, rig_make, run

# Verdicts with an example that runs, by precedence as on the page, and what the device calls them.
KINDS = {
    "time_limit": "time_limit",
    "crash": "crash",
    "misaligned": "misaligned",
    "out_of_bounds": "out_of_bounds",
    "barrier_divergence": "barrier_divergence",
    "race": "race",
    "uninitialized": "uninitialized",
    "inputs_changed": "input_written",
    "exited_before_barrier": "exited_before_barrier",
}
WARNING = "exited_before_barrier"  # which comes with a verdict
BEFORE = {"time_limit": "float sum = 0.0f;"}
VARIABLES = """\
    __shared__ float part[256];
    const int t = threadIdx.x;
    const int i = blockIdx.x * 256 + t;
"""
KERNEL = """\
#include "matmul.cuh"
{functions}
__global__ void matmul_page(const float *A, const float *B, float *C, int M, int N, int K)
{{
{body}
}}

LAUNCH_CONFIG(matmul_page, M, N, K)
{{
    launch->grid = dim3(ceil_div(M, 256));
    launch->block = dim3(256);
}}
"""
FUNCTION = (
    """\
static __device__ __noinline__ void example_{number}(const float *in, float *out, int n)
{{
"""
    + VARIABLES
    + """\
    {before}
    (void)part; (void)i; (void)n;
{code}
}}
"""
)


# The other examples: the first file has one of launches.md and those of the lessons.
PARTS_OF_LESSONS = """\
#include "matmul.cuh"
{include}
#define LENGTH 16
__device__ void branches(const float *A, const float *B, int row, int col, int k, int N, int K)
{{
    float acc = 0.0f;
{branches}}}
__device__ void pieces(int row, int col)
{{
    __shared__ __align__(32) float from[16][LENGTH], to[16][LENGTH];
    wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
{pieces}}}
__device__ void dynamic()
{{
{dynamic}}}
"""
LAUNCHES = """\
#include "matmul.cuh"
__global__ void matmul_page(const float *A, const float *B, float *C, int M, int N, int K)
{{
}}
{code}"""


def others() -> dict[str, list[str]]:
    """The examples in C of all pages but verdicts.md."""
    found = {}
    for page in [*ROOT.glob("lessons/*.md"), *ROOT.glob("lessons/[0-9]*_*/*.md")]:
        code = re.findall(r"^```c\n(.*?)```", page.read_text("utf-8"), re.M | re.S)
        if code and page.name != "verdicts.md" and not page.name.endswith(".zh.md"):
            found[str(page.relative_to(ROOT / "lessons"))] = code
    return found


def examples() -> dict[str, str]:
    """The code below each heading."""
    page = (ROOT / "lessons/verdicts.md").read_text("utf-8")
    parts = re.split(r"^## (\w+)$", page, flags=re.M)
    found = {}
    for heading, text in zip(parts[1::2], parts[2::2]):
        code = re.search(r"```c\n(.*?)```", text, re.S)
        if code and heading in KINDS:
            found[heading] = code[1].replace("{ ... }", "{ out[i] = part[j]; }")
    return found


class Examples(unittest.TestCase):
    rig: Rig
    folder: Path

    @classmethod
    def setUpClass(cls) -> None:
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = Path(scratch.name)
        cls.rig = rig_make(Toolchain("g++"), cls.folder, ROOT / "build/libemu-worker.a")

    def built(self, name: str, text: str) -> Path:
        source, folder = self.folder / f"{name}.cu", self.folder / name
        folder.mkdir()
        source.write_text(text, "utf-8")
        program, log = build(self.rig, source, "matmul_page", folder)
        assert program is not None, log
        return program

    def kinds(self, program: Path, n: int) -> list[str]:
        done = run(self.rig, program, f"{n}x1x1", "check", "budget=200000", "cpu_ms=5000")
        return re.findall(r"^finding (\w+)", done.stdout, re.M)

    def test_each_gives_its_verdict(self) -> None:
        found = {heading: code for heading, code in examples().items() if heading != WARNING}
        self.assertEqual({*found, WARNING}, set(KINDS))
        functions = "".join(
            FUNCTION.format(number=number, before=BEFORE.get(heading, ""), code=code)
            for number, (heading, code) in enumerate(found.items())
        )
        cases = "\n".join(
            f"    case {number}: example_{number}(A, C, M); break;" for number in range(len(found))
        )
        text = KERNEL.format(
            functions=functions, body=f"    switch (M / 256 - 1) {{\n{cases}\n    }}"
        )
        program = self.built("all", text)
        for number, heading in enumerate(found):
            with self.subTest(verdict=heading):
                kinds = self.kinds(program, 256 * (number + 1))
                first = next((kind for kind in KINDS.values() if kind in kinds), None)
                self.assertEqual(first, KINDS[heading])

    def test_a_return_before_a_barrier_is_a_warning(self) -> None:
        """Alone, because a return of a function is none of the kernel."""
        body = f"    const float *in = A;\n    const int n = M;\n{VARIABLES}{examples()[WARNING]}"
        program = self.built("warning", KERNEL.format(functions="", body=body))
        self.assertEqual(self.kinds(program, 700), [WARNING])

    def test_those_of_other_pages_compile(self) -> None:
        found = others()
        one, two, three = found.pop("launches.md")
        (branches,) = found.pop("010_naive/lesson.md")
        (pieces,) = found.pop("080_tensor_core/lesson.md")
        (dynamic,) = found.pop("090_tensor_pipeline/lesson.md")
        self.assertEqual(found, {}, "compile these, too")
        include, pieces = pieces.split("\n\n", 1)
        lessons = PARTS_OF_LESSONS.format(
            include=include, branches=branches, pieces=pieces, dynamic=dynamic
        )
        for name, before, code in (("one", lessons, one), ("two", "", two), ("three", "", three)):
            code = re.sub(r"^ +\.\.\..*\n", "", code, flags=re.M).replace("_mine", "_page")
            program = self.built(name, before + LAUNCHES.format(code=code))
            for n in (8, 2048):
                self.assertEqual(self.kinds(program, n), [], name)


if __name__ == "__main__":
    unittest.main()
