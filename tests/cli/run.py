#!/usr/bin/python3
"""Runs the command-line tests, or those whose names begin so: run.py [NAME...].

UPDATE=1 brings the expected output up to date. NAME.sh is a script for bash; NAME.out is what it
must print, both streams together, with the exit code as the last line. expected.py says how they
are compared. Lines of NAME.out that agree with what is printed are left as they are by UPDATE=1.
Of those that judge many kernels, one in SLOW_PART is drawn by the commit, or all with SETS=all.

Each runs in a fresh copy of tests/cli/course, with `tilegrade` as a command, $REPOSITORY as the
real course, and the folder itself printed as ROOT.  A script that prints `skip: why` was skipped.
"""

from __future__ import annotations

import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from expected import merge

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from drawn import changed, is_drawn  # noqa: E402  (found by the line above)
from small import course_copy  # noqa: E402

# same A B: are two results equal, but for when they were made and how long it took?
FUNCTIONS = r"""
timeless() { grep -vE '^  "(graded_at|seconds)": ' "$1"; }
same() { cmp <(timeless "$1") <(timeless "$2"); }
export -f timeless same
"""
ROOT = HERE.parents[1]
# A make above must not reach the makes of the tests; a developer may have another language.
LEFT_OUT = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "LANGUAGE", "TILEGRADE_LANGUAGE")
# Which layers hold depends on the machine.
SANDBOX = re.compile(r"^  (?:sandbox: |沙箱：).*?(?=^  (?:written: |已写出：))", re.M | re.S)
# Lines of progress are written only after half a minute of silence, as on a busy machine.
PROGRESS = re.compile(
    r"^(?: *\d+ %  \w+[:：]|graded \d+ of |counting the work of |reading submissions: ).*\n", re.M
)


SLOW = (  # seconds of the processor each
    "a_wrong_value_is_computed_again",
    "answers_bring_points",
    "barrier_is_tried",
    "barrier_names_who_does_not_come",
    "causes_of_odd_mistakes",
    "classic_mistakes_have_a_cause",
    "counts_of_the_reference_are_kept",
    "loop_that_waits_in_a_race",
    "new_exercise_is_proven",
    "public_tree_without_barrier",
    "values_at_the_access",
    "what_is_left_out_is_the_cause",
)
SLOW_PART = 4


def wanted_now(script: Path) -> bool:
    """True for a script that runs if none is named."""
    name = f"tests/cli/{script.stem}"
    return (
        script.stem not in SLOW
        or is_drawn("cli", f"{name}.sh", SLOW_PART)
        or f"{name}.out" in changed()
    )


def environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
    build = ROOT / os.environ.get("BUILD", "build")
    # No GPU, even on a machine with one: what is printed must not depend on the machine.
    fixed = {"NO_COLOR": "1", "LC_ALL": "C.UTF-8", "CUDA_VISIBLE_DEVICES": ""}
    return kept | fixed | {"REPOSITORY": str(ROOT), "PATH": f"{build}:{os.environ['PATH']}"}


def printed(script: Path, work: Path) -> list[str]:
    # The grader's parts are next to the program, so a copy of the course does not need them.
    folder = work / script.stem
    course_copy(folder)
    done = subprocess.run(
        ["bash", "-c", f"{FUNCTIONS}bash {script} 2>&1; echo \"exit $?\""],
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        check=False,
    )
    subprocess.run(["chmod", "-R", "u+rwX", folder], check=True)
    shutil.rmtree(folder)
    text = done.stdout.decode("utf-8", "surrogateescape")
    text = text.replace(str(folder), "ROOT").replace(str(ROOT), "REPOSITORY")
    return [line.rstrip() for line in PROGRESS.sub("", SANDBOX.sub("", text)).split("\n")[:-1]]


def lines_read(path: Path) -> list[str]:
    text = path.read_bytes().decode("utf-8", "surrogateescape") if path.exists() else ""
    return text.split("\n")[:-1]


def run(script: Path, work: Path) -> tuple[str, list[str]]:
    """The outcome of a test, and lines to print."""
    path = script.with_suffix(".out")
    got, want = printed(script, work), lines_read(path)
    skipped = [line for line in got if line.startswith("skip: ")]
    if skipped:
        return "skipped", [f"skipped {script.stem}: {skipped[0].removeprefix('skip: ')}"]
    merged = merge(want, got)
    if merged == want:
        return "passed", [f"ok {script.stem}"]
    if os.environ.get("UPDATE"):
        path.write_bytes("".join(f"{line}\n" for line in merged).encode("utf-8", "surrogateescape"))
        return "passed", [f"ok {script.stem}, brought up to date"]
    differ = difflib.unified_diff(want, merged, path.name, "printed", lineterm="")
    return "failed", [f"FAIL {script.stem}", *differ]


def main(names: list[str]) -> int:
    named = tuple(names)
    scripts = [
        path
        for path in sorted(HERE.glob("*.sh"))
        if (path.stem.startswith(named) if names else wanted_now(path))
    ]
    count = {"passed": 0, "failed": 0, "skipped": 0}
    with tempfile.TemporaryDirectory(prefix="tmp.cl") as work:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for how, lines in pool.map(lambda script: run(script, Path(work)), scripts):
                count[how] += 1
                print("\n".join(lines).encode("utf-8", "replace").decode(), flush=True)
    print(", ".join(f"{number} {how}" for how, number in count.items()))
    return 0 if scripts and not count["failed"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
