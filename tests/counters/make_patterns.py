#!/usr/bin/python3
"""Writes patterns.h: the access patterns, with what Nsight Compute counts for each.

Usage: make_patterns.py [READINGS.json]   readings as tests/gpu/counters.py makes them; without
                                          them all costs are 0, to build the program for a new read
"""

from __future__ import annotations

import json
import sys
from dataclasses import astuple, dataclass
from pathlib import Path

HEADER = Path(__file__).resolve().parent / "patterns.h"
ALL = 0xFFFFFFFF
STRIDES = {4: range(1, 34), 8: (1, 2, 3, 4, 5, 8, 16, 17, 32, 33)}
STRIDES[16] = STRIDES[8]
STORE_STRIDES = (1, 2, 3, 8, 17, 32, 33)
SCATTERED = (8, 64, 256, 1024, 4, 24, 40, 700)  # places to choose from, by seed
SOME_LANES = 0x0F3C81E5
OPERATIONS = {"LOAD": "ld", "STORE": "st", "REDUCE": "red", "FETCH": "atom"}


@dataclass(frozen=True)
class Pattern:
    """One access of a warp; see the head of patterns.h."""

    name: str
    kind: str
    bytes: int
    base: int = 0
    keep: int = 31
    divide: int = 1
    modulo: int = 32
    stride: int = 0
    seed: int = 0
    mask: int = ALL


def strides() -> list[Pattern]:
    loads = [
        Pattern(f"{size} bytes, stride {stride}", "LOAD", size, stride=size * stride)
        for size, numbers in STRIDES.items()
        for stride in numbers
    ]
    stores = [
        Pattern(f"store of {size} bytes, stride {stride}", "STORE", size, stride=size * stride)
        for size in STRIDES
        for stride in STORE_STRIDES
    ]
    return loads + stores


def shared_places(kind: str, title: str, size: int) -> list[Pattern]:
    """Patterns in which lanes share an address, or some lanes are inactive."""
    step = {"stride": size}
    both = [
        Pattern(title + "one place", kind, size, base=64, modulo=1, **step),
        Pattern(title + "shifted by one", kind, size, base=size, **step),
        Pattern(title + "pairs", kind, size, divide=2, modulo=16, **step),
        Pattern(title + "halves at one place", kind, size, divide=16, modulo=2, stride=128),
    ]
    if kind == "STORE":
        return both
    return both + [
        Pattern(title + "two neighbours", kind, size, divide=16, modulo=2, **step),
        Pattern(title + "quarters at one place", kind, size, divide=8, modulo=4, **step),
        Pattern(title + "quarters 128 bytes apart", kind, size, divide=8, modulo=4, stride=128),
        Pattern(title + "both halves the same row", kind, size, modulo=16, **step),
        Pattern(title + "all quarters the same row", kind, size, modulo=8, **step),
        Pattern(title + "lane and lane^2 alike", kind, size, keep=29, **step),
        Pattern(title + "lane and lane^4 alike", kind, size, keep=27, **step),
        Pattern(title + "lower half alone", kind, size, mask=0xFFFF, **step),
        Pattern(title + "every other lane", kind, size, mask=0x55555555, **step),
        Pattern(title + "one lane", kind, size, base=48, mask=0x100, **step),
        Pattern(title + "some lanes", kind, size, stride=2 * size, mask=SOME_LANES),
        Pattern(title + "first quarter alone", kind, size, mask=0xFF, **step),
    ]


def small() -> list[Pattern]:
    rows = []
    for size in (1, 2):
        rows += [
            Pattern(f"{size} bytes in a row", "LOAD", size, stride=size),
            Pattern(f"{size} bytes, shifted by one", "LOAD", size, base=size, stride=size),
            Pattern(f"{size} bytes, stride 33", "LOAD", size, stride=33 * size),
            Pattern(f"store of {size} bytes in a row", "STORE", size, stride=size),
            Pattern(f"store of {size} bytes, stride 128", "STORE", size, stride=128),
        ]
    return rows


def scattered() -> list[Pattern]:
    rows = []
    for seed, places in enumerate(SCATTERED, 1):
        mask = ALL if seed % 3 else 0x9E3779B1 * seed & ALL
        for size in (4, 8, 16):
            about = {"modulo": places, "stride": size, "mask": mask}
            rows.append(
                Pattern(f"{size} bytes, scattered {seed}", "LOAD", size, seed=seed, **about)
            )
            if seed <= 4:
                name = f"store of {size} bytes, scattered {seed}"
                rows.append(Pattern(name, "STORE", size, seed=seed + 20, **about))
    return rows


