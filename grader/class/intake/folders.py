"""A folder or a package for each student, whose name identifies the student."""

from __future__ import annotations

from intake.folder import package_stem
from intake.person import Person
from intake.source import Folder, Found, of_entry, stranger


def fits(folder: Folder) -> bool:
    return any(entry.is_submission for entry in folder.entries)


def read(folder: Folder) -> Found:
    sources = []
    for entry in folder.entries:
        if entry.is_submission:
            name = package_stem(entry.name) if entry.is_package else entry.name
            sources.append(of_entry(entry, Person(name)))
    others = [stranger(entry) for entry in folder.entries if not entry.is_submission]
    return Found(tuple(sources), tuple(others))
