"""Reports of kernels that are not matmuls: sizes of one to four numbers, bytes instead of FLOP."""

from __future__ import annotations

import json
import math
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "grader/report"), str(ROOT / "tests/report")]

import make_exercises  # noqa: E402
import make_result  # noqa: E402
import report  # noqa: E402
from block_trace import index_of  # noqa: E402
from drawing import formula, index_map  # noqa: E402
from drawing.boards import boards_of  # noqa: E402
from language import LANGUAGES  # noqa: E402
from parse import result_parse  # noqa: E402
from practice import predict  # noqa: E402
from practice.kernel import Kernel  # noqa: E402
from words import size_text  # noqa: E402

NAMES = "NHWD"
# Nothing of a product may be said of another kernel.
OF_PRODUCTS = re.compile(r"\b(A, B|of C|C is|[ABC]\[|TFLOPS|multiply-adds?|matri(x|ces))\b")


def other(size: list[int], flop: int = 0, timed: bool = False) -> dict:
    """A copy of one array, whose extents are the sizes, by blocks of 32 threads."""
    bytes_ = 8 * math.prod(size)
    exercise = make_result.exercise("copied", "pass", 30000, 30000, "All cases pass.")
    names = list(NAMES[: len(size)])
    shape = names[:3]
    array = {"kind": "array", "type": "float", "shape": shape}
    needs = {"needed_flop": float(flop), "needed_bytes": float(bytes_)}
    counts = needs | {
        "size": size,
        "global_load_sectors": bytes_ // 32,
        "global_store_sectors": bytes_ // 64,
        "blocks": 4,
        "threads": 128,
        "sector_bytes_per_flop": 1.5 * bytes_ / flop if flop else 0.0,
        "lines": [],
    }
    speed = make_exercises.measured([size])["speed"][0] if timed else exercise["speed"][0]
    speed |= needs | {"size": size}
    if timed:
        speed |= {"gflops": flop / 1.05e6, "reference_gflops": flop / 1e6}
    else:
        speed |= {"basis": "counted", "counts": counts, "reference_counts": counts}
    extent = size[:3]
    accesses = [
        [0, kind, number, 7 + number, 4, 0, 128, [[32, 1, 4]]]
        for number, kind in enumerate(("load", "store"))
    ]
    return exercise | {
        "kernel": {
            "product": False,
            "sizes": names,
            "arguments": [
                {"name": "x", "role": "in"} | array,
                {"name": "y", "role": "out"} | array,
                *({"name": name, "kind": "size", "type": "int32"} for name in names),
            ],
        },
        "cases": [{"size": size, "inputs": "exact", "device": "emu", "verdict": "pass"}],
        "counts": counts,
        "speed": [speed],
        "maps": {
            "tile": [0, 0, 0],
            "list": [
                {
                    "size": size,
                    "launches": 2,
                    "launch": 1,
                    "grid": [4, 1, 1],
                    "block": [1, 0, 0],
                    "threads": [32, 1, 1],
                    "phases": 1,
                    "whole": True,
                    "arrays": [
                        {"name": name, "space": "global", "element_bytes": 4, "extent": extent}
                        for name in ("x", "y")
                    ],
                    "accesses": accesses,
                }
            ],
        },
    }


def text_of(exercise: dict) -> str:
    return json.dumps(make_result.result([exercise]) | {"schema": "tilegrade/result/v2"})


def parsed(exercise: dict):
    return result_parse(text_of(exercise), "r.json").exercises[0]


