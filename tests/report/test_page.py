"""The page: what it draws, that it is self-contained, that hostile text stays text."""

from __future__ import annotations

import json
import random
import re
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "grader/report"), str(ROOT / "tests/report")]

import make_result  # noqa: E402
import page as html_page  # noqa: E402
import report  # noqa: E402
from drawing import axes, bars, counters  # noqa: E402
from language import LANGUAGES, language_used  # noqa: E402
from make_exercises import PEAKS, SOURCE, counted, estimated, measured, racing  # noqa: E402
from read_page import Page  # noqa: E402
from parse import result_parse  # noqa: E402
from test_index_map import exercise_with, tiled  # noqa: E402
from words import points_of_text, points_text  # noqa: E402


def text_of(*exercises: dict) -> str:
    return html_page.render(result_parse(json.dumps(make_result.result(list(exercises))), "r.json"))


def page_of(*exercises: dict) -> Page:
    return Page(text_of(*exercises))


class Drawn(unittest.TestCase):
    def test_both_ends_of_a_race_are_marked_and_linked(self) -> None:
        page = page_of(racing())
        self.assertEqual(page.faults, [])
        self.assertEqual(page.marks, [("e1", "As[ty][tx]"), ("e2", "As[ty][k]")])
        links = [cell["class"] for cell in page.with_tag("td") if "link" in cell.get("class", "")]
        self.assertEqual(
            [link for link in links if link != "link "], ["link start", "link through", "link end"]
        )
        self.assertIn("first: thread (x 5, y 3)", page.text)
        self.assertIn("// größer", page.text)

    def test_a_mark_behind_letters_of_two_bytes_is_where_it_belongs(self) -> None:
        exercise = racing()
        exercise["source"] = SOURCE.replace("As[ty][tx] =", "/*ä*/ As[ty][tx] =")
        exercise["findings"][0]["mark"] = [7, 10]
        self.assertEqual(page_of(exercise).marks[0], ("e1", "As[ty][tx]"))

    def test_two_marks_that_overlap_are_one_place(self) -> None:
        exercise = racing()
        exercise["findings"][0] |= {"other_line": 4, "other_mark": [3, 4]}
        marks = page_of(exercise).marks
        self.assertEqual(marks, [("e1", "As["), ("e12", "ty]["), ("e1", "tx]")])

    def test_without_the_source_the_lines_of_the_finding_are_shown(self) -> None:
        exercise = racing()
        del exercise["source"]
        page = page_of(exercise)
        self.assertEqual(page.marks, [("e1", "As[ty][tx]"), ("e2", "As[ty][k]")])
        self.assertNotIn("<details><summary>tiled.cu", text_of(exercise))

    def test_the_line_of_a_compiler_message_is_shown(self) -> None:
        exercise = make_result.exercise("tiled", "build_error", 0, 1000, "tiled.cu:5: expected ';'")
        exercise["source"] = SOURCE
        self.assertIn(("e1", "x = 1;"), page_of(exercise).marks)
        exercise["headline"] = "tiled.cu:500: expected ';'"
        self.assertEqual(page_of(exercise).marks, [])

    def test_the_cost_of_lines_stands_beside_them_with_its_number(self) -> None:
        page = page_of(counted())
        cells = [
            cell for cell in page.with_tag("td") if re.match(r"heat h\d", cell.get("class", ""))
        ]
        self.assertEqual([cell["class"] for cell in cells], ["heat h4", "heat h0"])
        self.assertIn("32 sectors per warp request, where 4 would do", cells[0]["title"])
        self.assertIn("the minimum", cells[1]["title"])

    def test_what_was_not_measured_is_not_drawn(self) -> None:
        self.assertEqual(page_of(racing()).with_tag("svg"), [])
        self.assertNotIn('class="heat', text_of(racing()))
        unknown = make_result.exercise("tiled", "pass", 1000, 1000, "All pass.")
        unknown |= {"speed": [], "speed_complete": False}
        self.assertIn("Its speed could not be judged on this machine.", page_of(unknown).text)

    def test_measured_times_are_bars_with_intervals(self) -> None:
        page = page_of(measured([[2048, 2048, 2048]]))
        bar = [rect for rect in page.with_tag("rect") if rect["class"] in ("student", "reference")]
        self.assertEqual(len(bar), 2)
        self.assertGreater(float(bar[1]["width"]), float(bar[0]["width"]))
        self.assertEqual(
            len([path for path in page.with_tag("path") if path["class"] == "whisker"]), 3
        )
        self.assertNotIn("Speed over size", page.text)
        three = page_of(measured([[1000] * 3, [2048] * 3, [256, 4096, 1024]]))
        self.assertIn("Speed over size", three.text)

    def test_cublas_is_drawn_where_the_result_has_it(self) -> None:
        exercise = measured([[2048, 2048, 2048]])
        self.assertNotIn("cuBLAS", page_of(exercise).text)
        exercise["speed"][0] |= {"cublas_gflops": 50000.0, "cublas_ms": [0.34, 0.35] * 4}
        page = page_of(exercise)
        drawn = {rect["class"]: float(rect["width"]) for rect in page.with_tag("rect")}
        self.assertAlmostEqual(drawn["cublas"] / drawn["student"], 10, 1)
        whiskers = [path for path in page.with_tag("path") if path["class"] == "whisker"]
        self.assertEqual(len(whiskers), 4)  # three for bars, one for the ratio
        self.assertIn("cuBLAS 50 TFLOPS", page.with_tag("svg")[0]["aria-label"])
        self.assertNotIn("cuBLAS (", page.text)

    def test_pairs_with_cublas_are_told_and_worth_no_points(self) -> None:
        exercise = measured([[1000] * 3, [2048] * 3])
        pairs = {"verdict": "slow", "ratio": 0.95, "low": 0.94, "high": 0.96, "pairs": 21}
        exercise["speed"][1] |= {"cublas_gflops": 50000.0, "against_cublas": pairs}
        told = "2048x2048x2048: slower than cuBLAS (0.950, 0.940 to 0.960, 21 pairs); not graded"
        self.assertIn(told, page_of(exercise).text)
        self.assertNotIn("cuBLAS was not found", page_of(exercise).text)
        pairs |= {"verdict": "fast", "ratio": 1.01, "low": 1.001, "high": 1.02}
        self.assertIn("2048x2048x2048: faster than cuBLAS (1.010", page_of(exercise).text)
        pairs["low"] = 1.0
        self.assertIn("2048x2048x2048: as fast as cuBLAS (1.010", page_of(exercise).text)
        exercise["cublas"] = {"version": "", "note": "not compared: cuBLAS was not found"}
        self.assertIn("not compared: cuBLAS was not found", page_of(exercise).text)

    def test_an_estimate_is_a_point_below_the_roofs(self) -> None:
        exercise = estimated()
        page = page_of(exercise)
        self.assertIn("an estimate for H200, not measured", page.text)
        self.assertEqual(
            len([line for line in page.with_tag("polyline") if line["class"] == "roof"]), 4
        )
        self.assertIn("yours: 7 TFLOPS at 4 FLOP per byte", page.text)
        del exercise["estimate"]["card_peaks"]
        self.assertEqual(page_of(exercise).with_tag("polyline"), [])

    def test_the_name_of_a_roof_keeps_away_from_points(self) -> None:
        point = axes.Point("student", 60, 150, "", "yours 1 TFLOPS", 154)
        self.assertFalse(axes.is_free((56, 160, -35, "memory"), (point,)))
        self.assertTrue(axes.is_free((56, 120, -35, "memory"), (point,)))
        self.assertTrue(axes.is_free((200, 120, -35, "memory"), (point,)))

    def test_a_measured_speed_is_a_point_where_the_card_and_the_work_are_known(self) -> None:
        exercise = measured([[1000] * 3, [4096] * 3]) | {"counts": counted()["counts"]}
        data = make_result.result([exercise])
        self.assertNotIn("Roofline", html_page.render(result_parse(json.dumps(data), "r.json")))
        data["device"]["peaks"] = PEAKS
        text = html_page.render(result_parse(json.dumps(data), "r.json"))
        self.assertIn("measured at 4096x4096x4096", text)
        self.assertIn("yours: 5 TFLOPS at 4 FLOP per byte", text)
        self.assertIn("at the right edge: FLOP per byte not known", text)  # of the reference

    def test_a_wrong_c_is_drawn_by_squares(self) -> None:
        exercise = make_result.exercise("tiled", "wrong_result", 0, 1000, "C is wrong.")
        exercise["wrong_tiles"] = {
            "size": [5, 4, 3],
            "edge": 2,
            "wrong": 3,
            "rows": [[0, 1], [0, 0], [0, 2]],
        }
        page = page_of(exercise)
        paths = {path["class"]: path["d"].count("M") for path in page.with_tag("path")}
        self.assertEqual(paths, {"w0": 4, "w2": 1, "w4": 1})
        self.assertIn("3 of 20 elements of C are not right", page.text)

    def test_a_small_wrong_c_says_what_its_elements_hold(self) -> None:
        none = {name: [] for name in ("unwritten", "zero", "not_finite", "twice", "other")}
        exercise = make_result.exercise("tiled", "wrong_result", 0, 1000, "C is wrong.")
        exercise["wrong_cells"] = none | {
            "size": [2, 2, 4],
            "place": [[0, 1, 1, 0]],
            "missing": [[1, 1, 2, 3]],
        }
        page = page_of(exercise)
        self.assertEqual((page.faults, page.dangers()), ([], []))
        cells = [cell["class"] for cell in page.with_tag("td") if "is-" in cell.get("class", "")]
        self.assertEqual(cells, ["is-right", "is-place", "is-right", "is-missing"])
        self.assertIn("the value of C[1][0]", page.text)
        self.assertIn("terms k = 2 to 3 are missing", page.text)

    def test_equal_facts_of_neighbours_are_one_row(self) -> None:
        none = {name: [] for name in ("unwritten", "zero", "not_finite", "twice", "other")}
        exercise = make_result.exercise("tiled", "wrong_result", 0, 1000, "C is wrong.")
        exercise["wrong_cells"] = none | {
            "size": [40, 9, 4],
            "place": [[i, j, i - 4, j] for i in range(4, 40) for j in range(9)],
            "missing": [[i, j, 2, 3] for i in range(2) for j in range(3)],
        }
        text = page_of(exercise).text
        self.assertIn("C[4..39][0..8]the value of C[0..35][0..8]", text)
        self.assertIn("C[0..1][0..2]terms k = 2 to 3 are missing", text)

    def test_counters_of_the_lessons_are_a_table_next_to_those_of_the_reference(self) -> None:
        lessons = " ".join(path.read_text("utf-8") for path in ROOT.glob("lessons/*/lesson.md"))
        named = set(re.findall(r"`((?:global|shared|sector|async)_[a-z_]+)`", lessons))
        self.assertGreater(len(named), 8)
        self.assertEqual(named - {*counters.NAMES, counters.PER_FLOP}, set())
        exercise = counted()
        exercise["speed"][0] |= {
            "basis": "counted",
            "counts": exercise["counts"] | {"shared_load_requests": 4096, "tensor_flops": 0},
            "reference_counts": exercise["counts"] | {"shared_load_requests": 2048},
        }
        page = page_of(exercise)
        self.assertRegex(page.text, r"shared_load_requests\s*4,096\s*2,048")
        self.assertNotIn("tensor cores", page.text)
        coloured = [cell for cell in page.with_tag("td") if cell.get("class") == "h2"]
        self.assertEqual([cell["title"] for cell in coloured], ["2 times the reference's"])
        self.assertIn("0.25 bytes per FLOP", page.text)
        exercise["speed"][0]["reference_counts"]["tensor_flops"] = 1 << 20
        self.assertRegex(page_of(exercise).text, r"operations on tensor cores\s*0\s*1,048,576")

    def test_name_date_and_assignment_are_on_the_page_and_at_its_foot(self) -> None:
        data = make_result.result([racing()]) | {"student": 'A"</style>', "assignment": None}
        data |= {"assignment": make_result.assignment("full"), "graded_at": "2026-11-22T20:53:01Z"}
        text = html_page.render(result_parse(json.dumps(data), "r.json"))
        page = Page(text)
        self.assertEqual((page.faults, page.dangers()), ([], []))
        self.assertIn('A"</style>, graded 2026-11-22 20:53 UTC', page.text)
        self.assertIn("Homework 1", page.text)
        self.assertIn("A\\000022\\00003c\\00002fstyle\\00003e", text)

    def test_the_interval_of_a_median_is_that_of_order_statistics(self) -> None:
        # 11 samples: ranks 2 and 10 hold the median with 98.8 %, 3 and 9 with 93.5 %.
        self.assertEqual(bars.median_interval(tuple(range(1, 12))), (6, 2, 10))
        self.assertEqual(bars.median_interval(tuple(range(1, 22))), (11, 6, 16))


