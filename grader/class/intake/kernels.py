"""The kernel files of one submission: found in its folders and packages, one for each exercise.

The file nearest to the top counts, then one in a folder named `student`, and a plain file before
one in a package; then the highest number of a copy ("tiled (1).cu"). A link with the name of a
kernel file becomes a link that leads nowhere, so that the judge reports it.
"""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass, field, replace

from intake.canvas import version_cut
from intake.folder import (
    FILE,
    FOLDER,
    FOLDER_FLAGS,
    LINK,
    entries_of,
    file_open,
    file_read,
    folder_open,
    is_package,
)
from intake.packages import Refused, Unpacker, closing
from intake.source import Item, Source
from language import _
from texts import cleaned, size
from trouble import Trouble

DEPTH_MAX = 8
ENTRIES_MAX = 20000
PACKAGES_MAX = 8
SOURCE_BYTES_MAX = 256 << 10  # as grader/base/limits.h
NAME_BYTES_MAX = 64
NEAR_MAX = 8  # files with nearly the right name, which the judge explains
FOUND_MAX = 5  # the most other files that a message names
RANK_PACKAGE = 1000
RANK_LINK = 100000
NOWHERE = "nowhere"
# A deeper CUDA file belongs to a copy of the course, unless its name says otherwise.
ODD_DEPTH_MAX = 1
COPY = re.compile(r"(.+?)( ?)\(([0-9]{1,4})\)(\.[^.]*)", re.DOTALL)


def copy_cut(file: str) -> tuple[str, int]:
    """A browser adds a number to a file that it saves again, " (1)" or "(1)", and Canvas "-1"."""
    found = COPY.fullmatch(file)
    if not found:
        return version_cut(file)
    return (found[1] + found[4], int(found[3])) if int(found[3]) else (file, 0)


def is_near(name: str, file: str) -> bool:
    """Whether a file could be meant for "tiled.cu": Tiled.cu, matmul_tiled.cu, "tiled (1).cu",
    tiled.cu.txt."""
    stem = file.split(".")[0].lower()
    text = name[7:] if name[:7].lower() == "matmul_" else name
    after = text[len(stem) : len(stem) + 1]
    return text[: len(stem)].lower() == stem and not re.match("[A-Za-z0-9_]", after)


@dataclass(frozen=True)
class KernelFile:
    name: str  # "tiled.cu"
    path: str  # the place where it was found, for people
    data: bytes | None  # None: a link
    rank: int  # a lower one counts
    version: int  # then a higher one
    upload: int
    copied: bool  # its own name, or the name of `older`, has the number of a copy
    twin: str = ""  # another one with other bytes, of which it is not known whether it counts
    older: str = ""  # a copy of it with other bytes, which does not count

    def chosen(self, other: KernelFile) -> KernelFile:
        """The one of the two files that counts."""
        mine = (-self.rank, self.version, self.upload)
        its = (-other.rank, other.version, other.upload)
        kept, lost = (other, self) if its > mine else (self, other)
        if self.data == other.data:
            return replace(kept, copied=self.copied and other.copied)
        if its == mine:
            return replace(kept, twin=kept.twin or lost.path)
        if kept.rank == lost.rank and not kept.older:
            return replace(kept, older=lost.path, copied=kept.copied or lost.copied)
        return kept


@dataclass
class Kernels:
    """The files found so far."""

    wanted: tuple[str, ...]  # file names
    exercise_count: int  # the first of them
    files: dict[str, KernelFile] = field(default_factory=dict)  # by wanted name
    near: dict[str, KernelFile] = field(default_factory=dict)  # by their own name
    # Files that may be kernels: the name is like a wanted one, or ends in .cu.
    odd: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)  # forbidden entries of a package

    def near_of(self, name: str) -> str:
        return next((file for file in self.wanted if is_near(name, file)), "")

    def meant(self, name: str) -> str:
        """The intended file of another name, by its content; "": none."""
        inside = (
            file
            for file in self.wanted[: self.exercise_count]
            if file.removesuffix(".cu").lower() in name.lower()
        )
        return self.near_of(name) or next(inside, "")

    def odd_text(self) -> str:
        """Files that may be kernels of exercises without one, "'Tiled.cu', 'x/my.cu'"."""
        exercises = self.wanted[: self.exercise_count]
        found = []
        for path in self.odd[:FOUND_MAX]:
            meant = self.meant(path.rpartition("/")[2])
            if any(file not in self.files for file in ([meant] if meant else exercises)):
                found.append(f"'{path}'")
        return ", ".join(found)

    def to_write(self) -> dict[str, bytes | None]:
        """A file with nearly the right name is useful only if the right one is missing."""
        found = {name: file.data for name, file in self.files.items()}
        for name, file in self.near.items():
            if self.near_of(name) not in self.files:
                found[name] = file.data
        return found


