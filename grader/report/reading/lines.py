"""Lines of a text in any language, joined and wrapped: Chinese has no blanks between words."""

from __future__ import annotations

import re
import unicodedata

_CLOSING = "，。；：、！？）》”」』】"
_OPENING = "（《“「『【"
# Marks of Markdown and the address of a link, which a reader does not see.
_END = re.compile(r"(?:\]\([^)\s]*\)|\*)+$")
_START = re.compile(r"^[*\[]+")
_BLOCK = re.compile(r"\s*(?:[-*] |\d+\. |\||#|```|<!--|!\[|$)|    ")


def is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"


def _needs_blank(before: str, after: str) -> bool:
    last, first = _END.sub("", before)[-1:], _START.sub("", after)[:1]
    if not last or not first:
        return True
    if last in _CLOSING + _OPENING or first in _CLOSING + _OPENING:
        return not (is_wide(last) or is_wide(first))
    return not (is_wide(last) and is_wide(first))


def joined(text: str) -> str:
    """A paragraph on one line."""
    line = ""
    for part in text.split("\n"):
        part = " ".join(part.split())
        line += " " * (bool(line) and bool(part) and _needs_blank(line, part)) + part
    return line


def unbroken(markdown: str) -> str:
    """Markdown with no line break that HTML would show as a blank between two Chinese words."""
    lines: list[str] = []
    in_code = False
    for line in markdown.split("\n"):
        bare = line.strip()
        follows = not in_code and lines and lines[-1].strip() and not _BLOCK.match(line)
        if follows and not re.match(r"[#|]|<!--|```", lines[-1]) and not _needs_blank(
            lines[-1], bare
        ):
            lines[-1] += bare
        else:
            lines.append(line)
        in_code ^= bare.startswith("```")
    return "\n".join(lines)


def columns(text: str) -> int:
    """Its width on a terminal."""
    return sum(2 if is_wide(character) else 1 for character in text)


def _pieces(line: str) -> list[str]:
    """Its pieces between possible line breaks; a blank belongs to the piece that it precedes."""
    found: list[str] = []
    for character in line:
        before = found[-1][-1] if found else ""
        holds = before and (
            character in _CLOSING + "])"
            or before in _OPENING + "[("
            or not (is_wide(before) or is_wide(character) or character == " ")
            or before == " "
        )
        if holds:
            found[-1] += character
        else:
            found.append(character)
    return found


def wrapped(line: str, room: int, first: str = "", rest: str = "") -> str:
    """Lines of at most `room` columns; `first` begins the first one, `rest` each other."""
    lines = [first]
    is_empty = True
    for piece in _pieces(line):
        if not is_empty and columns(lines[-1] + piece) > room:
            lines.append(rest)
            is_empty = True
        lines[-1] += piece.lstrip(" ") if is_empty else piece
        is_empty = False
    return "\n".join(line.rstrip(" ") for line in lines)
