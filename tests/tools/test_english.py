"""tests/english/sample.py draws the same 100 sentences whenever it is asked."""

from __future__ import annotations

import shutil
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TITLES = 12  # in a sample


def drawn(*options: str) -> str:
    command = [sys.executable, str(ROOT / "tests/english/sample.py"), *options]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


class Sample(unittest.TestCase):
    def setUp(self) -> None:
        if not shutil.which("git"):
            self.skipTest("git is not installed")
        count = ["git", "-C", str(ROOT), "rev-list", "--count", "HEAD"]
        counted = subprocess.run(count, capture_output=True, text=True, check=False).stdout
        if int(counted or 0) < TITLES:
            self.skipTest("this is not a clone with its history")

    def test_the_same_seed_draws_the_same_sentences(self) -> None:
        self.assertEqual(drawn(), drawn())
        self.assertNotEqual(drawn(), drawn("--seed", "1"))

    def test_a_hundred_sentences_have_a_place(self) -> None:
        heads = [line for line in drawn().splitlines() if not line.startswith("    ")]
        self.assertEqual([int(line[:3]) for line in heads], list(range(1, 101)))


if __name__ == "__main__":
    unittest.main()
