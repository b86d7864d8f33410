"""The packages and templates of Autolab, PrairieLearn and Classroom 50, run as they run them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/report"), str(ROOT / "tests/places")]

from place_schemas import PRAIRIELEARN  # noqa: E402
from scratch import SMALL, TEMPLATES, Scratch, make_small, pack  # noqa: E402


class Autolab(Scratch):
    def hand_in(self, source: Path | None) -> subprocess.CompletedProcess:
        done = pack("autolab", self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        with tarfile.open(self.folder / "autograde.tar") as archive:
            archive.extractall(self.folder)
        make_small(self.folder / "course")
        (self.folder / "autograde.tar").unlink()
        with tarfile.open(self.folder / "autograde.tar", "w"):
            pass  # unpacked above, so that the build can be taken from here
        shutil.make_archive(
            str(self.folder / "handin"), "zip", self.submit(self.folder / "s", source)
        )
        return subprocess.run(
            # As Autolab runs it: under another make, this one would print the folder that it
            # leaves.
            ["env", "-u", "MAKEFLAGS", "-u", "MAKELEVEL", "make", "-f", "autograde-Makefile"],
            cwd=self.folder,
            env=os.environ | {"DEVICE": "emu"},
            capture_output=True,
            text=True,
            check=False,
        )

    def test_the_last_line_is_the_scores(self) -> None:
        done = self.hand_in(SMALL / "reference")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        feedback, scores = map(json.loads, done.stdout.splitlines()[-2:])
        self.assertTrue(feedback["Test"]["sum"]["passed"])
        self.assertEqual(list(scores["scores"]), ["sum"])
        self.assertGreater(scores["scores"]["sum"], 0)
        self.assertEqual(scores["scoreboard"], [scores["scores"]["sum"]])

    def test_a_package_that_cannot_be_read_is_told_and_gets_no_score(self) -> None:
        done = self.hand_in(None)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no kernel file", done.stderr)
        self.assertIn("could not be read", done.stderr)
        self.assertNotIn("scores", done.stdout)


class Others(Scratch):
    def course(self) -> Path:
        course = self.folder / "course"
        shutil.copytree(ROOT / "grader", course / "grader")
        for part in ("lessons", "reference"):
            (course / part).mkdir()
        make_small(course)
        return course

    def run_script(self, *command: str, **variables: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            list(command),
            cwd=self.folder,
            env=os.environ | {"DEVICE": "emu"} | variables,
            capture_output=True,
            text=True,
            check=False,
        )

    def test_prairielearn_reads_student_and_writes_results(self) -> None:
        self.submit(self.folder / "student", SMALL / "reference")
        done = self.run_script(
            str(TEMPLATES / "prairielearn/run.sh"),
            GRADE=str(self.folder),
            COURSE=str(self.course()),
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        result = self.read_back(self.folder / "results/results.json", PRAIRIELEARN)
        self.assertTrue(result["gradable"])
        self.assertEqual(result["score"], 1)

    def test_classroom50_adds_what_the_workflow_knows(self) -> None:
        self.submit(self.folder / "student", SMALL / "reference")
        done = self.run_script(
            sys.executable,
            str(TEMPLATES / "classroom50/autograder.py"),
            COURSE=str(self.course()),
            CLASSROOM="c",
            ASSIGNMENT="a",
            OWNER="o",
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        result = json.loads((self.folder / "result.json").read_text(encoding="utf-8"))
        self.assertEqual(
            (result["schema"], result["classroom"], result["owner"]),
            ("classroom50/result/v1", "c", "o"),
        )
        self.assertEqual(result["score"], sum(test["score"] for test in result["tests"]))
        self.assertGreater(result["score"], 0)

    def test_a_folder_that_is_a_link_gets_no_grade(self) -> None:
        course = self.course()
        (self.folder / "deep").mkdir()
        (self.folder / "deep/reference").symlink_to(course / "reference")
        (self.folder / "up").symlink_to(course)
        for target in ("course/reference", "course", "deep", "up/reference", "deep/reference"):
            student = self.folder / "student"
            student.unlink(missing_ok=True)
            student.symlink_to(target)
            autograder = str(TEMPLATES / "classroom50/autograder.py")
            done = self.run_script(sys.executable, autograder, COURSE=str(course))
            self.assertEqual(done.returncode, 3, target + done.stdout + done.stderr)
            self.assertIn("a link, which is not followed", done.stderr)
            self.assertFalse((self.folder / "result.json").exists())

    def test_no_share_is_bought_by_kernels_that_need_a_gpu(self) -> None:
        course = self.course()
        shutil.copytree(course / "lessons/01_sum", course / "lessons/02_more")
        folder = self.submit(self.folder / "student", SMALL / "reference")
        kernel = (folder / "sum.cu").read_text(encoding="utf-8").replace("_sum", "_more")
        (course / "reference/more.cu").write_text(kernel, encoding="utf-8")
        kernel = kernel.replace("float acc = 0.0f;", 'float acc = 0.0f; asm("");')
        (folder / "more.cu").write_text(kernel, encoding="utf-8")
        done = self.run_script(
            str(TEMPLATES / "prairielearn/run.sh"), GRADE=str(self.folder), COURSE=str(course)
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        result = self.read_back(self.folder / "results/results.json", PRAIRIELEARN)
        self.assertEqual((result["gradable"], result["score"]), (False, None))
        done = self.run_script(
            sys.executable, str(TEMPLATES / "classroom50/autograder.py"), COURSE=str(course)
        )
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("more: right is open", done.stderr)
        self.assertFalse((self.folder / "result.json").exists())

    def test_unknown_place_is_bad_usage(self) -> None:
        done = pack("moodle", self.folder)
        usage = "pack: usage: pack.py gradescope|autolab OUT [ASSIGNMENT]\n"
        self.assertEqual((done.returncode, done.stderr), (2, usage))


if __name__ == "__main__":
    unittest.main()
