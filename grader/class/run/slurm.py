"""Grades on a cluster: one array job of Slurm, each task of which is one `tilegrade grade`.

The scheduler is Slurm's.  Here only its batch scripts are written, and its jobs are waited for.
The state is that of a run on one machine: the files of each job, on a file system that all nodes
share.  A task that runs twice does no harm, so Slurm may requeue.

OUT/slurm holds the files for Slurm: job.sh and collect.sh, the batch scripts; tasks, a line for
each job; array, the number of the array that was submitted last; and the output of each task.  They
contain only pseudonyms.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from files import write_whole
from intake.table import file_read
from language import _
from run.outcome import Outcome, outcome_read, trouble_write
from run.plan import Job, Plan
from run.pool import JOB_BYTES, Progress, Told, line_of
from texts import cleaned
from trouble import Trouble, of_system

TASKS_MAX = 500  # tasks of one array; Slurm's default limit is 1001
MINUTES_A_JOB = 30
COLLECT_MIB = 1024
HEAD_BYTES_MAX = 64 << 10
POLL_S = 2
ASK_EVERY = 5  # polls of the files between two queries to Slurm
ASK_FAILURES_MAX = 30

# A job is done if its result has its key.  Otherwise it is tried twice, and the message of the last
# try stays as the reason.
JOB_SCRIPT = """\
#!/bin/bash
#SBATCH --ntasks=1 --cpus-per-task=1 --requeue --open-mode=append
#SBATCH --time={minutes} --mem={mib}M
#SBATCH --output={output}
{gpu}{head}
code=0
while read -r job key seed days; do
    folder={jobs}/$job
    for try in 1 2; do
        grep -qs "\\"$key\\"" "$folder/result.json" && continue 2
        echo "$(date) $(hostname) $job, try $try"
        (umask 077 && : >"$folder/trouble.txt")
        {command} --out="$folder" --submission="$folder/submission" \\
            <<<"$key $seed $days" 2>"$folder/trouble.txt" && ok=0 || ok=$?
        [ "$ok" -gt 1 ] || {{ rm "$folder/trouble.txt"; continue 2; }}
        cat "$folder/trouble.txt"
    done
    code=3
done < <(tail -n +"$((SLURM_ARRAY_TASK_ID * {chunk} + 1))" {tasks} | head -n {chunk})
exit "$code"
"""
COLLECT_SCRIPT = """\
#!/bin/bash
#SBATCH --ntasks=1 --cpus-per-task=1 --requeue --open-mode=append
#SBATCH --time={minutes} --mem={mib}M
#SBATCH --output={output}
{head}
{command}
"""


@dataclass(frozen=True)
class Slurm:
    out: Path
    plan: Plan
    command: list[str]  # of a job, without its folders
    collect: list[str]  # run when all tasks are over
    head: str  # a file of #SBATCH lines, and of commands before a task; or ""
    jobs: int  # tasks at a time; 0: as many as Slurm gives
    gpu: bool  # each task needs one
    told: Told

    @property
    def folder(self) -> Path:
        return self.out / "slurm"


def _tool(*words: str) -> subprocess.CompletedProcess[str]:
    """A tool of Slurm, with the user's own environment."""
    try:
        return subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
    except FileNotFoundError as error:
        raise Trouble(
            "%(program)s: not found here; is this a host of a cluster?", 3, program=words[0]
        ) from error
    except OSError as error:
        raise of_system(error, words[0]) from error


def number_in(said: str) -> str:
    """The number of a job in the output of sbatch --parsable, also among warnings; or ""."""
    found = re.search(r"^([0-9]{1,31})(?:;.*)?$", said, re.MULTILINE)
    return found[1] if found else ""


def _submit(*words: str) -> str:
    done = _tool("sbatch", "--parsable", *words)
    number = number_in(done.stdout)
    if done.returncode or not number:
        said = cleaned(done.stdout.strip().partition("\n")[0])
        raise Trouble("Slurm refuses the job: %(why)s", 3, why=said)
    return number


def _is_there(number: str) -> bool | None:
    """Whether any task of the array is queued or runs; None: a question that fails is no answer."""
    try:
        done = _tool("squeue", "--noheader", "--format=%A", f"--jobs={number}")
    except Trouble:
        return None
    if done.returncode == 0:
        return bool(done.stdout.strip())
    # Slurm has forgotten a job some minutes after its end.
    return False if "Invalid job id" in done.stdout else None


