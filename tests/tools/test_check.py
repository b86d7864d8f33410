"""tests/check.sh notices silence, a failure, and a test that is skipped without a reason."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHECK = ROOT / "tests/check.sh"
OVERFLOWS = "int main(int count, char **words) { return 0x7fffffff + count == 5 || !words; }"


class Check(unittest.TestCase):
    def setUp(self) -> None:
        self.root = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.root / "tests/unit/base").mkdir(parents=True)
        (self.root / "build/tests").mkdir(parents=True)
        shutil.copy(CHECK, self.root / "tests/check.sh")

    def begin(self, script: str, *suites: str, **variables: str) -> subprocess.Popen[str]:
        """check.sh in a tree whose one suite is this unit test."""
        program = self.root / "build/tests/unit-base"
        program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        program.chmod(0o755)
        return self.run_in_tree(*suites, **variables)

    def run_in_tree(self, *suites: str, **variables: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            ["bash", "tests/check.sh", *suites],
            cwd=self.root,
            env={**os.environ, "BUILD": "build", "JOBS": "1", **variables},
            stdout=subprocess.PIPE,
            text=True,
        )

    def check(self, script: str, suites: tuple[str, ...] = ("unit/base",)) -> tuple[int, str]:
        """Exit code and output."""
        with self.begin(script, *suites) as begun:
            output, _none = begun.communicate()
        return begun.returncode, output

    def status(self) -> str:
        with self.run_in_tree(STATUS="1") as begun:
            return begun.communicate()[0]

    def last_line(self, script: str) -> tuple[int, str]:
        code, output = self.check(script)
        return code, output.splitlines()[-1]

    def test_passed_tests_are_added_up(self) -> None:
        script = "echo '100%: Checks: 2, Failures: 0, Errors: 0'; echo '3 passed, 0 failed'"
        self.assertEqual(self.last_line(script), (0, "5 passed, 0 failed"))

    def test_silence_is_a_failure(self) -> None:
        self.assertEqual(self.last_line("exit 0"), (1, "0 passed, 1 failed"))

    def test_failed_tests_are_counted_and_shown(self) -> None:
        code, output = self.check("echo 'one differs'; echo '2 passed, 3 failed'; exit 1")
        self.assertEqual((code, output.splitlines()[-1]), (1, "2 passed, 3 failed"))
        self.assertIn("    one differs\n", output)
        self.assertIn("\nfailed: unit/base\n", output)

    def test_a_failed_test_is_shown_among_many_others(self) -> None:
        """Its name and what was seen are near the end, also if many tests come after it."""
        many = "for i in $(seq 99); do echo \"ok t$i\"; echo \"skipped s$i: no GPU\"; done"
        named = "echo 'FAIL slow_kernel'; echo '    85 s, more than 60'"
        code, output = self.check(f"{many}; {named}; {many}; echo '9 passed, 1 failed'; exit 1")
        self.assertEqual(code, 1)
        last = "unit/base:\n    FAIL slow_kernel\n        85 s, more than 60\n"
        self.assertIn(last, output)
        self.assertNotRegex(output, r"ok t1\b|skipped s1\b")
        self.assertLess(len(output.split(last)[1].splitlines()), 6)

    def test_what_ends_a_suite_too_early_is_shown(self) -> None:
        script = "echo 'FAIL one'; echo 'ok two'; echo 'MemoryError'; exit 1"
        self.assertRegex(self.check(script)[1], r"(?s)    FAIL one\n.*    MemoryError\n")

    def test_exit_code_without_a_failed_test_is_a_failure(self) -> None:
        script = "echo '2 passed, 0 failed'; exit 1"
        self.assertEqual(self.last_line(script), (1, "2 passed, 1 failed"))

    def test_reason_to_skip_is_shown(self) -> None:
        code, output = self.check("echo 'skipped 4: no GPU'; echo '1 passed, 0 failed, 4 skipped'")
        self.assertEqual((code, output.splitlines()[-1]), (0, "1 passed, 0 failed, 4 skipped"))
        self.assertIn("    skipped 4: no GPU\n", output)

    def test_all_skipped_is_no_unknown_suite(self) -> None:
        script = "echo 'skipped 4: no GPU'; echo '0 passed, 0 failed, 4 skipped'"
        self.assertEqual(self.last_line(script), (0, "0 passed, 0 failed, 4 skipped"))

    def test_a_suite_without_tests_is_a_failure(self) -> None:
        self.assertEqual(self.last_line("echo '0 passed, 0 failed'"), (1, "0 passed, 1 failed"))

    def test_skipped_without_a_reason_is_said(self) -> None:
        _, output = self.check("echo '1 passed, 0 failed, 4 skipped'")
        self.assertIn("    skipped 4: no reason is given\n", output)

    def test_a_part_of_a_suite_is_named_after_it(self) -> None:
        script = "echo \"$# passed, 0 failed\"; [ \"$*\" = 'text file' ]"
        code, output = self.check(script, ("unit/base/text", "unit/base/file"))
        self.assertEqual((code, output.splitlines()[-1]), (0, "2 passed, 0 failed"))

    def test_unknown_suite_is_refused(self) -> None:
        words = ["bash", CHECK, "nosuch"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no suite is called nosuch\n", done.stdout)

    def test_another_terminal_sees_how_far_it_is(self) -> None:
        self.assertEqual(self.status(), "no check has run here\n")
        with self.begin("echo 'ok this'; sleep 60", "unit/base") as begun:
            while "ok this" not in (seen := self.status()):
                self.assertIsNone(begun.poll(), seen)
                time.sleep(0.1)
            self.assertRegex(seen, r"^push: running for +\d+ s\nunit/base +running for \d+ s: ok")
            begun.terminate()
        self.assertIn("stopped before its end", self.status())
        self.check("echo '3 passed, 0 failed'")
        self.assertRegex(self.status(), r"ended .* 3 passed, 0 failed.*\nunit/base +3 passed,")

    def test_a_tier_has_its_suites_and_a_budget(self) -> None:
        counts = "echo '3 passed, 0 failed'"
        with self.begin(counts, QUICK="1") as begun:
            output = begun.communicate()[0]
        self.assertIn("unit/base", output)
        self.assertNotIn("cli", output)
        text = (self.root / "tests/check.sh").read_text()
        (self.root / "tests/check.sh").write_text(re.sub(r"\[quick\]=\d+", "[quick]=-1", text))
        with self.begin(counts, QUICK="1") as begun:
            output = begun.communicate()[0]
        self.assertIn("more than the budget", output)
        self.assertIn("the budget of processor time\n", output)

    def test_make_tells_the_tier(self) -> None:
        words = ["make", "-nC", str(ROOT), "check", "STATUS=1", "QUICK=1", "ALL=1"]
        environment = {key: value for key, value in os.environ.items() if key != "MAKEFLAGS"}
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
        self.assertIn("QUICK='1' ALL='1' STATUS='1' SETS='' bash tests/check.sh", done.stdout)

    def test_undefined_behaviour_fails_a_test_with_sanitizers(self) -> None:
        words = ["make", "-sC", str(ROOT), "SAN=address,undefined", "build/flags"]
        words.append("--eval=build/flags: ; @echo $(CFLAGS)")
        unset = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
        flags = subprocess.run(words, env=unset, capture_output=True, text=True, check=True).stdout
        with tempfile.TemporaryDirectory() as folder:
            build = ["gcc", *flags.split(), "-xc", "-", "-o", f"{folder}/overflows"]
            subprocess.run(build, input=OVERFLOWS, text=True, check=True)
            done = subprocess.run(f"{folder}/overflows", capture_output=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(b"signed integer overflow", done.stderr)


if __name__ == "__main__":
    unittest.main()
