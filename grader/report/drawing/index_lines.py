"""The lines that determine the element of an access: they compute and check its indices.

A reader of C follows names upwards, and so does this, without a parser: a line that it misses is a
line that the excerpt lacks, and one too many does no harm.
"""

from __future__ import annotations

import re

LINES_MAX = 8  # for one access
_NAME = re.compile(r"[A-Za-z_]\w*")
_CONTROL = re.compile(r"\s*(?:\}\s*)?(?:else\s+)?(?:if|for|while)\b")
_LEAVES = re.compile(r"\b(?:return|continue|break)\b")
_FUNCTION = re.compile(r"\b__(?:global|device)__\b")


def _names(text: str) -> set[str]:
    return set(_NAME.findall(text))


def _sets(text: str, names: set[str]) -> bool:
    """Whether the line gives one of the names a value."""
    return any(name in names for name in re.findall(r"(\w+)\s*[-+*/%]?=(?!=)", text))


def of_access(texts: list[str], line: int, access: str) -> set[int]:
    """The numbers of such lines above the line, at most LINES_MAX, for the text of an access."""
    names = _names(access)
    found: set[int] = set()
    depth = 0  # blocks that end between the line and the access
    leaves = False  # the innermost of them leaves the function or the loop
    alone = True  # so far there is no statement between the line and the access
    for number in range(line - 1, 0, -1):
        text = texts[number - 1].split("//")[0].rstrip()
        if _FUNCTION.search(text) or len(found) == LINES_MAX:
            break
        if not text:
            continue
        inside = depth > 0
        depth += text.count("}") - text.count("{")
        control = bool(_CONTROL.match(text))
        leaves = leaves or bool(_LEAVES.search(text))
        around = depth < 0 or (alone and not inside and control and text.endswith(")"))
        guards = control and leaves and depth == 0 and bool(names & _names(text))
        if (around and control) or guards or (not inside and _sets(text, names)):
            found.add(number)
            names |= _names(text)
        depth = max(depth, 0)
        leaves = leaves and depth > 0
        alone = alone and control
    return found
