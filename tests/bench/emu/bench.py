#!/usr/bin/python3
"""Runs the same two kernels on the CPU device, in Oclgrind and in PoCL, and prints the ratios.

Everything runs together on the same machine, because ratios say more than absolute times.  A time
is the wall clock of one launch: the best of equally many launches in one program on either side, so
that neither pays for the work of a first launch.  Oclgrind, which takes half a minute, runs once.
The ratios of processor time (one process against all threads) change least on a machine with other
users.  The exit code is 1 if a bar is missed.

Usage: bench.py BUILD_FOLDER [quick]
"""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/emu"))

import toolchain  # noqa: E402  (found by the line above)

KERNELS = ("tiled", "naive")
PROCESSES = 2
RUNS = 7
PROGRAMS = 3
CPU_RUNS, CPU_LAUNCHES = 3, 5
OCLGRIND_SIZE = 256
RACES_RATIO_MIN, RACES_RATIO_GOAL = 150, 300
PLAIN_RATIO_MAX = 2.0
CPU_MS_MAX = 50.0
RESIDENT_MIB_MAX = 64.0
PACKAGES = "oclgrind pocl-opencl-icd ocl-icd-opencl-dev opencl-headers"
INSTRUMENTATION = ("-fsanitize", "-fno-tree-fre", "-fno-tree-dce", "-fno-inline", "-Og", "-g")
INSTRUMENTATION += ("-mindirect-branch", "-fno-jump-tables")


def plain_flags(rig: toolchain.Rig) -> list[str]:
    """The product's flags without those that instrument a kernel.

    For this very processor, as PoCL compiles; -ffp-contract=off stays, so results are the same.
    """
    flags = toolchain.product_flags(rig.programs)
    plain = [flag for flag in flags if not flag.startswith(INSTRUMENTATION)]
    return plain + ["-O3", "-march=native"]


def program_make(
    rig: toolchain.Rig,
    source: Path,
    kernel: str,
    folder: Path,
    flags: list[str] | None = None,
) -> Path:
    folder.mkdir()
    program, messages = toolchain.build(rig, source, kernel, folder, flags)
    if program is None:
        sys.exit(messages)
    return program


def launch_seconds(program: Path, size: int, *words: str) -> float:
    """The median of PROGRAMS programs, each of which reports its best launch."""
    times = []
    for _ in range(PROGRAMS):
        done = toolchain.command(program, f"{size}x{size}x{size}", f"repeat={RUNS + 1}", *words)
        found = re.search(r"launch ([0-9.]+) ms", done.stderr)
        if not found or "product right" not in done.stdout or "finding" in done.stdout:
            sys.exit(f"{program.parent.name} at {size}: {done.stdout[:400]}{done.stderr}")
        times.append(float(found[1]) / 1e3)
    return statistics.median(times)


def usage_of(*words: object) -> tuple[float, float]:
    """Processor seconds and the largest resident MiB of a program and its children."""
    with open(os.devnull, "w", encoding="utf-8") as nothing:
        process = subprocess.Popen([str(word) for word in words], stdout=nothing, stderr=nothing)
        _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{words[0]} ended with {status}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def launch_cpu_ms(many: Callable[[int], float]) -> float:
    """Processor time of one launch, from programs that launch many times and once."""
    times = [(many(CPU_LAUNCHES + 1) - many(1)) / CPU_LAUNCHES for _ in range(CPU_RUNS)]
    return 1e3 * statistics.median(times)


def cpu_ms(program: Path, size: int, *words: str) -> float:
    """Processor time of one launch in one process."""
    text = f"{size}x{size}x{size}"
    return launch_cpu_ms(lambda n: usage_of(program, text, *words, f"repeat={n}")[0])


def opencl_cpu_ms(host: Path, kernel: str, size: int) -> float:
    """The same for PoCL, all its threads together."""
    words = (host, HERE / "kernels.cl", f"matmul_{kernel}", size)
    return launch_cpu_ms(lambda n: usage_of(*words, n)[0])


