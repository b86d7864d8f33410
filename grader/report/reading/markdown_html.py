"""The Markdown that lessons are written in, as HTML: paragraphs, lists, tables, code, links."""

from __future__ import annotations

import re
from collections.abc import Callable

from markupsafe import Markup, escape

from reading.lines import unbroken

_INLINE = re.compile(
    r"`([^`]+)`|\*\*(.+?)\*\*|\*(?! )([^*]+)\*|\[([^\]]+)\]\(([^)\s]+)\)", re.DOTALL
)
_ITEM = re.compile(r"(?:[-*]|\d+\.) ")
_ROW = re.compile(r"(?<!\\)\|")
Address = Callable[[str], str]  # of a link's target; "" if there is none


def _inline(text: str, address: Address) -> Markup:
    parts, at = [], 0
    for found in _INLINE.finditer(text):
        parts.append(escape(text[at : found.start()]))
        code, strong, stressed, label, target = found.groups()
        if code:
            parts.append(Markup("<code>{}</code>").format(code))
        elif strong:
            parts.append(Markup("<b>{}</b>").format(_inline(strong, address)))
        elif stressed:
            parts.append(Markup("<em>{}</em>").format(_inline(stressed, address)))
        else:
            inner, where = _inline(label, address), address(target)
            link = Markup('<a href="{}">{}</a>').format(where, inner)
            parts.append(link if where else inner)
        at = found.end()
    return Markup("").join([*parts, escape(text[at:])])


def _table(lines: list[str], address: Address) -> Markup:
    rows = []
    for number, line in enumerate(lines):
        if number != 1:  # the line below the head
            tag = "td" if number else "th"
            cell = Markup(f"<{tag}>{{}}</{tag}>")
            texts = _ROW.split(line.strip().strip("|"))
            cells = (cell.format(_inline(text.strip(), address)) for text in texts)
            rows.append(Markup("<tr>{}</tr>").format(Markup("").join(cells)))
    return Markup('<table class="numbers">{}</table>').format(Markup("").join(rows))


def _list(lines: list[str], address: Address) -> Markup:
    items: list[str] = []
    for line in lines:
        found = _ITEM.match(line)
        if found:
            items.append(line[found.end() :])
        else:
            items[-1] += "\n" + line.strip()
    ordered = lines[0][0].isdigit()
    texts = Markup("").join(Markup("<li>{}</li>").format(_inline(it, address)) for it in items)
    return Markup("<ol>{}</ol>" if ordered else "<ul>{}</ul>").format(texts)


def _block(lines: list[str], address: Address) -> Markup:
    if lines[0].startswith("|") and len(lines) > 2:
        return _table(lines, address)
    if _ITEM.match(lines[0]):
        return _list(lines, address)
    if lines[0].startswith("#"):
        return Markup("<p><b>{}</b></p>").format(_inline(lines[0].lstrip("# "), address))
    return Markup("<p>{}</p>").format(_inline("\n".join(lines), address))


def to_html(text: str, address: Address) -> Markup:
    """Blocks are separated by empty lines, as `make lint` wants them; comments are left out."""
    parts = []
    # A fence with its content is one piece, and so is the text between two fences.
    for number, piece in enumerate(re.split(r"^```\w*\n(.*?)^```$", text, flags=re.M | re.S)):
        if number % 2:
            parts.append(Markup("<pre>{}</pre>").format(piece.rstrip("\n")))
            continue
        for block in re.split(r"\n\s*\n", unbroken(re.sub(r"<!--.*?-->", "", piece, flags=re.S))):
            if block.strip():
                parts.append(_block(block.strip("\n").split("\n"), address))
    return Markup("\n").join(parts)
