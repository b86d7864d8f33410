"""The pages of the ladder."""

from __future__ import annotations

import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "grader/tools/ladder"))

import ladder  # noqa: E402
from data import CUBLAS, NAMES  # noqa: E402

CSV = (Path(__file__).parent / "ladder.csv").read_text()
RESULT = {
    "exercises": [
        {"name": "first", "estimate": {"student": {"bound_text": "loads from global memory"}}},
        {"name": "second"},
    ]
}


class Page(unittest.TestCase):
    def setUp(self) -> None:
        self.ladder = ladder.ladder_read(CSV, RESULT)

    def test_steps_say_ratio_share_gain_and_bound(self) -> None:
        rows = ladder.step_table(self.ladder, (4096, 4096, 4096)).splitlines()
        self.assertEqual(
            rows[2], "| first | 5.33 | 0.11 | 0.08 | - | loads from global memory (estimated) |"
        )
        self.assertEqual(rows[3], "| second | 8.13 | 0.16 | 0.13 | 1.53 | - |")
        self.assertEqual(rows[4], "| cuBLAS, fp32 | 49.9 | 1.00 | 0.78 | - | - |")
        self.assertEqual(rows[5], "| the multiply-add units alone | 63.7 |  | 1.00 |  |  |")

    def test_a_wrong_output_has_no_figure(self) -> None:
        table = ladder.size_table(self.ladder, ["second"], [(33, 65, 129), (1024, 1024, 1024)])
        self.assertEqual(table.splitlines()[0], "| TFLOPS | 33x65x129 | 1024 |")
        self.assertEqual(table.splitlines()[2], "| second | - | 7.75 |")

    def test_the_page_shows_steps_at_the_largest_size_up_to_4096(self) -> None:
        page = ladder.markdown(self.ladder)
        self.assertIn("step, at 4096", page)
        self.assertIn("NVIDIA H200, 2026-11-20, CUDA 13.0: medians of 21 launches", page)
        self.assertIn("| first | 0.14 | 0.60 | 0.11 |", page)

    def test_without_cublas_the_best_kernel_is_the_yardstick(self) -> None:
        text = "\n".join(line for line in CSV.splitlines() if "cublas_fp32" not in line)
        alone = ladder.ladder_read(text.replace("# cublas 130000", "# cublas none"))
        self.assertEqual(alone.yardstick(), "second")
        self.assertIn("cuBLAS was not found", ladder.markdown(alone))
        self.assertIn("| first | 0.65 | - | 0.66 |", ladder.markdown(alone))

    def test_of_tensor_cores_the_yardstick_is_cublas_of_the_type(self) -> None:
        text = CSV.replace("cublas_fp32", "cublas_fp16").replace("# fma_peak_gflops 63700\n", "")
        page = ladder.markdown(ladder.ladder_read(text + "# bound second tensor cores, 70 %\n"))
        self.assertIn("cuBLAS, FP16, version 130000, in the same run.", page)
        self.assertIn("| step, at 4096 | TFLOPS | of cuBLAS, FP16 | gain over the step", page)
        self.assertIn("| second | 8.13 | 0.16 | 1.53 | tensor cores, 70 % |", page)
        self.assertNotIn("multiply-add units alone", page)
        self.assertEqual(ladder.busiest("tensor cores, 70 %", True), "张量核心，70 %")

    def test_a_file_without_rows_is_refused(self) -> None:
        with self.assertRaises(ValueError):
            ladder.ladder_read("# card x\nkernel,before,m,n,k\n")


