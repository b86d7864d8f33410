"""Builds a kernel for the CPU device and runs it by tests/emu/runner.c.

With the flags of the product, by any g++, also by a cross compiler whose programs run in an
emulator of that machine.
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
COMMAND_SECONDS = 120
PLACES = ("pc", "other_pc")  # in a finding of the runner


@dataclass(frozen=True)
class Toolchain:
    """The programs that make and read a kernel's program, and what runs it."""

    name: str
    cxx: str = "g++"
    prefix: str = ""  # of gcc and binutils: "aarch64-linux-gnu-"
    launcher: tuple[str, ...] = ()  # before the program: "qemu-aarch64"


@dataclass(frozen=True)
class Rig:
    """What all kernels of one run share."""

    toolchain: Toolchain
    runner: Path  # the object of runner.c
    library: Path  # libemu-worker.a


def command(*words: object, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in words],
        cwd=folder,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=COMMAND_SECONDS,
        check=False,
    )


def product_flags() -> list[str]:
    """The flags of the product's own build, so that the tests run what it runs."""
    source = (ROOT / "grader/device/build/emu.c").read_text()
    flags: list[str] = []
    for name in ("FLAGS_LANGUAGE", "FLAGS_CODE"):
        definition = re.search(r"#define " + name + r"\b((?:.*\\\n)*.*)", source)
        if definition is None:
            sys.exit(f"build_emu.c has no {name}")
        flags += "".join(re.findall(r'"([^"]*)"', definition[1])).split()
    return flags


def rig_make(toolchain: Toolchain, folder: Path, library: Path) -> Rig:
    """Compiles runner.c into the folder; ends the program where that fails."""
    runner = folder / f"runner-{toolchain.name}.o"
    compiled = command(
        f"{toolchain.prefix}gcc",
        "-std=c11",
        "-O1",
        "-fno-pie",
        "-D_GNU_SOURCE",
        f"-I{ROOT}/grader",
        "-c",
        HERE / "runner.c",
        "-o",
        runner,
    )
    if compiled.returncode != 0:
        sys.exit(compiled.stderr)
    return Rig(toolchain, runner, library)


def dynamic_arrays(toolchain: Toolchain, obj: Path) -> str:
    """Assembly that gives every undefined thread-local symbol one common place."""
    symbols = command(f"{toolchain.prefix}readelf", "-sW", obj).stdout
    names = [
        line.split()[7]
        for line in symbols.splitlines()
        if len(line.split()) == 8 and line.split()[3] == "TLS" and line.split()[6] == "UND"
    ]
    if not names:
        return '.section .note.GNU-stack,"",%progbits\n'
    labels = "".join(
        f".globl {name}\n.type {name},%object\n{name}:\n" for name in [*names, "dynamic_0"]
    )
    return (
        '.section .tbss,"awT",%nobits\n.balign 65536\n' + labels + ".zero 262144\n"
        '.section .note.GNU-stack,"",%progbits\n'
    )


def build(
    rig: Rig, source: Path, kernel: str, folder: Path, flags: list[str] | None = None
) -> tuple[Path | None, str]:
    """The program of one kernel, or the compiler's messages; flags other than the product's."""
    tools = rig.toolchain
    text, obj = folder / "kernel.s", folder / "kernel.o"
    extra, program = folder / "shared.s", folder / "program"
    # The name by which the inspector knows the student's file.
    (folder / "submission.cu").write_bytes(source.read_bytes())
    compiled = command(
        tools.cxx,
        *(flags or product_flags()),
        "-w",
        "-include",
        ROOT / "grader/emu/shim/cuda_emu.h",
        f"-I{ROOT}/grader/include",
        f"-I{ROOT}/grader/include/standin",
        f"-DKERNEL={kernel}",
        "-S",
        "submission.cu",
        "-o",
        text,
        folder=folder,
    )
    if compiled.returncode != 0:
        return None, compiled.stderr
    programs = rig.library.parent
    if tools.prefix:  # a cross compiler's library lies in a folder of its own
        programs = programs.parent
    rewritten = command(programs / "tilegrade-inspect", "rewrite", folder=folder)
    if rewritten.returncode != 0:
        report = folder / "report.json"
        return None, rewritten.stderr + (report.read_text() if report.exists() else "")
    assembled = command(f"{tools.prefix}as", text, "-o", obj)
    if assembled.returncode != 0:
        return None, assembled.stderr
    command(f"{tools.prefix}objcopy", "--remove-section=__patchable_function_entries", obj)
    types = command(programs / "tilegrade-inspect", "types", folder=folder)
    if types.returncode != 0:
        return None, types.stderr
    extra.write_text(dynamic_arrays(tools, obj) + types.stdout)
    linked = command(
        f"{tools.prefix}gcc",
        "-static",
        "-no-pie",
        "-Wl,-z,max-page-size=65536",
        "-Wl,--gc-sections",
        f"-Wl,--defsym=emu_kernel={kernel}",
        f"-Wl,--defsym=emu_launch_config={kernel}_launch_config",
        rig.runner,
        obj,
        extra,
        rig.library,
        "-lm",
        "-o",
        program,
    )
    return (program, "") if linked.returncode == 0 else (None, linked.stderr)


def is_read_before_set(rig: Rig, source: Path, kernel: str) -> bool:
    """Whether the compiler is certain that a variable is read before it has a value."""
    compiled = command(
        rig.toolchain.cxx,
        *product_flags(),
        "-Wuninitialized",
        "-include",
        ROOT / "grader/emu/shim/cuda_emu.h",
        f"-I{ROOT}/grader/include",
        f"-DKERNEL={kernel}",
        "-S",
        source,
        "-o",
        "/dev/null",
    )
    return " is used uninitialized " in compiled.stderr


def run(rig: Rig, program: Path, *words: object) -> subprocess.CompletedProcess[str]:
    return command(*rig.toolchain.launcher, program, *words)


def places_of(finding: str) -> list[int]:
    """The addresses of a finding's two places; 0 where there is none."""
    return [int(re.search(rf"\b{name}=0x([0-9a-f]+)", finding)[1], 16) for name in PLACES]


def lines_of_all(rig: Rig, program: Path, places: list[int]) -> list[int]:
    """The source line of each address; an address of a finding is that behind a call."""
    asked = [hex(pc - 1) for pc in places if pc]
    output = ""
    if asked:
        words = [f"{rig.toolchain.prefix}addr2line", "-a", "-i", "-e", program, *asked]
        output = command(*words).stdout
    # One part an address, from the innermost inlined function outwards: code of a header belongs to
    # the line of the kernel that called it.
    parts = re.split(r"^0x[0-9a-f]+\n", output, flags=re.M)[1:]
    found = [re.search(r"\.cu:(\d+)", part) for part in parts]
    lines = iter(int(match[1]) if match else 0 for match in found)
    return [next(lines) if pc else 0 for pc in places]


def lines_of(rig: Rig, program: Path, finding: str) -> list[int]:
    return lines_of_all(rig, program, places_of(finding))


def lines_for_places(rig: Rig, program: Path, output: str) -> str:
    """The runner's output with lines in the place of addresses."""
    text = output.splitlines()
    findings = [place for line in text if line.startswith("finding ") for place in places_of(line)]
    lines = iter(lines_of_all(rig, program, findings))
    return "".join(
        re.sub(r"pc=0x[0-9a-f]+ other_pc=0x[0-9a-f]+", f"{[next(lines), next(lines)]}", line) + "\n"
        if line.startswith("finding ")
        else line + "\n"
        for line in text
    )
