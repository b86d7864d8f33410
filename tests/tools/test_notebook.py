"""The notebook is valid, its commands exist, and its cells write the stubs as they are."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from goals import goals

ROOT = Path(__file__).resolve().parents[2]


class NotebookTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.course = Path(folder.name)
        for part in ("lessons", "student"):
            shutil.copytree(ROOT / "tests/cli/course" / part, self.course / part)
        self.assertEqual(self.run_tool(self.course), 0)
        self.notebook = json.loads((self.course / "lessons/notebook.ipynb").read_text())
        self.code = ["".join(cell["source"]) for cell in self.cells("code")]

    def run_tool(self, folder: Path, **settings: dict[str, str]) -> int:
        tool = ROOT / "grader/tools/notebook.py"
        command = ["/usr/bin/python3", tool, folder]
        return subprocess.run(command, capture_output=True, check=False, **settings).returncode

    def cells(self, kind: str) -> list[dict]:
        return [cell for cell in self.notebook["cells"] if cell["cell_type"] == kind]

    def test_cells_have_what_the_format_requires(self) -> None:
        self.assertEqual((self.notebook["nbformat"], self.notebook["nbformat_minor"]), (4, 5))
        ids = [cell["id"] for cell in self.notebook["cells"]]
        self.assertEqual(len(set(ids)), len(ids))
        for cell in self.cells("code"):
            self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None))

    def test_a_cell_writes_the_stub(self) -> None:
        stub = (self.course / "student/sum.cu").read_text()
        self.assertIn(f"%%writefile student/sum.cu\n{stub}", self.code)

    def test_code_compiles_and_commands_exist(self) -> None:
        used = set()
        for text in self.code:
            if text.startswith("%%"):
                continue
            for line in re.findall(r"^!make -s (.*)", text, re.M):
                used.update(word for word in line.split() if "=" not in word)
            used.update(re.findall(r'"make", "-s", "([a-z-]+)"', text))
            compile(re.sub(r"^!.*", "", text, flags=re.M), "cell", "exec")
        self.assertLessEqual({"setup", "all", "test", "hint", "show", "submit"}, used)
        self.assertLessEqual(used, goals())

    def test_git_need_not_be_installed(self) -> None:
        self.assertEqual(self.run_tool(self.course, env={"PATH": str(self.course)}), 0)

    def test_a_folder_without_lessons_is_refused(self) -> None:
        self.assertEqual(self.run_tool(self.course / "student"), 2)


if __name__ == "__main__":
    unittest.main()