@dataclass
class _Search:
    kernels: Kernels
    unpacker: Unpacker
    item: Item
    rank: int = 0  # added to the rank of a file
    packages: int = 0  # opened so far
    entries: int = 0

    def file_look(
        self, at: int, entry: str, path: str, is_link: bool, depth: int, parent: str
    ) -> None:
        """A file or link; `depth` folders are above it, the last of them `parent`."""
        kernels = self.kernels
        name = path.rpartition("/")[2]
        plain, copy = (name, 0) if name in kernels.wanted else copy_cut(name)
        if plain not in kernels.wanted:
            near = kernels.near_of(name)
            meant = depth <= ODD_DEPTH_MAX or kernels.meant(name)
            odd = near or (len(name) > 3 and name.lower().endswith(".cu") and meant)
            (kernels.odd if odd else kernels.others).append(cleaned(path))
            ordinary = size(name) < NAME_BYTES_MAX and re.fullmatch("[ -~]*", name)
            if not near or is_link or not ordinary or len(kernels.near) == NEAR_MAX:
                return
            plain, copy = name, 0
        rank = self.rank + (0 if depth == 0 else 1 if parent == "student" else depth + 1)
        found = KernelFile(
            name=plain,
            path=cleaned(path),
            data=None if is_link else file_read(entry, at, SOURCE_BYTES_MAX + 1, entry),
            rank=rank + (RANK_LINK if is_link else 0),
            version=copy or self.item.version,
            upload=self.item.upload,
            copied=copy > 0,
        )
        into = kernels.files if plain in kernels.wanted else kernels.near
        into[plain] = into[plain].chosen(found) if plain in into else found

    def folder_look(self, fd: int, path: str, name: str, depth: int) -> None:
        """Walks an open folder; `path` is shown, and `name` is its own name."""
        in_package = self.rank > 0
        for entry in entries_of(fd, path or "."):
            inner = f"{path}/{entry.name}" if path else entry.name
            self.entries += 1
            if self.entries > ENTRIES_MAX:
                raise Refused(_("more than %(count)d files", count=ENTRIES_MAX))
            if entry.kind == FOLDER and depth < DEPTH_MAX:
                with closing(folder_open(entry.name, fd, inner)) as below:
                    self.folder_look(below, inner, entry.name, depth + 1)
            elif entry.is_package and not in_package:
                self.package_look(fd, entry.name, inner)
            elif entry.kind in (FILE, LINK):
                self.file_look(fd, entry.name, inner, entry.kind == LINK, depth, name)

    def package_look(self, at: int, entry: str, path: str) -> None:
        self.packages += 1
        if self.packages > PACKAGES_MAX:
            raise Refused(_("more than %(count)d packages", count=PACKAGES_MAX))
        with closing(file_open(entry, at, path)) as fd:
            unpacked = self.unpacker.unpack(fd, cleaned(path))
        self.kernels.left_out += unpacked.left_out
        self.rank += RANK_PACKAGE
        try:
            with closing(os.open(unpacked.folder, FOLDER_FLAGS)) as folder:
                self.folder_look(folder, path, "", 0)
        finally:
            shutil.rmtree(unpacked.folder)
        self.rank -= RANK_PACKAGE

    def item_look(self, at: int) -> None:
        item = self.item
        if item.kind == FOLDER:
            with closing(folder_open(item.path, at, item.path)) as folder:
                self.folder_look(folder, "", "", 0)
        elif is_package(item.name):
            self.package_look(at, item.path, item.name)
        else:
            self.file_look(at, item.path, item.name, False, 0, "")


def kernels_find(
    source: Source, at: int, wanted: tuple[str, ...], exercise_count: int, unpacker: Unpacker
) -> Kernels:
    """Searches all of a source.  Raises Refused: a package is refused, something cannot be read, or
    there are too many files; and Trouble of ours."""
    kernels = Kernels(wanted, exercise_count)
    search = _Search(kernels, unpacker, source.items[0])
    for item in source.items:
        search.item = item
        try:
            search.item_look(at)
        except Trouble as error:
            if error.code == 3:
                raise
            raise Refused(str(error)) from error
    return kernels


def _is_equal(folder: str, files: dict[str, bytes | None]) -> bool:
    try:
        if set(os.listdir(folder)) != set(files):
            return False
        with closing(os.open(folder, FOLDER_FLAGS)) as fd:
            for name, data in files.items():
                if data is None:
                    os.readlink(name, dir_fd=fd)
                elif file_read(name, fd, SOURCE_BYTES_MAX + 2, name) != data:
                    return False
    except (OSError, Trouble):
        return False
    return True


def folder_write(folder: str, files: dict[str, bytes | None]) -> None:
    """Makes the folder have these files and nothing else; replaced as a whole, and only if it
    differs, because a running job may read it."""
    if _is_equal(folder, files):
        return
    new = f"{folder}.new"
    shutil.rmtree(new, ignore_errors=True)
    os.makedirs(new, 0o700)
    for name, data in files.items():
        if data is None:
            os.symlink(NOWHERE, f"{new}/{name}")
        else:
            with open(f"{new}/{name}", "xb") as file:
                file.write(data)
    shutil.rmtree(folder, ignore_errors=True)
    os.rename(new, folder)
