"""What every kernel is linked with, and what only some are."""

from __future__ import annotations

import os
import subprocess
import unittest
from pathlib import Path

BUILD = Path(__file__).resolve().parents[2] / os.environ.get("BUILD", "build")


class Link(unittest.TestCase):
    def test_only_a_kernel_with_fences_pays_for_them(self) -> None:
        words = ["nm", "--defined-only", BUILD / "emu-worker.o"]
        names = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
        self.assertIn("emu_syncwarp", names)
        self.assertNotIn("emu_fence", names)
        self.assertNotIn("emu_mbarrier_init", names)


if __name__ == "__main__":
    unittest.main()
