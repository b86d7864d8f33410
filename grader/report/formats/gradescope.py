"""The result as Gradescope's results.json.

Format: https://gradescope-autograders.readthedocs.io/en/latest/specs/
"""

from __future__ import annotations

import json
from typing import Any

from formats.parts import Row, rows
from language import _
from model import Result, missing_text

FILE = "results.json"
FOR_STUDENTS = True
OUTPUT_CHARACTERS_MAX = 20000  # for one test


def _test(number: int, row: Row) -> dict[str, Any]:
    """An open row has no score: Gradescope shows only its text."""
    scored = {
        "score": row.points / 1000,
        "max_score": row.points_max / 1000,
        "status": "passed" if row.passed else "failed",
    }
    return {
        "name": row.name,
        "name_format": "text",
        "number": str(number),
        **({} if row.open else scored),
        "output": row.shown[:OUTPUT_CHARACTERS_MAX],
        "output_format": "text",
        "visibility": "visible",
    }


def _leaderboard(result: Result) -> list[dict[str, Any]]:
    """Only measured speeds: the counted work of two submissions is mostly equal."""
    return [
        {"name": f"{exercise.name} {speed.size_text} (ratio)", "value": round(speed.ratio, 3)}
        for exercise in result.exercises
        for speed in exercise.speed
        if not speed.counted
    ]


def render(result: Result) -> str:
    """Returns the whole document; ends in a newline."""
    missing = missing_text(result)
    document = {
        "score": result.points / 1000,
        "output": (f"{result.title}\n" if result.title else "")
        + f"{result.points_shown}\n"
        + (missing + "\n" if missing else "")
        + _(
            "Seed %(seed)s; tilegrade %(version)s; device %(device)s.",
            seed=result.seed,
            version=result.grader_version,
            device=result.device,
        ),
        "output_format": "text",
        "test_output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [_test(at + 1, row) for at, row in enumerate(rows(result))],
    }
    board = _leaderboard(result)
    if board:
        document["leaderboard"] = board
    return json.dumps(document, indent=1) + "\n"
