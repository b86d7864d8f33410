"""Writes class.json while a class is graded: before the first job, when every job waits, and from
the results at the end.  So a run on other machines needs no list of names."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

from book.model import ClassRun, Student, class_read
from course import Course, lateness, moment_of, points_after
from intake.person import KEYS
from intake.students import MISSING, READY, Handed, Intake
from language import _, language
from parse import ResultError
from run.outcome import Outcome
from run.plan import Job, Plan, plan_read
from run.state import Seed
from texts import cleaned
from trouble import Trouble


def _student(one: Handed, seed: Seed, course: Course) -> Student:
    person = one.person
    late = lateness(course.assignment, person.received, person.extension_days)
    return Student(
        id=person.id,
        name=cleaned(person.name),
        mail=person.mail,
        section=person.section,
        lms={key: person.key(key) for key in KEYS},
        in_roster=one.in_roster,
        pseudonym=seed.pseudonym(person.id),
        state="waiting" if one.state == READY else one.state,
        source=one.source,
        tries=one.tries,
        note=one.note,
        warning=one.warning,
        received=moment_of(person.received),
        late_mark=one.late_mark,
        late_days=late[0] if late else None,
        deduction_percent=late[1] if late else None,
    )


def begun(
    out: Path, plan: Plan, intake: Intake, seed: Seed, course: Course, jobs: int, engine: str
) -> ClassRun:
    """The class with no result yet."""
    return ClassRun(
        folder=out,
        grader_version=course.version,
        language=language(),
        assignment=course.assignment,
        layout=intake.layout,
        written_at=moment_of(plan.written_at),
        device=plan.choice["device"],
        students=tuple(_student(one, seed, course) for one in intake.students),
        unmatched=intake.unmatched,
        jobs=jobs,
        engine=engine,
    )


def _with_outcome(one: Student, outcome: Outcome) -> Student:
    if not outcome.done:
        failed = replace(one, state="failed", note=outcome.trouble)
        return failed if outcome.trouble else replace(one, state="waiting")
    percent = one.deduction_percent or 0
    known = outcome.points_open == 0 and 0 <= percent <= 100
    return replace(
        one,
        state="graded",
        points=outcome.points,
        points_open=outcome.points_open,
        points_final=points_after(outcome.points, percent) if known else None,
        seconds=round(outcome.seconds, 3),
        cpu_seconds=round(outcome.cpu_seconds, 3),
    )


def entered(run: ClassRun, plan: Plan, outcomes: dict[Job, Outcome]) -> ClassRun:
    """The class with the outcomes of all jobs of the plan."""
    found = {job.pseudonym: outcome for job, outcome in outcomes.items()}
    students = tuple(
        _with_outcome(one, found[one.pseudonym]) if one.pseudonym in found else one
        for one in run.students
    )
    now = int(time.time())
    return replace(
        run,
        students=students,
        written_at=moment_of(now),
        wall_seconds=float(now - plan.written_at),
        cpu_seconds=round(sum(one.cpu_seconds or 0 for one in students), 3),
    )


def _choice_name(choice: dict[str, str]) -> str:
    return choice["assignment"] or choice["exercise"] or _("all exercises")


def same_class_check(out: Path, choice: dict[str, str], intake: Intake) -> None:
    """Raises Trouble if OUT is not new and has another assignment, or none of these students by id,
    login or number.  Otherwise the gradebook of another class would be overwritten."""
    try:
        plan = plan_read(out)
    except Trouble as error:
        if error.code != 2:
            raise
    else:
        if any(plan.choice[name] != choice[name] for name in ("assignment", "exercise")):
            raise Trouble(
                "%(path)s: has the grades of %(have)s, and this is %(now)s; name another "
                "folder, as in OUT=../hw2 (or --out)",
                path=out,
                have=_choice_name(plan.choice),
                now=_choice_name(choice),
            )
    try:
        rows = class_read(out, with_results=False).students
    except ResultError:  # none, or an incomplete one
        return
    known = {row.id for row in rows} | {
        (key, text) for row in rows for key, text in row.lms.items() if text
    }
    here = [
        one.person.id in known or any(key in known for key in one.person.keys.items())
        for one in intake.students
    ]
    if rows and here and not any(here):
        raise Trouble(
            "%(path)s: has the grades of another class: none of its students is in this one; "
            "name another folder, as in OUT=../hw2 (or --out)",
            path=out,
        )


def nothing_to_grade(path: str, intake: Intake) -> Trouble:
    """The files found, if no student has a kernel file."""
    handed = next((one for one in intake.students if one.state != MISSING), None)
    if handed:
        name, why = handed.source, handed.note
    elif intake.unmatched:
        name, why = intake.unmatched[0]
    else:
        return Trouble("%(path)s: nothing to grade; it has no submission", path=path)
    return Trouble("%(path)s: nothing to grade; '%(name)s': %(why)s", path=path, name=name, why=why)
