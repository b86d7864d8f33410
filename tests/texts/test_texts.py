"""Every message has its Chinese text, and a run says the same in both languages."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / os.environ.get("BUILD", "build")
sys.path[:0] = [str(ROOT / path) for path in ("grader/tools", "grader/report", "tests")]

import texts  # noqa: E402
from drawn import wrong_kernels  # noqa: E402
from language import language_used  # noqa: E402
from sentences import sentence  # noqa: E402
from small import course_copy  # noqa: E402

# Texts that a person reads, and times; everything else in a result is the same in every language.
TEXTS = {
    "graded_at",
    "seconds",
    "language",
    "verdict_title",
    "metric_text",
    "bound_text",
    "headline",
    "detail",
    "message",
    "doubt",
    "sandbox",
    "diagnostics",
    "note",
}


class Catalogue(unittest.TestCase):
    """grader/texts/zh.po against the sources."""

    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        (self.root / "grader/app").mkdir(parents=True)
        (self.root / "grader/texts").mkdir()

    def breaks(self, source: str, entries: str) -> list[str]:
        head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
        (self.root / "grader/app/a.c").write_text(source, encoding="utf-8")
        (self.root / "grader/texts/zh.po").write_text(head + entries, encoding="utf-8")
        return texts.breaks(self.root)

    def test_every_message_has_its_chinese(self) -> None:
        self.assertEqual(texts.breaks(ROOT), [])

    def test_help_is_chinese_before_anything_is_built(self) -> None:
        english, said = (
            subprocess.run(
                ["make", "--no-print-directory", "help", f"LANGUAGE={language}"],
                cwd=ROOT,
                capture_output=True,
                text=True,
            ).stdout.splitlines()
            for language in ("en", "zh")
        )
        self.assertEqual(len(english), 10)
        self.assertEqual([line[:16] for line in english if line[:1] == " "],
                         [line[:16] for line in said if line[:1] == " "])
        for line in said:
            self.assertTrue(not line or re.search("[\u4e00-\u9fff]", line), line)

    def test_a_translated_message_is_fine(self) -> None:
        source = 'f(err, _("one %s"));  fail(err, S, "two");  static const char *a = N_("three");'
        entries = "".join(
            f'#, c-format\nmsgid "{english}"\nmsgstr "{chinese}"\n\n'
            for english, chinese in (("one %s", "一 %s"), ("two", "二"), ("three", "三"))
        )
        self.assertEqual(self.breaks(source, entries), [])

    def test_a_message_without_chinese_is_found(self) -> None:
        for source in (
            'g(_("lost"));',
            'fail(err, S, "lost");',
            'fail_errno(e, f(a, b), "lost %d", 1);',
            'words_write(t, N, "lost");',
            'char *a[] = {N_("lost")};',
            'C_("ctx", "lost");',
        ):
            found = self.breaks(source, "")
            self.assertEqual(len(found), 1, source)
            self.assertIn("grader/app/a.c: no Chinese for 'lost", found[0])

    def test_messages_of_python_and_of_templates_are_found(self) -> None:
        report = self.root / "grader/report/templates"
        report.mkdir(parents=True)
        (report.parent / "a.py").write_text(
            'print(_("lost %(n)d", n=1), N_("gone"), "none of it")\n'
        )
        (report / "a.html").write_text(
            '<p title="{{ _("seen %(n)d", n=1) }}">{{ _("left") }} none of it\n'
            "{% trans n=1 %}\n  <b>many</b>\n  of {{ n }}\n{% endtrans %}</p>\n"
        )
        found = self.breaks("", "")
        missing = {line.partition("no Chinese for ")[2].strip("'\"") for line in found}
        self.assertEqual(
            missing, {"lost %(n)d", "gone", "seen %(n)d", "left", "<b>many</b> of %(n)s"}
        )
        self.assertTrue(any(line.startswith("grader/report/templates/a.html") for line in found))

    def test_values_of_python_and_of_templates_must_agree(self) -> None:
        report = self.root / "grader/report"
        report.mkdir()
        (report / "a.py").write_text('print(_("%(n)d of %(all)d", n=1, all=2))\n')

        def entry(chinese: str) -> str:
            return f'#, python-format\nmsgid "%(n)d of %(all)d"\nmsgstr "{chinese}"\n'

        self.assertEqual(self.breaks("", entry("%(all)d 中的 %(n)d")), [])
        for chinese in ("%(n)d", "%(n)d %(al)d", "%(n)d / %(all)s"):
            self.assertNotEqual(self.breaks("", entry(chinese)), [], chinese)

    def test_what_is_no_message_is_not_asked_for(self) -> None:
        source = (
            'f("lost"); fail(err, S, "%s: %d", a, b); words_write(t, n, "%.*s (%s)", 1, a, b);'
        )
        self.assertEqual(self.breaks(source, ""), [])

    def test_an_empty_and_a_fuzzy_translation_are_found(self) -> None:
        self.assertIn("no Chinese", self.breaks('_("a b")', 'msgid "a b"\nmsgstr ""\n')[0])
        self.assertIn("fuzzy", self.breaks('_("a b")', '#, fuzzy\nmsgid "a b"\nmsgstr "甲"\n')[0])

    def test_a_sentence_that_is_not_marked_is_found(self) -> None:
        for source in (
            'printf("two words\\n");',
            'char *a[] = {"two words"};',
            'f(x ? "two words" : "");',
        ):
            found = self.breaks(source, "")
            self.assertEqual(len(found), 1, source)
            self.assertIn("grader/app/a.c: a text for people is not marked: 'two words", found[0])
        for source in (
            'f("%s/file name"); ',
            '// "two words"',
            'f("word", "two-words", "two_words");',
        ):
            self.assertEqual(self.breaks(source.replace("file name", "file_name"), ""), [], source)

    def test_a_translation_that_nothing_uses_is_found(self) -> None:
        entries = (
            'msgid "a b"\nmsgstr "甲"\n\nmsgid "gone"\nmsgstr "没"\n\n#~ msgid "old"\n#~ msgstr "旧"\n'
        )
        found = self.breaks('_("a b")', entries)
        self.assertEqual(len(found), 2, found)
        self.assertIn("no source says 'gone' any more", found[0])
        self.assertIn("remove what is obsolete: 'old'", found[1])

    def test_conversions_must_agree(self) -> None:
        def entry(chinese: str) -> str:
            return f'#, c-format\nmsgid "%d of %s"\nmsgstr "{chinese}"\n'

        source = 'fail(err, S, "%d of %s", 1, a);'
        self.assertEqual(self.breaks(source, entry("%2$s 的 %1$d")), [])
        for chinese in ("%s 的 %d", "%d", "%d %s %s", "%2$d 的 %1$s"):
            self.assertNotEqual(self.breaks(source, entry(chinese)), [], chinese)

    def test_names_of_values_must_agree(self) -> None:
        def entry(chinese: str) -> str:
            return f'msgid "{{line}} stores {{element}}"\nmsgstr "{chinese}"\n'

        source = '_("{line} stores {element}")'
        self.assertEqual(self.breaks(source, entry("{element} 由 {line} 写入")), [])
        self.assertIn("other {names}", self.breaks(source, entry("{line} 写入 {elemnt}"))[0])
        self.assertEqual(self.breaks('_("{a}: {b}")', ""), [])

    def test_widths_are_known_before_the_compiler_runs(self) -> None:
        source = 'fail(e, S, "a %" PRIu64 " b %" PRId64, x, y);'
        self.assertEqual(
            self.breaks(source, '#, c-format\nmsgid "a %lu b %ld"\nmsgstr "甲 %lu %ld"\n'), []
        )

    def test_the_table_of_the_programs_is_sorted_and_quoted(self) -> None:
        self.breaks(
            "",
            'msgid "b"\nmsgstr "乙"\n\n'
            'msgid "a \\"q\\"\\t\\\\ what?\\n"\nmsgstr "甲\\n"\n\n'
            'msgctxt "noun"\nmsgid "b"\nmsgstr "丙"\n\n'
            'msgid "none"\nmsgstr ""\n\n'
            '#, fuzzy\nmsgid "fuzzy"\nmsgstr "丁"\n\n'
            '#~ msgid "old"\n#~ msgstr "旧"\n',
        )
        rows = re.findall(r'\{(".*"),\n +(".*")\}', texts.table(self.root))
        self.assertEqual(
            rows,
            [
                (r'"a \"q\"\t\\ what\?\n"', r'"甲\n"'),
                ('"b"', '"乙"'),
                (r'"noun\004b"', '"丙"'),
            ],
        )

    def test_the_remedy_is_told(self) -> None:
        self.breaks('_("lost")', "")
        done = subprocess.run(
            [sys.executable, ROOT / "grader/tools/texts.py", "check", self.root],
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 1)
        self.assertIn("grader/app/a.c: no Chinese for 'lost'", done.stdout)
        self.assertIn("1 to fix in grader/texts/zh.po: `python3 grader/", done.stdout)


HAN = "[\u4e00-\u9fff]"
# Three words of English, except in code, lists of parameters, and what the compiler says.
ENGLISH = r"[a-z]{2,} [a-z]{2,} [a-z]{2,}"
CODE = re.compile(r"`[^`]*`|\(const float[^)]*\)|无法编译：.*")

# Findings of several kinds.
WRONG = (
    "barrier_in_if",
    "blocks_split_k",
    "early_return",
    "no_second_barrier",
    "no_shared_bytes",
    "unchecked_loads",
)


def without_texts(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_texts(item) for key, item in value.items() if key not in TEXTS}
    if isinstance(value, list):
        return [without_texts(item) for item in value]
    return value


def texts_of(value: Any, key: str = "") -> list[str]:
    if isinstance(value, dict):
        return [
            text
            for name, item in value.items()
            if name != "texts"
            for text in texts_of(item, name)
        ]
    if isinstance(value, list):
        return [text for item in value for text in texts_of(item, key)]
    return [value] if key in ("headline", "detail", "message") and value else []


def with_messages(mine: Any, theirs: Any) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """The objects that hold texts as data, in both results."""
    if isinstance(mine, dict):
        if "texts" in mine:
            yield mine, theirs
        mine, theirs = list(mine.values()), list(theirs.values())
    if isinstance(mine, list):
        for one, other in zip(mine, theirs, strict=True):
            yield from with_messages(one, other)


class BothLanguages(unittest.TestCase):
    """One submission, judged in English and in Chinese."""

    def assert_data_say_the_same(self, english: dict[str, Any], chinese: dict[str, Any]) -> None:
        """From the messages of either result Python writes the sentences that C wrote in both."""
        count = 0
        for mine, theirs in with_messages(english, chinese):
            for key in mine["texts"]:
                count += 1
                with language_used("en"):
                    self.assertEqual(sentence(mine, key), mine[key])
                    self.assertEqual(sentence(theirs, key), mine[key])
                with language_used("zh"):
                    self.assertEqual(sentence(mine, key), theirs[key])
        self.assertGreater(count, 1)

    def judged(self, language: str, folder: Path, words: list[str]) -> tuple[int, dict[str, Any]]:
        with tempfile.TemporaryDirectory() as out:
            done = subprocess.run(
                [BUILD / "tilegrade", *words, f"--language={language}", f"--submission={folder}"]
                + [f"--out={out}", "--device=emu", "--seed=1", "--quiet"],
                cwd=ROOT,
                capture_output=True,
                text=True,
            )
            result = json.loads((Path(out) / "result.json").read_text(encoding="utf-8"))
            return done.returncode, result

    def compare(self, exercise: str, source: Path, words: list[str]) -> str:
        with tempfile.TemporaryDirectory() as name:
            shutil.copy(source, Path(name) / f"{exercise}.cu")
            words = [*words, f"--exercise={exercise}"]
            english_code, english = self.judged("en", Path(name), words)
            chinese_code, chinese = self.judged("zh", Path(name), words)
        self.assertEqual(english_code, chinese_code)
        self.assertEqual((english["language"], chinese["language"]), ("en", "zh"))
        self.assertEqual(without_texts(english), without_texts(chinese))
        self.assert_data_say_the_same(english, chinese)
        for mine, theirs in zip(texts_of(english), texts_of(chinese), strict=True):
            self.assertNotRegex(mine, HAN)
            self.assertRegex(theirs, HAN)
            self.assertNotRegex(CODE.sub("", theirs), ENGLISH)
        return english["exercises"][0]["verdict"]

    def test_a_right_kernel_is_graded_alike(self) -> None:
        with tempfile.TemporaryDirectory() as name:  # a grade keeps counts in its course
            course = course_copy(Path(name) / "course")
            self.compare("sum", course / "reference/sum.cu", ["grade", f"--root={course}"])

    def test_wrong_kernels_are_judged_alike(self) -> None:
        for name in WRONG:
            with self.subTest(name):
                source = wrong_kernels()[f"tests/wrong/tiled/{name}.cu"]
                self.compare("tiled", source, ["test", "--size=17x33x19"])

    def test_files_that_are_refused_are_judged_alike(self) -> None:
        """Refused by the judge, by the compiler, or by the inspector in the sandbox."""
        right = (ROOT / "reference/naive.cu").read_text(encoding="utf-8")
        head = '#include "matmul.cuh"\n'
        sources = {
            "not_allowed: a file": right.replace(head, head + '#include "/etc/passwd"\n'),
            "not_allowed: a name": right.replace(head, head + "static __thread int mine;\n"),
            "not_allowed: a variable": right.replace(
                head, head + "static __device__ int kept;\n"
            ).replace("float acc", "kept++;\n        float acc"),
            "not_allowed: host code": head + "int f(int a) { return a; }\n" + right,
            "build_error": right.replace("float acc", "flaot acc"),
            "bad_signature": right.replace("int K)", "int K, int L)", 1),
            "no_kernel": "\n",
            "not_started": (ROOT / "student/naive.cu").read_text(encoding="utf-8"),
        }
        for name, text in sources.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                source = Path(folder) / "naive.cu"
                source.write_text(text, encoding="utf-8")
                verdict = self.compare("naive", source, ["test", "--size=17x33x19"])
                self.assertEqual(verdict, name.split(":")[0])


if __name__ == "__main__":
    unittest.main()
