"""Read result.json, which grader/judge/result/ writes, into the types of model.py."""

from __future__ import annotations

import json
import re
from datetime import datetime
from typing import Any

from block_trace import maps_of
from language import _, language_used
from model import (
    Answer,
    Answers,
    Argument,
    Assignment,
    Case,
    Exercise,
    Finding,
    Result,
    Signature,
    WrongCells,
    WrongTiles,
)
from parse_values import cleaned, finite, integers, known, reals, size, span, speed_known, triple
from sentences import sentence
from speed import AgainstCublas, Counts, Estimate, LineWork, Needs, Peaks, Requests, Speed

SCHEMA = "tilegrade/result/v2"
SCHEMAS = (SCHEMA, "tilegrade/result/v1")  # v1 has sentences in one language


# The default for results without it: they are older than kernels that are not matmuls.
PRODUCT = Signature(
    True,
    True,
    ("M", "N", "K"),
    (
        Argument("A", "array", "float", "in", ("M", "K")),
        Argument("B", "array", "float", "in", ("K", "N")),
        Argument("C", "array", "float", "out", ("M", "N")),
        *(Argument(name, "size", "int32", "", ()) for name in ("M", "N", "K")),
    ),
)


class ResultError(Exception):
    """The file is not a result of tilegrade; the text is for people."""


def _finding(data: dict[str, Any]) -> Finding:
    return Finding(
        kind=data["kind"],
        severity=data["severity"],
        file=data.get("file", ""),
        line=int(data.get("line", 0) or 0),
        column=int(data.get("column", 0) or 0),
        other_line=int(data.get("other_line", 0) or 0),
        other_column=int(data.get("other_column", 0) or 0),
        count=int(data.get("count", 1)),
        message=sentence(data, "message"),
        lesson=data.get("lesson", ""),
        source=data.get("source", ""),
        other_source=data.get("other_source", ""),
        mark=span(data.get("mark", (0, 0))),
        other_mark=span(data.get("other_mark", (0, 0))),
        array=data.get("array", ""),
        index=integers(data.get("index")),
        block=integers(data.get("block")),
        thread=integers(data.get("thread")),
        other_block=integers(data.get("other_block")),
        other_thread=integers(data.get("other_thread")),
        size=size(data["size"]) if any(data.get("size") or ()) else None,
        values=tuple((one["name"], int(one["value"])) for one in data.get("values", [])),
        barrier_after=int(data.get("barrier_after", 0) or 0),
    )


def _points(data: dict[str, Any]) -> int:
    if not 0 <= int(data["points"]) <= int(data["points_max"]):
        raise ValueError(_("more points than the maximum"))
    return int(data["points"])


def _points_open(data: dict[str, Any]) -> int:
    """The open points. An older result has none: its maximum omits the points that could not be
    judged."""
    points_open = int(data.get("points_open", 0))
    if not 0 <= points_open <= int(data["points_max"]):
        raise ValueError(_("more points than the maximum"))
    return points_open


def _case(data: dict[str, Any]) -> Case:
    return Case(size(data["size"]), data["inputs"], data["device"], data["verdict"])


def _against_cublas(data: dict[str, Any]) -> AgainstCublas:
    return AgainstCublas(
        verdict=data["verdict"],
        ratio=float(data["ratio"]),
        low=float(data["low"]),
        high=float(data["high"]),
        pairs=int(data["pairs"]),
    )


_KINDS = tuple(
    f"{place}_{kind}" for place in ("global", "shared") for kind in ("load", "store", "atomic")
)


def _line_work(data: dict[str, Any]) -> LineWork:
    kinds = []
    for kind in _KINDS:
        if kind in data:
            found = data[kind]
            units = found["wavefronts"] if "wavefronts" in found else found["sectors"]
            kinds.append((kind, Requests(int(found["requests"]), int(units), int(found["ideal"]))))
    return LineWork(int(data["line"]), int(data["flops"]), tuple(kinds))


def _needs(data: dict[str, Any]) -> Needs:
    """The needs of the operation; results without them are of products."""
    if "needed_flop" not in data:
        m, n, k = size(data["size"])
        return Needs(2.0 * m * n * k, 4.0 * (m * k + k * n + m * n))
    return Needs(float(data["needed_flop"]), float(data["needed_bytes"]))


