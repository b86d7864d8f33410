"""Values of a result as Python values, each checked for contents that no result can have."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, TypeVar

from language import _
from words import Size

Part = TypeVar("Part")
# Characters that no format may contain: those that cannot be seen, or that change how others are
# shown.  The list is the same as in grader/base/text.c, which names the source; tests/report
# compares the two.
_HIDDEN = (
    (0x0000, 0x0008), (0x000B, 0x001F), (0x007F, 0x009F), (0x00AD, 0x00AD), (0x034F, 0x034F),
    (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200F),
    (0x2028, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xD800, 0xDFFF), (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0xFFFE, 0xFFFF), (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
_FORBIDDEN = re.compile("[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in _HIDDEN) + "]")
_INTEGER_MAX = 2**63 - 1  # the largest integer that the grader writes


def cleaned(value: Any) -> Any:
    """The same JSON value with each forbidden character as '?': submissions choose some texts."""
    if isinstance(value, str):
        return _FORBIDDEN.sub("?", value)
    if isinstance(value, list):
        return [cleaned(item) for item in value]
    if isinstance(value, dict):
        return {key: cleaned(item) for key, item in value.items()}
    if isinstance(value, int) and abs(value) > _INTEGER_MAX:
        raise ValueError(_("an integer of more than 63 bits"))
    return value


def size(value: Any) -> Size:
    dimensions = tuple(int(dimension) for dimension in value)
    if not 1 <= len(dimensions) <= 4 or min(dimensions) < 1:
        raise ValueError(_("not a size: %(value)r", value=value))
    return dimensions


def span(value: Any) -> tuple[int, int]:
    start, length = (int(number) for number in value)
    return start, length


def integers(values: Any) -> tuple[int, ...]:
    return tuple(int(value) for value in values or ())


def reals(values: Any) -> tuple[float, ...]:
    return tuple(float(value) for value in values or ())


def finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(_("%(text)s is not a number that a result can hold", text=text))
    return number


def known(make: Callable[[Any], Part], value: Any) -> Part | None:
    """Converts a value that a result may omit; None if it does."""
    return None if value is None else make(value)


def speed_known(value: Any) -> float | None:
    """Positive, or None."""
    return float(value) if value is not None and float(value) > 0 else None


def triple(values: Any) -> tuple[int, int, int]:
    x, y, z = (int(value) for value in values)
    return x, y, z
