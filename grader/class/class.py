"""A whole class, as downloaded from a learning platform, graded into one folder and rendered.

  class.py --submissions=DIR-OR-PACKAGE --out=DIR [options]   grade, then write the gradebook
  class.py regrade --result=DIR [--out=DIR]    the points again, with those of the course as it is
  class.py render --out=DIR                    write the gradebook and the pages again
  class.py similar --out=DIR                   the same, after Dolos has compared the kernels
  class.py collect --out=DIR                   enter all results, when Slurm has run all jobs

The folder is the state: a run that was stopped at any moment continues with the same command, and
only changed submissions are graded.  Nothing is graded here: a job is one process `tilegrade
grade`.
Exit codes: 0 all is well, 1 points differ (regrade), 2 bad usage or bad data, 3 something could not
be graded or written; the gradebook says what.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(1, str(ROOT / "grader/report"))

import terminal  # noqa: E402
from book.model import ClassRun, class_read, class_write  # noqa: E402
from course import CHOICES, Course, Program, course_read, extended  # noqa: E402
from intake.kernels import folder_write  # noqa: E402
from intake.packages import Refused, Unpacker  # noqa: E402
from intake.roster import Roster, roster_read  # noqa: E402
from intake.students import MISSING, READY, Handed, Intake, intake_read, take  # noqa: E402
from intake.table import BYTES_MAX, file_read, table_parse  # noqa: E402
from language import LANGUAGES, _, language_of_environment, language_used  # noqa: E402
from options import complain, options_read, usage_check  # noqa: E402
from parse import ResultError  # noqa: E402
from run.book import begun, entered, nothing_to_grade, same_class_check  # noqa: E402
from run.outcome import Outcome, folder_of, outcome_read, parts_remove  # noqa: E402
from run.plan import Job, Plan, plan_read, plan_write, submission_hash  # noqa: E402
from run.pool import JOBS_MAX, Pool, grade_words, line_of, room_for  # noqa: E402
from run.regrade import Regrade  # noqa: E402
from run.slurm import Slurm, is_gpu_here, slurm_run  # noqa: E402
from run.state import Locked, Seed, folder_open, locked, seed_open  # noqa: E402
from trouble import Trouble, of_name, of_system  # noqa: E402

SHEET = ROOT / "grader/class/intake/sheet.py"


class Interrupted(BaseException):
    """By a signal, whose number is its argument."""


# --- What goes in --------------------------------------------------------------------------------


def program_of(options: argparse.Namespace, language: str, mask: int) -> Program:
    folder = Path(options.programs) if options.programs else ROOT / "build"
    choice = {name: getattr(options, name) for name in CHOICES}
    return Program((folder / "tilegrade").resolve(), options.root, language, choice, mask)


def out_take(options: argparse.Namespace) -> Path:
    """The folder of the class, outside of the submissions: results in them would be submissions of
    the next run."""
    asked = Path(options.out)
    out = folder_open(asked)
    if out.is_relative_to(Path(options.submissions).resolve()):
        if not any(out.iterdir()):
            out.rmdir()  # it is new
        raise Trouble(
            "%(path)s: in the folder of the submissions; name a folder outside of it", path=out
        )
    return out


def roster_of(path: str, unpacker: Unpacker) -> Roster | None:
    """A table as CSV, or as a spreadsheet, which is an archive that is opened in the sandbox."""
    if not path:
        return None
    if not path.lower().endswith(".xlsx"):
        return roster_read(path, table_parse(path, file_read(path, BYTES_MAX)))
    try:
        with open(path, "rb") as file:
            folder = Path(unpacker.unpack(file.fileno(), path, script=str(SHEET)).folder)
    except OSError as error:
        raise of_name(error, path) from error
    except Refused as error:
        raise Trouble(str(error)) from error
    rows = table_parse(path, file_read(str(folder / "table.csv"), BYTES_MAX))
    shutil.rmtree(folder)
    return roster_read(path, rows)


@dataclass(frozen=True)
class Session:
    """The requested work, and its folders."""

    options: argparse.Namespace
    program: Program
    course: Course
    out: Path
    roll: terminal.Roll


@dataclass(frozen=True)
class Planned:
    """A class with everything except the results."""

    intake: Intake
    plan: Plan
    run: ClassRun
    outcomes: dict[Job, Outcome]
    at_a_time: int
    room: int  # jobs that fit in memory; 0: not checked


def job_take(
    out: Path, one: Handed, seed: Seed, intake: Intake, course: Course, unpacker: Unpacker
) -> tuple[Handed, Job | None]:
    """Copies a student's submission, and makes a job of it."""
    if one.state == MISSING:
        return one, None
    pseudonym = seed.pseudonym(one.person.id)
    folder = out / "jobs" / pseudonym / "submission"
    folder.parent.mkdir(parents=True, exist_ok=True)
    one, files = take(one, intake.folder, course, unpacker)
    if one.state != READY:
        folder_write(str(folder), {})
        folder.rmdir()
        return one, None
    folder_write(str(folder), files)
    submission = submission_hash(str(folder))
    return one, Job(pseudonym, submission, seed.of_submission(one.person.id, submission))


