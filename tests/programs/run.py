#!/usr/bin/python3
"""Runs the CUDA programs of this folder whole, on the CPU device: run.py [NAME...].

The first lines of a program are comments:

    // expect: host_freed_twice 10 9    wrong/: what the first finding is, and the lines of the
                                        program that it quotes, first that of its title
    // prints: some text                right/: a line of the standard output
    // stdin: some text                 what the program reads, if anything
    // args: 12 -v                      its arguments
    // flags: -DN=5                     options of the compiler
    // files: parts/count_kernel.cu     further files

A finding of host code is named by its enumerator in `enum host_fault`, any other by its verdict.
`ended 3`: nothing is found, but the program ends with this code.  The exit code must be 1, or 0 if
all that is found are notes and warnings.  A right program
must end with 0, print exactly what it states, and have no finding, not even a note.  Of each folder
one program in PART is drawn by the commit, or all with SETS=all.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.append(str(HERE.parent))

from drawn import is_drawn  # noqa: E402  (found by the line above)

PART = 4
BUILD = ROOT / os.environ.get("BUILD", "build")
FINE = "No mistake was seen in this run."
REMARKS = ("note", "warning")  # they do not make a verdict
ENDED = re.compile(r"^The program ended with exit code (\d+)\.$", re.M)
LIMIT_S = 300


def c_text(literals: str) -> str:
    """The text of adjacent string literals of C."""
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals))


def clauses_read() -> list[tuple[str, re.Pattern[str]]]:
    """The fault that each sentence about host code states, with a pattern for the sentence."""
    source = (ROOT / "grader/judge/say/finding_clauses.c").read_text()
    rows = re.search(r"row host\[\] = \{(.*?)\n\};", source, re.S)[1]
    said = re.findall(r"SAY\(((?:\s*\"(?:[^\"\\]|\\.)*\")+),\s*DETAIL\((\w+)\)", rows)
    found = []
    for literals, fault in said:
        words = re.split(r"\{\w+\}", c_text(literals))
        pattern = ".+?".join(r"\s+".join(map(re.escape, word.split(" "))) for word in words)
        found.append((fault.lower(), re.compile(pattern, re.S | re.I)))
    return found


def titles_read() -> dict[str, str]:
    """The names of verdicts, by the titles that people read."""
    source = (ROOT / "grader/judge/model/verdict.h").read_text()
    return {t: name for name, t in re.findall(r'X\(VERDICT_\w+, "(\w+)", N_\("(.*?)"\)\)', source)}


CLAUSES = clauses_read()
TITLES = titles_read()


class Program:
    """A program, and what its first lines state."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = str(path.relative_to(HERE).with_suffix(""))
        self.stated: dict[str, list[str]] = {}
        for line in path.read_text().splitlines():
            if not line.startswith("//"):
                break
            match = re.match(r"// (expect|prints|stdin|args|flags|files): (.*)", line)
            if match:
                self.stated.setdefault(match[1], []).append(match[2])

    def words(self, key: str) -> list[str]:
        return " ".join(self.stated.get(key, [])).split()

    def run(self) -> subprocess.CompletedProcess[str]:
        command = [str(BUILD / "tilegrade"), "run", self.path.name, *self.words("files")]
        if "flags" in self.stated:
            command.append("FLAGS=" + " ".join(self.words("flags")))
        command += ["--", *self.words("args")]
        return subprocess.run(
            command,
            cwd=self.path.parent,
            input="".join(f"{line}\n" for line in self.stated.get("stdin", [])),
            capture_output=True,
            text=True,
            errors="replace",
            timeout=LIMIT_S,
            check=False,
        )


def first_finding(output: str) -> tuple[str, list[int], bool]:
    """What the first finding is, the lines that it quotes, and whether it is more than a note."""
    titles = "|".join(map(re.escape, (*REMARKS, *TITLES)))
    title = re.compile(rf"^(?:[\w./]+:(\d+): )?({titles})\n((?:  .*\n|\n)*)", re.M)
    found = title.search(output)
    if not found:
        ended = ENDED.search(output)
        return ("ended", [int(ended[1])], True) if ended else ("nothing", [], False)
    lines = [int(found[1])] if found[1] else []
    kind = TITLES.get(found[2], "")
    if kind != "build_error":  # the compiler quotes more
        lines += map(int, re.findall(r"^ +(\d+) \| ", found[3], re.M))
    if kind in ("", "host"):  # a remark, or a verdict with many causes
        kind = next((fault for fault, said in CLAUSES if said.search(found[3])), found[2])
    return kind, list(dict.fromkeys(lines)), found[2] not in REMARKS


def wrong_check(program: Program, done: subprocess.CompletedProcess[str]) -> str:
    stated = re.match(r"(\w+)((?: \d+)*)", program.stated.get("expect", [""])[0])
    if not stated:
        return "the first line states no finding"
    kind, lines, is_error = first_finding(done.stdout)
    wanted = list(dict.fromkeys(map(int, stated[2].split())))
    if (kind, lines[:1], set(lines)) != (stated[1], wanted[:1], set(wanted)):
        return f"expected {stated[1]} {wanted}, found {kind} {lines}"
    has_failed = ENDED.search(done.stdout) is not None  # the program itself, whatever was found
    if done.returncode != (1 if is_error or has_failed else 0):
        return f"exit code {done.returncode}"
    return ""


def right_check(program: Program, done: subprocess.CompletedProcess[str]) -> str:
    if done.returncode != 0:
        return f"exit code {done.returncode}"
    wanted = "".join(f"{line}\n" for line in program.stated.get("prints", []))
    return "" if done.stdout == f"{wanted}{FINE}\n" else "the output differs"


def try_one(path: Path) -> tuple[str, str]:
    """The name of a program, and what is wrong with its run."""
    program = Program(path)
    try:
        done = program.run()
    except subprocess.TimeoutExpired:
        return program.name, f"no end in {LIMIT_S} s"
    check = wrong_check if path.parent.name == "wrong" else right_check
    why = check(program, done)
    return program.name, f"{why}\n{done.stdout}{done.stderr}" if why else ""


def wanted(path: Path, names: list[str]) -> bool:
    if names:
        return any(path.stem.startswith(name) for name in names)
    return is_drawn("programs", str(path.relative_to(ROOT)), PART)


def main() -> int:
    found = sorted([*HERE.glob("wrong/*.cu"), *HERE.glob("right/*.cu")])
    paths = [path for path in found if wanted(path, sys.argv[1:])]
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, why in pool.map(try_one, paths):
            print(f"FAIL: {name}: {why}" if why else f"ok {name}", flush=True)
            failed += bool(why)
    print(f"{len(paths) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
