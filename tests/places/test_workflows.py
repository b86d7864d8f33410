"""The CI templates: what they keep, how long they may take, and their own lines, run.

Steps that need the network or root (packages, caches, checkouts) are omitted.  To try a bare
machine is the last step of grader/templates/README.md.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from scratch import BUILD, ROOT, SMALL, TEMPLATES  # noqa: E402

STUDENT = TEMPLATES / "github-student/workflows/kernels.yml"
INSTRUCTOR = TEMPLATES / "github/grade.yml"
CLASS = TEMPLATES / "github/class.yml"
OWN = ROOT / ".github/workflows/check.yml"
NIGHTLY = ROOT / ".github/workflows/nightly.yml"
GITLAB = TEMPLATES / "gitlab/student.yml"


def steps_of(workflow: Path) -> dict[str, str]:
    """The shell lines of a workflow's steps, by their names."""
    found = {}
    step = re.compile(
        r"^ +- name: (?P<name>.*)\n(?: +(?:if|working-directory): .*\n)*"
        r"(?P<pad> +)run: (?:(?P<line>[^|\n].*)|\|\n(?P<block>(?:(?P=pad)  .*\n|\n)+))",
        re.MULTILINE,
    )
    for match in step.finditer(workflow.read_text(encoding="utf-8")):
        found[match["name"]] = match["line"] or match["block"]
    return found


def gitlab_script(part: str) -> str:
    """The shell lines of a list in the GitLab job."""
    text = GITLAB.read_text(encoding="utf-8")
    items = re.search(rf"^  {part}:\n((?:    .*\n)+)", text, re.MULTILINE)
    assert items
    lines = re.sub(r"\n     +", " ", items[1])
    return "".join(f"{line[6:].strip(chr(34))}\n" for line in lines.splitlines())


class Kept(unittest.TestCase):
    def test_every_job_has_an_end(self) -> None:
        for path in (STUDENT, INSTRUCTOR, CLASS, OWN, NIGHTLY):
            text = path.read_text(encoding="utf-8")
            jobs = len(re.findall(r"^    runs-on:", text, re.MULTILINE))
            self.assertEqual(len(re.findall(r"^    timeout-minutes: \d+$", text, re.M)), jobs, path)
        self.assertRegex(GITLAB.read_text(encoding="utf-8"), r"(?m)^  timeout: \d+ minutes$")

    def test_packages_are_kept_for_the_next_run(self) -> None:
        for path in (STUDENT, INSTRUCTOR, CLASS, OWN):
            text = path.read_text(encoding="utf-8")
            # The key is made from a file that exists only after the checkout.
            self.assertLess(text.index("uses: actions/checkout"), text.index("uses: actions/cache"))
            # apt's other files there are root's own, and cannot be read by the runner.
            self.assertRegex(text, r"path: \S+/\*\.deb\n")
        self.assertIn("    when: always\n", GITLAB.read_text(encoding="utf-8").split("cache:")[1])

    def test_the_page_and_the_result_are_kept(self) -> None:
        for path in (STUDENT, INSTRUCTOR):
            text = path.read_text(encoding="utf-8")
            upload = text[text.index("actions/upload-artifact") :]
            self.assertIn("if: always()", upload)
            self.assertIn("build/result", upload)
        self.assertIn("    paths: [build/result]\n", GITLAB.read_text(encoding="utf-8"))


