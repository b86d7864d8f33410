"""The student's lines: the shown ones, their marks, and their costs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from drawing import index_lines
from language import N_, _
from model import Exercise, Finding
from speed import Counts, Requests

CONTEXT = 3  # lines shown around a line that a message names
LINES_MAX = 2000  # lines of a file that is shown whole

# Findings whose cause is in the lines that compute an index, or in a check around the access.
OF_AN_INDEX = ("out_of_bounds", "misaligned")

# The multiple of the minimum for each colour: 0 is calm, 5 is hot.
HEAT_STEPS = (1.05, 1.5, 2.5, 4.5, 8.5)

# The text about a line's cost, by memory space.
AT_LEAST = {
    "global": N_(
        "%(units).3g sectors per warp request, the minimum; %(share)d %% of the kernel's sectors"
    ),
    "shared": N_(
        "%(units).3g wavefronts per warp request, the minimum; %(share)d %% of the kernel's "
        "wavefronts"
    ),
}
TOO_MANY = {
    "global": N_(
        "%(units).3g sectors per warp request, where %(ideal).3g would do; %(share)d %% of the "
        "kernel's sectors"
    ),
    "shared": N_(
        "%(units).3g wavefronts per warp request, where %(ideal).3g would do; %(share)d %% of "
        "the kernel's wavefronts"
    ),
}


@dataclass(frozen=True)
class Piece:
    """A part of a line, with the events that mark it: "", "1", "2" or "12"."""

    text: str
    mark: str


@dataclass(frozen=True)
class Heat:
    text: str
    level: int
    share: int  # per cent of the kernel's work of this kind
    title: str


@dataclass(frozen=True)
class Line:
    number: int
    pieces: tuple[Piece, ...]
    events: str  # the events of this line, as in Piece
    link: str  # "start", "through", "end" of the line between two events, or ""
    notes: tuple[tuple[str, str], ...]  # (event, text) below the line
    heat: tuple[Heat | None, ...]  # global memory, shared memory
    gap: int  # lines omitted before this one
    barrier_after: str | None  # the indentation of a barrier that is missing after this line


@dataclass(frozen=True)
class Event:
    """One end of a finding."""

    name: str  # "1" or "2"
    line: int
    source: str
    mark: tuple[int, int]
    note: str


def place_text(place: tuple[int, ...]) -> str:
    """(5, 3, 0) is "x 5, y 3": the order of CUDA's own names."""
    names = "xyz" if len(place) > 2 and place[2] else "xy"
    return ", ".join(f"{name} {value}" for name, value in zip(names, place))


def _who(thread: tuple[int, ...], block: tuple[int, ...]) -> str:
    return _(
        "thread (%(thread)s) of block (%(block)s)",
        thread=place_text(thread),
        block=place_text(block),
    )


def _element(finding: Finding) -> str:
    return finding.array + "".join(f"[{number}]" for number in finding.index)


def _notes(finding: Finding) -> tuple[str, str]:
    """The text below the two lines of a finding."""
    who = _who(finding.thread, finding.block) if finding.thread else _("here")
    element = _element(finding)
    if finding.kind == "race":
        other = _who(finding.other_thread, finding.other_block)
        second = _("then: %(who)s, not ordered after the first", who=other)
        if element:
            return _("first: %(who)s uses %(element)s", who=who, element=element), second
        return _("first: %(who)s", who=who), second
    if finding.kind == "exited_before_barrier":
        return _("some threads wait here"), _("others had exited here")
    if finding.kind == "barrier_divergence":
        return _("some threads wait here"), _("others are here")
    if finding.kind == "out_of_bounds":  # which element was meant is for the message to say
        values = ", ".join(f"{name} = {value}" for name, value in finding.values)
        return f"{who}: {values}" if values else who, _("and here")
    return f"{who}: {element}" if element else who, _("and here")


def events_of(finding: Finding) -> list[Event]:
    """The events, in the order in which the threads made them."""
    first, second = _notes(finding)
    events = []
    if finding.line:
        events.append(Event("1", finding.line, finding.source, finding.mark, first))
    if finding.other_line:
        events.append(
            Event("2", finding.other_line, finding.other_source, finding.other_mark, second)
        )
    return events


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


