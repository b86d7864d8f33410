"""Texts of a result in the chosen language: from their messages and values.

grader/judge/result/json_parts.c writes them, and grader/base/words.c renders them for the
terminal; this module does the same, so that a report in either language has the terminal's text.
"""

from __future__ import annotations

import re
from typing import Any

from language import gap, is_translated, looked_up

# %2$-5.*lld: position, flags, width, precision, type.
_CONVERSION = re.compile(
    r"%(?:(\d+)\$)?([-+ #0]*)(\*(?:\d+\$)?|\d*)"
    r"(?:\.(\*(?:\d+\$)?|\d*))?(?:hh?|ll?|z|j|t)?([a-zA-Z%])"
)
_SLOT = re.compile(r"\{([a-z_]+)\}")  # in a message whose values have names
_DEPTH_MAX = 12
_WIDTH_MAX = 40  # columns of a number


class _Untranslated(Exception):
    """A message that the catalogue does not have: it is older, or newer."""


class _Line:
    """A text that grows; with `capital` the next letter of a message becomes one."""

    def __init__(self) -> None:
        self.text = ""
        self.capital = False

    def add(self, text: str) -> None:
        self.text += text
        self.capital = self.capital and not text

    def add_letters(self, text: str) -> None:
        if self.capital and text[:1].isascii():
            text = text[:1].upper() + text[1:]
        self.add(text)


def _number(value: float, flags: str, width: str, precision: str, kind: str) -> str:
    kind = "d" if kind in "iu" else kind
    wide = min(int(width), _WIDTH_MAX) if width.isdigit() else ""
    exact = f".{min(int(precision), _WIDTH_MAX)}" if precision.isdigit() else ""
    return f"%{flags}{wide}{exact}{kind}" % value


def _add_message(line: _Line, data: dict[str, Any], depth: int) -> None:
    message, context = str(data["message"]), str(data.get("context", ""))
    values = data.get("values", [])
    name = depth > 0 and not values  # it may be the system's: "Invalid argument"
    slots = list(dict.fromkeys(_SLOT.findall(message)))  # in the order of their values
    letters = re.search("[A-Za-z]", (_SLOT if slots else _CONVERSION).sub("", message))
    if letters and not name and not is_translated(message, context):
        raise _Untranslated(message)
    line.capital |= bool(data.get("capital"))
    at = count = 0
    text = looked_up(message, context)
    for found in (_SLOT if slots else _CONVERSION).finditer(text):
        line.add_letters(text[at : found.start()])
        at = found.end()
        if slots:
            named = dict(zip(slots, values)).get(found[1], "")
            _add(line, named, depth + 1)
            continue
        position, flags, width, precision, kind = found.groups()
        if kind == "%":
            line.add("%")
            continue
        count += width.startswith("*") + (precision or "").startswith("*")
        index = int(position) - 1 if position else count
        count += not position
        if not 0 <= index < len(values):
            continue
        value = values[index]
        if isinstance(value, (int, float)) and kind not in "sc":
            line.add(_number(value, flags, width, precision or "", kind))
        else:
            _add(line, value, depth + 1)
    line.add_letters(text[at:])


def _add(line: _Line, data: Any, depth: int) -> None:
    if depth > _DEPTH_MAX:
        raise ValueError("messages in messages without end")
    if isinstance(data, list):
        for number, sentence in enumerate(data):
            line.add(gap() if number else "")
            _add(line, sentence, depth)
    elif isinstance(data, dict):
        _add_message(line, data, depth)
    else:
        line.add(str(data))


def sentence(data: dict[str, Any], key: str) -> str:
    """The text of that key in the chosen language; the stored text if there are no messages for it,
    or if the catalogue lacks one."""
    stored = str(data.get(key) or "")
    messages = data.get("texts", {}).get(key)
    if messages is None:
        return stored
    line = _Line()
    try:
        _add(line, messages, 0)
    except _Untranslated:
        return stored
    return line.text