def opencl_seconds(host: Path, kernel: str, size: int, repeats: int, *before: str) -> float:
    """The best launch except the first, which compiles; or the only one."""
    done = subprocess.run(
        [*before, str(host), str(HERE / "kernels.cl"), f"matmul_{kernel}", str(size), str(repeats)],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    if done.returncode != 0:
        sys.exit(f"{before} {host.name}: {done.stdout}{done.stderr}")
    times = [float(line) for line in done.stdout.splitlines()[1:]]
    return min(times[1:] if repeats > 1 else times)


def host_make(folder: Path) -> Path | None:
    """The OpenCL program; None, with a message, if packages are missing."""
    host = folder / "host"
    made = toolchain.command("gcc", "-O2", HERE / "host.c", "-lOpenCL", "-o", host)
    if made.returncode == 0 and shutil.which("oclgrind"):
        return host
    print(f"missing here: some of {PACKAGES}: `make setup DEV=1` installs them.")
    print("Compared with nothing: only the bars of the CPU device itself are looked at.")
    return None


class Bars:
    """What must hold, and whether it did."""

    def __init__(self) -> None:
        self.missed = 0

    def look(self, what: str, value: float, unit: str, held: bool, bar: str) -> None:
        self.missed += not held
        print(f"{what:56} {value:9.2f} {unit:4} {bar:14} {'ok' if held else 'MISSED'}")


def compare(bars: Bars, host: Path, checked: Path, plain: Path, kernel: str, quick: bool) -> None:
    """One kernel compared with PoCL and Oclgrind."""
    shared = f"processes={PROCESSES}"
    for size in (256, 512):
        ours = launch_seconds(plain, size, shared)
        theirs = opencl_seconds(host, kernel, size, RUNS + 1)
        cpu = cpu_ms(plain, size), opencl_cpu_ms(host, kernel, size)
        print(f"  {kernel} {size}, no checks: {ours:.4f} s; PoCL {theirs:.4f} s")
        print(
            f"    processor time {cpu[0]:.1f} ms; PoCL {cpu[1]:.1f} ms: {cpu[0] / cpu[1]:.2f} times"
        )
        ratio = ours / theirs
        what = f"{kernel} {size} without checks, times PoCL"
        bars.look(what, ratio, "", ratio <= PLAIN_RATIO_MAX, f"<= {PLAIN_RATIO_MAX:g}")
    size = OCLGRIND_SIZE // 4 if quick else OCLGRIND_SIZE
    ours = launch_seconds(checked, size, "check", shared)
    before = os.times()
    theirs = opencl_seconds(host, kernel, size, 1, "oclgrind", "--data-races")
    after = os.times()
    their_cpu = after.children_user + after.children_system
    their_cpu -= before.children_user + before.children_system
    our_cpu = cpu_ms(checked, size, "check") / 1e3
    print(f"  {kernel} {size}, all checks: {ours:.4f} s; Oclgrind --data-races {theirs:.1f} s")
    print(
        f"    processor time {our_cpu:.4f} s; Oclgrind {their_cpu:.1f} s: "
        f"{their_cpu / our_cpu:.0f} times"
    )
    if quick:
        return
    ratio = theirs / ours
    what = f"{kernel} {size} all checks, Oclgrind's time by ours"
    bars.look(what, ratio, "", ratio >= RACES_RATIO_MIN, f">= {RACES_RATIO_MIN}")
    if ratio >= RACES_RATIO_GOAL:
        print(f"  the goal of {RACES_RATIO_GOAL} is reached")


def main() -> int:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    library = Path(sys.argv[1]).resolve() / "libemu-worker.a"
    quick = "quick" in sys.argv[2:]
    bars = Bars()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        rig = toolchain.rig_make(toolchain.Toolchain("g++"), folder, library)
        checked, plain = {}, {}
        for kernel in KERNELS:
            source = ROOT / f"reference/{kernel}.cu"
            name = f"matmul_{kernel}"
            checked[kernel] = program_make(rig, source, name, folder / f"{kernel}-checked")
            plain[kernel] = program_make(
                rig, source, name, folder / f"{kernel}-plain", plain_flags(rig)
            )
        wide = program_make(
            rig, HERE.parent / "kernels/tiled_32.cu", "matmul_tiled_32", folder / "tiled-32"
        )
        for kernel in KERNELS:
            spent = cpu_ms(checked[kernel], 128, "check")
            what = f"{kernel} 128 all checks, processor time"
            bars.look(what, spent, "ms", spent < CPU_MS_MAX, f"< {CPU_MS_MAX:g}")
        resident = usage_of(wide, "128x128x128", "check", "repeat=3")[1]
        what = "blocks of 1024 threads, resident with all buffers"
        bars.look(what, resident, "MiB", resident < RESIDENT_MIB_MAX, f"< {RESIDENT_MIB_MAX:g}")
        host = host_make(folder)
        for kernel in KERNELS if host else ():
            compare(bars, host, checked[kernel], plain[kernel], kernel, quick)
    return 1 if bars.missed else 0


if __name__ == "__main__":
    sys.exit(main())
