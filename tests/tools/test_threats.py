"""grader/THREATS.md names every attack, and only proofs that exist."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "attacks"))

from attack import attacks  # noqa: E402
from threats import PAGE, problems  # noqa: E402


class Threats(unittest.TestCase):
    def setUp(self) -> None:
        self.text = PAGE.read_text(encoding="utf-8")

    def test_page_is_whole(self) -> None:
        self.assertEqual(problems(self.text), [])

    def test_every_attack_is_named(self) -> None:
        self.assertGreaterEqual(len(attacks()), 60)
        for attack in attacks():
            self.assertIn(f"[{attack.name}](../tests/attacks/{attack.name})", self.text)

    def test_missing_row_is_noticed(self) -> None:
        without = "\n".join(line for line in self.text.splitlines() if "[zip_dots]" not in line)
        self.assertIn("are old", problems(without + "\n")[0])

    def test_kind_without_a_promise_is_noticed(self) -> None:
        found = problems(self.text.replace("*compile bombs*", "bombs"))
        self.assertEqual(found, ["grader/THREATS.md promises nothing of the kind *compile bombs*"])

    def test_proof_that_is_gone_is_noticed(self) -> None:
        found = problems(self.text.replace("test_oracle.c", "test_oracles.c"))
        self.assertEqual(
            found,
            ["grader/THREATS.md speaks of tests/unit/judge/test_oracles.c, which is not there"],
        )


if __name__ == "__main__":
    unittest.main()
