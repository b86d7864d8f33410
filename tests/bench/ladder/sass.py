#!/usr/bin/env python3
"""Counts the machine instructions of a kernel's busiest loop, straight from a cubin.

    sass.py CUBIN...

Reads Volta and later: an instruction is 16 bytes, its low 12 bits are the operation.  It prints,
for the loop with the most FFMA: how many there are, their share of the issued instructions, the
other instructions, and the minimum number of clocks for reading the registers.  A quarter of an SM
issues one instruction per clock and reads one register of each of its two banks (even and odd
numbers).  An FFMA reads three registers, unless a value is still held from the FFMA before it
(`reuse`).  This is not a disassembler: use cuobjdump to read the code itself.
"""
from __future__ import annotations

import collections
import struct
import sys

OPERATIONS = {
    0x223: "FFMA", 0x984: "LDS", 0x388: "STS", 0x988: "STS", 0x981: "LDG", 0x381: "LDG",
    0x386: "STG", 0x986: "STG", 0xFAE: "LDGSTS", 0x947: "BRA", 0xB1D: "BAR", 0x387: "STL",
    0x983: "LDL", 0x91A: "DEPBAR", 0x94D: "EXIT", 0xAF: "LDGDEPBAR", 0x9AF: "LDGDEPBAR",
    0x212: "LOP3", 0x812: "LOP3", 0x210: "IADD3", 0x810: "IADD3", 0x202: "MOV", 0x802: "MOV",
    0x20C: "ISETP", 0x80C: "ISETP", 0x224: "IMAD", 0x824: "IMAD", 0x225: "IMAD.WIDE",
    0x825: "IMAD.WIDE", 0x211: "LEA", 0x811: "LEA", 0x918: "NOP", 0x941: "BSYNC", 0x945: "BSSY",
    0xC24: "IMAD", 0xC25: "IMAD.WIDE", 0xC10: "IADD3", 0xC0C: "ISETP", 0x248: "VIMNMX",
}  # fmt: skip
LOCAL = ("STL", "LDL")
ZERO_REGISTER = 255


def text_sections(data: bytes) -> dict[str, bytes]:
    """The code of each kernel of an ELF file, by name."""
    offset, count, names = (
        struct.unpack_from("<Q", data, 0x28)[0],
        struct.unpack_from("<H", data, 0x3C)[0],
        struct.unpack_from("<H", data, 0x3E)[0],
    )
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, offset + 64 * i) for i in range(count)]
    strings = headers[names][4]
    found = {}
    for header in headers:
        name = data[strings + header[0] : data.index(0, strings + header[0])].decode()
        if name.startswith(".text."):
            found[name[6:]] = data[header[4] : header[4] + header[5]]
    return found


def instructions(code: bytes) -> list[tuple[int, int]]:
    return [struct.unpack_from("<QQ", code, at) for at in range(0, len(code), 16)]


def operation(low: int) -> str:
    return OPERATIONS.get(low & 0xFFF, hex(low & 0xFFF))


def name_of(low: int, high: int) -> str:
    name = operation(low)
    width = {4: "", 5: ".64", 6: ".128"}.get(high >> 9 & 7, "")
    return name + width if name in ("LDS", "STS", "LDG", "STG") else name


def branch_target(index: int, low: int, high: int) -> int:
    """The target of a BRA, as the number of an instruction; its offset counts words of 4 bytes."""
    words = low >> 34 | (high & 0x3FFFF) << 30
    words -= words >> 47 << 48
    return index + 1 + (words * 256 + (low >> 16 & 255)) // 4


def loops(code: list[tuple[int, int]]) -> list[tuple[int, int]]:
    found = []
    for index, (low, high) in enumerate(code):
        if operation(low) == "BRA":
            target = branch_target(index, low, high)
            if 0 <= target < index:
                found.append((target, index))
    return found


def register_clocks(code: list[tuple[int, int]]) -> tuple[int, int]:
    """Clocks in which FFMAs read registers, and how many of them take more than one."""
    held: dict[int, int] = {}
    clocks = slow = 0
    for low, high in code:
        if operation(low) != "FFMA":
            held = {}
            continue
        sources = [low >> 24 & 255, low >> 32 & 255, high & 255]
        reuse = high >> 58 & 7
        banks = [0, 0]
        wanted = set()
        for slot, register in enumerate(sources):
            if register != ZERO_REGISTER and held.get(slot) != register:
                wanted.add(register)
        for register in wanted:
            banks[register % 2] += 1
        held = {slot: sources[slot] for slot in range(3) if reuse >> slot & 1}
        cost = max(1, *banks)
        clocks += cost
        slow += cost > 1
    return clocks, slow


def describe(path: str) -> None:
    with open(path, "rb") as stream:
        sections = text_sections(stream.read())
    for name, raw in sections.items():
        if name.endswith("_launch_config"):
            continue
        code = instructions(raw)
        spills = sum(operation(low) in LOCAL for low, _ in code)
        best: tuple[int, int] | None = None
        most = 0
        for first, last in loops(code):
            count = sum(operation(low) == "FFMA" for low, _ in code[first : last + 1])
            inner = best is not None and first >= best[0] and last <= best[1]
            if count > most or (count and count == most and inner):
                best, most = (first, last), count
        if not best:
            print(f"{name}: no loop with FFMA")
            continue
        body = code[best[0] : best[1] + 1]
        counts = collections.Counter(name_of(low, high) for low, high in body)
        clocks, slow = register_clocks(body)
        others = ", ".join(f"{n} {c}" for n, c in counts.most_common() if n != "FFMA")
        print(
            f"{name}: {most} FFMA of {len(body)} ({most / len(body):.1%}), register reads"
            f" {clocks / most:.3f} clocks/FFMA ({slow} slow), local {spills}\n    {others}"
        )


for argument in sys.argv[1:]:
    describe(argument)