class Lessons(unittest.TestCase):
    def setUp(self) -> None:
        self.ladder = ladder.ladder_read(CSV)

    def test_what_stands_between_the_marks_is_written_anew(self) -> None:
        text = (
            "a\n<!-- ladder: kernels=second,cublas_fp32 sizes=1024,4096 -->\nold\n"
            "<!-- /ladder -->\nb\n"
        )
        lines = ladder.lesson_write(self.ladder, text).splitlines()
        self.assertEqual(lines[0], "a")
        self.assertEqual(lines[1], "<!-- ladder: kernels=second,cublas_fp32 sizes=1024,4096 -->")
        self.assertIn("NVIDIA H200, 2026-11-20", lines[2])
        self.assertLessEqual(max(map(len, lines[2:4])), ladder.WIDTH)
        self.assertEqual(lines[5], "| TFLOPS | 1024 | 4096 |")
        self.assertEqual(
            lines[7:10],
            ["| second | 7.75 | 8.13 |", "| cuBLAS, fp32 | 35.6 | 49.9 |", "<!-- /ladder -->"],
        )
        self.assertEqual(lines[10], "b")
        self.assertNotIn("old", lines)

    def test_writing_twice_changes_nothing(self) -> None:
        text = "<!-- ladder: steps=4096 -->\n<!-- /ladder -->\n"
        once = ladder.lesson_write(self.ladder, text)
        self.assertIn("| second | 8.13 | 0.16 | 0.13 | 1.53 | - |", once)
        self.assertEqual(ladder.lesson_write(self.ladder, once), once)

    def test_chinese_pages_have_chinese_tables(self) -> None:
        text = "<!-- ladder: steps=4096 -->\n<!-- /ladder -->\n"
        lines = ladder.lesson_write(self.ladder, text, chinese=True).splitlines()
        self.assertIn("NVIDIA H200，2026-11-20，CUDA", lines[1])
        self.assertTrue(lines[3].startswith("| 步骤，4096 时 | TFLOPS | 相对于 cuBLAS, fp32 |"))
        self.assertIn("只有乘加单元", lines[-2])
        self.assertEqual(ladder.busiest("memory, 40 %", True), "内存，40 %")
        self.assertEqual(ladder.busiest("waiting; memory 40 %", True), "等待；内存 40 %")
        self.assertEqual(ladder.busiest("-", True), "-")

    def test_both_languages_have_the_same_marks(self) -> None:
        for path in ROOT.glob("lessons/**/*.zh.md"):
            english = path.with_name(path.name.replace(".zh.md", ".md")).read_text()
            marks = [[mark[2] for mark in ladder.MARKED.finditer(text)]
                     for text in (english, path.read_text())]
            self.assertEqual(*marks, path)

    @staticmethod
    def stored() -> list[ladder.Ladder]:
        """What was measured once, and what no later run need have."""
        pages = sorted(ROOT.glob("tests/bench/ladder/*.csv"))
        return [ladder.ladder_read(page.read_text()) for page in pages]

    def test_tables_of_stored_figures_are_as_they_are_stored(self) -> None:
        pages = {path: path.read_text() for path in ROOT.glob("lessons/**/*.md")}
        for own in self.stored():
            written = set()
            for path, text in pages.items():
                chinese = path.name.endswith(".zh.md")
                self.assertEqual(ladder.lesson_write(own, text, chinese), text, path)
                if ladder.caption(own, chinese) in text:
                    written.add(chinese)
            self.assertEqual(written, {False, True}, own.kernels())

    def test_a_table_is_kept_if_something_of_it_was_not_measured(self) -> None:
        row = "| {} | 1.00 |\n"
        old = "<!-- ladder: {} -->\nAnother card\n\n| x | y |\n|---|---:|\n{}<!-- /ladder -->\n"
        for words in ("kernels=first,third sizes=4096", "kernels=first sizes=2048"):
            text = old.format(words, row.format("first"))
            self.assertEqual(ladder.lesson_write(self.ladder, text), text)
        for names, is_kept in ((("first", "third"), True), (("first", "second"), False)):
            text = old.format("steps=4096", "".join(map(row.format, names)))
            self.assertEqual(ladder.lesson_write(self.ladder, text) == text, is_kept, names)
        without = CSV.replace("# fma_peak_gflops 63700\n", "")
        text = old.format("steps=4096", row.format("first"))
        self.assertEqual(ladder.lesson_write(ladder.ladder_read(without), text), text)

    def test_figures_have_the_digits_that_are_known(self) -> None:
        text = CSV.replace(",5330.0,", ",53e2,").replace(",8130.0,", ",814e3,")
        text = text.replace(",49900.0,", ",50e3,")
        rows = ladder.size_table(
            ladder.ladder_read(text), ["first", "second", CUBLAS], [(4096, 4096, 4096)]
        )
        self.assertEqual(
            [line.split(" | ")[1] for line in rows.splitlines()[2:]], ["5.3 |", "814 |", "50 |"]
        )

    def test_other_marks_stay(self) -> None:
        text = "<!-- measured -->\n| 1 |\n<!-- /measured -->\n"
        self.assertEqual(ladder.lesson_write(self.ladder, text), text)

    def test_marks_of_the_course_name_kernels_and_sizes_that_can_be_had(self) -> None:
        marks = 0
        for path in ROOT.glob("lessons/**/*.md"):
            for mark in ladder.MARKED.finditer(path.read_text()):
                asked = dict(word.split("=", 1) for word in mark[2].split())
                self.assertTrue({"kernels", "sizes", "steps"} >= set(asked), path)
                self.assertTrue("sizes" in asked or "steps" in asked, path)
                for name in asked.get("kernels", "").split(","):
                    known = name in ("", *NAMES) or (ROOT / f"reference/{name}.cu").exists()
                    known = known or any(name in page.kernels() for page in self.stored())
                    self.assertTrue(known, f"{path}: {name}")
                marks += 1
        self.assertGreater(marks, 0)


class Plot(unittest.TestCase):
    def test_the_plot_is_an_svg_with_the_kernels(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "ladder.svg"
            if not ladder.plot(ladder.ladder_read(CSV), path):
                self.skipTest("matplotlib is not installed")
            self.assertIn("<svg", path.read_text())


if __name__ == "__main__":
    unittest.main()
