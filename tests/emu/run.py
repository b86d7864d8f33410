#!/usr/bin/python3
"""Runs the kernels of this folder on the CPU device; their first lines say what must be found.

A kernel's first lines are comments:

    // launch: 8x8x8                    M x N x K
    // options: budget=1000 nocheck     for the runner, in addition to `check`
    // expect: race @write @read        a finding: kind, more words (as `thread=0,0,0`: the runner
                                        prints them), marks of source lines
    // end: finished                    or `stopped`, or `no configuration`
    // prints: some text                what the kernel writes to standard output
    // compile: some text               it does not compile, with this text
    // gap: A missing=6 …               what was never read or written, by the runner; or `none`
    // spread: yes                      a launch in two processes counts; `no`: it ran again in one

Without an `expect` there must be no finding at all.  `//@write` in the source marks a line.  Every
kernel runs in one process, and then shared by 2; with SETS=all twice in one, and also shared by 4.
All runs must say the same.

Usage: run.py BUILD_FOLDER [NAME...]
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from drawn import sample  # noqa: E402  (found by the line above)
from toolchain import (  # noqa: E402
    HERE,
    ROOT,
    Rig,
    Toolchain,
    build,
    lines_for_places,
    lines_of,
    names_of,
    rig_make,
    run,
)

PROCESSES = (1, 2) if sample() else (1, 1, 2, 4)  # processes that share each run

CAUSES = names_of("CRASH_CAUSES", "emu/wire/finding.h")
GAPS = re.findall(
    r"^    (RACE_\w+)", (ROOT / "grader/emu/wire/finding.h").read_text(), re.M
)  # enum race_gap
OUTSIDE_ROW = 2  # enum outside
SEVERITIES = ["note", "warning", "error"]


@dataclass(frozen=True)
class Expectation:
    """What the first lines of a kernel state."""

    launch: str = "8x8x8"
    options: list[str] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    end: str = ""
    prints: str = ""
    compile: str = ""
    gaps: list[str] = field(default_factory=list)
    spread: str = ""


def expectation_read(text: str) -> Expectation:
    """Reads the comments at the top of a kernel."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        match = re.match(r"// (launch|options|expect|end|prints|compile|gap|spread): (.*)", line)
        if match:
            found.setdefault(match[1], []).append(match[2].strip())
    first = {key: values[0] for key, values in found.items()}
    return Expectation(
        first.get("launch", "8x8x8"),
        first.get("options", "").split(),
        found.get("expect", []),
        first.get("end", ""),
        first.get("prints", ""),
        first.get("compile", ""),
        found.get("gap", []),
        first.get("spread", ""),
    )


