"""What result.json says, as typed, frozen objects that every rendering takes; see parse.py."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from language import N_, _

Size = tuple[int, int, int]  # M, N, K


def size_text(size: Size) -> str:
    return "x".join(str(dimension) for dimension in size)


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
    mark: tuple[int, int]  # first byte and how many; (0, 0) where nothing is marked
    other_mark: tuple[int, int]
    array: str
    index: tuple[int, ...]
    block: tuple[int, ...]  # x, y, z; empty where it is not known
    thread: tuple[int, ...]
    other_block: tuple[int, ...]
    other_thread: tuple[int, ...]
    size: Size | None


@dataclass(frozen=True)
class Case:
    size: Size
    inputs: str
    device: str
    verdict: str

    @property
    def name(self) -> str:
        """The size as people write it, with what sets equal sizes apart."""
        m, n, k = self.size
        return f"{m}x{n}x{k} {self.inputs} {self.device}"


@dataclass(frozen=True)
class AgainstCublas:
    """A kernel in pairs with cuBLAS; no points hang on it."""

    verdict: str
    ratio: float
    low: float
    high: float
    pairs: int

    @property
    def sentence(self) -> str:
        sentence = {
            "fast": N_(
                "as fast as cuBLAS (%(ratio).3f, %(low).3f to %(high).3f, %(pairs)d pairs), no points"
            ),
            "slow": N_(
                "slower than cuBLAS (%(ratio).3f, %(low).3f to %(high).3f, %(pairs)d pairs), no points"
            ),
        }.get(
            self.verdict,
            N_(
                "about as fast as cuBLAS (%(ratio).3f, %(low).3f to %(high).3f, %(pairs)d pairs), "
                "no points"
            ),
        )
        return _(sentence, ratio=self.ratio, low=self.low, high=self.high, pairs=self.pairs)


def gflops_text(gflops: float) -> str:
    return f"{gflops / 1000:.3g} TFLOPS" if gflops >= 1000 else f"{gflops:.3g} GFLOPS"


@dataclass(frozen=True)
class Speed:
    size: Size
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
    full: float  # the ratio for all points …
    zero: float  # … and for none
    gflops: float | None  # None where no time was measured
    reference_gflops: float | None
    cublas_gflops: float | None
    against_cublas: AgainstCublas | None
    student_ms: tuple[float, ...]
    reference_ms: tuple[float, ...]
    doubt: str

    @property
    def size_text(self) -> str:
        return size_text(self.size)

    @property
    def decided_by(self) -> str:
        """What the verdict rests on."""
        if not self.counted:
            return _("time, %(pairs)d pairs", pairs=self.pairs)
        if not self.metric_text:
            return _("counted work")
        text = _(
            "%(metric)s: %(work)d, reference %(reference)d",
            metric=self.metric_text,
            work=self.work,
            reference=self.reference_work,
        )
        return text + (
            _("; most at line %(line)d", line=self.metric_line) if self.metric_line else ""
        )

    @property
    def ratio_text(self) -> str:
        """To the reference; counts have no spread."""
        if self.counted:
            return f"{self.ratio:.3f}"
        return _(
            "%(ratio).3f (%(low).3f to %(high).3f)", ratio=self.ratio, low=self.low, high=self.high
        )

    @property
    def rates(self) -> str:
        """Measured rates, and how it stands beside cuBLAS; "" where no time was measured."""
        if self.gflops is None or self.reference_gflops is None:
            return ""
        text = _(
            "%(speed)s, reference %(reference)s",
            speed=gflops_text(self.gflops),
            reference=gflops_text(self.reference_gflops),
        )
        if self.cublas_gflops is not None:
            text += _(", cuBLAS %(speed)s", speed=gflops_text(self.cublas_gflops))
        if self.against_cublas is not None:
            text += f"; {self.against_cublas.sentence}"
        return text


@dataclass(frozen=True)
class Peaks:
    """What a card can do at best."""

    gflops: float
    l1_gb_s: float
    l2_gb_s: float
    memory_gb_s: float


@dataclass(frozen=True)
class Estimate:
    """How fast a kernel may be on a card that is not here; no part of the grade."""

    note: str
    card: str
    size: Size
    gflops: float
    reference_gflops: float | None
    bound_text: str
    lesson: str
    occupancy: float
    registers: int | None
    peaks: Peaks | None

    @property
    def sentence(self) -> str:
        reference = (
            _(" (reference about %(speed).2g)", speed=self.reference_gflops / 1000)
            if self.reference_gflops is not None
            else ""
        )
        return _(
            "Estimate, not measured: about %(speed).2g TFLOPS%(reference)s on %(card)s at %(size)s, "
            "bound by %(bound)s; occupancy %(occupancy).0f %%%(registers)s.",
            speed=self.gflops / 1000,
            reference=reference,
            card=self.card,
            size=size_text(self.size),
            bound=self.bound_text,
            occupancy=100 * self.occupancy,
            registers="" if self.registers else _(", registers not known"),
        )


@dataclass(frozen=True)
class Requests:
    """Memory requests of one kind of a source line."""

    requests: int
    units: int  # sectors of global memory, passes (wavefronts) of shared memory
    ideal: int  # the least of these for the same bytes


@dataclass(frozen=True)
class LineWork:
    line: int
    flops: int
    kinds: tuple[tuple[str, Requests], ...]  # "global_load" and so on


@dataclass(frozen=True)
class Counts:
    """Counted work of one launch."""

    size: Size
    sector_bytes_per_flop: float
    lines: tuple[LineWork, ...]


@dataclass(frozen=True)
class WrongTiles:
    """Where C is wrong, by squares of edge x edge elements."""

    size: Size
    edge: int
    wrong: int
    rows: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class MapArray:
    name: str
    space: str  # "global" or "shared"
    element_bytes: int  # 0: not known
    extent: tuple[int, ...]


@dataclass(frozen=True)
class MapAccess:
    """A box of accesses of one place in the program, in one phase."""

    phase: int
    kind: str  # "load", "store", "atomic"
    array: int  # place in the arrays
    line: int
    bytes: int
    thread: int  # of the first, linear
    offset: int  # of the first, in bytes
    steps: tuple[tuple[int, int, int], ...]  # count, threads, bytes; the innermost first


@dataclass(frozen=True)
class IndexMap:
    """What the threads of one block access."""

    size: Size
    launches: int  # that make the product; this is of the first
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    threads: tuple[int, int, int]
    phases: int
    whole: bool  # False: some accesses are missing
    arrays: tuple[MapArray, ...]
    accesses: tuple[MapAccess, ...]

    def cells(self) -> int:
        """Accesses in all boxes: what a drawing would have to go through."""
        return sum(
            math.prod(count for count, _, _ in access.steps) * max(access.bytes // 4, 1)
            for access in self.accesses
        )


@dataclass(frozen=True)
class Exercise:
    name: str
    title: str
    lesson: str
    verdict_lesson: str
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
    repeat_size: Size | None
    speed_complete: bool
    source: str  # "" where it is not known
    counts: Counts | None
    wrong_tiles: WrongTiles | None
    map: IndexMap | None

    @property
    def detail_left(self) -> str:
        """What the detail adds to the headline, which may hold its first sentence."""
        end = re.search(r"\. |。|$", self.detail)
        assert end
        first = self.detail[: end.start()].rstrip(".")
        return self.detail[end.end() :] if first in self.headline else self.detail


@dataclass(frozen=True)
class Result:
    grader_version: str
    language: str  # of its texts: "en", "zh"
    submission: str  # its hash
    device: str
    gpu: str  # "" where there was none
    peaks: Peaks | None  # of that GPU
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


def points_of_text(milli_points: int, milli_points_max: int) -> str:
    """ "83.5 of 100 points"."""
    return _(
        "%(got)s of %(most)s points",
        got=points_text(milli_points),
        most=points_text(milli_points_max),
    )


def missing_text(result: Result) -> str:
    """What is said where something could not be judged; else nothing."""
    if result.complete:
        return ""
    return _(
        "Not everything could be judged on this machine; what is missing is not part of the points."
    )
