#!/usr/bin/python3
"""Adds to ladder.csv the bound of each kernel of the ladder, and of cuBLAS, as measured by Nsight
Compute.

Usage: bounds.py LADDER.csv BENCH [ARGUMENT…]

BENCH and its arguments are the tilegrade-bench that measured, with `--launches 0`, which launches
each kernel once at each size.  For the largest size up to 4096 a line `# bound KERNEL TEXT` is
added for each kernel: the busiest part of the GPU, and its utilization.  Without ncu, or if it may
not read the counters, nothing is added and one line says so; that is not a failure.
"""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
import sys
from pathlib import Path

# The parts of a GPU, and the metric for the utilization of each, as a share of its maximum.
RESOURCES = {
    "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active": "multiply-adds",
    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active": "tensor cores",
    "sm__inst_issued.avg.pct_of_peak_sustained_active": "issuing instructions",
    "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed": "shared memory and L1",
    "lts__t_sectors.avg.pct_of_peak_sustained_elapsed": "the L2 cache",
    "dram__bytes.sum.pct_of_peak_sustained_elapsed": "memory",
}
TIME = "gpu__time_duration.sum"
# If every part is below this share, no part is busy: the kernel waits.
BUSY_PERCENT = 50.0
WAITING = "waiting"
# Our own kernels around each launch (grader/device/gpu/inputs.cu), and a LAUNCH_CONFIG.
OWN = re.compile(
    r"^(inputs_make|inputs_compare|array_make|array_compare|words_compare|fma_peak)\b"
    r"|_launch_config\b"
)
FOLDERS = ("/usr/local/cuda/bin", "/opt/nvidia/nsight-compute")
LIMIT_S = 300


def number(word: str | None) -> float:
    try:
        return float((word or "").replace(",", ""))
    except ValueError:
        return 0.0


def launches_read(output: str) -> list[dict[str, str]]:
    """The rows of ncu's raw page, one per launch; [] if there is no table."""
    start = output.find('"ID"')
    if start < 0:
        return []
    rows = list(csv.DictReader(io.StringIO(output[start:])))
    return [row for row in rows if (row.get("ID") or "").isdigit()]


def products(launches: list[dict[str, str]]) -> list[dict[str, str]]:
    """The longest launch of each product; our own kernels separate the products."""
    found: list[dict[str, str]] = []
    inside = False
    for launch in launches:
        if OWN.search(launch.get("Kernel Name", "")):
            inside = False
        elif not inside:
            inside = True
            found.append(launch)
        elif number(launch.get(TIME)) > number(found[-1].get(TIME)):
            found[-1] = launch
    return found


def bound_text(launch: dict[str, str]) -> str:
    shares = {text: number(launch.get(metric)) for metric, text in RESOURCES.items()}
    most = max(shares, key=lambda text: shares[text])
    if shares[most] < BUSY_PERCENT:
        return f"{WAITING}; {most} {shares[most]:.0f} %"
    return f"{most}, {shares[most]:.0f} %"


def bounds_read(output: str, kernels: list[str]) -> dict[str, str]:
    """The bound of each kernel; {} unless ncu saw as many products as there are kernels."""
    found = products(launches_read(output))
    if len(found) != len(kernels):
        return {}
    return {kernel: bound_text(launch) for kernel, launch in zip(kernels, found)}


def ncu_find() -> str | None:
    path = shutil.which("ncu")
    for folder in () if path else FOLDERS:
        path = path or next((str(file) for file in sorted(Path(folder).glob("**/ncu"))), None)
    return path


def size_choose(rows: list[dict[str, str]]) -> tuple[str, ...]:
    """The size for the table of steps (ladder.py): the largest square up to 4096."""
    sizes = list(dict.fromkeys((row["m"], row["n"], row["k"]) for row in rows))
    squares = [size for size in sizes if len(set(size)) == 1] or sizes
    return max(squares, key=lambda size: (int(size[0]) <= 4096, int(size[0])))


def main() -> int:
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    path, bench = Path(sys.argv[1]), sys.argv[2:]
    text = path.read_text()
    rows = list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))
    ncu = ncu_find()
    if not rows or not ncu:
        print("ncu was not found: what bounds a kernel is estimated", file=sys.stderr)
        return 0
    size = size_choose(rows)
    command = [ncu, "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none"]
    command += ["--metrics", ",".join([TIME, *RESOURCES])]
    command += [bench[0], "--launches", "0", "x".join(size), *bench[1:]]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT_S)
    kernels = [row["kernel"] for row in rows if (row["m"], row["n"], row["k"]) == size]
    bounds = bounds_read(done.stdout, kernels)
    if not bounds:
        said = re.search(r"==ERROR== (.*)", done.stdout + done.stderr)
        why = said[1] if said else "it did not see each kernel once"
        print(f"ncu: {why}; what bounds a kernel is estimated", file=sys.stderr)
    with path.open("a") as file:
        for kernel, bound in bounds.items():
            file.write(f"# bound {kernel} {bound}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
