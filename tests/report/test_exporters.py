"""Reports for learning platforms: valid formats, equal points, hostile text stays text."""

from __future__ import annotations

import json
import random
import sys
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "grader/report"), str(ROOT / "tests/report")]

from formats import (  # noqa: E402
    autolab,
    classroom50,
    github,
    gradescope,
    junit,
    markdown,
    prairielearn,
)
import make_result  # noqa: E402
from model import Result, for_students  # noqa: E402
from language import LANGUAGES, language_used  # noqa: E402
from parse import result_parse  # noqa: E402
from formats.parts import rows, whole_points  # noqa: E402
from words import points_of_text  # noqa: E402
from place_schemas import GRADESCOPE, PRAIRIELEARN  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

RESULTS = 1000


def parse(data: dict) -> object:
    return result_parse(json.dumps(data), "result.json")


def milli(points: float) -> int:
    return round(points * 1000)


KEYS = ("points", "points_max", "points_open")


class Exporters(unittest.TestCase):
    def random_results(self) -> list[dict]:
        generator = random.Random(11)
        return [make_result.random_result(generator) for _ in range(RESULTS)]

    def test_all_agree_on_the_points(self) -> None:
        for number, data in enumerate(self.random_results()):
            data["assignment"] = make_result.assignment(("full", "verdicts", "points")[number % 3])
            for language in LANGUAGES:
                with language_used(language):
                    self.agree(for_students(parse(data)), data)

    def agree(self, result: Result, data: dict) -> None:
        points, points_max, points_open = (data[key] for key in KEYS)
        scope = json.loads(gradescope.render(result))
        learn = json.loads(prairielearn.render(result))
        lab = json.loads(autolab.render(result).split("\n")[1])
        room = json.loads(classroom50.render(result))
        notice = github.render(result).strip().split("\n")[-1]
        scored = [test for test in scope["tests"] if "score" in test]
        self.assertEqual(milli(scope["score"]), points)
        self.assertEqual(sum(milli(test["score"]) for test in scored), points)
        self.assertEqual(
            sum(milli(test["max_score"]) for test in scored), points_max - points_open
        )
        self.assertEqual(sum(milli(test.get("points", 0)) for test in learn["tests"]), points)
        closed = [item for item in data["exercises"] if not item["points_open"]]
        self.assertEqual(
            {name: milli(score) for name, score in lab["scores"].items()},
            {item["name"]: item["points"] for item in closed if item["complete"]}
            | ({"answers": data["answers"]["points"]} if "answers" in data else {}),
        )
        self.assertEqual(milli(lab["scoreboard"][0]), points)
        self.assertEqual(room["max-score"], (points_max + 500) // 1000)
        self.assertEqual(sum(test["max-score"] for test in room["tests"]), room["max-score"])
        if points_open:
            told = (learn["score"], learn["gradable"], room["score"])
            self.assertEqual(told, (None, False, None))
        elif data["complete"]:
            self.assertEqual(round(learn["score"] * points_max), points)
            self.assertEqual(room["score"], (points + 500) // 1000)
            self.assertEqual(sum(test["score"] for test in room["tests"]), room["score"])
            self.assertTrue(all(test["score"] <= test["max-score"] for test in room["tests"]))
        total = points_of_text(points, points_max, points_open)
        self.assertEqual(notice, f"::notice title=Points::{total}")
        self.assertTrue(markdown.render(result).startswith(f"# Homework 1: {total}\n"))
        self.assertTrue(scope["output"].startswith(f"Homework 1\n{total}\n"))
        ElementTree.fromstring(junit.render(result))

    @unittest.skipUnless(jsonschema, "python3-jsonschema is not installed")
    def test_students_see_what_the_assignment_says(self) -> None:
        data = make_result.result([make_result.exercise("tiled", "race", 0, 1000, "Why.")])
        for feedback, output in (
            ("full", "Why.\ntiled.cu:22: Why.\nRead lessons/verdicts.md#race"),
            ("verdicts", "data race."),
            ("points", ""),
        ):
            data["assignment"] = make_result.assignment(feedback)
            scope = json.loads(gradescope.render(for_students(parse(data))))
            self.assertEqual(scope["tests"][0]["output"], output)
            self.assertEqual(scope["output"].split("\n")[0], "Homework 1")

    def test_documents_are_valid(self) -> None:
        for data in self.random_results()[:100]:
            result = parse(data)
            jsonschema.validate(json.loads(gradescope.render(result)), GRADESCOPE)
            jsonschema.validate(json.loads(prairielearn.render(result)), PRAIRIELEARN)

    def test_a_wrong_document_is_not_valid(self) -> None:
        if not jsonschema:
            self.skipTest("python3-jsonschema is not installed")
        for wrong in ({"score": 1}, {"score": -1, "tests": []}, {"score": 1, "tests": [], "x": 1}):
            with self.assertRaises(jsonschema.ValidationError):
                jsonschema.validate(wrong, GRADESCOPE)

    def test_whole_points_sum_to_the_rounded_sum(self) -> None:
        self.assertEqual(whole_points((1400, 1400, 1400), (9, 9, 9)), (2, 1, 1))
        self.assertEqual(whole_points((1400, 1400, 1400), (1, 9, 9)), (1, 2, 1))
        self.assertEqual(whole_points((400, 300), (0, 1)), (0, 1))
        self.assertEqual(whole_points((500, 0), (1, 0)), (1, 0))
        self.assertEqual(whole_points((499, 0), (1, 0)), (0, 0))
        self.assertEqual(whole_points((), ()), ())

    def test_speed_is_a_row_of_its_own(self) -> None:
        data = make_result.exercise("tiled", "pass", 36000, 40000, "All 3 cases pass.")
        data["speed"][0] |= {"points": 6000, "verdict": "slow", "ratio": 0.5, "low": 0.49}
        result = parse(make_result.result([data]))
        self.assertEqual(
            [(row.name, row.points, row.points_max, row.passed) for row in rows(result)],
            [
                ("tiled: right", 30000, 30000, True),
                ("tiled: speed at 512x512x512", 6000, 10000, False),
            ],
        )

    def test_the_leaderboard_shows_measured_speed_alone(self) -> None:
        data = make_result.exercise("tiled", "pass", 40000, 40000, "All 3 cases pass.")
        data["speed"][0]["basis"] = "measured"
        scope = json.loads(gradescope.render(parse(make_result.result([data]))))
        self.assertEqual(
            scope["leaderboard"], [{"name": "tiled 512x512x512 (ratio)", "value": 1.0}]
        )
        data["speed"][0]["basis"] = "counted"
        scope = json.loads(gradescope.render(parse(make_result.result([data]))))
        self.assertNotIn("leaderboard", scope)

    def open_result(self) -> dict:
        """20 of 360 points: a kernel that needs a GPU, one whose speed is open, and a wrong one."""
        asm = make_result.exercise("tiled", "needs_gpu", 0, 300000, "Line 3: asm.")
        idle = make_result.exercise("naive", "pass", 20000, 30000, "All cases pass.")
        make_result.speed_withhold(idle)
        wrong = make_result.exercise("warp_tiled", "race", 0, 30000, "Race.")
        return make_result.result([asm, idle, wrong])

    def test_open_points_are_a_word_and_no_number(self) -> None:
        result = parse(self.open_result())
        lab = autolab.render(result).split("\n")
        self.assertEqual(json.loads(lab[1])["scores"], {"warp_tiled": 0.0})
        self.assertEqual(json.loads(lab[0])["Test"]["tiled"]["hint"], "open. Line 3: asm.")
        learn = json.loads(prairielearn.render(result))
        self.assertEqual((learn["gradable"], learn["score"]), (False, None))
        self.assertEqual(
            learn["format_errors"],
            [
                "tiled: open. Line 3: asm.",
                "naive: 20 of 30 points, 10 open. The speed stays open.",
            ],
        )
        room = json.loads(classroom50.render(result))
        self.assertEqual([test["score"] for test in room["tests"]], [None, 20, None, 0])
        self.assertEqual([test["judged"] for test in room["tests"]], [False, True, False, True])
        scope = json.loads(gradescope.render(result))
        self.assertEqual([test.get("score") for test in scope["tests"]], [None, 20, None, 0])
        self.assertTrue(scope["tests"][0]["output"].startswith("Open: "))
        text = markdown.render(result)
        self.assertTrue(text.startswith("# 20 of 360 points, 310 open\n"))
        self.assertIn("| Tiled | needs a GPU | open | 300 |", text)
        self.assertIn("| Naive | pass | open | 30 |", text)
        self.assertIn("| 0 | 30 |", text)

    def test_an_older_result_keeps_its_own_total(self) -> None:
        data = self.open_result()
        data["exercises"][0]["points_max"] = 0
        data["points_max"] -= 300000
        for part in (data, *data["exercises"]):
            del part["points_open"]
        result = parse(data)
        self.assertTrue(markdown.render(result).startswith("# 20 of 60 points\n"))
        self.assertIn("| needs a GPU | open | 0 |", markdown.render(result))
        self.assertIsNone(json.loads(prairielearn.render(result))["score"])

    def test_nothing_that_compiles_costs_no_attempt(self) -> None:
        broken = make_result.exercise("naive", "build_error", 0, 1000, "Broken.")
        fine = make_result.exercise("tiled", "pass", 1000, 1000, "Fine.")
        only_broken = json.loads(prairielearn.render(parse(make_result.result([broken]))))
        both = json.loads(prairielearn.render(parse(make_result.result([broken, fine]))))
        self.assertEqual(
            (only_broken["gradable"], only_broken["format_errors"]), (False, ["naive: Broken."])
        )
        self.assertEqual((both["gradable"], both["score"]), (True, 0.5))

class Annotations(unittest.TestCase):
    def of(self, *exercises: dict) -> list[str]:
        return github.render(parse(make_result.result(list(exercises)))).strip().split("\n")

    def test_an_error_stands_at_its_line(self) -> None:
        self.assertEqual(
            self.of(make_result.exercise("tiled", "race", 0, 40000, "Two threads race."))[0],
            "::error file=student/tiled.cu,line=22,title=data race::Two threads race.",
        )

    def test_what_did_not_compile_is_one_error_without_a_line(self) -> None:
        lines = self.of(make_result.exercise("tiled", "build_error", 0, 40000, "It is\nbroken."))
        self.assertEqual(
            lines[0],
            "::error file=student/tiled.cu,title=does not compile::It is%0Abroken.%0A"
            "tiled.cu:3: error: It is%0Abroken.",
        )

    def test_hostile_text_adds_no_command(self) -> None:
        text = "a\n::error file=x::y\r\n::stop-commands::z%0A"
        lines = self.of(make_result.exercise("tiled", "race", 0, 1000, text))
        self.assertEqual(len(lines), 2)
        self.assertIn("a%0A::error file=x::y?%0A::stop-commands::z%250A", lines[0])

    def test_a_step_gets_no_more_than_it_shows(self) -> None:
        many = make_result.exercise("tiled", "race", 0, 1000, "Race.")
        many["findings"] = [make_result.finding("Race.", line) for line in range(1, 40)]
        self.assertEqual(len(self.of(many)), github.SHOWN_MAX + 1)

    def test_what_was_not_judged_is_no_error(self) -> None:
        lines = self.of(
            make_result.exercise("gone", "missing", 0, 1000, "gone.cu is missing."),
            make_result.exercise("naive", "not_started", 0, 1000, "Stub."),
            make_result.exercise("tiled", "needs_gpu", 0, 0, "asm"),
        )
        self.assertEqual(lines, ["::notice title=Points::0 of 2 points"])


if __name__ == "__main__":
    unittest.main()
