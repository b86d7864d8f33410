"""What attacks on the GPU path need: a GPU, or NVRTC with a simulated driver.

`gpu = compiled` is refused before anything is launched, so NVRTC and tests/gpu/fake_cuda.c, which
looks like a driver with one GPU, are enough.  `gpu = yes` needs a GPU. Without one, it is only
checked that NVRTC accepts the file, so that no attack is refused for an unintended reason.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path

from attack import HERE, KERNEL, Attack, kernel_of

ROOT = HERE.parent.parent
PASSED = ("CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH")  # variables for programs that use the GPU
# A launch at 1024 takes half a millisecond; the course's own size is for the CPU. The plain right
# kernel of the attacks has other blocks than the reference: at 64 it has 0.91 of the reference's
# speed.
TIMED = ("64 = 0.95 0.30", "64 = 0.80 0.30\n1024 = 0.80 0.30")


def driver_folder(build: Path) -> Path:
    return build / "tests/made-up-driver"


def driver_make(build: Path) -> None:
    folder = driver_folder(build)
    folder.mkdir(parents=True, exist_ok=True)
    words = ["gcc", "-std=c11", "-D_GNU_SOURCE", "-O2", "-shared", "-fPIC", f"-I{ROOT}/grader"]
    words += [f"{ROOT}/tests/gpu/fake_cuda.c", "-o", f"{folder}/libcuda.so.1", "-lm"]
    subprocess.run(words, check=True)


def environment_of(build: Path, gpu: str) -> dict[str, str]:
    """The judge's environment: with no GPU, the simulated one, or the machine's own."""
    if gpu == "no":
        return {"CUDA_VISIBLE_DEVICES": ""}
    if gpu == "compiled":
        return {"LD_LIBRARY_PATH": str(driver_folder(build))}
    return {name: os.environ[name] for name in PASSED if name in os.environ}


def probe(build: Path, gpu: str) -> dict:
    """What tilegrade-nvrtc finds on this machine."""
    words = [str(build / "tilegrade-nvrtc"), "--probe"]
    environment = {**os.environ, **environment_of(build, gpu)}
    done = subprocess.run(words, env=environment, capture_output=True, check=True)
    return json.loads(done.stdout)


def nvrtc_is_here(build: Path) -> bool:
    return bool(probe(build, "compiled")["nvrtc_major"])


def gpu_is_here(build: Path) -> bool:
    said = probe(build, "yes")
    return bool(said["gpus"]) and bool(said["nvrtc_major"])


def course_prepare(course: Path) -> None:
    """Adds a timed size that keeps a GPU busy."""
    (path,) = course.glob("lessons/*_sum/exercise.ini")
    text = path.read_text(encoding="utf-8")
    head, mark, rest = text.partition("[timed]\n")
    path.write_text(head + mark + rest.replace(*TIMED, 1), encoding="utf-8")


def compile_problems(build: Path, attack: Attack) -> list[str]:
    """Why NVRTC, or the inspection of its output, refuses the file of an attack."""
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        source = Path(folder) / KERNEL
        source.write_bytes(kernel_of(HERE / attack.name))
        words = [str(build / "tilegrade-nvrtc"), str(source), "matmul_sum"]
        words += ["sm_90", "out.cubin", str(ROOT / "grader/include")]
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
        report = Path(folder) / "report.json"
        if done.returncode != 0 or not report.exists():
            return [f"tilegrade-nvrtc: exit code {done.returncode}: {done.stderr[:300]}"]
        said = json.loads(report.read_text(encoding="utf-8"))
    if said["fault"] == "none":
        return []
    return [f"{said['fault']}: {said['text']}", *said.get("diagnostics", "").splitlines()[:12]]
