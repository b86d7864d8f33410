"""lessons/teaching/exercises.md says what a teacher may write: exactly what the sources accept."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "lessons/teaching/exercises.md").read_text(encoding="utf-8")


def table_keys(heading: str) -> set[str]:
    """The first column of the table below a heading."""
    table = PAGE.split(heading, 1)[1].split("\n## ", 1)[0]
    first = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    return {key for cell in first for key in re.findall(r"`([^`]+)`", cell)}


class ExercisesPage(unittest.TestCase):
    def test_the_table_has_the_keys_and_sections_that_are_read(self) -> None:
        source = (ROOT / "grader/exercise/exercise.c").read_text(encoding="utf-8")
        names = re.search(r"key_names\[KEY_COUNT\] = \{([^}]*)\}", source)
        assert names
        keys = set(re.findall(r'"([\w.]+)"', names[1]))
        sections = set(re.findall(r'strcmp\(section, "(\w+)"\)', source))
        self.assertIn("title", keys)
        self.assertIn("cases", sections)
        shown = keys | {f"[{section}]" for section in sections}
        self.assertEqual(table_keys("## exercise.ini"), shown)

    def test_the_table_of_assignments_has_the_keys_that_are_read(self) -> None:
        source = (ROOT / "grader/exercise/assignment.c").read_text(encoding="utf-8")
        names = re.search(r"key_names\[KEY_COUNT\] = \{([^}]*)\}", source)
        assert names
        keys = set(re.findall(r'"(\w+)"', names[1]))
        self.assertIn("due", keys)
        sections = {"[exercises]", "[questions]", "[bugs]"}
        self.assertEqual(table_keys("# Writing an assignment"), keys | sections)

    def test_the_marks_of_a_reference_are_told(self) -> None:
        source = (ROOT / "grader/exercise/stub.c").read_text(encoding="utf-8")
        marks = set(re.findall(r'\{"(//@\w+)", MARK_', source))
        self.assertEqual(len(marks), 3)
        for mark in marks:
            self.assertIn(mark, PAGE)

    def test_the_limit_of_a_case_is_the_limit(self) -> None:
        source = (ROOT / "grader/exercise/exercise.h").read_text(encoding="utf-8")
        limit = re.search(r"EXERCISE_CASE_WORK_MAX (\d+)ull", source)
        assert limit
        self.assertIn(f"{int(limit[1]):,}", PAGE)


if __name__ == "__main__":
    unittest.main()
