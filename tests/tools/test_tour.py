"""The tour of grader/README.md names every source file, and no file that is not there."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The grader's own sources; what students' programs are called on this page is no file of it.
OTHER = {"NAME.c", "expected.c", "grade_many.py"}


class Tour(unittest.TestCase):
    def test_each_source_is_named(self) -> None:
        text = (ROOT / "grader/README.md").read_text("utf-8")
        named = set(re.findall(r"[\w.]+\.(?:c|h|py|S|cu)\b", text))
        files = {path.name for path in (ROOT / "grader").rglob("*.*")}
        sources = {path.name for path in (ROOT / "grader").rglob("*.c")}
        self.assertEqual(sources - named, set())
        self.assertEqual(named - files - OTHER, set())


if __name__ == "__main__":
    unittest.main()
