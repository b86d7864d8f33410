"""Values of a result as Python values, each checked for what no result can hold."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, TypeVar

from language import _
from words import Size

Part = TypeVar("Part")
# Characters that no format may hold: C0 and C1 controls except tab and line feed, controls of the
# writing direction (which show code in another order than the compiler reads), surrogates, and what
# XML 1.0 forbids (production 2).
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
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
    m, n, k = (int(dimension) for dimension in value)
    if min(m, n, k) < 1:
        raise ValueError(_("not a size: %(value)r", value=value))
    return m, n, k


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
    """Converts a value that a result may leave out; None if it does."""
    return None if value is None else make(value)


def speed_known(value: Any) -> float | None:
    """Positive, or None."""
    return float(value) if value is not None and float(value) > 0 else None


def triple(values: Any) -> tuple[int, int, int]:
    x, y, z = (int(value) for value in values)
    return x, y, z
