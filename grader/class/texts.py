"""Foreign texts, made fit to be shown: names of files, cells of rosters, output of programs."""

from __future__ import annotations

import os
import re

import parse_values

ESCAPE = re.compile(r"\033(?:\[[\x20-\x3f]*.?|\][^\a\033\n]*\a?|.)?", re.DOTALL)
COMMAND = re.compile(r"(##[A-Za-z]*)\[")  # of a CI system, wherever it is in a line


def cleaned(text: str) -> str:
    """Without characters that cannot be seen, or that change how others are shown."""
    return parse_values.cleaned(text.replace("\t", " "))


def shown(text: str) -> str:
    """The same in one line."""
    return cleaned(text).replace("\n", "?")


def printable(text: str) -> str:
    """The same for a terminal: the text cannot repaint a screen or command a CI system."""
    return COMMAND.sub(r"\1?", cleaned(ESCAPE.sub("", text)))


def joined(*notes: str) -> str:
    return "; ".join(note for note in notes if note)


def size(text: str) -> int:
    """Bytes of a name."""
    return len(os.fsencode(text))
