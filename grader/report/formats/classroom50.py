"""The points of a result for Classroom 50: score, max-score and tests of its result.json.

The rest of that file (classroom, assignment, commit) is known only to the workflow, so
grader/templates/classroom50/autograder.py adds it.  Classroom 50 has only whole points, so they are
rounded once, in a way that lets the tests sum to the score.  While points are open, there is no
score.
Format: classroom50/result/v1, https://github.com/foundation50/classroom50
"""

from __future__ import annotations

import json

from formats.parts import rows, whole_points
from model import Result

FILE = "classroom50.json"
FOR_STUDENTS = True


def render(result: Result) -> str:
    """Returns the whole document; ends in a newline."""
    shown = rows(result)
    unbounded = tuple(row.points_max for row in shown)
    points_max = whole_points(unbounded, unbounded)
    points = whole_points(tuple(row.points for row in shown), points_max)
    document = {
        "score": None if any(row.open for row in shown) else sum(points),
        "max-score": sum(points_max),
        "tests": [
            {
                "test-name": row.name,
                "passed": row.passed,
                "score": None if row.open else got,
                "max-score": most,
                "message": row.shown,
                "judged": not row.open,
            }
            for row, got, most in zip(shown, points, points_max)
        ],
    }
    return json.dumps(document, indent=1) + "\n"
