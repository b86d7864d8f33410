"""Links of Markdown pages: which are followed, and which lead nowhere."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "grader/tools"))

from links import anchors  # noqa: E402

ANCHORS = (
    ("# Two barriers\n", "two-barriers", True),
    ("# Two barriers\n", "two_barriers", False),
    ("### What `__syncthreads()` does, twice\n", "what-__syncthreads-does-twice", True),
    ("# See [this](that.md) too\n", "see-this-too", True),
    ("# A\n# A\n", "a-1", True),
    ("# A\n# B\n", "a-1", False),
    ("# A 1\n", "a-1", True),
    ("```\n# A\n```\n", "a", False),
    ("#A\n", "a", False),
    ("text # A\n", "a", False),
    ('<a id="here"></a>\n', "here", True),
    ('<a id="here"></a>\n', "her", False),
    ("# Größe\n", "größe", True),
)

PAGE = """# Page
[a](other.md) [b](other.md#other) [c](#page) [d](https://x.org/no) `[e](no)`
```
[f](no)
```
[g](no.md)
[h](other.md "title") and ![i](no.svg)
[j](#pages)
"""

TOLD = """FAIL    page.md:6: no file 'no.md'
FAIL    page.md:7: no file 'no.svg'
FAIL    page.md:8: no heading 'pages' in page.md
"""


def links(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "grader/tools/links.py", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


class Links(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def test_anchor_is_found_or_not(self) -> None:
        for markdown, anchor, there in ANCHORS:
            with self.subTest(markdown=markdown, anchor=anchor):
                self.assertEqual(anchor in anchors(markdown), there)

    def test_only_links_that_lead_nowhere_are_told(self) -> None:
        (self.folder / "other.md").write_text("# Other\n", "utf-8")
        (self.folder / "page.md").write_text(PAGE, "utf-8")
        result = links(self.folder)
        self.assertEqual(result.stdout, f"ok      links of other.md\n{TOLD}1 passed, 3 failed\n")
        self.assertEqual(result.returncode, 1)

    def test_one_exercise_is_its_lesson(self) -> None:
        for name in ("01_sum", "02_checksum"):
            (self.folder / "lessons" / name).mkdir(parents=True)
            (self.folder / "lessons" / name / "lesson.md").write_text("[a](no.md)\n", "utf-8")
        sum_told = "FAIL    lessons/01_sum/lesson.md:1: no file 'no.md'\n"
        for names, told in (
            ("sum", f"{sum_told}0 passed, 1 failed\n"),
            ("student/sum.cu", f"{sum_told}0 passed, 1 failed\n"),
            ("2,sum", f"{sum_told.replace('01_', '02_check')}{sum_told}0 passed, 2 failed\n"),
        ):
            self.assertEqual(links(self.folder, names).stdout, told)

    def test_pages_of_this_course_lead_somewhere(self) -> None:
        result = links(ROOT)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("links of lessons/verdicts.md", result.stdout)


if __name__ == "__main__":
    unittest.main()
