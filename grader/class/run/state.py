"""The folder of a class run: its permissions, its lock, and the secret seed with the values drawn
from it: pseudonyms, and the seed of a submission.

Only the teacher may read it.  A returned result tells a student nothing about the next one: its
seed is a function of the class seed, the student and the bytes that were handed in.  So results do
not depend on the order or the number of jobs, or on the machine.  Only the first byte of a seed is
that of the class (grader/base/random.h).
"""

from __future__ import annotations

import fcntl
import hmac
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from files import write_whole
from trouble import Trouble, of_system

SEED_BYTES = 32
# A run that was killed at its very beginning leaves these files.
BEGUN = re.compile(r"\.|lock$|seed")


def folder_open(out: Path) -> Path:
    """Makes the folder, with mode 0700, or uses that of an earlier run.  Returns its real path.

    A folder that is not from an earlier run must be empty, so that a mistyped name mixes nothing.
    """
    try:
        if out.exists() and not out.is_dir():
            raise Trouble("%(path)s: not a folder; a class needs one", path=out)
        out.mkdir(parents=True, exist_ok=True)
        # A seed may be removed by hand.
        if not (out / "seed").exists() and not (out / "plan.json").exists():
            strange = sorted(name for name in os.listdir(out) if not BEGUN.match(name))
            if strange:
                raise Trouble(
                    "%(path)s: holds other files than those of a class, such as %(name)s; name "
                    "an empty or a new folder",
                    path=out,
                    name=strange[0][:80],
                )
        out.chmod(0o700)
    except OSError as error:
        raise of_system(error) from error
    return out.resolve()


class Locked(Trouble):
    """Another run has the folder."""


@contextmanager
def locked(out: Path) -> Iterator[None]:
    """Takes the folder for this process: the system releases it however that ends, and the lock
    also holds between machines that share the file system."""
    path = out / "lock"
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise of_system(error) from error
    try:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            owner = os.pread(fd, 32, 0).decode(errors="replace").strip()
            raise Locked(
                "%(path)s: another class run works here (process %(owner)s); wait for it",
                path=out,
                owner=owner,
            ) from error
        os.ftruncate(fd, 0)
        os.pwrite(fd, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(fd)


class Seed:
    """Source: RFC 2104, HMAC."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def _draw(self, *parts: str) -> bytes:
        return hmac.digest(self._key, "\0".join(parts).encode(), "sha256")

    def pseudonym(self, student: str) -> str:
        return self._draw("pseudonym", student)[:8].hex()

    def of_submission(self, student: str, submission: str) -> str:
        return (self._draw("shared")[:1] + self._draw("seed", student, submission)[1:16]).hex()


def seed_open(out: Path) -> Seed:
    """Reads OUT/seed; draws it and writes it first if there is none."""
    path = out / "seed"
    try:
        if not path.exists():
            write_whole(path, secrets.token_hex(SEED_BYTES) + "\n")
        text = path.read_text("ascii", errors="replace")
    except OSError as error:
        raise of_system(error) from error
    if not re.fullmatch(f"[0-9a-f]{{{2 * SEED_BYTES}}}\n*", text):
        raise Trouble(
            "%(path)s: not a seed of %(count)d hexadecimal digits; restore it, or remove it "
            "and every submission is graded again",
            path=path,
            count=2 * SEED_BYTES,
        )
    return Seed(bytes.fromhex(text.strip()))
