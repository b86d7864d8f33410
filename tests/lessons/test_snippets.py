"""The examples of lessons/verdicts.md give their own verdicts.

An example is wrapped into a function with what the head of that page says: in, out, n, part, t, i.
All but one are in one kernel, which chooses by n: example e runs with n = 256 (e + 1).  So there
are two compilations.
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


if __name__ == "__main__":
    unittest.main()
