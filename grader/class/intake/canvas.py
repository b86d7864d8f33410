"""Canvas: OWNER[_LATE]_NUMBER_UPLOAD_FILE, or OWNER[_LATE]_NUMBER_text.html, or, if students are
anonymous, [LATE_]anon_ID_UPLOAD_FILE.

A student can write "_7_8_" into both names around the numbers, so there may be several readings.
Only the place that the platform controls counts.
Source: lib/content_zipper.rb of Canvas.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from intake.person import Person
from intake.roster import Roster
from intake.source import Folder, Found, Item, Source, ended, is_file_or_folder, stranger
from language import _
from texts import shown, size

NAME_BYTES_MAX = 255
READINGS_MAX = 8
TAIL = re.compile(r"_([0-9]+)_(?:([0-9]+)_(.+)|((?:text|link)\.html))", re.DOTALL)
ANONYMOUS = re.compile(r"(LATE_)?(anon_[^_]+)_([0-9]+)_(.+)", re.DOTALL)
VERSION = re.compile(r"(.+)-([0-9]{1,4})(\.[^.]*)", re.DOTALL)


@dataclass(frozen=True)
class Name:
    owner: str
    number: str  # Canvas' id of the student; "": none
    upload: str  # Canvas' id of the file, which grows with time; "": none
    file: str  # the file's own name
    late_mark: bool


def readings(name: str) -> list[Name]:
    """From the left."""
    found = []
    if size(name) > NAME_BYTES_MAX:
        return []
    for at in range(1, len(name)):
        tail = TAIL.fullmatch(name, at) if name[at] == "_" else None
        if tail:
            late = name[:at].endswith("_LATE") and at > len("_LATE")
            owner = name[: at - len("_LATE")] if late else name[:at]
            found.append(Name(owner, tail[1], tail[2] or "", tail[3] or tail[4], late))
    hidden = ANONYMOUS.fullmatch(name)
    if hidden:
        found.append(Name(hidden[2], "", hidden[3], hidden[4], bool(hidden[1])))
    return found


def version_cut(file: str) -> tuple[str, int]:
    """Canvas adds "-1" to the name of a file that is uploaded again: "tiled-1.cu" is tiled.cu."""
    found = VERSION.fullmatch(file)
    if not found or not int(found[2]):
        return file, 0
    return found[1] + found[3], int(found[2])


def _chosen(name: str, roster: Roster | None) -> tuple[Name | None, bool]:
    """The reading that fits the roster, else the first.  In doubt: more than one student fits, or
    only a later number, which may come from a file name chosen by another student."""
    found = readings(name)
    numbers = {one.key("canvas_id") for one in roster.people} if roster else set()
    fitting = [
        (at, one)
        for at, one in enumerate(found[:READINGS_MAX])
        if one.number and one.number in numbers
    ]
    if not fitting:
        return (found[0] if found else None), False
    doubt = fitting[0][0] > 0 or len({one.number for _at, one in fitting}) > 1
    return fitting[0][1], doubt


def fits(folder: Folder) -> bool:
    count = sum(bool(readings(entry.name)) for entry in folder.entries)
    return count > 0 and 2 * count >= len(folder.entries)


def named_add(sources: dict[str, Source], name: Name, item: Item, key: str) -> None:
    """Adds an item to the source of the student that a name identifies."""
    owner = f"{name.owner}_{name.number}" if name.number else name.owner
    if owner not in sources:
        keys = {key: name.number} if name.number else {}
        person = Person(owner, shown(name.owner), keys=keys)
        sources[owner] = Source(person, (), shown(item.path))
    before = sources[owner]
    late = before.late_mark or name.late_mark
    sources[owner] = replace(before, items=(*before.items, item), late_mark=late)


def read(folder: Folder) -> Found:
    sources: dict[str, Source] = {}
    others = []
    for entry in folder.entries:
        name, doubt = None, False
        if is_file_or_folder(entry):
            name, doubt = _chosen(entry.name, folder.roster)
        if not name:
            others.append(stranger(entry))
        elif doubt:
            why = _("its name has more than one number that could be a student's")
            others.append((shown(entry.name), why))
        else:
            file, version = version_cut(name.file)
            item = Item(entry.name, file, entry.kind, version, int(name.upload or 0))
            named_add(sources, name, item, "canvas_id")
    return Found(ended(list(sources.values()), "canvas_id"), tuple(others))
