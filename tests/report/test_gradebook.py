"""The gradebook and what goes to learning platforms, read back by each platform's own rules."""

from __future__ import annotations

import csv
import io
import re
import sys
import tempfile
import unittest
import zipfile
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / part) for part in ("grader/class", "grader/report", "tests/report")]

import make_class  # noqa: E402
import make_result  # noqa: E402
from book import blackboard, canvas, gradebook, model, moodle, packages, render  # noqa: E402
from book.table import Import, defused  # noqa: E402
from make_class import student, with_result, write_class  # noqa: E402
from make_exercises import counted, racing  # noqa: E402
from formats.markdown import escaped  # noqa: E402
from formats.plain_text import plain  # noqa: E402

EVIL = ["=cmd()", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1", "a;=1", "a\n=1", "x,@y"]


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def calculates(text: str) -> bool:
    """Whether any spreadsheet would compute a part of a cell, whatever it takes for a delimiter."""
    return any(re.match(r"\s*[=+@＝＋－＠-]", part) for part in re.split("[;,\t|\r\n\"]", text))


class InFolder(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.students: list[dict] = []

    def add(self, text: str, *kernels: dict, **more: object) -> None:
        kernels = kernels or (counted() | {"name": "tiled"},)
        self.students.append(with_result(student(text, **more), list(kernels), self.folder))

    def run_of(self, **more: object) -> model.ClassRun:
        return model.class_read(write_class(self.folder, self.students, **more))

    def crowd(self) -> model.ClassRun:
        kernels = make_class.exercises()
        kernels.append(make_result.exercise("naive", "needs_gpu", 0, 20000, "Needs a GPU."))
        self.students = make_class.crowd(self.folder, 80, kernels)
        return self.run_of()


class Gradebook(InFolder):
    def table(self, run: model.ClassRun) -> dict[str, dict[str, str]]:
        text = gradebook.render(run)
        self.assertEqual(text[0], "\ufeff")
        heads, *rows = rows_of(text[1:])
        return {row[0]: dict(zip(heads, row, strict=True)) for row in rows}

    def test_no_number_is_a_word_or_nothing_and_never_a_zero(self) -> None:
        gpu = make_result.exercise("naive", "needs_gpu", 0, 20000, "Needs a GPU.")
        self.add("late", late_days=2, deduction_percent=20)
        self.add("open", gpu, counted() | {"name": "tiled"})
        self.add("wrong", racing())
        self.students += [student(state, state=state) for state in model.STATES[1:]]
        table = self.table(self.run_of())
        final = {name: row["points_final"] for name, row in table.items()}
        rest = dict.fromkeys(model.STATES[1:], "")
        self.assertEqual(final, {"late": "32", "open": "open", "wrong": "0"} | rest)
        self.assertEqual(table["late"]["points"], "40")
        self.assertEqual(table["open"]["naive points"], "open")
        self.assertEqual(table["open"]["tiled points"], "40")
        self.assertEqual(table["wrong"]["tiled verdict"], "race")
        self.assertEqual([table[state]["state"] for state in rest], list(rest))

    def test_no_cell_of_any_file_is_a_formula(self) -> None:
        for evil in EVIL:
            lms = dict.fromkeys(("canvas_id", "sis_user_id", "sis_login_id", "username"), evil)
            more = dict.fromkeys(("name", "mail", "section", "source", "note"), evil)
            self.add(evil, lms=lms, **more)
        run = self.run_of()
        run = replace(run, assignment=run.assignment | {"title": "=1+1"})
        texts = [gradebook.render(run)[1:]]
        texts += [module.render(run).text for module in (canvas, moodle, blackboard)]
        for text in texts:
            for row in rows_of(text):
                self.assertEqual([cell for cell in row if calculates(cell)], [])
        self.assertEqual(defused("Anna-Lena O'Neill = x"), "Anna-Lena O'Neill = x")


class Platforms(InFolder):
    def test_canvas_reads_heads_and_points_and_finds_each_student_by_a_number(self) -> None:
        numbers = {"canvas_id": "42"}
        self.add("a", name="Ek, Anna", lms=numbers, late_days=1, deduction_percent=10)
        self.add("b", name="Bo", lms={"sis_login_id": "bo"})
        self.add("c", name="Bo", lms={"canvas_id": "42x"})  # Canvas would read 42, which is Anna
        self.add("d", make_result.exercise("naive", "needs_gpu", 0, 20000, ""))
        self.students.append(student("e", state="missing", lms={"canvas_id": "7"}))
        found = canvas.render(self.run_of())
        heads, most, *rows = rows_of(found.text)
        self.assertIn("Student", heads[0])
        self.assertIn("ID", heads[1])
        self.assertRegex(heads[2], r"SIS\s+User\s+ID")
        self.assertRegex(heads[3], r"SIS\s+Login\s+ID")
        self.assertEqual(heads[4:], ["Section", "Homework 1"])
        self.assertIn("Points Possible", most[0])
        self.assertEqual(most[5], "60")
        anna = ["Ek, Anna", "42", "", "", "", "36"]
        self.assertEqual(rows, [anna, ["Bo", "", "", "bo", "", "40"]])
        self.assertEqual([one.id for one in found.left_out], ["c"])
        absent = [(why, [one.id for one in who]) for why, who in found.absent(self.run_of())]
        unknown = ("id on that platform not known", ["c"])
        missing = ("nothing handed in", ["e"])
        self.assertEqual(absent, [("points are open", ["d"]), unknown, missing])

    def test_canvas_finds_its_column_again(self) -> None:
        self.add("a", lms={"canvas_id": "42"})
        run = self.run_of()
        run = replace(run, assignment=run.assignment | {"column": "Homework 1 (77)"})
        self.assertEqual(rows_of(canvas.render(run).text)[0][5], "Homework 1 (77)")

    def test_canvas_takes_no_title_for_another_column(self) -> None:
        for title in ("Final Score", "Homework (12)", "Current Points of 1"):
            made = canvas.title_for(title)
            self.assertIsNone(canvas.NOT_A_TITLE.search(made), made)
        self.assertEqual(canvas.title_for("Homework 1 (tiles)"), "Homework 1 (tiles)")

    def test_moodle_never_gets_a_blank_cell_that_identifies_a_user(self) -> None:
        self.add("a", mail="a@x", lms={"username": "anna"})
        self.add("b", mail="b@x", late_days=1, deduction_percent=10)
        found = moodle.render(self.run_of())
        heads, *rows = rows_of(found.text)
        self.assertEqual(heads, ["email", "idnumber", "grade", "feedback"])
        self.assertEqual([row[:3] for row in rows], [["a@x", "a", "40"], ["b@x", "b", "36"]])
        self.assertEqual(rows[1][3], "tiled: pass, 40 of 40 points; 10 % deducted for lateness")

    def test_blackboard_has_every_cell_in_quotes_and_a_user_name_in_every_row(self) -> None:
        self.add("a", lms={"username": "anna"})
        self.add("b")
        found = blackboard.render(self.run_of())
        self.assertEqual(found.text, '"Username","Homework 1"\r\n"anna","40"\r\n')
        self.assertEqual([one.id for one in found.left_out], ["b"])
        self.students = self.students[1:]
        self.assertIn('"b","40"', blackboard.render(self.run_of()).text)

    def test_nobody_is_in_an_import_by_what_another_student_has_too(self) -> None:
        self.add("a", mail="x@x", lms={"canvas_id": "5", "username": "Ann"})
        self.add("b", mail="X@x", lms={"canvas_id": "6", "username": "bo"})
        self.add("C\u00e9", mail="c@x", lms={"canvas_id": "7", "username": "cy"})
        self.students.append(student("d", state="missing", lms={"canvas_id": "5"}))
        self.students.append(student("ce", state="missing", lms={"username": "ann"}))
        run = self.run_of()
        found = canvas.render(run)
        self.assertEqual([row[1] for row in rows_of(found.text)[2:]], ["6", "7"])
        self.assertEqual([one.id for one in found.left_out], ["a"])
        found = blackboard.render(run)
        self.assertEqual([row[0] for row in rows_of(found.text)[1:]], ["bo", "cy"])
        self.assertEqual([one.id for one in found.left_out], ["a"])
        found = moodle.render(run)
        rows = [row[:2] for row in rows_of(found.text)]
        self.assertEqual(rows, [["idnumber", "grade"], ["a", "40"], ["b", "40"]])
        self.assertEqual([one.id for one in found.left_out], ["C\u00e9"])

    def test_all_files_agree_on_the_points_of_every_student(self) -> None:
        run = self.crowd()
        known = {one.id: one.points_final for one in run.students}
        points = {name: value / 1000 for name, value in known.items() if value is not None}
        self.assertGreater(len(run.students) - len(points), 5)

        def read(file: Import, key: int, value: int) -> dict[str, float]:
            rows = [row for row in rows_of(file.text)[1:] if "Points Possible" not in row[0]]
            return {row[key]: float(row[value]) for row in rows}

        number = {one.id: one.lms["canvas_id"] for one in run.students}
        names = {one.id: one.lms["username"] for one in run.students}
        self.assertEqual(read(canvas.render(run), 1, 5), {number[i]: p for i, p in points.items()})
        self.assertEqual(read(moodle.render(run), 2, 3), points)
        self.assertEqual(
            read(blackboard.render(run), 0, 1), {names[i]: p for i, p in points.items()}
        )

    def test_a_class_of_one_platform_has_the_file_of_that_platform_alone(self) -> None:
        self.add("a", lms={"canvas_id": "42", "username": "anna"})
        run = self.run_of()
        render.class_write(run, False)
        render.class_write(self.run_of(layout="canvas"), False)
        found = sorted(path.name for path in self.folder.glob("*.csv"))
        self.assertEqual(found, ["canvas.csv", "gradebook.csv"])

    def test_a_file_without_rows_does_not_stay_from_before(self) -> None:
        self.add("a", lms={"canvas_id": "42"})
        render.class_write(self.run_of(), False)
        self.assertTrue((self.folder / "canvas.csv").exists())
        self.students[0]["lms"] = {}
        render.class_write(self.run_of(), False)
        self.assertFalse((self.folder / "canvas.csv").exists())


class Packages(InFolder):
    def entries(self, name: str) -> list[str]:
        with zipfile.ZipFile(self.folder / name) as package:
            self.assertIsNone(package.testzip())
            return package.namelist()

    def test_moodle_finds_each_participant_whatever_the_name_is(self) -> None:
        names = ["Anna Ek", "a_1_assignsubmission_file", "../../x", "_", "名 字"]
        for at, name in enumerate(names, 1):
            self.add(f"s{at}", name=name, lms={"moodle_id": str(100 + at)})
        self.add("without", lms={"moodle_id": "12x"})
        render.class_write(self.run_of(), False)
        found = set()
        for entry in self.entries(packages.MOODLE):
            first, *rest = entry.split("/")
            parts = first.split("_")
            self.assertEqual(parts[2:], ["assignsubmission", "file"], entry)
            self.assertEqual(len(rest), 1)
            found.add((parts[1], rest[0]))
        files = ("feedback.html", "feedback.md")
        wanted = {(str(100 + at), file) for at in range(1, 6) for file in files}
        self.assertEqual(found, wanted)

    def test_canvas_finds_the_user_and_a_file_of_that_user(self) -> None:
        self.add("a", lms={"canvas_id": "42"}, source="ekanna_LATE_42_777_tiled.cu")
        self.add("b", lms={"canvas_id": "43"}, source="bo_42_778_tiled.cu")  # of another user
        self.add("c", lms={"canvas_id": "44"}, source="x_9_44_779_a.cu (1 of 2 files)")
        render.class_write(self.run_of(), False)
        found = []
        for entry in self.entries(packages.CANVAS):
            found.append([part for part in entry.split("_") if re.fullmatch(r"\d+", part)][:2])
        self.assertEqual(found, [["42", "777"], ["44", "779"]])
        with zipfile.ZipFile(self.folder / packages.CANVAS) as package:
            text = package.read(package.namelist()[0]).decode()
        self.assertIn("Homework 1: 40 of 40 points", text)
        self.assertEqual([mark for mark in ("\\", "`", "**", "|--", "# ") if mark in text], [])

    def test_canvas_shows_feedback_as_plain_text(self) -> None:
        told = "a\\b *c* `As[ty][tx]` <x> | & | #"
        table = f"| no | what |\n|---|---:|\n| 10 | {escaped(told)} |\n"
        code = "````text\n    7 | a = `b` \\\n````\n"
        found = plain(f"# Homework 1\n\n{table}\n- **race** at `x.cu:1`: {escaped(told)}\n\n{code}")
        rows = f"no  what\n10  {told}\n"
        self.assertEqual(
            found, f"Homework 1\n\n{rows}\n- race at x.cu:1: {told}\n\n        7 | a = `b` \\\n"
        )

    def test_equal_feedback_gives_equal_bytes(self) -> None:
        self.add("a", lms={"moodle_id": "5"})
        run = self.run_of()
        path = self.folder / packages.MOODLE
        render.class_write(run, False)
        first = path.read_bytes()
        path.unlink()
        render.class_write(run, False)
        self.assertEqual(path.read_bytes(), first)


if __name__ == "__main__":
    unittest.main()
