"""How tests/cli compares what is printed: `...` stands for words, and hides no fact."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "cli"))

from expected import merge  # noqa: E402


class Expected(unittest.TestCase):
    def agree(self, want: str, got: str) -> bool:
        lines = want.split("\n")
        return merge(lines, got.split("\n")) == lines

    def test_same_lines_agree(self) -> None:
        self.assertTrue(self.agree("a: b\n\nexit 0", "a: b\n\nexit 0"))

    def test_any_other_character_does_not(self) -> None:
        for got in ("a: c", "a:  b", "a: b\n", "a: b\na: b", ""):
            with self.subTest(got):
                self.assertFalse(self.agree("a: b", got))

    def test_dots_are_words_or_nothing(self) -> None:
        for got in ("seed '12xy'", "bad seed '12xy'", "'12xy' isn't a seed; why (or not)?"):
            with self.subTest(got):
                self.assertTrue(self.agree("...'12xy'...", got))

    def test_dots_hide_no_fact(self) -> None:
        facts = ("row 8", "'key'", "`word`", '"text"', "a.cu:5", "a/b", "#race", "EX=", "[1]")
        for fact in (*facts, "<a>", "a_b", "B", "C of the grid", "so  much", "| line", "^"):
            with self.subTest(fact):
                self.assertFalse(self.agree("say ...", f"say that {fact}"))

    def test_fact_beside_dots_is_compared(self) -> None:
        self.assertTrue(self.agree("  ... 8 ... C ...", "  Row 8 of C is never written."))
        self.assertFalse(self.agree("  ... 8 ... C ...", "  Row 9 of C is never written."))
        self.assertFalse(self.agree("  ... 8 ... C ...", "  Row 8 of C is never 7."))

    def test_wrapped_text_is_one_line_with_dots(self) -> None:
        want = "sum: race\n  ... line 11 ...\n  where   size 1x1x1"
        for text in ("  In line 11.", "  It was in\n  line\n  11. A GPU\n  stops.", "  line 11"):
            with self.subTest(text):
                self.assertTrue(self.agree(want, f"sum: race\n{text}\n  where   size 1x1x1"))

    def test_wrapped_text_ends_where_it_is_indented_less(self) -> None:
        self.assertFalse(self.agree("  a ...", "  a b\nc"))
        self.assertFalse(self.agree("  a ...", "  a b\n\n  c"))

    def test_words_between_two_lines_are_not_passed_over(self) -> None:
        self.assertFalse(self.agree("sum: ...\nexit 1", "sum: race\nscan: race\nexit 1"))
        self.assertFalse(self.agree("a\nexit 1", "a\nb\nexit 1"))

    def test_lines_that_agree_are_kept_and_others_brought_up_to_date(self) -> None:
        want = ["sum: race", "  ... 8 ...", "  old", "exit 1"]
        got = ["sum: race", "  Row 8 is", "  wrong.", "  new 5", "exit 1"]
        self.assertEqual(merge(want, got), ["sum: race", "  ... 8 ...", "  new 5", "exit 1"])


if __name__ == "__main__":
    unittest.main()
