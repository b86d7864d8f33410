"""The reports of a class: the page, what the class got wrong, the folders of students."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / part) for part in ("grader/class", "grader/report", "tests/report")]

import make_class  # noqa: E402
import make_result  # noqa: E402
from book import class_page, feedback, model, similar  # noqa: E402
from book.mistakes import mistakes  # noqa: E402
from book.names import folder_names  # noqa: E402
from language import language_used  # noqa: E402
from make_class import student, with_result, write_class  # noqa: E402
from make_exercises import SOURCE, counted, racing  # noqa: E402
from read_page import Page  # noqa: E402


class InFolder(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name) / "out"

    def graded(self, text: str, *kernels: dict, **more: object) -> dict:
        return with_result(student(text, **more), list(kernels), self.folder)

    def page(self) -> str:
        run = model.class_read(self.folder)
        return class_page.render(run, feedback.student_folders(run), [], [])

    def report(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess:
        script = str(ROOT / "grader/class/class.py")
        what = list(arguments) or ["render"]
        command = [sys.executable, script, *what, f"--out={self.folder}"]
        environment = {**os.environ, **variables}
        return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


class Folders(unittest.TestCase):
    def test_no_id_leaves_the_folder_or_hides_in_it(self) -> None:
        hostile = ["../x", "..", ".", "", "/etc", "a/b", ".ssh", "$(id)", "=cmd()", "x\n", "-rf"]
        hostile += ["con", "LPT1.txt", "a\\b", "é" * 200, "\u202e", "a b"]
        for name in folder_names(hostile).values():
            self.assertRegex(name, r"^\w[\w.@+-]*$")
            self.assertLess(len(name.encode()), 200)

    def test_ids_that_a_file_system_takes_for_one_have_two_folders(self) -> None:
        twins = ["Anna", "anna", "caf\u00e9", "cafe\u0301", "ß", "ss", "a_b", "a/b"]
        names = folder_names(twins)
        claimed = names["a/b"]  # a student may choose the name that another id was given
        names = folder_names([*twins, claimed])
        self.assertEqual(len({name.casefold() for name in names.values()}), len(twins) + 1)
        self.assertEqual(names, folder_names([claimed, *reversed(twins)]))
        self.assertEqual(folder_names(["anna", "björn.ek@x"])["björn.ek@x"], "björn.ek@x")


class Mistakes(InFolder):
    def found(self, *kernels: dict) -> list[tuple[int, str]]:
        students = [self.graded(f"s{at}", kernel) for at, kernel in enumerate(kernels)]
        run = model.class_read(write_class(self.folder, students))
        return [(len(one.students), one.verdict) for one in mistakes(run)]

    def with_finding(self, **more: object) -> dict:
        kernel = racing()
        kernel["findings"][0] |= more
        return kernel

    def test_lines_numbers_and_names_of_variables_do_not_part_a_mistake(self) -> None:
        first = self.with_finding(message="As[3][0]: line 4 races with line 6.")
        second = self.with_finding(
            message="As[7][1]: line 14 races with line 26.",
            other_source="sum += As[ty][kk] * Bs[kk][tx];",
        )
        self.assertEqual(self.found(first, second), [(2, "race")])

    def test_another_array_or_another_message_is_another_mistake(self) -> None:
        first = self.with_finding(message="line 4 races with line 6.")
        second = self.with_finding(message="line 4 races with line 6.", source="Bs[ty][tx] = 1;")
        third = self.with_finding(message="line 4 is read before line 6.")
        self.assertEqual(self.found(first, second, third), [(1, "race")] * 3)

    def test_what_was_not_begun_or_not_handed_in_is_no_mistake(self) -> None:
        stub = make_result.exercise("tiled", "not_started", 0, 40000, "Not started.")
        none = make_result.exercise("tiled", "missing", 0, 40000, "No file.")
        self.assertEqual(self.found(stub, none, counted() | {"name": "tiled"}), [])


class ClassPage(InFolder):
    def crowd(self, count: int = 60) -> Path:
        kernels = make_class.exercises()
        return write_class(self.folder, make_class.crowd(self.folder, count, kernels))

    def test_it_loads_nothing_and_runs_only_the_script_that_it_names(self) -> None:
        self.crowd()
        text = self.page()
        page = Page(text)
        self.assertEqual(page.faults, [])
        inside = re.compile(r"a href=(students/[^/]+/index\.html|gradebook\.csv)$")
        self.assertEqual([one for one in page.dangers() if not inside.match(one)], ["script"])
        script = text[text.index("<script>") + 8 : text.index("</script>")]
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        self.assertIn(f"script-src 'sha256-{digest}'", text)

    def test_foreign_text_stays_text(self) -> None:
        evil = '</td><script>alert(1)</script><a href="x">&amp;'
        kernel = make_result.exercise("naive", "wrong_result", 0, 20000, evil) | {"source": evil}
        students = [
            self.graded(evil, kernel, name=evil),
            student("b", state="broken", name=evil, note=evil, source=evil),
        ]
        write_class(self.folder, students, unmatched=[{"source": evil, "why": evil}])
        page = Page(self.page())
        self.assertEqual(page.faults, [])
        self.assertEqual(len(page.with_tag("script")), 1)
        self.assertIn(evil, page.text)

    def test_states_without_a_grade_show_no_number(self) -> None:
        students = [student(state, state=state) for state in model.STATES[1:]]
        rows = re.findall(r"<tr><th scope=\"row\">.*?</tr>", self.page_of(students))
        self.assertEqual(len(rows), 5)
        for row in rows:
            self.assertIn('<td class="n" data-v="-1"></td>', row)

    def page_of(self, students: list[dict]) -> str:
        write_class(self.folder, students)
        return self.page()

    def test_the_points_of_late_work_stand_before_those_that_it_had(self) -> None:
        kernel = counted() | {"name": "tiled"}
        late = self.graded("a", kernel, late_days=2, deduction_percent=20)
        text = self.page_of([late])
        self.assertIn('data-v="32000">32 <span class="soft">(40)</span>', text)
        self.assertIn("2 d, −20 %", text)

    def test_a_mark_without_a_time_costs_nothing_and_is_told(self) -> None:
        one = self.graded("a", counted() | {"name": "tiled"}, late_mark=True)
        text = self.page_of([one, self.graded("b", racing(), late_days=0)])
        self.assertIn("marked late, time not known", text)
        self.assertIn("Graded without a known time of submission, so nothing is deducted: 1.", text)

    def test_a_thousand_students_fit_in_three_megabytes_and_ten_seconds(self) -> None:
        self.crowd(1000)
        start = time.process_time()
        text = self.page()
        self.assertLess(time.process_time() - start, 10)
        self.assertLess(len(text.encode()), 3_000_000)

    def test_in_chinese_its_own_texts_are_chinese(self) -> None:
        self.crowd()
        with language_used("zh"):
            page = self.page()
        text = Page(page[page.index("<header>") : page.index("</main>") + 7]).text
        english = ("What the class", "Students", "graded", "The run", "median", "late")
        self.assertEqual([word for word in english if word in text], [])


class Program(InFolder):
    def write(self) -> list[dict]:
        students = [
            self.graded("anna", racing(), lms={"moodle_id": "7"}),
            self.graded("../x", counted() | {"name": "tiled"}, lms={"moodle_id": "8"}),
            student("bo", state="missing"),
        ]
        write_class(self.folder, students)
        return students

    def test_each_graded_student_has_a_folder_that_names_them_and_only_them(self) -> None:
        self.write()
        done = self.report()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        folders = sorted((self.folder / "students").iterdir())
        self.assertEqual(len(folders), 2)
        self.assertRegex(done.stdout.splitlines()[-1], "^next: look at .*class.html")
        result = json.loads((self.folder / "students/anna/result.json").read_text("utf-8"))
        self.assertEqual(result["student"], "anna")
        page = (self.folder / "students/anna/index.html").read_text("utf-8")
        self.assertIn('<p class="facts"><bdi>anna</bdi>', page)
        for folder in folders:
            names = sorted(path.name for path in folder.iterdir())
            self.assertEqual(names, ["feedback.md", "index.html", "result.json"])
            self.assertIn("Homework 1: ", (folder / "feedback.md").read_text("utf-8"))
        links = re.findall(r'href="(students/[^"]*)"', (self.folder / "class.html").read_text())
        self.assertEqual(len(set(links)), 2)
        for link in links:
            self.assertTrue((self.folder / link).is_file(), link)

    def test_all_of_it_belongs_to_the_owner_alone(self) -> None:
        self.write()
        self.report()
        made = [path for path in self.folder.rglob("*") if "jobs" not in path.parts]
        made.remove(self.folder / "class.json")
        for path in made:
            self.assertEqual(stat.S_IMODE(path.stat().st_mode) & 0o077, 0, path)

    def test_only_what_has_changed_is_rendered_again(self) -> None:
        students = self.write()
        self.report()
        before = self.contents()
        self.assertIn("students: new pages: 0", self.report().stdout)
        self.assertEqual(self.contents(), before)
        students[0] |= {"late_days": 1, "deduction_percent": 10, "points_final": 0}
        write_class(self.folder, students)
        self.assertIn("students: new pages: 1", self.report().stdout)
        self.assertIn("Days late: 1.", (self.folder / "students/anna/feedback.md").read_text())
        write_class(self.folder, students[1:])
        self.report()
        self.assertFalse((self.folder / "students/anna").exists())
        self.assertEqual(len(list((self.folder / "students").iterdir())), 1)

    def contents(self) -> dict[str, tuple[bytes, int]]:
        return {
            str(path): (path.read_bytes(), path.stat().st_mtime_ns * ("students" in path.parts))
            for path in self.folder.rglob("*")
            if path.is_file()
        }

    def test_students_see_no_more_than_the_assignment_says(self) -> None:
        self.write()
        self.report()
        document = json.loads((self.folder / "class.json").read_text("utf-8"))
        for shown, seen in (("verdicts", ["data race"]), ("points", [])):
            document["assignment"]["feedback"] = shown
            (self.folder / "class.json").write_text(json.dumps(document), "utf-8")
            self.report()
            folder = self.folder / "students/anna"
            self.assertEqual(sorted(os.listdir(folder)), ["feedback.md", "index.html"])
            for name in os.listdir(folder):
                text = (folder / name).read_text("utf-8")
                told = [word for word in ("data race", "As[ty]", "Two threads") if word in text]
                self.assertEqual(told, seen, name)
                self.assertIn("0 of 40 points", text)
            self.assertEqual("race" in (self.folder / "moodle.csv").read_text(), bool(seen))

    def test_a_model_answer_is_shown_from_its_time_on(self) -> None:
        self.write()
        document = json.loads((self.folder / "class.json").read_text("utf-8"))
        for show, date, seen in (
            ("never", "2026-01-01T00:00:00Z", False),
            ("after_due", "2999-01-01T00:00:00Z", False),
            ("after_due", None, False),
            ("after_due", "2026-01-01T00:00:00+02:00", True),
            ("always", None, True),
        ):
            document["assignment"] |= {"show_reference": show, "reference_from": date}
            (self.folder / "class.json").write_text(json.dumps(document), "utf-8")
            self.assertEqual(self.report().returncode, 0)
            text = (self.folder / "students/anna/index.html").read_text("utf-8")
            self.assertEqual("Model answers" in text, seen, (show, date))
        self.assertIn("LAUNCH_CONFIG(matmul_tiled", text)
        self.assertNotIn("//@", text)

    def test_a_damaged_result_is_told_and_the_others_are_written(self) -> None:
        students = self.write()
        path = self.folder / "jobs" / students[0]["pseudonym"] / "result.json"
        path.write_text("{")
        done = self.report()
        self.assertEqual(done.returncode, 3)
        self.assertIn(f"{path}:1: not JSON", done.stderr)
        self.assertEqual(done.stderr.count(str(path)), 1)
        self.assertTrue((self.folder / "gradebook.csv").is_file())
        self.assertIn("students: new pages: 1", done.stdout)

    def test_a_result_of_other_points_is_told(self) -> None:
        students = self.write()
        students[1]["points"] -= 1
        write_class(self.folder, students)
        done = self.report()
        self.assertEqual(done.returncode, 3)
        self.assertIn("run `make class` again", done.stderr)

    def test_no_class_is_one_clear_message(self) -> None:
        done = self.report()
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("class.json: No such file or directory; `make class` writes it", done.stderr)


DOLOS = """#!/bin/sh
while [ $# -gt 1 ]; do [ "$1" = --output-destination ] && out=$2; shift; done
mkdir $out && cp stub.cu $out && cat >$out/pairs.csv <<END
id,leftFilePath,rightFilePath,similarity,totalOverlap,longestFragment
0,kernels/$A.cu,kernels/$B.cu,0.75,10,9
END
"""


class Similarity(InFolder):
    def setUp(self) -> None:
        super().setUp()
        kernel = counted() | {"name": "tiled", "file": "tiled.cu"}
        students = [self.graded(name, kernel) for name in ("a", "b")]
        stub = make_result.exercise("tiled", "not_started", 0, 40000, "")
        self.ids = [one["pseudonym"] for one in students]
        write_class(self.folder, [*students, self.graded("c", stub)])
        self.programs = self.folder.parent / "bin"
        self.programs.mkdir()

    def test_dolos_gets_pseudonyms_and_the_stub_and_its_pairs_are_shown(self) -> None:
        dolos = self.programs / "dolos"
        dolos.write_text(DOLOS)
        dolos.chmod(0o700)
        path = f"{self.programs}:{os.environ['PATH']}"
        done = self.report("similar", PATH=path, A=self.ids[0], B=self.ids[1])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        out = self.folder / "similar/tiled"
        kernels = sorted(path.stem for path in (out / "kernels").iterdir())
        self.assertEqual(kernels, sorted(self.ids))
        self.assertIn("75 %: <a", (self.folder / "class.html").read_text("utf-8"))
        self.report()
        self.assertIn("75 %: <a", (self.folder / "class.html").read_text("utf-8"))
        document = json.loads((self.folder / "class.json").read_text("utf-8"))
        del document["students"][0]
        (self.folder / "class.json").write_text(json.dumps(document), "utf-8")
        self.report()
        self.assertNotIn("75 %", (self.folder / "class.html").read_text("utf-8"))
        self.assertFalse(out.exists())

    def test_without_dolos_the_remedy_is_told_and_the_page_is_written(self) -> None:
        done = self.report("similar", PATH=str(self.programs))
        self.assertEqual(done.returncode, 3)
        self.assertIn("npm install -g @dodona/dolos", done.stderr)
        self.assertTrue((self.folder / "class.html").is_file())
        self.assertEqual(list((self.folder / "similar").iterdir()), [])

    def test_the_stub_lacks_what_students_write(self) -> None:
        reference = "a\n  //@cut 1 do it\n  b\n  //@stub c = 0;\n  //@end\nd\n"
        self.assertEqual(similar.stub_text(reference), "a\nc = 0;\nd\n")


if __name__ == "__main__":
    unittest.main()
