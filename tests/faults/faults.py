"""Every call of the judge that can fail is made to fail, once for each place.

Usage: faults.py BUILD [SCENARIO | FAULT=ROLE:FUNCTION:N]...  A first run counts the calls; each
place in the program that makes one is then hit in runs of its own: the first of its calls, a late
one, and all from the first on.  A fault may end in exit code 3 with no result, or in the same
result; anything else is printed, and the exit code is 1.
"""

from __future__ import annotations

import collections
import concurrent.futures
import dataclasses
import os
import shutil
import subprocess
import sys
from collections.abc import Callable

from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1]))

import rig  # noqa: E402
from drawn import number  # noqa: E402  (found by the line above)

DEPTH = 3  # frames that distinguish places, from the innermost


@dataclasses.dataclass(frozen=True)
class Site:
    """A place that makes a call, with the numbers of its calls."""

    role: str
    function: str
    frames: tuple[str, ...]
    calls: tuple[int, ...]

    @property
    def key(self) -> tuple[str, str, tuple[str, ...]]:
        return self.role, self.function, self.frames

    @property
    def first(self) -> str:
        return f"{self.role}:{self.function}:{self.calls[0]}"

    @property
    def faults(self) -> list[str]:
        start = f"{self.role}:{self.function}:"
        return list(dict.fromkeys([self.first, f"{start}{self.calls[-1]}", f"{self.first}+"]))


@dataclasses.dataclass(frozen=True)
class Counted:
    """A run without a fault, and its calls."""

    good: rig.Run
    sites: list[Site]
    programs: list[tuple[int, str]]  # programs started: after how many forks, and the name


def sites_of(log: list[str]) -> list[Site]:
    calls: dict[tuple[str, str, tuple[str, ...]], list[int]] = collections.defaultdict(list)
    for line in log:
        words = line.split(" ")
        if words[0] != "exec" and len(words) == 4:
            frames = tuple(words[3].split(",")[:DEPTH])
            calls[words[0], words[1], frames].append(int(words[2]))
    return [Site(*key, tuple(sorted(numbers))) for key, numbers in calls.items()]


# --- In the processes of the pool -----------------------------------------------------------------

_place: rig.Place | None = None


def place() -> rig.Place:
    assert _place is not None
    return _place


def pool_begin(build: Path, folder: Path) -> None:
    global _place
    _place = rig.Place(folder / str(os.getpid()), build)


def pool_count(scenario: rig.Scenario, variables: dict[str, str]) -> Counted:
    log = place().folder / "log"
    log.unlink(missing_ok=True)
    log.touch(0o666)  # so that programs that run as another user can use it too
    log.chmod(0o666)
    run = rig.grade(place(), scenario, rig.with_fault(place(), FAULT_LOG=str(log), **variables))
    if run.result is None or run.faults:
        raise RuntimeError(f"{scenario.name}: no result without a fault: {run.text} {run.faults}")
    lines = log.read_text(errors="replace").splitlines()
    started = [line.split(" ") for line in lines if line.startswith("exec ")]
    programs = [(int(words[2]), words[3]) for words in started]
    return Counted(run, sites_of(lines), programs)


def pool_run(scenario: rig.Scenario, variables: dict[str, str], good: rig.Run) -> tuple[str, str]:
    run = rig.grade(place(), scenario, rig.with_fault(place(), **variables))
    return rig.outcome_of(run, good), run.text


class Runner:
    """Runs side by side, in processes that adopt whatever a run leaves behind."""

    def __init__(self, build: Path, folder: Path) -> None:
        self.pool = concurrent.futures.ProcessPoolExecutor(
            os.cpu_count(), initializer=pool_begin, initargs=(build, folder)
        )

    def call(self, function: Callable[..., Any], *arguments: object) -> Any:
        return self.pool.submit(function, *arguments).result()

    def count(self, scenario: rig.Scenario, **variables: str) -> Counted:
        counted: Counted = self.call(pool_count, scenario, variables)
        return counted

    def outcomes(
        self, scenario: rig.Scenario, faults: list[str], good: rig.Run, **variables: str
    ) -> dict[str, tuple[str, str]]:
        """For each fault the outcome, and what was printed."""
        asked = [self.pool.submit(pool_run, scenario, {"FAULT": fault} | variables, good)
                 for fault in faults]  # fmt: skip
        return {fault: run.result() for fault, run in zip(faults, asked)}