def _counts(data: dict[str, Any]) -> Counts:
    return Counts(
        size=size(data["size"]),
        needs=_needs(data),
        sector_bytes_per_flop=float(data["sector_bytes_per_flop"]),
        numbers={name: value for name, value in data.items() if isinstance(value, int)},
        lines=tuple(_line_work(line) for line in data.get("lines", [])),
    )


def _speed(data: dict[str, Any], by_flop: bool) -> Speed:
    return Speed(
        size=size(data["size"]),
        by_flop=by_flop,
        needs=_needs(data),
        verdict=data["verdict"],
        counted=data.get("basis") == "counted",
        estimated="estimated" in data,
        ratio=float(data["ratio"]),
        low=float(data.get("low", data["ratio"])),
        high=float(data.get("high", data["ratio"])),
        pairs=int(data.get("pairs", 0)),
        points=_points(data),
        points_max=int(data["points_max"]),
        metric_text=sentence(data, "metric_text"),
        metric_line=int(data.get("metric_line", 0)),
        work=int(data.get("work", 0)),
        reference_work=int(data.get("reference_work", 0)),
        full=float(data.get("full", 1.0)),
        zero=float(data.get("zero", 0.0)),
        gflops=speed_known(data.get("gflops")),
        reference_gflops=speed_known(data.get("reference_gflops")),
        cublas_gflops=speed_known(data.get("cublas_gflops")),
        against_cublas=known(_against_cublas, data.get("against_cublas")),
        student_ms=reals(data.get("student_ms")),
        reference_ms=reals(data.get("reference_ms")),
        cublas_ms=reals((data.get("against_cublas") or data).get("cublas_ms")),
        doubt=sentence(data, "doubt"),
        note=sentence(data, "note"),
        counts=known(_counts, data.get("counts")),
        reference_counts=known(_counts, data.get("reference_counts")),
    )


def _peaks(data: dict[str, Any]) -> Peaks:
    names = ("gflops", "l1_gb_s", "l2_gb_s", "memory_gb_s")
    peaks = {name: float(data[name]) for name in names}
    if min(peaks.values()) <= 0:
        raise ValueError(_("a card with a peak of zero"))
    return Peaks(**peaks)


def _estimate(data: dict[str, Any], by_flop: bool) -> Estimate:
    student = data["student"]
    return Estimate(
        by_flop=by_flop,
        needs=_needs(data),
        ms=float(student.get("ms", 0)),
        reference_ms=known(float, data.get("reference_ms")),
        note=sentence(data, "note"),
        card=data["card"],
        size=size(data["size"]),
        gflops=float(student["gflops"]),
        reference_gflops=known(float, data.get("reference_gflops")),
        bound_text=sentence(student, "bound_text"),
        lesson=student["lesson"],
        occupancy=float(student["occupancy"]),
        registers=student["registers"],
        peaks=known(_peaks, data.get("card_peaks")),
    )


def _wrong_tiles(data: dict[str, Any]) -> WrongTiles:
    return WrongTiles(
        size=size(data["size"]),
        edge=int(data["edge"]),
        wrong=int(data["wrong"]),
        rows=tuple(integers(row) for row in data["rows"]),
    )


# Lists of wrong elements, and the numbers of each element in them.
_HELD = {
    "unwritten": 2,
    "zero": 2,
    "not_finite": 2,
    "place": 4,
    "missing": 4,
    "twice": 4,
    "other": 2,
}


def _wrong_cells(data: dict[str, Any]) -> WrongCells:
    cells = []
    for held, numbers in _HELD.items():
        for cell in data[held]:
            row, column, *fact = integers(cell)
            if len(cell) != numbers:
                raise ValueError(_("an element of C without its fact: %(cell)r", cell=cell))
            cells.append((held, row, column, tuple(fact)))
    return WrongCells(size(data["size"]), tuple(sorted(cells, key=lambda cell: cell[1:3])))


def _argument(data: dict[str, Any]) -> Argument:
    return Argument(
        name=data["name"],
        kind=data["kind"],
        type=data["type"],
        role=data.get("role", ""),
        shape=tuple(str(extent) for extent in data.get("shape", ())),
    )


def _signature(data: dict[str, Any]) -> Signature:
    return Signature(
        is_matmul=bool(data["product"]),
        by_flop=bool(data.get("by_flop", data["product"])),
        sizes=tuple(str(name) for name in data["sizes"]),
        arguments=tuple(_argument(argument) for argument in data["arguments"]),
    )


