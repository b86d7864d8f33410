#!/usr/bin/env python3
"""Grades many submissions at once on the GPUs of this machine, and shows what sharing costs.

    tests/gpu/grade_many.py COUNT AT_ONCE OUT [ALONE]

COUNT submissions of three exercises, made from the kernels of tests/speed, AT_ONCE at a time.  If
ALONE is the OUT of a run with one at a time, verdicts, ratios and their spread are compared with
those of that run.  BUILD names another folder than build; KINDS is how many kinds of submissions
there are.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/speed"))
import kernels  # noqa: E402

EXERCISES = ("naive", "tiled", "register_tiled")
KINDS = int(os.environ.get("KINDS", "10"))
# Clearly fast, clearly slow and in between, one line a submission.
SUBMISSIONS = [
    line.split()
    for line in """
    two_accumulators       double_buffer            double_buffer
    blocks_of_16_x_32      tile_of_32               padded_slice
    tiled_for_it           two_rows_a_thread        transposed_a
    compensated_sum        deep_slices              swizzled_float4
    float2_columns         register_tiled_for_it    warp_tiled_for_it
    x_walks_down           a_by_shuffles            eight_by_eight
    double_sum             tile_of_8                tall_threads
    sleeps_by_k            vectorized_for_it        next_slice_in_registers
    blocks_of_4_x_4        six_barriers             strided_elements
    roots_by_k             transposed_tile          a_barrier_for_each_k
    """.strip().splitlines()[:KINDS]
]


def submission_make(index: int, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    texts = {(kernel.exercise, kernel.name): kernel for kernel in kernels.kernels()}
    for exercise, name in zip(EXERCISES, SUBMISSIONS[index % len(SUBMISSIONS)]):
        (folder / f"{exercise}.cu").write_text(texts[exercise, name].text(), encoding="utf-8")


def grade(index: int, out: Path) -> tuple[float, int]:
    """Seconds, and the exit code."""
    folder = out / f"submission-{index}"
    submission_make(index, folder)
    build = os.environ.get("BUILD", str(ROOT / "build"))
    seed = 1 + index % len(SUBMISSIONS)
    words = [f"{build}/tilegrade", "grade", "--quiet", "--jobs=1", f"--seed={seed}"]
    words += [f"--submission={folder}", f"--out={out}/result-{index}"]
    begin = time.monotonic()
    ran = subprocess.run(words, capture_output=True, text=True)
    if ran.returncode not in (0, 1):
        print(f"submission {index}: exit code {ran.returncode}: {ran.stderr[-300:].strip()}")
    return time.monotonic() - begin, ran.returncode


def exercises_of(out: Path, index: int) -> dict[str, dict]:
    result = json.loads((out / f"result-{index}" / "result.json").read_text(encoding="utf-8"))
    return {exercise["name"]: exercise for exercise in result["exercises"]}


def spread(values: list[float]) -> float:
    """Half of the values are so far apart, as a share of their median."""
    low, middle, high = statistics.quantiles(values, n=4)
    return (high - low) / middle


def ratios(speed: dict) -> list[float]:
    return [r / s for s, r in zip(speed["student_ms"], speed["reference_ms"])]


def compare(out: Path, alone: Path, graded: list[int]) -> None:
    shifts: list[float] = []
    spreads: list[tuple[float, float]] = []
    other = 0
    points = 0.0
    for index in graded:
        here = exercises_of(out, index)
        there = exercises_of(alone, index % len(SUBMISSIONS))
        for name in EXERCISES:
            rows = {json.dumps(row["size"]): row for row in there[name]["speed"]}
            off = abs(here[name]["points"] - there[name]["points"]) / here[name]["points_max"]
            points = max(points, off)
            verdicts = here[name]["verdict"], there[name]["verdict"]
            if verdicts[0] != verdicts[1]:
                print(f"  {index} {name}: {verdicts}")
                other += 1
            for row in here[name]["speed"]:
                beside = rows[json.dumps(row["size"])]
                shifts.append(row["ratio"] / beside["ratio"] - 1.0)
                if len(row["student_ms"]) > 3 and len(beside["student_ms"]) > 3:
                    spreads.append((spread(ratios(row)), spread(ratios(beside))))
                if row["verdict"] != beside["verdict"]:
                    other += 1
                    print(
                        f"  {index} {name} {row['size']}: {row['verdict']} {row['ratio']:.4f}, "
                        f"alone {beside['verdict']} {beside['ratio']:.4f}, full {row['full']}"
                    )
    shifts.sort(key=abs)
    print(f"{other} verdicts of {len(shifts)} sizes differ from those alone, ", end="")
    print(f"points of an exercise by at most {points:.2%} of its maximum")
    for share in (0.5, 0.9, 0.99, 1.0):
        at = min(len(shifts) - 1, int(share * len(shifts)))
        now, then = (
            100 * sorted(column)[min(len(spreads) - 1, int(share * len(spreads)))]
            for column in zip(*spreads)
        )
        print(
            f"  {share:4.0%} of the sizes: ratio at most {100 * abs(shifts[at]):.2f} % off, "
            f"spread at most {now:.2f} %, alone {then:.2f} %"
        )


def main() -> int:
    count, at_once, out = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    with ThreadPoolExecutor(at_once) as pool:
        runs = list(pool.map(lambda index: grade(index, out), range(count)))
    wall = time.monotonic() - begin
    graded = [index for index in range(count) if runs[index][1] in (0, 1)]
    print(
        f"{len(graded)} of {count} submissions, {at_once} at once: {wall:.1f} s, "
        f"{60 * len(graded) / wall:.1f} a minute; "
        f"one takes {statistics.mean(seconds for seconds, _ in runs):.1f} s"
    )
    for name in EXERCISES:
        times = [exercises_of(out, index)[name].get("gpu_seconds") for index in graded]
        if all(times):
            locked = [time["locked"] for time in times]
            waited = statistics.mean(time["waited"] for time in times)
            print(
                f"  {name}: locked {statistics.mean(locked):.2f} s "
                f"({min(locked):.2f} to {max(locked):.2f}), waited {waited:.2f} s"
            )
    attempts = [
        row["attempts"]
        for index in graded
        for exercise in exercises_of(out, index).values()
        for row in exercise["speed"]
    ]
    print(f"  measured again: {sum(a > 1 for a in attempts)} of {len(attempts)} sizes")
    if len(sys.argv) > 4:
        compare(out, Path(sys.argv[4]), graded)
    return 0 if len(graded) == count else 1


if __name__ == "__main__":
    sys.exit(main())
