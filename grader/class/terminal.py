"""A class on a terminal: the progress of a run, and the outcome for each student.

Lines have the same form as for a grade (grader/app/terminal).
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from typing import TextIO

from book.model import ClassRun, Student
from language import N_, _
from reading.lines import columns, is_wide
from run.pool import Progress
from texts import printable, shown

COLUMNS, COLUMNS_MIN, COLUMNS_MAX = 80, 40, 100
LOG_S = 30.0  # of silence before the next line in a log
EARLY_S = 3.0  # too early for a rate, or for a guess
EARLY = 0.05
MOMENT_S = 3.0
NAMED_MAX = 20  # students that are named for one state
LABEL = 12
NAME_SHOWN = 200
CLOSING, OPENING = "，。；：、！？）》”」』】", "（《“「『【"
# GitHub takes a line that begins like this for a command (grader/app/terminal/terminal_text.c).
COMMAND, MARK = re.compile(r"[^\x00-\x7f]*::"), "│ "
# Ungraded states: the reason, and whether each student's own reason is shown.
STATES = {
    "waiting": (N_("waiting"), N_("not graded yet"), False),
    "failed": (N_("failed"), N_("the grader could not do its work; no grade"), True),
    "broken": (N_("broken"), N_("handed in, but it cannot be opened; no grade"), True),
    "empty": (N_("empty"), N_("handed in without a kernel file; no grade"), True),
    "missing": (N_("missing"), N_("nothing was handed in; no grade"), False),
}


def width_of(out: TextIO) -> int:
    try:
        width = os.get_terminal_size(out.fileno()).columns or COLUMNS
    except (OSError, ValueError):
        width = COLUMNS
    return max(COLUMNS_MIN, min(width, COLUMNS_MAX))


def _word_end(text: str, at: int) -> int:
    """A wide character is a word, with the punctuation that may not be parted from it."""
    opened = True  # only an opening mark so far, which stays with the text after it
    while at < len(text) and text[at] not in " \n":
        wide = is_wide(text[at])
        if not opened and wide and text[at] not in CLOSING:
            return at
        opened = text[at] in OPENING
        at += 1
        if wide and not opened:
            while at < len(text) and is_wide(text[at]) and text[at] in CLOSING:
                at += 1
            return at
    return at


def _words(text: str, with_value: bool) -> Iterator[tuple[bool, str]]:
    """Each word, and whether a blank is before it; "row = 1" may be one, and a line end is one."""
    at = 0
    while at < len(text):
        begin = at
        while at < len(text) and text[at] == " ":
            at += 1
        if at < len(text) and text[at] == "\n":
            yield False, "\n"
            at += 1
            continue
        end = _word_end(text, at)
        while with_value and text.startswith(" = ", end) and _word_end(text, end + 3) > end + 3:
            end = _word_end(text, end + 3)
        if end > at:
            yield at > begin, text[at:end]
        at = end


def wrapped(text: str, indent: int, width: int) -> str:
    """Lines with an indentation, each with its end."""
    lines, line = [], ""
    for gap, word in _words(printable(text), True):
        joined = line + " " * gap + word
        if word == "\n":
            lines.append(line)
            line = ""
        elif line and columns(joined) <= width:
            line = joined
        else:
            lines += [line] if line else []
            line = " " * indent + (MARK if COMMAND.match(word) else "") + word
    return "".join(f"{one}\n" for one in [*lines, line][: len(lines) + bool(line)])


def hung(label: str, text: str, indent: int, width: int) -> str:
    """A label, then the text, whose further lines are indented; the first is measured as if its
    label took no more."""
    lines, line, column = [], label, indent
    for gap, word in _words(printable(text).replace("\n", " "), False):
        blank = gap and column > indent
        if column > indent and column + blank + columns(word) > width:
            lines.append(line)
            line, column, blank = " " * indent, indent, False
        line += " " * blank + word
        column += blank + columns(word)
    return "".join(f"{one}\n" for one in [*lines, line])


class Roll:
    """One line that is overwritten on a terminal, or an occasional line in a log."""

    def __init__(self, out: TextIO | None) -> None:
        """None: nothing is printed."""
        self._out = out
        self._is_terminal = bool(out and out.isatty())
        self._told = time.monotonic()

    def clear(self) -> None:
        """Makes room for other text on the terminal."""
        if self._out and self._is_terminal:
            print("\r\033[K", end="", file=self._out, flush=True)

    def show(self, text: str) -> None:
        now = time.monotonic()
        if not self._out or (not self._is_terminal and now - self._told < LOG_S):
            return
        self._told = now
        begin, end = ("\r\033[K", "") if self._is_terminal else ("", "\n")
        print(f"{begin}{text}", end=end, file=self._out, flush=True)

    def reading(self, done: int, total: int) -> None:
        self.show(_("reading submissions: %(done)d of %(total)d", done=done, total=total))

    def counting(self, done: int, total: int) -> None:
        text = N_("counting the work of the references: %(done)d of %(total)d")
        self.show(_(text, done=done, total=total))

    def progress(self, now: Progress) -> None:
        """ "graded 37 of 150, 12.1 a minute, about 9 min left"."""
        fresh = now.done - now.earlier
        share = fresh / (now.total - now.earlier) if now.total > now.earlier else 1.0
        text = _("graded %(done)d of %(total)d", done=now.done, total=now.total)
        if now.elapsed >= EARLY_S and fresh > 0:
            text += _(", %(rate).1f a minute", rate=60 * fresh / now.elapsed)
        left = _left(now.elapsed, share)
        text += _(", %(left)s", left=left) if left else ""
        text += _(", %(count)d failed", count=now.failed) if now.failed else ""
        self.show(text)


def _left(elapsed: float, share: float) -> str:
    """A guess, which should not look precise; "" if it is too early for one."""
    if elapsed < EARLY_S or not EARLY <= share < 1.0:
        return ""
    seconds = elapsed * (1 - share) / share
    if seconds < MOMENT_S:
        return ""
    if seconds < 90:
        return _("about %(count)d s left", count=(int(seconds) + 4) // 5 * 5)
    return _("about %(count).0f min left", count=seconds / 60)


def note(text: str) -> None:
    """A sentence of warning."""
    print(wrapped(text, 2, width_of(sys.stderr)), end="", file=sys.stderr, flush=True)


def begin(said: str, total: int, earlier: int, jobs: int, room: int) -> None:
    """The submissions found, the number to be graded, and the number of jobs at a time; room: jobs
    that fit in memory, 0 if that was not checked."""
    lines = [
        said,
        _("%(total)d to grade, %(earlier)d of them already done", total=total, earlier=earlier),
    ]
    if jobs and room:
        lines.append(
            _(
                "%(jobs)d at a time (memory has room for %(room)d; JOBS=N, or --jobs N, chooses)",
                jobs=jobs,
                room=room,
            )
        )
    width = width_of(sys.stdout)
    print("".join(wrapped(line, 2, width) for line in lines), end="", flush=True)


# --- Who -----------------------------------------------------------------------------------------


def _called(student: Student) -> str:
    """ "Anna Ek (aek)", or the id alone."""
    name = student.name.encode()[:NAME_SHOWN].decode(errors="ignore")
    if name and student.name != student.id:
        return printable(f"{name} ({student.id})")
    return printable(student.id)


def _reasons(rows: Sequence[tuple[str, str]], width: int) -> str:
    """Each name with its reason, the first ones."""
    text = "".join(hung(f"    {name}: ", why, 6, width) for name, why in rows[:NAMED_MAX])
    more = len(rows) - NAMED_MAX
    return text + (_("    and %(count)d more\n", count=more) if more > 0 else "")


def _names(names: Sequence[str], width: int) -> str:
    more = len(names) - NAMED_MAX
    text = wrapped(", ".join(names[:NAMED_MAX]), 4, width)
    return text + (_("    and %(count)d more\n", count=more) if more > 0 else "")


def _count(label: str, count: int, what: str) -> str:
    return f"  {label}{' ' * max(0, LABEL - columns(label))} {count:5}  {what}\n"


def summary(run: ClassRun, with_names: bool) -> str:
    """The number of students in each state; with names, also the students without a grade, and the
    reasons."""
    width = width_of(sys.stdout)
    graded = run.with_state("graded")
    text = _count(_("graded"), len(graded), "")
    if with_names:
        text += _reasons([(_called(one), one.warning) for one in graded if one.warning], width)
    for state, (label, what, with_reasons) in STATES.items():
        found = run.with_state(state)
        if not found:
            continue
        text += _count(_(label), len(found), _(what))
        if with_names and with_reasons:
            text += _reasons([(_called(one), one.note) for one in found if one.note], width)
        elif with_names and state == "missing":
            text += _names([_called(one) for one in found], width)
    if run.unmatched:
        what = _("submissions of no known student")
        text += _count(_("unmatched"), len(run.unmatched), what)
    if with_names:
        text += _reasons([(shown(printable(name)), why) for name, why in run.unmatched], width)
    return text
