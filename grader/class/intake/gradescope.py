"""Gradescope's export: submission_metadata.yml lists the submitters of each folder.

The table is read as events of YAML and not as objects: no unneeded objects are made, an alias
counts as nothing, and a text such as a student's number stays a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from course import seconds_of
from intake.folder import FOLDER, file_read
from intake.person import Person
from intake.source import Folder, Found, Item, Source
from language import _
from texts import shown
from trouble import Trouble

TABLE = "submission_metadata.yml"
BYTES_MAX = 64 << 20  # it holds the results of all students
TEXT_BYTES_MAX = 255
SUBMITTERS_MAX = 32
DEPTH_MAX = 64


@dataclass(frozen=True)
class Record:
    folder: str  # "submission_123"
    submitters: tuple[dict[str, str], ...]  # by :name, :sid and :email
    created_at: int | None


def _fault(path: str, mark: Any) -> Trouble:
    return Trouble(
        "%(path)s:%(line)d: this line is not as Gradescope writes it; give each folder the "
        "student's id as its name, and use the layout 'folders'",
        path=path,
        line=mark.line + 1 if mark else 1,
    )


class _Reader:
    """Events one after the other, with a look at the next one."""

    def __init__(self, path: str, data: bytes) -> None:
        import yaml  # imported late: without it there is one clear message, and only here

        self.yaml = yaml
        self.path = path
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        self._events: Iterator[Any] = yaml.parse(data, Loader=loader)
        self.event: Any = None
        self.step()

    def step(self) -> Any:
        before = self.event
        try:
            self.event = next(self._events, None)
        except self.yaml.YAMLError as error:
            mark = getattr(error, "context_mark", None) or getattr(error, "problem_mark", None)
            raise _fault(self.path, mark) from error
        return before

    def is_at(self, *names: str) -> bool:
        return type(self.event).__name__ in [f"{name}Event" for name in names]

    def fault(self) -> Trouble:
        return _fault(self.path, self.event.start_mark if self.event else None)

    def take(self, name: str) -> None:
        if not self.is_at(name):
            raise self.fault()
        self.step()

    def text(self) -> str:
        """A scalar; "" for null."""
        if not self.is_at("Scalar") or len(self.event.value.encode()) > TEXT_BYTES_MAX:
            raise self.fault()
        event = self.step()
        return "" if event.style is None and event.value in ("", "null", "~") else event.value

    def skip(self) -> None:
        """Skips a value, whatever it contains."""
        depth = 0
        while self.event is not None:
            depth += self.is_at("MappingStart", "SequenceStart")
            depth -= self.is_at("MappingEnd", "SequenceEnd")
            if depth > DEPTH_MAX:
                raise self.fault()
            self.step()
            if depth == 0:
                return

    def submitters(self) -> tuple[dict[str, str], ...]:
        found: list[dict[str, str]] = []
        self.take("SequenceStart")
        while not self.is_at("SequenceEnd"):
            if len(found) == SUBMITTERS_MAX:
                raise self.fault()
            self.take("MappingStart")
            found.append({})
            while not self.is_at("MappingEnd"):
                key = self.text()
                if key in (":name", ":sid", ":email"):
                    found[-1][key] = self.text()
                else:
                    self.skip()
            self.step()
        self.step()
        return tuple(found)

    def moment(self) -> int | None:
        """Gradescope writes "2026-11-30 22:10:00.000000000 Z" or "… +01:00"."""
        before = self.fault()
        text = self.text()
        seconds = seconds_of(re.sub(" ", "", re.sub(" ", "T", text, count=1), count=1))
        if text and seconds is None:
            raise before
        return seconds

    def records(self) -> Iterator[Record]:
        self.take("StreamStart")
        if self.is_at("StreamEnd"):
            return
        self.take("DocumentStart")
        self.take("MappingStart")
        while not self.is_at("MappingEnd"):
            folder = self.text()
            submitters: tuple[dict[str, str], ...] = ()
            created: int | None = None
            self.take("MappingStart")
            while not self.is_at("MappingEnd"):
                key = self.text()
                if key == ":submitters":
                    submitters = self.submitters()
                elif key == ":created_at":
                    created = self.moment()
                else:
                    self.skip()
            self.step()
            yield Record(folder, submitters, created)


def table_read(path: str, data: bytes) -> list[Record]:
    """Raises Trouble with path and line."""
    return list(_Reader(path, data).records())


def fits(folder: Folder) -> bool:
    return any(entry.name == TABLE and entry.kind == "file" for entry in folder.entries)


def _sources(record: Record) -> Iterator[Source]:
    for one in record.submitters:
        name, sid, mail = (one.get(key, "") for key in (":name", ":sid", ":email"))
        owner = Person(sid or mail or record.folder, shown(name), shown(mail))
        item = Item(record.folder, record.folder, FOLDER)
        received = record.created_at
        yield Source(owner, (item,), shown(record.folder), received=received, order=received or 0)


def read(folder: Folder) -> Found:
    data = file_read(TABLE, folder.fd, BYTES_MAX + 1, TABLE)
    if len(data) > BYTES_MAX:
        raise Trouble(
            "%(path)s: larger than %(count)d MiB; give each folder the student's id as its "
            "name, and use the layout 'folders'",
            path=TABLE,
            count=BYTES_MAX >> 20,
        )
    there = {entry.name for entry in folder.entries if entry.kind == FOLDER}
    sources, others, named = [], [], {TABLE}
    for record in table_read(TABLE, data):
        if record.folder in there and record.submitters:
            sources += _sources(record)
        elif record.folder in there:
            why = _("submission_metadata.yml names no student for it")
            others.append((shown(record.folder), why))
        else:
            why = _("submission_metadata.yml names it, but there is no such folder")
            others.append((shown(record.folder), why))
        named.add(record.folder)
    why = _("submission_metadata.yml does not name it")
    for entry in folder.entries:
        if entry.name not in named or (entry.kind != FOLDER and entry.name != TABLE):
            others.append((shown(entry.name), why))
    return Found(tuple(sources), tuple(others))
