"""The course of one exercise, `sum`, that tests grade when any exercise will do."""

from __future__ import annotations

import shutil
from pathlib import Path

COURSE = Path(__file__).resolve().parent / "cli/course"


def course_copy(folder: Path, course: Path = COURSE) -> Path:
    """Copies it, without the counts and builds that a run by hand has left in it."""
    left = shutil.ignore_patterns("build")
    return Path(shutil.copytree(course, folder, ignore=left, dirs_exist_ok=True))