def intake_and_jobs(session: Session, seed: Seed) -> tuple[Intake, list[Job]]:
    options, course, out = session.options, session.course, session.out
    layout = "" if options.layout == "auto" else options.layout
    jobs, students = [], []
    with Unpacker(session.program) as unpacker:
        roster = roster_of(options.roster, unpacker)
        intake = intake_read(options.submissions, layout, roster, course, unpacker)
        same_class_check(out, session.program.choice, intake)
        for number, one in enumerate(intake.students):
            session.roll.reading(number, len(intake.students))
            taken, job = job_take(out, one, seed, intake, course, unpacker)
            students.append(taken)
            jobs += [job] if job else []
    session.roll.clear()
    return replace(intake, students=tuple(students)), jobs


def planned(session: Session) -> Planned:
    options, course, out = session.options, session.course, session.out
    seed = seed_open(out)
    intake, jobs = intake_and_jobs(session, seed)
    if not jobs:
        raise nothing_to_grade(options.submissions, intake)
    days = max(one.person.extension_days for one in intake.students)
    assignment = extended(course.assignment, days) | {"column": intake.column or None}
    course = replace(course, assignment=assignment)
    plan = Plan(
        grader_version=course.version,
        written_at=int(time.time()),
        extension_days_max=days,
        choice=session.program.choice,
        grader=course.grader,
        running=course.running,
        course=course.course,
        jobs=(),
    )
    plan = replace(plan, jobs=tuple(map(plan.keyed, jobs)))
    for job in plan.jobs:
        parts_remove(out, job)
    outcomes = {job: outcome_read(out, job) for job in plan.jobs}
    plan_write(out, plan)
    room = room_for(options.device != "emu" and is_gpu_here())
    most = min(len(os.sched_getaffinity(0)), room, JOBS_MAX)
    at_a_time = int(options.jobs or most)
    engine = options.engine or "local"
    run = begun(out, plan, intake, seed, course, at_a_time, engine)
    class_write(run)
    room = 0 if options.jobs else room
    return Planned(intake, plan, run, outcomes, at_a_time, room)


# --- The run -------------------------------------------------------------------------------------


def references_count(session: Session, one: Planned) -> None:
    """Counts the references before several jobs begin together, which would each count them."""
    job = one.plan.jobs[0]
    words = session.program.words("count", "--job", "--jobs=1", "--quiet")
    words.append(f"--submission={folder_of(session.out, job) / 'submission'}")
    pipe, none, mask = subprocess.PIPE, subprocess.DEVNULL, session.program.mask
    with subprocess.Popen(
        words, stdin=pipe, stdout=pipe, stderr=none, text=True, umask=mask
    ) as process:
        assert process.stdin and process.stdout
        process.stdin.write(line_of(one.plan, job))
        process.stdin.close()
        for line in process.stdout:
            session.roll.counting(int(line), session.course.exercise_count)
    session.roll.clear()


def jobs_run(session: Session, one: Planned) -> None:
    options, program, out = session.options, session.program, session.out
    words = program.words("grade", "--jobs=1", "--quiet", "--allow-empty", "--job")
    waiting = sum(not outcome.done for outcome in one.outcomes.values())
    if options.engine == "slurm":
        collect = ["/usr/bin/python3", str(Path(__file__).resolve()), "collect", f"--out={out}"]
        slurm = Slurm(
            out=out,
            plan=one.plan,
            command=words,
            collect=[*collect, f"--language={program.language}"],
            head=options.slurm,
            jobs=int(options.jobs or 0),
            gpu=options.device == "gpu",
            told=session.roll.progress,
        )
        slurm_run(slurm, one.outcomes)
        return
    if one.at_a_time > 1 and waiting > 1 and session.course.has_references:
        references_count(session, one)
    of_job, told = grade_words(out, words), session.roll.progress
    Pool(out, one.plan, of_job, one.at_a_time, told, program.mask).run(one.outcomes)


def warn_of_repository(course: Course, out: Path) -> None:
    """Names and grades in a repository may be published with it by mistake."""
    if out.is_relative_to(course.root) and not out.is_relative_to(course.root / "build"):
        terminal.note(
            _(
                "the folder is in the repository of the course, and has names and grades: do not "
                "commit it, or name a folder outside, as in OUT=../hw1"
            )
        )


