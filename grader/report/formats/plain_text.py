"""The Markdown that we write, as plain text, for places that show a text as it is."""

from __future__ import annotations

import html
import re

# An escaped character, code, a link, an entity, or a mark.
INLINE = re.compile(
    r"\\([!-/:-@\[-`{-~])|`([^`]+)`|\[([^\]]+)\]\(([^)]+)\)|(&\w+;)|\*\*"
)


def _inline(text: str) -> str:
    def shown(found: re.Match[str]) -> str:
        character, code, label, address, entity = found.groups()
        if label:
            return f"{_inline(label)} ({address})"
        return character or code or html.unescape(entity or "")

    return INLINE.sub(shown, text)


def _table(rows: list[str]) -> list[str]:
    """Its rows with aligned columns; the line below the heading is left out."""
    cells = [
        [_inline(cell.strip()) for cell in re.split(r"(?<!\\)\|", row.strip("| "))]
        for row in rows
        if not re.fullmatch(r"[|:-]+", row)
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]


def plain(markdown: str) -> str:
    """Knows headings, tables, code, links, ** and escapes, as markdown.py writes them."""
    lines: list[str] = []
    rows: list[str] = []
    fence = ""
    for line in [*markdown.split("\n"), ""]:
        bare = line.strip()
        if rows and not (bare.startswith("|") and not fence):
            lines += _table(rows)
            rows = []
        ticks = re.match("`{3,}", bare)
        if fence and bare == fence:
            fence = ""
        elif not fence and ticks:
            fence = ticks[0]
        elif fence:
            lines.append(f"    {line}")
        elif bare.startswith("|"):
            rows.append(bare)
        else:
            lines.append(_inline(re.sub(r"^#+ ", "", line)))
    return "\n".join(lines).rstrip("\n") + "\n"