# --- Tables ---------------------------------------------------------------------------------------


def places_name(program: Path, sites: list[Site]) -> dict[str, str]:
    """function (file:line) of every return address."""
    addresses = sorted({frame for site in sites for frame in site.frames if frame})
    asked = [hex(int(address, 16) - 1) for address in addresses]
    words = ["addr2line", "-f", "-s", "-e", str(program)]
    told = subprocess.run(words, input="\n".join(asked), text=True, capture_output=True, check=True)
    lines = told.stdout.splitlines()
    named = [f"{lines[2 * i]} ({lines[2 * i + 1].split(' ')[0]})" for i in range(len(addresses))]
    return dict(zip(addresses, named))


def table_print(
    scenario: str, sites: list[Site], names: dict[str, str], came: dict[str, tuple[str, str]]
) -> None:
    """One line for each function and place."""
    rows: dict[tuple[str, ...], collections.Counter[str]] = {}
    for site in sites:
        behind = [names[frame] for frame in site.frames[:2] if frame in names]
        row = rows.setdefault((site.role, site.function, " < ".join(behind)), collections.Counter())
        row.update(came[fault][0] for fault in site.faults if fault in came)
    for (role, function, behind_text), row in sorted(rows.items()):
        told = ", ".join(f"{number} x {outcome}" for outcome, number in sorted(row.items()))
        if told:
            print(f"{scenario:7} {role:6} {function:14} {told:40} {behind_text}")


def wrong_print(scenario: str, came: dict[str, tuple[str, str]], whole: bool) -> int:
    """Shows every forbidden outcome, or all outcomes; returns how many are forbidden."""
    for fault, (outcome, text) in came.items():
        if whole or rig.is_wrong(outcome):
            print(f"\n{scenario}: FAULT={fault}: {outcome}\n{text}")
    return sum(rig.is_wrong(outcome) for outcome, _ in came.values())


def total_print(came: dict[str, tuple[str, str]]) -> None:
    for outcome, number in collections.Counter(end for end, _ in came.values()).most_common():
        print(f"{number:6} {outcome}")


