#!/usr/bin/python3
"""Runs the attacks: run.py BUILD [--gpu] [NAME...]; README.md says what an attack is.

Attacks run with all layers of the sandbox that this machine offers.  Of each kind, one in PART
runs, drawn by the commit, but at least one; of those that need minutes, one in SLOW_PART.  Attacks
that ask the operating system for something run again with few layers, as on other machines: one in
WEAK_PART, under one of the weakest sets that must still stop them.  With SETS=all in the
environment, all run, and these under every set.  With --gpu only the attacks that need a GPU run
(gpu.py).
The last line is `N passed, N failed, N skipped`.
"""

from __future__ import annotations

import concurrent.futures
import json
import multiprocessing
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
import zlib
from dataclasses import dataclass, replace
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import gpu  # noqa: E402
from attack import Attack, attack_under, attacks, submission_make  # noqa: E402
from checks import formats_absent, problems_of_texts  # noqa: E402
from drawn import changed, is_drawn, sample  # noqa: E402
from world import World, become_subreaper, watch_works  # noqa: E402

WITHOUT = "TILEGRADE_SANDBOX_WITHOUT"
SIDE_BY_SIDE = 8  # attacks on a GPU …
TIMED_SIDE_BY_SIDE = 3  # … that are timed, which the grader runs one after the other
# Waiting for the GPU while another attack is timed does not count as time of the attack.
WAITED = re.compile(rb"waited ([0-9.]+) s for the GPU")
WAIT_MAX = 600.0  # seconds, until a run that waits is given up
BUSY = 8  # times the processor time that a run needs, until it is given up
SLOW_SECONDS = 90.0  # that an attack may take, if it is one of the slow ones
SLOW = ("config_of_too_many_blocks", "loop_at_the_counted_size")  # and these, some seconds each
PART = 2
SLOW_PART = 12
WEAK_PART = 3  # of those that run
LAYERS = ("seccomp", "landlock", "own-user", "namespaces", "own-root")
# Sets of layers, and the layers that each omits.
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


