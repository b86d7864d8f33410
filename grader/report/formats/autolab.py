"""The result as the last two lines of an Autolab autograder: feedback by stage, and scores.

The problems of the lab are named after the exercises; that of the questions is "answers".  An
exercise with open points has no score, so that Autolab shows it as not graded, and its hint says
how many points are open.  Nothing may be printed after these two lines.
Format: https://docs.autolabproject.com/lab/ and features/formatted-feedback/
"""

from __future__ import annotations

import json

from formats.parts import NOT_BUILT
from language import _
from model import Exercise, Result

FILE = "autolab.txt"
FOR_STUDENTS = True


def _hint(exercise: Exercise) -> str:
    points = f"{exercise.points_shown}. " if exercise.is_open else ""
    return points + exercise.headline


def render(result: Result) -> str:
    """Returns the two lines; ends in a newline."""
    built = [exercise for exercise in result.exercises if exercise.verdict not in NOT_BUILT]
    feedback = {
        "_presentation": "semantic",
        "stages": ["Build", "Test", "Speed"],
        "Build": {exercise.name: {"passed": exercise in built} for exercise in result.exercises},
        "Test": {
            exercise.name: {"passed": exercise.verdict == "pass", "hint": _hint(exercise)}
            for exercise in built
        },
        "Speed": {
            f"{exercise.name} {speed.size_text}": {
                "passed": speed.verdict == "fast",
                "hint": _("ratio to the reference %(ratio).3f", ratio=speed.ratio),
            }
            for exercise in result.exercises
            for speed in exercise.speed
        },
    }
    answers = result.answers
    scores = {
        "scores": {
            exercise.name: exercise.points / 1000
            for exercise in result.exercises
            if not exercise.is_open
        }
        | ({"answers": answers.points / 1000} if answers and not answers.points_open else {}),
        "scoreboard": [result.points / 1000],
    }
    return json.dumps(feedback) + "\n" + json.dumps(scores) + "\n"
