"""Reports in both languages: nothing stays English, nothing that programs read is translated."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

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
import page as html_page  # noqa: E402
import words  # noqa: E402
from language import _, language_used  # noqa: E402
from make_exercises import PEAKS, counted, estimated, measured, racing  # noqa: E402
from parse import ResultError, result_parse  # noqa: E402
from read_page import Page  # noqa: E402
from test_index_map import access, exercise_with, pipelined, tiled  # noqa: E402

HAN = re.compile("[\u4e00-\u9fff]")
# Words that are the same in both languages.
SAME = set("tilegrade TFLOPS GFLOPS FLOP cuBLAS CPU GPU Roofline tid threadIdx".split())


def broken() -> dict:
    return make_result.exercise("broken", "build_error", 0, 1000, "broken.cu:2: expected ';'")


def wrong() -> dict:
    exercise = make_result.exercise("wrong", "wrong_result", 0, 1000, "C is wrong.")
    tiles = {"size": [5, 4, 3], "edge": 2, "wrong": 3, "rows": [[0, 1], [0, 0], [0, 2]]}
    cells = {"size": [5, 4, 3], "unwritten": [[0, 2]], "zero": [[0, 3]], "not_finite": [[1, 0]]}
    cells |= {"place": [[1, 1, 0, 0]], "missing": [[2, 0, 1, 1], [2, 1, 1, 2]], "other": [[4, 3]]}
    cells["twice"] = [[3, 0, 1, 1], [3, 1, 1, 2]]
    pictures = {"wrong_tiles": tiles, "wrong_cells": cells}
    return exercise | pictures | {"output": "hello", "detail": "All of C."}


def odd_map() -> dict:
    """Accesses without a formula, elements that run into the next row, atomics, launches."""
    trace = tiled() | {"launches": 2, "whole": False}
    trace["accesses"] = trace["accesses"] + [
        access(0, "atomic", 2, 9, 4, [3, 7, 52], [2, 0, 8]),
        access(6, "load", 0, 9, 0, [16, 1, 4]) | {"bytes": 16},
    ]
    return exercise_with(trace) | {"name": "map"}


def racing_copies() -> dict:
    """The order of warps, with a race, zeros, and two teams."""
    trace = pipelined()
    trace["order"]["teams"].append([7])
    trace["order"]["whole"] = False
    trace["order"]["acts"] += [[1, 0, 0, "store", 9, 2, -1, 32, 1, 0, 3]]
    trace["accesses"].append(access(0, "zero", 3, 21, 0))
    race = make_result.finding("Wait.", line=20) | {"other_line": 30}
    exercise = exercise_with(trace) | {"name": "copies", "findings": [race]}
    tile = {"tile": [20, 20, 20], "list": [exercise.pop("map"), tiled()]}
    return exercise | {"maps": tile}


def divergent() -> dict:
    exercise = make_result.exercise("barriers", "race", 0, 1000, "Some wait.")
    findings = [
        make_result.finding("Some wait.") | {"kind": kind, "severity": severity, "size": None}
        for kind, severity in (
            ("barrier_divergence", "error"),
            ("exited_before_barrier", "warning"),
            ("out_of_bounds", "error"),
            ("uninitialized", "note"),
        )
    ]
    return exercise | {"findings": findings * 3}


def everything() -> dict:
    """A result with everything that a report can show."""
    beside = measured([[1000] * 3, [2048] * 3, [256, 4096, 1024]]) | {"name": "timed"}
    for speed, verdict in zip(beside["speed"], ("fast", "slow", "marginal")):
        speed |= {"verdict": verdict, "cublas_gflops": 50000.0}
        speed["against_cublas"] = {
            "verdict": verdict,
            "ratio": 0.9,
            "low": 0.8,
            "high": 0.95,
            "pairs": 11,
        }
    beside["counts"] = counted()["counts"]
    open_speed = make_result.exercise("open", "pass", 0, 0, "All pass.") | {"speed": []}
    exercises = [
        racing(),
        estimated(),
        beside,
        exercise_with(tiled()) | {"name": "tiles"},
        odd_map(),
        racing_copies(),
        wrong(),
        broken(),
        divergent(),
        open_speed | {"speed_complete": False},
        make_result.exercise("later", "not_started", 0, 1000, "Not started."),
        make_result.exercise("elsewhere", "needs_gpu", 0, 0, "Needs a GPU."),
    ]
    for exercise in exercises:
        exercise["title"] = exercise["name"].title()
    data = make_result.result(exercises) | {"submission": {"sha256": "ab" * 32}}
    data["device"] = {"name": "gpu", "gpu": "NVIDIA H200", "peaks": PEAKS}
    return data


class Texts(HTMLParser):
    """What people read or hear: texts, and the attributes that a screen reader reads."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self._skip = False
        self._english = 0  # open elements of a section of a lesson that is in English
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if self._english or ("lang", "en") in attributes and tag == "div":
            self._english += tag == "div"
            return
        self._skip = tag in ("style", "code", "pre", "mark") or ("class", "code") in attributes
        self.found += [value or "" for name, value in attributes if name in ("aria-label", "title")]

    def handle_endtag(self, tag: str) -> None:
        self._english -= tag == "div" and self._english > 0

    def handle_data(self, data: str) -> None:
        if not self._skip and not self._english and data.strip():
            self.found.append(" ".join(data.split()))


