"""Moodle: OWNER_NUMBER_assignsubmission_KIND, a folder; with FILE after it, "_" between, a file.

Moodle writes no "_" into OWNER.  Source: mod/assign/classes/downloader.php of Moodle.
"""

from __future__ import annotations

import re

from intake.canvas import NAME_BYTES_MAX, Name, named_add
from intake.source import Folder, Found, Item, Source, ended, is_file_or_folder, stranger
from texts import size

NAME = re.compile(
    r"(?!_assignsubmission_)([^_]*)(?:_([0-9]*))?_assignsubmission_[^_]*_?(.*)", re.DOTALL
)


def name_read(name: str) -> Name | None:
    found = NAME.fullmatch(name)
    if not found or size(name) > NAME_BYTES_MAX:
        return None
    return Name(found[1], found[2] or "", "", found[3], False)


def fits(folder: Folder) -> bool:
    count = sum(bool(name_read(entry.name)) for entry in folder.entries)
    return count > 0 and 2 * count >= len(folder.entries)


def read(folder: Folder) -> Found:
    sources: dict[str, Source] = {}
    others = []
    for entry in folder.entries:
        name = name_read(entry.name) if is_file_or_folder(entry) else None
        if name:
            item = Item(entry.name, name.file or entry.name, entry.kind)
            named_add(sources, name, item, "moodle_id")
        else:
            others.append(stranger(entry))
    return Found(ended(list(sources.values()), "moodle_id"), tuple(others))
