"""Boxes of accesses as a course writes them: thread (tx, ty) loads A[16 + ty][16 t + tx]."""

from __future__ import annotations

import collections
import itertools
import math
from dataclasses import dataclass, replace

from block_trace import IndexMap, MapAccess, MapArray, index_of
from drawing.index_map import Row
from language import _, listed

LOOPS = "ijpq"
BOXES_MAX = 12  # boxes of one place in one step; with more, data decides the index


def _term(factor: int, name: str) -> str:
    return name if factor == 1 else f"{factor} {name}"


def _sum(first: int, terms: list[tuple[int, str]]) -> str:
    texts = [_term(factor, name) for factor, name in terms if factor > 0]
    text = " + ".join(([str(first)] if first or not texts else []) + texts)
    return text + "".join(f" - {_term(-factor, name)}" for factor, name in terms if factor < 0)


@dataclass(frozen=True)
class Variable:
    """The meaning of a step."""

    name: str
    first: int
    count: int
    offset: int  # bytes from one value to the next
    told: bool  # its range is stated: a loop, or only some threads


def _thread_variables(access: MapAccess, shape: tuple[int, int, int]) -> list[Variable] | None:
    """The steps over threads as tx and ty, else tid; None if they have no short name."""
    x, y, z = shape
    spread = [step for step in access.steps if step[1] != 0]
    tx, ty = access.thread % x, access.thread // x
    if len(spread) == 2 and access.thread == 0 and spread[1][1] == spread[0][0] != x:
        (low, one, step), (high, _, far) = spread
        if one == 1 and low * high == x * y * z:
            name = f"(tid % {low})", f"(tid / {low})"
            return [Variable(name[0], 0, low, step, False), Variable(name[1], 0, high, far, False)]
    counts = {threads: (count, offset) for count, threads, offset in spread}
    if z > 1 or len(counts) != len(spread) or not set(counts) <= {1, x}:
        return None
    along = counts.get(1, (1, 0))
    down = counts.get(x, (1, 0)) if x > 1 else (1, 0)
    if x == 1 and counts:
        along, down = (1, 0), along
    found = [Variable("tx", tx, *along, along[0] < x)] if x > 1 or y == 1 else []
    return found + ([Variable("ty", ty, *down, down[0] < y)] if y > 1 else [])


def _range_text(variable: Variable) -> str:
    last = variable.first + variable.count - 1
    if variable.count == 1:
        return f"{variable.name} = {variable.first}"
    return _(
        "%(name)s = %(first)d to %(last)d", name=variable.name, first=variable.first, last=last
    )


def _ranges(variables: list[Variable]) -> str:
    texts = [_range_text(variable) for variable in variables if variable.told]
    return ", " + _(" and ").join(texts) if texts else ""


