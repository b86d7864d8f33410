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

import autolab  # noqa: E402
import classroom50  # noqa: E402
import github  # noqa: E402
import gradescope  # noqa: E402
import junit  # noqa: E402
import make_result  # noqa: E402
import markdown  # noqa: E402
from model import Result  # noqa: E402
import prairielearn  # noqa: E402
from language import LANGUAGES, language_used  # noqa: E402
from parse import result_parse  # noqa: E402
from parts import rows, whole_points  # noqa: E402
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


class Exporters(unittest.TestCase):
    def random_results(self) -> list[dict]:
        generator = random.Random(11)
        return [make_result.random_result(generator) for _ in range(RESULTS)]

    def test_all_agree_on_the_points(self) -> None:
        for data in self.random_results():
            for language in LANGUAGES:
                with language_used(language):
                    self.agree(parse(data), data)

    def agree(self, result: Result, data: dict) -> None:
        points, points_max = data["points"], data["points_max"]
        scope = json.loads(gradescope.render(result))
        learn = json.loads(prairielearn.render(result))
        lab = json.loads(autolab.render(result).split("\n")[1])
        room = json.loads(classroom50.render(result))
        notice = github.render(result).strip().split("\n")[-1]
        self.assertEqual(milli(scope["score"]), points)
        self.assertEqual(sum(milli(test["score"]) for test in scope["tests"]), points)
        self.assertEqual(sum(milli(test["max_score"]) for test in scope["tests"]), points_max)
        self.assertEqual(sum(milli(test["points"]) for test in learn["tests"]), points)
        self.assertEqual(round(learn["score"] * points_max), points)
        self.assertEqual(sum(map(milli, lab["scores"].values())), points)
        self.assertEqual(milli(lab["scoreboard"][0]), points)
        self.assertEqual(room["score"], (points + 500) // 1000)
        self.assertEqual(room["max-score"], (points_max + 500) // 1000)
        self.assertEqual(sum(test["score"] for test in room["tests"]), room["score"])
        self.assertEqual(sum(test["max-score"] for test in room["tests"]), room["max-score"])
        self.assertTrue(all(test["score"] <= test["max-score"] for test in room["tests"]))
        self.assertIn(f"::{points / 1000:.3f}".rstrip("0").rstrip("."), notice)
        self.assertIn(f"# {points / 1000:.3f}".rstrip("0").rstrip("."), markdown.render(result))
        ElementTree.fromstring(junit.render(result))

    @unittest.skipUnless(jsonschema, "python3-jsonschema is not installed")
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

    def test_autolab_gets_no_zero_for_what_could_not_be_judged(self) -> None:
        right = make_result.exercise("naive", "pass", 1000, 1000, "Right.")
        judged_elsewhere = make_result.exercise("tensor_core", "needs_gpu", 0, 0, "Needs a GPU.")
        wrong = make_result.exercise("tiled", "race", 0, 1000, "Race.")
        lab = autolab.render(parse(make_result.result([right, judged_elsewhere, wrong])))
        self.assertEqual(json.loads(lab.split("\n")[1])["scores"], {"naive": 1.0, "tiled": 0.0})

    def test_nothing_that_compiles_costs_no_attempt(self) -> None:
        broken = make_result.exercise("naive", "build_error", 0, 1000, "Broken.")
        fine = make_result.exercise("tiled", "pass", 1000, 1000, "Fine.")
        only_broken = json.loads(prairielearn.render(parse(make_result.result([broken]))))
        both = json.loads(prairielearn.render(parse(make_result.result([broken, fine]))))
        self.assertEqual(
            (only_broken["gradable"], only_broken["format_errors"]), (False, ["naive: Broken."])
        )
        self.assertEqual((both["gradable"], both["score"]), (True, 0.5))

    def test_what_needs_a_gpu_makes_no_share_larger(self) -> None:
        right = make_result.exercise("naive", "pass", 1000, 1000, "Right.")
        judged_elsewhere = make_result.exercise("tiled", "needs_gpu", 0, 0, "Line 3: asm.")
        result = parse(make_result.result([right, judged_elsewhere]))
        learn = json.loads(prairielearn.render(result))
        self.assertEqual(
            (learn["gradable"], learn["format_errors"]), (False, ["tiled: Line 3: asm."])
        )
        room = json.loads(classroom50.render(result))
        self.assertEqual([test["judged"] for test in room["tests"]], [True, True, False])


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

    def test_a_stub_and_what_needs_a_gpu_are_no_errors(self) -> None:
        lines = self.of(
            make_result.exercise("naive", "not_started", 0, 1000, "Stub."),
            make_result.exercise("tiled", "needs_gpu", 0, 0, "asm"),
        )
        self.assertEqual(lines, ["::notice title=Points::0 of 1 points"])


if __name__ == "__main__":
    unittest.main()