class OtherKernels(unittest.TestCase):
    SIZES = ([1000], [40, 64], [3, 8, 64], [2, 8, 64, 5])

    def test_every_format_takes_sizes_of_every_rank(self) -> None:
        for size in self.SIZES:
            for flop, timed in ((0, False), (0, True), (1000, False), (1000, True)):
                data = text_of(other(size, flop, timed))
                for name in report.formats():
                    for language in LANGUAGES:
                        module = report.module_of(name)
                        said = report.rendered(module, data, "r.json", language)
                        with self.subTest(size=size, format=name, flop=flop, timed=timed):
                            if name == "html":
                                said = re.sub(r"<style>.*?</style>", "", said, flags=re.S)
                                self.assertIn(size_text(tuple(size)), said)
                                self.assertEqual("GB/s" in said, timed)
                            self.assertNotRegex(said, OF_PRODUCTS)

    def test_speed_is_bytes_over_time(self) -> None:
        (speed,) = parsed(other([1000, 1000], 0, timed=True)).speed
        self.assertEqual(speed.unit, "GB/s")
        self.assertAlmostEqual(speed.reference_rate, 8.0)
        self.assertEqual(speed.rates, "7.62 GB/s, reference 8 GB/s")
        (both,) = parsed(other([1000, 1000], 10**6, timed=True)).speed
        self.assertEqual(both.reference_reached, "8 GB/s, 1 GFLOPS")

    def test_speed_is_flop_over_time_where_the_operation_needs_many(self) -> None:
        data = other([1000, 1000], 10**6, timed=True)
        data["kernel"]["by_flop"] = True
        (speed,) = parsed(data).speed
        self.assertEqual(speed.rates, "0.952 GFLOPS, reference 1 GFLOPS")
        self.assertEqual(speed.reference_reached, "1 GFLOPS, 8 GB/s")

    def test_the_page_says_why_there_is_no_roofline(self) -> None:
        for flop, why in ((0, "this operation needs no floating-point"), (1000, "was not timed")):
            said = report.rendered(report.module_of("html"), text_of(other([64], flop)), "r", "en")
            self.assertRegex(said, f"There is no roofline, because [^<]*{why}")

    def test_boards_have_the_arrays_own_shapes(self) -> None:
        for size, columns, rows, absent in (
            ([1000], 64, 16, "M40 15h24v1h-24z"),
            ([40, 64], 64, 40, ""),
            ([3, 8, 64], 64, 24, ""),
        ):
            boards, _height = boards_of(parsed(other(size)).maps.list[0])
            for board in boards:
                self.assertEqual((board.columns, board.rows, board.absent), (columns, rows, absent))

    def test_formulas_have_an_index_for_each_dimension(self) -> None:
        for size, expected in (
            ([1000], "x[32 + tx]"),
            ([40, 64], "x[0][32 + tx]"),
            ([3, 8, 64], "x[0][0][32 + tx]"),
        ):
            data = parsed(other(size)).maps.list[0]
            self.assertEqual(formula.rows_of(data)[0].element, expected)

    def test_many_boxes_of_one_place_are_one_row(self) -> None:
        exercise = other([1000])
        boxes = [[0, "atomic", 1, 9, 4, t, 4 * (37 * t % 1000), []] for t in range(32)]
        exercise["maps"]["list"][0]["accesses"] = boxes
        rows = formula.rows_of(parsed(exercise).maps.list[0])
        (row,) = rows
        self.assertEqual(row.element, "y, in an order that has no short formula")
        few = exercise | {}
        few["maps"]["list"][0]["accesses"] = boxes[:3]
        self.assertEqual(len(formula.rows_of(parsed(few).maps.list[0])), 3)

    def test_a_thread_has_its_elements_by_name(self) -> None:
        exercise = other([1000])
        exercise["maps"]["list"][0]["accesses"] = [[0, "load", 0, 7, 4, 0, 0, [[3, 0, 400]]]]
        (drawn,) = index_map.index_maps(parsed(exercise).maps, formula.rows_of)
        self.assertIn("Thread tx 0 loads x[0], x[100], x[200].", drawn.phases[0].mine[1].text)


class Practice(unittest.TestCase):
    def test_elements_of_any_rank(self) -> None:
        self.assertEqual(index_of(1000 - 1, (1000,)), (999,))
        self.assertEqual(index_of(64 * 8 + 64 + 5, (3, 8, 64)), (1, 1, 5))

    def test_bytes_are_predicted_of_a_kernel_that_is_no_product(self) -> None:
        exercise = other([40, 64])
        kernel = Kernel(Path(), parsed(exercise), exercise["counts"], {})
        said = "\n".join(predict.told(kernel, 1.5))
        self.assertIn("Counted at 40x64, where the operation needs 20,480 bytes", said)
        self.assertIn("1.500  r", said)
        self.assertIn("You predicted 1.5. That is right.", said)
        self.assertIn("at most 1 / r = 67 % of the bandwidth", said)
        self.assertNotRegex(said, OF_PRODUCTS)


if __name__ == "__main__":
    unittest.main()
