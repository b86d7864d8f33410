"""One run of `tilegrade grade` with a fault, watched from outside."""

from __future__ import annotations

import ctypes
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from small import COURSE, course_copy  # noqa: E402

SEED = "7"
EARLIER = "an earlier result\n"
RUN_SECONDS = 90
LINGER_SECONDS = 30.0  # for killed processes to disappear
PR_SET_CHILD_SUBREAPER = 36
EXIT_HARNESS = 3

SAME = "same result"
REFUSED = "exit 3, no result"
WEAKER = "same result, fewer layers named"
INTERRUPTED = "ended by the signal, no result"
TOO_LATE = "ended by the signal, the result was whole"


@dataclass(frozen=True)
class Scenario:
    """What is graded."""

    name: str
    submission: Path
    options: tuple[str, ...] = ()


@dataclass
class Place:
    """Folders for the runs of one process, used again and again."""

    folder: Path
    build: Path

    def __post_init__(self) -> None:
        for name in ("course", "out", "tmp"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        course_copy(self.folder / "course")
        # Processes that are left behind become children of this one, so that they are noticed.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    @property
    def out(self) -> Path:
        return self.folder / "out"

    @property
    def tmp(self) -> Path:
        return self.folder / "tmp"


@dataclass
class Run:
    """The outcome of a run."""

    code: int
    text: str
    result: str | None  # result.json; None if the earlier one is unharmed
    faults: list[str] = field(default_factory=list)  # what must never happen


def scenarios(folder: Path) -> dict[str, Scenario]:
    """Made in folder: right, wrong (found, shrunk, explained), refused by the compiler, packed."""
    broken, packed = folder / "broken", folder / "packed"
    for path in (broken, packed):
        path.mkdir(parents=True, exist_ok=True)
    reference = (COURSE / "reference/sum.cu").read_text()
    (broken / "sum.cu").write_text(reference.replace(";", "", 1))
    with zipfile.ZipFile(packed / "work.zip", "w") as package:
        package.writestr("sum.cu", reference)
    return {
        one.name: one
        for one in (
            Scenario("right", COURSE / "reference"),
            Scenario("wrong", COURSE / "tests/wrong/sum"),
            Scenario("broken", broken),
            Scenario("packed", packed / "work.zip"),
        )
    }


def wrong_folder(place: Place, scenario: Scenario) -> Path:
    """A folder with the file as sum.cu, whatever its name in the course."""
    if scenario.submission.is_file() or (scenario.submission / "sum.cu").exists():
        return scenario.submission
    folder = place.folder / scenario.name
    folder.mkdir(exist_ok=True)
    shutil.copy(next(scenario.submission.glob("*.cu")), folder / "sum.cu")
    return folder


def command_of(place: Place, scenario: Scenario) -> list[str]:
    words = [str(place.build / "tilegrade"), "grade", "--device", "emu", "--jobs", "1"]
    words += ["--seed", SEED, "--out", str(place.out), *scenario.options]
    return [*words, "--submission", str(wrong_folder(place, scenario))]


def environment_of(place: Place, variables: dict[str, str]) -> dict[str, str]:
    clean = {name: text for name, text in os.environ.items() if not name.startswith("FAULT")}
    clean |= {"TMPDIR": str(place.tmp), "CUDA_VISIBLE_DEVICES": "", "LC_ALL": "C.UTF-8"}
    return clean | variables


def with_fault(place: Place, **variables: str) -> dict[str, str]:
    library = str(place.build / "tests/libfault.so")
    return environment_of(place, {"LD_PRELOAD": library} | variables)


def living_children() -> list[int]:
    """Reaps what has ended; the rest, after a moment."""
    until = time.monotonic() + LINGER_SECONDS
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return []
        if pid == 0:
            if time.monotonic() > until:
                break
            time.sleep(0.01)
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return [int(pid) for pid in children]


def look_after(place: Place, run: Run) -> None:
    """Records what no run may leave: processes, parts of files, scratch that the next run keeps."""
    for pid in living_children():
        name = Path(f"/proc/{pid}/comm").read_text().strip()
        run.faults.append(f"process left: {name}")
        os.kill(pid, signal.SIGKILL)
    living_children()
    for path in place.out.iterdir():
        if path.name not in ("result.json", ".probe"):
            run.faults.append(f"left in the folder of results: {path.name}")
            path.unlink()
    if any(place.tmp.iterdir()):
        # Another run starts, and cleans up.
        words = [place.build / "tilegrade", "grade", "--device", "emu", "--out", place.out]
        words += ["--submission", place.folder / "absent"]
        subprocess.run(words, env=environment_of(place, {}), cwd=place.folder / "course",
                       capture_output=True, check=False)  # fmt: skip
    for path in place.tmp.iterdir():
        run.faults.append(f"scratch left: {path.name}")
        shutil.rmtree(path)


def begin(place: Place, scenario: Scenario, variables: dict[str, str]) -> subprocess.Popen[str]:
    (place.out / "result.json").write_text(EARLIER)
    return subprocess.Popen(
        command_of(place, scenario),
        env=variables,
        cwd=place.folder / "course",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )


def end(place: Place, process: subprocess.Popen[str]) -> Run:
    try:
        text, _ = process.communicate(timeout=RUN_SECONDS)
        run = Run(process.returncode, text, None)
    except subprocess.TimeoutExpired:
        process.kill()
        run = Run(process.wait(), "", None, [f"did not end in {RUN_SECONDS} s"])
    path = place.out / "result.json"
    if not path.exists():
        run.faults.append("the earlier result is gone")
    elif path.read_text() != EARLIER:
        run.result = re.sub(r'\n  "(graded_at|seconds)": .*', "", path.read_text())
    look_after(place, run)
    return run


def grade(place: Place, scenario: Scenario, variables: dict[str, str]) -> Run:
    return end(place, begin(place, scenario, variables))


def layers_apart(result: str) -> tuple[dict[str, object], str]:
    """The result without its sentence on layers, which stands there as text and as values."""
    parts = json.loads(result)
    parts.get("texts", {}).pop("sandbox", None)
    return parts, str(parts.pop("sandbox"))


def outcome_of(run: Run, good: Run) -> str:
    """The outcome of a run with a fault, in a word; a forbidden outcome begins with WRONG."""
    if run.faults:
        return "WRONG: " + "; ".join(run.faults)
    if run.result is None:
        return REFUSED if run.code == EXIT_HARNESS else f"WRONG: no result and exit {run.code}"
    if run.code != good.code:
        return f"WRONG: a result and exit {run.code}"
    if run.result == good.result:
        return SAME
    assert good.result is not None
    try:
        got, layers = layers_apart(run.result)
    except ValueError:
        return "WRONG: half a result"
    wanted, all_layers = layers_apart(good.result)
    if got == wanted and layers != all_layers and "without" in layers:
        return WEAKER
    return "WRONG: another result"


def is_wrong(outcome: str) -> bool:
    return outcome.startswith("WRONG")


def folder_make() -> Path:
    """A folder for everything that runs need; programs of other users can reach its content."""
    folder = Path(tempfile.mkdtemp(prefix="tilegrade-faults."))
    folder.chmod(0o711)
    return folder