def sample(sites: list[Site], most: int) -> list[str]:
    """At most so many: the first call of every function of every role, then evenly over places.

    The commit draws at which place that begins: tests/drawn.py.
    """
    first: dict[tuple[str, str], str] = {}
    rest: list[str] = []
    for site in sites:
        if (site.role, site.function) in first:
            rest.append(site.first)
        else:
            first[site.role, site.function] = site.first
    left = max(0, most - len(first))
    step = max(1, len(rest) // left) if left else 1
    return [*first.values(), *rest[number("faults", "first", step) :: step][:left]]


# --- Helpers --------------------------------------------------------------------------------------

UNSAFE = ("--sandbox", "unsafe")  # without this, a helper sees neither the library nor the log
KILL_MS = (0, 3, 20, 100)  # after the start; most helpers do not run longer


def is_helper(site: Site) -> bool:
    return site.role not in ("parent", "judge", "child")


def helper_faults(sites: list[Site], most: int | None = None) -> list[str]:
    """Faults in helpers.

    In our own helpers, each place once.  In compilers, the first, a middle and the last call of
    each function; there the process is also killed, as Linux does when memory is short.
    """
    own = [site.first for site in sites if is_helper(site) and site.role.startswith("tilegrade-")]
    last: dict[tuple[str, str], int] = collections.defaultdict(int)
    for site in sites:
        if is_helper(site):
            last[site.role, site.function] = max(last[site.role, site.function], site.calls[-1])
    foreign: list[str] = []
    for (role, function), number in sorted(last.items()):
        numbers = sorted({1, (number + 1) // 2, number})
        if not role.startswith("tilegrade-"):
            foreign += [f"{role}:{function}:{n}" for n in numbers]
            foreign += [f"{role.split('#')[0]}:{function}:{numbers[-1]}"]  # also when tried again
        if function == "malloc":
            foreign += [f"{role}:{function}:{n}=kill" for n in numbers]
            foreign += [f"{role.split('#')[0]}:{function}:{numbers[0]}=kill"]
    faults = list(dict.fromkeys(own + foreign))
    return faults if most is None else faults[:: max(1, len(faults) // most)]


def kill_faults(programs: list[tuple[int, str]], moments: tuple[int, ...]) -> list[str]:
    """Kills every program that the judge starts, from outside, some time after its start."""
    return [f"judge:fork:{forks}=kill:{ms}" for forks, _ in programs for ms in moments]


def unsafe(scenario: rig.Scenario) -> rig.Scenario:
    return dataclasses.replace(scenario, options=UNSAFE)


def helpers_run(runner: Runner, scenario: rig.Scenario) -> dict[str, tuple[str, str]]:
    """All faults of both kinds."""
    counted = runner.count(scenario)
    came = runner.outcomes(scenario, kill_faults(counted.programs, KILL_MS), counted.good)
    counted = runner.count(unsafe(scenario), FAULT_INTO="1")
    faults = helper_faults(counted.sites)
    return came | runner.outcomes(unsafe(scenario), faults, counted.good, FAULT_INTO="1")


def helpers_print(scenario: str, came: dict[str, tuple[str, str]]) -> None:
    """One line for each program and function."""
    rows: dict[tuple[str, str], collections.Counter[str]] = {}
    for fault, (outcome, _) in came.items():
        role, function, what = fault.split(":", 2)
        killed = " (killed)" if "kill" in what else ""
        rows.setdefault((role.split("#")[0], function + killed), collections.Counter())[
            outcome
        ] += 1
    for (role, function), row in sorted(rows.items()):
        told = ", ".join(f"{number} x {outcome}" for outcome, number in sorted(row.items()))
        print(f"{scenario:7} {role:18} {function:18} {told}")


def main(words: list[str]) -> int:
    build = Path(words[0]).resolve()
    subprocess.run(["make", "-s", "all", f"{words[0]}/tests/libfault.so"], check=True)
    folder = rig.folder_make()
    asked = [word.removeprefix("FAULT=") for word in words[1:] if ":" in word]
    known = rig.scenarios(folder)
    chosen = [known[word] for word in words[1:] if ":" not in word] or list(known.values())
    runner = Runner(build, folder)
    seen: set[tuple[str, str, tuple[str, ...]]] = set()
    all_came: dict[str, tuple[str, str]] = {}
    wrong = 0
    for scenario in chosen:
        counted = runner.count(scenario)
        sites = [site for site in counted.sites if site.key not in seen]
        seen |= {site.key for site in sites}
        faults = asked or [fault for site in sites for fault in site.faults]
        print(f"{scenario.name}: {len(sites)} new places, {len(faults)} faults", flush=True)
        came = runner.outcomes(scenario, faults, counted.good)
        if not asked:
            table_print(scenario.name, sites, places_name(build / "tilegrade", sites), came)
        if not asked and scenario.name in ("wrong", "packed"):
            helped = helpers_run(runner, scenario)
            helpers_print(scenario.name, helped)
            came |= helped
        wrong += wrong_print(scenario.name, came, bool(asked))
        all_came |= {f"{scenario.name} {fault}": end for fault, end in came.items()}
    runner.pool.shutdown()
    shutil.rmtree(folder)
    total_print(all_came)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
