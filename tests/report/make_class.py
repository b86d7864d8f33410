"""Graded classes for the tests of class reports: make_class.py OUT COUNT [RESULT.json…] makes one.

Without results of the grader the kernels are those of make_exercises.py.
"""

from __future__ import annotations

import copy
import hashlib
import json
import random
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "grader/report"), str(ROOT / "tests/report")]

import make_result  # noqa: E402
from make_exercises import SOURCE, counted, measured, racing  # noqa: E402

GIVEN = "Anna Björn Chen Dilan Eszter Farid Grace Hiroko Ines João Kofi Lucía Mei 明 اميرة".split()
FAMILY = "Ek Åberg Wang Yılmaz Nagy Haddad Hopper Tanaka Costa Silva Mensah Ruiz Lin 李 سالم".split()


def exercises() -> list[dict[str, Any]]:
    """Kernels of two exercises: right, racing, wrong in another place, broken, not begun."""
    right = counted() | {"name": "tiled", "title": "Tiled", "file": "tiled.cu"}
    fast = measured([[1000] * 3, [2048] * 3]) | {"source": SOURCE}
    slow = copy.deepcopy(fast)
    for speed in slow["speed"]:
        speed |= {"ratio": 0.6, "verdict": "slow", "points": 200}
    broken = make_result.exercise("naive", "build_error", 0, 20000, "naive.cu:5: expected ';'")
    stub = make_result.exercise("naive", "not_started", 0, 20000, "Not started.")
    return [right, racing(), fast, slow, broken | {"source": SOURCE}, stub]


def student(text: str, **more: Any) -> dict[str, Any]:
    """A student of class.json who is graded, with all that the keywords change."""
    return {
        "id": text,
        "name": None,
        "mail": None,
        "section": None,
        "lms": {},
        "in_roster": True,
        "pseudonym": hashlib.sha256(text.encode()).hexdigest()[:16],
        "state": "graded",
        "source": f"{text}/",
        "tries": 1,
        "note": None,
        "received": "2026-11-30T22:10:00Z",
        "late_days": None,
        "deduction_percent": None,
        "points": None,
        "points_open": 0,
        "points_final": None,
        "seconds": 9.5,
        "cpu_seconds": 9.0,
        **more,
    }


def with_result(one: dict[str, Any], kernels: list[dict[str, Any]], folder: Path) -> dict[str, Any]:
    """Writes the result of a student, and puts its points into class.json's student."""
    result = make_result.result(kernels)
    path = folder / "jobs" / one["pseudonym"]
    (path / "submission").mkdir(parents=True, exist_ok=True)
    (path / "result.json").write_text(json.dumps(result), "utf-8")
    for kernel in kernels:
        source = kernel.get("source", "")
        (path / "submission" / kernel["file"]).write_text(source, "utf-8")
    points = result["points"]
    percent = one["deduction_percent"] or 0
    final = None if result["points_open"] else points * (100 - percent) // 100
    return one | {
        "points": points,
        "points_open": result["points_open"],
        "points_final": final,
    }


def write_class(folder: Path, students: list[dict[str, Any]], **more: Any) -> Path:
    """Writes class.json.  The assignment has the exercises naive and tiled."""
    works = [("naive", "Naive", 20000, "01"), ("tiled", "Tiled", 40000, "02")]
    assignment = {
        "name": "hw1",
        "title": "Homework 1",
        "due": "2026-12-01T23:59:00+01:00",
        "late_percent": 10,
        "grace_days": 1,
        "show_reference": "never",
        "points_max": sum(points for _, _, points, _ in works),
        "exercises": [
            {
                "name": name,
                "title": title,
                "lesson": f"lessons/{number}_{name}/lesson.md",
                "points_max": points,
            }
            for name, title, points, number in works
        ],
    }
    document = {
        "schema": "tilegrade/class/v1",
        "grader_version": "0.1.0",
        "language": "en",
        "assignment": assignment,
        "layout": "folders",
        "written_at": "2026-12-02T08:00:00Z",
        "device": "emu",
        "students": students,
        "unmatched": [{"source": "notes.txt", "why": "belongs to no student of the roster"}],
        "run": {"jobs": 2, "engine": "local", "wall_seconds": 100.0, "cpu_seconds": 190.0},
        **more,
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "class.json").write_text(json.dumps(document), "utf-8")
    return folder


def crowd(
    folder: Path, count: int, kernels: list[dict[str, Any]], seed: int = 1
) -> list[dict[str, Any]]:
    """Students of all kinds, whose kernels are drawn from the given ones, one an exercise."""
    generator = random.Random(seed)
    by_name: dict[str, list[dict[str, Any]]] = {}
    for kernel in kernels:
        by_name.setdefault(kernel["name"], []).append(kernel)
    students = []
    for number in range(count):
        name = f"{generator.choice(GIVEN)} {generator.choice(FAMILY)}"
        lms = {"canvas_id": str(4000 + number), "username": f"user{number}"}
        lms |= {"moodle_id": str(90000 + number)}
        one = student(
            f"s{number:04d}",
            name=name,
            mail=f"user{number}@example.org",
            section=generator.choice(["A", "B"]),
            lms=lms,
            source=f"last_{4000 + number}_{70000 + number}_tiled.cu",
            seconds=round(generator.expovariate(0.1), 2),
        )
        draw = generator.random()
        if draw < 0.08:
            state = ("missing", "broken", "failed", "empty", "waiting")[number % 5]
            one |= {"state": state, "seconds": None, "note": "why"}
        else:
            if draw > 0.9:
                one |= {"late_days": 2, "deduction_percent": 20}
            one = with_result(one, [generator.choice(of) for of in by_name.values()], folder)
        students.append(one)
    return students


def from_results(paths: list[str]) -> list[dict[str, Any]]:
    return [
        exercise
        for path in paths
        for exercise in json.loads(Path(path).read_text("utf-8"))["exercises"]
    ]


def assignment_of(kernels: list[dict[str, Any]]) -> dict[str, Any]:
    """An assignment with the exercises of the kernels, each once."""
    first = {kernel["name"]: kernel for kernel in reversed(kernels)}
    keys = ("name", "title", "lesson", "points_max")
    return {
        "name": "hw1",
        "title": "Homework 1",
        "due": None,
        "points_max": sum(kernel["points_max"] for kernel in first.values()),
        "exercises": [{key: kernel.get(key, "") for key in keys} for kernel in first.values()],
    }


if __name__ == "__main__":
    out = Path(sys.argv[1])
    found = from_results(sys.argv[3:]) or exercises()
    write_class(out, crowd(out, int(sys.argv[2]), found), assignment=assignment_of(found))
