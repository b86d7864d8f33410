"""A page read back: its elements in order, and what would run or leave it."""

from __future__ import annotations

from html.parser import HTMLParser

# Elements without an end tag.
VOID = {"meta", "link", "br", "input", "img", "hr"}
# Attributes that make a browser fetch or run something.
LOADING = {"src", "srcset", "data", "poster", "action", "formaction", "background"}


class Page(HTMLParser):
    """Parses a page and remembers what tests ask for; `faults` is empty if elements nest
    correctly."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.faults: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.marks: list[tuple[str, str]] = []  # class and text of each <mark>
        self._mark: str | None = None
        self.feed(text)
        self.close()
        self.faults += [f"{tag} stays open" for tag in self.open]

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attributes}))
        if tag not in VOID and not (self.get_starttag_text() or "").endswith("/>"):
            self.open.append(tag)
        if tag == "mark":
            self._mark = dict(attributes).get("class") or ""
            self.marks.append((self._mark, ""))

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")
        if tag == "mark":
            self._mark = None

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._mark is not None:
            self.marks[-1] = (self._mark, self.marks[-1][1] + data)

    def with_tag(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.tags if name == tag]

    def dangers(self) -> list[str]:
        """Elements and attributes that run code or load something."""
        found = []
        for tag, attributes in self.tags:
            if tag in ("script", "iframe", "object", "embed", "base", "img", "form"):
                found.append(tag)
            for name, value in attributes.items():
                inside = value.startswith("#") or value == "data:,"
                if name.startswith("on") or name in LOADING:
                    found.append(f"{tag} {name}")
                if name in ("href", "xlink:href") and not inside:
                    found.append(f"{tag} {name}={value}")
        return found
