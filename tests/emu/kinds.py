#!/usr/bin/python3
"""Proves the kernels of other kinds: sums, transposes, scans, histograms, stencils, sorts.

They are in tests/emu/kinds/{right,wrong}/KIND/, the kernels are called KIND, and they have the
parameters of a product.  Their first lines give the expected outcome and the launch:

    // expect: race 18 22  (why)        the verdict, and the lines of its first finding
    // launch: 1x1x300                  M x N x K: A has M x K elements, B K x N, C M x N
    // result: [sum(A)]                 what C must be, in Python, from the lists A and B

A right kernel expects `pass`: no finding, not even a warning, and the result, even in other orders
of blocks and threads.  A wrong kernel contains exactly one mistake.  It is a failure if it is
caught for another reason, or at another line.

Usage: kinds.py BUILD_FOLDER [NAME...]
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from run import finding_words, sample
from toolchain import ROOT, Rig, Toolchain, build, lines_of, rig_make, run

KINDS = ROOT / "tests/emu/kinds"
DRAWN = 4 if sample() else 20
ORDERS = ("order=1", *(f"order={5 + i}" for i in range(DRAWN)))  # the reverse one, and drawn ones
BUDGET = "budget=1000000"  # a kernel that never ends is stopped by its accesses

# In order of precedence: grader/judge/model/verdict.h.
VERDICT_OF_KIND = {
    "time_limit": "time_limit",
    "output_limit": "output_limit",
    "crash": "crash",
    "misaligned": "misaligned",
    "out_of_bounds": "out_of_bounds",
    "barrier_divergence": "barrier_divergence",
    "race": "race",
    "uninitialized": "uninitialized",
    "input_written": "inputs_changed",
}


@dataclass(frozen=True)
class Seen:
    """What one run showed."""

    verdict: str
    lines: list[int]  # lines of the first finding of that verdict: distinct, ascending
    findings: list[str]  # findings as the runner prints them
    shown: str  # for people


def kernels(side: str = "*") -> list[Path]:
    """All of them, or those of one side, `right` or `wrong`."""
    return sorted(KINDS.glob(f"{side}/*/*.cu"))


def header(text: str, key: str) -> str:
    match = re.search(rf"^// {key}: (.*)$", text, re.M)
    return match[1].strip() if match else ""


def elements(output: str, name: str) -> list[float | None]:
    """The elements of a matrix; None for an element that was not stored."""
    match = re.search(rf"^{name} (.*)$", output, re.M)
    words = match[1].split() if match else []
    return [None if word == "poison" else float(word) for word in words]


def verdict_of_result(output: str, text: str) -> str:
    """pass, not_written or wrong_result."""
    sizes = [int(word) for word in header(text, "launch").split("x")]
    a, b, c = (elements(output, name) for name in "ABC")
    names = {"A": a, "B": b, "M": sizes[0], "N": sizes[1], "K": sizes[2]}
    # The expression is a line of this repository's own tests.
    want = eval(header(text, "result"), names)  # pylint: disable=eval-used
    if [float(value) for value in want] == c:
        return "pass"
    return "not_written" if None in c else "wrong_result"


def judge(output: str, text: str, lines_in: list[list[int]]) -> Seen:
    """The verdict by the order of precedence; lines_in are those of each finding."""
    findings = [line for line in output.splitlines() if line.startswith("finding ")]
    shown = [f"{finding_words(one)} {lines}" for one, lines in zip(findings, lines_in)]
    for kind, verdict in VERDICT_OF_KIND.items():
        for finding, lines in zip(findings, lines_in):
            if finding.split()[1] == kind and "severity=2" in finding:
                return Seen(verdict, sorted(set(lines) - {0}), findings, "; ".join(shown))
    for finding, lines in zip(findings, lines_in):
        if "severity=1" in finding:  # a warning has only its kind
            return Seen(finding.split()[1], sorted(set(lines) - {0}), findings, "; ".join(shown))
    if "\nconfiguration:" in "\n" + output:
        return Seen("bad_launch", [], findings, output)
    return Seen(verdict_of_result(output, text), [], findings, "; ".join(shown))


def look(rig: Rig, source: Path, folder: Path) -> Seen:
    """Builds and runs one kernel, twice: both runs must say the same."""
    text = source.read_text()
    program, messages = build(rig, source, source.parent.name, folder)
    if program is None:
        return Seen("build_error", [], [], messages)
    words = (header(text, "launch"), "check", "show", BUDGET)
    runs = [run(rig, program, *words) for _ in range(2)]
    output = runs[0].stdout
    if output != runs[1].stdout:
        return Seen("two runs differ", [], [], output)
    if runs[0].returncode != 0:
        return Seen(f"the runner ended with {runs[0].returncode}", [], [], runs[0].stderr)
    findings = [line for line in output.splitlines() if line.startswith("finding ")]
    seen = judge(output, text, [lines_of(rig, program, finding) for finding in findings])
    for order in ORDERS if seen.verdict == "pass" else ():
        output = run(rig, program, *words, order).stdout
        findings = [line for line in output.splitlines() if line.startswith("finding ")]
        other = judge(output, text, [[] for _ in findings])
        if other.verdict != "pass":
            return other
    return seen


def complaint(source: Path, seen: Seen) -> str:
    """What is wrong with it; empty if nothing."""
    expected = re.match(r"// expect: (\w+)((?: \d+)*)  \(.+\)$", source.read_text().split("\n")[0])
    if not expected:
        return "expected `// expect: verdict lines  (why)` as the first line"
    verdict, lines = expected[1], [int(word) for word in expected[2].split()]
    if (verdict == "pass") != (source.parts[-3] == "right"):
        return "a right kernel expects pass, a wrong one does not"
    if (verdict, lines) != (seen.verdict, seen.lines):
        return f"expected {verdict} {lines}, got {seen.verdict} {seen.lines}: {seen.shown}"
    if verdict == "pass" and seen.findings:
        return f"expected no finding, got {seen.shown}"
    return ""


def look_at_all(library: Path, sources: list[Path]) -> list[Seen]:
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(os.cpu_count()) as pool:
        rig = rig_make(Toolchain("g++"), Path(temporary), library)

        def one(numbered: tuple[int, Path]) -> Seen:
            folder = Path(temporary) / str(numbered[0])
            folder.mkdir()
            return look(rig, numbered[1], folder)

        return list(pool.map(one, enumerate(sources)))


def main() -> int:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sources = kernels()
    if sys.argv[2:]:
        sources = [source for source in sources if source.stem in sys.argv[2:]]
    failed = 0
    seen = look_at_all(Path(sys.argv[1]).resolve() / "libemu-worker.a", sources)
    for source, one in zip(sources, seen):
        text = complaint(source, one)
        failed += text != ""
        if text:
            print(f"{source.relative_to(ROOT)}: {text}")
    print(f"{len(sources) - failed} passed, {failed} failed")
    return 1 if failed or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
