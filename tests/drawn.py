"""Which part of the slow tests runs: all of them with SETS=all, else a part drawn by the commit.

A file that differs from the commit before is always in its part.  SAMPLE=TEXT draws the part of
another commit, or of any text.  The part also depends on the suite, so that no two suites draw the
same files.  `drawn.py SUITE PART NAME...` prints those of the names that are drawn.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "grader/tools"))

import patches  # noqa: E402  (found by the line above)


def git(*words: str) -> str:
    """What git prints; nothing if this is no checkout, or there is no commit before."""
    command = ["git", "-C", str(ROOT), *words]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    except FileNotFoundError:
        return ""


@functools.cache
def sample() -> str:
    """What the parts are drawn by; empty if everything runs."""
    if os.environ.get("SETS") == "all":
        return ""
    return os.environ.get("SAMPLE") or git("rev-parse", "--short=12", "HEAD") or "none"


@functools.cache
def changed() -> set[str]:
    """The files that differ from the commit before, committed or not, by their paths below ROOT."""
    differ = git("diff", "--name-only", "HEAD~1")
    new = git("ls-files", "--others", "--exclude-standard")
    return set(re.sub(r"(?m)^(tests/wrong/.*)\.patch$", r"\1.cu", f"{differ}\n{new}").split("\n"))


def number(suite: str, name: str, below: int) -> int:
    """A number from 0 that the commit draws for a name in a suite."""
    digest = hashlib.sha256(f"{sample()} {suite} {name}".encode()).hexdigest()
    return int(digest, 16) % below


def is_drawn(suite: str, name: str, part: int) -> bool:
    """True for one in `part` of all names, for a changed file, or if everything runs."""
    return not sample() or number(suite, name, part) == 0 or name in changed()


def drawn(suite: str, pattern: str, part: int) -> list[Path]:
    """The files below ROOT that are drawn, in order."""
    found = sorted(ROOT.glob(pattern))
    return [path for path in found if is_drawn(suite, str(path.relative_to(ROOT)), part)]


@functools.cache
def wrong_kernels() -> dict[str, Path]:
    """The files of wrong kernels, by their names, such as tests/wrong/tiled/no_barrier.cu."""
    return patches.wrong_kernels(ROOT)


def drawn_wrong(suite: str, exercise: str, part: int) -> list[Path]:
    """The wrong kernels of an exercise that are drawn."""
    found = wrong_kernels().items()
    here = [(name, path) for name, path in found if path.parent.name == exercise]
    return [path for name, path in here if is_drawn(suite, name, part)]


if __name__ == "__main__":
    print("\n".join(name for name in sys.argv[3:] if is_drawn(sys.argv[1], name, int(sys.argv[2]))))
