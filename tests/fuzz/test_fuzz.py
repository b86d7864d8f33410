"""Replays every input that a fuzz target starts from, or that once crashed it."""

from __future__ import annotations

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import reports
from inputs import ROOT, prepare, targets

PROGRAMS = ROOT / os.environ.get("BUILD", "build") / "tests/fuzz"
SECONDS = 600  # on a machine under load; it takes a few
REPORTS = 200


class Replay(unittest.TestCase):
    def test_every_target_takes_its_inputs(self) -> None:
        self.assertTrue(targets())
        for target in targets():
            with self.subTest(target), tempfile.TemporaryDirectory() as name:
                folder = prepare(target, Path(name))
                # A target without seeds makes its own from any bytes.
                (folder / "zeros").write_bytes(bytes(64))
                words = [PROGRAMS / target, folder]
                done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS)
                self.assertEqual(done.returncode, 0, done.stderr[-2000:])
                self.assertEqual(done.stdout, f"{len(list(folder.iterdir()))} inputs\n")

    def test_reports_refuse_a_damaged_result_or_show_it(self) -> None:
        tried, found = reports.fuzz(PROGRAMS.parents[1], SECONDS, REPORTS, seed=7)
        self.assertEqual(tried, REPORTS)
        self.assertEqual(found, [])

    def test_an_input_that_breaks_a_rule_is_seen(self) -> None:
        """A replay fails if an input cannot be read, or if there is none at all."""
        for words in ([], ["/nonexistent/input"]):
            done = subprocess.run([PROGRAMS / "stub", *words], capture_output=True, text=True)
            self.assertNotEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main()