def english_left(texts: list[str], data: str) -> list[str]:
    """The texts with an English word that does not come from the result itself."""
    known = set(re.findall("[A-Za-z]+", data)) | SAME
    return [
        text
        for text in texts
        if any(len(word) > 2 and word not in known for word in re.findall("[A-Za-z]+", text))
    ]


def shape(value: Any) -> Any:
    """A document without its texts for people: keys, numbers, and the names that are keys."""
    if isinstance(value, dict):
        return {
            key: shape(item) if key not in ("output", "message", "hint", "format_errors") else ""
            for key, item in value.items()
        }
    return [shape(item) for item in value] if isinstance(value, list) else value


class BothLanguages(unittest.TestCase):
    def setUp(self) -> None:
        self.data = everything()
        self.result = result_parse(json.dumps(self.data), "r.json")

    def both(self, render: Any) -> tuple[str, str]:
        texts = []
        for language in ("en", "zh"):
            with language_used(language):
                texts.append(render(self.result))
        return texts[0], texts[1]

    def test_a_chinese_page_has_no_english_of_ours(self) -> None:
        english, chinese = self.both(html_page.render)
        data = json.dumps(self.data)
        self.assertIn('<html lang="zh">', chinese)
        self.assertEqual(english_left(Texts(chinese).found, data), [])
        self.assertNotEqual(english_left(Texts(english).found, data), [])
        self.assertNotRegex(english, HAN)

    def test_both_pages_have_the_same_elements(self) -> None:
        # Except in a section of a lesson, which tests/lessons/test_chinese.py compares.
        section = re.compile(r'(<details class="read">).*?(</details>)', re.S)
        pages = self.both(html_page.render)
        english, chinese = (Page(section.sub(r"\1\2", page)) for page in pages)
        self.assertEqual((Page(pages[1]).faults, Page(pages[1]).dangers()), ([], []))
        self.assertEqual([tag for tag, _ in chinese.tags], [tag for tag, _ in english.tags])

    def test_a_chinese_markdown_has_no_english_of_ours(self) -> None:
        english, chinese = self.both(markdown.render)
        data = json.dumps(self.data)
        self.assertEqual(english_left(chinese.split("\n"), data), [])
        self.assertNotEqual(english_left(english.split("\n"), data), [])

    def test_what_programs_read_is_alike(self) -> None:
        for module in (gradescope, prairielearn, classroom50):
            english, chinese = map(json.loads, self.both(module.render))
            self.assertEqual(shape(english), shape(chinese))
        for english, chinese in zip(*(text.splitlines() for text in self.both(autolab.render))):
            self.assertEqual(shape(json.loads(english)), shape(json.loads(chinese)))
        english, chinese = self.both(github.render)
        place = re.compile(r"^::\w+ (?:file=[^,]*)?(?:,line=\d+)?", re.MULTILINE)
        self.assertEqual(place.findall(english), place.findall(chinese))
        english, chinese = map(ElementTree.fromstring, self.both(junit.render))
        for mine, theirs in zip(english.iter(), chinese.iter(), strict=True):
            keys = mine.attrib.keys() - {"message"}
            self.assertEqual(
                [(key, mine.attrib[key]) for key in sorted(keys)],
                [(key, theirs.attrib[key]) for key in sorted(keys)],
            )

    def test_a_name_of_a_test_is_the_same_in_both(self) -> None:
        english, chinese = map(json.loads, self.both(gradescope.render))
        names = [test["name"] for test in chinese["tests"]]
        self.assertEqual(names, [test["name"] for test in english["tests"]])
        self.assertFalse(any(HAN.search(name) for name in names))
        self.assertRegex(chinese["tests"][-1]["output"] + chinese["output"], HAN)


