"""The acts of one block's warps from barrier to barrier, as rows of a table: order, not time."""

from __future__ import annotations

import math
from dataclasses import dataclass

from block_trace import Act, Copy, IndexMap, MapArray
from language import _
from model import Finding

SLOTS_END = 1 << 20  # after all slots of a step
LANES_MAX = 6  # columns of copies that are in flight together


@dataclass(frozen=True)
class Chip:
    """One act in a cell."""

    kind: str  # class of the style sheet
    text: str
    racing: bool = False


@dataclass(frozen=True)
class Flight:
    """A group of copies in one row: it begins, continues, or ends here."""

    text: str  # "" if it only continues
    racing: bool = False
    ends: bool = False


@dataclass(frozen=True)
class Slot:
    lines: str
    flights: tuple[Flight | None, ...]  # one for each column of copies
    memory: tuple[Chip, ...]
    compute: str


@dataclass(frozen=True)
class Step:
    number: int
    slots: tuple[Slot, ...]
    barrier: str  # the text of its end; "" after the last one
    barrier_line: int
    before: tuple[Flight | None, ...]  # copies in flight when the step begins, and at its end
    after: tuple[Flight | None, ...]
    races: tuple[str, ...]

    @property
    def rows(self) -> int:
        return len(self.slots) + len(self.races) + bool(self.barrier)


@dataclass(frozen=True)
class Team:
    name: str
    lanes: int  # columns of copies
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Steps:
    teams: tuple[Team, ...]
    whole: bool


@dataclass(frozen=True)
class Race:
    """A race that was found, where both of its accesses are in one step of this block."""

    finding: Finding
    array: int
    step: int
    copy: Copy | None  # the copy in flight then


def _part(array: MapArray, low: int, high: int) -> str:
    """The array, or its equal part that contains the bytes, as slices[2]."""
    stride = array.element_bytes * math.prod(array.extent[1:])
    parted = len(array.extent) > 2 or (len(array.extent) == 1 and array.element_bytes > 16)
    if not parted or stride <= 0 or low // stride != high // stride:
        return array.name
    return f"{array.name}[{low // stride}]"


def _chips(data: IndexMap, acts: list[Act], racing: set[int]) -> tuple[Chip, ...]:
    """The actions on arrays, one chip for each kind."""
    verbs = {"load": _("loads"), "store": _("stores"), "zero": _("stores"), "atomic": _("adds to")}
    names: dict[tuple[str, bool], list[str]] = {}
    for act in acts:
        array = data.arrays[act.array]
        name = _part(array, act.low, act.high) if array.space == "shared" else array.name
        here = names.setdefault((act.kind, act.array in racing), [])
        if name not in here:
            here.append(name)
    return tuple(
        Chip(kind, f"{verbs.get(kind, kind)} {', '.join(sorted(found))}", is_racing)
        for (kind, is_racing), found in names.items()
    )


def _steps_with(data: IndexMap, line: int, array: int) -> set[int]:
    return {
        access.phase for access in data.accesses if access.line == line and access.array == array
    }


def _races(data: IndexMap, findings: tuple[Finding, ...]) -> list[Race]:
    """The steps that contain both accesses of a race, or one access during a copy in flight."""
    assert data.order
    found = []
    for finding in findings:
        numbers = [
            number
            for number, array in enumerate(data.arrays)
            if array.name == finding.array and array.space == "shared"
        ]
        if finding.kind != "race" or not numbers or not finding.line or not finding.other_line:
            continue
        array = numbers[0]
        first = _steps_with(data, finding.line, array)
        other = _steps_with(data, finding.other_line, array)
        copies = {act.line for act in data.order.acts if act.kind == "copy" and act.to == array}
        if not copies & {finding.line, finding.other_line}:
            found += [Race(finding, array, step, None) for step in sorted(first & other)]
            continue
        for copy in data.order.copies:
            last = copy.done if copy.done >= 0 else data.phases - 1
            for act in data.order.acts:
                within = copy.issued <= act.step <= last and act.team == copy.team
                overlaps = act.array == array and act.low <= copy.high and copy.low <= act.high
                if copy.to == array and within and overlaps and act.step in first | other:
                    found.append(Race(finding, array, act.step, copy))
    return list(dict.fromkeys(found))


def _race_texts(data: IndexMap, races: list[Race]) -> tuple[str, ...]:
    texts = []
    for race in races:
        name = data.arrays[race.array].name
        lines = sorted({race.finding.line, race.finding.other_line})
        if race.copy:
            texts.append(
                _(
                    "Race: copy %(number)d to %(array)s is under way, and %(array)s is accessed.",
                    number=race.copy.number,
                    array=name,
                )
            )
        elif len(lines) == 1:
            texts.append(
                _(
                    "Race: line %(line)d stores to %(array)s while other threads access it, and"
                    " there is no barrier in between.",
                    line=lines[0],
                    array=name,
                )
            )
        else:
            texts.append(
                _(
                    "Race: lines %(line)d and %(other)d access %(array)s, and there is no"
                    " barrier in between.",
                    line=lines[0],
                    other=lines[1],
                    array=name,
                )
            )
    return tuple(dict.fromkeys(texts))


