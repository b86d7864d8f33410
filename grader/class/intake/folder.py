"""The contents of a folder that comes from outside: names and kinds, in a fixed order.

Folders are walked with open descriptors, one name at a time, and no link is followed.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass

from trouble import Trouble, of_name

ENTRIES_MAX = 100000
FILE, FOLDER, LINK, OTHER = "file", "folder", "link", "other"
# Archivers' and desktops' own files.
DEBRIS = ("__MACOSX", "Thumbs.db", "desktop.ini")
PACKAGE = re.compile(r"(.+)\.(?:zip|tar|tar\.gz|tgz|tar\.xz|txz|tar\.bz2)", re.I | re.DOTALL)
FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


@dataclass(frozen=True)
class Entry:
    name: str
    kind: str

    @property
    def is_package(self) -> bool:
        return self.kind == FILE and is_package(self.name)

    @property
    def is_submission(self) -> bool:
        return self.kind == FOLDER or self.is_package


def is_package(name: str) -> bool:
    return PACKAGE.fullmatch(name) is not None


def package_stem(name: str) -> str:
    """The name of a package without .zip, .tar.gz and the like; any other name unchanged."""
    found = PACKAGE.fullmatch(name)
    if not found:
        return name
    stem = found[0][: found[0].rindex(".")]
    return stem[:-4] if stem.endswith(".tar") and len(stem) > 4 else stem


def kind_of(mode: int) -> str:
    if stat.S_ISREG(mode):
        return FILE
    return FOLDER if stat.S_ISDIR(mode) else LINK if stat.S_ISLNK(mode) else OTHER


def entries_of(folder: int, shown: str) -> list[Entry]:
    """Entries by name, byte by byte, without the private files of programs.  Raises Trouble."""
    found = []
    try:
        for name in os.listdir(folder):
            if name.startswith(".") or name in DEBRIS:
                continue
            if len(found) == ENTRIES_MAX:
                raise Trouble("%(path)s: more than %(count)d files", path=shown, count=ENTRIES_MAX)
            try:
                mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
            except FileNotFoundError:
                continue
            found.append(Entry(name, kind_of(mode)))
    except OSError as error:
        raise of_name(error, shown) from error
    return sorted(found, key=lambda entry: os.fsencode(entry.name))


def folder_open(name: str, at: int | None, shown: str) -> int:
    try:
        return os.open(name, FOLDER_FLAGS, dir_fd=at)
    except OSError as error:
        raise of_name(error, shown) from error


def file_open(name: str, at: int, shown: str) -> int:
    """A plain file, open for reading; follows no link and waits for no pipe."""
    try:
        fd = os.open(name, FILE_FLAGS, dir_fd=at)
    except OSError as error:
        raise of_name(error, shown) from error
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise Trouble("%(path)s: not a regular file", path=shown)
    return fd


def file_read(name: str, at: int, bytes_max: int, shown: str) -> bytes:
    """The first bytes of a plain file."""
    with os.fdopen(file_open(name, at, shown), "rb") as file:
        try:
            return file.read(bytes_max)
        except OSError as error:
            raise of_name(error, shown) from error