class Chosen(unittest.TestCase):
    def first_line(self, language: str, *options: str) -> tuple[int, str]:
        """The English texts in the Markdown of a result in that language."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "result.json")
            path.write_text(json.dumps(everything() | {"language": language}), encoding="utf-8")
            command = [sys.executable, str(ROOT / "grader/report/report.py"), "markdown"]
            done = subprocess.run(
                [*command, str(path), folder, *options], capture_output=True, text=True, check=False
            )
            report = Path(folder, "report.md")
            text = report.read_text(encoding="utf-8") if report.exists() else done.stderr
            return done.returncode, text.split("\n")[0]

    def test_a_report_has_the_language_of_its_result_or_the_one_asked_for(self) -> None:
        english, chinese = (0, "# 60 of 224 points"), (0, "# 60 分（满分 224）")
        self.assertEqual(self.first_line("en"), english)
        self.assertEqual(self.first_line("zh"), chinese)
        self.assertEqual(self.first_line("zh", "--language=en"), english)
        self.assertEqual(self.first_line("en", "--language=zh"), chinese)
        self.assertEqual(self.first_line("xx"), english)

    def test_a_language_that_there_is_not_is_bad_usage(self) -> None:
        code, text = self.first_line("en", "--language=fr")
        self.assertEqual(code, 2)
        self.assertIn("[--language=en|zh]", text)


RACE = {"message": "nothing orders these two accesses: {events}", "values": ["A[0], then B"]}
OUTSIDE = {
    "message": "%s has rows 0 to %lld (or column %lld of row %lld was meant)",
    "values": ["B", 3, 17, 3],
}


class Sentences(unittest.TestCase):
    """A result of version 2 has its sentences as data; tests/texts has those of real kernels."""

    def said(self, language: str, *text: Any, stored: str = "as stored") -> str:
        """The sentence of a finding with that data."""
        data = everything() | {"schema": "tilegrade/result/v2"}
        data["exercises"][0]["findings"] = [
            make_result.finding(stored) | {"texts": {"message": list(text)}}
        ]
        result = result_parse(json.dumps(data), "r.json", language)
        return result.exercises[0].findings[0].message

    def test_the_language_asked_for_is_that_of_each_sentence(self) -> None:
        english = "nothing orders these two accesses: A[0], then B plain"
        self.assertEqual(self.said("", RACE, "plain"), english)
        self.assertEqual(self.said("zh", RACE), "这两次访问没有先后次序：A[0], then B")
        capital = {"message": "%s.", "values": [RACE], "capital": True}
        self.assertRegex(self.said("en", capital), r"^Nothing orders .* A\[0\], then B\.$")
        name = capital | {"values": [OUTSIDE | {"values": ["b", 3, 17, 3]}]}
        self.assertRegex(self.said("en", name), "^b has rows 0 to 3 ")
        both = self.said("zh", RACE) + self.said("zh", OUTSIDE)
        self.assertEqual(self.said("zh", RACE, OUTSIDE), both)

    def test_named_values_take_their_place_in_each_language(self) -> None:
        message = (
            "{access_bytes} bytes were {used} in one access at {element}, whose address is not a "
            "multiple of {access_bytes}"
        )
        data = {"message": message, "values": [16, {"message": "read"}, "A[1]"]}
        self.assertEqual(
            self.said("en", data),
            "16 bytes were read in one access at A[1], whose address is not a multiple of 16",
        )
        chinese = self.said("zh", data)
        self.assertRegex(chinese, r"^[^{}]*A\[1\][^{}]*$")
        self.assertEqual(chinese.count("16"), 2)

    def test_a_result_of_an_earlier_version_without_names_is_shown_as_stored(self) -> None:
        older = {"message": "nothing orders these two accesses: %s", "values": ["A[0]"]}
        self.assertEqual(self.said("zh", older), "as stored")
        self.assertEqual(self.said("en", older), "nothing orders these two accesses: A[0]")

    def test_a_message_that_no_catalogue_has_leaves_the_whole_sentence_as_stored(self) -> None:
        unknown = {"message": "said by a later version"}
        self.assertEqual(self.said("zh", RACE, unknown), "as stored")
        inside = {"message": "%s: %d", "values": [unknown | {"values": [2]}, 1]}
        self.assertEqual(self.said("zh", inside), "as stored")
        system = {"message": "Invalid argument"}
        self.assertEqual(self.said("zh", {"message": "%s: %s", "values": ["root", system]}),
                         "root：Invalid argument")
        self.assertEqual(self.said("en", unknown), "said by a later version")

    def test_values_cannot_be_formats_and_missing_ones_are_left_out(self) -> None:
        message = {"message": "%s of %s", "values": ["%(x)s%n"]}
        self.assertEqual(self.said("en", message), "%(x)s%n of ")

    def test_damaged_data_are_no_result(self) -> None:
        deep: Any = "end"
        for _level in range(40):
            deep = {"message": "%s", "values": [deep]}
        for damaged in (deep, {"values": []}, {"message": "%d", "values": 7}):
            with self.subTest(damaged), self.assertRaises(ResultError):
                self.said("en", damaged)


class Words(unittest.TestCase):
    def test_verdicts_are_called_as_in_the_terminal(self) -> None:
        text = (ROOT / "grader/judge/model/verdict.h").read_text(encoding="utf-8")
        titles = dict(re.findall(r'X\(VERDICT_\w+, "(\w+)", N?_?\(?"([^"]+)"', text))
        self.assertGreater(len(titles), 20)
        self.assertEqual({name: words.word(name) for name in titles}, titles)
        for name in re.findall(r'X\(SPEED_\w+, "(\w+)"', text):
            with language_used("zh"):
                self.assertRegex(words.word(name), HAN)

    def test_a_name_that_is_not_known_is_shown_without_underscores(self) -> None:
        self.assertEqual(words.word("some_new_kind"), "some new kind")

    def test_values_of_a_text_are_not_looked_into(self) -> None:
        with language_used("zh"):
            self.assertEqual(_("Read %(lesson)s", lesson="%(x)s {y}"), "请阅读 %(x)s {y}")


if __name__ == "__main__":
    unittest.main()
