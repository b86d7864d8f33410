"""A small class, graded by the program itself: what the tests of this folder share."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from small import course_copy  # noqa: E402

TILEGRADE = (ROOT / os.environ.get("BUILD", "build") / "tilegrade").resolve()
CLASS = ["/usr/bin/python3", str(ROOT / "grader/class/class.py")]
TIMES = {"graded_at", "seconds", "cpu_seconds", "wall_seconds", "written_at"}
LEFT_OUT = ("MAKEFLAGS", "MAKELEVEL", "LANGUAGE", "TILEGRADE_LANGUAGE", "TMPDIR")
STATE = ("jobs/", "plan.json", "class.json", "seed")
WAIT_S = 300  # on a machine under load; what is waited for takes seconds


def wait_for(ready: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_S
    while not ready():
        if time.monotonic() > end:
            raise AssertionError("it took too long")
        time.sleep(0.05)


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
    return kept | {"LC_ALL": "C.UTF-8", "CUDA_VISIBLE_DEVICES": ""} | more


def course_make(folder: Path) -> Path:
    """A course of one small exercise; a grade takes half a second."""
    return course_copy(folder / "course")


def submissions_make(course: Path, folder: Path) -> Path:
    """Eight students: right kernels, wrong ones, and one without a kernel file."""
    lines = (course / "reference/sum.cu").read_text().splitlines(keepends=True)
    right = "".join(line for line in lines if "@" not in line)
    wrong = (course / "tests/wrong/sum/no_bounds.cu").read_text()
    texts = {
        "anna": right,
        "ben": wrong,
        "cara": (course / "student/sum.cu").read_text(),
        "dan": "this is no kernel\n",
        "eva": right + "// eva\n",
        "finn": wrong + "// finn\n",
        "gil": right + "// gil\n",
        "hana": None,
    }
    for name, text in texts.items():
        (folder / name).mkdir(parents=True)
        if text is None:
            (folder / name / "notes.txt").write_text("sorry\n")
        else:
            (folder / name / "sum.cu").write_text(text)
    return folder


def command(course: Path, out: Path, *words: str) -> list[str]:
    given = [f"--root={course}", f"--out={out}", f"--programs={TILEGRADE.parent}", "--device=emu"]
    return [*CLASS, *given, *words]


def run(words: list[str], given: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words,
        env=environment(**more),
        input=given,
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )


def seed_write(out: Path, digit: str) -> None:
    """So that two runs can be compared."""
    out.mkdir(mode=0o700)
    (out / "seed").write_text(64 * digit + "\n")
    (out / "seed").chmod(0o600)


def without_times(value: object) -> object:
    if isinstance(value, dict):
        return {key: without_times(part) for key, part in value.items() if key not in TIMES}
    return [without_times(part) for part in value] if isinstance(value, list) else value


def content(out: Path) -> dict[str, object]:
    """The state of a class run, but for times and the number of jobs."""
    found: dict[str, object] = {}
    for path in sorted(out.rglob("*")):
        name = str(path.relative_to(out))
        if not path.is_file() or not name.startswith(STATE):
            continue
        found[name] = path.read_bytes()
        if path.suffix == ".json":
            data = without_times(json.loads(path.read_bytes()))
            if name == "class.json":
                del data["run"]
            found[name] = json.dumps(data, sort_keys=False)
    return found


def book(out: Path) -> dict[str, dict]:
    """The rows of class.json by the students' ids."""
    students = json.loads((out / "class.json").read_text())["students"]
    return {row["id"]: row for row in students}


def result(out: Path, student: str) -> dict:
    path = out / "jobs" / book(out)[student]["pseudonym"] / "result.json"
    return json.loads(path.read_text())


def descendants(pid: int) -> list[int]:
    """The processes that a process has started, and theirs."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(path.parent.name))
    found, todo = [], [pid]
    while todo:
        new = children.get(todo.pop(), [])
        found += new
        todo += new
    return found


def run_killed(
    words: list[str], kills: int, moments: tuple[float, float], seed: int, **more: str
) -> int:
    """Runs the command until it ends by itself, after `kills` SIGKILLs at random moments.

    Half of them hit the run, the others any process that it has started.  Returns how many hit it.
    """
    choice = random.Random(seed)
    hit = 0
    while True:
        process = subprocess.Popen(
            words, env=environment(**more), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while process.poll() is None and kills > 0:
            time.sleep(choice.uniform(*moments))
            victims = descendants(process.pid)
            victim = process.pid if choice.random() < 0.5 or not victims else choice.choice(victims)
            if process.poll() is None:
                try:
                    os.kill(victim, signal.SIGKILL)
                except ProcessLookupError:
                    continue
                kills -= 1
                hit += victim == process.pid
                if victim == process.pid:
                    break
        process.wait()
        if kills == 0:
            break
    done = run(words, **more)
    patience = time.monotonic() + 60  # a part of the killed run may still be about to end
    while "another class run works here" in done.stderr and time.monotonic() < patience:
        time.sleep(0.1)
        done = run(words, **more)
    if done.returncode != 0:
        raise AssertionError(f"exit code {done.returncode}: {done.stdout}{done.stderr}")
    return hit
