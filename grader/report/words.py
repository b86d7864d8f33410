"""Names and numbers of result.json as people read them: in the words of the terminal."""

from __future__ import annotations

from language import N_, _

_WORDS = {
    # verdicts and kinds of findings
    "missing": N_("missing"),
    "not_started": N_("not started"),
    "not_allowed": N_("not allowed"),
    "build_error": N_("does not compile"),
    "no_kernel": N_("no kernel"),
    "bad_signature": N_("wrong parameter list"),
    "needs_gpu": N_("needs a GPU"),
    "bad_launch": N_("bad launch configuration"),
    "time_limit": N_("does not end"),
    "output_limit": N_("prints too much"),
    "memory_limit": N_("needs too much memory"),
    "crash": N_("crashed"),
    "misaligned": N_("misaligned access"),
    "out_of_bounds": N_("out of bounds"),
    "barrier_divergence": N_("barrier not reached by all threads"),
    "exited_before_barrier": N_("threads exited before a barrier"),
    "race": N_("data race"),
    "uninitialized": N_("uninitialized read"),
    "inputs_changed": N_("inputs changed"),
    "input_written": N_("input written"),
    "not_written": N_("part of the output not written"),
    "low_precision": N_("precision below fp32"),
    "wrong_result": N_("wrong result"),
    "no_answer": N_("no answer"),
    "pass": N_("pass"),
    "host": N_("a mistake of the host code"),
    # verdicts on speed
    "fast": N_("fast"),
    "marginal": N_("marginal"),
    "unsteady": N_("unsteady"),
    "slow": N_("slow"),
    # kinds of inputs
    "exact": N_("exact"),
    "real": N_("real"),
    "binades": N_("real, large and small"),
    "equal": N_("real, all equal"),
    "special": N_("infinities"),
    "sparse": N_("zeros and runs"),
    # severities
    "note": N_("note"),
    "warning": N_("warning"),
}


def is_word(name: str) -> bool:
    """True if people read another word for this name."""
    return name in _WORDS


def word(name: str) -> str:
    """The word that people read for a name; an unknown name, without its underscores."""
    known = _WORDS.get(name)
    return _(known) if known else name.replace("_", " ")


Size = tuple[int, ...]  # M, N, K of a product; one to four numbers for other kernels


def size_text(size: Size) -> str:
    return "x".join(str(dimension) for dimension in size)


def gflops_text(gflops: float) -> str:
    return f"{gflops / 1000:.3g} TFLOPS" if gflops >= 1000 else f"{gflops:.3g} GFLOPS"


def gb_s_text(gb_s: float) -> str:
    return f"{gb_s:,.0f} GB/s" if gb_s >= 1000 else f"{gb_s:.3g} GB/s"


def points_text(milli_points: int) -> str:
    """Milli-points as points: 83500 is 83.5, 40000 is 40."""
    whole, part = divmod(milli_points, 1000)
    return f"{whole}.{part:03d}".rstrip("0").rstrip(".")


def points_of_text(milli_points: int, milli_points_max: int, milli_points_open: int = 0) -> str:
    """ "83.5 of 100 points"; "20 of 320 points, 300 open"."""
    got, most = points_text(milli_points), points_text(milli_points_max)
    if milli_points_open:
        still = points_text(milli_points_open)
        return _("%(got)s of %(most)s points, %(open)s open", got=got, most=most, open=still)
    return _("%(got)s of %(most)s points", got=got, most=most)
