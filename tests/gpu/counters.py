#!/usr/bin/python3
"""Reads what Nsight Compute counts for the program of counters.cu, as JSON.

Build it with the CUDA toolkit, anywhere:

    nvcc -std=c++17 -O3 -arch=native -Igrader/include -c tests/gpu/counters.cu
    nvcc … -DKERNEL=matmul_tiled -c reference/tiled.cu      (and each other reference)
    nvcc *.o -o counters

Usage: counters.py PROGRAM OUT.json      on a machine with a GPU and ncu
"""

from __future__ import annotations

import csv
import datetime
import io
import json
import re
import subprocess
import sys

OPERATIONS = ["ld", "st", "atom", "red"]
METRICS = [
    *[f"l1tex__t_requests_pipe_lsu_mem_global_op_{op}.sum" for op in OPERATIONS],
    *[f"l1tex__t_sectors_pipe_lsu_mem_global_op_{op}.sum" for op in OPERATIONS],
    *[f"smsp__inst_executed_op_shared_{op}.sum" for op in ["ld", "st", "atom"]],
    *[f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum" for op in ["ld", "st", "atom"]],
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "memory_l1_wavefronts_shared",
    "memory_l1_wavefronts_shared_ideal",
    "memory_l2_theoretical_sectors_global",
    "memory_l2_theoretical_sectors_global_ideal",
    "smsp__sass_data_bytes_mem_global.sum",
    "smsp__sass_data_bytes_mem_shared.sum",
]
REFERENCE_METRICS = [
    *METRICS,
    *[f"smsp__sass_thread_inst_executed_op_{op}_pred_on.sum" for op in ["ffma", "fadd", "fmul"]],
    "derived__memory_l1_wavefronts_shared_excessive",
    "derived__memory_l2_theoretical_sectors_global_excessive",
    "smsp__inst_executed_op_global_ld.sum",
    "smsp__inst_executed_pipe_adu.sum",
    "smsp__inst_issued.sum",
    "smsp__thread_inst_executed_per_inst_executed.ratio",
]


def ncu(program: str, metrics: list[str], *options: str) -> str:
    done = subprocess.run(
        ["ncu", "--csv", "--print-units", "base", "--clock-control", "none", "--metrics"]
        + [",".join(metrics), *options, program],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def rows_of(output: str) -> list[dict[str, str]]:
    """The table in ncu's output, one row a launch and metric."""
    start = output.find('"ID"')
    if start < 0:
        return []
    return list(csv.DictReader(io.StringIO(output[start:])))


def known(program: str, metrics: list[str]) -> list[str]:
    """The metrics that this card and this version of ncu have."""
    output = ncu(program, metrics, "--launch-count", "1", "-k", "regex:^pattern$")
    got = {row["Metric Name"] for row in rows_of(output) if "n/a" not in row["Metric Value"]}
    if got:
        print("not there:", [name for name in metrics if name not in got], flush=True)
        return [name for name in metrics if name in got]
    print(output[-1500:], flush=True)
    return [
        name
        for name in metrics
        if name
        in {
            row["Metric Name"]
            for row in rows_of(ncu(program, [name], "--launch-count", "1", "-k", "regex:^pattern$"))
        }
    ]


def read(program: str, metrics: list[str], kernels: str) -> list[dict[str, object]]:
    launches: dict[str, dict[str, object]] = {}
    for row in rows_of(ncu(program, metrics, "-k", f"regex:{kernels}")):
        launch = launches.setdefault(row["ID"], {"kernel": row["Kernel Name"]})
        value = row["Metric Value"].replace(",", "")
        launch[row["Metric Name"]] = float(value) if re.match(r"^[\d.]+$", value) else value
    return list(launches.values())


def main() -> int:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program = sys.argv[1]
    version = subprocess.run(["ncu", "--version"], capture_output=True, text=True, check=False)
    card = subprocess.run(
        ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
        capture_output=True,
        text=True,
        check=False,
    )
    result = {
        "card": card.stdout.strip(),
        "ncu": re.findall(r"Version \S+", version.stdout),
        "date": datetime.date.today().isoformat(),
        "references": read(
            program, known(program, REFERENCE_METRICS), r"^matmul_(naive|tiled|register_tiled)$"
        ),
    }
    patterns = known(program, METRICS)
    for kernels in ["divergent", "pattern"]:
        result[kernels] = read(program, patterns, f"^{kernels}$")
        with open(sys.argv[2], "w", encoding="utf-8") as file:
            json.dump(result, file, indent=1)
    for launch in result["references"]:
        print(launch["kernel"], {k: v for k, v in launch.items() if k != "kernel" and v})
    print(len(result["pattern"]), "patterns", result["card"], result["ncu"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
