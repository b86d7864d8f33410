"""What the lessons say is so: counters, mistakes, drawings, questions, figures in the text."""

from __future__ import annotations

import hashlib
import json
import math
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "grader/report"), str(ROOT / "grader/tools"), str(HERE.parent)]

# pylint: disable=wrong-import-position
from drawings import groups, machine
from drawn import is_drawn, wrong_kernels
from parse import PRODUCT
from practice import predict
from practice.kernel import Kernel, graded
from practice.questions import OTHER, marked, questions_read
from practice.standalone import program

DRAW = ROOT / "grader/tools/drawings/draw.py"
QUESTIONS_MIN = 5
ITEM = re.compile(r"\s*(?:(\d+)\.|[-*+]) ")
FORMULAS_PART = 32  # one in so many is drawn, by its reference and again by its questions
VERDICT = re.compile(r"verdicts\.md#(\w+)")


def lessons() -> list[Path]:
    return sorted(ROOT.glob("lessons/[0-9]*_*/lesson.md"))


def lesson(name: str) -> str:
    """A lesson, or a page of the folder of all lessons."""
    page = ROOT / f"lessons/{name}.md"
    if not page.is_file():
        (page,) = (page for page in lessons() if page.parent.name.split("_", 1)[1] == name)
    return page.read_text("utf-8")


def rows_below(text: str, head: str) -> list[list[str]]:
    """The cells of the first table after a line."""
    after = text.split(head, 1)[1] if head in text else ""
    table = re.search(r"(?:^\|.*\n)+", after, re.M)
    lines = table[0].splitlines()[2:] if table else []
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def flat(text: str) -> str:
    return " ".join(text.split())


