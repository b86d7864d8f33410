"""The inputs that a fuzz target starts from: kept ones, files of the course, and ones made here.

tests/fuzz/seeds/TARGET/ holds small, readable inputs; tests/fuzz/regressions/TARGET/ holds inputs
that once crashed a parser, named by the mistake.
"""

from __future__ import annotations

import io
import os
import struct
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE.parent / "emu"), str(HERE.parent)]
import toolchain  # noqa: E402
from drawn import wrong_kernels  # noqa: E402

COURSE_BYTES_MAX = 16 << 10  # larger files of the course only slow a fuzzer down
SHF_TLS, SHARED_ALIGN = 0x400, 65536
KERNEL = "matmul_sum"
KERNEL_TEXT = """#include "matmul.cuh"
template <typename T> struct pair { T a, b; };
__constant__ float table[2] = {1.0f, 2.0f};
static __device__ float twice(const float *x) { return x[0] * 2.0f; }
__global__ void matmul_sum(const float *A, const float *B, float *C, int M, int N, int K)
{
    typedef float row[3];
    __shared__ row s[2];
    extern __shared__ pair<int> d[];
    static const float c[2] = {3.0f, 4.0f};
    s[1][threadIdx.x % 3] = twice(A);
    __syncthreads();
    C[0] = s[1][2] * table[N & 1] + c[K & 1] + d[M].b;
}
LAUNCH_CONFIG(matmul_sum, M, N, K) { launch->block = dim3(1); launch->grid = dim3(1); }
"""


def targets() -> list[str]:
    return sorted(path.stem.removeprefix("fuzz_") for path in HERE.glob("fuzz_*.c"))


def course_files(target: str) -> list[Path]:
    """Files of the repository that are inputs of this target without a change."""
    patterns = {
        "exercise": ["lessons/*/exercise.ini"],
        "page": ["lessons/*/*.md", "README.md"],
        "stub": ["reference/*.cu"],
        "source": ["reference/*.cu", "tests/emu/kinds/*/*/*.cu", "tests/right/*/*.cu"],
    }
    wrong = [*wrong_kernels().values()] if target == "source" else []
    found = [path for pattern in patterns.get(target, []) for path in sorted(ROOT.glob(pattern))]
    return found + wrong


def packages() -> dict[str, bytes]:
    made: dict[str, bytes] = {}
    for name, mode in (("tar", "w"), ("tgz", "w:gz"), ("txz", "w:xz"), ("tbz", "w:bz2")):
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode=mode) as package:  # type: ignore[call-overload]
            for path, text in (("work/sum.cu", "// sum\n"), ("notes.txt", "x" * 40)):
                entry = tarfile.TarInfo(path)
                entry.size = len(text)
                package.addfile(entry, io.BytesIO(text.encode()))
            link = tarfile.TarInfo("link.cu")
            link.type, link.linkname = tarfile.SYMTYPE, "../../etc/passwd"
            if name == "tar":
                package.addfile(link)
        made[name] = buffer.getvalue()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("sum.cu", "// sum\n" * 20)
        package.writestr("__MACOSX/._sum.cu", "debris")
    made["zip"] = buffer.getvalue()
    return made


def aligned(elf: bytes) -> bytes:
    """An object with the shim's alignment of thread-local sections, which marks __shared__
    arrays."""
    shape = bytearray(elf)
    start, size, count = struct.unpack_from("<40xQ10xHH", elf)
    for at in range(start, start + count * size, size):
        if struct.unpack_from("<Q", elf, at + 8)[0] & SHF_TLS:
            struct.pack_into("<Q", shape, at + 48, SHARED_ALIGN)
    return bytes(shape)


def objects() -> dict[str, bytes]:
    """An object, the program that is linked only from it, and both, one after the other.

    __shared__ arrays are aligned to 64 bytes instead of 65536, so that a file has few zeros.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "submission.cu").write_text(KERNEL_TEXT)
        shim, include = ROOT / "grader/emu/shim", ROOT / "grader/include"
        flags = toolchain.product_flags(ROOT / os.environ.get("BUILD", "build"))
        words = ["g++", *flags, "-w", "-include", shim / "cuda_emu.h"]
        words += [f"-I{include}", f"-I{include}/standin", f"-I{include}/standin/c"]
        words += [f"-DKERNEL={KERNEL}"]
        words += ["-S", "submission.cu", "-o", "kernel.s"]
        subprocess.run(words, cwd=folder, check=True)
        text = folder / "kernel.s"
        text.write_text(text.read_text().replace("65536", "64"))
        subprocess.run(["as", "kernel.s", "-o", "kernel.o"], cwd=folder, check=True)
        link = "gcc -nostdlib -static -no-pie -Wl,--unresolved-symbols=ignore-all"
        link += f" -Wl,-e,{KERNEL} -Wl,-z,noseparate-code kernel.o -o worker"
        subprocess.run(link.split(), cwd=folder, check=True)
        made = {file: (folder / file).read_bytes() for file in ("kernel.o", "worker")}
        both = aligned(made["kernel.o"])
        return made | {"both": len(both).to_bytes(4, "little") + both + made["worker"]}


def prepare(target: str, folder: Path) -> Path:
    """Puts all inputs of a target into folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for kept in ("seeds", "regressions"):
        for path in sorted((HERE / kept / target).glob("*")):
            (folder / f"{kept}-{path.name}").write_bytes(path.read_bytes())
    for i, path in enumerate(course_files(target)):
        if path.stat().st_size <= COURSE_BYTES_MAX:
            (folder / f"course-{i}-{path.name}").write_bytes(path.read_bytes())
    made = {"archive": packages, "object": objects}.get(target, dict)()
    for name, content in made.items():
        (folder / f"made-{name}").write_bytes(content)
    return folder
