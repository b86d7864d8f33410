"""The roster of the workflow that grades an organization: the time of a push is added."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "grader/templates/github/roster.py"
PUSHES = "id,github,received\noctocat,octocat,2026-11-30T22:10:00Z\nbo,bo,2026-12-01T01:00:00Z\n"


class Roster(unittest.TestCase):
    def joined(self, roster: str | None) -> subprocess.CompletedProcess:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "pushes.csv").write_text(PUSHES, "utf-8")
            if roster is not None:
                Path(folder, "roster.csv").write_text(roster, "utf-8")
            command = [sys.executable, str(SCRIPT), "pushes.csv", "roster.csv"]
            return subprocess.run(
                command, cwd=folder, capture_output=True, text=True, check=False
            )

    def test_without_a_roster_the_repositories_are_it(self) -> None:
        self.assertEqual(self.joined(None).stdout, PUSHES)

    def test_a_time_of_the_roster_counts_before_that_of_the_push(self) -> None:
        roster = "\ufeffid,name,github,received\n"
        roster += "1,Åke,OctoCat,\n2,Bo,bo,2026-11-01T00:00:00Z\n3,C,,\n"
        self.assertEqual(
            self.joined(roster).stdout.splitlines()[1:],
            ["1,Åke,OctoCat,2026-11-30T22:10:00Z", "2,Bo,bo,2026-11-01T00:00:00Z", "3,C,,"],
        )

    def test_a_roster_without_logins_is_refused(self) -> None:
        done = self.joined("id,name\n1,Bo\n")
        self.assertEqual(done.returncode, 2)
        self.assertIn("roster.csv: the columns id and github are needed", done.stderr)


if __name__ == "__main__":
    unittest.main()
