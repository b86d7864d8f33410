"""A grade on a simulated GPU, with and without a simulated cuBLAS: what is said about cuBLAS, and
that no points depend on it.

Times are invented, products are not (tests/gpu/fake_cuda.c, fake_cublas.c, fake_clock.c).  NVRTC is
needed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / os.environ.get("BUILD", "build")
CASES = "[cases]\none = 1\nragged = 67x33x129\n\n"
TIMED = "[timed]\n48 = 0.95 0.30 3\n50x48x46 = 0.95 0.30 1\n\n"
PLAIN, AGAINST = "naive", "tiled"


def library(source: str, folder: Path, name: str, *defines: str) -> None:
    command = ["gcc", "-std=c11", "-D_GNU_SOURCE", "-O2", "-shared", "-fPIC", f"-I{ROOT}/grader"]
    folder.mkdir(exist_ok=True)
    subprocess.run(
        [*command, *defines, f"{ROOT}/tests/gpu/{source}.c", "-o", folder / name, "-lm"],
        check=True,
    )


def course_make(root: Path) -> None:
    """Two exercises of the course at sizes that a simulated GPU can do."""
    (root / "reference").mkdir(parents=True)
    (root / "student").mkdir()
    for folder in sorted(ROOT.glob("lessons/[0-9]*_*")):
        name = folder.name.split("_", 1)[1]
        if name not in (PLAIN, AGAINST):
            continue
        shutil.copytree(folder, root / "lessons" / folder.name)
        shutil.copy(ROOT / f"reference/{name}.cu", root / "reference")
        ini = root / "lessons" / folder.name / "exercise.ini"
        text = ini.read_text()
        for section in (CASES, TIMED):
            text = re.sub(rf"^\{section.split()[0][:-1]}\][^\[]*", section, text, flags=re.M)
        ini.write_text(("against = cublas\n" if name == AGAINST else "") + text)


class Cublas(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.kept = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.kept.name)
        cls.folder.chmod(0o755)  # workers run as another user
        course_make(cls.folder / "course")
        cls.grades: dict[str, tuple[str, dict[str, Any]]] = {}
        library("fake_cuda", cls.folder / "driver", "libcuda.so.1")
        library("fake_clock", cls.folder / "driver", "fake_clock.so")
        cls.alone = cls.grade("none")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.kept.cleanup()

    @classmethod
    def grade(cls, name: str, *defines: str) -> tuple[str, dict[str, Any]]:
        """What is printed, and the result; `none`: no cuBLAS can be opened."""
        if name not in cls.grades:
            cls.grades[name] = cls.grade_anew(name, *defines)
        return cls.grades[name]

    @classmethod
    def grade_anew(cls, name: str, *defines: str) -> tuple[str, dict[str, Any]]:
        libraries = cls.folder / name
        library("fake_cublas", libraries, "libcublas.so.13", *defines)
        if name == "none":
            for major in (11, 12, 13):
                (libraries / f"libcublas.so.{major}").write_text("no library")
        out = cls.folder / f"out_{name}"
        command = [BUILD / "tilegrade", "--root", cls.folder / "course", "grade"]
        words = ["--submission", cls.folder / "course/reference", "--device", "gpu", "--out", out]
        variables = {
            "LD_LIBRARY_PATH": f"{libraries}:{cls.folder / 'driver'}",
            "LD_PRELOAD": f"{cls.folder}/driver/fake_clock.so",
            "TILEGRADE_LOCKS": str(cls.folder),
        }
        done = subprocess.run(
            [*command, *words, "--seed", "00000000000000000000000000000001"],
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
            check=False,
        )
        if "NVRTC" in done.stderr:
            raise unittest.SkipTest("NVRTC is not here")
        if done.returncode != 0:
            raise AssertionError(f"exit {done.returncode}: {done.stdout}{done.stderr}")
        return " ".join(done.stdout.split()), json.loads((out / "result.json").read_text())

    def exercise(self, result: dict[str, Any], name: str) -> dict[str, Any]:
        return next(one for one in result["exercises"] if one["name"] == name)

    def points(self, result: dict[str, Any]) -> list[tuple[Any, ...]]:
        """Everything that a grade consists of."""
        keys = ("verdict", "ratio", "low", "high", "pairs", "points", "points_max")
        return [(result["points"], result["points_max"], result["complete"])] + [
            tuple(speed[key] for key in keys)
            for exercise in result["exercises"]
            for speed in exercise["speed"]
        ]

    def schema_check(self, result: dict[str, Any]) -> None:
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        jsonschema.validate(result, json.loads((ROOT / "grader/result.schema.json").read_text()))

    def test_times_of_cublas_stand_beside_those_of_the_kernel(self) -> None:
        text, result = self.grade("right")
        plain = self.exercise(result, PLAIN)
        self.assertEqual(plain["cublas"], {"version": "13.0.0", "note": ""})
        for speed in plain["speed"]:
            self.assertEqual(speed["cublas_gflops"], speed["gflops"])  # by the simulated clock
            self.assertEqual(speed["cublas_ms"], [0.25] * 7)
            self.assertNotIn("against_cublas", speed)
        self.assertIn("0.000885 TFLOPS; reference 0.000885, cuBLAS 0.000885", text)
        self.schema_check(result)

    def test_an_exercise_may_ask_for_pairs_and_has_a_verdict_of_its_own(self) -> None:
        text, result = self.grade("0.243f", "-DFAKE_MS=0.243f")
        for speed in self.exercise(result, AGAINST)["speed"]:
            pairs = speed["against_cublas"]
            self.assertEqual((pairs["verdict"], pairs["pairs"]), ("slow", 11))
            self.assertAlmostEqual(pairs["ratio"], 0.972, 5)
            self.assertEqual(speed["verdict"], "fast")  # against the reference
        self.assertIn("slower than cuBLAS 13.0.0: 0.972 (0.972-0.972, 11 pairs); not graded", text)
        self.assertEqual(self.points(result), self.points(self.alone[1]))
        self.schema_check(result)

    def test_cublas_as_fast_as_the_kernel_is_no_defeat(self) -> None:
        told = (("0.253f", "faster than"), ("0.247f", "as fast as"), ("0.243f", "slower than"))
        for ms, words in told:
            with self.subTest(ms):  # 1.012, 0.988, 0.972 of cuBLAS; as fast from 0.98 on
                text, _ = self.grade(ms, f"-DFAKE_MS={ms}")
                self.assertIn(f" {words} cuBLAS 13.0.0: ", text)

    def test_without_cublas_the_grade_is_the_same_and_says_so(self) -> None:
        text, result = self.alone
        for exercise in result["exercises"]:
            self.assertEqual(exercise["cublas"]["version"], "")
            self.assertIn("cuBLAS was not found", exercise["cublas"]["note"])
            self.assertFalse(any("cublas_gflops" in speed for speed in exercise["speed"]))
        self.assertIn("cuBLAS was not found", text)
        self.assertEqual(self.points(self.grade("right")[1]), self.points(result))
        self.schema_check(result)

    def test_a_cublas_that_fails_costs_nobody_anything(self) -> None:
        for name, define, words in (
            ("wrong", "-DFAKE_WRONG", "is not right: "),
            ("abort", "-DFAKE_ABORT", "is not right: "),
            ("refuse", "-DFAKE_REFUSE", "cuBLAS was not found"),
        ):
            with self.subTest(name):
                text, result = self.grade(name, define)
                self.assertEqual(self.points(result), self.points(self.alone[1]))
                note = self.exercise(result, PLAIN)["cublas"]["note"]
                self.assertIn("not compared with cuBLAS: ", note)
                self.assertIn(words, note)

    def test_a_score_comes_back_from_the_result_whatever_cublas_did(self) -> None:
        for name in ("none", "right"):
            folder = self.folder / f"out_{name}"
            self.grade(name)
            done = subprocess.run(
                [BUILD / "tilegrade", "--root", self.folder / "course", "regrade"]
                + ["--result", folder / "result.json"],
                capture_output=True,
                text=True,
                check=False,
            )
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)


if __name__ == "__main__":
    unittest.main()
