"""Which lines of a kernel are shown with a finding, and where a missing barrier is drawn."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "grader/report"), str(ROOT / "tests/report")]

from drawing import index_lines  # noqa: E402
from make_exercises import racing  # noqa: E402
from test_page import page_of, text_of  # noqa: E402

KERNEL = """__global__ void k(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;
    const int other = 3;
    if (row >= M) {
        return;
    }
    if (other == 3) {
        C[0] = 1.0f;
    }
    float acc = 0.0f;
    for (int k = 0; k < K; ++k)
        acc += A[row * K + k] * B[k * N + col];
    C[row * N + col] = acc;
}
""".split("\n")


class Lines(unittest.TestCase):
    def test_an_access_comes_with_its_indices_and_its_checks(self) -> None:
        # B[k * N + col]: the loop around it and where col comes from; row says nothing of B.
        self.assertEqual(index_lines.of_access(KERNEL, 13, "B[k * N + col]"), {3, 12})
        # C[row * N + col]: both indices and the check of the row; not the loop that has ended.
        self.assertEqual(index_lines.of_access(KERNEL, 14, "C[row * N + col]"), {2, 3, 5})

    def test_a_block_around_the_access_is_a_check_and_one_that_ended_is_not(self) -> None:
        kernel = ["__global__ void k() {", "if (a < 1) {", "b = 1;", "}", "if (c < 2) {", "A[i]"]
        self.assertEqual(index_lines.of_access(kernel, 6, "A[i]"), {5})

    def test_lines_of_another_function_are_not_meant(self) -> None:
        kernel = ["int i = 0;", "__device__ float f(int i) {", "return A[i];"]
        self.assertEqual(index_lines.of_access(kernel, 3, "A[i]"), set())

    def test_an_excerpt_of_an_access_out_of_bounds_has_these_lines(self) -> None:
        exercise = racing()
        exercise["source"] = "\n".join(KERNEL)
        exercise["findings"][0] |= {
            "kind": "out_of_bounds",
            "line": 14,
            "other_line": 0,
            "source": KERNEL[13].strip(),
            "mark": [0, 16],
            "values": [{"name": "row", "value": 1}, {"name": "M", "value": 1}],
        }
        page = page_of(exercise)
        self.assertEqual(page.marks[0], ("e1", "C[row * N + col]"))
        self.assertIn("thread (x 5, y 3) of block (x 0, y 0): row = 1, M = 1", page.text)
        self.assertEqual(page.text.count("const int row ="), 2)  # in the excerpt and in the file


class Barrier(unittest.TestCase):
    def drawn(self, source: str, after: int) -> str:
        exercise = racing()
        exercise["source"] = source
        exercise["findings"][0] |= {"line": 3, "other_line": 2, "barrier_after": after}
        text = text_of(exercise)
        if "<ins>" not in text:
            return ""
        start = text.index('<tr class="ghost">')
        row = text[start : text.index("<ins>", start)]
        return row[row.rindex("<td>") + 4 :]

    def test_it_has_the_place_and_the_indentation_of_a_statement(self) -> None:
        braces = "for (;;) {\n    a;\n    for (;;) {\n        b;\n    }\n}\n"
        self.assertEqual(self.drawn(braces, 5), "    ")
        without = "for (;;) {\n    a;\n    for (;;)\n        b;\n}\n"
        self.assertEqual(self.drawn(without, 4), "    ")

    def test_without_a_place_nothing_is_drawn(self) -> None:
        self.assertEqual(self.drawn("a;\nb;\nc;\n", 0), "")
        self.assertEqual(self.drawn("a;\nb;\nc;\n", 99), "")


if __name__ == "__main__":
    unittest.main()
