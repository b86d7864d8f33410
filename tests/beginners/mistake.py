"""Mistakes that beginners make, as edits of the reference kernels.

They were written from the lessons alone, before the checkers were read, so none is here because a
checker finds it.  Each has a name, the texts to replace, the lines that may be named first (a text
of such a line), and what the explanation must say: each of the patterns must be found in it.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mistake:
    exercise: str
    name: str
    edits: tuple[tuple[str, str], ...]  # old text, which occurs exactly once, and new text
    at: tuple[str, ...]  # the mistake is at one of the lines with one of these texts
    says: tuple[str, ...]  # regular expressions, without regard to case

    @property
    def key(self) -> str:
        return f"{self.exercise}/{self.name}"


MISTAKES: list[Mistake] = []


def add(exercise, name, edits, at, says):
    edits = (edits,) if isinstance(edits[0], str) else tuple(edits)
    at = (at,) if isinstance(at, str) else tuple(at)
    says = (says,) if isinstance(says, str) else tuple(says)
    MISTAKES.append(Mistake(exercise, name, edits, at, says))


OUTSIDE = r"outside|past|beyond|bounds|behind the end|has only|not inside"
BARRIER = r"barrier|__syncthreads"
NOT_SET = (
    r"nothing (had been|was) stored|nothing useful|never (been )?(stored|written|set|given)"
    r"|no value|uninitiali[sz]ed|not (been )?(stored|set|written|initiali)|before"
)

# Mistakes whose cause is not told: what is said, and what would be right.
GAPS: dict[str, str] = {
    "tiled/row_of_b_by_tile": "it is 0: the row of B is not named",
    "transpose/not_turned": "outside: the tile is stored as it was read",
    "softmax/own_sum": "the result without the division: it divides by a part of the sum",
    "softmax/not_scaled": "a wrong number: the sum is not scaled to the larger maximum",
    "register_tiled/ragged_rows_dropped": "A and B are never read: the condition is not named",
    "reduction/tree_with_barrier_in_branch": "false in the last round: in the first too",
    "softmax/own_maximum": "a wrong number: the values are not scaled to the whole maximum",
    "softmax/pairs_merged_by_one_warp": "Inf: the other warps have merged nothing",
    "softmax/earlier_chunks_left_out": "columns are never written: no line is named",
}
