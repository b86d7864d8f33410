"""Mutants of references: grader/tools/mutants.py."""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "grader/tools"), str(HERE.parent)]

# pylint: disable=wrong-import-position
import mutants
from small import course_copy

PART = 900  # one in so many is judged

KERNEL = """
__global__ void f(const float *x, float *y, int M, int N) {
    __shared__ float tile[TILE][TILE + 1];
    const int row = threadIdx.y;
    //@cut 1 add
    for (int i = 0; i < N; i += 2) {
        float acc = 0.0f;
        if (row < M && i != N) {
            acc += x[i - 1] * __shfl_down_sync(0xffffffff, acc, 1);
        }
        tile[row][0] = acc;
    }
    //@end
    copy<float, 4>(x);
    __syncthreads();
    y[row] = tile[row][1];
}

LAUNCH_CONFIG(f, M, N) {
    launch->grid = dim3(M < 4, N);
}
"""


def changes() -> list[str]:
    """The mutants of KERNEL: the change, and the lines that are new."""
    before = KERNEL.split("\n")
    made = mutants.mutants_of(KERNEL).values()
    new = [[line.strip() for line in text.split("\n") if line not in before] for _, text in made]
    new = [[line for line in lines if line] for lines in new]
    whats = [what.split(" in column")[0] for what, _ in made]
    return [" | ".join([what, *lines]) for what, lines in zip(whats, new)]


class Made(unittest.TestCase):
    """What is changed, and what is not."""

    def setUp(self) -> None:
        self.changes = changes()

    def test_operators_in_the_whole_kernel(self) -> None:
        """But not in the launch configuration, which no student writes."""
        for wanted in (
            "`<=` for `<` | if (row <= M && i != N) {",
            "`||` for `&&` | if (row < M || i != N) {",
            "`==` for `!=` | if (row < M && i == N) {",
            "`=` for `+=` | acc = x[i - 1] * __shfl_down_sync(0xffffffff, acc, 1);",
            "`0x7fffffff` for `0xffffffff` | "
            "acc += x[i - 1] * __shfl_down_sync(0x7fffffff, acc, 1);",
            "an index + 1 | y[row] = tile[row + 1][1];",
            "a condition that is always true | if (true) {",
        ):
            self.assertIn(wanted, self.changes)
        self.assertNotIn("<= 4", "".join(self.changes))

    def test_loops(self) -> None:
        """The first or the last turn is left out, or all but the first."""
        self.assertIn("`1` for `0` | for (int i = 1; i < N; i += 2) {", self.changes)
        last = "without the last turn | for (int i = 0; i < (N) - (2); i += 2) {"
        self.assertIn(last, self.changes)
        once = "one turn only | for (int i = 0; i < N; i += 2) { { | } break; }"
        self.assertIn(once, self.changes)

    def test_a_sum_that_keeps_its_value(self) -> None:
        self.assertIn(
            "not reset | float acc = 0.0f; for (int i = 0; i < N; i += 2) {", self.changes
        )
        self.assertIn("without its first value | float acc;", self.changes)

    def test_names_are_of_the_same_type(self) -> None:
        self.assertIn("`N` for `M` | if (row < N && i != N) {", self.changes)
        self.assertIn("`row` for `N` | for (int i = 0; i < row; i += 2) {", self.changes)
        wanted = "`y` for `x` | acc += y[i - 1] * __shfl_down_sync(0xffffffff, acc, 1);"
        self.assertIn(wanted, self.changes)

    def test_statements(self) -> None:
        """Any statement alone, but whole blocks only of the student's part."""
        self.assertIn("left out | ;", self.changes)
        self.assertIn("left out | {}", self.changes)

    def test_neither_extents_nor_templates(self) -> None:
        for line in ("copy<=", "TILE - 1", "TILE + 1 + 1"):
            self.assertNotIn(line, "".join(self.changes))

    def test_keys_follow_the_line_and_not_its_number(self) -> None:
        moved = mutants.mutants_of("// One line more.\n" + KERNEL)
        self.assertEqual(moved.keys(), mutants.mutants_of(KERNEL).keys())


class Judged(unittest.TestCase):
    """Each of them fails, or is listed."""

    def test_one_that_passes_must_be_listed(self) -> None:
        with tempfile.TemporaryDirectory() as temporary:
            root = course_copy(Path(temporary))
            right = (root / "reference/sum.cu").read_text(encoding="utf-8")
            made = {
                "00000001": ("wrong", right.replace("k = 0", "k = 1")),
                "00000002": ("equal", right.replace("k < K", "k <= K - 1")),
                "00000003": ("not C++", right.replace("k < K", "k < Q")),
            }

            def proven(listed: str) -> tuple[bool, str]:
                (root / "tests/mutants").mkdir(exist_ok=True)
                (root / "tests/mutants/sum.txt").write_text(listed, encoding="utf-8")
                with mock.patch.object(mutants, "mutants_of", lambda text: made):
                    with contextlib.redirect_stdout(io.StringIO()) as said:
                        good = mutants.prove(root, ROOT / "build", "sum", 1)
                return good, said.getvalue()

            good, said = proven("")
            self.assertFalse(good)
            self.assertIn("sum: 2 mutants, 1 fail, 0 are equal, 0 known gaps, 1 survive\n", said)
            self.assertIn("\n00000002 equal\n", said)
            good, said = proven("# The last k is K - 1.\n00000002 equal\n")
            self.assertTrue(good, said)
            self.assertIn("1 fail, 1 are equal, 0 known gaps, 0 survive", said)
            good, said = proven("# gap: no case shows it.\n00000002 equal\n")
            self.assertTrue(good, said)
            self.assertIn("1 fail, 0 are equal, 1 known gaps, 0 survive", said)
            good, said = proven("# No.\n00000001 wrong\n00000002 equal\n00000004 gone\n")
            self.assertFalse(good)
            self.assertEqual(said.count("remove its line"), 2)

    def test_those_of_the_references(self) -> None:
        for listed in sorted(HERE.glob("*.txt")):
            with self.subTest(exercise=listed.stem):
                self.assertTrue(mutants.prove(ROOT, ROOT / "build", listed.stem, PART))


if __name__ == "__main__":
    unittest.main()