def environment_of(build: Path, attack: Attack, world: World, left_out: str) -> dict[str, str]:
    """A small environment, with things that a submission could look for."""
    environment = {key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ}
    environment |= {"TMPDIR": str(world.scratch), "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
    environment |= gpu.environment_of(build, attack.gpu) | {"SECRET_OF_THE_GRADER": world.token}
    if left_out:
        environment[WITHOUT] = left_out
    return environment


def writes_result(attack: Attack) -> bool:
    return attack.command == "grade" or attack.gpu == "yes"


def processor_seconds() -> float:
    """What all processes took that ended and were waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def tilegrade_run(build: Path, attack: Attack, world: World, submission: Path, left_out: str):
    """Returns the exit code, what is printed, and the seconds: by the clock on a GPU, otherwise of
    processor time, which a busy machine hardly changes."""
    command = [str(build / "tilegrade"), attack.command, "--root", str(world.course)]
    command += ["--exercise", attack.exercise, "--submission", str(submission), "--jobs", "1"]
    command += ["--device", "emu" if attack.gpu == "no" else "gpu"]
    command += ["--out", str(world.out)] if writes_result(attack) else []
    started, used = time.monotonic(), processor_seconds()
    try:
        process = subprocess.run(
            command + list(attack.arguments),
            cwd=world.scratch,
            env=environment_of(build, attack, world, left_out),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=attack.seconds * BUSY if attack.gpu != "yes" else WAIT_MAX + 2 * attack.seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        return "that of no end", late.stdout or b"", time.monotonic() - started
    if attack.gpu != "yes":
        return process.returncode, process.stdout, processor_seconds() - used
    waited = sum(float(seconds) for seconds in WAITED.findall(process.stdout))
    return process.returncode, process.stdout, time.monotonic() - started - waited


def problems_of_result(attack: Attack, path: Path) -> list[str]:
    """What is wrong with the verdict and the points of the result."""
    if not path.exists():
        return ["there is no result"] if attack.verdict and writes_result(attack) else []
    if not attack.verdict:
        return ["there is a result"]
    result = json.loads(path.read_text(encoding="utf-8"))
    (exercise,) = result["exercises"]
    found = []
    if exercise["verdict"] not in attack.verdict:
        found.append(f"verdict {exercise['verdict']}, not {' or '.join(attack.verdict)}")
    least, most = attack.points
    if not least <= exercise["points"] <= most or result["points"] != exercise["points"]:
        found.append(f"{exercise['points']} milli-points, not from {least} to {most}")
    return found


def outcome_of(path: Path) -> str:
    """The outcome of an attack, for the log."""
    if not path.exists():
        return "no result"
    (exercise,) = json.loads(path.read_text(encoding="utf-8"))["exercises"]
    ratios = " ".join(f"{speed['ratio']:.3f}" for speed in exercise.get("speed", []))
    return f"{exercise['verdict']}, {exercise['points']} milli-points {ratios}".rstrip()


def attack_run(build: Path, attack: Attack, layers: Layers) -> tuple[list[str], str, str]:
    """Returns what is wrong, what was printed, and the outcome."""
    become_subreaper()
    attack = attack_under(attack, set(layers.off))
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        world = World(Path(folder), caches=attack.command == "test")
        if attack.gpu == "yes":
            gpu.course_prepare(world.course)
        submission = submission_make(attack, world)
        world.begin()
        code, printed, seconds = tilegrade_run(build, attack, world, submission, layers.left_out)
        problems = world.problems()
        if code not in attack.exit:
            problems.append(f"exit code {code}, not {' or '.join(map(str, attack.exit))}")
        problems += problems_of_result(attack, world.out / "result.json")
        problems += problems_of_texts(attack, world, printed)
        if seconds > attack.seconds:
            problems.append(f"{seconds:.0f} s, more than {attack.seconds:.0f}")
        outcome = f"{seconds:.1f} s: {outcome_of(world.out / 'result.json')}"
    return problems, printed.decode("utf-8", "backslashreplace"), outcome


def layers_find(build: Path, name: str, left_out: str) -> Layers | str:
    """Which layers are off if these are omitted; a text if the policy refuses."""
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        world = World(Path(folder))
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


def is_slow(attack: Attack) -> bool:
    return attack.seconds >= SLOW_SECONDS or attack.name in SLOW


def attack_is_drawn(suite: str, attack: Attack, part: int) -> bool:
    """True for one in `part`, and for an attack with a changed file."""
    folder = f"tests/attacks/{attack.name}/"
    return is_drawn(suite, attack.name, part) or any(path.startswith(folder) for path in changed())


def attacks_drawn() -> list[Attack]:
    """Those of this commit."""
    found = [
        attack
        for attack in attacks()
        if attack_is_drawn("attacks", attack, SLOW_PART if is_slow(attack) else PART)
    ]
    seen = {attack.kind for attack in found if attack.gpu != "yes"}
    for attack in attacks():
        if attack.kind not in seen and attack.gpu == "no" and not is_slow(attack):
            seen.add(attack.kind)
            found.append(attack)
    return found


def sets_of(attack: Attack, sets: list[Layers]) -> list[Layers]:
    """The sets under which an attack runs.  The first has all layers.

    Several sets may be weakest: no other set has only some of their layers.  Each attack gets one.
    """
    if not attack.system or len(sets) == 1:
        return sets[:1]
    if os.environ.get("SETS") == "all":
        return sets
    if not attack_is_drawn("attacks under few layers", attack, WEAK_PART):
        return sets[:1]
    weakest = [one for one in sets[1:] if not any(one.off < other.off for other in sets)]
    return [sets[0], weakest[zlib.crc32(attack.name.encode()) % len(weakest)]]


@dataclass(frozen=True)
class Task:
    attack: Attack
    layers: Layers


def tasks_run(build: Path, tasks: list[Task], workers: int | None) -> int:
    """Prints a line for each; returns how many failed."""
    failed = 0
    context = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(workers, mp_context=context) as pool:
        run = attack_and_honest_run if tasks and tasks[0].attack.gpu == "yes" else attack_run
        runs = {pool.submit(run, build, task.attack, task.layers): task for task in tasks}
        for future in concurrent.futures.as_completed(runs):
            task = runs[future]
            problems, printed, outcome = future.result()
            word = "FAIL" if problems else "ok"
            print(f"{word} {task.attack.name} ({task.layers.name}) {outcome}", flush=True)
            if problems:
                failed += 1
                print("\n".join(f"    {line}" for line in problems + printed.splitlines()))
    return failed


# --- On a GPU -------------------------------------------------------------------------------------


def attack_and_honest_run(build: Path, attack: Attack, layers: Layers):
    """After an attack the GPU must be as before: the plain right kernel passes."""
    problems, printed, outcome = attack_run(build, attack, layers)
    (control,) = (other for other in attacks() if other.name == "control_honest")
    size = ("--size=64x64x64",)
    honest = replace(control, command="test", arguments=size, gpu="yes", points=(0, 10000))
    found, said, _ = attack_run(build, honest, layers)
    if found:
        problems += [f"the next submission: {problem}" for problem in found]
        printed += said
    return problems, printed, outcome


def gpu_run(build: Path, chosen: list[Attack]) -> int:
    """All attacks that need a GPU, and last the plain right kernel, which must get all points."""
    if not gpu.gpu_is_here(build):
        print(f"no GPU and NVRTC here\n0 passed, 0 failed, {len(chosen)} skipped")
        return 0
    layers = Layers("on the GPU", "", frozenset())
    (control,) = (attack for attack in attacks() if attack.name == "control_honest")
    last = replace(control, gpu="yes")
    tasks = [Task(attack, layers) for attack in sorted(chosen, key=lambda attack: -attack.seconds)]
    failed = tasks_run(build, [task for task in tasks if 0 not in task.attack.exit], SIDE_BY_SIDE)
    timed = [task for task in tasks if 0 in task.attack.exit]
    failed += tasks_run(build, timed, TIMED_SIDE_BY_SIDE)
    failed += tasks_run(build, [Task(last, layers)], 1)
    print(f"{len(tasks) + 1 - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


def files_compile(build: Path, chosen: list[Attack]) -> int:
    """Without a GPU, attacks on one must at least be accepted by NVRTC."""
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = [(attack, pool.submit(gpu.compile_problems, build, attack)) for attack in chosen]
        for attack, run in runs:
            problems = run.result()
            failed += bool(problems)
            print(f"{'FAIL' if problems else 'ok'} {attack.name} (compiles for a GPU)")
            print("".join(f"    {line}\n" for line in problems), end="")
    return failed


# --- On any machine -------------------------------------------------------------------------------


def cpu_run(build: Path, chosen: list[Attack]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        if not watch_works(Path(folder)):
            print("inotify sees nothing here\n0 passed, 1 failed")
            return 1
    sets, left = sets_find(build)
    if not sets:
        print("\n".join(left) + "\n0 passed, 1 failed")
        return 1
    skipped = [f"skipped the set {text}" for text in left]
    skipped += [f"skipped reports as {name}: a library is missing" for name in formats_absent()]
    on_gpu = [attack for attack in chosen if attack.gpu == "yes"]
    skipped += [f"skipped {attack.name}: for a machine with a GPU" for attack in on_gpu]
    gpu.driver_make(build)
    has_nvrtc = gpu.nvrtc_is_here(build)
    tasks = []
    for attack in chosen:
        if attack.gpu == "compiled" and not has_nvrtc:
            skipped.append(f"skipped {attack.name}: NVRTC is not here")
        elif attack.gpu != "yes":
            tasks += [Task(attack, layers) for layers in sets_of(attack, sets)]
    # The slow ones first.
    tasks.sort(key=lambda task: -task.attack.seconds)
    failed = tasks_run(build, tasks, os.cpu_count())
    passed = len(tasks) - failed
    if has_nvrtc:
        refused = files_compile(build, on_gpu)
        failed += refused
        passed += len(on_gpu) - refused
    print("\n".join(skipped))
    print(f"slow ones drawn by SAMPLE={sample()}" if sample() else "all attacks")
    print(f"{passed} passed, {failed} failed, {len(skipped)} skipped")
    return 1 if failed else 0


def main(arguments: list[str]) -> int:
    build = Path(arguments[0]).resolve()
    if os.environ.get("SETS", "") not in ("", "all"):
        sys.exit("SETS: write all, or leave it out")
    on_gpu = "--gpu" in arguments
    wanted = set(arguments[1:]) - {"--gpu"}
    drawn = attacks_drawn()
    chosen = [
        attack
        for attack in attacks()
        if attack.name in wanted
        or (not wanted and (on_gpu or attack in drawn))
    ]
    if on_gpu:
        return gpu_run(build, [attack for attack in chosen if attack.gpu == "yes"])
    return cpu_run(build, chosen)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
