"""The result as PrairieLearn's results.json of an external grader.

A submission in which nothing compiles costs no attempt (gradable is false).  Nor does a submission
with a kernel that only a GPU can judge: the score is a share of the points, and without the points
of that exercise the share would be too large.
Format: https://prairielearn.readthedocs.io/en/latest/externalGrading/
"""

from __future__ import annotations

import json

from language import _
from model import Result
from parts import NOT_BUILT, rows

FILE = "results.json"
OUTPUT_CHARACTERS_MAX = 20000  # for one test; the whole document may have a megabyte


def render(result: Result) -> str:
    """Returns the whole document; ends in a newline."""
    built = [exercise for exercise in result.exercises if exercise.verdict not in NOT_BUILT]
    open_ones = [exercise for exercise in result.exercises if not exercise.complete]
    causes = open_ones or ([] if built else result.exercises)
    document = {
        "gradable": not causes,
        "score": result.points / result.points_max if result.points_max else 0.0,
        "message": _(
            "Seed %(seed)s; tilegrade %(version)s.",
            seed=result.seed,
            version=result.grader_version,
        ),
        "format_errors": [f"{exercise.name}: {exercise.headline}" for exercise in causes],
        "tests": [
            {
                "name": row.name,
                "points": row.points / 1000,
                "max_points": row.points_max / 1000,
                "message": row.exercise.verdict_title,
                "output": row.text[:OUTPUT_CHARACTERS_MAX],
            }
            for row in rows(result)
        ],
    }
    return json.dumps(document, indent=1) + "\n"