class Drawings(unittest.TestCase):
    def test_each_is_what_its_mark_says(self) -> None:
        done = subprocess.run(
            [sys.executable, DRAW, ROOT, "--check"], capture_output=True, text=True
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertGreater(len(list(ROOT.glob("lessons/*/*.svg"))), 8)

    def test_each_svg_has_a_mark_and_each_image_a_text(self) -> None:
        for page in lessons():
            for svg in page.parent.glob("*.svg"):
                is_chinese = svg.name.endswith(".zh.svg")
                text = (page.with_suffix(".zh.md") if is_chinese else page).read_text("utf-8")
                with self.subTest(svg=svg.name):
                    self.assertRegex(text, rf"<!-- drawing: .*-->\n!\[[^\]]{{10,}}\]\({svg.name}\)")

    def test_the_chip_is_the_card_of_the_table(self) -> None:
        card = re.search(r"<!-- drawing: machine (.*) -->", lesson("machine"))[1]
        values = dict(word.split("=") for word in card.split())
        source = (ROOT / "grader/measure/devices.c").read_text("utf-8")
        name, sms, clock, l2, memory = (
            values[key] for key in ("name", "sms", "clock_mhz", "l2_mib", "memory_gb_s")
        )
        self.assertIn(f'{{"{name}", &hopper, {sms}, {clock}, 5120, {l2} * KIB, {memory},', source)
        hopper = flat(re.search(r"hopper = \{(.*?)\}", source, re.S)[1])
        self.assertIn(f"{values['shared_kib']} * KIB", hopper)
        self.assertIn(f"{values['fma_per_clock']}, SHARED_CLOCK", hopper)

    def test_threads_are_where_the_lessons_put_them(self) -> None:
        text = flat(lesson("warp_tiled"))
        words = r"Thread (\d+) is lane (\d+) of warp (\d+)\..* = (\d+), column (\d+) of"
        said = re.search(words, text)
        thread, *numbers = map(int, said.groups())
        share = groups.share_of(thread, 128, (32, 64), (4, 8))
        self.assertEqual([share.lane, share.warp, share.rows[0], share.columns[0]], numbers)
        self.assertIn("16 rows further down, 32 columns further right", text)
        self.assertEqual(share.rows[1] - share.rows[0], 16)
        self.assertEqual(share.columns[1] - share.columns[0], 32)
        owners = [groups.share_of(thread, 128, (32, 64), (4, 8)) for thread in range(256)]
        firsts = {(row, column) for each in owners for row in each.rows for column in each.columns}
        self.assertEqual(len(firsts), 128 * 128 // 16)

    def test_buffers_change_hands_as_the_tables_say(self) -> None:
        text = lesson("warp_specialized")
        rows = re.findall(r"^   parity for (full|empty) +((?:\d +)*\d)$", text, re.M)
        turns = groups.turns(3, 9, 1.0, 1.6)
        for name, digits in rows:
            parities = [str(getattr(turn, name)) for turn in turns]
            self.assertEqual(parities, digits.split())
        self.assertEqual([name for name, _digits in rows], ["full", "empty"])
        for number, turn in enumerate(turns):
            self.assertLessEqual(turn.copy[1], turn.multiply[0])
            if number >= 3:
                self.assertGreaterEqual(turn.copy[0], turns[number - 3].multiply[1])
        svg = (ROOT / "lessons/120_block_clusters/pair.svg").read_text("utf-8")
        text = lesson("block_clusters")
        for words in ("49,152 bytes", "16 arrivals"):
            self.assertIn(words, svg)
            self.assertIn(words, text)

    def test_trees_look_backs_and_halos(self) -> None:
        steps = groups.tree_steps(8)
        self.assertEqual([len(values) for values in steps], [8, 4, 2, 1])
        self.assertEqual(steps[1:], [["ae", "bf", "cg", "dh"], ["aceg", "bdfh"], ["abcdefgh"]])
        self.assertEqual(groups.look_back(("ALL", "ALL", "ALL", "OWN", "OWN"), 5), ([4, 3], 2))
        self.assertEqual(groups.look_back(("ALL", "OWN"), 1), ([], 0))
        self.assertEqual(groups.look_back(("OWN",), 1), ([0], None))
        self.assertEqual(groups.halo_cells(4, 4, 2), 64)
        source = (ROOT / "reference/convolution.cu").read_text("utf-8")
        names = dict(re.findall(r"^#define (R|TX|TY|EACH) +(\d+)$", source, re.M))
        rows = int(names["TY"]) * int(names["EACH"])
        mark = f"halo tile=4 radius={names['R']} rows={rows} columns={names['TX']} "
        self.assertIn(mark, lesson("convolution"))

    def test_sectors_and_wavefronts_of_a_warp(self) -> None:
        floats = [4 * lane for lane in range(32)]
        self.assertEqual(machine.sectors(floats), 4)
        self.assertEqual(machine.sectors([2048 * lane for lane in range(32)]), 32)
        self.assertEqual(machine.sectors([16 + place for place in floats[:16]]), 3)
        strides = {1: 1, 2: 2, 3: 1, 4: 4, 32: 32, 33: 1, 0: 1}
        for stride, wanted in strides.items():
            with self.subTest(stride=stride):
                self.assertEqual(machine.wavefronts([stride * lane for lane in range(32)]), wanted)


def broken_lists(text: str) -> list[int]:
    """Lines of prose that begin like an item of a list, because a line happens to break there."""
    found = []
    before, in_list, in_code, number = "", False, False, 0
    for place, line in enumerate(text.split("\n"), 1):
        in_code ^= line.lstrip().startswith("```")
        mark = None if in_code else ITEM.match(line)
        if not before.strip() and line.strip() and not line.startswith(" "):
            in_list = bool(mark)
        if mark and before.strip():
            digits = int(mark[1]) if mark[1] else 0
            opened = in_list or before.rstrip().endswith((":", "：", "**"))
            if not opened or "+" in mark[0] or digits not in (0, 1, number + 1):
                found.append(place)
                mark = None
        if mark:
            number = int(mark[1]) if mark[1] else number
            in_list = True
        before = line
    return found


class Lists(unittest.TestCase):
    def test_no_line_of_prose_begins_like_an_item(self) -> None:
        pages = [*ROOT.glob("lessons/**/*.md"), *ROOT.glob("grader/**/*.md"), ROOT / "README.md"]
        for page in pages:
            self.assertEqual(broken_lists(page.read_text("utf-8")), [], page)

    def test_a_break_is_found(self) -> None:
        bad = ("a multiple of\n16. Row", "is\n* 4", "* a sum a\n  + b", "1. a\n   7. b", "a\n- b")
        good = ("a:\n* b\n* c", "1. a\n2. b\n   c", "**So.**\n- a", "a\n\n7. b", "a\n-b")
        for text in bad:
            self.assertEqual(broken_lists(text), [2], text)
        for text in good:
            self.assertEqual(broken_lists(text), [], text)


class Questions(unittest.TestCase):
    def test_each_lesson_asks_and_answers(self) -> None:
        for page in lessons():
            asked = page.parent / "questions.md"
            if not asked.is_file():
                continue
            found = questions_read(asked.read_text("utf-8"))
            self.assertGreaterEqual(len(found), QUESTIONS_MIN, asked)
            for question in found:
                with self.subTest(lesson=page.parent.name, question=question.title):
                    self.assertTrue(question.text and question.text.endswith((".", "?", ")")))
                    self.assertTrue(all(len(answer.reason) > 3 for answer in question.answers))
                    self.assertGreaterEqual(len(question.answers), 2)
                    for place, answer in enumerate(question.answers):
                        if answer.text == OTHER:
                            continue
                        typed = answer.text if question.is_typed else "abcdefgh"[place]
                        given = marked(ROOT, asked, found.index(question) + 1, typed)
                        self.assertEqual(given.answer, answer, "two answers are the same")

    def test_questions_without_one_right_answer_are_refused(self) -> None:
        for answers in ("- [ ] 4: no\n", "- [x] 4: yes\n- [x] 5: yes\n", "- [y] 4: no\n", ""):
            with self.assertRaises(ValueError):
                questions_read(f"## Sectors\n\nHow many?\n\n{answers}")


class Formulas(unittest.TestCase):
    """As counted for the reference: a part of the lessons, drawn by the commit."""

    def test_the_answer_in_the_page_is_that_of_the_reference(self) -> None:
        for page in lessons():
            asked = page.parent / "questions.md"
            name = page.parent.name.split("_", 1)[1]
            files = (f"reference/{name}.cu", str(asked.relative_to(ROOT)))
            text = asked.read_text("utf-8") if asked.is_file() else ""
            if "= `" not in text or not any(
                is_drawn("lessons", file, FORMULAS_PART) for file in files
            ):
                continue
            with tempfile.TemporaryDirectory() as folder, self.subTest(lesson=name):
                words = ["--submission=reference", f"--exercise={name}", f"--out={folder}"]
                command = [ROOT / "build/tilegrade", "grade", "--quiet", *words]
                subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
                digest = hashlib.sha256((ROOT / files[0]).read_bytes()).hexdigest()
                found = graded(Path(folder, "result.json"), name, digest)
                self.assertTrue(found)
                for number, question in enumerate(questions_read(text), 1):
                    if question.right.formula:
                        typed, own = question.right.text, (name, found.path)
                        given = marked(ROOT, asked, number, typed, own)
                        self.assertTrue(given.answer.right, question.title)
                        if "[" in typed:  # its text is right for any kernel
                            self.assertEqual(given.value, typed, question.title)


class Mistakes(unittest.TestCase):
    @staticmethod
    def listed() -> dict[str, list[list[str]]]:
        found: dict[str, list[list[str]]] = {}
        for line in (HERE / "mistakes.txt").read_text("utf-8").splitlines():
            if line.startswith("["):
                name = line.strip("[]")
                found[name] = []
            elif line and not line.startswith("#"):
                found[name].append(line.split())
        return found

    def test_each_row_has_a_kernel_with_its_verdict(self) -> None:
        for name, kernels in self.listed().items():
            rows = rows_below(lesson(name), "## Common mistakes")
            self.assertEqual(len(rows), len(kernels), name)
            for (mistake, words), files in zip(rows, kernels):
                verdicts = VERDICT.findall(words)
                for file in files:
                    if file == "-":
                        continue
                    with self.subTest(lesson=name, mistake=mistake, kernel=file):
                        kernel = file if "/" in file else f"tests/wrong/{name}/{file}.cu"
                        path = wrong_kernels().get(kernel, ROOT / kernel)
                        first = path.read_text("utf-8").split("\n", 1)[0]
                        if "/" in file:
                            self.assertEqual(verdicts, ["slow"])
                        else:
                            wanted = re.match(r"// expect: (\w+)", first)[1]
                            self.assertIn(wanted, verdicts)

    def test_a_lesson_with_mistakes_is_listed(self) -> None:
        names = [path.parent.name.split("_", 1)[1] for path in lessons()]
        with_rows = {name for name in names if "## Common mistakes" in lesson(name)}
        self.assertEqual(with_rows, set(self.listed()))


def tflops(n: int, ms: float) -> float:
    return 2 * n**3 / ms / 1e9


def occupancy(threads: int, registers: int, sm: tuple[int, int]) -> tuple[int, float]:
    """Blocks, and warps in percent, on an SM that holds so many threads and blocks."""
    warps = threads // 32
    piece = math.ceil(registers * 32 / 256) * 256
    by_registers = 65536 // piece // 4 * 4 // warps
    blocks = min(sm[0] // threads, sm[1], by_registers)
    return blocks, 100 * blocks * warps / (sm[0] / 32)


def constant(file: str, pattern: str) -> int:
    """A number of a source: a pattern with one group."""
    (found,) = set(re.findall(pattern, (ROOT / file).read_text("utf-8")))
    return int(found)


def ladder(name: str, kernel: str, size: str) -> float:
    """TFLOPS in the table of a lesson that a run on a card has written."""
    page = lesson(name).split("<!-- ladder:", 1)[1]
    head = re.search(r"^\| TFLOPS \|(.*)\|$", page, re.M)[1]
    at = [cell.strip() for cell in head.split("|")].index(size)
    (row,) = (row for row in rows_below(page, "every product") if row[0] == kernel)
    return float(row[1 + at])


def of_cublas(kernel: str, size: str) -> float:
    page = "warp_tiled"
    return ladder(page, kernel, size) / ladder(page, "cuBLAS, fp32", size)


def step(kernel: str) -> float:
    """TFLOPS at 4096 in the table of all steps."""
    speed = (ROOT / "lessons/speed.md").read_text("utf-8")
    (row,) = (row for row in rows_below(speed, "<!-- ladder: steps=") if row[0] == kernel)
    return float(row[1])


def microseconds(kernel: str, size: str) -> float:
    sizes = [int(part) for part in size.split("x")]
    flop = 2 * math.prod(sizes if len(sizes) == 3 else sizes * 3)
    return flop / ladder("challenge", kernel, size) / 1e6


TOGETHER = constant("reference/tensor_challenge.cu", r"#define RUNNING +(\d+)")
WORKSPACE = constant("grader/include/kernel.cuh", r"WORKSPACE_BYTES_MAX \((\d+)u << 20\)") << 20

# A lesson, what it says, and how that is computed: the number in the text, and its value.
FIGURES: list[tuple[str, str, float, float]] = [
    ("machine", "= 66.9 TFLOPS", 66.9, 132 * 128 * 1.98 * 2 / 1000),
    ("machine", "= 535 TB", 535, 132 * 128 * 16 * 1.98e9 / 1e12),
    ("machine", "= 33,450 GB", 33450, 132 * 128 * 1.98),
    ("machine", "= 343 ns", 343, 680 / 1.98),
    ("machine", "= 1,393 KB", 1393, 343e-9 * 4.06e12 / 1e3),
    ("machine", "= 82 loads", 82, 1393e3 / 132 / 128),
    ("machine", "four loads each, 21 warps", 21, 82 / 4 + 0.5),
    ("machine", "63.7 / 4.06 = 16", 16, 63.7 / 4.06),
    ("machine", "43 times more", 43, 683 / 16),
    ("naive", "= 3.3 %", 3.3, 100 * 50 / 1500),
    ("naive", "4.06 / 4 = 1.02", 1.02, 4.06 / 4),
    ("naive", "| 3 | 5.58 | 5.40 | 97 % |", 5.58, 66.9 / 12),
    ("naive", "| 2 | 8.36 | 6.14 | 73 % |", 8.36, 66.9 / 8),
    ("naive", "| 17 | 0.98 | 0.97 | 98 % |", 0.98, 66.9 / 68),
    ("naive", "| 8.36 | 6.14 | 73 % |", 6.14, tflops(4096, 22.40)),
    ("naive", "| 0.98 | 0.97 | 98 % |", 0.97, tflops(4096, 141.90)),
    ("naive", "1,572,864", 1572864, 3 * 256**3 / 32),
    ("naive", "2,097,152", 2097152, 2 * 256**3 / 16),
    ("naive", "At 256 the loop makes 2,097,152", 2097152, 2 * 2 * 256**3 / 32),
    ("naive", "32,006,016 / 1,016,064 = 31.5", 31.5, 2 * 252**3 / (2 * 252 * 126 * 16)),
    ("naive", "(4 * 17) = 0.98", 0.98, 66.9 / 68),
    ("naive", "5.6 times slower", 5.6, 5.40 / 0.97),
    ("tiled", "| 2.75 | 6.08 | 5.13 | 84 % |", 5.13, tflops(4096, 26.78)),
    ("tiled", "| 2.75 | 6.08 | 5.13 | 84 % |", 6.08, 66.9 / (4 * 2.75)),
    ("tiled", "| 2.75 | 6.08 | 5.13 | 84 % |", 84, 100 * 5.13 / 6.08),
    ("tiled", "| 2.75 | 6.08", 2.75, (1769472 + 2654208 + 442368) / (384**3 / 32)),
    ("tiled", "| 1.625 | 10.3 | 8.88 | 86 % |", 8.88, tflops(4096, 15.47)),
    ("tiled", "| 1.625 | 10.3 | 8.88 | 86 % |", 10.3, 66.9 / (4 * 1.625)),
    ("tiled", "| 1.625 | 10.3 | 8.88 | 86 % |", 86, 100 * 8.88 / 10.3),
    ("tiled", "| 1.625 | 10.3", 1.625, (110592 + 2654208 + 110592) / (384**3 / 32)),
    ("tiled", "66.9 / (4 * 1.875) = 8.9", 8.9, 66.9 / (4 * 1.875)),
    ("tiled", "that is 91 % of the limit", 91, 100 * 8.11 / 8.92),
    ("tiled", "2,654,208", 2654208, 1.5 * 384**3 / 32),
    ("coarsened", "66.9 / (4 * 0.984) = 17.0", 17.0, 66.9 / (4 * 0.984375)),
    ("coarsened", "| **1.484** | **0.984** |", 0.984, 0.5 + 0.25 + 15 / 64),
    ("coarsened", "p would be 1.359", 1.359, 0.5 / 4 + 1 + 15 / 64),
    ("coarsened", "393,216", 393216, 0.75 * 256**3 / 32),
    ("register_tiled", "66.9 / (4 * 0.453) = 36.9", 36.9, 66.9 / (4 * 0.453)),
    ("register_tiled", "reaches 85 % of this limit", 85, 100 * 31.3 / 36.9),
    ("register_tiled", "**0.0625 bytes for each FLOP**", 0.0625, 8192 / 131072),
    ("vectorized", "| **0.242** |", 0.242, (4 + 8) / 64 + 0.0156 + 0.0391),
    ("register_tiled", "| **0.453** |", 0.453, 8 / 64 + 4 / 16 + 0.03125 + 0.046875),
    ("tiled", "| **2.375** | **1.875** |", 1.875, 0.5 + 1 + 2 / 16 + 4 / 16),
    ("vectorized", "**0.031 bytes for each FLOP**", 0.031, 8192 / 262144),
    ("two_buffers", "8,320 are 16 blocks", 8320, 16 * 8 * (64 + 1)),
    ("two_buffers", "16,640 bytes", 16640, 2 * 8 * (128 + 4 + 128) * 4),
    ("split_k", "| slices of a block, at most | 188 | 12 |", 12, math.ceil(188 / 16)),
    ("split_k", "work through 188 slices", 188, math.ceil(3000 / 16)),
    ("split_k", "| 0 | 160,000 |", 160000, 16 * 100 * 100),
    ("split_k", "The factor is 15.6", 15.6, 415168 / 26624),
    ("split_k", "16 * 16,777,216 floats", 16777216, 4096**2),
    ("double_buffered", "25,088 bytes", 25088, 4 * 8 * (64 + 4 + 128) * 4),
    ("split_k", "8 times as many as the largest workspace", 8, 16 * 4096**2 * 4 / WORKSPACE),
    ("vectorized", "37.1 / 51.1 = 0.73", 0.73, of_cublas("vectorized", "4096")),
    ("warp_tiled", "44.9 / 51.1 = 0.88", 0.88, of_cublas("warp_tiled", "4096")),
    ("warp_tiled", "44.0 / 50.3 = 0.87", 0.87, of_cublas("warp_tiled", "2048")),
    ("warp_tiled", "40.9 / 48.2 = 0.85", 0.85, of_cublas("warp_tiled", "4095")),
    ("double_buffered", "44.9 / 51.1 = 0.88", 0.88, of_cublas("warp_tiled", "4096")),
    ("fastest", "51 of 56 microseconds", 56, microseconds("challenge", "64x4096x4096")),
    ("challenge", "cuBLAS took 12.5 micro", 12.5, microseconds("cuBLAS, fp32", "256")),
    ("challenge", "the reference 7.1", 7.1, microseconds("challenge", "256")),
    ("softmax", "132 * 128 * 1.98 / 530 = 63", 63, 132 * 128 * 1.98 / 530),
    ("convolution", "0.720 / 16 = 0.045 ms", 0.045, 0.720 * 4096**2 / 16384**2),
    ("transpose", "2 / 9 = 0.22", 0.22, 2 / (1 + 32 / 4)),
    ("transpose", "4.38 ms, 0.12 of", 0.12, 0.509 / 4.38),
    ("transpose", "2.15 ms: 0.24", 0.24, 0.509 / 2.15),
    ("tensor_challenge", "288 tiles of 128 x 256", 288, 3072 / 128 * 3072 / 256),
    ("tensor_challenge", "the last is for 32 tiles", 32, 288 % TOGETHER),
    ("tensor_challenge", "128 blocks run together", TOGETHER, 128),
    ("coarsened", "that is 92 % of the limit", 92, 100 * step("coarsened") / 17.0),
    ("tensor_pipeline", "40.6 TFLOPS at 4096", 40.6, ladder("tensor_core", "tensor_core", "4096")),
]


class Figures(unittest.TestCase):
    def test_numbers_follow_from_their_formulas(self) -> None:
        for name, words, number, value in FIGURES:
            with self.subTest(lesson=name, words=words):
                self.assertIn(words, flat(lesson(name)))
                digits = len(f"{number:g}".partition(".")[2])
                self.assertLess(abs(number - value), max(0.51 * 10**-digits, 0.006 * value))

    def test_intensity_of_products(self) -> None:
        for n, *cells in rows_below(lesson("machine"), "FLOP, and it has to read A and B"):
            size = int(n)
            flop, moved = 2 * size**3, 4 * 3 * size**2
            numbers = [float(cell.replace(",", "")) for cell in cells]
            self.assertEqual(numbers[:2], [flop, moved])
            self.assertAlmostEqual(numbers[2], flop / moved, delta=0.5)

    def test_occupancy_by_hand(self) -> None:
        rows = rows_below(lesson("machine"), "The smallest number counts")
        self.assertEqual(len(rows), 6)
        for block, registers, *cells in rows:
            threads = math.prod(map(int, block.split(" x ")))
            for sm, (blocks, percent, _limit) in (
                ((2048, 32), cells[:3]),
                ((1536, 16), cells[3:]),
            ):
                found = occupancy(threads, int(registers), sm)
                self.assertEqual((int(blocks), round(found[1])), (found[0], int(percent[:-2])))

    def test_the_wait_is_that_of_the_measured_card(self) -> None:
        rows = {row[0]: row[1:] for row in rows_below(lesson("machine"), "<!-- card -->")}
        _size, speed, clocks, ns = rows["global memory"]
        self.assertEqual(speed, "4.06 TB")
        self.assertAlmostEqual(float(clocks), 680, delta=5)
        self.assertAlmostEqual(float(ns), 343, delta=3)

    def test_levels_of_memory_are_as_the_card_has_them(self) -> None:
        rows = {row[0]: row[2].split()[0] for row in rows_below(lesson("machine"), "<!-- card -->")}
        levels = [rows[f"{name}"] for name in ("shared memory", "L2 cache", "global memory")]
        for upper, lower in zip(levels, levels[1:]):
            (said,) = re.findall(rf"{upper} / {lower} = (\d+\.\d)", flat(lesson("machine")))
            self.assertAlmostEqual(float(said), float(upper) / float(lower), delta=0.05)
        rows = {row[0]: row[3] for row in rows_below(lesson("machine"), "<!-- card -->")}
        clocks = [rows[name] for name in ("shared memory", "L2 cache", "global memory")]
        self.assertIn(f"clocks={','.join(clocks)} -->", lesson("machine"))
        peak = float(re.search(r"535 / (\S+) = 16", flat(lesson("machine")))[1])
        self.assertAlmostEqual(peak, 132 * 128 * 1.98 / 1000, delta=0.01)
        svg = (ROOT / "lessons/000_machine/machine.svg").read_text("utf-8")
        for figure in ("66.9 TFLOPS", "4.8 TB/s"):  # of the data sheet, as the text says
            self.assertIn(figure, svg)
            self.assertIn(figure, flat(lesson("machine")))

    def test_shares_of_the_copy_follow_from_their_times(self) -> None:
        counted = 0
        for page in lessons():
            for table in re.split(r"(?=^\| kernel \| ms \| .*share of the copy \|$)",
                                  page.read_text("utf-8"), flags=re.M)[1:]:  # fmt: skip
                rows = rows_below("\n" + table, "\n")
                copy = float(rows[0][1])
                for row in rows:
                    part = 16 if row[0].endswith(", 4096 x 4096") else 1  # of the elements
                    with self.subTest(lesson=page.parent.name, kernel=row[0]):
                        share = copy / part / float(row[1])
                        self.assertLessEqual(abs(share - float(row[-1])), 0.0051)
                        counted += 1
        self.assertGreaterEqual(counted, 19)

    def test_rows_and_parts_of_the_tensor_challenge(self) -> None:
        source = (ROOT / "reference/tensor_challenge.cu").read_text("utf-8")
        self.assertIn("before = kind * (K % 8) % 8;", source)
        words = ("none", "one", "two", "three", "four", "five", "six", "seven")
        first, second = (words[kind * (2047 % 8) % 8] for kind in (1, 2))
        said = f"row 1 begins {first} elements before the row, and the map of row 2 {second}"
        self.assertIn(said, flat(lesson("fastest")))
        self.assertIn("return N % 8 != 0 ? (size_t)K * padded(N) : 0;", source)
        fits, not_any_more = (2 * n * math.ceil(n / 8) * 8 for n in (8191, 8193))
        self.assertTrue(fits <= WORKSPACE < not_any_more)
        said = "At 8191 they just do, as A needs none. At 8193 they do not: 2 * 8193 *"
        self.assertIn(said, flat(lesson("tensor_challenge")))
        least = re.search(r"ceil_div\(K, BK\) / (\d+)\);", source)[1]
        self.assertIn(f"as there are SMs for, of at least {least} slices", source)
        self.assertIn(f"each of at least {least} slices", flat(lesson("tensor_challenge")))

    def test_dated_figures_are_those_of_the_tables(self) -> None:
        """The kernels of the estimate's table, and of the ladder, are what the lessons quote."""
        speed = (ROOT / "lessons/speed.md").read_text("utf-8")
        for row in ("| tiled_8 * | 26.78 |", "| naive_32 | 22.40 |", "| tiled_32 | 15.47 |"):
            self.assertIn(row, speed)
        steps = {row[0]: row[1] for row in rows_below(speed, "<!-- ladder: steps=4096 -->")}
        mark = re.search(r"wavefront_roofline peak=(\S+) kernels=(\S+)", lesson("naive"))
        self.assertEqual(mark[1], f"{132 * 128 * 2 * 1.98 / 1000:.1f}")
        drawn = {name: value for name, _p, value in (k.split(":") for k in mark[2].split(","))}
        for name in ("naive", "tiled", "register-tiled", "vectorized"):
            self.assertEqual(drawn[name], steps[name.replace("-", "_")])


class Pages(unittest.TestCase):
    """What README and glossary say of all lessons."""

    def test_files_of_the_lessons_on_products(self) -> None:
        text = flat((ROOT / "lessons/README.md").read_text("utf-8"))
        said = re.search(r"In lessons (\d+) to (\d+) it has the name of the exercise alone", text)
        first, last = said.groups()
        self.assertIn(f"In lessons {first} to {last} A and B are matrices of `half`", text)
        for page in lessons():
            number, name = page.parent.name.split("_", 1)
            if name == "machine" or not 10 <= int(number) <= 10 * int(last):
                continue
            with self.subTest(lesson=name):
                kernel = (ROOT / f"reference/{name}.cu").read_text("utf-8")
                is_half = int(number) >= 10 * int(first)
                self.assertEqual('#include "kernel.cuh"' in kernel, is_half)
                self.assertEqual("__half *A" in kernel, is_half)
                self.assertEqual(f"LAUNCH_CONFIG(matmul_{name}," in kernel, not is_half)

    def test_a_word_is_looked_up_in_the_glossary(self) -> None:
        """No link to README's section on words, which has none; both glossaries have the same."""
        for page in ROOT.glob("lessons/**/*.md"):
            self.assertNotIn("README.md#words", page.read_text("utf-8").replace(".zh", ""), page)
        english, chinese = (
            re.findall(r'^\| <a id="([\w-]+)"></a>(.*?) \| (.*?) \| ', text, re.M)
            for text in (
                (ROOT / f"lessons/{name}").read_text("utf-8")
                for name in ("glossary.md", "glossary.zh.md")
            )
        )
        self.assertEqual(english, chinese)
        ids = {row[0] for row in english}
        self.assertEqual(len(ids), len(english))
        for term in ("slice", "tile", "fragment", "chunk", "ticket", "descriptor", "phase", "tf32",
                     "stride", "stall"):  # fmt: skip
            self.assertIn(term, ids)

    def test_what_needs_a_gpu_is_in_that_part_of_the_table(self) -> None:
        verdicts = (ROOT / "lessons/verdicts.md").read_text("utf-8")
        cuda = (ROOT / "lessons/cuda.md").read_text("utf-8")
        both, gpu = cuda.split("inline PTX: `asm`", 1)
        needs = re.search(r"^## needs_gpu\n(.*?)\n## ", verdicts, re.M | re.S)[1]
        self.assertIn("textures", gpu)
        self.assertIn("such as inline PTX or textures.", flat(needs))
        self.assertIn("clusters:", both)


class Grades(unittest.TestCase):
    """What a grade by counts gives to the kernel of an earlier lesson."""

    # The exercise, the kernel, and what the lesson says: points, all points, open ones, blocks.
    SAID = (
        ("warp_tiled", "vectorized", r"(\d+) of (\d+) points and leaves the other (\d+) \*open"),
        (
            "challenge",
            "double_buffered",
            r"kernel of lesson 6 has (?P<blocks>\d+) blocks at 512, so its (\d+) points for right"
            r" results are sure, and its (?P<open>\d+) points for speed stay open",
        ),
    )

    def test_open_points_are_as_the_lessons_say(self) -> None:
        with tempfile.TemporaryDirectory(dir=ROOT / "build") as folder:
            for name, other, _words in self.SAID:
                kernel = (ROOT / f"reference/{other}.cu").read_text("utf-8")
                kernel = kernel.replace(f"matmul_{other}", f"matmul_{name}")
                Path(folder, f"{name}.cu").write_text(kernel, "utf-8")
            names = ",".join(name for name, *_rest in self.SAID)
            words = [f"--submission={folder}", f"--exercise={names}", f"--out={folder}/out"]
            command = [ROOT / "build/tilegrade", "grade", "--quiet", "--device=emu", *words]
            subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
            result = json.loads(Path(folder, "out/result.json").read_text("utf-8"))
        for (name, _other, words), exercise in zip(self.SAID, result["exercises"]):
            with self.subTest(exercise=name):
                said = re.search(words, flat(lesson(name)))
                self.assertIsNotNone(said, "the sentence has changed")
                sure, full, open_points = (
                    exercise[key] // 1000 for key in ("points", "points_max", "points_open")
                )
                self.assertEqual(sure + open_points, full)
                numbers = [sure, full, open_points]
                if "blocks" in said.groupdict():
                    numbers = [exercise["counts"]["blocks"], sure, open_points]
                self.assertEqual([int(number) for number in said.groups()], numbers)


class Predictions(unittest.TestCase):
    """p and its limit, from counters of a result."""

    TILED = Kernel(
        Path(),
        SimpleNamespace(signature=PRODUCT),
        {
            "size": [512, 512, 512],
            "global_load_wavefronts": 1048576,
            "shared_load_wavefronts": 8388608,
            "shared_load_joined": 6291456,
            "shared_store_wavefronts": 524288,
        },
        {"card": "H200", "card_peaks": {"gflops": 66908.16}},
    )

    def test_p_and_the_limit(self) -> None:
        bound = predict.bound_of(self.TILED)
        self.assertEqual(bound.p, 1.875)
        self.assertAlmostEqual(bound.share, 1 / 7.5)
        self.assertIn("8.9 of 66.9 TFLOPS", "\n".join(predict.told(self.TILED, None)))

    def test_tensor_cores_have_no_such_limit(self) -> None:
        few = {"size": [512, 512, 512], "global_load_wavefronts": 1048576}
        for counts, words in ((few, "p is at most"), (few | {"tensor_flops": 1}, "may limit")):
            told = "\n".join(predict.told(replace(self.TILED, counts=counts), None))
            self.assertEqual([w for w in ("p is at most", "may limit") if w in told], [words])
        self.assertNotIn("TFLOPS", told)

    def test_a_prediction_is_compared(self) -> None:
        for number, words in (
            (1.88, "That is right."),
            (1.9, "Which"),
            (2.375, "as it is written"),
            (3, "Which"),
        ):
            told = "\n".join(predict.told(self.TILED, number))
            self.assertIn(words, told)

    def test_it_brings_points_as_it_is_compared(self) -> None:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        page, result = folder / "questions.md", folder / "result.json"
        page.write_text("## A\n\nHow many?\n\n- [x] 3 = `p`: Yes.\n- [ ] *: No.\n", "utf-8")
        exercise = {"name": "tiled", "kernel": {"product": True}, "counts": self.TILED.counts}
        result.write_text(json.dumps({"exercises": [exercise]}), "utf-8")
        for typed, is_right in (("1.875", True), ("1.88", True), ("1.9", False), ("2.375", False)):
            given = marked(ROOT, page, 1, typed, ("tiled", result))
            self.assertEqual((given.answer.right, given.value), (is_right, "1.875"), typed)
            told = "\n".join(predict.told(self.TILED, float(typed)))
            self.assertEqual("That is right." in told, is_right, typed)

    def test_numbers_as_people_type_them(self) -> None:
        self.assertEqual(predict.number_of("19/8"), 2.375)
        self.assertEqual(predict.number_of(" 2,375"), 2.375)
        for text in ("two", "", "1/0"):
            self.assertIsNone(predict.number_of(text))


class Programs(unittest.TestCase):
    """Whole programs: the one of the machine's lesson, and those of `make pack standalone`."""

    LAUNCHED = (
        '#include "matmul.cuh"\n'
        "__global__ void part(const float *A, const float *B, float *C, int M, int N, int K) {}\n"
        "LAUNCH_CONFIG(matmul_mine, M, N, K) { LAUNCH(part, ceil_div(M, 16), 256); }\n"
    )

    def test_they_compile(self) -> None:
        """One compilation: the programs are made into one file, each in a namespace of its own."""
        if not shutil.which("nvcc"):
            self.skipTest("needs nvcc")
        own = re.search(r"```cuda\n(.*?)```", lesson("machine"), re.S)[1]
        naive = (ROOT / "reference/naive.cu").read_text("utf-8")
        texts = [own, program(naive, "naive.cu")]
        for name in ("histogram", "convolution"):
            (folder,) = ROOT.glob(f"lessons/*_{name}")
            kernel = (ROOT / f"reference/{name}.cu").read_text("utf-8")
            texts.append(program(kernel, name, (folder / "exercise.ini").read_text("utf-8")))
        lines = [line for text in texts for line in text.split("\n")]
        heads = sorted({line for line in lines if line.startswith("#include")})
        parts = [
            f"namespace part_{number} {{\n"
            + re.sub(r"^#include.*$", "", text, flags=re.M)
            + "\n}\n"
            for number, text in enumerate(texts)
        ]
        macros = sorted(set(re.findall(r"^#define (\w+)", "\n".join(parts), re.M)))
        undone = "\n".join(f"#undef {name}" for name in macros)
        parts = [f"{part}{undone}\n" for part in parts]
        text = "\n".join([*heads, *parts, "int main(void) { return 0; }"])
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "all.cu"
            source.write_text(text, "utf-8")
            words = ["nvcc", "-arch=sm_90", "-Wno-deprecated-gpu-targets", "-O0", "-c"]
            done = subprocess.run(
                [*words, "-o", Path(folder) / "all.o", source], capture_output=True, text=True
            )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn("warning", done.stderr)

    def test_a_program_names_what_it_launches(self) -> None:
        self.assertIn('{"part", (const void *)part}', program(self.LAUNCHED, "mine.cu"))

    def test_a_program_contains_the_ptx_that_it_calls(self) -> None:
        text = program((ROOT / "tests/gpu/bulk.cu").read_text("utf-8"), "bulk.cu")
        self.assertNotRegex(text, r'(?m)^#include "ptx')
        self.assertIn("cp.async.bulk.global.shared::cta.bulk_group", text)
        self.assertIn("void prefetch_tensormap(", text)

    def test_files_that_have_no_program(self) -> None:
        macro = "#define ONE(name) \\\n    LAUNCH(name, 1, 1)\n" + self.LAUNCHED
        maps = (ROOT / "tests/right/tiled/tensor_copies.cu").read_text("utf-8")
        for text in ("int main(void) { return 0; }", macro, maps):
            with self.assertRaises(ValueError):
                program(text, "mine.cu")


class Site(unittest.TestCase):
    def test_pages_link_to_pages_and_fold_answers(self) -> None:
        python = "/usr/bin/python3"
        if subprocess.call([python, "-c", "import markdown, jinja2"]):
            self.skipTest("needs python3-markdown and python3-jinja2")
        with tempfile.TemporaryDirectory() as folder:
            site = [python, ROOT / "grader/tools/site.py", ROOT, folder]
            subprocess.run(site, check=True, capture_output=True)
            pages = {path: path.read_text("utf-8") for path in Path(folder).rglob("*.html")}
            self.assertGreater(len(pages), 20)
            self.assertFalse([path for path in pages if "bugs" in path.parts])
            for path, text in pages.items():
                for link, anchor in re.findall(r'(?:href|src)="([^"#:]*)#?([^"]*)"', text):
                    with self.subTest(page=path.name, link=link, anchor=anchor):
                        target = (path.parent / link).resolve() if link else path
                        self.assertTrue(target.is_file())
                        if anchor:
                            self.assertIn(f'id="{anchor}"', pages[target])
            questions = pages[next(path for path in pages if path.name == "questions.html")]
            self.assertNotRegex(questions.split("<details>", 1)[0], "<b>")
            self.assertNotIn("[x]", questions)


if __name__ == "__main__":
    unittest.main()
