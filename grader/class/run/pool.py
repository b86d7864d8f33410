"""Grades on this machine: one process `tilegrade grade` for each submission, several at a time.

Each process judges by itself, so one that crashes, is killed or does not end for a while costs no
other submission anything.  Each job is in the queue, in a slot, or over; it is in the queue twice
at most.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from course import said_of
from language import _
from run.outcome import Outcome, folder_of, outcome_read, parts_remove, trouble_write
from run.plan import Job, Plan
from texts import cleaned
from trouble import Trouble

JOBS_MAX = 256
TRIES_MAX = 2
TROUBLES_LEAST = 4  # in a row, before the machine is at fault
LOOK_S = 0.03
WAIT_S = 1.0  # between two progress messages
SAID_BYTES = 4096  # bytes of a job's output that are examined
# A worker may take 4 GiB (run_worker.c); the judge, the reference's worker and a compiler
# need the rest; with a GPU two CUDA processes, and outputs that wait to be verified.
JOB_BYTES = 4352 << 20
GPU_BYTES = 1536 << 20


@dataclass(frozen=True)
class Progress:
    """The progress of a run."""

    total: int
    done: int  # with a result, from earlier runs too
    earlier: int  # done before this run
    failed: int  # given up in this run
    elapsed: float  # seconds


Told = Callable[[Progress], None]
Words = Callable[[Job], list[str]]


def _number(path: str, pattern: str) -> int:
    try:
        found = re.search(pattern, Path(path).read_text())
    except OSError:
        return 0
    return int(found[1]) if found else 0


def room_for(gpu: bool) -> int:
    """The number of jobs that fit in memory if every kernel takes its maximum; in a container
    too."""
    free = _number("/proc/meminfo", r"MemAvailable: *(\d+)") << 10
    limit = _number("/sys/fs/cgroup/memory.max", r"^(\d+)")
    if limit:
        free = min(free, max(0, limit - _number("/sys/fs/cgroup/memory.current", r"^(\d+)")))
    return max(1, min(free // (JOB_BYTES + GPU_BYTES * gpu), JOBS_MAX))


def line_of(plan: Plan, job: Job) -> str:
    """The input of a job that no other user may see."""
    return f"{job.job} {job.seed} {plan.extension_days_max}\n"


class Pool:
    def __init__(
        self, out: Path, plan: Plan, words: Words, at_a_time: int, told: Told, mask: int = -1
    ) -> None:
        """`mask`: the umask of a job."""
        self.out = out
        self._mask = mask
        self.plan = plan
        self._words = words
        self._at_a_time = at_a_time
        self._told = told
        self._tries: dict[Job, int] = {}
        self._queue: deque[Job] = deque()
        self._running: dict[Job, tuple[subprocess.Popen[bytes], BinaryIO]] = {}
        self._troubles = 0  # in a row
        self._failed = 0
        self.outcomes: dict[Job, Outcome] = {}

    def _start(self, job: Job) -> None:
        """In a separate session, so that ^C reaches only the pool."""
        said = tempfile.TemporaryFile()
        try:
            process = subprocess.Popen(
                self._words(job),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=said,
                start_new_session=True,
                umask=self._mask,
            )
        except OSError as error:
            raise Trouble("cannot start a process: %(why)s", 3, why=error.strerror) from error
        self._running[job] = (process, said)
        self._tries[job] = self._tries.get(job, 0) + 1
        assert process.stdin
        try:
            process.stdin.write(line_of(self.plan, job).encode())
            process.stdin.close()
        except BrokenPipeError:  # it has ended, and reports why
            pass

    def _why(self, process: subprocess.Popen[bytes], said: BinaryIO) -> str:
        """The reason why a process that has ended gave no result."""
        if process.returncode < 0:
            return _("its process was ended by signal %(signal)d", signal=-process.returncode)
        end = said.seek(0, os.SEEK_END)
        said.seek(max(0, end - SAID_BYTES))
        line = cleaned(said_of(said.read().decode(errors="surrogateescape")))
        return line or _(
            "its process ended with code %(code)d and no result", code=process.returncode
        )

    def _ended(self, job: Job) -> None:
        process, said = self._running.pop(job)
        with said:
            outcome = outcome_read(self.out, job)
            if outcome.done:
                self._troubles = 0
                parts_remove(self.out, job)  # the failure note of a first try
            else:
                outcome = Outcome(trouble=self._why(process, said))
                trouble_write(self.out, job, outcome.trouble)
                if self._tries[job] < TRIES_MAX:
                    self._troubles += 1  # second tries come together: their failures prove nothing
                    self._queue.append(job)
                else:
                    self._failed += 1
        self.outcomes[job] = outcome

    def _check(self) -> None:
        """This many failures in a row are the machine's fault."""
        if self._troubles >= max(2 * self._at_a_time, TROUBLES_LEAST):
            told = [outcome.trouble for outcome in self.outcomes.values() if outcome.trouble]
            raise Trouble(
                "stopped, because %(count)d tries in a row gave no result; the last reason: "
                "%(why)s",
                3,
                count=self._troubles,
                why=told[-1],
            )

    def _stop(self) -> None:
        """The supervisor of a job removes its scratch folder when it gets SIGTERM."""
        for process, said in self._running.values():
            process.terminate()
            process.wait()
            said.close()

    def _fill(self) -> None:
        while self._queue and len(self._running) < self._at_a_time:
            self._start(self._queue.popleft())

    def run(self, outcomes: dict[Job, Outcome]) -> None:
        """Runs every job whose outcome is not done, and notes the outcomes of all.  A job that is
        killed, or whose grader fails, is tried once more, after the others.

        Raises Trouble if no process can be started, or the machine must be at fault.  Results so
        far are kept.
        """
        self.outcomes = outcomes
        self._queue.extend(job for job in self.plan.jobs if not outcomes[job].done)
        earlier = len(self.plan.jobs) - len(self._queue)
        began = time.monotonic()
        told = began - WAIT_S
        try:
            self._fill()
            while self._running:
                now = time.monotonic()
                if now - told >= WAIT_S:
                    done = sum(outcome.done for outcome in outcomes.values())
                    total = len(self.plan.jobs)
                    self._told(Progress(total, done, earlier, self._failed, now - began))
                    told = now
                time.sleep(LOOK_S)
                running = list(self._running.items())
                for job in [job for job, (one, _said) in running if one.poll() is not None]:
                    self._ended(job)
                self._check()
                self._fill()
        finally:
            self._stop()


def grade_words(out: Path, words: list[str]) -> Words:
    """The command line of a job."""

    def of(job: Job) -> list[str]:
        folder = folder_of(out, job)
        return [*words, f"--out={folder}", f"--submission={folder / 'submission'}"]

    return of
