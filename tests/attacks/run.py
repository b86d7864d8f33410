#!/usr/bin/python3
"""Runs the attacks: run.py BUILD [NAME...]; README.md says what an attack is.

Every attack runs with all the layers of the sandbox that this machine offers; those that ask the
operating system for something run again under sets of fewer layers, as other machines have.
The last line is `N passed, N failed, N skipped`.
"""

from __future__ import annotations

import concurrent.futures
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from attack import Attack, attack_under, attacks, submission_make  # noqa: E402
from checks import formats_absent, problems_of_texts  # noqa: E402
from world import World, become_subreaper, watch_works  # noqa: E402

COURSE = HERE.parent / "cli" / "course"
WITHOUT = "TILEGRADE_SANDBOX_WITHOUT"
LAYERS = ("seccomp", "landlock", "own-user", "namespaces", "own-root")
# Sets of layers, by what is left out.
SETS = (
    ("all layers", ""),
    ("as root in a plain container", "namespaces,own-root"),
    ("as a user in a plain container", "own-user,namespaces,own-root"),
    ("without seccomp", "seccomp"),
    ("without Landlock", "landlock"),
    ("without a user of its own", "own-user"),
    ("a user and seccomp alone", "landlock,namespaces,own-root"),
    ("namespaces and a root alone", "seccomp,landlock,own-user"),
)


@dataclass(frozen=True)
class Layers:
    name: str
    left_out: str
    off: frozenset[str]


def environment_of(world: World, left_out: str) -> dict[str, str]:
    """Small, and with things that a submission could look for."""
    environment = {key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ}
    environment |= {"TMPDIR": str(world.scratch), "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
    environment |= {"CUDA_VISIBLE_DEVICES": "", "SECRET_OF_THE_GRADER": world.token}
    if left_out:
        environment[WITHOUT] = left_out
    return environment


def tilegrade_run(build: Path, attack: Attack, world: World, submission: Path, left_out: str):
    command = [str(build / "tilegrade"), attack.command, "--root", str(world.course)]
    command += ["--exercise", attack.exercise, "--submission", str(submission), "--jobs", "1"]
    command += ["--device", "gpu" if attack.gpu else "emu"]
    command += ["--out", str(world.out)] if attack.command == "grade" else []
    started = time.monotonic()
    process = subprocess.run(
        command + list(attack.arguments),
        cwd=world.scratch,
        env=environment_of(world, left_out),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=600,
        check=False,
    )
    return process.returncode, process.stdout, time.monotonic() - started


def problems_of_result(attack: Attack, path: Path) -> list[str]:
    """The verdict and the points, as the result has them."""
    if not path.exists():
        return [] if attack.verdict == "" or attack.command != "grade" else ["there is no result"]
    if attack.verdict == "":
        return ["there is a result"]
    result = json.loads(path.read_text(encoding="utf-8"))
    (exercise,) = result["exercises"]
    found = []
    if exercise["verdict"] != attack.verdict:
        found.append(f"verdict {exercise['verdict']}, not {attack.verdict}")
    if exercise["points"] != attack.points or result["points"] != attack.points:
        found.append(f"{exercise['points']} milli-points, not {attack.points}")
    return found


def attack_run(build: Path, attack: Attack, layers: Layers) -> tuple[list[str], str, float]:
    """Returns what is wrong, what was printed, and the seconds."""
    become_subreaper()
    attack = attack_under(attack, set(layers.off))
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        world = World(Path(folder), COURSE)
        submission = submission_make(attack, world)
        world.begin()
        code, printed, seconds = tilegrade_run(build, attack, world, submission, layers.left_out)
        problems = world.problems()
        if code != attack.exit:
            problems.append(f"exit code {code}, not {attack.exit}")
        problems += problems_of_result(attack, world.out / "result.json")
        problems += problems_of_texts(attack, world, printed)
        if seconds > attack.seconds:
            problems.append(f"{seconds:.0f} s, more than {attack.seconds:.0f}")
    return problems, printed.decode("utf-8", "backslashreplace"), seconds


def layers_find(build: Path, name: str, left_out: str) -> Layers | str:
    """Which layers are off when these are left out; a text where the policy refuses."""
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        world = World(Path(folder), COURSE)
        control = next(attack for attack in attacks() if attack.name == "control_honest")
        submission = submission_make(control, world)
        code, printed, _ = tilegrade_run(build, control, world, submission, left_out)
        path = world.out / "result.json"
        if not path.exists():
            return f"exit code {code}: {printed.decode(errors='replace')[:120]}"
        on = json.loads(path.read_text(encoding="utf-8"))["sandbox"].partition("; without")[0]
    words = {word.split()[0] for word in on.split(", ") if word}
    return Layers(name, left_out, frozenset(layer for layer in LAYERS if layer not in words))


def sets_find(build: Path) -> tuple[list[Layers], list[str]]:
    found: list[Layers] = []
    skipped = []
    for name, left_out in SETS:
        layers = layers_find(build, name, left_out)
        if isinstance(layers, str):
            skipped.append(f"{name}: not enough here")
        elif any(layers.off == other.off for other in found):
            skipped.append(f"{name}: the same as a set before it")
        else:
            found.append(layers)
    return found, skipped


def main(arguments: list[str]) -> int:
    build = Path(arguments[0]).resolve()
    wanted = set(arguments[1:])
    with tempfile.TemporaryDirectory() as folder:
        if not watch_works(Path(folder)):
            print("inotify sees nothing here\n0 passed, 1 failed")
            return 1
    sets, left = sets_find(build)
    sets = sets[: int(os.environ.get("ATTACK_SETS", len(sets)))]
    if not sets:
        print("\n".join(left) + "\n0 passed, 1 failed")
        return 1
    tasks, skipped = [], [f"skipped the set {text}" for text in left]
    skipped += [f"skipped reports as {name}: a library is missing" for name in formats_absent()]
    for attack in attacks():
        if wanted and attack.name not in wanted:
            continue
        if attack.gpu:
            skipped.append(f"skipped {attack.name}: for a machine with a GPU")
            continue
        tasks += [(attack, layers) for layers in sets[: None if attack.system else 1]]
    # The slow ones first.
    tasks.sort(key=lambda task: -task[0].seconds)
    failed = 0
    context = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count(), mp_context=context) as pool:
        runs = [(task, pool.submit(attack_run, build, *task)) for task in tasks]
        for (attack, layers), run in runs:
            problems, printed, seconds = run.result()
            word = "FAIL" if problems else "ok"
            print(f"{word} {attack.name} ({layers.name}) {seconds:.1f} s")
            if problems:
                failed += 1
                print("\n".join(f"    {line}" for line in problems + printed.splitlines()))
    print("\n".join(skipped))
    print(f"{len(tasks) - failed} passed, {failed} failed, {len(skipped)} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
