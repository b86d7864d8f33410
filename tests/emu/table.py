#!/usr/bin/python3
"""Writes the list of tests/README.md: which checker catches which wrong kernel, and what must not.

Every wrong kernel runs, and its findings say which row it belongs to.  Kernels that run.py and
kinds.py ran are not run again, unless something has changed since.  With --check, of the kernels of
the course one in PART runs, drawn by the commit (drawn.py), and the list itself says where the
others belong.  kinds.py, run.py and `tilegrade check-course` prove that each one is caught for its
stated reason, at its stated line, and that the near misses are clean.  The table is refused if a
kind of finding or a cause of a crash in grader/emu/wire/finding.h, a row, or a wrong kernel has no
counterpart in the others.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from drawn import is_drawn  # noqa: E402  (found by the line above)
from kinds import BUDGET, KINDS, VERDICT_OF_KIND, header, kernels
from rows import JUDGED, ROWS, Finding
from run import expectation_read
from toolchain import (
    HERE,
    ROOT,
    Rig,
    Toolchain,
    build,
    is_read_before_set,
    names_of,
    products,
    rig_make,
    run,
    seen_path,
)

README = ROOT / "tests/README.md"
PART = 4
# The first size that shows the mistake counts.
COURSE_SIZES = "35x37x34 1x1x1 129x17x300 17x129x20 200x201x3 64x129x9 64x128x9 33x29x530".split()
COURSE_BUDGET = "budget=3000000"  # enough for the largest of these kernels
OF_GAPS = ("not_written", "wrong_result")  # the cause is what was never read or written
NO_ROW = {"none", "signal"}  # not a cause; a signal that no kernel is known to raise


def finding_read(line: str) -> Finding:
    fields = dict(re.findall(r"(\w+)=(\S+)", line))
    return {"kind": line.split()[1], **fields, "other_pc": str(int(fields["other_pc"], 16))}


def findings_of(output: str) -> list[Finding]:
    lines = output.splitlines()
    found = [finding_read(line) for line in lines if line.startswith("finding ")]
    return found + [{"kind": f"gap {line.split()[1]}"} for line in lines if line.startswith("gap ")]


def outputs(rig: Rig, source: Path, kernel: str, runs: list[list[str]]) -> Iterator[str]:
    """What the runner prints in each of the runs of a kernel, which is built once."""
    seen = seen_path(rig, source)
    if seen.exists():  # run.py and kinds.py have stored the same run
        yield seen.read_text()
        return
    with tempfile.TemporaryDirectory() as folder:
        program, _ = build(rig, source, kernel, Path(folder))
        for words in runs if program else []:
            yield run(rig, program, *words).stdout


def emu_findings(rig: Rig, source: Path) -> list[Finding]:
    expected = expectation_read(source.read_text())
    options = [option for option in expected.options if option != "nocheck"]
    checks = [] if "nocheck" in expected.options else ["check"]
    words = [expected.launch, *checks, *options]
    printed = outputs(rig, source, "matmul_test", [words])
    return [finding for text in printed for finding in findings_of(text)]


def belongs(finding: Finding, verdict: str) -> bool:
    """Whether the finding is the stated reason, or explains it."""
    kind = finding["kind"]
    if kind.startswith("gap"):
        return verdict in OF_GAPS
    stated = verdict in (VERDICT_OF_KIND.get(kind), kind)
    return stated if finding["severity"] == "2" else kind == verdict or "note" in verdict


def wrong_findings(rig: Rig, source: Path) -> list[Finding]:
    """The findings of the stated verdict, at the first size that shows it."""
    text = source.read_text(errors="replace")
    verdict = text.split()[2]
    if verdict in JUDGED and verdict not in OF_GAPS:
        return []  # no finding belongs to it
    name = source.parent.name
    is_course = KINDS not in source.parents
    sizes = COURSE_SIZES if is_course else (header(text, "launch"),)
    runs = [[size, "check", COURSE_BUDGET if is_course else BUDGET] for size in sizes]
    if is_course and verdict == "race":
        runs.append([*runs[0], "order=1"])
    if is_course and verdict == "uninitialized":
        runs.append([*runs[0], "lanes"])
    for output in outputs(rig, source, f"matmul_{name}" if is_course else name, runs):
        found = [one for one in findings_of(output) if belongs(one, verdict)]
        if found:
            return found
    if verdict == "uninitialized" and is_read_before_set(rig, source, f"matmul_{name}"):
        return [{"kind": "unset"}]
    return []


def name_of(source: Path) -> str:
    path = source.relative_to(KINDS if KINDS in source.parents else ROOT / "tests")
    return str(path.with_suffix(""))


def path_of(name: str) -> Path:
    places = (KINDS / f"{name}.cu", ROOT / "tests" / f"{name}.cu")
    return places[not places[0].exists()]


def wrong_kernels() -> list[Path]:
    emu = [
        path
        for path in HERE.glob("*.cu")
        if re.search(r"^// (expect|gap): (?!none)", path.read_text(), re.M)
    ]
    course = [path for name in products() for path in ROOT.glob(f"tests/wrong/{name}/*.cu")]
    stated_ones = [*kernels("wrong"), *course]
    return sorted(emu) + sorted(stated_ones, key=name_of)


def all_findings(library: Path, sources: list[Path]) -> dict[str, list[Finding]]:
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        rig = rig_make(Toolchain("g++"), Path(folder), library)

        def one(source: Path) -> list[Finding]:
            return (emu_findings if source.parent == HERE else wrong_findings)(rig, source)

        return dict(zip(map(name_of, sources), pool.map(one, sources)))


def stated(name: str) -> str:  # the verdict of a wrong kernel
    return path_of(name).read_text(errors="replace").split()[2]


def near_complaint(name: str) -> str:
    """Why this kernel is not a near miss; empty if it is one."""
    path = path_of(name)
    if not path.exists():
        return "is not there"
    expects = re.search(r"^// (expect): (?!pass)", path.read_text(errors="replace"), re.M)
    return "is no right kernel" if expects else ""


def complaints(
    caught: list[tuple[str, str, list[str], tuple[str, ...]]], names: list[str]
) -> list[str]:
    """Every reason to refuse the table."""
    found = []
    for checker, fires, kernels_of, near in caught:
        if not kernels_of:
            found.append(f"{checker}, {fires}: no wrong kernel trips it")
        if not near:
            found.append(f"{checker}, {fires}: no near miss")
        found += [f"{name} {why}" for name in near if (why := near_complaint(name))]
    shown = {name for _, _, kernels_of, _ in caught for name in kernels_of}
    found += [f"{name} is in no row" for name in names if name not in shown]
    kinds = names_of("FINDING_KINDS", "emu/wire/finding.h")
    causes = names_of("CRASH_CAUSES", "emu/wire/finding.h")
    blank = {"severity": "2", "flags": "0", "space": "1", "access": "1", "other_access": "1"}
    for kind, detail in [(kind, 1) for kind in kinds] + [("crash", i) for i in range(len(causes))]:
        finding = {**blank, "kind": kind, "detail": str(detail), "other_pc": "0"}
        cause = causes[detail] if kind == "crash" else ""
        if kind not in JUDGED and cause not in NO_ROW and not any(r.test(finding) for r in ROWS):
            found.append(f"finding.h: {kind} {cause} has no row")
    return found


def is_of_course(source: Path) -> bool:
    return source.parent != HERE and KINDS not in source.parents


def rows_listed() -> dict[str, list[str]]:
    """The course's kernels that are caught in each row of the list as it is."""
    rows = {}
    for row in README.read_text().split("\n- ")[1:]:
        caught = row.partition("  - clean near misses")[0]
        rows[row.split("\n")[0]] = re.findall(r"\((wrong/[^)]*)\.cu\)", caught)
    return rows


