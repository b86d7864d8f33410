"""The accesses of the threads of single blocks, phase by phase: the `maps` of result.json."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from language import _
from parse_values import integers, size, triple
from words import Size


@dataclass(frozen=True)
class MapArray:
    name: str
    space: str  # "global" or "shared"
    element_bytes: int  # 0: not known
    extent: tuple[int, ...]


def index_of(element: int, extent: tuple[int, ...]) -> tuple[int, ...]:
    """The index of an element, one number for each dimension of the array."""
    index: list[int] = []
    for dimension in reversed(extent[1:]):
        element, last = divmod(element, dimension)
        index.insert(0, last)
    return (element, *index)


@dataclass(frozen=True)
class MapAccess:
    """The accesses of one place in the program in one phase, as nested loops (a box)."""

    phase: int
    kind: str  # "load", "store", "atomic", "zero"
    array: int  # index into `arrays` of the map
    line: int
    bytes: int
    thread: int  # thread of the first access, as a linear number
    offset: int  # place of the first access in the array, in bytes
    steps: tuple[tuple[int, int, int], ...]  # count, threads, bytes; the innermost first


@dataclass(frozen=True)
class Act:
    """The acts of a team's warps between two barriers; acts of one slot alternate."""

    team: int
    step: int
    slot: int
    kind: str  # "load", "store", "atomic", "copy", "wait", "compute", "barrier"
    line: int
    array: int  # index into `arrays` of the map, or -1
    to: int  # the array that a copy fills, or -1
    lanes: int
    times: int
    low: int  # first and last byte of the array, or of the array that a copy fills
    high: int


@dataclass(frozen=True)
class Copy:
    """A group of asynchronous copies of a team."""

    team: int
    number: int
    to: int
    issued: int  # steps
    done: int  # -1: never waited for
    low: int
    high: int


@dataclass(frozen=True)
class Order:
    whole: bool  # False: some acts are left out
    teams: tuple[tuple[int, ...], ...]  # the warps of each team
    acts: tuple[Act, ...]
    copies: tuple[Copy, ...]


@dataclass(frozen=True)
class IndexMap:
    """The accesses of the threads of one block."""

    size: Size
    launches: int  # launches of the whole product
    launch: int  # number of the launch that this map shows, from 0
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    threads: tuple[int, int, int]
    phases: int
    whole: bool  # False: some accesses are left out
    arrays: tuple[MapArray, ...]
    accesses: tuple[MapAccess, ...]
    order: Order | None  # None in results of older graders

    @property
    def place(self) -> str:
        """blockIdx, as far as the grid has dimensions: "1", "(1, 0)"."""
        rank = max((axis + 1 for axis in range(3) if self.grid[axis] > 1), default=1)
        numbers = ", ".join(str(number) for number in self.block[:rank])
        return f"({numbers})" if rank > 1 else numbers

    def cells(self) -> int:
        """The number of accesses in all boxes, each of which a drawing must visit."""
        return sum(
            math.prod(count for count, _, _ in access.steps) * max(access.bytes // 4, 1)
            for access in self.accesses
        )


@dataclass(frozen=True)
class IndexMaps:
    """Maps of the same kernel at several sizes and blocks."""

    tile: tuple[int, int, int]  # of C, and along K; 0: not known, or not a matmul
    list: tuple[IndexMap, ...]


_ACCESS_KEYS = ("phase", "kind", "array", "line", "bytes", "thread", "offset", "steps")


def _access(data: Any, arrays: int) -> MapAccess:
    values = [data[key] for key in _ACCESS_KEYS] if isinstance(data, dict) else data
    phase, kind, array, line, bytes_, thread, offset, steps = values
    numbers = integers((phase, array, line, bytes_, thread, offset))
    access = MapAccess(
        numbers[0], str(kind), *numbers[1:], tuple(triple(step) for step in steps)
    )  # fmt: skip
    if not 0 <= access.array < arrays or any(count < 1 for count, _, _ in access.steps):
        raise ValueError(
            _("an access of a map without an array or a step: %(access)r", access=data)
        )
    return access


def _act(data: Any, teams: int, arrays: int) -> Act:
    team, step, slot, kind, *others = data
    act = Act(*integers((team, step, slot)), str(kind), *integers(others))
    if not (0 <= act.team < teams and max(act.array, act.to) < arrays):
        raise ValueError(_("an act without a team or an array: %(act)r", act=data))
    return act


def _order(data: Any, arrays: int) -> Order:
    teams = tuple(integers(team) for team in data["teams"])
    copies = tuple(Copy(*integers(copy)) for copy in data["copies"])
    if any(not (0 <= copy.team < len(teams) and 0 <= copy.to < arrays) for copy in copies):
        raise ValueError(_("an act without a team or an array: %(act)r", act=data["copies"]))
    return Order(
        whole=bool(data["whole"]),
        teams=teams,
        acts=tuple(_act(act, len(teams), arrays) for act in data["acts"]),
        copies=copies,
    )


def _map(data: dict[str, Any]) -> IndexMap:
    arrays = tuple(
        MapArray(
            array["name"],
            array["space"],
            int(array["element_bytes"]),
            integers(array["extent"]),
        )
        for array in data["arrays"]
    )
    return IndexMap(
        size=size(data["size"]),
        launches=int(data["launches"]),
        launch=int(data.get("launch", 0)),
        grid=triple(data["grid"]),
        block=triple(data["block"]),
        threads=triple(data["threads"]),
        phases=int(data["phases"]),
        whole=bool(data["whole"]),
        arrays=arrays,
        accesses=tuple(_access(access, len(arrays)) for access in data["accesses"]),
        order=_order(data["order"], len(arrays)) if "order" in data else None,
    )


def maps_of(data: dict[str, Any]) -> IndexMaps:
    """The maps; a result of an older grader has only one, its `map`."""
    if "list" not in data:
        return IndexMaps((0, 0, 0), (_map(data),))
    return IndexMaps(triple(data["tile"]), tuple(_map(one) for one in data["list"]))
