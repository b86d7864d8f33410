"""tilegrade-bench from end to end on a simulated GPU; times are invented, products are not.

Builds tests/gpu/fake_cuda.c as libcuda.so.1 and fake_cublas.c; needs NVRTC, and is skipped without.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / os.environ.get("BUILD", "build")
sys.path[:0] = [str(ROOT / "grader/tools/ladder"), str(ROOT / "tests")]

import ladder  # noqa: E402
from drawn import sample  # noqa: E402

INI = "title = X\npoints = 1\nspeed_points = 0\ntile = 16\n"
CASES = "[cases]\none = 1\nragged = 3x5x7\n"
PARAMETERS = "[parameters]\nA = in {0} [M][K]\nB = in {0} [K][N]\nC = out float [M][N]\n"
SIZES = "M = int\nN = int\nK = int\n"
OF_HALF = "precision = fp16\nsizes = M N K\n" + PARAMETERS.format("half") + SIZES
OF_BF16 = OF_HALF.replace("in half", "in bf16")
TURNED = "sizes = M N K\n" + PARAMETERS.replace("[K][N]", "[N][K]").format("float") + SIZES
# Name, what exercise.ini has of its own, element of A and B.
EXERCISES = (
    ("plain", "", "float"),
    ("fast", "before = plain\n", "float"),
    ("rounded", "precision = tf32\n", "float"),
    ("halves", OF_HALF, "__half"),
    ("halves_too", OF_HALF, "__half"),
    ("bfloats", OF_BF16, "__nv_bfloat16"),
    ("turned", TURNED, "float"),
)
KERNEL = """#include "{header}.cuh"
__global__ void {kernel}(const {element} *A, const {element} *B, float *C, int M, int N, int K) {{}}
LAUNCH_CONFIG({kernel}, M, N, K) {{
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}}
"""


def course_make(root: Path) -> None:
    (root / "reference").mkdir(parents=True)
    for number, (name, own, element) in enumerate(EXERCISES):
        folder = root / f"lessons/{number + 1:02}_{name}"
        folder.mkdir(parents=True)
        (folder / "exercise.ini").write_text(INI + own + CASES)
        header, kernel = ("kernel", name) if "[p" in own else ("matmul", f"matmul_{name}")
        text = KERNEL.format(header=header, kernel=kernel, element=element)
        (root / f"reference/{name}.cu").write_text(text)


class Bench(unittest.TestCase):
    """Runs over a course of a few exercises, whose kernels the simulated GPU knows."""

    DEFINES: tuple[str, ...] = ()

    @classmethod
    def setUpClass(cls) -> None:
        cls.kept = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.kept.name)
        course_make(cls.folder / "course")
        for source, name in (("fake_cuda", "libcuda.so.1"), ("fake_cublas", "libcublas.so.13")):
            subprocess.run(
                ["gcc", "-std=c11", "-D_GNU_SOURCE", "-O2", "-shared", "-fPIC", f"-I{ROOT}/grader"]
                + [*cls.DEFINES, f"{ROOT}/tests/gpu/{source}.c", "-o", cls.folder / name, "-lm"],
                check=True,
            )

    @classmethod
    def tearDownClass(cls) -> None:
        cls.kept.cleanup()

    def bench(
        self, *words: str, root: Path | None = None, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        course = root or self.folder / "course"
        done = subprocess.run(
            [f"{BUILD}/tilegrade-bench", "--root", course, "--launches", "2", *words],
            env={**os.environ, "LD_LIBRARY_PATH": str(self.folder), **variables},
            capture_output=True,
            text=True,
            check=False,
        )
        if "no NVRTC" in done.stderr:
            self.skipTest("NVRTC is not here")
        return done

    def measured(self, *words: str) -> ladder.Ladder:
        """What was measured; all of it is right."""
        done = self.bench(*words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return ladder.ladder_read(done.stdout)


class Floats(Bench):
    @unittest.skipIf(sample(), "compiles and runs all references: only with ALL=1")
    def test_the_references_of_the_course_in_fp32_and_cublas_are_measured(self) -> None:
        done = self.bench("33x65x129,16", root=ROOT)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        page = ladder.ladder_read(done.stdout)
        self.assertEqual(page.facts["card"], "Fake GPU 0")
        self.assertEqual(page.sizes(), [(33, 65, 129), (16, 16, 16)])
        self.assertEqual(page.kernels()[-1], "cublas_fp32")
        self.assertGreaterEqual(len(page.kernels()), 4)
        # 2 M N K in a quarter of a millisecond, which the simulated clock always says
        for row in page.rows:
            self.assertAlmostEqual(
                row.gflops, 2 * row.size[0] * row.size[1] * row.size[2] / 250e3, 1
            )

    def test_an_exercise_names_those_that_are_called_alike_and_round_alike(self) -> None:
        for name, kernels in (
            ("fast", ["plain", "fast", "cublas_fp32"]),
            ("rounded", ["rounded", "cublas_tf32"]),
        ):
            page = self.measured("--exercise", name, "16")
            self.assertEqual(page.kernels(), kernels)
            self.assertEqual("fma_peak_gflops" in page.facts, name == "fast")

    def test_real_inputs_are_verified_too(self) -> None:
        for name, yardstick in (("plain", "cublas_fp32"), ("rounded", "cublas_tf32")):
            words = ("--exercise", name, "--real", "33x65x129")
            self.assertIn("random inputs", self.measured(*words).facts["how"])
            done = self.bench(*words, FAKE_CUBLAS="wrong")
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"{yardstick} is wrong at 33x65x129", done.stderr)

    def test_a_wrong_product_has_no_time_and_exit_code_1(self) -> None:
        done = self.bench("16", FAKE_CUBLAS="wrong")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cublas_fp32 is wrong at 16x16x16", done.stderr)
        self.assertIsNone(ladder.ladder_read(done.stdout).gflops("cublas_fp32", (16, 16, 16)))

    def test_a_kernel_that_writes_beside_c_is_wrong(self) -> None:
        self.assertEqual(self.bench("16", FAKE_CUDA="spoil=-4").returncode, 1)

    def test_an_exercise_that_is_no_step_is_told_why(self) -> None:
        for name, why in (
            ("turned", "turned is not a product of two matrices"),
            ("nothing", "there is no exercise nothing"),
        ):
            done = self.bench("--exercise", name, "16")
            self.assertEqual(done.returncode, 2)
            self.assertIn(why, done.stderr)

    def test_a_kernel_that_fails_is_named(self) -> None:
        done = self.bench("16", FAKE_CUDA="error=700")
        self.assertEqual(done.returncode, 2)
        self.assertIn("plain does not run at this size", done.stderr)

    def test_further_files_are_measured_under_their_names(self) -> None:
        file = next(iter(sorted((ROOT / "tests/bench/kernels").glob("*.cu"))))
        self.assertIn(f"\n{file.stem},,16,16,16,2,", self.bench("16", str(file)).stdout)

    def test_a_file_of_a_references_name_has_its_folder_too(self) -> None:
        done = self.bench("16", str(self.folder / "course/reference/plain.cu"))
        self.assertRegex(done.stdout, r"\nreference/plain,,16,16,16,2,")

    def test_a_file_of_other_parameters_is_refused(self) -> None:
        done = self.bench("16", str(self.folder / "course/reference/halves.cu"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("halves.cu: the kernel halves is not called matmul_…", done.stderr)

    def test_bad_sizes_are_bad_usage(self) -> None:
        self.assertEqual(self.bench("16,0").returncode, 2)
        self.assertEqual(self.bench().returncode, 2)


class Halves(Bench):
    DEFINES = ("-DFAKE_HALF",)

    def test_matrices_of_half_are_compared_with_cublas_of_half(self) -> None:
        for words in ((), ("--real",)):
            page = self.measured("--exercise", "halves", *words, "33x65x129")
            self.assertEqual(page.kernels(), ["halves", "halves_too", "cublas_fp16"])
            self.assertEqual("how" in page.facts, words != ())

    def test_a_wrong_product_of_halves_is_found(self) -> None:
        for words in ((), ("--real",)):
            done = self.bench("--exercise", "halves", *words, "33x65x129", FAKE_CUBLAS="wrong")
            self.assertEqual(done.returncode, 1)
            self.assertIn("cublas_fp16 is wrong at 33x65x129", done.stderr)

    def test_long_sums_of_halves_are_exact(self) -> None:
        self.assertEqual(len(self.measured("--exercise", "halves", "3x5x16384").rows), 3)


class Bfloats(Bench):
    DEFINES = ("-DFAKE_BF16",)

    def test_matrices_of_bf16_are_compared_with_cublas_of_bf16(self) -> None:
        for words in ((), ("--real",)):
            for size in ("33x65x129", "3x5x16384"):
                page = self.measured("--exercise", "bfloats", *words, size)
                self.assertEqual(page.kernels(), ["bfloats", "cublas_bf16"])

    def test_a_wrong_product_of_bf16_is_found(self) -> None:
        for words in ((), ("--real",)):
            done = self.bench("--exercise", "bfloats", *words, "33x65x129", FAKE_CUBLAS="wrong")
            self.assertEqual(done.returncode, 1)
            self.assertIn("cublas_bf16 is wrong at 33x65x129", done.stderr)


if __name__ == "__main__":
    unittest.main()
