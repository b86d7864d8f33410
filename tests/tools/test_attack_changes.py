"""An attack's kernel file: the honest kernel with the lines that sum.diff changes."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "attacks"))

from attack import CHANGES, DATA, HERE, HONEST, KERNEL, kernel_of, lines_change  # noqa: E402

HOST = ["a {", "}", "", "b {", "  x", "}"]


class Changes(unittest.TestCase):
    def test_no_change_is_the_file_itself(self) -> None:
        self.assertEqual(lines_change(HOST, []), HOST)

    def test_new_lines_follow_the_line_above_them(self) -> None:
        made = lines_change(HOST, [" b {", "+  y", "+"])
        self.assertEqual(made, ["a {", "}", "", "b {", "  y", "", "  x", "}"])

    def test_new_lines_at_the_top_are_the_first_of_the_file(self) -> None:
        self.assertEqual(lines_change(HOST, ["+y"]), ["y", *HOST])

    def test_line_taken_away_is_replaced_by_what_follows(self) -> None:
        made = lines_change(HOST, ["-  x", "+  y"])
        self.assertEqual(made, ["a {", "}", "", "b {", "  y", "}"])

    def test_place_is_the_first_such_line_from_there_on(self) -> None:
        made = lines_change(HOST, [" }", "+1", "@@", " }", "+2"])
        self.assertEqual(made, ["a {", "}", "1", "", "b {", "  x", "}", "2"])

    def test_empty_line_is_one_of_the_file(self) -> None:
        made = lines_change(HOST, [" }", "", "+y"])
        self.assertEqual(made, ["a {", "}", "", "y", "b {", "  x", "}"])

    def test_lines_that_lie_apart_want_a_mark_between_them(self) -> None:
        with self.assertRaisesRegex(ValueError, r"^not there below line 1: ' b \{'$"):
            lines_change(HOST, [" a {", "+y", " b {"])

    def test_line_that_is_not_there_is_refused(self) -> None:
        for change in ("-  y", " c", "x", "@@ -1 +1 @@"):
            with self.subTest(change), self.assertRaises(ValueError):
                lines_change(HOST, [change])

    def test_lines_out_of_order_are_refused(self) -> None:
        with self.assertRaises(ValueError):
            lines_change(HOST, [" b {", "+1", "@@", " a {"])


class Attacks(unittest.TestCase):
    def test_every_attack_has_its_kernel_once_and_changes_something(self) -> None:
        honest = HONEST.read_bytes()
        for folder in sorted(path.parent for path in HERE.glob("*/" + DATA)):
            with self.subTest(folder.name):
                text = kernel_of(folder)
                if (folder / CHANGES).exists():
                    self.assertFalse((folder / KERNEL).exists())
                    self.assertNotEqual(text, honest)


if __name__ == "__main__":
    unittest.main()
