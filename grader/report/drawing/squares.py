"""C as squares, by how wrong it is."""

from __future__ import annotations

from dataclasses import dataclass

from language import _
from model import Exercise


@dataclass(frozen=True)
class Squares:
    width: int
    height: int
    paths: tuple[
        tuple[int, str], ...
    ]  # level (0 is right, 4 is all wrong) and its squares as a path
    text: str


def wrong_squares(exercise: Exercise) -> Squares | None:
    """C by squares, the wrong ones coloured by how many of their elements are wrong."""
    tiles = exercise.wrong_tiles
    if not tiles:
        return None
    m, n = tiles.size[:2]
    columns = max(len(row) for row in tiles.rows)
    edge = max(8, min(16, 400 // max(columns, len(tiles.rows))))
    paths: dict[int, str] = {}
    for r, row in enumerate(tiles.rows):
        for c, wrong in enumerate(row):
            height = min((r + 1) * tiles.edge, m) - r * tiles.edge
            width = min((c + 1) * tiles.edge, n) - c * tiles.edge
            level = min(4, 1 + 4 * wrong // max(height * width, 1)) if wrong else 0
            square = f"M{c * edge} {r * edge}h{edge - 1}v{edge - 1}h{1 - edge}z"
            paths[level] = paths.get(level, "") + square
    return Squares(
        columns * edge,
        len(tiles.rows) * edge,
        tuple(sorted(paths.items())),
        _("%(wrong)d of %(all)d elements of C are not right", wrong=tiles.wrong, all=m * n),
    )
