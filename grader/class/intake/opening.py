"""The opened folder of a class, or the folder inside it if it only wraps the class."""

from __future__ import annotations

import os
import stat

from intake.folder import FILE_FLAGS, FOLDER, FOLDER_FLAGS, Entry, entries_of, folder_open
from intake.layouts import layout_find
from intake.packages import Refused, Unpacker, closing
from intake.roster import Roster
from intake.source import Folder
from texts import shown
from trouble import Trouble, of_name

WRAPPERS_MAX = 3  # folders around the class, as archivers make them


def submissions_open(path: str) -> int:
    """Opens the folder or package without a link in its path that a student could have made.

    No part of a relative path may be a link.  An absolute path begins with folders of the machine,
    whose links are followed (/tmp, /home); its last part, and the parts below the working folder,
    may not be links.
    """
    parts = [part for part in path.split("/") if part not in ("", ".")]
    follow = path.startswith("/")
    here = os.stat(".")
    at = os.open("/" if follow else ".", os.O_PATH | os.O_DIRECTORY)
    for number, part in enumerate(parts or ["."]):
        last = number + 1 >= len(parts)
        flags = FILE_FLAGS if last else FOLDER_FLAGS | os.O_PATH
        flags &= ~os.O_NOFOLLOW if follow and not last else -1
        below = ("/" if path.startswith("/") else "") + "/".join(parts[: number + 1])
        with closing(at):
            try:
                at = os.open(part, flags, dir_fd=at)
            except OSError as error:
                if not _is_link(part, at):
                    raise of_name(error, below) from error
                raise Trouble(
                    "%(path)s: a link, which is not followed because it may lead out of the "
                    "submission; name the folder or package itself",
                    path=below,
                ) from error
        follow = follow and not os.path.samestat(os.fstat(at), here)
    return at


def _is_link(name: str, at: int) -> bool:
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=at, follow_symlinks=False).st_mode)
    except OSError:
        return False


def has_kernel(entries: tuple[Entry, ...], exercises: tuple[str, ...]) -> bool:
    """Whether a kernel file of the course is directly in the folder."""
    wanted = {f"{name}.cu" for name in exercises}
    return any(entry.kind != FOLDER and entry.name in wanted for entry in entries)


def _left_out(lines: tuple[str, ...], package: str) -> list[tuple[str, str]]:
    """Each line "'name': why" of the unpacker; a name holds no quote."""
    found = []
    for line in lines:
        name, mark, why = line.partition("': ")
        found.append((shown(name[1:]), shown(why)) if mark else (shown(package), shown(line)))
    return found


def opening_open(
    path: str, roster: Roster | None, exercises: tuple[str, ...], unpacker: Unpacker
) -> tuple[Folder, list[tuple[str, str]]]:
    """The folder, and what is left out of a package.  Raises Trouble."""
    others: list[tuple[str, str]] = []
    fd = submissions_open(path)
    if not stat.S_ISDIR(os.fstat(fd).st_mode):
        with closing(fd):
            try:
                unpacked = unpacker.unpack(fd, path, of_class=True)
            except Refused as error:
                raise Trouble(str(error)) from error
        fd = os.open(unpacked.folder, FOLDER_FLAGS)
        others = _left_out(unpacked.left_out, path)
    folder = Folder(fd, tuple(entries_of(fd, path)), roster)
    for _step in range(WRAPPERS_MAX):
        if len(folder.entries) != 1 or folder.entries[0].kind != FOLDER:
            break
        if layout_find(folder) != "folders":
            break
        only = folder.entries[0].name
        inner_fd = folder_open(only, folder.fd, only)
        inner = Folder(inner_fd, tuple(entries_of(inner_fd, only)), roster)
        layout = layout_find(inner)
        alone = layout == "folders" and len(inner.entries) < 2  # a class' only submission
        if not layout or alone or has_kernel(inner.entries, exercises):
            os.close(inner_fd)
            break
        os.close(folder.fd)
        folder = inner
    return folder, others
