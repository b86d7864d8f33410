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
    """A box of accesses of one place in the program, in one phase."""

    phase: int
    kind: str  # "load", "store", "atomic"
    array: int  # index into `arrays` of the map
    line: int
    bytes: int
    thread: int  # of the first access, linear
    offset: int  # of the first access, in bytes
    steps: tuple[tuple[int, int, int], ...]  # count, threads, bytes; the innermost first


@dataclass(frozen=True)
class IndexMap:
    """What the threads of one block access."""

    size: Size
    launches: int  # that make the product; this map is of the first
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    threads: tuple[int, int, int]
    phases: int
    whole: bool  # False: some accesses are left out
    arrays: tuple[MapArray, ...]
    accesses: tuple[MapAccess, ...]

    def cells(self) -> int:
        """Accesses in all boxes: what a drawing would have to go through."""
        return sum(
            math.prod(count for count, _, _ in access.steps) * max(access.bytes // 4, 1)
            for access in self.accesses
        )