def _look(slurm: Slurm, outcomes: dict[Job, Outcome]) -> int:
    """Reads the states of jobs that have none yet.  Returns how many are done."""
    for job in slurm.plan.jobs:
        if not outcomes[job].done:
            outcomes[job] = outcome_read(slurm.out, job)
    return sum(outcome.done for outcome in outcomes.values())


def _wait(slurm: Slurm, number: str, outcomes: dict[Job, Outcome], earlier: int) -> None:
    """Until Slurm has run the array."""
    began = time.monotonic()
    total, unknown, poll = len(slurm.plan.jobs), 0, 0
    while True:
        done = _look(slurm, outcomes)
        slurm.told(Progress(total, done, earlier, 0, time.monotonic() - began))
        if poll % ASK_EVERY == 0 or done == total:
            there = _is_there(number)
            unknown = unknown + 1 if there is None else 0
            if there is False:
                _look(slurm, outcomes)
                return
            if unknown == ASK_FAILURES_MAX:
                raise Trouble(
                    "squeue gives no answer about job %(number)s; the same command waits again",
                    3,
                    number=number,
                )
        time.sleep(POLL_S)
        poll += 1


def _scripts_write(slurm: Slurm, left: list[Job], chunk: int) -> None:
    head = ""
    if slurm.head:
        data = file_read(slurm.head, HEAD_BYTES_MAX)
        if b"\0" in data:
            raise Trouble("%(path)s: not a text file", path=slurm.head)
        head = data.decode(errors="surrogateescape")
    tasks = slurm.folder / "tasks"
    # The head comes after our own options, so that it can override them.
    job = JOB_SCRIPT.format(
        minutes=chunk * MINUTES_A_JOB,
        mib=JOB_BYTES >> 20,
        output="%x-%a.txt",
        gpu="#SBATCH --gres=gpu:1\n" if slurm.gpu else "",
        head=head,
        jobs=shlex.quote(str(slurm.out / "jobs")),
        command=shlex.join(slurm.command),
        chunk=chunk,
        tasks=shlex.quote(str(tasks)),
    )
    collect = COLLECT_SCRIPT.format(
        minutes=MINUTES_A_JOB,
        mib=COLLECT_MIB,
        output="%x.txt",
        head=head,
        command=shlex.join(slurm.collect),
    )
    for name, text in (("job.sh", job), ("collect.sh", collect)):
        with open(slurm.folder / name, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
    lines = [f"{job.pseudonym} {line_of(slurm.plan, job)}" for job in left]
    write_whole(tasks, "".join(lines))


def _array_submit(slurm: Slurm, tasks: int) -> str:
    folder = slurm.folder
    most = f"%{slurm.jobs}" if slurm.jobs else ""
    chdir = f"--chdir={folder}"
    array = f"--array=0-{tasks - 1}{most}"
    number = _submit("--job-name=tilegrade", chdir, array, str(folder / "job.sh"))
    write_whole(folder / "array", number)
    after = f"--dependency=afterany:{number}"
    _submit("--job-name=tilegrade-collect", chdir, after, str(folder / "collect.sh"))
    return number


def slurm_run(slurm: Slurm, outcomes: dict[Job, Outcome]) -> None:
    """Submits the jobs that are not done, waits until Slurm has run them, and reads the outcomes.
    An array of an earlier run that is still queued is waited for first.  Raises Trouble."""
    total = len(slurm.plan.jobs)
    earlier = sum(outcome.done for outcome in outcomes.values())
    slurm.folder.mkdir(exist_ok=True)
    array = slurm.folder / "array"
    number = number_in(array.read_text()) if array.is_file() else ""
    if number and earlier < total and _is_there(number):
        _wait(slurm, number, outcomes, earlier)
    left = [job for job in slurm.plan.jobs if not outcomes[job].done]
    if left:
        chunk = -(-len(left) // TASKS_MAX)
        _scripts_write(slurm, left, chunk)
        _wait(slurm, _array_submit(slurm, -(-len(left) // chunk)), outcomes, earlier)
    for job, outcome in outcomes.items():
        if not outcome.done and not outcome.trouble:
            why = _(
                "Slurm ended its task without a result: out of time or memory, cancelled, or its "
                "node was lost"
            )
            outcomes[job] = Outcome(trouble=why)
            trouble_write(slurm.out, job, why)


def is_gpu_here() -> bool:
    return os.access("/dev/nvidiactl", os.F_OK)
