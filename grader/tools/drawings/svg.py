"""A drawing of a lesson as SVG: shapes with classes, in colours for light and dark screens."""

from __future__ import annotations

from html import escape

from drawings.words import said

WIDTH = 720
LETTER = 6.6  # a wide guess at the width of a letter

STYLE = """
svg { font: 12px system-ui, sans-serif }
.paper { fill: #fff } .box { fill: #f6f8fa; stroke: #8c959f }
.a { fill: #9ecae8 } .b { fill: #f7c08a } .c { fill: #a8d8a0 } .s { fill: #cdb8e8 }
.faint { fill: #e4e8ec } .hot { fill: #e07060 }
.zero {
     fill: none; stroke: #8c959f; stroke-dasharray: 2 2
}
.line { stroke: #57606a; fill: none } .thin { stroke: #b6bdc4; fill: none; stroke-width: .5 }
.strong { stroke: #1f2328; fill: none; stroke-width: 1.6 } .dot { fill: #b0402c }
text { fill: #1f2328 } .small { font-size: 10.5px } .dim { fill: #57606a }
.bold { font-weight: 600 }
@media (prefers-color-scheme: dark) {
.paper { fill: #0d1117 } .box { fill: #161b22; stroke: #6e7681 }
.a { fill: #255d86 } .b { fill: #8a5520 } .c { fill: #2f6b35 } .s { fill: #5a4585 }
.faint { fill: #262c34 } .hot { fill: #a8402f } .line { stroke: #9aa4ae } .thin { stroke: #3d444d }
.strong { stroke: #e6edf3 } .dot { fill: #ff9580 } text { fill: #e6edf3 } .dim { fill: #9aa4ae }
}
"""


def number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


class Drawing:
    """Shapes in the order in which they are drawn; coordinates from the top left."""

    def __init__(self, title: str, height: float, width: float = WIDTH) -> None:
        self.size = (width, height)
        self.title = title
        self.parts: list[str | tuple[str, str, str]] = []  # words are between two tags

    def box(
        self, x: float, y: float, width: float, height: float, kind: str, round_by: int = 0
    ) -> None:
        corner = f' rx="{round_by}"' if round_by else ""
        self.parts.append(
            f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}"'
            f' height="{number(height)}" class="{kind}"{corner}/>'
        )

    def cells(self, places: list[tuple[float, float]], edge: float, kind: str) -> None:
        """Equal squares, as one path: a hundred of them stay small."""
        path = "".join(
            f"M{number(x)} {number(y)}h{number(edge)}v{number(edge)}h{number(-edge)}z"
            for x, y in places
        )
        self.parts.append(f'<path d="{path}" class="{kind}"/>')

    def line(
        self, points: list[tuple[float, float]], kind: str = "line", arrow: bool = False
    ) -> None:
        path = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        end = ' marker-end="url(#end)"' if arrow else ""
        self.parts.append(f'<polyline points="{path}" class="{kind}"{end}/>')

    def dot(self, x: float, y: float) -> None:
        self.parts.append(f'<circle cx="{number(x)}" cy="{number(y)}" r="4" class="dot"/>')

    def text(self, x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> None:
        place = "" if anchor == "start" else f' text-anchor="{anchor}"'
        style = f' class="{kind}"' if kind else ""
        tag = f'<text x="{number(x)}" y="{number(y)}"{place}{style}>'
        self.parts.append((tag, words, "</text>"))

    def grid(
        self, x: float, y: float, columns: int, rows: int, edge: float, kind: str = "thin"
    ) -> None:
        right, down = columns * edge, rows * edge
        path = "".join(
            f"M{number(x + c * edge)} {number(y)}v{number(down)}" for c in range(columns + 1)
        )
        path += "".join(
            f"M{number(x)} {number(y + r * edge)}h{number(right)}" for r in range(rows + 1)
        )
        self.parts.append(f'<path d="{path}" class="{kind}"/>')

    def render(self, language: str = "en") -> str:
        """Errors: LookupError if the language lacks a text."""
        width, height = self.size
        parts = [
            each if isinstance(each, str) else each[0] + escape(said(each[1], language)) + each[2]
            for each in self.parts
        ]
        return (
            '<svg xmlns="http://www.w3.org/2000/svg"'
            f' viewBox="0 0 {number(width)} {number(height)}"'
            f' width="{number(width)}" height="{number(height)}" role="img">\n'
            f"<title>{escape(said(self.title, language))}</title>\n<style>{STYLE}</style>\n"
            '<defs><marker id="end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7"'
            ' markerHeight="7" orient="auto">'
            '<path d="M0 0l8 4-8 4z" class="line"/></marker></defs>\n'
            '<rect width="100%" height="100%" class="paper"/>\n'
            + "\n".join(parts)
            + "\n</svg>\n"
        )
