"""The packages and templates for places that grade, run as those places run them.

What setup.sh installs and builds is taken from this build: a bare machine is the last step of
grader/templates/README.md.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

try:
    import jsonschema
except ImportError:
    jsonschema = None

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "grader/templates"
BUILD = ROOT / os.environ.get("BUILD", "build")
SMALL = ROOT / "tests/cli/course"
ATTACKS = ROOT / "tests/attacks"
sys.path.insert(0, str(ROOT / "tests/report"))

from place_schemas import GRADESCOPE, PRAIRIELEARN  # noqa: E402


def pack(kind: str, out: Path) -> subprocess.CompletedProcess:
    command = [sys.executable, str(ROOT / "grader/tools/pack.py"), kind, str(out)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def make_small(course: Path) -> None:
    """Gives an unpacked course its build, and one small exercise in the place of its own."""
    (course / "build").symlink_to(BUILD)
    for part in ("lessons", "reference"):
        shutil.rmtree(course / part)
        shutil.copytree(SMALL / part, course / part)


class Scratch(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def read_back(self, path: Path, schema: dict) -> dict:
        """A document of a place, valid by its schema where that can be checked."""
        document = json.loads(path.read_text(encoding="utf-8"))
        if jsonschema:
            jsonschema.validate(document, schema)
        return document

    def submit(self, folder: Path, source: Path | None) -> Path:
        """A submission with the kernel of source, or an empty one."""
        folder.mkdir(parents=True)
        if source:
            shutil.copyfile(source / "sum.cu", folder / "sum.cu")
        return folder


class Gradescope(Scratch):
    def unpacked(self) -> Path:
        """A folder as Gradescope makes it: source, submission, results."""
        done = pack("gradescope", self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        source = self.folder / "autograder/source"
        with zipfile.ZipFile(self.folder / "autograder.zip") as archive:
            archive.extractall(source)
            for entry in archive.infolist():
                (source / entry.filename).chmod(entry.external_attr >> 16)
        make_small(source / "course")
        return self.folder / "autograder"

    def run_autograder(self, root: Path, **more: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [str(root / "source/run_autograder")],
            env=os.environ | {"AUTOGRADER": str(root), "DEVICE": "emu"} | more,
            capture_output=True,
            text=True,
            check=False,
        )

    def test_scripts_stand_at_the_root_and_can_be_run(self) -> None:
        root = self.unpacked() / "source"
        for name in ("setup.sh", "run_autograder"):
            self.assertTrue(os.access(root / name, os.X_OK), name)

    def test_nothing_of_students_or_tests_is_packed(self) -> None:
        root = self.unpacked() / "source/course"
        self.assertEqual(
            sorted(path.name for path in root.iterdir()),
            ["LICENSE", "Makefile", "README.md", "build", "grader", "lessons", "reference"],
        )

    def test_equal_courses_give_equal_packages(self) -> None:
        pack("gradescope", self.folder / "a")
        pack("gradescope", self.folder / "b")
        self.assertEqual(
            (self.folder / "a/autograder.zip").read_bytes(),
            (self.folder / "b/autograder.zip").read_bytes(),
        )

    def test_right_wrong_and_empty_submissions_get_their_scores(self) -> None:
        root = self.unpacked()
        for source, passes in (
            (SMALL / "reference", True),
            (SMALL / "student", False),
            (None, False),
        ):
            shutil.rmtree(root / "submission", ignore_errors=True)
            self.submit(root / "submission", source)
            done = self.run_autograder(root)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            result = self.read_back(root / "results/results.json", GRADESCOPE)
            self.assertEqual(result["score"] > 0, passes)
            row = next(test for test in result["tests"] if test["name"] == "sum: right")
            self.assertEqual(row["status"], "passed" if passes else "failed")

    def test_a_folder_in_a_folder_is_found_if_there_is_but_one(self) -> None:
        root = self.unpacked()
        for folders, passes in ((["my work"], True), (["a", "b"], False)):
            shutil.rmtree(root / "submission", ignore_errors=True)
            for folder in folders:
                self.submit(root / "submission" / folder, SMALL / "reference")
            self.assertEqual(self.run_autograder(root).returncode, 0)
            result = self.read_back(root / "results/results.json", GRADESCOPE)
            self.assertEqual(result["score"] > 0, passes)

    def test_a_hostile_submission_gets_a_valid_zero_and_nothing_else(self) -> None:
        root = self.unpacked()
        wish = json.dumps({"score": 10.0, "tests": []})
        for attack in ("prints_a_result", "writes_by_open", "calls_system"):
            shutil.rmtree(root / "submission", ignore_errors=True)
            folder = self.submit(root / "submission", ATTACKS / attack)
            text = (folder / "sum.cu").read_text(encoding="utf-8")
            mark = str(root / "results/results.json")
            (folder / "sum.cu").write_text(text.replace("@MARK@", mark), encoding="utf-8")
            for name in ("results.json", "result.json", "run_autograder"):
                (folder / name).write_text(wish, encoding="utf-8")
            (folder / "$(touch made).cu").symlink_to("/etc/passwd")
            done = self.run_autograder(root)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            result = self.read_back(root / "results/results.json", GRADESCOPE)
            self.assertEqual((result["score"], result["tests"][0]["max_score"]), (0, 10))
            self.assertEqual(os.listdir(root / "results"), ["results.json"])
        self.assertEqual(list(root.rglob("made")), [])

    @unittest.skipUnless(BUILD == ROOT / "build", "the catalogue lies beside the plain build")
    def test_a_chinese_class_gets_the_same_points_in_its_words(self) -> None:
        root = self.unpacked()
        self.submit(root / "submission", SMALL / "student")
        shown = []
        for language in ("en", "zh"):
            done = self.run_autograder(root, TILEGRADE_LANGUAGE=language)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            shown.append(self.read_back(root / "results/results.json", GRADESCOPE))
        english, chinese = ([test.pop("output") for test in one["tests"]] for one in shown)
        self.assertEqual(shown[0]["tests"], shown[1]["tests"])
        self.assertIn("TODO", english[0])
        self.assertRegex(chinese[0], "[\u4e00-\u9fff]")

    def test_a_link_to_the_reference_is_no_kernel(self) -> None:
        root = self.unpacked()
        folder = self.submit(root / "submission", None)
        (folder / "sum.cu").symlink_to(root / "source/course/reference/sum.cu")
        self.assertEqual(self.run_autograder(root).returncode, 0)
        result = self.read_back(root / "results/results.json", GRADESCOPE)
        self.assertEqual(result["score"], 0)
        self.assertIn("is a link", result["tests"][0]["output"])

    def test_trouble_of_ours_leaves_no_score(self) -> None:
        root = self.unpacked()
        self.submit(root / "submission", SMALL / "reference")
        done = self.run_autograder(root, TMPDIR="/nonexistent")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertFalse((root / "results/results.json").exists())

    def test_a_run_that_is_cut_short_has_a_valid_result_that_says_so(self) -> None:
        root = self.unpacked()
        self.submit(root / "submission", SMALL / "reference")
        script = root / "source/course/grader/templates/grade_as.sh"
        script.write_text(f"cp '{root}/results/results.json' '{root}/seen'\n", encoding="utf-8")
        self.run_autograder(root)
        seen = json.loads((root / "seen").read_text(encoding="utf-8"))
        self.assertEqual((seen["score"], seen["tests"]), (0, []))
        self.assertIn("This is no grade", seen["output"])


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
            # As Autolab runs it: a make above would have this one print the folder it leaves.
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
        self.assertEqual((result["gradable"], result["score"]), (False, 1))
        done = self.run_script(
            sys.executable, str(TEMPLATES / "classroom50/autograder.py"), COURSE=str(course)
        )
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("more: right is left out", done.stderr)
        self.assertFalse((self.folder / "result.json").exists())

    def test_unknown_place_is_bad_usage(self) -> None:
        done = pack("moodle", self.folder)
        self.assertEqual(
            (done.returncode, done.stderr), (2, "pack: usage: pack.py gradescope|autolab OUT\n")
        )


if __name__ == "__main__":
    unittest.main()
