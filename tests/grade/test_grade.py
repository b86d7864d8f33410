"""Grades the references end to end, and compares the counted work with Nsight Compute's.

COUNTS was read from Nsight Compute on an H200 (global loads and stores: requests and sectors) for
these three kernels at their counted sizes.  Of the other references one in PART is graded, drawn by
the commit, or all with SETS=all.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from drawn import is_drawn  # noqa: E402  (found by the line above)
from test_sampled import course_make  # noqa: E402

BUILD = ROOT / os.environ.get("BUILD", "build")
PART = 24
FIELDS = (
    "global_load_requests",
    "global_load_sectors",
    "global_store_requests",
    "global_store_sectors",
)
COUNTS = {
    ("naive", 256): (1048576, 2097152, 2048, 8192),
    ("naive", 252): (1016064, 2270268, 2016, 9954),
    ("tiled", 384): (221184, 884736, 4608, 18432),
    ("tiled", 380): (218880, 1085280, 4560, 22610),
    ("register_tiled", 512): (32768, 524288, 2048, 32768),
    ("register_tiled", 500): (32128, 580000, 2016, 33250),
}
# As the source says, two for each multiply-add of a warp, in whole tiles at 380 too.
TILED_SHARED_LOAD_WAVEFRONTS = 2 * 384**3 // 32
# memory_l2_theoretical_sectors_global_ideal, and FFMA instructions of threads (with those of zero
# padding): NVIDIA H200, driver 580.159.04, Nsight Compute 2025.3.1.0, 2026-11-28.
IDEAL_SECTORS_AND_FMA = {
    ("naive", 256): (2105344, 16777216),
    ("naive", 252): (2278206, 16003008),
    ("tiled", 384): (903168, 56623104),
    ("tiled", 380): (884450, 56623104),
    ("register_tiled", 512): (557056, 134217728),
    ("register_tiled", 500): (531252, 134217728),
}

# The same of the kernels on tensor cores, at 256: NVIDIA H200, driver 580.159.04, 2026-11-24.
# Operations are sm__ops_path_tensor_op_hmma_src_*_dst_fp32; of wgmma, which that leaves out, each
# sm__inst_executed_pipe_tensor_op_gmma is 16 rows.  async_copies are smsp__inst_executed_op_ldgsts,
# shared loads smsp__inst_executed_op_ldsm or l1tex__data_pipe_lsu_wavefronts_mem_shared_op_gmma of
# 128 bytes each, and global loads l1tex__m_xbar2l1tex_read_bytes_mem_global_op_tma_ld: what a
# multicast copy of two blocks reads once arrives twice there.
ON_TENSOR_CORES = {
    "tensor_core": {"tensor_flops": 33554432},
    "tensor_pipeline": {"tensor_flops": 33554432, "async_copies": 1024},
    "tensor_mma": {"tensor_flops": 33554432, "shared_load_requests": 2176},
    "warp_specialized": {
        "tensor_flops": 512 * 2 * 16 * 128 * 16,
        "shared_load_bytes": 6144 * 128,
        "global_load_bytes": 524288,
    },
    "block_clusters": {
        "tensor_flops": 256 * 2 * 16 * 256 * 16,
        "shared_load_bytes": 5120 * 128,
        "global_load_bytes": 393216 - 262144 // 2,
    },
    "tensor_challenge": {
        "tensor_flops": 1024 * 2 * 16 * 64 * 16,
        "shared_load_bytes": 8192 * 128,
        "global_load_bytes": 786432,
    },
}


def grade(folder: str, *options: str, root: Path = ROOT) -> dict:
    command = [BUILD / "tilegrade", "grade", "--submission", root / "reference", "--out", folder]
    done = subprocess.run(
        [*command, "--device", "emu", *options],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise AssertionError(f"exit {done.returncode}: {done.stdout}{done.stderr}")
    return json.loads(Path(folder, "result.json").read_text())


def measured(result: dict) -> list[dict]:
    """The exercises whose references Nsight Compute was run on."""
    names = {name for name, _ in COUNTS}
    return [exercise for exercise in result["exercises"] if exercise["name"] in names]


class References(unittest.TestCase):
    result: dict

    @classmethod
    def setUpClass(cls) -> None:
        measured_ones = {name for name, _ in COUNTS}
        names = [path.stem for path in sorted((ROOT / "reference").glob("*.cu"))]
        names = [name for name in names if name in measured_ones or is_drawn("grade", name, PART)]
        with tempfile.TemporaryDirectory() as folder:
            cls.result = grade(folder, "--exercise", ",".join(names))

    def test_references_have_full_points_and_no_finding(self) -> None:
        points_open = self.result["points_open"]  # of those that need a GPU
        self.assertEqual(self.result["points"], self.result["points_max"] - points_open)
        self.assertGreater(self.result["points"], points_open)
        for exercise in self.result["exercises"]:
            with self.subTest(exercise["name"]):
                needs_gpu = exercise["verdict"] == "needs_gpu"
                self.assertEqual(exercise["verdict"], "needs_gpu" if needs_gpu else "pass")
                self.assertEqual(exercise["findings"], [])
                self.assertFalse(needs_gpu and self.result["complete"])

    def test_counted_work_equals_nsight_compute(self) -> None:
        found = {
            (exercise["name"], speed["size"][0]): speed["counts"]
            for exercise in measured(self.result)
            for speed in exercise["speed"]
        }
        self.assertEqual(set(found), set(COUNTS))
        for key, expected in COUNTS.items():
            with self.subTest(key):
                self.assertEqual(tuple(found[key][field] for field in FIELDS), expected)
        for size in (384, 380):
            wavefronts = found["tiled", size]["shared_load_wavefronts"]
            self.assertEqual(wavefronts, TILED_SHARED_LOAD_WAVEFRONTS)

    def test_ideal_sectors_conflicts_and_flops_equal_nsight_compute(self) -> None:
        for exercise in measured(self.result):
            for speed in exercise["speed"]:
                counts = speed["counts"]
                ideal = counts["global_load_ideal"] + counts["global_store_ideal"]
                key = (exercise["name"], speed["size"][0])
                with self.subTest(key):
                    self.assertEqual((ideal, counts["flops"] // 2), IDEAL_SECTORS_AND_FMA[key])
                    # No wavefront is excessive once neighbouring words are joined, as nvcc does.
                    self.assertEqual(
                        counts["shared_load_joined"], counts["shared_load_joined_ideal"]
                    )
                    self.assertEqual(
                        counts["shared_store_wavefronts"], counts["shared_store_ideal"]
                    )

    def test_work_on_tensor_cores_equals_nsight_compute(self) -> None:
        found = {
            (exercise["name"], *speed["size"]): speed["counts"]
            for exercise in self.result["exercises"]
            for speed in exercise["speed"]
        }
        graded = {exercise["name"] for exercise in self.result["exercises"]}
        if not graded & set(ON_TENSOR_CORES):
            self.skipTest("no reference on tensor cores is drawn")
        for name in sorted(graded & set(ON_TENSOR_CORES)):
            for field, value in ON_TENSOR_CORES[name].items():
                with self.subTest(name, field=field):
                    self.assertEqual(found[name, 256, 256, 256][field], value)

    def test_lines_add_up_to_the_whole(self) -> None:
        counted = [exercise for exercise in self.result["exercises"] if exercise["speed"]]
        self.assertGreater(len(counted), 0)
        for exercise in counted:
            counts = exercise["counts"]
            lines = counts["lines"]
            self.assertTrue(all(line["line"] > 0 for line in lines))
            self.assertEqual(sum(line["flops"] for line in lines), counts["flops"])
            for kind, unit in (("global_load", "sectors"), ("shared_load", "wavefronts")):
                parts = [line[kind] for line in lines if kind in line]
                for field in ("requests", unit, "ideal", "bytes"):
                    total = sum(part[field] for part in parts)
                    with self.subTest(exercise["name"], kind=kind, field=field):
                        self.assertEqual(total, counts[f"{kind}_{field}"])

    def test_result_fits_its_schema(self) -> None:
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        schema = json.loads((ROOT / "grader/result.schema.json").read_text())
        jsonschema.validate(self.result, schema)
        broken = {**self.result, "points": "many"}
        with self.assertRaises(jsonschema.ValidationError):
            jsonschema.validate(broken, schema)

    def test_reports_are_made_of_it(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "result.json")
            source.write_text(json.dumps(self.result))
            for name, file in (
                ("html", "report.html"),
                ("markdown", "report.md"),
                ("junit", "report.xml"),
            ):
                command = [sys.executable, ROOT / "grader/report/report.py", name, source, folder]
                subprocess.run(command, check=True, capture_output=True)
                self.assertGreater(Path(folder, file).stat().st_size, 200)

    def test_traces_of_the_references_are_what_their_source_says(self) -> None:
        sys.path.insert(0, str(ROOT / "grader/report"))
        from drawing import formula
        from parse import result_parse

        result = result_parse(json.dumps(self.result), "result.json")
        found = {
            exercise.name: {row.element for row in formula.rows_of(exercise.maps.list[0])}
            for exercise in result.exercises
            if exercise.maps
        }
        self.assertLessEqual({"A[16 + ty][i], i = 0 to 23", "C[16 + ty][16 + tx]"}, found["naive"])
        self.assertEqual(
            found["tiled"],
            {
                "A[16 + ty][16 t + tx], t = 0 to 2",
                "B[16 t + ty][16 + tx], t = 0 to 2",
                "As[ty][tx]",
                "Bs[ty][tx]",
                "As[ty][i], i = 0 to 15",
                "Bs[i][tx], i = 0 to 15",
                "C[16 + ty][16 + tx]",
            },
        )
        self.assertIn(
            "4 elements from B[16 t + ty][64 + 4 tx], t = 0 to 2", found["register_tiled"]
        )


class Seeds(unittest.TestCase):
    def test_one_seed_gives_one_result_byte_for_byte(self) -> None:
        texts = []
        with tempfile.TemporaryDirectory() as course:
            Path(course).chmod(0o755)  # workers run as another user
            course_make(Path(course))
            for seed, jobs in (("abc", "2"), ("abc", "1"), ("abd", "2")):
                with tempfile.TemporaryDirectory() as folder:
                    grade(folder, "--seed", seed, "--jobs", jobs, root=Path(course))
                    text = Path(folder, "result.json").read_bytes()
                    texts.append(re.sub(rb'\n  "(graded_at|seconds)": .*', b"", text))
        self.assertEqual(texts[0], texts[1])
        self.assertNotEqual(texts[0], texts[2])


if __name__ == "__main__":
    unittest.main()
