"""Times the references next to cuBLAS on a GPU, and writes figures, a page and a plot.

`make bench` measures at 14 sizes: small, thin, deep, aligned and not.  `make bench ladder` takes
the three at which the steps of the course are judged.  SIZES asks for others, FILES for further
kernels, EX=tensor_core for products called as that one, with cuBLAS of the same type, REAL=1 for
real inputs, FROM=ladder.csv for stored figures; WRITE=1 writes the tables of the lessons.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
FOLDER = Path("build/ladder")
LADDER_SIZES = "2048,4095,4096"
SIZES = (
    "33x65x129,256,512,1000,1023,1024,100x100x10000,4096x64x4096,64x4096x4096,"
    "2047,2048,4095,4096,8192"
)


def tool(name: str, *words: object) -> int:
    return subprocess.run([sys.executable, HERE / name, *words]).returncode


def figures_take(options: dict[str, str], default_sizes: str) -> int:
    """Measures, or copies stored figures, into build/ladder/ladder.csv."""
    path, part = FOLDER / "ladder.csv", FOLDER / "new.csv"
    if "from" in options:
        shutil.copyfile(options["from"], path)
        return 0
    how = [f"--exercise={options['exercise']}"] if "exercise" in options else []
    how += ["--real"] if "real" in options else []
    files = options.get("files", "").split()
    bench = ["build/tilegrade-bench", *how, options.get("sizes", default_sizes), *files]
    with part.open("w") as out:
        code = subprocess.run(bench, stdout=out).returncode
    if code:
        return code
    part.rename(path)
    return tool("bounds.py", path, "build/tilegrade-bench", *how, *files)


def work_count(options: dict[str, str]) -> None:
    """The bound of each kernel, estimated from work that is counted on the CPU.

    The GPU is hidden, so that the compiler's registers are known and no time is measured.
    """
    words = ["build/tilegrade", "grade", "--submission=reference", f"--out={FOLDER}/counted"]
    words += [f"--card={options['card']}"] if "card" in options else []
    hidden = os.environ | {"CUDA_VISIBLE_DEVICES": ""}
    if subprocess.run(words, stdout=subprocess.DEVNULL, env=hidden).returncode:
        print(
            "what bounds each kernel is not known: the references cannot be graded",
            file=sys.stderr,
        )


def main(options: dict[str, str], words: list[str]) -> int:
    if words not in ([], ["ladder"]):
        print("bench: the only word is `ladder`", file=sys.stderr)
        return 2
    FOLDER.mkdir(parents=True, exist_ok=True)
    try:
        code = figures_take(options, LADDER_SIZES if words else SIZES)
    except OSError as error:
        print(f"bench: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    if code:
        return code
    # Figures without the peak of the GPU have no table that shows it.
    if "fma_peak_gflops" in (FOLDER / "ladder.csv").read_text():
        work_count(options)
    return tool("ladder.py", FOLDER, *(["--write", "."] if "write" in options else []))
