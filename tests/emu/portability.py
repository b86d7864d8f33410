#!/usr/bin/python3
"""Every kernel of the tests gives the same output, byte by byte, with every gcc and on aarch64.

The kernels of tests/emu, reference/ and tests/wrong/ run with checks and counts, compiled by `g++`;
then compiled by each other g++ that is found (g++-11 to g++-15), and by the cross compiler for
aarch64, whose programs run under qemu-user.  Addresses are compared as source lines; everything
else is compared as it is printed.  `check-course` then proves the course with each other g++.
Missing compilers are skipped and counted: `make setup DEV=1` installs them.

With SETS=all, all kernels take part, and all exercises are proved.  Otherwise the references are
compared, with a part of the other kernels, and a part of the exercises is proved; both differ from
commit to commit.  The first line says how to draw the same part again.

The rewriting of kernel.s (grader/device/assembly/rewrite.h) knows only x86-64. So on aarch64 no
FLOPs are counted, and kernels whose calls take or return structs through memory are refused.  It
counts instructions, and gcc 11 uses other instructions for halves and for structs of 32 bytes.  The
kernels that therefore differ are listed in KNOWN, and the test says when one no longer differs.

Usage: portability.py BUILD_FOLDER [compilers] [aarch64]
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from course.run import course_copy, course_prove  # noqa: E402
from drawn import drawn, drawn_wrong, sample  # noqa: E402
from run import expectation_read  # noqa: E402
from toolchain import (
    HERE,
    ROOT,
    Rig,
    Toolchain,
    build,
    command,
    lines_for_places,
    products,
    rig_make,
    run,
)

NEWEST = 15
OLDEST = 11
COURSE_SIZE = "35x37x34"  # not a multiple of a tile, and more than one block
COURSE_BUDGET = "budget=2000000"  # a kernel that never ends is stopped by its accesses
# One in so many is drawn.
EMU_PART = 8
WRONG_PART = 24
PROVEN_PART = 40
EXERCISES_PART = 6
TRIES = 8
CROSS = "aarch64-linux-gnu-"
QEMU = "qemu-aarch64"
REFUSED = "is refused, as its accesses would not all be seen\n"
UNSEEN = {
    "aarch64": {
        "copies_of_structs",
        "copies_outside",
        "copies_that_race",
        "float2_by_value_misaligned",
        "float4_by_value_misaligned",
        "float4_by_value_no_barrier",
        "operators_without_barrier",
        "shared_own_struct_from_a_helper",
        "shared_own_struct_not_initialised",
        "struct_by_value_past_the_end",
        "shared_padding_copied",
        "struct_returned_past_the_end",
        "structs_aligned",
        "value_beside_padding",
    },
}
KNOWN = {
    "aarch64": {
        "half_in_a_union",  # halves have a constructor there
        "shared_padding_and_member",  # shared arrays of structs are aligned to 8 there
        "shared_constructor_is_missed",  # the product refuses both
        "shared_constructors",
        "sums_not_zeroed",  # this one and the next compute with what was never set
        "tile_not_shared",
    },
    "g++-11": {"bfloat16_arithmetic", "copies_that_race", "half_arithmetic"},
}
# Kernels whose verdict needs the pattern that variables without a value get from g++ 12 and later
# (-ftrivial-auto-var-init).
UNPROVEN = {"g++-11": ("tiled/tile_not_shared.cu", "warp_specialized/sums_not_zeroed.cu")}


@dataclass(frozen=True)
class Case:
    """One kernel and its launch."""

    source: Path
    kernel: str
    words: tuple[str, ...]


def emu_cases() -> list[Case]:
    cases = []
    for source in drawn("portability", "tests/emu/*.cu", EMU_PART):
        expected = expectation_read(source.read_text())
        checks = () if "nocheck" in expected.options else ("check",)
        options = tuple(option for option in expected.options if option != "nocheck")
        cases.append(Case(source, "matmul_test", (expected.launch, *checks, "count", *options)))
    return cases


def course_cases() -> list[Case]:
    return [
        Case(source, f"matmul_{name}", (COURSE_SIZE, "check", "count", COURSE_BUDGET))
        for name in products()
        for source in [
            ROOT / "reference" / f"{name}.cu",
            *drawn_wrong("portability", name, WRONG_PART),
        ]
    ]


def what_it_says(rig: Rig, case: Case, folder: Path) -> str:
    """Everything that a run prints, with lines in place of addresses."""
    folder.mkdir()
    program, messages = build(rig, case.source, case.kernel, folder)
    if program is None:
        return (
            REFUSED if "cannot be checked on this processor" in messages else "does not compile\n"
        )
    done = run(rig, program, *case.words)
    for _ in range(TRIES):  # qemu may have put memory where the machine's place was drawn
        if done.returncode != 3 or "no memory" not in done.stderr or not rig.toolchain.prefix:
            break
        done = run(rig, program, *case.words)
    text = lines_for_places(rig, program, done.stdout) + f"exit {done.returncode}\n"
    # Which of its limits ends an endless launch first depends on how fast the processor is.
    text = re.sub(r"^(finding time_limit severity=\d) detail=\d", r"\1", text, flags=re.M)
    shutil.rmtree(folder)
    return text


def all_say(toolchain: Toolchain, cases: list[Case], library: Path, folder: Path) -> list[str]:
    work = folder / toolchain.name
    work.mkdir()
    rig = rig_make(toolchain, work, library)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(
            pool.map(lambda pair: what_it_says(rig, pair[1], work / str(pair[0])), enumerate(cases))
        )


def without_flops(text: str) -> str:
    """The same output with no operation counted, as on a machine whose assembly is not known."""
    return re.sub(r"^(count (?:flops|flop_blocks)) \d+$", r"\1 0", text, flags=re.M)


def differences(name: str, cases: list[Case], wanted: list[str], got: list[str]) -> int:
    """Prints which kernels differ, with the first lines that do."""
    count = 0
    for case, want, have in zip(cases, wanted, got):
        want = REFUSED if case.source.stem in UNSEEN.get(name, set()) else want
        known = case.source.stem in KNOWN.get(name, set())
        if (want == have) != known:
            continue
        count += 1
        if known:
            print(f"{case.source.stem} no longer differs for {name}: take it from KNOWN")
            continue
        print(f"{case.source.relative_to(ROOT)}: {name} says otherwise than g++")
        before, after = want.splitlines(), have.splitlines()
        for line in [line for line in before if line not in after][:3]:
            print(f"    g++: {line}")
        for line in [line for line in after if line not in before][:3]:
            print(f"    {name}: {line}")
    return count


def version_of(compiler: str) -> str:
    return command(compiler, "-dumpfullversion", "-dumpversion").stdout.strip()


def other_compilers() -> list[str]:
    """Each installed g++-NN whose version is not that of g++."""
    here = [f"g++-{version}" for version in range(OLDEST, NEWEST + 1)]
    here = [name for name in here if shutil.which(name)]
    return [name for name in here if version_of(name) != version_of("g++")]


def proved(build_folder: Path, compiler: str, course: Path) -> tuple[int, int]:
    """How many kernels pass and fail, of the exercises that are drawn."""
    exercises = [path.stem for path in drawn("portability", "reference/*.cu", EXERCISES_PART)]
    proof = course_prove(build_folder, course, compiler=compiler, exercises=exercises)
    counted = re.search(r"^(\d+) passed, (\d+) failed", proof.stdout, re.M)
    if proof.returncode != 0 or not counted:
        bad = [line for line in proof.stdout.splitlines() if not line.startswith("ok")]
        print("\n".join([f"check-course with {compiler}:", *bad[:20]]))
        return 0, 1
    print(f"{compiler}: check-course, {counted[0]}")
    return int(counted[1]), int(counted[2])


def cross_library() -> Path:
    """libemu-worker.a for aarch64."""
    made = command("make", "-s", "-C", ROOT, "build/aarch64/libemu-worker.a")
    if made.returncode != 0:
        sys.exit(made.stderr)
    return ROOT / "build/aarch64/libemu-worker.a"


def main() -> int:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build_folder = Path(sys.argv[1]).resolve()
    parts = sys.argv[2:] or ["compilers", "aarch64"]
    print(f"a part, drawn by SAMPLE={sample()}" if sample() else "all kernels")
    cases = emu_cases() + course_cases()
    compilers = other_compilers() if "compilers" in parts else []
    aarch64 = "aarch64" in parts and shutil.which(f"{CROSS}g++") and shutil.which(QEMU)
    passed = failed = skipped = 0
    if "compilers" in parts and not compilers:
        print(f"skipped {len(cases) + 1}: there is no other g++ (make setup DEV=1)")
        skipped += len(cases) + 1
    if "aarch64" in parts and not aarch64:
        print(f"skipped {len(cases)}: {CROSS}g++ or {QEMU} is missing (make setup DEV=1)")
        skipped += len(cases)
    if not compilers and not aarch64:
        print(f"0 passed, 0 failed, {skipped} skipped")
        return 0
    library = build_folder / "libemu-worker.a"
    runs = [(Toolchain(name, name), library) for name in compilers]
    if aarch64:
        cross = Toolchain("aarch64", f"{CROSS}g++", CROSS, (QEMU,))
        runs.append((cross, cross_library()))
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        wanted = all_say(Toolchain("g++"), cases, library, folder)
        for toolchain, toolchain_library in runs:
            got = all_say(toolchain, cases, toolchain_library, folder)
            here = [text if not toolchain.prefix else without_flops(text) for text in wanted]
            bad = differences(toolchain.name, cases, here, got)
            failed += bad
            passed += len(cases) - bad
            about = f"{toolchain.name} ({version_of(toolchain.cxx)})"
            print(f"{about}: {len(cases)} kernels, {bad} differ")
        for name in compilers:
            course = folder / f"course-{name}"
            course_copy(course, "portability", PROVEN_PART, PROVEN_PART)
            for wrong in UNPROVEN.get(name, ()):
                (course / "tests/wrong" / wrong).unlink(missing_ok=True)
            proven, unproven = proved(build_folder, name, course)
            passed += proven
            failed += unproven
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
