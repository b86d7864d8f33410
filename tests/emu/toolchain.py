"""Builds a kernel for the CPU device and runs it by tests/emu/runner.c.

It uses the product's flags and its link with any g++, or with a cross compiler whose programs run
in an emulator of that machine.
"""

from __future__ import annotations

import functools
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SHIM = ROOT / "grader/emu/shim"
COMMAND_SECONDS = 600
HEADERS = ("grader/include", "grader/emu/shim")
PLACES = ("pc", "other_pc")  # in a finding of the runner


@functools.cache
def products() -> list[str]:
    """The exercises whose kernels compute A * B: runner.c knows no other parameters."""
    pages = sorted(ROOT.glob("lessons/*/exercise.ini"))
    return [
        page.parent.name.split("_", 1)[1]
        for page in pages
        if "\n[parameters]\n" not in page.read_text()
    ]


@dataclass(frozen=True)
class Toolchain:
    """The tools that make and read a kernel's program, and the command that runs it."""

    name: str
    cxx: str = "g++"
    prefix: str = ""  # prefix of gcc and binutils: "aarch64-linux-gnu-"
    launcher: tuple[str, ...] = ()  # put before the program: "qemu-aarch64"


@dataclass(frozen=True)
class Rig:
    """The files that all kernels of one run share."""

    toolchain: Toolchain
    worker: Path  # one object: `main`, the machine, and what these need of the C library
    library: Path  # libemu-worker.a

    @property
    def programs(self) -> Path:
        """The folder of tilegrade; a cross compiler's library has a folder of its own in it."""
        return self.library.parents[1 if self.toolchain.prefix else 0]


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


def command_or_exit(*words: object) -> None:
    done = command(*words)
    if done.returncode != 0:
        sys.exit(done.stderr)


def names_of(list_macro: str, header: str) -> list[str]:
    """The texts of a list `X(enumerator, "text")` of a header, as the preprocessor sees them."""
    text = f'#include "{header}"\n#define NAME(enumerator, text, ...) @ text\n{list_macro}(NAME)\n'
    words = ["gcc", "-E", "-P", "-x", "c", f"-I{ROOT}/grader", "-"]
    done = subprocess.run(words, input=text, capture_output=True, text=True, check=True)
    return re.findall(r'@ "([^"]*)"', done.stdout)


@functools.cache
def product_flags(programs: Path, every_processor: bool = False) -> list[str]:
    """The flags of the product's own build, so that the tests run what it runs."""
    printed = command(programs / "tilegrade-inspect", "flags").stdout
    common, of_this_processor, *_ = printed.splitlines()
    return (common if every_processor else f"{common} {of_this_processor}").split()


@functools.cache
def precompiled_flags(programs: Path) -> list[str]:
    """Those with which the product's own g++ finds the shim precompiled."""
    warnings = command(programs / "tilegrade-inspect", "flags").stdout.splitlines()[2]
    return [*warnings.split(), f"-iquote{programs.resolve()}/precompiled{SHIM}"]


