"""Who loads what: formulas and cells from boxes of accesses."""

from __future__ import annotations

import itertools
import json
import random
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "grader/report"), str(ROOT / "tests/report")]

import make_result  # noqa: E402
import page as html_page  # noqa: E402
from block_trace import IndexMap, IndexMaps  # noqa: E402
from drawing import formula, index_map, steps  # noqa: E402
from drawing.boards import elements_of  # noqa: E402
from parse import ResultError, result_parse  # noqa: E402
from read_page import Page  # noqa: E402


def access(phase: int, kind: str, array: int, line: int, offset: int, *steps: list) -> dict:
    return {
        "phase": phase,
        "kind": kind,
        "array": array,
        "line": line,
        "bytes": 4,
        "thread": 0,
        "offset": offset,
        "steps": list(steps),
    }


def tiled(phases: int = 7) -> dict:
    """The tiled kernel with tiles of 16 at 32x32x48, block (1, 1)."""
    accesses = []
    for t in range((phases - 1) // 2):
        accesses += [
            access(2 * t, "load", 0, 26, 4 * (16 * 48 + 16 * t), [16, 1, 4], [16, 16, 192]),
            access(2 * t, "store", 3, 26, 0, [16, 1, 4], [16, 16, 64]),
            access(2 * t, "load", 1, 27, 4 * (16 * t * 32 + 16), [16, 1, 4], [16, 16, 128]),
            access(2 * t + 1, "load", 3, 34, 0, [16, 0, 4], [16, 1, 0], [16, 16, 64]),
        ]
    accesses.append(
        access(phases - 1, "store", 2, 42, 4 * (16 * 32 + 16), [16, 1, 4], [16, 16, 128])
    )
    return {
        "size": [32, 32, 48],
        "launches": 1,
        "grid": [2, 2, 1],
        "block": [1, 1, 0],
        "threads": [16, 16, 1],
        "phases": phases,
        "whole": True,
        "arrays": [
            {"name": "A", "space": "global", "element_bytes": 4, "extent": [32, 48]},
            {"name": "B", "space": "global", "element_bytes": 4, "extent": [48, 32]},
            {"name": "C", "space": "global", "element_bytes": 4, "extent": [32, 32]},
            {"name": "As", "space": "shared", "element_bytes": 4, "extent": [16, 16]},
        ],
        "accesses": accesses,
    }


def pipelined() -> dict:
    """Two buffers, filled by asynchronous copies; the copy to the other one goes on meanwhile."""
    acts: list[list] = [
        [0, 0, 0, "copy", 20, 0, 3, 32, 1, 0, 63],
        [0, 0, 1, "wait", 25, -1, -1, 32, 1, 0, 0],
    ]
    for step in range(1, 4):
        low = 64 * ((step - 1) % 2)
        acts.append([0, step - 1, 2, "barrier", 26, -1, -1, 32, 1, 0, 0])
        if step < 3:
            acts.append([0, step, 0, "copy", 20, 0, 3, 32, 1, 64 - low, 127 - low])
        acts.append([0, step, 1, "load", 30, 3, -1, 32, 16, low, low + 63])
        acts.append([0, step, 1, "compute", 0, -1, -1, 32, 32, 0, 0])
        acts.append([0, step, 2, "wait", 25, -1, -1, 32, 1, 0, 0])
    copies = [[0, 0, 3, 0, 0, 0, 63], [0, 1, 3, 1, 1, 64, 127], [0, 2, 3, 2, -1, 0, 63]]
    data = tiled(phases=4)
    data["arrays"][3]["extent"] = [2, 4, 4]
    data["accesses"] = [access(step, "load", 3, 30, 64 * ((step - 1) % 2)) for step in range(1, 4)]
    data["accesses"] += [access(step, "store", 3, 20, 64 * (step % 2)) for step in range(3)]
    data["order"] = {"whole": True, "teams": [[0, 1, 2, 5]], "acts": acts, "copies": copies}
    return data


def exercise_with(data: dict) -> dict:
    exercise = make_result.exercise("tiled", "race", 0, 40000, "Two threads race.")
    exercise["findings"] = []
    exercise["map"] = data
    return exercise


def map_of(data: dict) -> IndexMap:
    text = json.dumps(make_result.result([exercise_with(data)]))
    maps = result_parse(text, "r.json").exercises[0].maps
    assert maps is not None
    return maps.list[0]


def formulas(*accesses: dict, **changes: object) -> list[str]:
    data = tiled() | {"accesses": list(accesses)} | changes
    return [row.element for row in formula.rows_of(map_of(data))]


class Formulas(unittest.TestCase):
    def test_a_tiled_kernel_reads_as_a_course_writes_it(self) -> None:
        rows = formula.rows_of(map_of(tiled()))
        self.assertEqual(
            [(row.line, row.kind, row.element, row.when) for row in rows],
            [
                (26, "load", "A[16 + ty][16 t + tx], t = 0 to 2", "steps 1, 3, 5"),
                (26, "store", "As[ty][tx]", "steps 1, 3, 5"),
                (27, "load", "B[16 t + ty][16 + tx], t = 0 to 2", "steps 1, 3, 5"),
                (34, "load", "As[ty][i], i = 0 to 15", "steps 2, 4, 6"),
                (42, "store", "C[16 + ty][16 + tx]", "step 7"),
            ],
        )

    def test_loops_and_wide_loads_are_said(self) -> None:
        wide = access(0, "load", 1, 22, 0, [4, 0, 512], [8, 1, 16], [16, 16, 128]) | {"bytes": 16}
        self.assertEqual(
            formulas(wide), ["4 elements from B[ty + 4 i][4 tx], tx = 0 to 7 and i = 0 to 3"]
        )

    def test_threads_that_are_counted_through_are_tid(self) -> None:
        self.assertEqual(
            formulas(access(0, "load", 0, 9, 0, [4, 1, 16], [64, 4, 192]), size=[64, 32, 48]),
            ["A[(tid / 4)][4 (tid % 4)]"],
        )

    def test_threads_that_fill_rows_of_another_length_are_tid(self) -> None:
        # A tile of 64 x 16 elements, filled by 16 x 16 threads with float4 each.
        arrays = tiled()["arrays"]
        arrays[3]["extent"] = [64, 16]
        wide = access(0, "store", 3, 52, 0, [16, 1, 16], [16, 16, 256]) | {"bytes": 16}
        self.assertEqual(
            formulas(wide, arrays=arrays), ["4 elements from As[(tid / 4)][4 (tid % 4)]"]
        )
        arrays[3]["extent"] = [16, 64]
        rows = access(0, "store", 3, 21, 0, [4, 0, 1024], [16, 1, 4], [16, 16, 64])
        self.assertEqual(
            formulas(rows, arrays=arrays), ["As[(tid / 64) + 4 i][(tid % 64)], i = 0 to 3"]
        )

    def test_some_rows_of_threads_have_their_range_and_the_right_constant(self) -> None:
        wide = tiled()["arrays"]
        wide[1]["extent"] = [48, 64]
        some = access(0, "load", 1, 21, 4 * 64, [16, 1, 4], [4, 16, 64]) | {"thread": 64}
        # Row ty = 4 starts at B[1][0]; each further row of threads 16 columns on.
        self.assertEqual(formulas(some, arrays=wide), ["B[1][-64 + tx + 16 ty], ty = 4 to 7"])
        alone = access(0, "store", 2, 9, 8) | {"thread": 18}
        self.assertEqual(formulas(alone), ["C[0][2], tx = 2 and ty = 1"])

    def test_an_index_that_runs_over_rows_is_counted_through(self) -> None:
        self.assertEqual(
            formulas(access(0, "load", 0, 9, 4 * 40, [16, 1, 4], [16, 16, 192])),
            ["A, counted through all rows: 40 + tx + 48 ty"],
        )

    def test_an_order_without_a_formula_is_said_to_have_none(self) -> None:
        self.assertEqual(
            formulas(access(0, "load", 0, 9, 0, [3, 5, 4], [2, 31, 4])),
            ["A, in an order that has no short formula"],
        )


def evaluated(text: str, x: int, y: int, shape: tuple[int, int]) -> set[tuple[int, ...]] | None:
    """The indices that a formula gives a thread; None if the thread is outside its ranges."""
    place, *ranges = re.split(r", (?=\w+ = )| and (?=\w+ = )", text)
    names = {"tx": [x], "ty": [y], "tid": [x + shape[0] * y]}
    for name, first, last in re.findall(r"(\w+) = (\d+)(?: to (\d+))?", ", ".join(ranges)):
        values = range(int(first), int(last or first) + 1)
        if name in ("tx", "ty"):
            if names[name][0] not in values:
                return None
        else:
            names[name] = list(values)
    indices = re.findall(r"\[([^\]]*)\]", place)
    code = [re.sub(r"(\d+) (?=[a-z(])", r"\1 * ", index).replace("/", "//") for index in indices]
    found = set()
    for values in itertools.product(*names.values()):
        scope = dict(zip(names, values))
        found.add(tuple(eval(part, {}, scope) for part in code))  # an expression of our own
    return found


class FormulasAreTrue(unittest.TestCase):
    def test_what_a_formula_says_is_what_was_accessed(self) -> None:
        generator = random.Random(5)
        said = 0
        for _ in range(400):
            x, y = generator.choice([(16, 16), (8, 4), (32, 2), (4, 4), (64, 1)])
            width = generator.choice([1, x, x // 2])
            height = generator.choice([1, y, max(y // 2, 1)])
            steps = [[generator.choice([2, 4]), 0, 4 * generator.choice([1, 2, 32, 64])]]
            steps = steps[: generator.randrange(2)]
            steps += [[width, 1, 4 * generator.choice([0, 1, 2, 4])]] if width > 1 else []
            steps += [[height, x, 4 * generator.choice([1, x, 32, 64])]] if height > 1 else []
            first = generator.randrange(x - width + 1) + x * generator.randrange(y - height + 1)
            box = access(0, "load", 0, 9, 4 * generator.choice([0, 3, 33]), *steps)
            data = map_of(
                tiled()
                | {"threads": [x, y, 1], "phases": 1, "accesses": [box | {"thread": first}]}
                | {"arrays": [dict(tiled()["arrays"][0], extent=[4096, 32])] * 3}
            )
            text = formula.rows_of(data)[0].element
            if not text.startswith("A["):
                continue
            said += 1
            for ty, tx in itertools.product(range(y), range(x)):
                cells = elements_of(data.accesses[0], data.arrays[0], tx + x * ty)
                want = {divmod(cell, 32) for cell in cells}
                self.assertEqual(evaluated(text, tx, ty, (x, y)) or set(), want, text)
        self.assertGreater(said, 100)


class Orders(unittest.TestCase):
    def ordered(self, data: dict, *findings: dict) -> steps.Team:
        exercise = exercise_with(data) | {"findings": list(findings)}
        found = result_parse(json.dumps(make_result.result([exercise])), "r.json").exercises[0]
        assert found.maps is not None
        order = steps.steps_of(found.maps.list[0], found.findings, 12)
        assert order is not None
        return order.teams[0]

    def test_acts_are_rows_and_a_barrier_ends_a_step(self) -> None:
        team = self.ordered(pipelined())
        self.assertEqual(team.name, "warps 0-2, 5")
        second = team.steps[1]
        self.assertEqual([slot.lines for slot in second.slots], ["20", "30", "25"])
        self.assertEqual([chip.text for chip in second.slots[1].memory], ["loads As[0]"])
        self.assertEqual(second.slots[1].compute, "32 FLOP")
        self.assertEqual((second.barrier, second.barrier_line), ("barrier 2", 26))

    def test_a_copy_is_under_way_from_its_issue_to_its_wait(self) -> None:
        team = self.ordered(pipelined())
        self.assertEqual(team.lanes, 1)
        flights = [slot.flights[0] for step in team.steps for slot in step.slots]
        self.assertEqual(
            [flight and (flight.text, flight.ends) for flight in flights],
            [("0: As[0]", False), ("", True)]
            + [("1: As[1]", False), ("", False), ("", True)]
            + [("2: As[0]", False)] + [("", False)] * 4,
        )  # fmt: skip

    def test_an_access_during_a_copy_is_marked_if_a_race_was_found(self) -> None:
        race = make_result.finding("Wait.", line=20) | {"other_line": 30}
        team = self.ordered(pipelined(), race)
        self.assertEqual(
            [step.races for step in team.steps],
            [(), (), (), ("Race: copy 2 to As is under way, and As is accessed.",)],
        )
        self.assertTrue(team.steps[3].slots[0].memory[0].racing)
        self.assertEqual([step.races for step in self.ordered(pipelined()).steps], [()] * 4)

    def test_a_race_is_marked_in_steps_with_both_lines(self) -> None:
        data = tiled(phases=3)
        data["accesses"][3]["phase"] = 0
        acts = [
            [0, 0, 0, "store", 26, 3, -1, 32, 1, 0, 63],
            [0, 0, 1, "load", 34, 3, -1, 32, 1, 0, 63],
        ]
        data["order"] = {"whole": True, "teams": [[0]], "acts": acts, "copies": []}
        race = make_result.finding("Race.", line=26) | {"other_line": 34}
        texts = [step.races for step in self.ordered(data, race).steps]
        self.assertEqual(
            texts,
            [("Race: lines 26 and 34 access As, and there is no barrier in between.",), (), ()],
        )
        elsewhere = race | {"array": "A"}
        self.assertEqual([step.races for step in self.ordered(data, elsewhere).steps], [()] * 3)

    def test_an_act_without_a_team_is_no_result(self) -> None:
        data = pipelined()
        data["order"]["acts"][0][0] = 1
        with self.assertRaisesRegex(ResultError, "r.json: is not a complete result"):
            map_of(data)

    def test_the_rest_of_the_last_tiles_is_hatched(self) -> None:
        data = tiled() | {"size": [25, 27, 43]}
        for array, extent in zip(data["arrays"], ([25, 43], [43, 27], [25, 27])):
            array["extent"] = extent
        maps = IndexMaps((16, 16, 16), (map_of(data),))
        drawn = index_map.index_maps(maps, formula.rows_of)[0]
        boards = {board.name: board for board in drawn.boards}
        self.assertEqual((boards["A"].all_rows, boards["A"].all_columns), (32, 48))
        self.assertIn("M43 0h5v32h-5z", boards["A"].beyond)
        self.assertIn("M0 25h27v7h-27z", boards["C"].beyond)
        self.assertTrue(drawn.reaches_beyond)


class Drawing(unittest.TestCase):
    def drawn(self, data: dict) -> index_map.Map:
        found = index_map.index_maps(IndexMaps((0, 0, 0), (map_of(data),)), formula.rows_of)
        return found[0]

    def test_a_block_and_a_thread_have_their_cells(self) -> None:
        drawn = self.drawn(tiled())
        first = drawn.phases[0]
        self.assertEqual(
            [(cells.board.name, cells.kind, cells.path) for cells in first.cells],
            [
                ("A", "load", "M0 16h16v16h-16z"),
                ("As", "store", "M0 0h16v16h-16z"),
                ("B", "load", "M16 0h16v16h-16z"),
            ],
        )
        self.assertEqual(drawn.threads[0], "tx 5, ty 3")
        self.assertEqual(
            first.mine[0].text, "Thread tx 5, ty 3 loads A[19][5], B[3][21]; stores As[3][5]."
        )
        self.assertEqual(first.mine[0].cells[0].path, "M5 19h1v1h-1z")
        self.assertEqual(drawn.phases[1].mine[0].text, "Thread tx 5, ty 3 loads As[3][0..15].")

    def test_the_steps_say_what_happens_between_which_barriers(self) -> None:
        texts = [phase.text for phase in self.drawn(tiled()).phases]
        self.assertEqual(texts[0], "Before barrier 1, the block loads A, B; stores As.")
        self.assertEqual(texts[1], "Between barriers 1 and 2, the block loads As.")
        self.assertEqual(texts[6], "After barrier 6, the block stores C.")

    def test_steps_beyond_those_drawn_are_counted(self) -> None:
        drawn = self.drawn(tiled(phases=21))
        self.assertEqual((len(drawn.phases), drawn.phases_left), (12, 9))

    def test_tiles_are_ruled_where_there_are_any(self) -> None:
        boards = {board.name: board for board in self.drawn(tiled()).boards}
        self.assertEqual(boards["A"].grid, "M16 0v32M32 0v32M0 16h48")
        naive = tiled() | {
            "phases": 1,
            "accesses": [access(0, "store", 2, 9, 0, [16, 1, 4], [16, 16, 128])],
        }
        boards = {board.name: board for board in self.drawn(naive).boards}
        self.assertEqual(boards["A"].grid, "M0 16h48")

    def test_a_box_of_more_cells_than_a_trace_has_is_not_drawn(self) -> None:
        huge = tiled() | {
            "accesses": [access(0, "load", 0, 9, 0, [1 << 30, 0, 4], [1 << 30, 0, 8])]
        }
        maps = IndexMaps((0, 0, 0), (map_of(huge),))
        self.assertEqual(index_map.index_maps(maps, lambda data: ()), ())

    def test_cells_outside_their_array_are_left_out(self) -> None:
        outside = tiled() | {"accesses": [access(0, "load", 0, 9, 4 * 32 * 48 - 4, [2, 0, 4])]}
        cells = self.drawn(outside).phases[0].cells
        self.assertEqual([cells.path for cells in cells], ["M47 31h1v1h-1z"])

    def test_an_access_of_no_array_is_no_result(self) -> None:
        with self.assertRaisesRegex(ResultError, "r.json: is not a complete result"):
            map_of(tiled() | {"accesses": [access(0, "load", 9, 9, 0)]})

    def test_the_page_has_a_slider_that_needs_no_script(self) -> None:
        text = html_page.render(
            result_parse(json.dumps(make_result.result([exercise_with(tiled())])), "r.json")
        )
        page = Page(text)
        self.assertEqual((page.faults, page.dangers()), ([], []))
        steps = [item for item in page.with_tag("input") if item["name"] == "m1ap"]
        self.assertEqual(
            (len(steps), [item["id"] for item in steps if "checked" in item]), (7, ["m1ap1"])
        )
        labels = {item["for"] for item in page.with_tag("label")}
        self.assertEqual(labels, {item["id"] for item in page.with_tag("input")})
        self.assertIn(".map:has(input.p6:checked) .step.p6", text)
        self.assertIn("A[16 + ty][16 t + tx], t = 0 to 2", page.text)

    def test_what_is_never_drawn_is_said_of_kernels_that_have_it(self) -> None:
        for source, said in (("ptx::wgmma_fence();", True), ("__syncthreads();", False)):
            exercise = exercise_with(tiled()) | {"source": source}
            text = html_page.render(
                result_parse(json.dumps(make_result.result([exercise])), "r.json")
            )
            self.assertEqual("reads by wgmma are never shown" in Page(text).text, said)

    def test_tiles_are_as_large_where_the_last_one_is_cut_off(self) -> None:
        """Block (1, 1) of tiles of 16 stores 4 rows and 8 columns of C [20][24]."""
        data = tiled() | {"size": [20, 24, 48]}
        data["arrays"][0]["extent"] = [20, 48]
        data["arrays"][1]["extent"] = [48, 24]
        data["arrays"][2]["extent"] = [20, 24]
        data["accesses"] = [access(6, "store", 2, 42, 4 * (16 * 24 + 16), [8, 1, 4], [4, 16, 96])]
        c = next(board for board in self.drawn(data).boards if board.title.startswith("C "))
        self.assertEqual(c.grid, "M16 0v20M0 16h24")

    def test_the_first_step_shown_is_one_with_an_access(self) -> None:
        data = tiled()
        data["accesses"] = [one for one in data["accesses"] if one["phase"] > 1]
        self.assertEqual(self.drawn(data).first_phase, 2)
        text = html_page.render(
            result_parse(json.dumps(make_result.result([exercise_with(data)])), "r.json")
        )
        steps = [item for item in Page(text).with_tag("input") if item["name"] == "m1ap"]
        self.assertEqual([item["id"] for item in steps if "checked" in item], ["m1ap3"])

    def test_hostile_names_of_arrays_stay_text(self) -> None:
        data = tiled()
        data["arrays"][3]["name"] = "<script>'\"&"
        text = html_page.render(
            result_parse(json.dumps(make_result.result([exercise_with(data)])), "r.json")
        )
        self.assertEqual(Page(text).dangers(), [])
        self.assertIn("<script>'\"&[ty][tx]", Page(text).text)


if __name__ == "__main__":
    unittest.main()
