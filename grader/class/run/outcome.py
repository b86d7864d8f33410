"""The state of a job, which is its files: OUT/jobs/PSEUDONYM/result.json and trouble.txt."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course import said_of, seconds_of
from files import write_whole
from run.plan import Job
from texts import cleaned
from trouble import of_system

RESULT, NOTE = "result.json", "trouble.txt"
# The partial files of a killed process.
PARTS = re.compile(r"(?:result\.json|trouble\.txt|\.probe)(?:\..*)?|\.result\.json.*")
SCHEMAS = ("tilegrade/result/v1", "tilegrade/result/v2")
BYTES_MAX = 16 << 20
TROUBLE_MAX = 400


@dataclass(frozen=True)
class Outcome:
    """A whole result that belongs to this job, or the reason why the last try gave none; "": not
    tried."""

    done: bool = False
    trouble: str = ""
    points: int = 0  # milli-points
    points_open: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0


def folder_of(out: Path, job: Job) -> Path:
    return out / "jobs" / job.pseudonym


def _number(data: dict[str, Any], name: str) -> Any:
    value = data.get(name)
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else 0


def outcome_read(out: Path, job: Job) -> Outcome:
    """A result that is damaged, or belongs to another job, counts as none."""
    folder = folder_of(out, job)
    try:
        with (folder / RESULT).open("rb") as file:
            data = json.loads(file.read(BYTES_MAX))
    except (FileNotFoundError, ValueError, RecursionError):
        data = {}
    except OSError as error:
        raise of_system(error) from error
    whole = (
        isinstance(data, dict)
        and data.get("schema") in SCHEMAS
        and data.get("job") == job.job
        and seconds_of(str(data.get("graded_at"))) is not None
        and isinstance(data.get("exercises"), list)
    )
    if not whole:
        return Outcome(trouble=trouble_read(out, job))
    return Outcome(
        done=True,
        points=int(_number(data, "points")),
        points_open=int(_number(data, "points_open")),
        seconds=float(_number(data, "seconds")),
        cpu_seconds=float(_number(data, "cpu_seconds")),
    )


def trouble_read(out: Path, job: Job) -> str:
    try:
        with (folder_of(out, job) / NOTE).open("rb") as file:
            text = file.read(BYTES_MAX).decode(errors="surrogateescape")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise of_system(error) from error
    return cleaned(said_of(text))[:TROUBLE_MAX]


def trouble_write(out: Path, job: Job, why: str) -> None:
    write_whole(folder_of(out, job) / NOTE, why + "\n")


def parts_remove(out: Path, job: Job) -> None:
    """Removes the note of a failure, and a killed process's partial result."""
    folder = folder_of(out, job)
    try:
        for path in folder.iterdir():
            if path.name != RESULT and PARTS.fullmatch(path.name):
                path.unlink(missing_ok=True)
    except OSError as error:
        raise of_system(error) from error
