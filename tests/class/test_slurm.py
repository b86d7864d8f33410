"""A class on a cluster: the same results as on one machine, although nodes are lost on the way."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import rig
import slurm

MISSING = slurm.missing()


@unittest.skipIf(MISSING, MISSING)
class Slurm(unittest.TestCase):
    folder: Path
    cluster: slurm.Cluster
    alone: dict[str, object]

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(tempfile.mkdtemp(prefix="tilegrade-class-"))
        cls.course = rig.course_make(cls.folder)
        cls.submissions = rig.submissions_make(cls.course, cls.folder / "submissions")
        cls.head = cls.folder / "cluster.sbatch"
        cls.head.write_text("#SBATCH --partition=all --mem=500\nexport GREETING=hello\n")
        out = cls.folder / "alone"
        rig.seed_write(out, "5")
        done = rig.run(cls.words(out))
        assert done.returncode == 0, done.stderr
        cls.alone = rig.content(out)
        cls.cluster = slurm.Cluster()
        cls.cluster.__enter__()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.cluster.stop()
        shutil.rmtree(cls.folder)

    @classmethod
    def words(cls, out: Path, *more: str) -> list[str]:
        return rig.command(cls.course, out, f"--submissions={cls.submissions}", *more)

    def begin(self, out: Path, *more: str) -> subprocess.Popen[str]:
        rig.seed_write(out, "5")
        return subprocess.Popen(
            self.words(out, "--engine=slurm", f"--slurm={self.head}", *more),
            env=rig.environment(**self.cluster.environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def graded(self, out: Path) -> int:
        states = [row["state"] for row in rig.book(out).values()]
        return states.count("graded")

    def test_results_are_collected_without_the_run_that_began(self) -> None:
        out = self.folder / "left"
        process = self.begin(out)
        # The job that collects the results is submitted last.
        rig.wait_for(
            lambda: self.cluster.has_job("tilegrade-collect") or process.poll() is not None
        )
        process.kill()
        process.communicate()
        rig.wait_for(lambda: self.graded(out) == 7)
        self.assertEqual(rig.content(out), self.alone)

    def test_results_are_the_same_if_two_nodes_are_lost(self) -> None:
        out = self.folder / "lost"
        process = self.begin(out)
        lost: list[str] = []
        while len(lost) < 2 and process.poll() is None:
            for name in self.cluster.names:
                if len(lost) < 2 and name not in lost and self.cluster.processes_on(name):
                    self.cluster.kill_node(name)
                    lost.append(name)
            time.sleep(0.1)
        said = process.communicate(timeout=rig.WAIT_S)[0]
        self.assertEqual(len(lost), 2, said)
        self.assertEqual(process.returncode, 0, said)
        self.assertEqual(rig.content(out), self.alone)
        for path in (out / "slurm").iterdir():
            text = path.read_text()
            self.assertEqual([name for name in rig.book(out) if name in text.split()], [], path)

    def test_refusal_is_reported(self) -> None:
        process = self.begin(self.folder / "refused", "--device=gpu")
        said = process.communicate(timeout=rig.WAIT_S)[0]
        self.assertEqual(process.returncode, 3)
        self.assertIn("Slurm refuses the job", said)
        self.assertIn("gres", said)

    @unittest.skip("needs nodes with a GPU: that --gres=gpu:1 gives each task one is not tested")
    def test_each_task_has_a_gpu_of_its_own(self) -> None: ...


if __name__ == "__main__":
    unittest.main()
