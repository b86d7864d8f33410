#!/usr/bin/python3
"""A large class, made from the kernels of the course: how long it takes, and that nothing is lost.

  scale.py FOLDER make N          submissions as Canvas hands them out, and a roster
  scale.py FOLDER small N         the same for the one exercise of tests/cli/course, which is quick
  scale.py FOLDER time [JOBS]     grades them; says what that took
  scale.py FOLDER kill KILLS      grades them again, killed at random moments; compares
  scale.py FOLDER engines         grades them with 1, 2 and 4 jobs and on a cluster of four nodes,
                                  two of which are lost; compares

It is not run by `make check`; tests/class/test_class.py is the same in small.  With SETS=all and no
argument, all of it is done, with N = 150 and 50 kills, in a folder of its own.
"""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from pathlib import Path

import rig
import slurm

sys.path.append(str(rig.ROOT / "grader/tools"))
from patches import wrong_texts  # noqa: E402  (found by the line above)

EXERCISES = ("naive", "tiled", "register_tiled")
# Of a thousand.
BROKEN, ENDLESS, EATERS, TWICE, MISSING = 20, 5, 5, 10, 30

LAUNCH = """
LAUNCH_CONFIG(matmul_{name}, M, N, K)
{{
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}}
"""
HEAD = """#include "matmul.cuh"
__global__ void matmul_{name}(const float *A, const float *B, float *C, int M, int N, int K)
{{
"""
ENDLESS_BODY = "    for (volatile int i = 0; M > 0;) i = i + 1;\n}}\n"
# Each of 20 macros doubles the one before.
EATER_BODY = (
    "    static const char many[] = {{ LAST }};\n    C[0] = many[K];\n}}\n"
)
EATER_MACROS = "#define X0 1,1,1,1,1,1,1,1,\n" + "".join(
    f"#define X{i} X{i - 1} X{i - 1}\n" for i in range(1, 26)
)


def course_of(folder: Path) -> Path:
    """The course of the repository, or the small one."""
    small = folder / "course"
    return small if small.is_dir() else rig.ROOT


def kernels(course: Path, exercise: str, right: bool) -> list[bytes]:
    if not right:
        wrong = wrong_texts(course).items()
        return [text.encode() for name, text in wrong if name.split("/")[2] == exercise]
    found = sorted((course / "tests/right" / exercise).glob("*.cu"))
    if found:
        return [path.read_bytes() for path in found]
    lines = (course / f"reference/{exercise}.cu").read_bytes().splitlines(keepends=True)
    return [b"".join(line for line in lines if b"@" not in line)]


def exercises_of(course: Path) -> tuple[str, ...]:
    return EXERCISES if course == rig.ROOT else ("sum",)


def endless(name: str) -> str:
    return (HEAD + ENDLESS_BODY + LAUNCH).format(name=name)


def eater(name: str) -> str:
    body = EATER_BODY.replace("LAST", "X25")
    return EATER_MACROS + (HEAD + body + LAUNCH).format(name=name)


def share(count: int, of_thousand: int) -> int:
    return max(1, round(count * of_thousand / 1000))


def make(folder: Path, count: int, small: bool = False) -> None:
    """Files named as Canvas names them: OWNER_NUMBER_UPLOAD_FILE."""
    choice = random.Random(count)
    submissions = folder / "submissions"
    shutil.rmtree(folder, ignore_errors=True)
    submissions.mkdir(parents=True)
    course = rig.course_make(folder) if small else rig.ROOT
    shares = {"broken": BROKEN, "endless": ENDLESS, "eater": EATERS, "twice": TWICE}
    shares["missing"] = MISSING
    kinds = [kind for kind, part in shares.items() for _ in range(share(count, part))]
    kinds += ["usual"] * (count - len(kinds))
    choice.shuffle(kinds)
    rows = ["id,name,canvas_id"]
    for number, kind in enumerate(kinds):
        student = f"student{number:04}"
        rows.append(f"{student},Student {number},{1000 + number}")
        start = f"{student}_{1000 + number}"
        if kind == "broken":
            package = submissions / f"{start}_{5000 + number}_homework.zip"
            package.write_bytes(b"PK\x03\x04 cut off")
        elif kind != "missing":
            write(course, submissions, start, number, kind, choice)
    (folder / "roster.csv").write_text("\n".join(rows) + "\n")
    found = ", ".join(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds)))
    print(f"{count} students: {found}")


def write(
    course: Path, submissions: Path, start: str, number: int, kind: str, choice: random.Random
) -> None:
    exercises = exercises_of(course)
    for exercise in exercises:
        text = choice.choice(kernels(course, exercise, choice.random() < 0.5))
        if exercise == exercises[0] and kind in ("endless", "eater"):
            text = (endless if kind == "endless" else eater)(exercise).encode()
        (submissions / f"{start}_{5000 + number}_{exercise}.cu").write_bytes(
            text + f"\n// {number}\n".encode()
        )
        if kind == "twice":
            again = choice.choice(kernels(course, exercise, True))
            (submissions / f"{start}_{9000 + number}_{exercise}-1.cu").write_bytes(again)


def words(folder: Path, out: Path, *more: str) -> list[str]:
    given = [f"--submissions={folder / 'submissions'}", f"--roster={folder / 'roster.csv'}"]
    course = course_of(folder)
    names = ",".join(exercises_of(course))
    return rig.command(course, out, *given, f"--exercise={names}", *more)


