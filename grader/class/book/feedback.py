"""The folder of each student: index.html, feedback.md and result.json, ready to be handed back.

If the assignment does not show students everything, there is no result.json. A folder is rendered
again only if something has changed: its result, the effect of the late policy, the permission to
show answers, the language or the rendering code. The last line of index.html has a hash of these.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from pathlib import Path

import page
from answers import model_answers
from book import short
from book.names import folder_names
from book.model import ClassRun, Student, result_path
from files import write_whole
from formats import markdown
from language import _, language, language_used
from parse import ResultError, result_parse
from words import points_text

BOOK = Path(__file__).resolve().parent
REPORT = BOOK.parents[1] / "report"
RESULT, MARKDOWN, PAGE = "result.json", "feedback.md", "index.html"
CHUNK = 8  # students that a process renders before it takes more
TOLD = ("due", "feedback", "reference_from")  # of the assignment, beyond its title


@dataclass(frozen=True)
class Job:
    source: str  # of the result
    folder: str
    student: str
    title: str
    facts: tuple[str, ...]
    answers: tuple[tuple[str, str], ...]  # model answers that may be shown: title and source
    feedback: str  # the amount shown to the student: "full", "verdicts", "points"
    assignment: str  # JSON: keys that may have changed since the result was written
    code: str
    language: str


@functools.cache
def code_hash() -> str:
    """A hash over the rendering code and the Chinese texts."""
    digest = hashlib.sha256()
    own, shared = BOOK.glob("*.py"), REPORT.rglob("*.py")
    for path in sorted([*own, *shared, *REPORT.rglob("templates/**/*.*")]):
        digest.update(path.read_bytes())
    catalogue = REPORT.parents[1] / "build/texts/zh.mo"
    digest.update(catalogue.read_bytes() if catalogue.exists() else b"")
    return digest.hexdigest()


def facts_of(student: Student) -> tuple[str, ...]:
    """The effect of lateness on the points, in sentences."""
    if not student.deduction_percent or student.points_final is None:
        return ()
    return (
        _(
            "Days late: %(days)d. %(percent)g %% are deducted, which leaves %(final)s points.",
            days=student.late_days or 0,
            percent=student.deduction_percent,
            final=points_text(student.points_final),
        ),
    )


def _mark(job: Job, data: bytes) -> str:
    told = {**vars(job), "source": None, "folder": None}
    given = json.dumps(told)
    return f"<!-- made from {hashlib.sha256(given.encode() + data).hexdigest()} -->\n"


def up_to_date(folder: Path, mark: str) -> bool:
    try:
        with open(folder / PAGE, "rb") as file:
            file.seek(-len(mark), os.SEEK_END)
            return file.read() == mark.encode() and (folder / MARKDOWN).is_file()
    except OSError:
        return False


def _texts(job: Job, data: bytes) -> dict[str, str]:
    """The files of the folder; the page is the last."""
    result = result_parse(data.decode(), job.source, job.language)
    result = replace(result, student=job.student)
    with language_used(job.language or result.language):
        if job.feedback != "full":
            verdicts = job.feedback == "verdicts"
            return {
                MARKDOWN: short.markdown(result, job.title, job.facts, verdicts),
                PAGE: short.page(result, job.title, job.facts, job.answers, verdicts),
            }
        document = {**json.loads(data), "student": job.student}
        if document.get("assignment"):
            document["assignment"] |= json.loads(job.assignment)
        return {
            RESULT: json.dumps(document, indent=1),
            MARKDOWN: markdown.render(result, job.title, job.facts),
            PAGE: page.render(result, job.title, job.facts, job.answers),
        }


def render_student(job: Job) -> str:
    """Renders one folder. Returns "rendered", "kept", or a sentence about the error."""
    try:
        data = Path(job.source).read_bytes()
        mark = _mark(job, data)
        folder = Path(job.folder)
        if up_to_date(folder, mark):
            return "kept"
        texts = _texts(job, data)
        folder.mkdir(parents=True, exist_ok=True)
        for path in folder.iterdir():  # files of an earlier run that this run does not write
            if path.name not in texts:
                path.unlink()
        for name, text in texts.items():
            write_whole(folder / name, text + (mark if name == PAGE else ""))
        return "rendered"
    except (ResultError, UnicodeDecodeError) as error:
        return str(error)
    except OSError as error:
        return f"{error.filename or job.folder}: {error.strerror}"
    except Exception as error:  # templates raise many kinds
        return f"{job.source}: " + _("is damaged: %(why)s", why=f"{type(error).__name__}: {error}")


def student_folders(run: ClassRun) -> dict[str, Path]:
    """The folder of each student, by id."""
    names = folder_names(student.id for student in run.students)
    return {text: run.folder / "students" / name for text, name in names.items()}


def render_students(
    run: ClassRun, progress: Callable[[int, int], None]
) -> tuple[int, list[str]]:
    """Brings the folders of all graded students up to date, on all cores.

    Returns the number of rendered folders, and a sentence for each failure.
    """
    folders = student_folders(run)
    answers = model_answers(
        ((exercise.name, exercise.title) for exercise in run.exercises), run.answers_from
    )
    jobs = [
        Job(
            source=str(result_path(run.folder, student.pseudonym)),
            folder=str(folders[student.id]),
            student=student.id,
            title=run.title,
            facts=facts_of(student),
            answers=answers,
            feedback=run.feedback,
            assignment=json.dumps({key: run.assignment.get(key) for key in TOLD}),
            code=code_hash(),
            language=language(),
        )
        for student in run.with_state("graded")
    ]
    outcomes: list[str] = []
    processes = min(len(os.sched_getaffinity(0)), -(-len(jobs) // CHUNK))
    if processes < 2:
        outcomes = [render_student(job) for job in jobs]
    else:
        try:
            with ProcessPoolExecutor(processes) as pool:
                for outcome in pool.map(render_student, jobs, chunksize=CHUNK):
                    outcomes.append(outcome)
                    progress(len(outcomes), len(jobs))
        except BrokenProcessPool:
            outcomes.append(_("a process that rendered pages was ended: run the command again"))
    troubles = [outcome for outcome in outcomes if outcome not in ("rendered", "kept")]
    return outcomes.count("rendered"), troubles


def progress_line(done: int, count: int) -> None:
    """One line on a terminal; nothing elsewhere."""
    if sys.stderr.isatty():
        text = _("pages of students: %(done)d of %(count)d", done=done, count=count)
        print(f"\r{text}", end="\n" if done == count else "", file=sys.stderr, flush=True)
