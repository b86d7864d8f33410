"""There is a warning if kernels can reach all memory of their worker (with fake_cuda.c)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from small import course_copy  # noqa: E402

BUILD = ROOT / os.environ.get("BUILD", "build")
OF_DOCTOR = "uvm_disable_hmm=1"
OF_RESULT = "a kernel on this GPU can reach all memory of its worker (HMM)"


class PageableMemory(unittest.TestCase):
    def told(self, folder: str, pageable: int) -> tuple[str, str, str]:
        """What the doctor prints, what a grade prints, and the layers in its result."""
        words = ["gcc", "-std=c11", "-D_GNU_SOURCE", "-O2", "-shared", "-fPIC", f"-I{ROOT}/grader"]
        words += [f"-DFAKE_PAGEABLE={pageable}", f"{ROOT}/tests/gpu/fake_cuda.c"]
        subprocess.run([*words, "-o", f"{folder}/libcuda.so.1", "-lm"], check=True)
        environment = {**os.environ, "LD_LIBRARY_PATH": folder}
        program = str(BUILD / "tilegrade")
        course = course_copy(Path(folder) / "course")
        grade = [program, "grade", f"--root={course}", "--device", "gpu", "--out", folder]
        grade += [f"--submission={course}/reference"]
        doctor = subprocess.run(
            [program, "doctor"], env=environment, capture_output=True, text=True, check=False
        )
        if "NVRTC        no NVRTC" in doctor.stdout:
            self.skipTest("NVRTC is not here")
        done = subprocess.run(grade, env=environment, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        result = json.loads(Path(folder, "result.json").read_text(encoding="utf-8"))
        return doctor.stdout, " ".join(done.stdout.split()), result["sandbox"]

    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name
        Path(self.folder).chmod(0o755)  # for programs in the sandbox, which run as another user

    def test_the_doctor_and_every_result_warn(self) -> None:
        doctor, printed, layers = self.told(self.folder, pageable=1)
        self.assertIn(OF_DOCTOR, doctor)
        self.assertIn(OF_RESULT, printed)
        self.assertIn(OF_RESULT, layers)

    def test_a_gpu_behind_a_wall_is_not_warned_of(self) -> None:
        doctor, printed, layers = self.told(self.folder, pageable=0)
        self.assertNotIn(OF_DOCTOR, doctor)
        self.assertNotIn("HMM", printed + layers)


if __name__ == "__main__":
    unittest.main()
