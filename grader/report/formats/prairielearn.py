"""The result as PrairieLearn's results.json of an external grader.

A submission in which nothing compiles costs no attempt (gradable is false).  Nor does a submission
with open points, which has no score: a score is a share of all points, and some of these are not
decided.
Format: https://prairielearn.readthedocs.io/en/latest/externalGrading/
"""

from __future__ import annotations

import json

from formats.parts import NOT_BUILT, Row, rows
from language import _
from model import Exercise, Result

FILE = "results.json"
FOR_STUDENTS = True
OUTPUT_CHARACTERS_MAX = 20000  # for one test; the whole document may have a megabyte


def _points(row: Row) -> dict[str, float]:
    return {"points": row.points / 1000, "max_points": row.points_max / 1000}


def _cause(exercise: Exercise) -> str:
    """Why the submission is not gradable."""
    if not exercise.is_open:
        return exercise.headline
    why = exercise.detail if exercise.complete else exercise.headline
    return f"{exercise.points_shown}. {why}"


def render(result: Result) -> str:
    """Returns the whole document; ends in a newline."""
    built = [exercise for exercise in result.exercises if exercise.verdict not in NOT_BUILT]
    open_ones = [exercise for exercise in result.exercises if exercise.is_open]
    answers_open = result.answers is not None and result.answers.points_open > 0
    causes = open_ones or ([] if built else result.exercises)
    document = {
        "gradable": not causes,
        "score": None if open_ones or answers_open else result.points / max(result.points_max, 1),
        "message": _(
            "Seed %(seed)s; tilegrade %(version)s.",
            seed=result.seed,
            version=result.grader_version,
        ),
        "format_errors": [f"{exercise.name}: {_cause(exercise)}" for exercise in causes],
        "tests": [
            {
                "name": row.name,
                **({} if row.open else _points(row)),
                "message": row.title,
                "output": row.shown[:OUTPUT_CHARACTERS_MAX],
            }
            for row in rows(result)
        ],
    }
    return json.dumps(document, indent=1) + "\n"
