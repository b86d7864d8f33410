"""Zip files that give feedback back through a learning platform.

Moodle (mod/assign/feedback/file/importziplib.php): an entry is NAME_ID_assignsubmission_file/FILE,
where ID is the participant's number; NAME has no underscore.
Canvas (infer_comment_context_from_filename in app/models/abstract_assignment.rb): the first two
parts of digits between underscores are the ids of the user and of a file that this user handed in.
Canvas shows a returned file unchanged, under the name of the student's own file, so it is plain
text.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path

from book.names import folder_names
from book.model import ClassRun, Student
from files import replaced
from formats.plain_text import plain

MOODLE = "moodle-feedback.zip"
CANVAS = "canvas-feedback.zip"
DAY = (1980, 1, 1, 0, 0, 0)  # the earliest date of a zip: equal contents give equal bytes


@dataclass(frozen=True)
class Entry:
    name: str
    path: Path
    is_plain: bool = False  # Markdown that is inserted as plain text

    def content(self) -> bytes:
        data = self.path.read_bytes()
        return plain(data.decode()).encode() if self.is_plain else data


def _number(text: str) -> str:
    return text if re.fullmatch("[1-9][0-9]*", text) else ""


def moodle_entries(run: ClassRun, folders: dict[str, Path]) -> list[Entry]:
    entries = []
    for student in run.with_state("graded"):
        number = _number(student.lms.get("moodle_id", ""))
        if number:
            name = next(iter(folder_names([student.name or student.id]).values()))
            top = f"{name.replace('_', '-')}_{number}_assignsubmission_file"
            for file, shown in (("index.html", "feedback.html"), ("feedback.md", "feedback.md")):
                entries.append(Entry(f"{top}/{shown}", folders[student.id] / file))
    return entries


def _canvas_attachment(student: Student, user: str) -> str:
    """The id of a file that the student handed in, from the name that Canvas gave it."""
    found = re.search(rf"_{user}_(\d+)_", student.source) if user else None
    return found[1] if found else ""


def canvas_entries(run: ClassRun, folders: dict[str, Path]) -> list[Entry]:
    entries = []
    for student in run.with_state("graded"):
        user = _number(student.lms.get("canvas_id", ""))
        attachment = _canvas_attachment(student, user)
        if user and attachment:
            path = folders[student.id] / "feedback.md"
            entries.append(Entry(f"student_{user}_{attachment}_feedback.txt", path, True))
    return entries


def package_write(path: Path, entries: list[Entry]) -> bool:
    """Writes the zip, by rename, unless the existing one has the same contents; removes it if
    empty.

    Returns whether it exists.
    """
    entries = [entry for entry in entries if entry.path.is_file()]
    if not entries:
        path.unlink(missing_ok=True)
        return False
    digest = hashlib.sha256()
    for entry in entries:
        content = hashlib.sha256(entry.content()).hexdigest()
        digest.update(f"{entry.name}\0{content}\0".encode())
    comment = digest.hexdigest().encode()
    try:
        with zipfile.ZipFile(path) as package:
            if package.comment == comment:
                return True
    except (OSError, zipfile.BadZipFile):
        pass
    with replaced(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        for entry in entries:
            info = zipfile.ZipInfo(entry.name, DAY)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o600 << 16
            package.writestr(info, entry.content())
        package.comment = comment
    return True
