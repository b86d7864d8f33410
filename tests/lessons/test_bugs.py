"""Kernels with a bug: each has the verdict of its page, and the repair of reference/bugs passes."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "grader/report"), str(ROOT / "grader/tools"), str(HERE.parent)]

# pylint: disable=wrong-import-position
from drawn import is_drawn
from patches import patched
from practice import bugs
from practice.bugs import Bug, Judged
from practice.questions import OTHER, Answer, marked

PART = 12  # one in so many is judged


def graded_bugs() -> list[Bug]:
    """Those that bring points."""
    return [bugs.bug_read(folder) for folder in sorted(ROOT.glob("lessons/assignments/bugs/*"))]


def all_bugs() -> list[Bug]:
    """Those to practise with, too."""
    return [*bugs.bugs_of(ROOT), *graded_bugs()]


def lines_of(answer: Answer) -> set[int]:
    """The lines that an answer names, as "16, 20-24"."""
    lines: set[int] = set()
    for part in answer.text.split(", ") if answer.text != OTHER else ():
        first, _dash, last = part.partition("-")
        lines.update(range(int(first), int(last or first) + 1))
    return lines


def right_lines(bug: Bug) -> set[int]:
    return lines_of(bug.where.right)


def patched_lines(patch: str) -> set[int]:
    """The lines that a patch changes or removes, and those around a line that it adds."""
    found: set[int] = set()
    at = 0
    for line in patch.splitlines()[2:]:
        if line.startswith("@@"):
            at = int(line.split()[1].partition(",")[0].strip("-"))
        elif line.startswith("+"):
            found.update({at - 1} if at - 1 in found else {at - 1, at})
        else:
            found.update({at} if line.startswith("-") else ())
            at += 1
    return found


class Pages(unittest.TestCase):
    def test_each_answers_its_questions(self) -> None:
        found = bugs.bugs_of(ROOT)
        self.assertEqual(len(found), 24)
        self.assertEqual(sorted(found, key=lambda bug: not bug.has_report_first), found)
        for bug in all_bugs():
            with self.subTest(bug=bug.number):
                self.assertGreaterEqual(len(bug.why.answers), 4)
                last = len(bug.kernel.read_text("utf-8").splitlines())
                named = [line for answer in bug.where.answers for line in lines_of(answer)]
                self.assertEqual(len(named), len(set(named)), "two answers for one line")
                self.assertLessEqual(max(named), last)
                self.assertEqual(bug.where.answers[-1].text, "*")

    def test_each_repair_is_in_the_lines_of_the_answer(self) -> None:
        for bug in all_bugs():
            with self.subTest(bug=bug.number):
                patch = (ROOT / f"reference/bugs/{bug.number}.patch").read_text("utf-8")
                self.assertLessEqual(patched_lines(patch), right_lines(bug))
                kernel = bug.kernel.read_text("utf-8")
                fixed = patched(kernel, patch)
                self.assertNotEqual(fixed, kernel)
                with self.assertRaises(ValueError):
                    patched(fixed, patch)

    def test_a_graded_bug_takes_its_own_answers_alone(self) -> None:
        found = graded_bugs()
        self.assertGreaterEqual(len(found), 8)
        for bug in found:
            last = len(bug.kernel.read_text("utf-8").splitlines())
            right = right_lines(bug)
            wrong = {line for one in bug.where.answers[1:] for line in lines_of(one)} | {1, last}
            letters = [chr(ord("a") + place) for place in range(len(bug.why.answers))]
            typed = [(1, str(line), line in right) for line in right | wrong]
            typed += [(2, one, answer.right) for one, answer in zip(letters, bug.why.answers)]
            self.assertGreaterEqual(len(wrong), 3)
            for question, answer, is_right in typed:
                with self.subTest(bug=bug.number, question=question, answer=answer):
                    given = marked(ROOT, bug.page, question, answer, is_bug=True)
                    self.assertEqual((given.understood, given.answer.right), (True, is_right))

    def test_a_graded_bug_is_a_kernel_of_its_own(self) -> None:
        """No other file of the course is it, or a repair of it, but for a few lines."""
        others = [*ROOT.glob("reference/*.cu"), *ROOT.glob("lessons/bugs/*/*.cu")]
        for bug in graded_bugs():
            kernel = bug.kernel.read_text("utf-8")
            self.assertNotIn("//", kernel, "only the page is in both languages")
            for other in others:
                changed = bugs.changed_lines(kernel, other.read_text("utf-8"))
                self.assertGreater(changed, bugs.REPAIR_LINES, f"{bug.number} and {other}")

    def test_a_bad_page_is_named(self) -> None:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (folder / "tiled.cu").write_text("", "utf-8")
        page = "# A\n\nB\n\n## Which?\n\n- [x] {}: yes\n- [ ] *: no\n\n## Why?\n\n- [x] race: yes\n"
        (folder / "questions.md").write_text(page.format("3, 5-6"), "utf-8")
        self.assertEqual(right_lines(bugs.bug_read(folder)), {3, 5, 6})
        for bad in (page.format("three"), page.split("## Why")[0], "no title\n" + page):
            (folder / "questions.md").write_text(bad, "utf-8")
            with self.assertRaisesRegex(ValueError, "questions.md"):
                bugs.bug_read(folder)


class Kernels(unittest.TestCase):
    """As judged: a part of them, drawn by the commit."""

    def test_verdict_lines_and_repair(self) -> None:
        out = Path(self.enterContext(tempfile.TemporaryDirectory(dir=ROOT / "build")))
        for bug in all_bugs():
            kernel = str(bug.kernel.relative_to(ROOT))
            if not is_drawn("lessons", kernel, PART):
                continue
            with self.subTest(bug=bug.number):
                known = bugs.judged(ROOT, bug.exercise, bug.kernel.parent, out)
                (result,) = json.loads((out / "result.json").read_text("utf-8"))["exercises"]
                self.assertFalse(known.passes)
                if not bug.has_report_first:
                    right = next(answer for answer in bug.why.answers if answer.right)
                    self.assertEqual(result["verdict"], right.text)
                named = {line for answer in bug.where.answers for line in lines_of(answer)}
                if known.lines and (not bug.has_report_first or "assignments" in kernel):
                    self.assertTrue(known.lines & named, f"no answer for any of {known.lines}")
                fixed = out / bug.number
                fixed.mkdir()
                patch = (ROOT / f"reference/bugs/{bug.number}.patch").read_text("utf-8")
                kernel = patched(bug.kernel.read_text("utf-8"), patch)
                (fixed / bug.kernel.name).write_text(kernel, "utf-8")
                known = bugs.judged(ROOT, bug.exercise, fixed, out)
                self.assertTrue(known.passes, known.report)


class Asked(unittest.TestCase):
    """The dialogue, without a judge."""

    def setUp(self) -> None:
        self.root = Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        shutil.copytree(ROOT / "lessons/bugs/12", self.root / "lessons/bugs/12")
        shutil.copytree(ROOT / "lessons/020_tiled", self.root / "lessons/020_tiled")
        (self.root / "student").mkdir()
        (self.root / "build").mkdir()
        (self.root / "build/tilegrade").symlink_to(ROOT / "build/tilegrade")
        self.copy = self.root / "student/bug_12.cu"

    def told(self, typed: str, passes: bool = False) -> str:
        def judged(_root: Path, _exercise: str, folder: Path, out: Path) -> Judged:
            again = f"{folder.relative_to(self.root)}/tiled.cu:24: seen\n  again make test EX=tiled"
            out.mkdir(parents=True, exist_ok=True)
            return Judged(passes, frozenset({24, 18}), again)

        shown = io.StringIO()
        with (
            mock.patch.object(bugs, "judged", judged),
            mock.patch("sys.stdin", io.StringIO(typed)),
            contextlib.redirect_stdout(shown),
        ):
            self.assertEqual(bugs.main([str(self.root), "12"]), 0)
        return shown.getvalue()

    def test_each_wrong_answer_has_its_reason(self) -> None:
        told = " ".join(self.told("what\n21\n24\n26\nz\nd\nb\n").split())
        for part in ("number of a line", "the tiles must be full", "shows in line 24", "Right:",
                     "one of the letters", "for years", "Nothing orders"):  # fmt: skip
            self.assertIn(part, told)
            told = told.split(part, 1)[1]
        self.assertIn("again make test EX=tiled", told, "the report comes last")
        kernel = self.root / "lessons/bugs/12/tiled.cu"
        self.assertEqual(self.copy.read_bytes(), kernel.read_bytes())

    def test_input_that_ends_leaves_no_copy(self) -> None:
        self.told("24\n")
        self.assertFalse(self.copy.exists())

    def test_a_repair_is_judged_and_never_overwritten(self) -> None:
        wrong = (self.root / "lessons/bugs/12/tiled.cu").read_text("utf-8")
        self.copy.write_text(wrong, "utf-8")
        self.assertIn("still the kernel with the bug", self.told(""))
        lines = wrong.splitlines(True)
        self.copy.write_text("".join([*lines[:25], "__syncthreads();\n", *lines[25:]]), "utf-8")
        told = self.told("")
        self.assertIn("student/bug_12.cu:24", told)
        self.assertIn("make practice bug 12", told)
        self.assertIn("Lines changed: 1", self.told("", passes=True))
        self.copy.write_text(wrong.replace("acc", "sum").replace("tx", "x").replace("ty", "y"))
        self.assertIn("lines differ", self.told("", passes=True))


if __name__ == "__main__":
    unittest.main()
