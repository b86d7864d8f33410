"""Results for the report tests: one of each kind, and random ones with hostile text."""

from __future__ import annotations

import os
import random
from typing import Any

# Reports of a CI job link to the repository of the course: tests say when they want that.
for name in ("GITHUB_REPOSITORY", "CI_PROJECT_URL"):
    os.environ.pop(name, None)

HOSTILE = [
    '</failure><x a="',
    "`` ` ```",
    "| a | b |",
    "<script>alert(1)</script>",
    "\x1b[31m\x00\x07",
    "=cmd()",
    "&amp; \ufffe",
    "é 中",
]
VERDICTS = ["pass", "race", "wrong_result", "crash"]
NOT_RUN = ["missing", "build_error", "not_started", "needs_gpu"]


def finding(text: str, line: int = 22) -> dict[str, Any]:
    return {
        "kind": "race",
        "severity": "error",
        "file": "tiled.cu",
        "line": line,
        "column": 20,
        "other_line": 13,
        "other_column": 0,
        "count": 4096,
        "array": "As",
        "index": [3, 0],
        "block": [0, 0, 0],
        "thread": [5, 3, 0],
        "other_thread": [0, 3, 0],
        "size": [16, 16, 16],
        "message": text,
        "lesson": "lessons/verdicts.md#race",
        "source": "As[ty][tx] = A[row * K + k];",
        "mark": [0, 10],
        "other_source": "acc += As[ty][k] * Bs[k][tx];",
    }


def exercise(name: str, verdict: str, points: int, points_max: int, text: str) -> dict[str, Any]:
    ran = verdict not in NOT_RUN
    cases = [
        {"size": [1, 1, 1], "inputs": "exact", "device": "emu", "verdict": "pass"},
        {"size": [67, 33, 129], "inputs": "exact", "device": "emu", "verdict": verdict},
    ]
    speed = [
        {
            "size": [512, 512, 512],
            "verdict": "fast",
            "ratio": 1.0,
            "low": 1.0,
            "high": 1.0,
            "pairs": 0,
            "points": min(points, points_max // 4),
            "points_max": points_max // 4,
        }
    ]
    return {
        "name": name,
        "title": name.replace("_", " ").title(),
        "file": name + ".cu",
        "verdict": verdict,
        "complete": verdict != "needs_gpu",
        "points": points,
        "points_max": points_max,
        "points_open": points_max if verdict == "needs_gpu" else 0,
        "headline": text,
        "output": "",
        "diagnostics": "tiled.cu:3: error: " + text if verdict == "build_error" else "",
        "findings": [finding(text)] if verdict == "race" else [],
        "cases": cases if ran else [],
        "speed": speed if verdict == "pass" else [],
    }


def speed_withhold(one: dict[str, Any]) -> None:
    """Leaves the points for speed open."""
    one["points_open"] = one["points_max"] - one["points"]
    one |= {"speed": [], "speed_complete": False, "detail": "The speed stays open."}


def result(exercises: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "schema": "tilegrade/result/v1",
        "grader_version": "0.1.0",
        "language": "en",
        "device": {"name": "emu", "gpu": None},
        "speed_basis": "counted",
        "sandbox": "rlimits",
        "seed": "00" * 16,
        "complete": not any(item["points_open"] for item in exercises),
        "points": sum(item["points"] for item in exercises),
        "points_max": sum(item["points_max"] for item in exercises),
        "points_open": sum(item["points_open"] for item in exercises),
        "exercises": exercises,
    }


def assignment(feedback: str, reference_from: str | None = None) -> dict[str, Any]:
    return {
        "name": "homework1",
        "title": "Homework 1",
        "due": "2026-12-01T23:59:00+01:00",
        "feedback": feedback,
        "reference_from": reference_from,
    }


def with_answers(whole: dict[str, Any], right: list[bool], worth: int) -> dict[str, Any]:
    """The result with the answers to so many questions of a page, each worth so much."""
    listed = [
        {
            "section": "tiled",
            "number": number + 1,
            "title": HOSTILE[number % len(HOSTILE)],
            "given": HOSTILE[-1] if number else "",
            "right": good,
            **({} if good or number % 3 != 2 else {"unread_line": number + 2}),
            "points": worth if good else 0,
            "points_max": worth,
        }
        for number, good in enumerate(right)
    ]
    points, points_max = worth * sum(right), worth * len(right)
    answers = {"state": "marked", "sha256": "", "note": "", "points_open": 0, "list": listed}
    whole |= {"answers": answers | {"points": points, "points_max": points_max}}
    whole["points"] += points
    whole["points_max"] += points_max
    return whole


def random_result(generator: random.Random) -> dict[str, Any]:
    exercises = []
    for number in range(generator.randrange(1, 5)):
        verdict = generator.choice(VERDICTS + NOT_RUN)
        points_max = generator.randrange(0, 100001)
        points = generator.randrange(0, points_max + 1) if verdict == "pass" else 0
        text = " ".join(generator.choice(HOSTILE) for _ in range(generator.randrange(1, 4)))
        exercises.append(exercise(f"exercise_{number}", verdict, points, points_max, text))
        if verdict == "pass" and points < points_max and generator.random() < 0.3:
            speed_withhold(exercises[-1])
    whole = result(exercises)
    if generator.random() < 0.3:
        right = [generator.random() < 0.5 for _ in range(generator.randrange(1, 9))]
        with_answers(whole, right, generator.randrange(1, 3000))
    return whole