def links(text: str, names: list[str] | tuple[str, ...]) -> str:
    """An item of the list, in lines of 120 columns that end between links."""
    path = {name: path_of(name).relative_to(README.parent) for name in names}
    return textwrap.fill(
        f"{text}: " + ", ".join(f"[{name.split('/', 1)[1]}]({path[name]})" for name in names),
        120,
        initial_indent="  - ",
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def table(caught: list[tuple[str, str, list[str], tuple[str, ...]]]) -> str:
    lines = []
    for checker, fires, kernels_of, near in caught:
        lines.append(f"- **{checker}**: {fires}")
        of_course = [name for name in kernels_of if name.startswith("wrong/")]
        small = [name for name in kernels_of if name.startswith("emu/")]
        lines += [links("caught", part) for part in (of_course, small) if part]
        lines.append(links("clean near misses", near))
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("build", type=Path, metavar="BUILD", help="the build folder")
    parser.add_argument(
        "--check", action="store_true", help="write nothing: say whether the list is up to date"
    )
    options = parser.parse_args()
    sources = wrong_kernels()
    run_here = [
        source
        for source in sources
        if not (options.check and is_of_course(source))
        or is_drawn("table", str(source.relative_to(ROOT)), PART)
    ]
    found = all_findings(options.build.resolve() / "libemu-worker.a", run_here)
    listed = rows_listed()
    every = list(map(name_of, sources))
    caught = []
    for row in ROWS:
        here = listed.get(f"**{row.checker}**: {row.fires}", [])
        names = [
            name
            for name in every
            if (any(map(row.test, found[name])) if name in found else name in here)
        ]
        caught.append((row.checker, row.fires, names, row.near))
    for verdict, (fires, near) in JUDGED.items():
        names = [name for name in every if name.startswith("wrong/") and stated(name) == verdict]
        caught.append((f"verdict `{verdict}`", fires, names, near))
    bad = complaints(caught, [name for name in every if name.startswith("wrong/")])
    if bad:
        print("\n".join(bad))
        print(f"0 passed, {len(bad)} failed")
        return 1
    before = README.read_text().split("<!-- table -->")[0]
    text = f"{before}<!-- table -->\n\n{table(caught)}"
    if options.check:
        stale = README.read_text() != text
        if stale:
            print("tests/README.md is stale: run `make table`")
        print(f"{len(caught) - stale} passed, {int(stale)} failed")
        return int(stale)
    README.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