def _exercise(data: dict[str, Any], is_test: bool) -> Exercise:
    signature = _signature(data["kernel"]) if "kernel" in data else PRODUCT
    estimate = data.get("estimate")
    return Exercise(
        name=data["name"],
        title_en=data.get("title", data["name"]),
        title_zh=data.get("title_zh", ""),
        lesson=data.get("lesson", ""),
        signature=signature,
        verdict_lesson=data.get("verdict_lesson", ""),
        file=data.get("file", data["name"] + ".cu"),
        verdict=data["verdict"],
        headline=sentence(data, "headline"),
        detail=sentence(data, "detail"),
        diagnostics=sentence(data, "diagnostics"),
        output=data.get("output", ""),
        is_test=is_test,
        complete=bool(data.get("complete", True)),
        points=_points(data),
        points_max=int(data["points_max"]),
        points_open=_points_open(data),
        findings=tuple(_finding(finding) for finding in data.get("findings", [])),
        cases=tuple(_case(case) for case in data.get("cases", [])),
        speed=tuple(_speed(speed, signature.by_flop) for speed in data.get("speed", [])),
        estimate=_estimate(estimate, signature.by_flop) if estimate else None,
        repeat_size=size(data["repeat_size"]) if data.get("repeat_size") else None,
        speed_complete=bool(data.get("speed_complete", True)),
        cublas_note=sentence(data.get("cublas", {}), "note"),
        source=data.get("source", ""),
        counts=known(_counts, data.get("counts")),
        wrong_tiles=known(_wrong_tiles, data.get("wrong_tiles")),
        wrong_cells=known(_wrong_cells, data.get("wrong_cells")),
        maps=known(maps_of, data.get("maps") or data.get("map")),
    )


def moment(text: str) -> datetime:
    """A date of RFC 3339; Python 3.10 knows no Z."""
    return datetime.fromisoformat(re.sub("Z$", "+00:00", text))


def _assignment(data: dict[str, Any]) -> Assignment:
    return Assignment(
        title=data["title"],
        feedback=data["feedback"],
        reference_from=known(moment, data["reference_from"]),
    )


def _answer(data: dict[str, Any]) -> Answer:
    return Answer(
        section=data["section"],
        number=int(data["number"]),
        title_en=data["title"],
        title_zh=data.get("title_zh", ""),
        given=data["given"],
        unread_line=int(data.get("unread_line", 0)),
        right=bool(data["right"]),
        points=_points(data),
        points_max=int(data["points_max"]),
    )


def _answers(data: dict[str, Any]) -> Answers:
    return Answers(
        state=data["state"],
        note=sentence(data, "note"),
        points=_points(data),
        points_max=int(data["points_max"]),
        points_open=_points_open(data),
        list=tuple(_answer(answer) for answer in data["list"]),
    )


def _result(data: dict[str, Any]) -> Result:
    is_test = data["speed_basis"] == "none"
    return Result(
        grader_version=data["grader_version"],
        language=data.get("language", "en"),
        submission=data.get("submission", {}).get("sha256", ""),
        device=data["device"]["name"],
        gpu=data["device"].get("gpu") or "",
        peaks=known(_peaks, data["device"].get("peaks")),
        speed_basis=data["speed_basis"],
        sandbox=sentence(data, "sandbox"),
        seed=data["seed"],
        complete=bool(data.get("complete", True)),
        points=int(data["points"]),
        points_max=int(data["points_max"]),
        points_open=_points_open(data),
        exercises=tuple(_exercise(exercise, is_test) for exercise in data["exercises"]),
        answers=known(_answers, data.get("answers")),
        assignment=known(_assignment, data.get("assignment")),
        student=data.get("student", ""),
        graded_at=known(moment, data.get("graded_at")),
    )


def result_parse(text: str, path: str, language: str = "") -> Result:
    """Reads a result, with its sentences in that language, else in its own.

    Raises ResultError with path and reason.
    """
    try:
        data = cleaned(json.loads(text, parse_float=finite, parse_constant=finite))
        if data.get("schema") not in SCHEMAS:
            found = data.get("schema")
            why = _("is not a %(schema)s (schema: %(found)r)", schema=SCHEMA, found=found)
            raise ResultError(f"{path}: {why}")
        with language_used(language or str(data.get("language", "en"))):
            return _result(data)
    except json.JSONDecodeError as error:
        raise ResultError(
            f"{path}:{error.lineno}: " + _("not JSON: %(why)s", why=error.msg)
        ) from error
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        why = _("is not a complete result: %(why)r", why=error)
        raise ResultError(f"{path}: {why}") from error