class Watch(threading.Thread):
    """The largest memory of the pool, of the judges and of what they start, in MiB."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.pid = pid
        self.peak = {"pool": 0.0, "judge": 0.0, "child": 0.0, "sum": 0.0}
        self.ended = False

    def run(self) -> None:
        while not self.ended:
            total = 0.0
            for pid in [self.pid, *rig.descendants(self.pid)]:
                try:
                    line = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
                    status = Path(f"/proc/{pid}/status").read_text()
                except OSError:
                    continue
                sizes = dict(row.split(":", 1) for row in status.splitlines() if "kB" in row)
                now = float(sizes.get("VmRSS", "0").split()[0]) / 1024
                peak = float(sizes.get("VmHWM", "0").split()[0]) / 1024
                judges = line[0].endswith(b"/tilegrade") and line[1:2] == [b"grade"]
                kind = "pool" if pid == self.pid else "judge" if judges else "child"
                self.peak[kind] = max(self.peak[kind], peak)
                total += now
            self.peak["sum"] = max(self.peak["sum"], total)
            time.sleep(0.3)


def timed(folder: Path, jobs: str) -> None:
    out = folder / "alone"
    shutil.rmtree(out, ignore_errors=True)
    rig.seed_write(out, "7")
    began = time.monotonic()
    more = [f"--jobs={jobs}"] if jobs else []
    process = subprocess.Popen(words(folder, out, *more), env=rig.environment())
    watch = Watch(process.pid)
    watch.start()
    code = process.wait()
    watch.ended = True
    wall = time.monotonic() - began
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    book = json.loads((out / "class.json").read_text())
    rows = [row for row in book["students"] if row["state"] == "graded"]
    busy = sum(row["seconds"] for row in rows) / (book["run"]["jobs"] * wall)
    seconds = sorted(row["cpu_seconds"] for row in rows)
    print(f"exit code {code}, {wall:.0f} s, {len(rows)} graded, {book['run']['jobs']} jobs")
    print(f"processor seconds: {usage.ru_utime + usage.ru_stime:.0f} in all,")
    mean, median = sum(seconds) / len(seconds), seconds[len(seconds) // 2]
    print(f"  {mean:.2f} a submission, median {median:.2f}, most {seconds[-1]:.1f}")
    print(f"share of the time that every job has a submission: {busy:.3f}")
    print("memory, MiB: " + ", ".join(f"{kind} {peak:.0f}" for kind, peak in watch.peak.items()))
    began = time.monotonic()
    report = [*rig.CLASS, "render", f"--out={out}"]
    subprocess.run(report, check=True, stdout=subprocess.DEVNULL, env=rig.environment())
    page = out / "class.html"
    taken, size = time.monotonic() - began, page.stat().st_size / 1e6
    print(f"page and tables: {taken:.1f} s; page {size:.2f} MB")


def files_of(out: Path) -> dict[str, object]:
    """What must be equal.  Where the clock ends a kernel is not: of those, verdicts and points."""
    found = rig.content(out)
    for row in json.loads((out / "class.json").read_text())["students"]:
        name = f"jobs/{row['pseudonym']}/result.json"
        if name in found and "time_limit" in str(found[name]):
            data = json.loads(str(found[name]))
            found[name] = [
                (one["name"], one["verdict"], one["points"]) for one in data["exercises"]
            ]
    return found


def compare(folder: Path, out: Path, what: str) -> bool:
    one, other = files_of(folder / "alone"), files_of(out)
    differ = sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
    rows = rig.book(out).values()
    graded = sum(row["state"] == "graded" for row in rows)
    print(f"{what}: {graded} graded, {len(other)} files, {len(differ)} differ", *differ[:3])
    return not differ


def killed(folder: Path, kills: int) -> bool:
    out = folder / "killed"
    shutil.rmtree(out, ignore_errors=True)
    rig.seed_write(out, "7")
    scratch = folder / "scratch"
    scratch.mkdir(exist_ok=True)
    jobs = [f"--jobs={os.cpu_count()}"]
    hit = rig.run_killed(words(folder, out, *jobs), kills, (0.5, 6.0), kills, TMPDIR=str(scratch))
    left = list(scratch.iterdir())
    print(f"{kills} processes killed, {hit} of them the run; left in TMPDIR: {len(left)}")
    return compare(folder, out, "killed") and not left


def engines(folder: Path) -> bool:
    good = True
    for jobs in (1, 2, 4):
        out = folder / f"jobs{jobs}"
        shutil.rmtree(out, ignore_errors=True)
        rig.seed_write(out, "7")
        done = rig.run(words(folder, out, f"--jobs={jobs}"))
        good &= done.returncode == 0 and compare(folder, out, f"{jobs} jobs")
    why = slurm.missing()
    if why:
        print(f"no cluster: {why}")
        return good
    out = folder / "slurm"
    shutil.rmtree(out, ignore_errors=True)
    rig.seed_write(out, "7")
    with slurm.Cluster() as cluster:
        process = subprocess.Popen(
            words(folder, out, "--engine=slurm"), env=rig.environment(**cluster.environment)
        )
        for name in cluster.names[:2]:
            time.sleep(40)
            cluster.kill_node(name)
        good &= process.wait() == 0 and compare(folder, out, "four nodes, two of them lost")
    return good


def main(arguments: list[str]) -> int:
    if not arguments and os.environ.get("SETS") == "all":
        folder = Path(tempfile.mkdtemp(prefix="tilegrade-scale-"))
        make(folder, 150)
        timed(folder, "")
        good = killed(folder, 50) and engines(folder)
        shutil.rmtree(folder)
        return 0 if good else 1
    if len(arguments) < 2:
        print(__doc__)
        return 2
    folder, what, more = Path(arguments[0]), arguments[1], arguments[2] if arguments[2:] else ""
    good = True
    if what in ("make", "small"):
        make(folder, int(more), what == "small")
    elif what == "time":
        timed(folder, more)
    elif what == "kill":
        good = killed(folder, int(more))
    else:
        good = engines(folder)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
