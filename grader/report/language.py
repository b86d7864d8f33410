"""The language of texts for people: English texts are keys, build/texts/zh.mo has the Chinese.

Names that programs read (keys, verdicts, test names) are never looked up.  grader/texts/README.md
says how to add a text.
"""

from __future__ import annotations

import functools
import gettext
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

LANGUAGES = ("en", "zh")
CATALOGUES = Path(__file__).resolve().parents[2] / "build/texts"
VARIABLE = "TILEGRADE_LANGUAGE"

_chosen: ContextVar[tuple[str, gettext.NullTranslations]] = ContextVar(
    "chosen", default=("en", gettext.NullTranslations())
)


def N_(english: str) -> str:
    """Marks a text of a table, which is looked up when it is shown."""
    return english


def _(english: str, **values: object) -> str:
    """The text in the chosen language, with its values filled in."""
    text = _chosen.get()[1].gettext(english) if english else english
    return text % values if values else text


def looked_up(english: str, context: str = "") -> str:
    """The text of a message in a result, without its values."""
    catalogue = _chosen.get()[1]
    return catalogue.pgettext(context, english) if context else catalogue.gettext(english)


def is_translated(english: str, context: str = "") -> bool:
    """False if the chosen language lacks the text."""
    return language() == "en" or looked_up(english, context) != english


def gap() -> str:
    """The separator of two sentences."""
    return "" if language() == "zh" else " "


def listed(texts: Iterable[str]) -> str:
    """Names one after the other."""
    return ("、" if language() == "zh" else ", ").join(texts)


def clauses(texts: Iterable[str]) -> str:
    """Parts of one sentence."""
    return ("；" if language() == "zh" else "; ").join(texts)


def language() -> str:
    """The chosen language, as HTML's lang attribute writes it."""
    return _chosen.get()[0]


def in_language(english: str, chinese: str) -> str:
    """A text that both languages have; the English one if there is no Chinese."""
    return chinese if chinese and language() == "zh" else english


def language_of_environment() -> str:
    """The language that base/language.c chooses by the variables of the system."""
    keys = ("LC_ALL", "LC_MESSAGES", "LANG")
    system = next((os.environ[key] for key in keys if os.environ.get(key)), "")
    listed = [] if system in ("C", "POSIX") else os.environ.get("LANGUAGE", "").split(":")
    for name in [os.environ.get(VARIABLE, ""), *listed, system]:
        own = re.split(r"[_.@:-]", name)[0].lower()
        if own in LANGUAGES:
            return own
    return "en"


@functools.cache
def _catalogue(name: str) -> gettext.NullTranslations:
    path = CATALOGUES / f"{name}.mo"
    try:
        with path.open("rb") as file:
            return gettext.GNUTranslations(file)
    except (OSError, UnicodeDecodeError) as error:
        print(f"report: {path}: {error}; `make all` builds it; English is used", file=sys.stderr)
        return gettext.NullTranslations()


@contextmanager
def language_used(name: str) -> Iterator[None]:
    """All texts in this language, or in English if its catalogue is not built."""
    known = name if name in LANGUAGES else "en"
    catalogue = gettext.NullTranslations() if known == "en" else _catalogue(known)
    before = _chosen.set((known, catalogue))
    try:
        yield
    finally:
        _chosen.reset(before)