def _characters(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """A span in bytes of UTF-8 as first and last character."""
    data = text.encode()
    start = len(data[: span[0]].decode(errors="ignore"))
    return start, start + len(data[span[0] : span[0] + span[1]].decode(errors="ignore"))


def _pieces(text: str, events: list[Event]) -> tuple[Piece, ...]:
    indent = _indent(text)
    marks = [""] * len(text)
    for event in events:
        start, end = _characters(text[indent:], event.mark)
        if event.mark[1] == 0:
            start, end = 0, len(text.strip(" "))
        for at in range(indent + start, min(indent + end, len(text))):
            marks[at] += event.name
    pieces: list[Piece] = []
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or marks[at] != marks[start]:
            pieces.append(Piece(text[start:at], marks[start]))
            start = at
    return tuple(pieces)


def _link(number: int, events: list[Event]) -> str:
    """The place of a line on the stroke between two events."""
    if len(events) < 2 or events[0].line == events[1].line:
        return ""
    low, high = sorted(event.line for event in events)
    if number == low:
        return "start"
    if number == high:
        return "end"
    return "through" if low < number < high else ""


def _heat(kinds: list[Requests], all_units: int, space: str) -> Heat | None:
    requests = sum(kind.requests for kind in kinds)
    units = sum(kind.units for kind in kinds)
    ideal = sum(kind.ideal for kind in kinds)
    if requests == 0:
        return None
    excess = units / ideal if ideal else 1.0
    level = sum(excess > step for step in HEAT_STEPS)
    share = round(100 * units / all_units) if all_units else 0
    values = {"units": units / requests, "ideal": ideal / requests, "share": share}
    return Heat(
        text=f"{units / requests:.3g}",
        level=level,
        share=share,
        title=_((AT_LEAST if not level else TOO_MANY)[space], **values),
    )


def heat_of(counts: Counts) -> dict[int, tuple[Heat | None, ...]]:
    """The cost of each line, by its number."""
    columns = ("global", "shared")
    found: dict[int, tuple[Heat | None, ...]] = {}
    sums = [
        sum(
            requests.units
            for work in counts.lines
            for kind, requests in work.kinds
            if kind.startswith(space)
        )
        for space in columns
    ]
    for work in counts.lines:
        cells = tuple(
            _heat(
                [requests for kind, requests in work.kinds if kind.startswith(space)], every, space
            )
            for space, every in zip(columns, sums)
        )
        if work.line and any(cells):
            found[work.line] = cells
    return found


def _shown(wanted: set[int], alone: set[int], texts: list[str]) -> list[int]:
    """The wanted lines, with some context in their function, and the lines that are shown alone.

    A gap of one line is filled.
    """
    ends = (at for at, text in enumerate(texts, 1) if text[:1] == "}" and at >= max(wanted))
    count = next(ends, len(texts)) if wanted else len(texts)
    near = {
        number
        for line in wanted
        for number in range(line - CONTEXT, line + CONTEXT + 1)
        if 1 <= number <= count
    }
    near |= alone
    near |= {number for number in range(2, count) if {number - 1, number + 1} <= near}
    return sorted(near)


def _barrier_indent(texts: list[str], after: int) -> int:
    """The indentation of a barrier after that line: a loop of one statement ends before it."""
    above = next((text for text in reversed(texts[: after - 1]) if text.strip()), "")
    body = above.rstrip()[-1:] == ")" and _indent(above) < _indent(texts[after - 1])
    return _indent(above if body else texts[after - 1])


def _texts(exercise: Exercise, events: list[Event]) -> list[str]:
    """The lines of the file or, if it is unknown, the lines of the events."""
    if exercise.source:
        return exercise.source.removesuffix("\n").split("\n")
    texts = [""] * max((event.line for event in events), default=0)
    for event in events:
        texts[event.line - 1] = event.source
    return texts


def _lines(
    texts: list[str],
    numbers: list[int],
    events: list[Event],
    heat: dict[int, tuple[Heat | None, ...]],
    barrier_after: int = 0,
) -> tuple[Line, ...]:
    """These lines, without their common indentation."""
    left = min((_indent(texts[at - 1]) for at in numbers if texts[at - 1].strip()), default=0)
    barrier = " " * (_barrier_indent(texts, barrier_after) - left) if barrier_after else ""
    lines = []
    before = 0
    for number in numbers:
        here = [event for event in events if event.line == number]
        lines.append(
            Line(
                number=number,
                pieces=_pieces(texts[number - 1][left:], here),
                events="".join(event.name for event in here),
                link=_link(number, events),
                notes=tuple((event.name, event.note) for event in here),
                heat=heat.get(number, ()),
                gap=number - before - 1 if lines else 0,
                barrier_after=barrier if number == barrier_after else None,
            )
        )
        before = number
    return tuple(lines)


def whole_file(exercise: Exercise, events: list[Event]) -> tuple[Line, ...]:
    """All lines, each with its cost if it was counted."""
    texts = _texts(exercise, events)
    heat = heat_of(exercise.counts) if exercise.counts else {}
    return _lines(texts, list(range(1, min(len(texts), LINES_MAX) + 1)), events, heat)


def excerpt(exercise: Exercise, events: list[Event], finding: Finding | None) -> tuple[Line, ...]:
    """The lines around the events, and those that explain the finding."""
    texts = _texts(exercise, events)
    wanted = {event.line for event in events}
    if not exercise.source:
        return _lines(texts, sorted(wanted), events, {})
    explaining: set[int] = set()
    barrier_after = 0
    if finding and finding.kind in OF_AN_INDEX and events:
        first = events[0]
        start, end = _characters(texts[first.line - 1].lstrip(" "), first.mark)
        access = texts[first.line - 1].lstrip(" ")[start:end]
        explaining = index_lines.of_access(texts, first.line, access)
    if finding and 1 <= finding.barrier_after <= len(texts):
        barrier_after = finding.barrier_after
        explaining = {barrier_after}
    return _lines(texts, _shown(wanted, explaining, texts), events, {}, barrier_after)


def place_in_headline(exercise: Exercise) -> list[Event]:
    """The line at the start of a headline that has no finding, as in a compiler's message."""
    found = re.match(re.escape(exercise.file) + r":(\d+): ", exercise.headline)
    line = int(found.group(1)) if found else 0
    if found and 1 <= line <= exercise.source.count("\n") + 1:
        return [Event("1", line, "", (0, 0), exercise.headline[found.end() :])]
    return []
