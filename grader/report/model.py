"""result.json, which grader/judge/result.c writes, as typed, frozen objects; computes nothing."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

SCHEMA = "tilegrade/result/v1"
# What no format may hold: C0 and C1 controls but tab and line feed, surrogates, and what XML 1.0
# forbids (production 2).
_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


class ResultError(Exception):
    """The file is no result of tilegrade; the text is for people."""


@dataclass(frozen=True)
class Finding:
    kind: str
    severity: str
    file: str
    line: int
    column: int
    other_line: int
    other_column: int
    count: int
    message: str
    lesson: str
    source: str
    other_source: str
    mark: tuple[int, int]  # first character and how many; (0, 0) where nothing is marked
    other_mark: tuple[int, int]


@dataclass(frozen=True)
class Case:
    size: tuple[int, int, int]
    inputs: str
    device: str
    verdict: str

    @property
    def name(self) -> str:
        """The size as people write it, with what sets equal sizes apart."""
        m, n, k = self.size
        return f"{m}x{n}x{k} {self.inputs} {self.device}"


@dataclass(frozen=True)
class Speed:
    size: tuple[int, int, int]
    verdict: str
    counted: bool
    ratio: float
    low: float
    high: float
    pairs: int
    points: int
    points_max: int
    metric_text: str
    metric_line: int
    work: int
    reference_work: int

    @property
    def size_text(self) -> str:
        return "x".join(str(dimension) for dimension in self.size)

    @property
    def decided_by(self) -> str:
        """What the verdict rests on."""
        if not self.counted:
            return f"time, {self.pairs} pairs"
        if not self.metric_text:
            return "counted work"
        line = f"; most at line {self.metric_line}" if self.metric_line else ""
        return f"{self.metric_text}: {self.work}, reference {self.reference_work}{line}"


@dataclass(frozen=True)
class Estimate:
    """How fast a kernel may be on a card that is not here; no part of the grade."""

    note: str
    card: str
    size: tuple[int, int, int]
    gflops: float
    reference_gflops: float | None
    bound_text: str
    lesson: str
    occupancy: float
    registers: int | None

    @property
    def sentence(self) -> str:
        size = "x".join(str(dimension) for dimension in self.size)
        reference = (
            f" (reference about {self.reference_gflops / 1000:.2g})"
            if self.reference_gflops is not None
            else ""
        )
        registers = "" if self.registers else ", registers not known"
        return (
            f"Estimate, not measured: about {self.gflops / 1000:.2g} TFLOPS{reference} on "
            f"{self.card} at {size}, bound by {self.bound_text}; "
            f"occupancy {100 * self.occupancy:.0f} %{registers}."
        )


@dataclass(frozen=True)
class Exercise:
    name: str
    title: str
    file: str
    verdict: str
    verdict_title: str
    headline: str
    detail: str
    diagnostics: str
    output: str
    complete: bool
    points: int
    points_max: int
    findings: tuple[Finding, ...]
    cases: tuple[Case, ...]
    speed: tuple[Speed, ...]
    estimate: Estimate | None

    @property
    def detail_left(self) -> str:
        """What the detail adds to the headline, which may hold its first sentence."""
        first, _, rest = self.detail.partition(". ")
        return rest if first.rstrip(".") in self.headline else self.detail


@dataclass(frozen=True)
class Result:
    grader_version: str
    device: str
    speed_basis: str
    sandbox: str
    seed: str
    complete: bool
    points: int
    points_max: int
    exercises: tuple[Exercise, ...]


def points_text(milli_points: int) -> str:
    """Milli-points as points: 83500 is 83.5, 40000 is 40."""
    whole, part = divmod(milli_points, 1000)
    return f"{whole}.{part:03d}".rstrip("0").rstrip(".")


def _cleaned(value: Any) -> Any:
    """The same JSON value with each forbidden character as '?': submissions choose some texts."""
    if isinstance(value, str):
        return _FORBIDDEN.sub("?", value)
    if isinstance(value, list):
        return [_cleaned(item) for item in value]
    if isinstance(value, dict):
        return {key: _cleaned(item) for key, item in value.items()}
    return value


def _size(value: Any) -> tuple[int, int, int]:
    m, n, k = (int(dimension) for dimension in value)
    return m, n, k


def _span(value: Any) -> tuple[int, int]:
    start, length = (int(number) for number in value)
    return start, length


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
        message=data["message"],
        lesson=data.get("lesson", ""),
        source=data.get("source", ""),
        other_source=data.get("other_source", ""),
        mark=_span(data.get("mark", (0, 0))),
        other_mark=_span(data.get("other_mark", (0, 0))),
    )


def _case(data: dict[str, Any]) -> Case:
    return Case(_size(data["size"]), data["inputs"], data["device"], data["verdict"])


def _speed(data: dict[str, Any]) -> Speed:
    return Speed(
        size=_size(data["size"]),
        verdict=data["verdict"],
        counted=data.get("basis") == "counted",
        ratio=float(data["ratio"]),
        low=float(data.get("low", data["ratio"])),
        high=float(data.get("high", data["ratio"])),
        pairs=int(data.get("pairs", 0)),
        points=int(data["points"]),
        points_max=int(data["points_max"]),
        metric_text=data.get("metric_text", ""),
        metric_line=int(data.get("metric_line", 0)),
        work=int(data.get("work", 0)),
        reference_work=int(data.get("reference_work", 0)),
    )


def _estimate(data: dict[str, Any] | None) -> Estimate | None:
    if data is None:
        return None
    student = data["student"]
    reference = data.get("reference_gflops")
    return Estimate(
        note=data["note"],
        card=data["card"],
        size=_size(data["size"]),
        gflops=float(student["gflops"]),
        reference_gflops=None if reference is None else float(reference),
        bound_text=student["bound_text"],
        lesson=student["lesson"],
        occupancy=float(student["occupancy"]),
        registers=student["registers"],
    )


def _exercise(data: dict[str, Any]) -> Exercise:
    return Exercise(
        name=data["name"],
        title=data.get("title", data["name"]),
        file=data.get("file", data["name"] + ".cu"),
        verdict=data["verdict"],
        verdict_title=data.get("verdict_title", data["verdict"]),
        headline=data.get("headline", ""),
        detail=data.get("detail", ""),
        diagnostics=data.get("diagnostics", ""),
        output=data.get("output", ""),
        complete=bool(data.get("complete", True)),
        points=int(data["points"]),
        points_max=int(data["points_max"]),
        findings=tuple(_finding(finding) for finding in data.get("findings", [])),
        cases=tuple(_case(case) for case in data.get("cases", [])),
        speed=tuple(_speed(speed) for speed in data.get("speed", [])),
        estimate=_estimate(data.get("estimate")),
    )


def result_parse(text: str, path: str) -> Result:
    """Reads a result.  Raises ResultError with path and reason."""
    try:
        data = _cleaned(json.loads(text))
        if data.get("schema") != SCHEMA:
            raise ResultError(f"{path}: is no {SCHEMA} (schema: {data.get('schema')!r})")
        return Result(
            grader_version=data["grader_version"],
            device=data["device"]["name"],
            speed_basis=data["speed_basis"],
            sandbox=data["sandbox"],
            seed=data["seed"],
            complete=bool(data.get("complete", True)),
            points=int(data["points"]),
            points_max=int(data["points_max"]),
            exercises=tuple(_exercise(exercise) for exercise in data["exercises"]),
        )
    except json.JSONDecodeError as error:
        raise ResultError(f"{path}:{error.lineno}: no JSON: {error.msg}") from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ResultError(f"{path}: is no complete result: {error!r}") from error
