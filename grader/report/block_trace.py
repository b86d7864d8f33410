"""What the threads of one block access, phase by phase: the `map` of result.json."""

from __future__ import annotations

import math
from dataclasses import dataclass

from words import Size


@dataclass(frozen=True)
class MapArray:
    name: str
    space: str  # "global" or "shared"
    element_bytes: int  # 0: not known
    extent: tuple[int, ...]


@dataclass(frozen=True)
class MapAccess:
    """The accesses of one place in the program in one phase, as nested loops (a box)."""

    phase: int
    kind: str  # "load", "store", "atomic"
    array: int  # index into `arrays` of the map
    line: int
    bytes: int
    thread: int  # that makes the first access, as a linear number
    offset: int  # where the first access is in the array, in bytes
    steps: tuple[tuple[int, int, int], ...]  # count, threads, bytes; the innermost first


@dataclass(frozen=True)
class IndexMap:
    """What the threads of one block access."""

    size: Size
    launches: int  # launches that make the product; this map shows the first
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    threads: tuple[int, int, int]
    phases: int
    whole: bool  # False: some accesses are left out
    arrays: tuple[MapArray, ...]
    accesses: tuple[MapAccess, ...]

    def cells(self) -> int:
        """How many accesses all boxes hold, each of which a drawing must visit."""
        return sum(
            math.prod(count for count, _, _ in access.steps) * max(access.bytes // 4, 1)
            for access in self.accesses
        )
