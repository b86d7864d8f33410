"""The Gradescope package, run as Gradescope runs it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ATTACKS = ROOT / "tests/attacks"
sys.path[:0] = [str(ROOT / "tests/report"), str(ROOT / "tests/places"), str(ATTACKS)]

from attack import kernel_of  # noqa: E402
from place_schemas import GRADESCOPE  # noqa: E402
from scratch import BUILD, SMALL, Scratch, make_small, pack  # noqa: E402


class Gradescope(Scratch):
    @classmethod
    def setUpClass(cls) -> None:
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.packed = Path(holder.name)
        done = pack("gradescope", cls.packed)
        assert done.returncode == 0, done.stderr

    def unpacked(self) -> Path:
        """A folder as Gradescope makes it: source, submission, results."""
        source = self.folder / "autograder/source"
        with zipfile.ZipFile(self.packed / "autograder.zip") as archive:
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

    def test_a_package_of_an_assignment_names_it(self) -> None:
        done = pack("gradescope", self.folder, "homework1")
        self.assertEqual(done.returncode, 0, done.stderr)
        with zipfile.ZipFile(self.folder / "autograder.zip") as archive:
            names = [name for name in archive.namelist() if "assignments/" in name]
            names = [name for name in names if "/bugs/" not in name]  # what an assignment may ask
            self.assertEqual(
                names,
                [f"course/lessons/assignments/{name}" for name in ("homework1.ini", "default")],
            )
            self.assertEqual(archive.read(names[1]), b"homework1\n")

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
            folder = self.submit(root / "submission", None)
            text = kernel_of(ATTACKS / attack).decode("utf-8")
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


if __name__ == "__main__":
    unittest.main()
