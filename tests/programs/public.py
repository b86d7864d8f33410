#!/usr/bin/python3
"""Runs whole CUDA programs that others have published: CUDABEAVER=DIR public.py.

Their sources are not part of this repository; a set whose folder is not given is skipped.

CUDABEAVER  a copy of HaoyangChen23/CUDABeaver.  Of its families cuda and cudabench, the programs
            that crash or give wrong results must have the stated first error, and the references
            no finding, except those whose finding is listed.
SAMPLES     the folder Samples of NVIDIA/cuda-samples, some of whose programs are listed
INDIGO      the folder indigo of JohnJacobsonIII/HiRace-Artifact-SC24, with the generated programs
            of Indigo.  The name of a program says what is wrong with it.
NAMES       only programs whose names contain one of these words
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from run import BUILD, TITLES, first_finding

LIMIT_S = 300
THREADS = 2
NAMES = os.environ.get("NAMES", "").split()

# What is found first, and in which line of which file.
BROKEN = {
    "cuda_117__memory_crash": ("barrier_divergence", "solution.cu", 30),
    "cuda_122__memory_crash": ("out_of_bounds", "solution.cu", 41),
    "cuda_123__logic_error": ("host_unset_copied", "test/test_main.cu", 227),
    "cuda_123__memory_crash": ("crash", "solution.cu", 71),
    "cuda_137__memory_crash": ("out_of_bounds", "solution.cu", 47),
    "cuda_142__memory_crash": ("out_of_bounds", "solution.cu", 27),
    "cuda_151__memory_crash__f4": ("out_of_bounds", "solution.cu", 70),
    "cuda_17__memory_crash": ("out_of_bounds", "solution.cu", 18),
    "cuda_1__memory_crash": ("crash", "kernel_helpers.cu", 6),
    "cuda_20__memory_crash": ("out_of_bounds", "solution.cu", 24),
    "cuda_21__memory_crash": ("race", "solution.cu", 43),
    "cuda_227__memory_crash": ("out_of_bounds", "solution.cu", 66),
    "cuda_230__logic_error": ("barrier_divergence", "solution.cu", 36),
    "cuda_3__memory_crash": ("crash", "src/kernel.cu", 6),
    "cudabench_117__memory_crash": ("out_of_bounds", "solution.cu", 55),
    "cudabench_119__memory_crash": ("out_of_bounds", "solution.cu", 53),
    "cudabench_274__memory_crash": ("out_of_bounds", "solution.cu", 52),
    "cudabench_284__memory_crash": ("out_of_bounds", "solution.cu", 72),
    "cudabench_72__memory_crash": ("out_of_bounds", "solution.cu", 52),
}
# The same for references that have a finding, which is true.  The first divides numbers by 0, since
# its lists have places for 16 numbers and some have 8.  A GPU goes on, and what the program prints
# does not depend on the quotient.  The others use a wrong pointer or index, as compute-sanitizer
# says too.
REFERENCES = {
    "cuda_151__memory_crash": ("crash", "solution.cu", 70),
    "cuda_1__memory_crash": ("crash", "kernel_helpers.cu", 6),
    "cuda_21__memory_crash": ("race", "solution.cu", 45),
    "cuda_3__memory_crash": ("crash", "src/kernel.cu", 6),
}
# A CPU cannot run the references of these.
NEEDS_GPU = ("cuda_59__logic", "cuda_144__memory", "cuda_173__memory")
# The programs of cudabench have sizes for a GPU; these are used in their place.
SIZES = {
    "cudabench_117": "M=256 K=128 N=128",
    "cudabench_119": "M=256 K=128 N=128",
    "cudabench_274": "M=1152 K=64 N=64",
    "cudabench_284": "INPUT_H=192 INPUT_W=192 OUTPUT_H=169 OUTPUT_W=169 N=192",
    "cudabench_72": "BATCH=2",
}
# Of CUDA's samples: further files, arguments, and the first finding with its line; "" for none.
# The three findings were read: they are true.
SAMPLES = {
    "0_Introduction/UnifiedMemoryStreams/UnifiedMemoryStreams.cu": ("", "", "needs_gpu"),
    "0_Introduction/asyncAPI/asyncAPI.cu": ("", "", ""),
    "0_Introduction/clock/clock.cu": ("", "", ""),
    "0_Introduction/fp16ScalarProduct/fp16ScalarProduct.cu": ("", "", ""),
    "0_Introduction/matrixMul/matrixMul.cu": ("", "-wA=32 -hA=32 -wB=32 -hB=32", ""),
    "0_Introduction/simpleAssert/simpleAssert.cu": ("", "", "crash 64"),
    "0_Introduction/simpleAtomicIntrinsics/simpleAtomicIntrinsics.cu": (
        "simpleAtomicIntrinsics_cpu.cpp",
        "",
        "crash 77",
    ),
    "0_Introduction/simpleCooperativeGroups/simpleCooperativeGroups.cu": ("", "", ""),
    "0_Introduction/simpleMultiGPU/simpleMultiGPU.cu": ("", "", ""),
    "0_Introduction/simpleOccupancy/simpleOccupancy.cu": ("", "", ""),
    "0_Introduction/simplePrintf/simplePrintf.cu": ("", "", ""),
    "0_Introduction/simpleTemplates/simpleTemplates.cu": ("", "", ""),
    "0_Introduction/simpleTexture/simpleTexture.cu": ("", "", "needs_gpu"),
    "0_Introduction/simpleVoteIntrinsics/simpleVoteIntrinsics.cu": ("", "", ""),
    "0_Introduction/simpleZeroCopy/simpleZeroCopy.cu": ("", "", ""),
    "0_Introduction/vectorAdd/vectorAdd.cu": ("", "", ""),
    "1_Utilities/deviceQuery/deviceQuery.cpp": ("", "", ""),
    "1_Utilities/topologyQuery/topologyQuery.cu": ("", "", ""),
    "2_Concepts_and_Techniques/inlinePTX/inlinePTX.cu": ("", "", "needs_gpu"),
    "2_Concepts_and_Techniques/radixSortThrust/radixSortThrust.cu": ("", "", "needs_gpu"),
    "2_Concepts_and_Techniques/reductionMultiBlockCG/reductionMultiBlockCG.cu": (
        "",
        "--n=32768 --maxblocks=16",
        "",
    ),
    "2_Concepts_and_Techniques/scalarProd/scalarProd.cu": ("scalarProd_cpu.cpp", "", ""),
    "2_Concepts_and_Techniques/shfl_scan/shfl_scan.cu": ("", "", "uninitialized 132"),
    "2_Concepts_and_Techniques/threadFenceReduction/threadFenceReduction.cu": ("", "--n=16384", ""),
    "3_CUDA_Features/simpleCudaGraphs/simpleCudaGraphs.cu": ("", "", "needs_gpu"),
}
INPUTS = ("matA", "matB", "batchA", "batchB", "conv_input", "conv_kernel")
INPUT_BYTES = 1 << 20


def wanted(name: str) -> bool:
    return not NAMES or any(word in name for word in NAMES)


def tilegrade(folder: Path, words: list[str]) -> str:
    """The output of a run."""
    command = [str(BUILD / "tilegrade"), "run", *words]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=LIMIT_S,
        stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    return done.stdout


def sizes_cut(name: str, source: Path) -> None:
    text = source.read_text()
    for size in SIZES.get(name.split("__")[0], "").split():
        word, value = size.split("=")
        pattern = rf"((?:const (?:int|size_t) {word} = |#define {word} +))\d+"
        text = re.sub(pattern, rf"\g<1>{value}", text)
    source.write_text(text)


def beaver_run(case: Path, solution: str) -> str:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "case"
        shutil.copytree(case / "testbench", folder)
        shutil.copy(case / solution, folder / "solution.cu")
        sizes_cut(case.name, folder / "solution.cu")
        (folder / "data").mkdir(exist_ok=True)
        for data in INPUTS if case.name in SIZES or "cudabench" in case.name else ():
            (folder / f"data/{data}.bin").write_bytes(bytes(range(0, 64, 4)) * (INPUT_BYTES // 16))
        built = json.loads((case / "input.json").read_text())["build_command"]
        words = [word for word in shlex.split(built) if word.endswith(".cu")]
        files = [f for word in words for f in sorted(map(str, folder.glob(word)))]
        inside = [str(Path(f).relative_to(folder)) for f in files]
        flags = ["FLAGS=-Iinclude"] if (folder / "include").is_dir() else []
        return tilegrade(folder, [*inside, *flags])


def expected_check(output: str, name: str, expected: dict[str, tuple[str, str, int]]) -> str:
    """Compares the first finding with that of the table."""
    kind, file, line = next(row for key, row in expected.items() if name.startswith(key))
    found, lines, _ = first_finding(output)
    right = found == kind and line in lines[:1] and f"{file}:{line}: " in output
    return "" if right else f"expected {kind} in {file}:{line}\n{output}"


def broken_check(case: Path) -> str:
    if not case.name.startswith(tuple(BROKEN)):
        return "skipped"
    return expected_check(beaver_run(case, "broken_start.cu"), case.name, BROKEN)


def reference_check(case: Path) -> str:
    if case.name.startswith(NEEDS_GPU):
        return "skipped"
    output = beaver_run(case, "reference.cu")
    if case.name.startswith(tuple(REFERENCES)):
        return expected_check(output, case.name, REFERENCES)
    kind, _, is_error = first_finding(output)
    return f"found {kind}\n{output}" if is_error else ""


def indigo_check(program: Path) -> str:
    racy = any(bug in program.name for bug in ("atomicBug", "guardBug", "raceBug", "syncBug"))
    bounds = "boundsBug" in program.name
    root = program.parents[2]
    words = [str(program), f"FLAGS=-I{root / 'indigo_include'}", "--"]
    graph = root / "input/power_law_200n_1000e.egr"
    output = tilegrade(graph.parent, [*words, graph.name, "256", "1024"])
    titles = re.findall(r"^(?:[\w./]+:\d+: )?(.+)$", output, re.M)
    kinds = {TITLES[title] for title in titles if title in TITLES}
    if racy != ("race" in kinds) or (bounds and "out_of_bounds" not in kinds):
        return f"found {sorted(kinds)}\n{output}"
    return f"found {sorted(kinds)}\n{output}" if kinds and not racy and not bounds else ""


def sample_check(program: Path) -> str:
    further, arguments, wanted_first = SAMPLES["/".join(program.parts[-3:])]
    words = [program.name, *further.split(), "FLAGS=-I../../../Common -I."]
    output = tilegrade(program.parent, [*words, "--", *arguments.split()])
    kind, lines, is_error = first_finding(output)
    found = " ".join([kind, *map(str, lines[:1])]) if is_error else ""
    if found == wanted_first or (kind == wanted_first == "needs_gpu"):
        return ""
    return f"expected {wanted_first}, found {found}\n{output}"


def checks() -> list[tuple[str, object, Path]]:
    found: list[tuple[str, object, Path]] = []
    if "CUDABEAVER" in os.environ:
        data = Path(os.environ["CUDABEAVER"]).resolve() / "data"
        for case in sorted([*data.glob("cuda_*"), *data.glob("cudabench_*")]):
            if "compile_error" not in case.name:
                found.append((f"{case.name} broken", broken_check, case))
                found.append((f"{case.name} reference", reference_check, case))
    if "INDIGO" in os.environ:
        sources = Path(os.environ["INDIGO"]).resolve() / "indigo_sources"
        for program in sorted(sources.glob("*/*.cu")):
            found.append((program.stem, indigo_check, program))
    if "SAMPLES" in os.environ:
        root = Path(os.environ["SAMPLES"]).resolve()
        found += [(name, sample_check, root / name) for name in SAMPLES]
    return [row for row in found if wanted(row[0])]


def try_one(row: tuple[str, object, Path]) -> tuple[str, str]:
    name, check, path = row
    try:
        return name, check(path)  # type: ignore[operator]
    except subprocess.TimeoutExpired:
        return name, f"no end in {LIMIT_S} s"


def main() -> int:
    count = {"passed": 0, "failed": 0, "skipped": 0}
    with ThreadPoolExecutor(THREADS) as pool:
        for name, why in pool.map(try_one, checks()):
            end = "skipped" if why == "skipped" else "failed" if why else "passed"
            count[end] += 1
            print(f"FAIL: {name}: {why}" if end == "failed" else f"{end} {name}", flush=True)
    print(", ".join(f"{number} {end}" for end, number in count.items()))
    return 1 if count["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