def rig_make(toolchain: Toolchain, folder: Path, library: Path) -> Rig:
    """Compiles runner.c into the folder; ends the program if that fails."""
    runner = folder / f"runner-{toolchain.name}.o"
    command_or_exit(
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
    worker = folder / f"worker-{toolchain.name}.o"
    if toolchain.prefix:
        cross_worker_make(toolchain, runner, library, worker)
    else:
        worker_make(runner, library.parent / "emu-worker.o", worker)
    return Rig(toolchain, worker, library)


def worker_make(runner: Path, product: Path, worker: Path) -> None:
    """The product's own object, whose functions give way to those of the runner."""
    weak = worker.with_suffix(".weak.o")
    names = command("nm", "-g", "-j", "--defined-only", runner).stdout.split()
    command_or_exit("objcopy", *(f"--weaken-symbol={name}" for name in names), product, weak)
    command_or_exit(
        *("gcc", "-r", "-nostdlib", "-o", worker, runner, weak),
        *("-Wl,--start-group", "-lgcc", "-lgcc_eh", "-lc", "-Wl,--end-group"),
    )


def cross_worker_make(toolchain: Toolchain, runner: Path, library: Path, worker: Path) -> None:
    """Of another machine: the product has no such object, so kernels take it from the library.

    A linker needs more time to find what is needed in libc.a than for all else.
    """
    gcc = f"{toolchain.prefix}gcc"
    names = "crt1.o crti.o crtbeginT.o crtend.o crtn.o".split()
    start = [command(gcc, f"-print-file-name={name}").stdout.strip() for name in names]
    symbols = command(f"{toolchain.prefix}nm", runner, library).stdout
    # Not what the library defines: a kernel takes only those of its files that it needs.
    defined = re.findall(r"^[0-9a-f]+ [A-TV-Z] (\w+)$", symbols, re.M)
    wanted = set(re.findall(r"^ +U (\w+)$", symbols, re.M)) - set(defined)
    command_or_exit(
        *(gcc, "-r", "-nostdlib", "-o", worker, *start[:3], runner),
        *(f"-Wl,--undefined={name}" for name in sorted(wanted)),
        *("-lm", "-Wl,--start-group", "-lgcc", "-lgcc_eh", "-lc", "-Wl,--end-group", *start[3:]),
    )


def build(
    rig: Rig, source: Path, kernel: str, folder: Path, flags: list[str] | None = None
) -> tuple[Path | None, str]:
    """The program of one kernel, or the compiler's messages.

    Other flags than the product's make a program without hooks, whose assembly stays as it is.
    """
    tools = rig.toolchain
    text, obj = folder / "kernel.s", folder / "kernel.o"
    extra, program = folder / "shared.s", folder / "program"
    # The name by which the inspector knows the student's file.
    (folder / "submission.cu").write_bytes(source.read_bytes())
    compiled = command(
        tools.cxx,
        *(flags or product_flags(rig.programs, tools.prefix != "")),
        *(precompiled_flags(rig.programs) if tools.cxx == "g++" and not flags else []),
        *("-w", "-include", "cuda_emu.h", f"-iquote{SHIM}"),
        f"-I{ROOT}/grader/include",
        f"-I{ROOT}/grader/include/standin",
        f"-I{ROOT}/grader/include/standin/c",
        f"-DKERNEL={kernel}",
        "-DTILEGRADE_TENSOR_CORES",
        "-S",
        "submission.cu",
        "-o",
        text,
        folder=folder,
    )
    if compiled.returncode != 0:
        return None, compiled.stderr
    if not flags:
        rewritten = command(rig.programs / "tilegrade-inspect", "rewrite", folder=folder)
        if rewritten.returncode != 0:
            report = folder / "report.json"
            return None, rewritten.stderr + (report.read_text() if report.exists() else "")
    assembled = command(f"{tools.prefix}as", text, "-o", obj)
    if assembled.returncode != 0:
        return None, assembled.stderr
    command(f"{tools.prefix}objcopy", "--remove-section=__patchable_function_entries", obj)
    shared = command(rig.programs / "tilegrade-inspect", "shared", folder=folder)
    if shared.returncode != 0:
        return None, shared.stderr
    extra.write_text(shared.stdout)
    linked = command(
        f"{tools.prefix}gcc",
        *("-static", "-no-pie", "-nostartfiles" if tools.prefix else "-nostdlib"),
        "-Wl,-z,max-page-size=65536,-z,noexecstack,-z,now",
        "-Wl,--gc-sections",
        f"-Wl,--defsym=emu_kernel={kernel}",
        f"-Wl,--defsym=emu_launch_config={kernel}_launch_config",
        "-Wl,--defsym=emu_pattern_4=0xfefefefe",
        "-Wl,--defsym=emu_pattern_8=0xfefefefefefefefe",
        *(obj, extra, rig.worker, rig.library),
        "-lm" if tools.prefix else "-lgcc",
        "-o",
        program,
    )
    return (program, "") if linked.returncode == 0 else (None, linked.stderr)


def run(rig: Rig, program: Path, *words: object) -> subprocess.CompletedProcess[str]:
    return command(*rig.toolchain.launcher, program, *words)


def places_of(finding: str) -> list[int]:
    """The addresses of a finding's two places; 0 for a missing one."""
    return [int(re.search(rf"\b{name}=0x([0-9a-f]+)", finding)[1], 16) for name in PLACES]


def lines_of_all(rig: Rig, program: Path, places: list[int]) -> list[int]:
    """The source line of each address; a finding has the address after a call."""
    asked = [hex(pc - 1) for pc in places if pc]
    output = ""
    if asked:
        words = [f"{rig.toolchain.prefix}addr2line", "-a", "-i", "-e", program, *asked]
        output = command(*words).stdout
    # One part for each address, from the innermost inlined function outwards: code of a header
    # belongs to the line of the kernel that called it.
    parts = re.split(r"^0x[0-9a-f]+\n", output, flags=re.M)[1:]
    found = [re.search(r"\.cu:(\d+)", part) for part in parts]
    lines = iter(int(match[1]) if match else 0 for match in found)
    return [next(lines) if pc else 0 for pc in places]


def lines_of(rig: Rig, program: Path, finding: str) -> list[int]:
    return lines_of_all(rig, program, places_of(finding))


def lines_for_places(rig: Rig, program: Path, output: str) -> str:
    """The runner's output with lines in place of addresses."""
    text = output.splitlines()
    findings = [place for line in text if line.startswith("finding ") for place in places_of(line)]
    lines = iter(lines_of_all(rig, program, findings))
    return "".join(
        re.sub(r"pc=0x[0-9a-f]+ other_pc=0x[0-9a-f]+", f"{[next(lines), next(lines)]}", line) + "\n"
        if line.startswith("finding ")
        else line + "\n"
        for line in text
    )
