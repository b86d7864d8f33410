"""Writes all files about a graded class, quick ones first."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from book import blackboard, canvas, class_page, feedback, gradebook, moodle, packages, similar
from book.model import ClassRun, Student
from book.table import Import
from files import write_whole
from language import _


NAMED_MAX = 20  # students that one line names


@dataclass(frozen=True)
class Outcome:
    written: tuple[str, ...]  # the existing files, as lines for people
    troubles: tuple[str, ...]


PLATFORMS = {"canvas": canvas, "moodle": moodle, "blackboard": blackboard}


def _imports_write(run: ClassRun) -> list[Import]:
    """Writes the files for learning platforms, or only for the platform of the class.

    A file that would have no rows is removed.
    """
    imports = []
    for name, module in PLATFORMS.items():
        if run.layout in PLATFORMS and run.layout != name:
            (run.folder / module.FILE).unlink(missing_ok=True)
            continue
        file = module.render(run)
        if file.rows:
            write_whole(run.folder / file.file, file.text)
        else:
            (run.folder / file.file).unlink(missing_ok=True)
        imports.append(file)
    return imports


def _strangers_remove(run: ClassRun, known: Iterable[Path]) -> None:
    """Removes folders of students who are no longer in the class: all of it is made again from
    results, if they come back."""
    top = run.folder / "students"
    names = {path.name for path in known}
    for path in sorted(top.iterdir()) if top.is_dir() else []:
        if path.name not in names:
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def _names(students: tuple[Student, ...]) -> str:
    names = ", ".join(student.name or student.id for student in students[:NAMED_MAX])
    more = len(students) - NAMED_MAX
    return names if more <= 0 else _("%(names)s and %(count)d more", names=names, count=more)


def _import_lines(run: ClassRun, file: Import) -> list[str]:
    """The file, the students who are missing from it with the reasons, and those in it without a
    deduction that may be due."""
    path = run.folder / file.file
    lines = [_("%(path)s: students in it: %(count)d", path=path, count=file.rows)]
    for reason, students in file.absent(run):
        lines.append("  " + _("not in it, %(why)s: %(who)s", why=reason, who=_names(students)))
    late = tuple(one for one in run.with_state("graded") if one.late_mark and one.late_days is None)
    if late and run.due:
        who = _names(late)
        text = _("late, but the time is not known, so nothing is deducted: %(who)s", who=who)
        lines.append("  " + text)
    return lines


def _next(run: ClassRun, imports: list[Import]) -> str:
    """The next step for the teacher."""
    page = run.folder / class_page.FILE
    files = [str(run.folder / file.file) for file in imports if file.rows]
    if run.with_state("failed", "waiting"):
        return _("next: the same command again, for those who are not graded yet")
    if len(files) == 1:
        return _("next: look at %(page)s, then import %(file)s", page=page, file=files[0])
    if files:
        return _(
            "next: look at %(page)s, then import the file for your platform: %(files)s",
            page=page,
            files=", ".join(files),
        )
    return _(
        "next: look at %(page)s, then enter the points of %(file)s",
        page=page,
        file=run.folder / gradebook.FILE,
    )


def class_write(run: ClassRun, with_similar: bool) -> Outcome:
    """Raises OSError if the gradebook or the page cannot be written."""
    troubles = list(run.troubles)
    folders = feedback.student_folders(run)
    graded = {folders[student.id] for student in run.with_state("graded")}
    write_whole(run.folder / gradebook.FILE, gradebook.render(run))
    imports = _imports_write(run)
    similar.strangers_remove(run)
    if with_similar:
        try:
            similar.similar_run(run)
        except similar.SimilarError as error:
            troubles.append(str(error))
    text = class_page.render(run, folders, imports, similar.similar_read(run))
    write_whole(run.folder / class_page.FILE, text)
    _strangers_remove(run, graded)
    count, failures = feedback.render_students(run, feedback.progress_line)
    lines = [
        str(run.folder / gradebook.FILE),
        *(line for file in imports if file.rows for line in _import_lines(run, file)),
        str(run.folder / class_page.FILE),
        _("%(path)s: new pages: %(count)d", path=run.folder / "students", count=count),
    ]
    for name, entries in (
        (packages.MOODLE, packages.moodle_entries(run, folders)),
        (packages.CANVAS, packages.canvas_entries(run, folders)),
    ):
        if packages.package_write(run.folder / name, entries):
            lines.append(str(run.folder / name))
    lines.append(_next(run, imports))
    return Outcome(tuple(lines), tuple(dict.fromkeys([*troubles, *failures])))
