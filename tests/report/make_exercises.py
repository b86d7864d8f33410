"""Exercises of a result with everything that a page draws: marks, costs, times, an estimate."""

from __future__ import annotations

import make_result

PEAKS = {"gflops": 66900.0, "l1_gb_s": 33454.0, "l2_gb_s": 10137.0, "memory_gb_s": 4800.0}
SOURCE = """__global__ void k() {
    int tx = 0;
    for (;;) {
        As[ty][tx] = A[row * K + k];  // größer
        x = 1;
        acc += As[ty][k] * Bs[k][tx];
    }
}
"""


def racing() -> dict:
    exercise = make_result.exercise("tiled", "race", 0, 40000, "Two threads race.")
    exercise["source"] = SOURCE
    exercise["findings"][0] |= {
        "line": 4,
        "other_line": 6,
        "source": "As[ty][tx] = A[row * K + k];  // gr??er",
        "mark": [0, 10],
        "other_source": "acc += As[ty][k] * Bs[k][tx];",
        "other_mark": [7, 9],
    }
    return exercise


def requests(requests: int, units: int, ideal: int, name: str) -> dict:
    return {"requests": requests, name: units, "ideal": ideal, "bytes": 0, "lanes": 0}


def counted() -> dict:
    exercise = make_result.exercise("counted", "pass", 40000, 40000, "All pass.")
    exercise["source"] = SOURCE
    exercise["counts"] = {
        "size": [512, 512, 512],
        "sector_bytes_per_flop": 0.25,
        "lines": [
            {"line": 4, "flops": 0, "global_load": requests(10, 320, 40, "sectors")},
            {"line": 6, "flops": 9, "shared_load": requests(10, 10, 10, "wavefronts")},
        ],
    }
    return exercise


def measured(sizes: list[list[int]]) -> dict:
    exercise = make_result.exercise("naive", "pass", 20000, 20000, "All pass.")
    exercise["speed"] = [
        {
            "size": size,
            "basis": "measured",
            "verdict": "fast",
            "ratio": 0.97,
            "low": 0.96,
            "high": 0.98,
            "full": 0.95,
            "zero": 0.5,
            "pairs": 11,
            "points": 1000,
            "points_max": 1000,
            "gflops": 5000.0,
            "reference_gflops": 5100.0,
            "student_ms": [1.0 + 0.01 * i for i in range(11)],
            "reference_ms": [1.0] * 11,
        }
        for size in sizes
    ]
    return exercise


def estimated() -> dict:
    exercise = counted()
    exercise["estimate"] = {
        "note": "an estimate",
        "card": "H200",
        "card_peaks": PEAKS,
        "size": [4096] * 3,
        "student": {
            "gflops": 7000.0,
            "bound_text": "loads",
            "lesson": "l",
            "occupancy": 1.0,
            "registers": 9,
        },
    }
    return exercise