@unittest.skipUnless(BUILD == ROOT / "build", "the lines use the build of the course itself")
class Run(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name) / "course"
        self.folder.mkdir()
        for name in ("Makefile", "grader", "tests"):
            (self.folder / name).symlink_to(ROOT / name)
        (self.folder / "build").mkdir()
        for path in BUILD.iterdir():
            if path.name != "result":
                (self.folder / "build" / path.name).symlink_to(path)
        for part in ("lessons", "reference"):
            shutil.copytree(SMALL / part, self.folder / part)
        self.summary = self.folder / "summary.md"

    def sh(self, script: str) -> subprocess.CompletedProcess:
        """Runs the lines as a step on GitHub or a job on GitLab does."""
        variables = {"GITHUB_STEP_SUMMARY": str(self.summary), "DEVICE": "emu"}
        return subprocess.run(
            ["env", "-u", "MAKEFLAGS", "-u", "MAKELEVEL", "bash", "-e", "-c", script],
            cwd=self.folder,
            env=os.environ | variables,
            capture_output=True,
            text=True,
            check=False,
        )

    def hand_in(self, place: str, source: Path) -> None:
        shutil.rmtree(self.folder / place, ignore_errors=True)
        (self.folder / place).mkdir(parents=True)
        shutil.copyfile(source / "sum.cu", self.folder / place / "sum.cu")

    def read_back(self, *names: str) -> dict:
        """The result, after a check of every report next to it."""
        folder = self.folder / "build/result"
        for name in names:
            text = (folder / name).read_text(encoding="utf-8")
            if name.endswith(".xml"):
                ElementTree.fromstring(text)
            self.assertIn("points" if name != "report.xml" else "testsuite", text)
        return json.loads((folder / "result.json").read_text(encoding="utf-8"))

    def test_a_students_push_is_tried_and_told(self) -> None:
        steps = steps_of(STUDENT)
        for source, verdict in ((SMALL / "reference", "pass"), (SMALL / "student", "not_started")):
            self.hand_in("student", source)
            self.summary.write_text("", encoding="utf-8")
            tried = self.sh(steps["Try the kernels"])
            self.assertEqual(tried.returncode == 0, verdict == "pass", tried.stdout + tried.stderr)
            told = self.sh(steps["Say what was found"])
            self.assertEqual(told.returncode, 0, told.stdout + told.stderr)
            result = self.read_back("report.html", "report.md", "annotations.txt")
            self.assertEqual(result["exercises"][0]["verdict"], verdict)
            self.assertIn("::notice title=Points::", told.stdout)
            self.assertIn("points", self.summary.read_text(encoding="utf-8"))

    def test_without_a_result_nothing_is_told_and_nothing_fails(self) -> None:
        self.assertEqual(self.sh(steps_of(STUDENT)["Say what was found"]).returncode, 0)
        self.assertEqual(self.sh(gitlab_script("after_script")).returncode, 0)
        self.assertFalse(self.summary.exists())

    def test_an_instructor_grades_and_a_wrong_kernel_is_no_failed_job(self) -> None:
        grade = steps_of(INSTRUCTOR)["Grade"]
        for source, passes in ((SMALL / "reference", True), (SMALL / "student", False)):
            self.hand_in("../submission/student", source)
            done = self.sh(grade)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            result = self.read_back("report.html", "report.md", "report.xml")
            self.assertEqual(result["points"] > 0, passes)

    def test_an_instructors_job_fails_where_there_is_no_grade(self) -> None:
        grade = steps_of(INSTRUCTOR)["Grade"]
        repository = self.folder / "../submission"
        (repository / "work").mkdir(parents=True)

        def nothing() -> None:
            pass

        def link() -> None:
            (repository / "student").symlink_to("../course/reference")

        def chain() -> None:
            (repository / "student").unlink()
            (repository / "work/here").symlink_to("../../course/reference")
            (repository / "student").symlink_to("work/here")

        for prepare in (nothing, link, chain):  # none is handed in; it is a link to the solutions
            prepare()
            done = self.sh(grade)
            self.assertNotEqual(done.returncode, 0)
            self.assertFalse((self.folder / "build/result/result.json").exists())

    def test_gitlab_tries_a_push_and_reads_its_cases(self) -> None:
        self.hand_in("student", SMALL / "student")
        self.assertNotEqual(self.sh(gitlab_script("script")).returncode, 0)
        done = self.sh(gitlab_script("after_script"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        result = self.read_back("report.html", "report.md", "report.xml")
        self.assertEqual(result["exercises"][0]["verdict"], "not_started")


if __name__ == "__main__":
    unittest.main()
