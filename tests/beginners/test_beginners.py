"""Mistakes of beginners, judged as `make test` judges them: are line and cause the right ones?

The other files hold them.  A sample is judged by default, all of them with SETS=all.  With all, the
run ends with the figures.  The mistakes in GAPS are found, but their cause is not told: once it is
told, the mistake must leave GAPS.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import naive, others, tiled, register_tiled, vectorized  # noqa: E401, F401: they fill MISTAKES
from mistake import GAPS, MISTAKES, Mistake

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / os.environ.get("BUILD", "build") / "tilegrade"
SAMPLE = {
    "naive/first_block_only", "vector_add/each_forgotten", "reduction/shuffle_in_branch",
    "reduction/workspace_without_bytes",
    "naive/only_column_bounded", "naive/c_transposed", "naive/assigned_not_added",
    "tiled/barrier_in_branch", "tiled/nothing_shared", "tiled/filled_with_ones",
    "register_tiled/sum_transposed", "vectorized/local_float4_at_one",
}  # fmt: skip


def source_of(mistake: Mistake) -> str:
    text = (ROOT / "reference" / f"{mistake.exercise}.cu").read_text()
    for old, new in mistake.edits:
        if text.count(old) != 1:
            raise ValueError(f"{mistake.key}: {text.count(old)} times in the reference: {old}")
        text = text.replace(old, new)
    return re.sub(r"(?m)^ *//@(cut|end).*\n", "", text)


def fault_of(mistake: Mistake, source: str, code: int, said: str) -> str:
    """What is not as expected: nothing if all is."""
    if code != 1:
        return f"exit code {code}"
    place = re.search(rf"{mistake.exercise}\.cu:(\d+)", said)  # a wrong result may have none
    if place:
        line = source.splitlines()[int(place[1]) - 1]
        if not any(text.strip() in line for text in mistake.at):
            return f"wrong line {place[1]}: {line.strip()}"
    words = " ".join(said.split())
    missing = [says for says in mistake.says if not re.search(says, words, re.IGNORECASE)]
    if (mistake.key in GAPS) != bool(missing):
        return f"does not say {missing}" if missing else "says the cause: take it out of GAPS"
    return ""


class Beginners(unittest.TestCase):
    def test_each_mistake_is_explained(self):
        every = os.environ.get("SETS") == "all"
        chosen = [mistake for mistake in MISTAKES if every or mistake.key in SAMPLE]
        seconds, lines = [], []

        def judge(mistake: Mistake) -> tuple[str, str]:
            source = source_of(mistake)
            with tempfile.TemporaryDirectory() as folder:
                (Path(folder) / f"{mistake.exercise}.cu").write_text(source)
                command = [PROGRAM, "test", "--exercise", mistake.exercise, "--submission", folder]
                start = time.monotonic()
                ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
                seconds.append(time.monotonic() - start)
                said = (ran.stdout + ran.stderr).replace(folder, "")
            lines.append(bool(re.search(r"\.cu:\d+", said)))
            return fault_of(mistake, source, ran.returncode, said), said

        with ThreadPoolExecutor(2) as pool:
            for mistake, (fault, said) in zip(chosen, pool.map(judge, chosen)):
                with self.subTest(mistake=mistake.key):
                    self.assertEqual(fault, "", said)
        if every:
            print(f"{len(chosen)} mistakes, {sum(lines)} with a line, {len(GAPS)} without a cause, "
                  f"{statistics.median(seconds):.2f} s in the median")

    def test_the_sample_and_the_gaps_are_in_the_list(self):
        keys = [mistake.key for mistake in MISTAKES]
        self.assertEqual(len(keys), len(set(keys)))
        self.assertLessEqual(SAMPLE | set(GAPS), set(keys))

    def test_each_line_that_is_expected_is_in_the_kernel(self):
        for mistake in MISTAKES:
            source = source_of(mistake)
            for text in mistake.at:
                self.assertIn(text.strip(), source, mistake.key)


if __name__ == "__main__":
    unittest.main()
