"""A student's submission at one time, as a layout finds it, and entries that belong to no
student."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, replace

from intake.folder import FOLDER, LINK, Entry
from intake.person import Person
from intake.roster import Roster
from language import _
from texts import shown


@dataclass(frozen=True)
class Item:
    """A file, a package or a folder of a source."""

    path: str  # below the folder of the class
    name: str  # the file's own name, without the platform's additions
    kind: str
    version: int = 0  # of files with one name, the highest counts, then the later upload
    upload: int = 0


@dataclass(frozen=True)
class Source:
    owner: Person  # by the platform's data; its id is for a class without a roster
    items: tuple[Item, ...]
    name: str  # the name for people
    late_mark: bool = False
    received: int | None = None
    order: int = 0  # the platform's own: of two tries, the higher is newer; 0: not known
    fault: str = ""  # why nothing may be taken from it
    tries: int = 1  # number of tries found


@dataclass(frozen=True)
class Found:
    sources: tuple[Source, ...]
    unmatched: tuple[tuple[str, str], ...]  # entries that belong to no student, with the reasons


@dataclass(frozen=True)
class Folder:
    """The folder of a class, open."""

    fd: int
    entries: tuple[Entry, ...]
    roster: Roster | None

    def has(self, name: str) -> bool:
        """Whether an entry exists one folder deeper, as in "hw1-anna/.git"."""
        try:
            os.stat(name, dir_fd=self.fd, follow_symlinks=False)
        except OSError:
            return False
        return True


def stranger(entry: Entry) -> tuple[str, str]:
    """An entry that belongs to no student."""
    is_link = entry.kind == LINK
    why = _("a link, which is not followed") if is_link else _("its name does not say whose it is")
    return shown(entry.name), why


def of_entry(entry: Entry, owner: Person) -> Source:
    return Source(owner, (Item(entry.name, entry.name, entry.kind),), shown(entry.name))


class Logins:
    """The logins of a roster, with one of which a name may end, after the separator: "hw1-anna"."""

    def __init__(
        self, roster: Roster | None, names: list[str], mark: str, ids: bool = True
    ) -> None:
        """`names`: a common prefix of all of them is not part of a login ("x-anna" in
        "hw1-x-anna"); `ids`: an id may be a login."""
        self.mark = mark
        start = os.path.commonprefix(names)
        self.prefix = start.rfind(mark) + 1
        self._known: dict[str, str] = {}
        for one in roster.people if roster else ():
            for login in (one.key("github"), one.key("username"), one.id if ids else ""):
                if login:
                    self._known.setdefault(login.lower(), login)

    def known(self, name: str) -> str:
        """The longest login of a roster's row; "" if there is none."""
        for at in range(1, len(name)):
            within = not self.prefix or at + 1 <= self.prefix
            if name[at] == self.mark and within and name[at + 1 :].lower() in self._known:
                return self._known[name[at + 1 :].lower()]
        return ""

    def of(self, name: str) -> str:
        """The same, or all after the prefix."""
        rest = name[self.prefix :] if len(name) > self.prefix else name
        return self.known(name) or rest


def ended(sources: list[Source], key: str) -> tuple[Source, ...]:
    """The remaining notes about students with several files: the number of tries of a file, and an
    error if one number has two names."""
    counted = []
    for source in sources:
        tries = max(Counter(item.name for item in source.items).values())
        name = source.name
        if len(source.items) > 1:
            name = shown(
                _(
                    "%(path)s and %(count)d more",
                    path=source.items[0].path,
                    count=len(source.items) - 1,
                )
            )
        counted.append(replace(source, tries=max(tries, source.tries), name=name))
    for at, source in enumerate(counted):
        for before in range(at):
            other = counted[before]
            number = source.owner.key(key)
            if number and other.owner.key(key) == number:
                fault = shown(
                    _(
                        "'%(first)s' and '%(second)s' have the same number",
                        first=other.owner.id,
                        second=source.owner.id,
                    )
                )
                counted[at] = source = replace(source, fault=fault)
                counted[before] = replace(other, fault=fault)
    return tuple(counted)


def is_file_or_folder(entry: Entry) -> bool:
    return entry.kind in ("file", FOLDER)
