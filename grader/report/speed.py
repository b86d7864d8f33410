"""The speed of a kernel as in result.json: measured or counted, and estimated."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from language import N_, _
from words import Size, gb_s_text, gflops_text, size_text


@dataclass(frozen=True)
class Requests:
    """The memory requests of a source line that are of one kind."""

    requests: int
    units: int  # sectors of global memory, wavefronts of shared memory
    ideal: int  # the minimum of these for the same bytes


@dataclass(frozen=True)
class LineWork:
    line: int
    flops: int
    kinds: tuple[tuple[str, Requests], ...]  # "global_load" and so on


@dataclass(frozen=True)
class Needs:
    """The needs of the operation at a size, for any kernel; 0: not stated."""

    flop: float
    bytes: float


def rate_text(needs: Needs, gflops: float, ms: float, by_flop: bool) -> str:
    """The rates of a kernel in that time: FLOP per second first if that is its usual unit, else
    bytes.

    The bytes of a rate are those that the operation needs, each once.
    """
    bytes_text = gb_s_text(needs.bytes / ms / 1e6) if needs.bytes and ms > 0 else ""
    flop_text = gflops_text(gflops) if gflops > 0 else ""
    texts = (flop_text, bytes_text) if by_flop else (bytes_text, flop_text)
    return ", ".join(text for text in texts if text) or f"{ms:.3g} ms"


@dataclass(frozen=True)
class Counts:
    """Counted work of one launch."""

    size: Size
    needs: Needs
    sector_bytes_per_flop: float
    numbers: dict[str, int]  # all counters by name
    lines: tuple[LineWork, ...]

    @property
    def moved_bytes(self) -> int:
        """Bytes of the sectors of global memory."""
        names = ("global_load_sectors", "global_store_sectors", "global_atomic_sectors")
        return 32 * sum(self.numbers.get(name, 0) for name in names)

    @property
    def bytes_per_needed(self) -> float:
        """Bytes moved per byte that the operation needs; 0: unknown."""
        return self.moved_bytes / self.needs.bytes if self.needs.bytes else 0.0

    def traffic(self, by_flop: bool) -> str:
        """Bytes moved: per FLOP, or per byte that the operation needs."""
        if self.needs.bytes and not by_flop:
            return _("%(times).3g times the needed bytes", times=self.bytes_per_needed)
        if self.sector_bytes_per_flop > 0:
            return _("%(bytes).3g bytes per FLOP", bytes=self.sector_bytes_per_flop)
        return ""


@dataclass(frozen=True)
class AgainstCublas:
    """A kernel timed in pairs with cuBLAS, without effect on points."""

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
    by_flop: bool
    needs: Needs
    verdict: str
    counted: bool
    estimated: bool  # … and times were estimated from it
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
    full: float  # the ratio for all points
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
        """The basis of the verdict."""
        if not self.counted:
            text = _("time, %(pairs)d pairs", pairs=self.pairs)
            return f"{text}. {self.note}" if self.note else text
        if self.estimated:
            text = _("time, estimated from counted work")
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
        """The ratio to the reference; counts have no spread."""
        if self.counted and not self.estimated:
            return f"{self.ratio:.3f}"
        return _(
            "%(ratio).3f (%(low).3f to %(high).3f)", ratio=self.ratio, low=self.low, high=self.high
        )

    @property
    def is_timed(self) -> bool:
        return bool(self.gflops or self.student_ms)

    @property
    def unit(self) -> str:
        """The unit of `rate`: the resource that the operation needs most."""
        return "GFLOPS" if self.by_flop or not self.needs.bytes else "GB/s"

    def rate_of(self, ms: float) -> float:
        """In `unit`."""
        return (self.needs.bytes if self.unit == "GB/s" else self.needs.flop) / ms / 1e6

    def _rate(self, gflops: float | None, samples: tuple[float, ...]) -> float | None:
        if self.unit == "GFLOPS":
            return gflops
        return self.rate_of(statistics.median(samples)) if samples else None

    @property
    def rate(self) -> float | None:
        """In `unit`; None if no time was measured."""
        return self._rate(self.gflops, self.student_ms)

    @property
    def reference_rate(self) -> float | None:
        return self._rate(self.reference_gflops, self.reference_ms)

    def in_words(self, rate: float) -> str:
        return gflops_text(rate) if self.unit == "GFLOPS" else gb_s_text(rate)

    def _reached(
        self, gflops: float | None, samples: tuple[float, ...], counts: Counts | None
    ) -> str:
        """Measured rates, else the counted traffic; "" if neither is known."""
        if gflops or samples:
            timed = samples and not self.by_flop
            ms = statistics.median(samples) if timed else self.needs.flop / ((gflops or 1) * 1e6)
            return rate_text(self.needs, gflops or 0.0, ms, self.by_flop)
        return counts.traffic(self.by_flop) if counts else ""

    @property
    def reached(self) -> str:
        return self._reached(self.gflops, self.student_ms, self.counts)

    @property
    def reference_reached(self) -> str:
        return self._reached(self.reference_gflops, self.reference_ms, self.reference_counts)

    @property
    def cublas_reached(self) -> str:
        return self._reached(self.cublas_gflops, (), None)

    @property
    def rates(self) -> str:
        """Measured rates, and the comparison with cuBLAS; "" if no time was measured."""
        if not self.rate or not self.reference_rate:
            return ""
        speed = self.in_words(self.rate)
        reference = self.in_words(self.reference_rate)
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
    """The peak rates of a GPU."""

    gflops: float
    l1_gb_s: float
    l2_gb_s: float
    memory_gb_s: float


@dataclass(frozen=True)
class Estimate:
    """An estimate of a kernel's speed on another GPU; not part of the grade."""

    note: str
    card: str
    size: Size
    by_flop: bool
    needs: Needs
    ms: float
    reference_ms: float | None
    gflops: float
    reference_gflops: float | None
    bound_text: str
    lesson: str
    occupancy: float
    registers: int | None
    peaks: Peaks | None

    def _rate(self, gflops: float, ms: float) -> str:
        if self.by_flop:
            return f"{gflops / 1000:.2g} TFLOPS"
        return rate_text(self.needs, 0.0 if self.needs.bytes else gflops, ms, False)

    @property
    def sentence(self) -> str:
        text = _(
            "Estimated, not measured: about %(speed)s on %(card)s at %(size)s, bound by "
            "%(bound)s; occupancy %(occupancy).0f %%.",
            speed=self._rate(self.gflops, self.ms),
            card=self.card,
            size=size_text(self.size),
            bound=self.bound_text,
            occupancy=100 * self.occupancy,
        )
        if self.reference_gflops or self.reference_ms:
            reference = self._rate(self.reference_gflops or 0.0, self.reference_ms or 0.0)
            text += _(" The reference: about %(speed)s.", speed=reference)
        if not self.registers:
            text += _(" The number of registers is not known.")
        return text
