"""compare.py distinguishes facts from words, and notices when two trees differ."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "tests")]

import compare  # noqa: E402
from drawn import sample  # noqa: E402

KERNEL = "tests/wrong/tiled/no_first_barrier.cu"
OLD = {
    "exit": 1,
    "result": {
        "points": 0,
        "exercises": [
            {
                "verdict": "race",
                "headline": "a.cu:19: a barrier is missing",
                "cases": [{"size": [1, 1, 1], "verdict": "race"}],
                "findings": [{"kind": "race", "line": 19, "lesson": "a.md#race", "mark": [0, 10]}],
            }
        ],
    },
}
# A change of the text of OLD, and the end of the path that must be reported.
FACTS = [
    ('"points": 0', '"points": 1', "result.points"),
    ('"points": 0', '"points": false', "result.points"),
    ('"verdict": "race", "headline"', '"verdict": "pass", "headline"', "exercises[0].verdict"),
    ("[1, 1, 1]", "[1, 1, 2]", "exercises[0].cases[0].size[2]"),
    ('"kind": "race"', '"kind": "crash"', "exercises[0].findings[0].kind"),
    ('"line": 19', '"line": 20', "exercises[0].findings[0].line"),
    ("[0, 10]", "[0]", "exercises[0].findings[0].mark.length"),
    (', "mark": [0, 10]', "", "exercises[0].findings[0].mark"),
    ("a.cu:19: a", "a.cu:20: a", "exercises[0].headline"),
    ('"exit": 1', '"exit": 2', "exit"),
]
WORDS = [
    ("a.cu:19: a barrier is", "after a.cu:19, a barrier is", "exercises[0].headline"),
    ("a barrier is missing", "__syncthreads() is missing", "exercises[0].headline"),
    ("a.md#race", "a.md#races", "exercises[0].findings[0].lesson"),
]


def changed(old: str, new: str) -> dict:
    text = json.dumps(OLD)
    assert text.count(old) == 1, old
    return json.loads(text.replace(old, new))


def string_schemas(schema: dict) -> dict[str, list[dict]]:
    """The schemas of each key that holds a string."""
    found: dict[str, list[dict]] = {}
    for part in [schema, *schema["definitions"].values()]:
        for key, what in part.get("properties", {}).items():
            if what.get("type") == "string" or "enum" in what or "pattern" in what:
                found.setdefault(key, []).append(what)
    return found


class Answers(unittest.TestCase):
    def test_a_fact_that_differs_is_reported(self) -> None:
        for old, new, path in FACTS:
            with self.subTest(path=path, new=new):
                (found,) = compare.facts(OLD, changed(old, new))
                self.assertTrue(found.path.endswith(path), found.path)

    def test_a_word_that_differs_is_not_a_fact(self) -> None:
        for old, new, path in WORDS:
            with self.subTest(path):
                answer = changed(old, new)
                self.assertEqual(compare.facts(OLD, answer), [])
                (found,) = compare.differences(OLD, answer)
                self.assertTrue(found.path.endswith(path), found.path)

    def test_equal_answers_do_not_differ(self) -> None:
        self.assertEqual(list(compare.differences(OLD, json.loads(json.dumps(OLD)))), [])

    def test_unsteady_places_are_no_difference(self) -> None:
        at_5, at_6, at_7, at_8 = ({"line": line, "points": 0} for line in (5, 6, 7, 8))
        self.assertTrue(compare.agree([at_5], [at_5]))
        self.assertFalse(compare.agree([at_5, at_5], [at_6, at_6]))
        self.assertTrue(compare.agree([at_5, at_5], [at_6, at_5]))  # equal once
        self.assertTrue(compare.agree([at_5, at_6], [at_7, at_8]))  # changes on both sides
        self.assertFalse(compare.agree([at_5, at_5], [at_7, at_8]))
        other_points = [{**answer, "points": 1} for answer in (at_7, at_8)]
        self.assertFalse(compare.agree([at_5, at_6], other_points))

    def test_words_are_free_texts_in_the_schema(self) -> None:
        schema = next(ROOT.glob("grader/**/result.schema.json"))
        texts = string_schemas(json.loads(schema.read_text(encoding="utf-8")))
        for key in compare.WORDS & texts.keys():
            for what in texts[key]:
                self.assertEqual(set(what) & {"enum", "pattern", "const"}, set(), key)


@unittest.skipUnless((ROOT / "build/tilegrade").exists(), "build/tilegrade is not built")
class Trees(unittest.TestCase):
    """BASE is this tree with one line of an exercise changed."""

    def compared(self, old: str, new: str) -> tuple[int, str]:
        with tempfile.TemporaryDirectory() as folder:
            base = Path(folder, "base")
            base.mkdir()
            for name in os.listdir(ROOT):
                if name != "lessons":
                    (base / name).symlink_to(ROOT / name)
            shutil.copytree(ROOT / "lessons", base / "lessons")
            (exercise,) = base.glob("lessons/020_tiled/exercise.ini")
            exercise.write_text(re.sub(old, new, exercise.read_text(), flags=re.M))
            words = [sys.executable, "tests/compare/compare.py", base, KERNEL, "--words"]
            words += ["--cache", Path(folder, "cache")]
            done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
            return done.returncode, done.stdout + done.stderr

    @unittest.skipIf(sample(), "judges both trees twice: only with ALL=1")
    def test_another_size_is_reported(self) -> None:
        code, said = self.compared("^ragged = .*", "ragged = 67x33x130")
        self.assertEqual(code, 1, said)
        self.assertRegex(said, r"cases\[\d+\]\.size\[2\]: 130 -> 129")

    def test_another_title_is_words(self) -> None:
        code, said = self.compared("^title = .*", "title = Tiles")
        self.assertEqual(code, 0, said)
        self.assertIn('"Tiles"\n    "Tiled multiplication"', said)


if __name__ == "__main__":
    unittest.main()