def _columns_of(copies: list[Copy], phases: int) -> dict[Copy, int]:
    """A column for each group of copies, so that groups in flight together are side by side."""
    free: list[int] = []  # the last step of each column
    found = {}
    for copy in copies:
        last = copy.done if copy.done >= 0 else phases
        column = next((c for c, until in enumerate(free) if until < copy.issued), len(free))
        if column == LANES_MAX:
            continue
        free[column : column + 1] = [last]
        found[copy] = column
    return found


def _flights(
    data: IndexMap,
    place: tuple[int, int],
    spans: dict[Copy, tuple[tuple[int, int], tuple[int, int]]],
    columns: dict[Copy, int],
    racing: set[Copy],
) -> tuple[Flight | None, ...]:
    row: list[Flight | None] = [None] * (max(columns.values(), default=-1) + 1)
    for copy, column in columns.items():
        first, last = spans[copy]
        if not first <= place <= last:
            continue
        text = ""
        if place == first:
            into = _part(data.arrays[copy.to], copy.low, copy.high)
            text = f"{copy.number}: {into}"
        row[column] = Flight(text, copy in racing, place == last and copy.done >= 0)
    return tuple(row)


def _spans(
    acts: list[Act], copies: list[Copy], phases: int
) -> dict[Copy, tuple[tuple[int, int], tuple[int, int]]]:
    """First and last row of each group of copies: the row of its copies, and the row of the
    wait."""
    spans = {}
    for copy in copies:
        issued = [a.slot for a in acts if a.step == copy.issued and a.kind == "copy"]
        waits = [a.slot for a in acts if a.step == copy.done and a.kind == "wait"]
        first = (copy.issued, min(issued, default=0))
        last = (copy.done, max(waits, default=0)) if copy.done >= 0 else (phases, 0)
        spans[copy] = (first, last)
    return spans


def _slot(
    data: IndexMap,
    acts: list[Act],
    flights: tuple[Flight | None, ...],
    racing: set[int],
) -> Slot:
    touching = [act for act in acts if act.kind in ("load", "store", "zero", "atomic")]
    operations = sum(act.times for act in acts if act.kind == "compute")
    waits = [Chip("wait", _("waits for copies"))] if any(a.kind == "wait" for a in acts) else []
    return Slot(
        lines=", ".join(str(line) for line in sorted({act.line for act in acts if act.line})),
        flights=flights,
        memory=(*_chips(data, touching, racing), *waits),
        compute=f"{operations} FLOP" if operations else "",
    )


def _team(data: IndexMap, number: int, races: list[Race], steps_max: int) -> Team:
    assert data.order
    acts = [act for act in data.order.acts if act.team == number]
    copies = [copy for copy in data.order.copies if copy.team == number]
    columns = _columns_of(copies, data.phases)
    spans = _spans(acts, copies, data.phases)
    steps = []
    for step in range(min(data.phases, steps_max)):
        here = [race for race in races if race.step == step]
        arrays = {race.array for race in here}
        under_way = {race.copy for race in here if race.copy}
        mine = [act for act in acts if act.step == step]
        slots = []
        for slot in sorted({act.slot for act in mine if act.kind != "barrier"}):
            flights = _flights(data, (step, slot), spans, columns, under_way)
            in_slot = [act for act in mine if act.slot == slot and act.kind != "barrier"]
            slots.append(_slot(data, in_slot, flights, arrays))
        ends = [act.line for act in mine if act.kind == "barrier"]
        steps.append(
            Step(
                step,
                tuple(slots),
                _("barrier %(number)d", number=step + 1) if ends else "",
                ends[0] if ends else 0,
                _flights(data, (step, -1), spans, columns, under_way),
                _flights(data, (step, SLOTS_END), spans, columns, under_way),
                _race_texts(data, here),
            )
        )
    warps = data.order.teams[number]
    name = _("warp %(first)d", first=warps[0])
    if len(warps) > 1:
        name = _("warps %(list)s", list=_numbers(warps))
    return Team(
        name,
        max(columns.values(), default=-1) + 1,
        tuple(steps),
    )


def _numbers(values: tuple[int, ...]) -> str:
    """Numbers with their runs, as 0-3, 6."""
    runs: list[list[int]] = []
    for value in values:
        if runs and runs[-1][-1] == value - 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def steps_of(data: IndexMap, findings: tuple[Finding, ...], steps_max: int) -> Steps | None:
    """The table; None if the order was not recorded."""
    if not data.order or not data.order.acts:
        return None
    races = _races(data, findings)
    teams = tuple(
        _team(data, number, races, steps_max) for number in range(len(data.order.teams))
    )
    return Steps(teams, data.order.whole)
