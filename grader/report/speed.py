"""The speed of a kernel as in result.json: measured or counted, and estimated."""

from __future__ import annotations

from dataclasses import dataclass

from language import N_, _
from words import Size, gflops_text, size_text


@dataclass(frozen=True)
class Requests:
    """The memory requests of a source line that are of one kind."""

    requests: int
    units: int  # sectors of global memory, wavefronts of shared memory
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
    numbers: dict[str, int]  # all counters by name
    lines: tuple[LineWork, ...]


@dataclass(frozen=True)
class AgainstCublas:
    """A kernel timed in pairs with cuBLAS, which no points depend on."""

    verdict: str
    ratio: float
    low: float
    high: float
    pairs: int

    @property
    def sentence(self) -> str:
        sentence = {
            "faster": N_(
                "faster than cuBLAS (%(ratio).3f, %(low).3f to %(high).3f, %(pairs)d pairs); "
                "not graded"
            ),
            "fast": N_(
                "as fast as cuBLAS (%(ratio).3f, %(low).3f to %(high).3f, %(pairs)d pairs); not "
                "graded"
            ),
            "slow": N_(
                "slower than cuBLAS (%(ratio).3f, %(low).3f to %(high).3f, %(pairs)d pairs); "
                "not graded"
            ),
        }.get(
            "faster" if self.verdict == "fast" and self.low > 1.0 else self.verdict,
            N_(
                "about as fast as cuBLAS (%(ratio).3f, %(low).3f to %(high).3f, %(pairs)d "
                "pairs); not graded"
            ),
        )
        return _(sentence, ratio=self.ratio, low=self.low, high=self.high, pairs=self.pairs)


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
    gflops: float | None  # None if no time was measured
    reference_gflops: float | None
    cublas_gflops: float | None
    against_cublas: AgainstCublas | None
    student_ms: tuple[float, ...]
    reference_ms: tuple[float, ...]
    cublas_ms: tuple[float, ...]  # timed alone, or in pairs with the student's kernel
    doubt: str
    note: str
    counts: Counts | None  # None if times decide
    reference_counts: Counts | None

    @property
    def size_text(self) -> str:
        return size_text(self.size)

    @property
    def decided_by(self) -> str:
        """What the verdict rests on."""
        if not self.counted:
            text = _("time, %(pairs)d pairs", pairs=self.pairs)
            return f"{text}. {self.note}" if self.note else text
        if not self.metric_text:
            return _("counted work")
        if self.metric_line:
            return _(
                "%(metric)s: %(work)s, reference %(reference)s; most of it at line %(line)d",
                metric=self.metric_text,
                work=f"{self.work:,}",
                reference=f"{self.reference_work:,}",
                line=self.metric_line,
            )
        return _(
            "%(metric)s: %(work)s, reference %(reference)s",
            metric=self.metric_text,
            work=f"{self.work:,}",
            reference=f"{self.reference_work:,}",
        )

    @property
    def ratio_text(self) -> str:
        """To the reference; counts have no spread."""
        if self.counted:
            return f"{self.ratio:.3f}"
        return _(
            "%(ratio).3f (%(low).3f to %(high).3f)", ratio=self.ratio, low=self.low, high=self.high
        )

    def rate_text(self, gflops: float | None, counts: Counts | None) -> str:
        """What a kernel reached: measured rates, else its counted traffic; "" if neither is known.

        The bytes of a rate are those of A, B and C, each once.
        """
        if gflops is not None:
            if len(self.size) != 3:
                return gflops_text(gflops)
            m, n, k = self.size
            bytes_per_flop = 4 * (m * k + k * n + m * n) / (2 * m * n * k)
            return f"{gflops_text(gflops)}, {gflops * bytes_per_flop:.3g} GB/s"
        if counts is None:
            return ""
        return _("%(bytes).3g bytes per FLOP", bytes=counts.sector_bytes_per_flop)

    @property
    def rates(self) -> str:
        """Measured rates, and the comparison with cuBLAS; "" if no time was measured."""
        if self.gflops is None or self.reference_gflops is None:
            return ""
        speed = gflops_text(self.gflops)
        reference = gflops_text(self.reference_gflops)
        if self.cublas_gflops is not None:
            text = _(
                "%(speed)s, reference %(reference)s, cuBLAS %(cublas)s",
                speed=speed,
                reference=reference,
                cublas=gflops_text(self.cublas_gflops),
            )
        else:
            text = _("%(speed)s, reference %(reference)s", speed=speed, reference=reference)
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
    """How fast a kernel may be on another card; no part of the grade."""

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
        text = _(
            "Estimated, not measured: about %(speed).2g TFLOPS on %(card)s at %(size)s, bound by "
            "%(bound)s; occupancy %(occupancy).0f %%.",
            speed=self.gflops / 1000,
            card=self.card,
            size=size_text(self.size),
            bound=self.bound_text,
            occupancy=100 * self.occupancy,
        )
        if self.reference_gflops is not None:
            text += _(
                " The reference: about %(speed).2g TFLOPS.", speed=self.reference_gflops / 1000
            )
        if not self.registers:
            text += _(" The number of registers is not known.")
        return text
