"""Packages are opened by `tilegrade packages` in the sandbox; no archive is parsed here.

One process serves a whole run.  It gets paths of files that this process has open, never a path
that a student has named.  When it ends, it removes everything that it has unpacked.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from course import Program, said_of
from language import _
from trouble import Trouble


class Refused(Exception):
    """The package itself is at fault; the text is for people."""


@dataclass(frozen=True)
class Unpacked:
    folder: str
    left_out: tuple[str, ...]  # "'name': why" for each entry that was left out


class Unpacker:
    """Use it with `with`. The process starts when the first package comes."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Unpacker:
        return self

    def __exit__(self, error: object = None, *_more: object) -> None:
        if self._process:
            if error:
                self._process.terminate()
            self._process.communicate()

    def _ask(self, question: dict[str, object]) -> dict[str, str]:
        if not self._process:
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(
                self._program.words("packages", names=("sandbox",)),
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                text=True,
                start_new_session=True,
                umask=self._program.mask,
            )
        process = self._process
        assert process.stdin and process.stdout
        try:
            process.stdin.write(json.dumps(question) + "\n")
            process.stdin.flush()
            answer = process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            said = said_of(process.communicate()[1])
            self._process = None
            ended = _("its process ended with code %(code)d", code=process.returncode)
            raise Trouble(said or ended, 3)
        return json.loads(answer)

    def unpack(self, fd: int, shown: str, of_class: bool = False, script: str = "") -> Unpacked:
        """A script reads the package in the box, and writes its own files.

        Raises Refused.  The caller removes the folder when it is done with it.
        """
        question: dict[str, object] = {"path": f"/proc/{os.getpid()}/fd/{fd}", "shown": shown}
        question |= {"of_class": of_class, **({"script": script} if script else {})}
        answer = self._ask(question)
        if "refused" in answer:
            raise Refused(answer["refused"])
        return Unpacked(answer["folder"], tuple(answer["left_out"].splitlines()))


@contextmanager
def closing(fd: int) -> Iterator[int]:
    try:
        yield fd
    finally:
        os.close(fd)
