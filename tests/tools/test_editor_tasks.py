"""The tasks for VS Code: their goals exist, and their pattern finds the places that are printed."""

from __future__ import annotations

import json
import re
import unittest
from pathlib import Path

from goals import goals

ROOT = Path(__file__).resolve().parents[2]
PLACES = {
    "student/tiled.cu:34:20: data race": ("34", "20", None, "data race"),
    "student/tiled.cu:5: does not compile": ("5", None, None, "does not compile"),
    "student/sum.cu:7:3: warning: a barrier that is not called": (
        "7", "3", "warning", "a barrier that is not called",
    ),
    "    student/sum.cu:15:31: error: expected ';'": ("15", "31", "error", "expected ';'"),
}  # fmt: skip
NO_PLACES = (
    "tiled: pass (37 of 37 cases)",
    "    \u2502    15 |  C[0] = acc",
    "     34 | acc += As[ty][k];",
)


class EditorTasksTest(unittest.TestCase):
    def setUp(self) -> None:
        text = (ROOT / ".vscode/tasks.json").read_text()
        self.tasks = json.loads(re.sub(r"^//.*", "", text, flags=re.M))["tasks"]

    def test_goals_exist(self) -> None:
        for task in self.tasks:
            self.assertEqual(task["command"], "make")
            self.assertIn(task["args"][1], goals())

    def test_places_are_found(self) -> None:
        pattern = re.compile(self.tasks[0]["problemMatcher"]["pattern"]["regexp"])
        for line, (*numbers, text) in PLACES.items():
            found = pattern.match(line)
            assert found, line
            self.assertEqual(found.groups()[1:], (*numbers, text))
        for line in NO_PLACES:
            self.assertIsNone(pattern.match(line), line)


if __name__ == "__main__":
    unittest.main()
