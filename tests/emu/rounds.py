#!/usr/bin/python3
"""Right kernels stay right, and their work the same, if each block is set aside after every round.

The CPU device sets a block aside for another one if it has to wait, or may have to: after 32
rounds (schedule_rounds_max in grader/emu/machine/schedule.c).  Few kernels run so long.  Here a
worker with one round runs those kernels of tests/emu and the course whose blocks may wait.  Each
must give what it gives with the product's worker: findings, counts, results and pictures.

With SETS=all, all these kernels take part, those of the course in all their cases.  Otherwise a
part of them runs, drawn by the commit, and those of the course at one size.

Usage: rounds.py BUILD_FOLDER [NAME...]
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from drawn import is_drawn, sample  # noqa: E402
from portability import Case, what_it_says  # noqa: E402
from run import expectation_read  # noqa: E402
from toolchain import ROOT, Rig, Toolchain, command, command_or_exit, rig_make, worker_make

# One in so many is drawn.
EMU_PART = 10
COURSE_PART = 36
# By how many sizes an exercise has: more than one block, and more than one slice of a tile.
SIZE = {1: "9000", 2: "132x136", 3: "132x24x136"}
SEED = "5eed"
CPU_MS = "cpu_ms=60000"  # to set a block aside takes as long as a thousand accesses
# Only in such files a block waits for another one, or lets it run.
MAY_WAIT = re.compile("fence|mbarrier|bulk|wgmma|cluster|workspace")
# How often a thread asks for what another block stores depends on when that block runs.
ASK_AGAIN = {
    "fences_wait_many",
    "fences_wait_with_shared_memory",
    "tensor_flag_release_acquire",
    "tensor_handed_over",
}
OF_ASKING = re.compile(r"(?m)^count (global_(load|atomic)|memory_lanes|block_passes_max).*\n")

WORKERS = ("the product's worker", "one round at a time")
Run = Callable[[Path, Path], str]  # what a kernel gives with the programs of a folder


def programs_make(programs: Path, folder: Path) -> None:
    """The programs of a build folder, with a worker that sets a block aside after every round."""
    source, obj = folder / "rounds.c", folder / "rounds.o"
    source.write_text("const unsigned schedule_rounds_max = 1;\n")
    command_or_exit("gcc", "-c", source, "-o", obj)
    worker_make(obj, programs / "emu-worker.o", folder / "emu-worker.o")
    for program in [*programs.glob("tilegrade*"), *programs.glob("lib*.a")]:
        os.link(program, folder / program.name)


def alone(case: Case, rigs: dict[Path, Rig], programs: Path, folder: Path) -> str:
    text = what_it_says(rigs[programs], case, folder)
    return OF_ASKING.sub("", text) if case.source.stem in ASK_AGAIN else text


def size_of(exercise: str) -> str:
    (page,) = ROOT.glob(f"lessons/[0-9][0-9][0-9]_{exercise}/exercise.ini")
    names = re.search("(?m)^sizes = (.*)$", page.read_text())
    return SIZE[len(names[1].split()) if names else 3]


def in_course(source: Path, exercise: str, programs: Path, folder: Path) -> str:
    """The result of a kernel of the course, without times."""
    submission = folder / "submission"
    submission.mkdir(parents=True)
    shutil.copy(source, submission / f"{exercise}.cu")
    done = command(
        programs / "tilegrade",
        *("test", f"--exercise={exercise}", f"--submission={submission}", f"--seed={SEED}"),
        *(f"--out={folder / 'out'}", "--device=emu", "--jobs=1", f"--root={ROOT}"),
        *([f"--size={size_of(exercise)}"] if sample() else []),
    )
    if done.returncode != 0:
        return f"{done.stdout}{done.stderr}exit {done.returncode}\n"
    text = (folder / "out/result.json").read_text()
    return re.sub(r'(?m)^ *"(seconds|graded_at)": .*\n', "", text) + "exit 0\n"


def drawn_of(kernels: list[tuple[Path, Run]], part: int) -> list[tuple[Path, Run]]:
    return [one for one in kernels if is_drawn("rounds", str(one[0].relative_to(ROOT)), part)]


def kernels_of_emu(rigs: dict[Path, Rig]) -> list[tuple[Path, Run]]:
    kernels = []
    for source in sorted((ROOT / "tests/emu").glob("*.cu")):
        text = source.read_text()
        wanted = expectation_read(text)
        right = all(re.search(r"\b(note|warning)\b", finding) for finding in wanted.findings)
        if right and not wanted.compile and MAY_WAIT.search(text):
            options = [option for option in wanted.options if option != "nocheck"]
            check = ["check"] if options == wanted.options else []
            words = (wanted.launch, *check, "count", CPU_MS, *options)
            kernels.append((source, partial(alone, Case(source, "matmul_test", words), rigs)))
    return drawn_of(kernels, EMU_PART)


def kernels_of_course() -> list[tuple[Path, Run]]:
    kernels = []
    for reference in sorted((ROOT / "reference").glob("*.cu")):
        exercise = reference.stem
        for source in [reference, *sorted((ROOT / "tests/right" / exercise).glob("*.cu"))]:
            if MAY_WAIT.search(source.read_text(errors="replace")):
                kernels.append((source, partial(in_course, source, exercise)))
    return drawn_of(kernels, COURSE_PART)


def difference(kernel: tuple[Path, Run], programs: list[Path], folder: Path) -> str:
    """The first lines that differ; empty if none does."""
    folder.mkdir()
    texts = [kernel[1](one, folder / str(number)) for number, one in enumerate(programs)]
    shutil.rmtree(folder)
    for who, text in zip(WORKERS, texts):
        if not text.endswith("exit 0\n"):
            return f"    {who}:\n{text}"
    lines = [text.splitlines() for text in texts]
    only = ([line for line in a if line not in b][:3] for a, b in (lines, lines[::-1]))
    shown = [f"    {who}: {line}\n" for who, some in zip(WORKERS, only) for line in some]
    return "".join(shown) or "    the order of lines\n" * (texts[0] != texts[1])


def main() -> int:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    programs = Path(sys.argv[1]).resolve()
    names = sys.argv[2:]
    print(f"a part, drawn by SAMPLE={sample()}" if sample() else "all kernels")
    with (
        tempfile.TemporaryDirectory() as temporary,
        tempfile.TemporaryDirectory(dir=programs, prefix="rounds-") as here,
        ThreadPoolExecutor(os.cpu_count()) as pool,
    ):
        folder, rounds = Path(temporary), Path(here)
        for place in (folder, rounds):
            place.chmod(0o755)  # workers run as another user
        programs_make(programs, rounds)
        rigs = {
            one: rig_make(Toolchain(f"g++-{number}", "g++"), folder, one / "libemu-worker.a")
            for number, one in enumerate((programs, rounds))
        }
        kernels = kernels_of_course() + kernels_of_emu(rigs)
        kernels = [one for one in kernels if not names or one[0].stem in names]
        judge = partial(difference, programs=[programs, rounds])
        folders = [folder / f"kernel-{number}" for number in range(len(kernels))]
        failed = 0
        for (source, _), text in zip(
            kernels, pool.map(lambda pair: judge(pair[0], folder=pair[1]), zip(kernels, folders))
        ):
            failed += text != ""
            if text:
                print(f"{source.relative_to(ROOT)}:\n{text}", end="")
    print(f"{len(kernels) - failed} passed, {failed} failed")
    return 1 if failed or not kernels else 0


if __name__ == "__main__":
    sys.exit(main())