def _split(step: int, extent: tuple[int, ...], nearest: bool) -> tuple[int, ...]:
    """A step in elements, one number for each dimension: from the nearest row, or from its own."""
    parts: list[int] = []
    for dimension in reversed(extent[1:]):
        whole = (step + nearest * dimension // 2) // dimension
        parts.insert(0, step - whole * dimension)
        step = whole
    return (step, *parts)


def _variables(
    access: MapAccess, shape: tuple[int, int, int], phases: tuple[int, int] | None
) -> list[Variable] | None:
    """Phases, threads and loops, each with a name; None if one has no name."""
    threads = _thread_variables(access, shape)
    loops = [(count, offset) for count, over, offset in access.steps if over == 0]
    if threads is None or len(loops) > len(LOOPS):
        return None
    named = [Variable(name, 0, *loop, True) for name, loop in zip(LOOPS, loops) if loop[1]]
    return ([Variable("t", 0, *phases, True)] if phases else []) + threads + named


def _by_tid(
    variables: list[Variable], shape: tuple[int, int, int], row_bytes: int
) -> list[Variable] | None:
    """Replaces tx and ty by the thread's number, if they count through the rows of an array."""
    names = {v.name: v for v in variables}
    tx, ty = names.get("tx"), names.get("ty")
    if not tx or tx.told or tx.offset <= 0 or shape[2] > 1 or (shape[1] > 1) != bool(ty):
        return None
    if ty and (ty.told or ty.offset != shape[0] * tx.offset):
        return None
    across = row_bytes // tx.offset
    threads = shape[0] * shape[1]
    if across * tx.offset != row_bytes or threads % across:
        return None
    low = Variable(f"(tid % {across})", 0, across, tx.offset, False)
    high = Variable(f"(tid / {across})", 0, threads // across, row_bytes, False)
    return [high, low] + [v for v in variables if v.name not in ("tx", "ty")]


def _indices(
    access: MapAccess,
    extent: tuple[int, ...],
    nearest: bool,
    variables: list[Variable],
    size: int,
) -> list[str] | None:
    """Indices as formulas; None if one but the first would run past the end of its dimension."""
    start = index_of(access.offset // size, extent)
    parts = [(v, _split(v.offset // size, extent, nearest)) for v in variables]
    texts = []
    for axis, first in enumerate(start):
        steps = [(v, part[axis]) for v, part in parts]
        least = first + sum((v.count - 1) * step for v, step in steps if step < 0)
        last = first + sum((v.count - 1) * step for v, step in steps if step > 0)
        if axis > 0 and (least < 0 or last >= extent[axis]):
            return None
        first -= sum(v.first * step for v, step in steps)
        texts.append(_sum(first, [(step, v.name) for v, step in steps]))
    return texts


def _places(
    access: MapAccess,
    array: MapArray,
    variables: list[Variable],
    shape: tuple[int, int, int],
) -> list[str]:
    """The index of each dimension; one index through all elements if no other fits."""
    size = array.element_bytes or 4
    if len(array.extent) >= 2:
        columns = array.extent[-1]
        rows = (math.prod(array.extent[:-1]), columns)
        by_tid = _by_tid(variables, shape, columns * size) or variables
        ways = itertools.product((variables, by_tid), (array.extent, rows), (True, False))
        for names, extent, nearest in ways:
            places = _indices(access, extent, nearest, names, size)
            if places:
                return places
    first = access.offset // size - sum(v.first * v.offset // size for v in variables)
    return [_sum(first, [(v.offset // size, v.name) for v in variables])]


def _no_formula(array: MapArray) -> str:
    return _("%(array)s, in an order that has no short formula", array=array.name)


def _element(
    access: MapAccess,
    array: MapArray,
    shape: tuple[int, int, int],
    phases: tuple[int, int] | None,
) -> str:
    size = array.element_bytes or 4
    variables = _variables(access, shape, phases)
    odd = access.offset % size or any(v.offset % size for v in variables or [])
    if variables is None or odd:
        return _no_formula(array)
    places = _places(access, array, variables, shape)
    ranges = _ranges(variables)
    if len(places) == max(len(array.extent), 2):
        place = array.name + "".join(f"[{index}]" for index in places)
    elif len(places) == 2:
        place = _(
            "%(array)s, row %(row)s, column %(column)s",
            array=array.name,
            row=places[0],
            column=places[1],
        )
    elif len(array.extent) <= 1:
        place = array.name if places == ["0"] and not array.extent else f"{array.name}[{places[0]}]"
    else:
        place = _(
            "%(array)s, counted through all rows: %(place)s", array=array.name, place=places[0]
        )
    if access.bytes > size:
        count = access.bytes // size
        place = _("%(count)d elements from %(place)s", count=count, place=place)
    return place + ranges


def _even_steps(values: list[int]) -> int | None:
    """The one difference between neighbours; None if there are several."""
    steps = {after - before for before, after in zip(values, values[1:])}
    return steps.pop() if len(steps) == 1 else None


def _when(phases: list[int], data: IndexMap) -> str:
    if data.phases == 1:
        return ""
    steps = listed(str(phase + 1) for phase in phases)
    return _("steps %(steps)s", steps=steps) if len(phases) > 1 else _("step %(step)s", step=steps)


def _place(access: MapAccess) -> tuple[int, int, str, int]:
    return access.phase, access.line, access.kind, access.array


def rows_of(data: IndexMap | None) -> tuple[Row, ...]:
    """The table: accesses that each phase repeats are one row, with t for the phase."""
    if not data:
        return ()
    boxes = collections.Counter(_place(access) for access in data.accesses)
    rows: list[tuple[int, Row]] = []
    alike: dict[MapAccess, list[MapAccess]] = {}
    for access in data.accesses:
        if boxes[_place(access)] > BOXES_MAX:
            element, when = _no_formula(data.arrays[access.array]), _when([access.phase], data)
            rows.append((access.phase, Row(access.line, access.kind, element, when)))
            continue
        alike.setdefault(replace(access, phase=0, offset=0), []).append(access)
    for group in alike.values():
        offsets = [access.offset for access in group]
        phases = [access.phase for access in group]
        step = _even_steps(offsets) if len(set(phases)) == len(phases) else None
        together = [group] if len(group) == 1 or step is not None else [[one] for one in group]
        for part in together:
            phases_step = (len(part), step) if len(part) > 1 and step else None
            first = part[0]
            array = data.arrays[first.array]
            rows.append(
                (
                    first.phase,
                    Row(
                        first.line,
                        first.kind,
                        _element(first, array, data.threads, phases_step),
                        _when([access.phase for access in part], data),
                    ),
                )
            )
    rows.sort(key=lambda pair: (pair[0], pair[1].line))
    return tuple(dict.fromkeys(row for _, row in rows))
