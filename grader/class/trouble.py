"""An error that ends a class run: one sentence for people, and an exit code."""

from __future__ import annotations

import errno

from language import _

# Errors that are not the fault of a foreign name.
OF_MACHINE = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EIO, errno.ENOSPC, errno.EDQUOT)


class Trouble(Exception):
    """Exit code 2: bad usage or bad data.  3: the grader could not do its work."""

    def __init__(self, english: str, code: int = 2, **values: object) -> None:
        super().__init__(_(english, **values))
        self.code = code


def of_name(error: OSError, name: str) -> Trouble:
    """A file of someone else's cannot be opened or read."""
    code = 3 if error.errno in OF_MACHINE else 2
    return Trouble("%(name)s: %(why)s", code, name=name, why=_(error.strerror or ""))


def of_system(error: OSError, name: object = "") -> Trouble:
    where, why = name or error.filename, _(error.strerror or "")
    return Trouble("%(name)s: %(why)s", 3, name=where, why=why)
