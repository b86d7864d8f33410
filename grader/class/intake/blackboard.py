"""Blackboard: ASSIGNMENT_OWNER_attempt_DATE_FILE, or ASSIGNMENT_OWNER_attempt_DATE.txt, with the
date as 2026-11-30-22-10-05 in the time of the server.

ASSIGNMENT and OWNER may hold "_".  Every try is in the download, with its date. The date has no
time zone, so it shows which try is newer, but not when it was received.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from intake.canvas import NAME_BYTES_MAX
from intake.folder import FILE
from intake.person import Person
from intake.source import Folder, Found, Item, Logins, Source, stranger
from texts import shown, size

REST = re.compile(r"([0-9]{4}(?:-[0-9]{2}){5})(?:_(.+)|\.txt)", re.DOTALL)


@dataclass(frozen=True)
class Name:
    owner: str  # all before "_attempt_"
    order: int  # the date as a number, 20261130221005
    file: str


def name_read(name: str) -> Name | None:
    owner, _mark, rest = name.partition("_attempt_")
    found = REST.fullmatch(rest)
    if not owner or not found or size(name) > NAME_BYTES_MAX:
        return None
    return Name(owner, int(found[1].replace("-", "")), found[2] or name)


def fits(folder: Folder) -> bool:
    count = sum(bool(name_read(entry.name)) for entry in folder.entries)
    return count > 0 and 2 * count >= len(folder.entries)


def read(folder: Folder) -> Found:
    names = {entry: name_read(entry.name) for entry in folder.entries}
    logins = Logins(folder.roster, [name.owner for name in names.values() if name], "_")
    sources: dict[tuple[str, int], Source] = {}
    others = []
    for entry, name in names.items():
        if entry.kind != FILE or not name:
            others.append(stranger(entry))
            continue
        login = logins.of(name.owner)
        person = Person(login, keys={"username": shown(login)})
        first = Source(person, (), shown(entry.name), order=name.order)
        before = sources.get((login, name.order), first)
        item = Item(entry.name, name.file, entry.kind)
        sources[login, name.order] = replace(before, items=(*before.items, item))
    return Found(tuple(sources.values()), tuple(others))
