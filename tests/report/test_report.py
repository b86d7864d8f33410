"""The reports: what they contain, that hostile text stays text, that all agree on the points."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "grader/report"), str(ROOT / "tests/report")]

from formats import junit, markdown  # noqa: E402
import make_result  # noqa: E402
import page as html_page  # noqa: E402
from parse import ResultError, result_parse  # noqa: E402
from parse_values import cleaned  # noqa: E402
from formats.plain_text import plain  # noqa: E402
from words import points_text  # noqa: E402


def parse(data: dict) -> object:
    return result_parse(json.dumps(data), "result.json")


class Model(unittest.TestCase):
    def test_points_have_no_trailing_zeros(self) -> None:
        self.assertEqual(
            [points_text(value) for value in (0, 40000, 83500, 1, 12340)],
            ["0", "40", "83.5", "0.001", "12.34"],
        )

    def test_the_letters_that_are_replaced_are_those_of_the_terminal(self) -> None:
        code = (ROOT / "grader/base/text.c").read_text(encoding="utf-8")
        table = code[code.index("hidden[] = {") : code.index("};", code.index("hidden[] = {"))]
        pairs = re.findall(r"\{0x([0-9a-f]+), 0x([0-9a-f]+)\}", table)
        theirs = {at for first, last in pairs for at in range(int(first, 16), int(last, 16) + 1)}
        surrogates = set(range(0xD800, 0xE000))  # no UTF-8 has them
        ours = {at for at in range(sys.maxunicode + 1) if cleaned(chr(at)) != chr(at)}
        self.assertEqual(ours, theirs - {0x09, 0x0A} | surrogates)

    def test_foreign_json_is_refused_with_its_path(self) -> None:
        with self.assertRaisesRegex(ResultError, r"r\.json: is not a tilegrade/result/v2"):
            result_parse('{"schema": "other"}', "r.json")
        with self.assertRaisesRegex(ResultError, r"r\.json:2: not JSON"):
            result_parse('{\n"a": }', "r.json")
        with self.assertRaisesRegex(ResultError, r"not a complete result"):
            result_parse('{"schema": "tilegrade/result/v1"}', "r.json")

    def test_a_finding_of_the_compiler_has_no_size(self) -> None:
        racing = make_result.exercise("tiled", "race", 0, 40000, "Two threads race.")
        racing["findings"][0]["size"] = [0, 0, 0]
        result = parse(make_result.result([racing]))
        self.assertIsNone(result.exercises[0].findings[0].size)

    def test_points_above_their_maximum_are_refused(self) -> None:
        data = make_result.result([make_result.exercise("naive", "pass", 20001, 20000, "")])
        with self.assertRaisesRegex(ResultError, r"more points than the maximum"):
            parse(data)
        data["exercises"][0]["points"] = 20000
        parse(data)


class Numbers(unittest.TestCase):
    def test_numbers_that_no_result_has_are_refused(self) -> None:
        good = make_result.result([make_result.exercise("naive", "pass", 1, 2, "Right.")])
        parse(good)
        text = json.dumps(good)
        for odd in ("NaN", "Infinity", "1e999"):
            with self.assertRaisesRegex(ResultError, "not a complete result"):
                result_parse(text.replace('"ratio": 1.0', f'"ratio": {odd}'), "r.json")
        with self.assertRaisesRegex(ResultError, "not a size"):
            result_parse(text.replace("[512, 512, 512]", "[512, 0, 512]"), "r.json")


class Renderings(unittest.TestCase):
    def test_junit_counts_every_case_and_names_the_line(self) -> None:
        data = make_result.result(
            [
                make_result.exercise("naive", "pass", 20000, 20000, "All cases pass."),
                make_result.exercise("tiled", "race", 0, 40000, "Two threads race."),
                make_result.exercise("register_tiled", "not_started", 0, 40000, "Not started."),
                make_result.exercise("vectorized", "missing", 0, 40000, "It is missing."),
            ]
        )
        root = ElementTree.fromstring(junit.render(parse(data)))
        self.assertEqual(
            root.attrib | {},
            {"name": "tilegrade", "tests": "6", "failures": "2", "errors": "0", "skipped": "1"},
        )
        failure = root.find("./testsuite[@name='tiled']/testcase/failure")
        assert failure is not None and failure.text is not None
        self.assertEqual(failure.attrib, {"message": "Two threads race.", "type": "race"})
        self.assertIn("tiled.cu:22: Two threads race.", failure.text)
        names = [case.attrib["name"] for case in root.iter("testcase")]
        self.assertEqual(names.count("judged"), 2)

    def test_markdown_shows_verdict_points_and_source(self) -> None:
        text = markdown.render(
            parse(
                make_result.result(
                    [make_result.exercise("tiled", "race", 0, 40000, "Two threads race.")]
                )
            )
        )
        self.assertIn("# 0 of 40 points", text)
        self.assertIn(
            "     22 | As[ty][tx] = A[row * K + k];\n"
            "        | ^^^^^^^^^^\n"
            "     13 | acc += As[ty][k] * Bs[k][tx];\n",
            text,
        )
        self.assertIn("`lessons/verdicts.md#race`", text)

    def test_markdown_marks_two_places_of_one_line(self) -> None:
        racing = make_result.exercise("tiled", "race", 0, 40000, "Two threads race.")
        racing["findings"][0] |= {
            "line": 9,
            "other_line": 9,
            "source": "p[i] += p[i + d];",
            "other_source": "p[i] += p[i + d];",
            "mark": [8, 8],
            "other_mark": [0, 4],
        }
        text = markdown.render(parse(make_result.result([racing])))
        self.assertIn("      9 | p[i] += p[i + d];\n        | ^^^^    ^^^^^^^^\n", text)

    def test_junit_and_markdown_have_the_headline_as_their_cause(self) -> None:
        cause = "tiled.cu: size 1x1x17: Column 16 of A is never read (and row 16 of B)."
        wrong = make_result.exercise("tiled", "wrong_result", 0, 40000, cause)
        wrong["detail"] = (
            "Column 16 of A is never read (and row 16 of B). C[0][0] is 5 and should be 9 "
            "(wrong: all of C)."
        )
        result = parse(make_result.result([wrong]))
        text = markdown.render(result).replace("\\", "")
        self.assertEqual(text.count("Column 16 of A is never read"), 1)
        self.assertIn("\n\nC[0][0] is 5 and should be 9 (wrong: all of C).\n", text)
        root = ElementTree.fromstring(junit.render(result))
        failure = root.find("./testsuite/testcase/failure")
        assert failure is not None and failure.text is not None
        self.assertEqual(failure.attrib["message"], cause)
        self.assertIn("C[0][0] is 5 and should be 9", failure.text)

    def test_what_decided_and_the_estimate_are_said_and_labelled(self) -> None:
        data = make_result.result([make_result.exercise("naive", "pass", 18000, 20000, "Right.")])
        data["exercises"][0]["speed"][0] |= {
            "basis": "counted",
            "verdict": "slow",
            "metric_text": "sectors of global memory",
            "metric_line": 26,
            "work": 270336,
            "reference_work": 73728,
        }
        data["exercises"][0]["estimate"] = {
            "note": "an estimate from counted work, not a measurement",
            "card": "RTX 3060",
            "size": [4096, 4096, 4096],
            "student": {
                "gflops": 1234.5,
                "bound_text": "loads from shared memory",
                "lesson": "lessons/speed.md#shared",
                "occupancy": 0.5,
                "registers": None,
            },
            "reference_gflops": 4500.0,
        }
        result = parse(data)
        decided = "sectors of global memory: 270,336, reference 73,728; most of it at line 26"
        estimate = (
            "Estimated, not measured: about 1.2 TFLOPS on RTX 3060 at 4096x4096x4096, bound by "
            "loads from shared memory; occupancy 50 %. The reference: about 4.5 TFLOPS. The "
            "number of registers is not known."
        )
        for module in (markdown, junit):
            text = module.render(result).replace("\\", "")
            self.assertIn(decided, text)
            self.assertIn(estimate, text)
        self.assertIn("lessons/speed.md#shared", markdown.render(result))
        del data["exercises"][0]["estimate"]
        result = parse(data)
        self.assertNotIn("stimate", markdown.render(result) + junit.render(result))

    def test_markdown_says_titles_output_and_counts_without_spread(self) -> None:
        broken = make_result.exercise("tiled", "build_error", 0, 40000, "Broken.")
        broken["verdict_title"] = "does not compile"
        right = make_result.exercise("naive", "pass", 20000, 20000, "All cases pass.")
        right["output"] = "row 1\n"
        right["speed"][0]["basis"] = "counted"
        text = markdown.render(parse(make_result.result([right, broken])))
        self.assertIn("| Tiled | does not compile | 0 | 40 |", text)
        self.assertIn("**does not compile**, 0 of 40 points.\n", text)
        self.assertIn("| 1.000 | counted work | 5 of 5 |", text)
        self.assertIn("The kernel printed:\n\n```text\nrow 1\n```\n", text)

    def test_markdown_shows_what_the_detail_adds(self) -> None:
        one = make_result.exercise("naive", "wrong_result", 0, 1000, "size 1x1x2: C is 5.")
        other = make_result.exercise("tiled", "pass", 1000, 1000, "All 3 cases pass.")
        one["detail"] = "C is 5. The term k = 1 is missing."
        other["detail"] = "the speed cannot be judged, measure again: the times are too noisy"
        text = markdown.render(parse(make_result.result([one, other])))
        self.assertIn("\n\nThe term k = 1 is missing.\n\n", text)
        self.assertEqual(text.count("C is 5."), 1)
        self.assertIn("measure again: the times are too noisy", text)

    def test_a_test_gives_no_points(self) -> None:
        data = make_result.result([make_result.exercise("tiled", "race", 0, 30000, "Race.")])
        said = markdown.render(parse(data | {"speed_basis": "none"}))
        self.assertIn("# Tiled: data race", said)
        self.assertIn("**data race**, no points; 1 of 2 cases passed.", said)
        self.assertNotIn("30", said.split("Race")[0])
        page = html_page.render(parse(data | {"speed_basis": "none"}))
        self.assertNotRegex(page, "of 30|meter\"")
        self.assertIn("0 of 30 points", html_page.render(parse(data)))

    def test_all_renderings_agree_on_points_of_random_results(self) -> None:
        generator = random.Random(7)
        for _ in range(300):
            data = make_result.random_result(generator)
            result = parse(data)
            text = markdown.render(result)
            shown = re.match(r"# ([\d.]+) of ([\d.]+) points", text)
            assert shown is not None
            self.assertEqual(
                [round(float(value) * 1000) for value in shown.groups()],
                [data["points"], data["points_max"]],
            )
            root = ElementTree.fromstring(junit.render(result))
            failing = {
                suite.attrib["name"] for suite in root if suite.find("testcase/failure") is not None
            }
            wrong = {
                item["name"]
                for item in data["exercises"]
                if item["verdict"] not in ("pass", *junit.SKIPPED)
            }
            self.assertEqual(failing, wrong)

    def test_code_in_a_sentence_stays_code_in_markdown(self) -> None:
        said = "a `__syncthreads()` is missing: As[0] *"
        one = make_result.exercise("naive", "race", 0, 1000, said)
        text = markdown.render(parse(make_result.result([one])))
        self.assertIn("\na `__syncthreads()` is missing: As\\[0\\] \\*\n", text)
        self.assertEqual(markdown.prose("odd ` tick"), "odd \\` tick")
        self.assertEqual(markdown.prose("`a``b`"), "\\`a\\`\\`b\\`")

    def test_a_lesson_is_a_link_where_a_job_runs_in_the_repository_of_the_course(self) -> None:
        one = make_result.exercise("tiled", "race", 0, 1000, "A race.")
        result = parse(make_result.result([one]))
        job = {
            "GITHUB_SERVER_URL": "https://git.example",
            "GITHUB_REPOSITORY": "school/course",
            "GITHUB_SHA": "abc",
        }
        address = "https://git.example/school/course/blob/abc/lessons/verdicts.md#race"
        for workspace, link in ((str(ROOT), True), ("/elsewhere", False)):
            with mock.patch.dict(os.environ, job | {"GITHUB_WORKSPACE": workspace}):
                text, page = markdown.render(result), html_page.render(result)
            self.assertEqual(f"[`lessons/verdicts.md#race`]({address})" in text, link)
            self.assertEqual(f'<a href="{address}">' in page, link)
            self.assertIn("This is a <em>race condition</em>", page)
            told = f"Read lessons/verdicts.md#race ({address})." if link else "verdicts.md#race."
            self.assertIn(told, plain(text))

    def test_hostile_text_stays_text_in_markdown(self) -> None:
        data = make_result.result(
            [
                make_result.exercise("naive", "wrong_result", 0, 1000, text)
                for text in make_result.HOSTILE
            ]
        )
        text = markdown.render(parse(data))
        self.assertNotIn("<script>", text)
        self.assertNotIn("\x1b", text)
        self.assertNotIn("| a | b |", text)


class Program(unittest.TestCase):
    def run_report(self, *arguments: str) -> subprocess.CompletedProcess:
        command = [sys.executable, str(ROOT / "grader/report/report.py"), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_unknown_format_lists_the_formats(self) -> None:
        done = self.run_report("pdf", "x", "y")
        self.assertEqual(
            (done.returncode, done.stderr),
            (
                2,
                "report: usage: report.py FORMAT RESULT OUT [--language=en|zh]; FORMAT is one of "
                "autolab, classroom50, github, gradescope, html, junit, markdown, prairielearn\n",
            ),
        )

    def test_a_library_that_is_missing_is_told_with_the_remedy(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "jinja2.py").write_text("raise ModuleNotFoundError('', name='jinja2')\n")
            done = subprocess.run(
                [sys.executable, ROOT / "grader/report/report.py", "html", "r.json", folder],
                capture_output=True,
                text=True,
                check=False,
                env={"PYTHONPATH": folder},
            )
            self.assertEqual(
                (done.returncode, done.stderr),
                (3, "report: jinja2 is missing here: run `make setup` first\n"),
            )

    def test_missing_result_says_how_to_make_one(self) -> None:
        done = self.run_report("junit", "/nonexistent/result.json", "y")
        self.assertEqual(
            (done.returncode, done.stderr),
            (
                2,
                "report: /nonexistent/result.json: No such file or directory; "
                "make one with `make grade`\n",
            ),
        )

    def test_report_is_written_whole(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "result.json"
            source.write_text(
                json.dumps(
                    make_result.result([make_result.exercise("naive", "pass", 1, 2, "fine")])
                )
            )
            done = self.run_report("markdown", str(source), folder + "/out")
            self.assertEqual((done.returncode, done.stdout), (0, folder + "/out/report.md\n"))
            self.assertEqual(
                sorted(path.name for path in Path(folder, "out").iterdir()), ["report.md"]
            )


if __name__ == "__main__":
    unittest.main()
