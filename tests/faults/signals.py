"""Signals to the judge at moments spread over a run.

SIGKILL ends the process that cleans up, so that only the next run can clean up.  Even then no
process may be left.  The other signals are passed on, and a run that they end leaves nothing at
all.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from pathlib import Path

import faults
import rig

NUMBERS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
MOMENTS = 100


def worker_of(pid: int) -> int | None:
    """The process that does the work: the only child of the one that cleans up."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return None
    return int(children[0]) if children else None


def pool_signal(
    scenario: rig.Scenario, number: int, to_worker: bool, after_s: float, good: rig.Run
) -> tuple[str, str]:
    """One run, sent a signal some time after its start."""
    place = faults.place()
    process = rig.begin(place, scenario, rig.environment_of(place, {}))
    time.sleep(after_s)
    target = worker_of(process.pid) if to_worker else process.pid
    if target is not None and process.poll() is None:
        os.kill(target, number)
    run = rig.end(place, process)
    ends = {-number, 128 + number} | ({rig.EXIT_HARNESS} if to_worker else set())
    if run.result is None and run.code in ends and not run.faults:
        return rig.INTERRUPTED, run.text
    if run.code in ends and run.result == good.result and not run.faults:
        return rig.TOO_LATE, run.text
    return rig.outcome_of(run, good), run.text


def pool_seconds(scenario: rig.Scenario) -> float:
    place = faults.place()
    start = time.monotonic()
    rig.grade(place, scenario, rig.environment_of(place, {}))
    return time.monotonic() - start


def outcomes(
    runner: faults.Runner, scenario: rig.Scenario, moments: int
) -> dict[str, tuple[str, str]]:
    """Every signal at so many moments, and SIGKILL only to the worker."""
    good = runner.count(scenario).good
    seconds = runner.call(pool_seconds, scenario)
    asked = {}
    for number, to_worker in [(n, False) for n in NUMBERS] + [(signal.SIGKILL, True)]:
        for i in range(moments):
            after_s = seconds * 1.1 * (i + 0.5) / moments
            name = f"{signal.Signals(number).name}{' to the worker' if to_worker else ''}"
            asked[f"{name} after {after_s:.3f} s"] = runner.pool.submit(
                pool_signal, scenario, int(number), to_worker, after_s, good
            )
    return {name: run.result() for name, run in asked.items()}


def main(words: list[str]) -> int:
    folder = rig.folder_make()
    runner = faults.Runner(Path(words[0]).resolve(), folder)
    came = outcomes(runner, rig.scenarios(folder)["right"], int(words[1]) if words[1:] else MOMENTS)
    faults.total_print(came)
    wrong = faults.wrong_print("right", came, False)
    runner.pool.shutdown()
    shutil.rmtree(folder)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
