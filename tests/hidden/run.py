#!/usr/bin/python3
"""A store that no check sees, into every mapping of a worker: no mistake vanishes.

The worker is the product's, but its kernel may call store.c, which the product would refuse.

Usage: run.py BUILD_FOLDER
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests/emu"))

import toolchain  # noqa: E402  (found by the line above)

LIBRARIES = "-ljansson -linih -lmd -lseccomp -ldl -lm -pthread".split()


def compiled(*words: object) -> None:
    done = toolchain.command("gcc", "-std=c11", "-g", "-O1", "-D_GNU_SOURCE", *words)
    if done.returncode != 0:
        sys.exit(done.stderr)


def main() -> int:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    programs = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        store, judge = folder / "store.o", folder / "judge"
        compiled("-fno-pie", f"-I{ROOT}/grader", "-c", HERE / "store.c", "-o", store)
        sources = (f"-I{ROOT}/grader", HERE / "judge.c", programs / "libtilegrade.a")
        compiled(*sources, *LIBRARIES, "-o", judge)
        joined = folder / "worker.o"
        toolchain.worker_make(store, programs / "emu-worker.o", joined)
        rig = toolchain.Rig(toolchain.Toolchain("g++"), joined, programs / "libemu-worker.a")
        worker, messages = toolchain.build(rig, HERE / "kernel.cu", "matmul_test", folder)
        if worker is None:
            sys.exit(messages)
        done = toolchain.command(judge, worker)
        print(done.stdout + done.stderr, end="")
    print("0 passed, 1 failed" if done.returncode else "1 passed, 0 failed")
    return 1 if done.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