def atomics(kind: str, title: str, is_shared: bool) -> list[Pattern]:
    """Operations of 4 bytes at one address are omitted, because nvcc lets one lane do them all.  So
    are those of 8 bytes in shared memory, which a GPU does in a loop."""
    rows = []
    for size in (4,) if is_shared else (4, 8):
        rows.append(Pattern(f"{title} of {size} bytes in a row", kind, size, stride=size))
        if size == 8:
            rows.append(Pattern(f"{title} of 8 bytes, one place", kind, 8, modulo=1, stride=8))
        rows.append(Pattern(f"{title} of {size} bytes, stride 8", kind, size, stride=8 * size))
        rows.append(Pattern(f"{title} of {size} bytes, pairs", kind, size, divide=2, stride=size))
    return rows + [
        Pattern(f"{title} of 4 bytes, scattered", kind, 4, modulo=64, stride=4, seed=5),
        Pattern(f"{title} of 4 bytes, some lanes", kind, 4, stride=4, mask=SOME_LANES),
        Pattern(f"{title} of 4 bytes, stride 32", kind, 4, stride=128),
    ]


def patterns(is_shared: bool) -> list[Pattern]:
    rows = strides()
    for kind, title in (("LOAD", ""), ("STORE", "store of ")):
        for size in (4, 8, 16):
            rows += shared_places(kind, f"{title}{size} bytes, ", size)
    rows += small() + scattered()
    return rows + atomics("REDUCE", "reduction", is_shared) + atomics("FETCH", "atomic", is_shared)


def cost(is_shared: bool, pattern: Pattern, launch: dict[str, float]) -> tuple[int, int, int]:
    """Requests, units, ideal units."""
    operation = OPERATIONS[pattern.kind]
    if not is_shared:
        names = [
            f"l1tex__t_requests_pipe_lsu_mem_global_op_{operation}.sum",
            f"l1tex__t_sectors_pipe_lsu_mem_global_op_{operation}.sum",
            "memory_l2_theoretical_sectors_global_ideal",
        ]
    else:
        operation = "atom" if operation == "red" else operation
        names = [
            f"smsp__inst_executed_op_shared_{operation}.sum",
            f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{operation}.sum",
            "memory_l1_wavefronts_shared_ideal",
        ]
    requests, units, ideal = (int(launch[name]) for name in names)
    # One store, of `if (M < 0)`, is executed with all its lanes switched off.
    return requests - (is_shared and pattern.kind == "STORE"), units, ideal


def mask_text(mask: int) -> str:
    return "ALL" if mask == ALL else f"0x{mask:08x}u"


def table(name: str, is_shared: bool, launches: list[dict[str, float]]) -> str:
    rows = patterns(is_shared)
    lines = [f"#define {name}(X) \\"]
    for number, pattern in enumerate(rows):
        costs = cost(is_shared, pattern, launches[number]) if launches else (0, 0, 0)
        values = [
            f'"{value}"' if place == 0 else mask_text(value) if place == 9 else str(value)
            for place, value in enumerate((*astuple(pattern), *costs))
        ]
        lines.append(f"    X({', '.join(values)}) \\")
    lines[-1] = lines[-1][:-2]
    return "\n".join(lines) + "\n"


HEAD = """\
// One-warp access patterns and what they cost, as Nsight Compute says{read}.
// Made by make_patterns.py; read by tests/gpu/counters.py.
//
// X(name, kind, bytes, base, keep, divide, modulo, stride, seed, mask, requests, units, ideal)
//   Lane i of those in mask accesses `bytes` at base + (i & keep) / divide % modulo * stride; where
//   seed is not 0, a number hashed from i and seed takes the place of i & keep.
//   units are sectors of global memory, or wavefronts of shared memory; ideal, the least of them.
// clang-format off
#ifndef PATTERNS_H
#define PATTERNS_H

// Kinds: a load, a store, an atomic operation without and with its result used.
#define LOAD   0
#define STORE  1
#define REDUCE 2
#define FETCH  3

#define ALL 0xffffffffu  // lanes

// Launch numbers, handed to the kernel as N.  A launch makes one pattern of each table, of the
// shorter one from its start again.
#define PATTERN_FIRST  200
#define GLOBAL_COUNT   {global_count}
#define SHARED_COUNT   {shared_count}
#define SHAPE_FIRST    1000
#define SHAPE_COUNT    6

"""


def main() -> int:
    read = ""
    launches: list[dict[str, float]] = []
    if sys.argv[1:]:
        readings = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
        launches = readings["pattern"]
        read = f":\n// {readings['card']}, Nsight Compute {readings['ncu'][0]}, {readings['date']}"
    head = HEAD.format(
        read=read, global_count=len(patterns(False)), shared_count=len(patterns(True))
    )
    text = head + table("GLOBAL_PATTERNS", False, launches) + "\n"
    HEADER.write_text(text + table("SHARED_PATTERNS", True, launches) + "\n#endif\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