class Alone(unittest.TestCase):
    def test_the_page_nests_well_and_needs_nothing_else(self) -> None:
        text = text_of(racing(), counted(), measured([[1000] * 3, [2048] * 3, [4096] * 3]))
        page = Page(text)
        self.assertEqual((page.faults, page.dangers()), ([], []))
        self.assertNotRegex(text, r"(?i)https?://|@import|url\(")
        self.assertIn("default-src 'none'", text)

    def test_every_drawing_and_region_has_a_name_and_ids_are_unique(self) -> None:
        page = page_of(racing(), counted(), measured([[2048] * 3]))
        for tag, attributes in page.tags:
            if tag == "svg" or attributes.get("role") == "region":
                self.assertTrue(attributes.get("aria-label"), (tag, attributes))
            if attributes.get("role") == "region":
                self.assertEqual(attributes.get("tabindex"), "0")
        ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
        self.assertEqual(len(ids), len(set(ids)))
        names = [
            attributes["aria-label"]
            for _, attributes in page.tags
            if attributes.get("role") == "region"
        ]
        self.assertEqual(len(names), len(set(names)))

    def test_hostile_texts_stay_texts(self) -> None:
        evil = '</pre></style><script>alert(1)</script>" onload="x\' {{7*7}} {% raw %} '
        evil += "<blink>`<blink>` \u202e\x1b[2J"
        exercise = racing()
        exercise |= {"name": evil, "title": evil, "file": evil, "headline": evil, "detail": evil}
        exercise |= {
            "output": evil,
            "diagnostics": evil,
            "source": evil + "\n" + SOURCE,
            "lesson": evil,
        }
        exercise |= {"verdict_title": evil, "verdict_lesson": evil}
        exercise["findings"][0] |= {
            "message": evil,
            "array": evil,
            "lesson": evil,
            "file": evil,
            "kind": evil,
        }
        page = page_of(exercise, counted())
        self.assertEqual((page.faults, page.dangers()), ([], []))
        self.assertIn("<script>alert(1)</script>", page.text)
        self.assertIn("{{7*7}}", page.text)
        self.assertNotRegex(page.text, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")
        self.assertEqual(page.with_tag("blink"), [])

    def test_random_results_make_pages_that_nest_well_and_say_the_points(self) -> None:
        generator = random.Random(11)
        for number in range(20):
            data = make_result.random_result(generator)
            with language_used(LANGUAGES[number % 2]):
                page = Page(html_page.render(result_parse(json.dumps(data), "r.json")))
                points = points_of_text(data["points"], data["points_max"], data["points_open"])
            self.assertEqual((page.faults, page.dangers()), ([], []))
            self.assertIn(f"\n{points}\n", page.text)
            for exercise in data["exercises"]:
                if exercise["complete"]:
                    self.assertIn(points_text(exercise["points"]), page.text)

    def test_what_was_not_handed_in_has_a_sign_of_its_own_and_is_not_wrong(self) -> None:
        wrong = make_result.exercise("tiled", "race", 0, 1000, "A race.")
        gone = make_result.exercise("naive", "missing", 0, 1000, "naive.cu is missing.")
        page = page_of(wrong, gone)
        self.assertIn("0 of 1 kernels are right; not handed in: 1.", page.text)
        self.assertEqual(page.text.count("–"), 3)  # contents, table, section
        self.assertEqual(page.text.count("✗"), 3)

    def test_a_model_answer_is_shown_from_its_date_on(self) -> None:
        data = make_result.result([make_result.exercise("tiled", "race", 0, 1000, "A race.")])
        for since, shown in ((None, 0), ("2999-01-01T00:00:00Z", 0), ("2026-01-01T00:00:00Z", 1)):
            data["assignment"] = make_result.assignment("full", since)
            text = report.rendered(html_page, json.dumps(data), "r.json", "en")
            self.assertEqual(text.count("__global__ void matmul_tiled"), shown)
            self.assertNotIn("//@", text)

    def test_the_drawing_of_a_model_answer_is_beside_ones_own(self) -> None:
        own, model = (make_result.result([exercise_with(tiled())]) for _ in range(2))
        with tempfile.NamedTemporaryFile("w", suffix=".json") as other:
            json.dump(model, other)
            other.flush()
            text = report.rendered(html_page, json.dumps(own), "r.json", "en", other.name)
        page = Page(text)
        self.assertEqual(page.faults, [])
        self.assertEqual(text.count("Who loads what, and when</h3>"), 1)
        self.assertEqual(text.count("The model answer: who loads what, and when</h3>"), 1)
        ids = re.findall(r'\bid="([^"]*)"', text)
        self.assertEqual(len(ids), len(set(ids)))

    def test_a_page_is_small_and_quick(self) -> None:
        """Eight exercises, graded on a GPU, each with all its drawings."""
        exercises = []
        for number in range(8):
            one = counted() | {"name": f"exercise_{number}", "title": f"Exercise {number}"}
            one["source"] = SOURCE * 20
            one["speed"] = measured([[edge] * 3 for edge in (1000, 2047, 2048, 4096, 4095)])[
                "speed"
            ]
            for speed in one["speed"]:
                speed["cublas_gflops"] = 50000.0
            one["cases"] = [
                {"size": [size, 33, 129], "inputs": "exact", "device": "gpu", "verdict": "pass"}
                for size in range(1, 71)
            ]
            one["map"] = exercise_with(tiled())["map"]
            exercises.append(one)
        data = make_result.result(exercises)
        data["device"]["peaks"] = PEAKS
        for language in ("en", "zh"):
            began = time.process_time()
            with language_used(language):
                text = html_page.render(result_parse(json.dumps(data), "r.json"))
            self.assertLess(time.process_time() - began, 2.0)
            self.assertLess(len(text.encode()), 322_000)


if __name__ == "__main__":
    unittest.main()
