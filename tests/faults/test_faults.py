"""A selection of faults, kills and signals, a third of it without SETS=all; faults.py has all."""

from __future__ import annotations

import os
import shutil
import unittest
from pathlib import Path

import faults
import rig
import signals
from drawn import number, sample  # faults makes it found

BUILD = rig.ROOT / os.environ.get("BUILD", "build")
SHARE = 3 if sample() else 1
MOST_FAULTS = 60  # out of about 3,000
MOST_HELPERS = 16
MOMENTS = 4 // SHARE  # moments at which each signal is sent


class Faults(unittest.TestCase):
    folder: Path
    runner: faults.Runner
    known: dict[str, rig.Scenario]

    @classmethod
    def setUpClass(cls) -> None:
        if "san-" in BUILD.name:
            raise unittest.SkipTest("a sanitizer wants to be the first library itself")
        cls.folder = rig.folder_make()
        cls.known = rig.scenarios(cls.folder)
        cls.runner = faults.Runner(BUILD.resolve(), cls.folder)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.runner.pool.shutdown()
        shutil.rmtree(cls.folder)

    def share(self, chosen: list[str]) -> list[str]:
        return chosen[number("faults", "share", SHARE) :: SHARE]

    def demand(self, came: dict[str, tuple[str, str]]) -> None:
        self.assertTrue(came)
        for fault, (outcome, text) in came.items():
            with self.subTest(FAULT=fault):
                self.assertFalse(rig.is_wrong(outcome), f"{outcome}\n{text}")

    def test_a_call_that_fails_never_changes_a_grade(self) -> None:
        scenario = self.known["right"]
        counted = self.runner.count(scenario)
        chosen = self.share(faults.sample(counted.sites, MOST_FAULTS))
        came = self.runner.outcomes(scenario, chosen, counted.good)
        self.demand(came)
        ends = {outcome for outcome, _ in came.values()}
        self.assertLessEqual({rig.REFUSED, rig.SAME}, ends)  # some faults matter, some do not

    def test_a_helper_that_fails_or_is_killed_never_changes_a_grade(self) -> None:
        scenario = self.known["wrong"]
        counted = self.runner.count(scenario)
        kills = self.share(faults.kill_faults(counted.programs, (3,)))
        self.demand(self.runner.outcomes(scenario, kills, counted.good))
        unsafe = faults.unsafe(scenario)
        counted = self.runner.count(unsafe, FAULT_INTO="1")
        chosen = self.share(faults.helper_faults(counted.sites, MOST_HELPERS))
        self.demand(self.runner.outcomes(unsafe, chosen, counted.good, FAULT_INTO="1"))

    def test_a_signal_at_any_moment_leaves_nothing(self) -> None:
        self.demand(signals.outcomes(self.runner, self.known["right"], MOMENTS))

    def test_another_grade_is_told_from_the_same(self) -> None:
        """The check of outcomes itself: outcomes that it must not accept."""
        good = rig.Run(0, "", '{"points": 1, "sandbox": "a, b", "texts": {"sandbox": ["b"]}}')
        weaker = '{"points": 1, "sandbox": "a; without b", "texts": {"sandbox": ["without b"]}}'
        for run, outcome in (
            (good, rig.SAME),
            (rig.Run(0, "", weaker), rig.WEAKER),
            (rig.Run(0, "", weaker.replace("}}", '}, "x": ""}')), "WRONG: another result"),
            (rig.Run(3, "", None), rig.REFUSED),
            (rig.Run(0, "", '{"points": 2, "sandbox": "a, b"}'), "WRONG: another result"),
            (rig.Run(0, "", '{"points": 1, "sand'), "WRONG: half a result"),
            (rig.Run(1, "", '{"points": 1, "sandbox": "a, b"}'), "WRONG: a result and exit 1"),
            (rig.Run(3, "", '{"points": 1, "sandbox": "a, b"}'), "WRONG: a result and exit 3"),
            (rig.Run(0, "", None), "WRONG: no result and exit 0"),
            (rig.Run(2, "", None), "WRONG: no result and exit 2"),
            (rig.Run(3, "", None, ["process left: g++"]), "WRONG: process left: g++"),
        ):
            self.assertEqual(rig.outcome_of(run, good), outcome)


if __name__ == "__main__":
    unittest.main()