def marks_read(text: str) -> dict[str, set[int]]:
    """The lines of each mark."""
    marks: dict[str, set[int]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        match = re.search(r"//@(\w+)", line)
        if match:
            marks.setdefault(match[1], set()).add(number)
    return marks


def finding_words(finding: str) -> str:
    """A finding of the runner in words that expectations can use."""
    kind = finding.split()[1]
    number = {
        name: int(value) for name, value in re.findall(r"(severity|detail|flags)=(\d+)", finding)
    }
    array = re.search(r"array=(\S+)", finding)[1]
    named = re.match(r"_Z(?:Z.*?E|L)?\d*([A-Za-z]\w*)$", array)
    words = [
        kind,
        SEVERITIES[number["severity"]],
        CAUSES[number["detail"]] if kind == "crash" else "",
        "blocks-wait" if number["flags"] & 8 else "",
        GAPS[number["detail"]] if kind == "race" else "",
        "inner" if kind == "out_of_bounds" and number["detail"] == OUTSIDE_ROW else "",
        re.search(r"absent=\d+", finding)[0],
        *re.findall(r" ((?:thread|other)=\d+,\d+,\d+)", finding),
        *re.findall(r" ((?:(?:other_)?offset|phases|phase_bytes|inits|init_number)=\d+)", finding),
        re.sub(r".*E\d+", "", array) if named else array,
    ]
    return " ".join(word for word in words if word)


def finding_matches(
    expected: str, finding: str, lines: list[int], marks: dict[str, set[int]]
) -> bool:
    """True if a finding is the expected one; if no severity is named, it must be an error."""
    words = finding_words(finding).split()
    wanted = [word for word in expected.split() if not word.startswith("@")]
    places = [marks[word[1:]] for word in expected.split() if word.startswith("@")]
    if not any(word in SEVERITIES for word in wanted) and "error" not in words:
        return False
    if len(places) == 2 and lines[0] not in places[0] and lines[0] in places[1]:
        lines = lines[::-1]  # the checker decides which of the two comes first
    return all(word in words for word in wanted) and all(
        line in place for line, place in zip(lines, places)
    )


def complaint(rig: Rig, source: Path, folder: Path) -> str:
    """What is wrong with one kernel's run; empty if nothing."""
    text = source.read_text()
    expected, marks = expectation_read(text), marks_read(text)
    program, messages = build(rig, source, "matmul_test", folder)
    if expected.compile:
        return (
            ""
            if program is None and expected.compile in messages
            else f"no {expected.compile!r} in: {messages}"
        )
    if program is None:
        return messages
    words = [
        expected.launch,
        *(["check"] if "nocheck" not in expected.options else []),
        *[option for option in expected.options if option != "nocheck"],
    ]
    runs = [run(rig, program, *words, f"processes={number}") for number in PROCESSES]
    output = runs[0].stdout
    if runs[0].returncode != 0:
        return f"the runner ended with {runs[0].returncode}: {output}{runs[0].stderr}"
    findings = [line for line in output.splitlines() if line.startswith("finding ")]
    lines_in = [lines_of(rig, program, finding) for finding in findings]
    shown = [f"{finding_words(finding)} {lines}" for finding, lines in zip(findings, lines_in)]
    if len(findings) != len(expected.findings):
        return f"expected {expected.findings}, found {shown}"
    for want, finding, lines in zip(expected.findings, findings, lines_in):
        if not finding_matches(want, finding, lines, marks):
            return f"expected {want!r}, found {shown}"
    end = (
        "no configuration"
        if "\nconfiguration:" in "\n" + output
        else re.search(r"^end (\w+)", output, re.M)[1]
    )
    if expected.end and end != expected.end:
        return f"expected the end {expected.end!r}, got {end!r}"
    if not expected.findings and not expected.end and end != "finished":
        return f"the launch {end}"
    if expected.prints not in output:
        return f"expected the text {expected.prints!r}, got: {output[:400]}"
    # The clock ends a loop without accesses at any of its instructions: only lines must agree.
    texts = [run.stdout for run in runs]
    budget = any(option.startswith("budget=") for option in expected.options)
    if not budget and any(finding.startswith("time_limit") for finding in expected.findings):
        texts = [lines_for_places(rig, program, text) for text in texts]
    differing = [number for number, text in zip(PROCESSES, texts) if text != texts[0]]
    if differing:
        return f"a run in {differing[0]} processes differs from the first in one"
    gaps = re.findall(r"^gap (.*)", output, re.M)
    wanted = [] if expected.gaps == ["none"] else expected.gaps
    if expected.gaps and wanted != gaps:
        return f"expected the gaps {expected.gaps}, got {gaps}"
    spread = "no" if "processes 1\n" in runs[-1].stderr else "yes"
    if expected.spread and expected.spread != spread:
        return f"expected spread: {expected.spread}, got: {spread}"
    return ""


def main() -> int:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    library = Path(sys.argv[1]).resolve() / "libemu-worker.a"
    sources = sorted(HERE.glob("*.cu"))
    if sys.argv[2:]:
        sources = [source for source in sources if source.stem in sys.argv[2:]]
    if not sources:
        sys.exit("no kernel of that name")
    failed = 0
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(os.cpu_count()) as pool:
        rig = rig_make(Toolchain("g++"), Path(temporary), library)

        def judge(source: Path) -> str:
            folder = Path(temporary) / source.stem
            folder.mkdir()
            return complaint(rig, source, folder)

        for source, text in zip(sources, pool.map(judge, sources)):
            failed += text != ""
            if text:
                print(f"{source.relative_to(ROOT)}: {text}")
    print(f"{len(sources) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
