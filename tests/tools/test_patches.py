"""Wrong kernels as patches of right ones: grader/tools/patches.py."""

from __future__ import annotations

import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "grader/tools"))

import patches  # noqa: E402  (found by the line above)

MORE = "".join(f"    c{i} = {i};\n" for i in range(9))
RIGHT = f"""// A kernel.
#include <a.h>
{{
    //@cut 1 add
    a += 1;
    //@end
    wait();
    b = a;
{MORE}}}
"""
WRONG = f"""// expect: race 4 5  (the barrier is missing)
#include <a.h>
{{
    a += 1;
    b = a;
{MORE}}}
"""
PATCH = """// expect: race 4 5  (the barrier is missing)
--- reference/x.cu
+++ build/wrong/x/no_barrier.cu
@@ -4,3 +4,2 @@
     a += 1;
-    wait();
     b = a;
"""


class Course(unittest.TestCase):
    def setUp(self) -> None:
        self.root = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.reference = self.root / "reference/x.cu"
        self.patch = self.root / "tests/wrong/x/no_barrier.patch"
        self.kernel = self.root / "build/wrong/x/no_barrier.cu"
        for path, text in ((self.reference, RIGHT), (self.patch, PATCH), (self.kernel, WRONG)):
            path.parent.mkdir(parents=True)
            path.write_text(text)

    def test_a_patch_is_unfolded_and_folded(self) -> None:
        self.kernel.unlink()
        stale = self.kernel.with_name("gone.cu")
        stale.write_text(WRONG)
        found = patches.wrong_kernels(self.root)
        self.assertEqual(found, {"tests/wrong/x/no_barrier.cu": self.kernel})
        self.assertEqual(self.kernel.read_text(), WRONG)
        self.assertFalse(stale.exists())
        self.patch.unlink()
        self.assertEqual(patches.fold(self.root, self.kernel), self.patch)
        self.assertEqual(self.patch.read_text(), PATCH)

    def test_a_kernel_that_is_like_no_right_one_stays_whole(self) -> None:
        other = WRONG.replace(" a", " other").replace(" b", " another")
        self.kernel.write_text(other)
        whole = patches.fold(self.root, self.kernel)
        self.assertEqual((whole.suffix, self.patch.exists()), (".cu", False))
        self.assertEqual(patches.wrong_texts(self.root), {"tests/wrong/x/no_barrier.cu": other})

    def test_lines_may_move_but_must_be_there_once(self) -> None:
        self.reference.write_text(RIGHT.replace("{", "{\n    c();\n    d();"))
        wanted = WRONG.replace("{", "{\n    c();\n    d();")
        self.assertEqual(patches.unfolded(self.root, self.patch), wanted)
        with self.assertRaises(ValueError):
            patches.patched("// expect\n" + patches.code_of(self.reference), PATCH)
        moved = "    a += 1;\n    wait();\n    b = a;\n"
        for text in (RIGHT.replace("wait", "wait_for"), RIGHT.replace("{\n", "{\n\n" + moved)):
            self.reference.write_text(text)
            with self.assertRaisesRegex(ValueError, "patch: does not fit reference/x.cu"):
                patches.wrong_kernels(self.root)

    def test_a_hunk_that_only_adds_is_where_it_says(self) -> None:
        patch = "--- a\n+++ b\n@@ -2,0 +3 @@\n+c\n@@ -3 +5 @@\n-d\n+e\n"
        self.assertEqual(patches.patched("a\nb\nd\n", patch), "a\nb\nc\ne\n")


if __name__ == "__main__":
    unittest.main()
