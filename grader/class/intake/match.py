"""Finds the owner of a submission.  It is the row of the roster that fits the platform's data about
the student.

Numbers and logins of the platform come first, then ids, mail addresses and last the names: the
first that fits decides.  Names fit in either order ("Ek, Anna", "Anna Ek"), and also as Canvas
writes them ("ekanna").  A row with another number or login than the platform's never fits.  Several
rows that fit are never chosen from: that is for the teacher to see.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from intake.person import KEYS, Person
from language import _

WAYS = ("key", "id", "any key", "mail", "name")


def _same(text: str) -> str:
    """Equal for texts that look alike: a letter such as é is one character, or two on a Mac."""
    return unicodedata.normalize("NFC", text)


def _word(text: str) -> str:
    return _same(text).casefold()


def _letters(text: str) -> str:
    return "".join(one for one in _word(text) if one.isalnum() or not one.isascii())


def _name_forms(name: str) -> tuple[str, str]:
    """The name folded, and with its last word first."""
    first, _blank, last = name.rpartition(" ")
    return _letters(name), _letters(last) + _letters(first) if _blank else _letters(name)


def _key(name: str, text: str) -> tuple[str, str]:
    return name, _word(text) if name == "github" else _same(text)


@dataclass(frozen=True)
class Match:
    row: int | None  # row of the roster; None: none, or more than one
    by_name: bool = False  # only the person's name fits
    why: str = ""  # if there is none: a text for people


class Matcher:
    """The rows of a roster, by all names that a submission may use."""

    def __init__(self, people: tuple[Person, ...]) -> None:
        self._people = people
        self._index: dict[tuple[str, object], set[int]] = defaultdict(set)
        for number, one in enumerate(people):
            for key, text in one.keys.items():
                self._add("key", _key(key, text), number)
                self._add("any key", _same(text), number)
                if key in ("github", "username"):
                    self._add(f"{key} word", _word(text), number)
            self._add("id", _same(one.id), number)
            self._add("id word", _word(one.id), number)
            if one.mail:
                self._add("mail", _word(one.mail), number)
            if one.name:
                plain, turned = _name_forms(one.name)
                if plain:
                    self._add("plain name", plain, number)
                    self._add("turned name", turned, number)

    def _add(self, way: str, text: object, number: int) -> None:
        self._index[way, text].add(number)

    def _rows(self, *asked: tuple[str, object]) -> set[int]:
        return set().union(*(self._index.get(one, ()) for one in asked))

    def _fitting(self, owner: Person) -> Iterable[set[int]]:
        """The rows that fit, by WAYS."""
        github = owner.key("github")
        yield self._rows(*(("key", _key(key, text)) for key, text in owner.keys.items()))
        yield self._rows(("id", _same(owner.id)))
        words = [("id word", _word(github)), ("username word", _word(github))] if github else []
        yield self._rows(("any key", _same(owner.id)), ("github word", _word(owner.id)), *words)
        yield self._rows(("mail", _word(owner.mail)), ("mail", _word(owner.id)))
        plain, turned = _name_forms(owner.name or owner.id)
        yield self._rows(("plain name", plain), ("turned name", plain), ("plain name", turned))

    def _contradicts(self, number: int, owner: Person) -> bool:
        """True if both have a number or login, and these differ: then they are two people."""
        row = self._people[number]
        return any(
            row.key(key) and owner.key(key) and _word(row.key(key)) != _word(owner.key(key))
            for key in KEYS
        )

    def find(self, owner: Person) -> Match:
        other = False
        for way, rows in zip(WAYS, self._fitting(owner), strict=True):
            fits = {row for row in rows if way == "key" or not self._contradicts(row, owner)}
            other = other or fits != rows
            if len(fits) == 1:
                return Match(fits.pop(), by_name=way == "name")
            if fits:
                return Match(None, why=_("more than one student of the roster fits it"))
        if other:
            return Match(
                None,
                why=_(
                    "a student of the roster has this id, mail address or name, but another number "
                    "or login; if it is the same person, correct these in the roster, or leave out "
                    "their column"
                ),
            )
        if owner.key("canvas_id"):
            return Match(None, why=_("no student of the roster has this canvas_id or name"))
        if owner.key("moodle_id"):
            return Match(None, why=_("no student of the roster has this moodle_id or name"))
        return Match(
            None, why=_("no student of the roster has this id, login, mail address or name")
        )
