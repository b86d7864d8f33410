"""The tables of counters in the lessons are what the CPU device counts.

A table is for the first counted size of its exercise. All kernels of the tables work tile by tile,
and 128 is a multiple of each tile. So for n = 128, 256 and 512 a counter is a * n^3 + b * n^2:
products and tiles along K, and stores of C. Two small runs give a and b, and so the numbers at 512.
"""

from __future__ import annotations

import re
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests/emu"), str(ROOT / "tests/lessons")]

# pylint: disable=wrong-import-position
from test_lessons import lesson, lessons, rows_below
from toolchain import Toolchain, build, rig_make, run

SMALL, DOUBLE = 128, 256


# Heads of columns that are not references: other kernels that check-course proves.
OTHERS = {
    "x and y exchanged": "tests/right/naive/x_walks_down.cu",
    "TILE 8": "tests/right/tiled/tile_of_8.cu",
    "TILE 32": "tests/right/tiled/tile_of_32.cu",
}


def kernel_of(head: str) -> str:
    """The file of a column of a table; empty if it is a remark."""
    reference = f"reference/{head.replace('-', '_').replace(' ', '_')}.cu"
    return reference if (ROOT / reference).is_file() else OTHERS.get(head, "")


def counted_size(page: str) -> int:
    """The first counted size, which is a cube."""
    text = (ROOT / "lessons" / page / "exercise.ini").read_text("utf-8")
    return int(re.search(r"^\[counted\]\n(\d+) =", text, re.M)[1])


def tables() -> list[tuple[str, list[str], list[list[str]]]]:
    """The lesson, the kernels at the head of a table of counters, and its rows."""
    found = []
    for page in lessons():
        text = page.read_text("utf-8")
        for head in re.finditer(r"^\| counter \|(.*)\|$", text, re.M):
            known = [kernel_of(cell.strip()) for cell in head[1].split("|")]
            rows = rows_below(text[head.start() - 1 :], "\n")
            found.append((page.parent.name, [name for name in known if name], rows))
    return found


class Counts(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = Path(scratch.name)
        cls.rig = rig_make(Toolchain("g++"), cls.folder, ROOT / "build/libemu-worker.a")

    def counts_at(self, file: str, *sizes: str) -> list[dict[str, int]]:
        """What a kernel counts at these sizes."""
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        kernel = re.search(r"^LAUNCH_CONFIG\((\w+)", (ROOT / file).read_text("utf-8"), re.M)
        program, log = build(self.rig, ROOT / file, kernel[1], folder)
        self.assertIsNotNone(program, log)
        counts = []
        for size in sizes:
            done = run(self.rig, program, size, "count", "cpu_ms=100000")
            self.assertIn("end finished", done.stdout, done.stderr)
            words = re.findall(r"^count (\w+) (\d+)", done.stdout, re.M)
            counts.append({key: int(value) for key, value in words})
        return counts

    def counted(self, file: str) -> dict[str, tuple[float, float]]:
        """The parts of a kernel's counts at SMALL that grow as n^3 and as n^2."""
        both = self.counts_at(file, *(f"{size}x{size}x{size}" for size in (SMALL, DOUBLE)))
        # c(n) = a n^3 + b n^2: with n doubled, 8 a and 4 b.
        parts = {}
        for key, small in both[0].items():
            cubes = (both[1][key] - 4 * small) / 4
            parts[key] = (cubes, small - cubes)
        return parts

    def test_busiest_block_of_parts(self) -> None:
        rows = rows_below(lesson("split_k"), "Predict, then count")
        for name, cell in zip(("register_tiled", "split_k"), rows[-1][1:]):
            (numbers,) = self.counts_at(f"reference/{name}.cu", "100x100x3000")
            self.assertEqual(f"{numbers['block_passes_max']:,}", cell)

    def test_tables(self) -> None:
        wanted = tables()
        names = sorted({name for _page, known, _rows in wanted for name in known})
        cells = sum(len(known) * len(rows) for _page, known, rows in wanted)
        self.assertGreaterEqual((len(names), cells), (6, 40))
        with ThreadPoolExecutor(2) as pool:
            counts = dict(zip(names, pool.map(self.counted, names)))
        for page, known, rows in wanted:
            growth = counted_size(page) // SMALL
            for row in rows:
                for name, cell in zip(known, row[1:]):
                    with self.subTest(lesson=page, kernel=name, counter=row[0]):
                        cubes, squares = counts[name][row[0].strip("`")]
                        number = round(growth**3 * cubes + growth**2 * squares)
                        self.assertEqual(f"{number:,}", cell)


if __name__ == "__main__":
    unittest.main()
