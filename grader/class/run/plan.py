"""plan.json, the work to be graded: the input of every job, on this machine or another one.

A plan has no names of students; class.json has their pseudonyms.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from course import CHOICES, Course, moment_of, seconds_of
from files import write_whole
from trouble import Trouble, of_system

SCHEMA = "tilegrade/plan/v1"
BYTES_MAX = 16 << 20
HEX = {"pseudonym": 16, "submission": 64, "seed": 32, "job": 64}


@dataclass(frozen=True)
class Job:
    """One submission.  Its files are OUT/jobs/PSEUDONYM/submission."""

    pseudonym: str  # names a folder
    submission: str  # submission_hash
    seed: str
    job: str = ""  # the key: a result with it is that of this job and of no other


@dataclass(frozen=True)
class Plan:
    grader_version: str
    written_at: int  # time when this run began
    extension_days_max: int  # the longest extension of a student
    choice: dict[str, str]  # the options for judging kernels: by CHOICES
    grader: str  # hashes, as in Course
    running: str
    course: str
    jobs: tuple[Job, ...]

    def keyed(self, job: Job) -> Job:
        """With its key, from everything on which a result depends.  grader/app/commands/job.c makes
        the same."""
        where = f"{self.choice['device']} {self.choice['card']}"
        parts = (self.grader, self.course, job.submission, job.seed, where)
        text = "".join(f"{part}\n" for part in parts)
        return replace(job, job=hashlib.sha256(text.encode()).hexdigest())

    def with_course(self, course: Course) -> Plan:
        """The same jobs with the course as it is now."""
        now = replace(self, grader=course.grader, running=course.running, course=course.course)
        return replace(now, jobs=tuple(map(now.keyed, self.jobs)))


def submission_hash(folder: str) -> str:
    """Over names and bytes of the files; a link that leads nowhere adds nothing."""
    digest = hashlib.sha256()
    for name in sorted(os.listdir(folder), key=os.fsencode):
        try:
            with open(f"{folder}/{name}", "rb") as file:
                data = file.read()
        except FileNotFoundError:
            continue
        digest.update(b"/" + os.fsencode(name) + b"\0")
        digest.update(hashlib.sha256(data).hexdigest().encode() + b"\0")
    return digest.hexdigest()


def plan_write(out: Path, plan: Plan) -> None:
    data: dict[str, Any] = {"schema": SCHEMA, "grader_version": plan.grader_version}
    data |= {"written_at": moment_of(plan.written_at)}
    data |= {"extension_days_max": plan.extension_days_max, **plan.choice}
    data |= {name: getattr(plan, name) for name in ("grader", "running", "course")}
    data["jobs"] = [asdict(job) for job in plan.jobs]
    write_whole(out / "plan.json", json.dumps(data, indent=1, ensure_ascii=False))


def _plan(data: dict[str, Any]) -> Plan:
    written = seconds_of(data["written_at"])
    texts = {name: data[name] for name in ("grader_version", "grader", "running", "course")}
    choice = {name: data[name] for name in CHOICES}
    jobs = []
    for item in data["jobs"]:
        job = Job(**{name: item[name] for name in HEX})
        for name, digits in HEX.items():
            if not re.fullmatch(f"[0-9a-f]{{{digits}}}", getattr(job, name)):
                raise ValueError(name)
        jobs.append(job)
    if written is None or not all(map(str.isprintable, (*texts.values(), *choice.values()))):
        raise ValueError
    return Plan(
        written_at=written,
        extension_days_max=int(data["extension_days_max"]),
        choice=choice,
        jobs=tuple(jobs),
        **texts,
    )


def plan_read(out: Path) -> Plan:
    """Raises Trouble if it does not exist, or is not a plan."""
    path = out / "plan.json"
    try:
        with path.open("rb") as file:
            data = json.loads(file.read(BYTES_MAX))
        if data.get("schema") != SCHEMA:
            raise ValueError
        return _plan(data)
    except FileNotFoundError as error:
        raise Trouble("%(path)s: no class run has begun here", path=out) from error
    except OSError as error:
        raise of_system(error) from error
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise Trouble("%(path)s: damaged; run the class again", path=path) from error