def grade(options: argparse.Namespace, program: Program) -> int:
    usage_check(options)
    course = course_read(program)
    # Defaults are passed to the jobs too, which may run elsewhere.
    chosen = {"assignment": course.assignment["name"] or ""}
    chosen |= {"device": options.device or "auto", "sandbox": options.sandbox or "default"}
    program = replace(program, root=str(course.root), choice=program.choice | chosen)
    out = out_take(options)
    roll = terminal.Roll(None if options.quiet else sys.stderr)
    session = Session(options, program, course, out, roll)
    code = 0
    with locked(out):
        try:
            one = planned(session)
            warn_of_repository(course, out)
            if not options.quiet:
                earlier = sum(outcome.done for outcome in one.outcomes.values())
                jobs = 0 if options.engine == "slurm" else one.at_a_time
                terminal.begin(one.intake.said, len(one.plan.jobs), earlier, jobs, one.room)
            try:
                jobs_run(session, one)
            except Trouble as error:  # the results so far are still entered
                roll.clear()
                complain(str(error))
                code = error.code
        finally:
            roll.clear()
        run = entered(one.run, one.plan, one.outcomes)
        class_write(run)
        print(terminal.summary(run, not options.quiet), end="")
        print(_("  written: %(path)s/class.json", path=options.out), flush=True)
        if run.with_state("failed", "waiting"):
            code = 3
        return max(code, book_write(Path(options.out), False))


def book_write(out: Path, with_similar: bool) -> int:
    """The gradebook and all pages for people."""
    from book import render  # imported late: without Jinja2 there is one clear message

    outcome = render.class_write(class_read(out), with_similar)
    for text in outcome.written:
        print(text)
    for text in outcome.troubles:
        complain(text)
    return 3 if outcome.troubles else 0


# --- The others ----------------------------------------------------------------------------------


def regrade(options: argparse.Namespace, program: Program) -> int:
    try:
        out = Path(options.result).resolve(strict=True)
        if options.out and Path(options.out).resolve(strict=True) != out:
            raise Trouble(
                "%(path)s: the points of a class are written where its results are: %(out)s",
                path=options.out,
                out=out,
            )
    except OSError as error:
        raise of_name(error, error.filename) from error
    if not options.out:
        return Regrade(program, out, False).run()
    with locked(out):
        code = Regrade(program, out, True).run()
        return max(code, book_write(Path(options.out), False))


def collect(options: argparse.Namespace) -> int:
    out = Path(options.out).resolve()
    try:
        with locked(out):
            plan = plan_read(out)
            outcomes = {job: outcome_read(out, job) for job in plan.jobs}
            class_write(entered(class_read(out, with_results=False), plan, outcomes))
    except Locked:
        pass  # the run that waits for the jobs does it
    return 0


def render(options: argparse.Namespace) -> int:
    if not options.out:
        raise Trouble("name a folder for the class, as in OUT=../hw1 (or --out)")
    with language_used(options.language or class_read(Path(options.out), False).language):
        return book_write(Path(options.out), options.command == "similar")


def command_run(options: argparse.Namespace, language: str, mask: int) -> int:
    try:
        if options.command == "collect":
            return collect(options)
        if options.command in ("render", "similar"):
            return render(options)
        program = program_of(options, language, mask)
        if options.command == "regrade":
            return regrade(options, program)
        return grade(options, program)
    except Trouble as error:
        complain(str(error))
        return error.code
    except ResultError as error:
        complain(str(error))
        return 2
    except ModuleNotFoundError as error:
        complain(_("%(module)s is missing here: run `make setup` first", module=error.name))
        return 3
    except OSError as error:
        complain(str(of_system(error)))
        return 3


def signals_take() -> None:
    def interrupt(number: int, _frame: object) -> None:
        raise Interrupted(number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:  # as nohup does
            signal.signal(number, interrupt)


def main(arguments: list[str]) -> int:
    mask = os.umask(0o077)  # only the teacher may read it
    asked = [word.partition("=")[2] for word in arguments if word.startswith("--language=")]
    language = asked[-1] if asked and asked[-1] in LANGUAGES else language_of_environment()
    with language_used(language):
        options = options_read(arguments)
        if options.language not in ("", *LANGUAGES):
            complain(
                _(
                    "unknown language '%(name)s'; the languages are: %(known)s",
                    name=options.language[:32],
                    known=", ".join(LANGUAGES),
                )
            )
            return 2
        try:
            signals_take()
            return command_run(options, language, mask)
        except Interrupted as error:
            text = _("interrupted: the grades so far are kept, and the same command goes on")
            print(f"\n{text}", file=sys.stderr)
            return 128 + int(error.args[0])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
