"""A student as the roster or a learning platform knows them."""

from __future__ import annotations

from dataclasses import dataclass, field

from language import N_
from texts import shown, size

# The names of a student in other systems, as columns of a roster call them.
KEYS = ("canvas_id", "sis_user_id", "sis_login_id", "moodle_id", "username", "github")
ID_BYTES_MAX = 100


@dataclass(frozen=True)
class Person:
    """Texts without characters that cannot be shown; "" for unknown ones."""

    id: str  # id_fault finds nothing wrong with it
    name: str = ""
    mail: str = ""
    section: str = ""
    keys: dict[str, str] = field(default_factory=dict)
    extension_days: int = 0
    received: int | None = None  # time of the submission; None: unknown

    def key(self, name: str) -> str:
        return self.keys.get(name, "")


def id_fault(text: str) -> str:
    """The reason why this cannot be the id of a student; "" if it can.

    An id names a folder and is shown to people, so it has no '/', does not begin with a dot, and
    can be seen.
    """
    if not text:
        return N_("it is empty")
    if size(text) > ID_BYTES_MAX:
        return N_("it has more than 100 bytes")
    if text.startswith(".") or "/" in text:
        return N_("it cannot name a folder: no '/', and no dot at its start")
    if shown(text) != text:
        return N_("it has characters that cannot be shown")
    return ""
