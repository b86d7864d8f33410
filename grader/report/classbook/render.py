"""Writes all that a graded class is turned into, what is quick first."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from classbook import blackboard, canvas, class_page, feedback, gradebook, moodle, packages, similar
from classbook.roll import ClassRun
from classbook.table import Import
from files import write_whole
from language import _


@dataclass(frozen=True)
class Outcome:
    written: tuple[str, ...]  # what is there now, as lines for people
    troubles: tuple[str, ...]


PLATFORMS = {"canvas": canvas, "moodle": moodle, "blackboard": blackboard}


def _imports_write(run: ClassRun) -> list[Import]:
    """Writes the files for learning platforms, or for the one from which the class comes.

    A file without a row must not stay from before.
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


def _import_line(run: ClassRun, file: Import) -> str:
    path = run.folder / file.file
    if not file.left_out:
        return _("%(path)s: %(count)d students", path=path, count=file.rows)
    return _(
        "%(path)s: %(count)d students; %(left)d with points are not in it, because their id on "
        "that platform is not known",
        path=path,
        count=file.rows,
        left=len(file.left_out),
    )


def class_write(run: ClassRun, anonymous: bool, with_similar: bool) -> Outcome:
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
    text = class_page.render(run, folders, imports, similar.similar_read(run), anonymous)
    write_whole(run.folder / class_page.FILE, text)
    _strangers_remove(run, graded)
    count, failures = feedback.render_students(run, feedback.progress_line)
    lines = [
        str(run.folder / gradebook.FILE),
        *(_import_line(run, file) for file in imports if file.rows),
        str(run.folder / class_page.FILE),
        _("%(path)s: %(count)d pages are new", path=run.folder / "students", count=count),
    ]
    for name, entries in (
        (packages.MOODLE, packages.moodle_entries(run, folders)),
        (packages.CANVAS, packages.canvas_entries(run, folders)),
    ):
        if packages.package_write(run.folder / name, entries):
            lines.append(str(run.folder / name))
    return Outcome(tuple(lines), tuple(dict.fromkeys([*troubles, *failures])))
