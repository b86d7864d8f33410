"""The Makefile passes on what the program does, and lists all that it does itself."""

import re
import subprocess
import unittest

from goals import ROOT, goals, listed

GOALS_MAX = 30
LINES_MAX = 320


class Goals(unittest.TestCase):
    def test_commands_are_those_of_the_program(self) -> None:
        words = [ROOT / "build/tilegrade", "help"]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
        commands = set(re.findall(r"^  ([a-z-]+) ", done.stdout, re.M))
        self.assertLessEqual(listed("COMMANDS"), commands)
        self.assertEqual(commands - listed("COMMANDS"), {"diff", "tiles"})

    def test_its_own_have_a_help_text(self) -> None:
        text = (ROOT / "Makefile").read_text("utf-8")
        self.assertEqual(set(re.findall(r"^([a-z-]+):.*## ", text, re.M)), listed("GOALS"))

    def test_pages_and_messages_name_goals_that_exist(self) -> None:
        known = goals() | listed("HIDDEN")
        pages = [ROOT / "README.md"]
        for folder in ("grader", "lessons", "tests"):
            pages += (ROOT / folder).rglob("*.*")
        for path in pages:
            if path.suffix in (".md", ".c", ".py") and "0066" not in path.name:
                text = path.read_text("utf-8")
                used = set(re.findall(r"`make (?:-s )?([a-z][a-z-]*)", text))
                self.assertLessEqual(used, known, path)

    def test_there_are_few(self) -> None:
        self.assertLessEqual(len(goals()), GOALS_MAX)
        self.assertLessEqual((ROOT / "Makefile").read_text("utf-8").count("\n"), LINES_MAX)


if __name__ == "__main__":
    unittest.main()
