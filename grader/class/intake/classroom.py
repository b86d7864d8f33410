"""Clones of GitHub Classroom or Classroom 50: hw1-LOGIN, a folder with .git.

The student can set the time of a commit, and git is not run in an untrusted folder, so only the
roster knows when a clone was received.
"""

from __future__ import annotations

from dataclasses import replace

from intake.folder import FOLDER
from intake.person import Person
from intake.source import Folder, Found, Logins, of_entry, stranger
from texts import shown


def fits(folder: Folder) -> bool:
    logins = Logins(folder.roster, [], "-", ids=False)
    folders = [entry.name for entry in folder.entries if entry.kind == FOLDER]
    clones = sum(folder.has(f"{name}/.git") or bool(logins.known(name)) for name in folders)
    submissions = sum(entry.is_submission for entry in folder.entries)
    return clones > 0 and 2 * clones >= submissions


def read(folder: Folder) -> Found:
    clones = [entry for entry in folder.entries if entry.kind == FOLDER]
    names = [entry.name for entry in clones]
    logins = Logins(folder.roster, names if len(names) > 1 else [], "-")
    sources = []
    for entry in clones:
        login = logins.of(entry.name)
        owner = Person(login, keys={"github": shown(login)})
        sources.append(replace(of_entry(entry, owner), name=shown(entry.name)))
    others = [stranger(entry) for entry in folder.entries if entry.kind != FOLDER]
    return Found(tuple(sources), tuple(others))
