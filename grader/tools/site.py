#!/usr/bin/python3
"""Writes the lessons as a site of plain HTML: site.py ROOT OUT.  No network is needed to read it.

Every page of lessons/ becomes one, with its drawings, except hints, which would be read too early,
and bugs, which are to be found.
The answers of questions are folded. Links between pages lead to pages; a link to another file of
the course becomes plain text.  Exit codes: 0 written, 2 bad usage, 3 a package is missing.
"""

from __future__ import annotations

import re
import shutil
import sys
from dataclasses import dataclass
from html import escape
from pathlib import Path

from links import anchor_of

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "grader/report"))  # after markdown of the system
# pylint: disable=wrong-import-position
from reading.lines import joined, unbroken

LINK = re.compile(r'<a href="([^"#:]*)(#[^"]*)?">(.*?)</a>', re.S)
COMMENT = re.compile(r"<!--.*?-->\n?", re.S)
ANSWERS = re.compile(r"(?:^- \[[x ]\] .*\n(?:^(?:  .*)?\n)*)+", re.M)
ANSWERS_WORD = {"en": "Answers", "zh": "答案"}
TYPED = re.compile(r"[-\d*]|\w+\[\d")  # how an answer begins that is not chosen among several
ANSWER = re.compile(r"^- \[([x ])\] (.+?)(?: = `[^`]+`)?: (.+?)(?=^- \[|\Z)", re.M | re.S)


@dataclass(frozen=True)
class Page:
    source: Path
    target: Path  # below the site
    title: str

    @property
    def language(self) -> str:
        return "zh" if self.source.name.endswith(".zh.md") else "en"

    @property
    def name(self) -> str:
        """The address of the English page."""
        return self.source.name.replace(".zh.md", ".md")

    @property
    def english(self) -> Path:
        return self.source.with_name(self.name)


def pages_of(lessons: Path) -> list[Page]:
    found = []
    for source in sorted(lessons.rglob("*.md")):
        has_bug = "bugs" in source.relative_to(lessons).parts
        if source.name.startswith("hints") or has_bug:
            continue
        target = source.relative_to(lessons).with_suffix(".html")
        target = target.with_name(target.name.replace("README", "index"))
        heading = re.search(r"^# (.+)", source.read_text("utf-8"), re.M)
        found.append(Page(source, target, heading[1] if heading else source.stem))
    return found


def in_language(pages: list[Page], english: Path, language: str) -> Page | None:
    """The page in that language, else the English one."""
    found = {page.language: page for page in pages if page.english == english}
    return found.get(language) or found.get("en")


def menu_of(pages: list[Page], lessons: Path, language: str) -> list[Page]:
    """Lessons first, then the other pages of the folder; each in the language, else in English."""
    english = [page for page in pages if page.language == "en"]
    menu = [page for page in english if page.name in ("README.md", "lesson.md")]
    menu += [page for page in english if page.source.parent == lessons and page not in menu]
    return [in_language(pages, page.source, language) or page for page in menu]


def folded(markdown: str, word: str) -> str:
    """Answers of questions as a list that opens at a word; the right one is marked there.

    If the student chooses one of them, they are listed without their reasons, too.
    """

    def details(found: re.Match[str]) -> str:
        answers = ANSWER.findall(found[0])
        choice = "".join(f"<li>{inline(text)}</li>" for _right, text, _reason in answers)
        if all(TYPED.match(text) for _right, text, _reason in answers):
            choice = ""
        items = "".join(
            f"<li>{'<b>' if right == 'x' else ''}{inline(text)}{'</b>' if right == 'x' else ''}"
            f" &mdash; {inline(reason)}</li>"
            for right, text, reason in answers
            if text != "*"
        )
        choice = f"<ul>{choice}</ul>\n" if choice else ""
        return f"{choice}<details><summary>{word}</summary><ul>{items}</ul></details>\n\n"

    return ANSWERS.sub(details, markdown)


def inline(text: str) -> str:
    words = escape(joined(text))
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", words)


def linked(html: str, page: Page, targets: dict[Path, Page]) -> str:
    """Links between sources as links between pages."""

    def one(found: re.Match[str]) -> str:
        path, anchor, words = found[1], found[2] or "", found[3]
        if not path:
            return found[0]
        other = targets.get((page.source.parent / path).resolve())
        if not other:
            return words
        up = "../" * (len(page.target.parts) - 1)
        return f'<a href="{up}{other.target.as_posix()}{anchor}">{words}</a>'

    return LINK.sub(one, html)


def site_write(root: Path, out: Path) -> int:
    """The number of pages."""
    # pylint: disable=import-outside-toplevel
    from jinja2 import Environment, FileSystemLoader
    from markdown import Markdown

    lessons = root / "lessons"
    pages = pages_of(lessons)
    targets = {page.source.resolve(): page for page in pages}
    environment = Environment(loader=FileSystemLoader(ROOT / "grader/templates"), autoescape=True)
    template = environment.get_template("site.html")
    menus = {language: menu_of(pages, lessons, language) for language in ("en", "zh")}
    for page in pages:
        reader = Markdown(
            extensions=["tables", "fenced_code", "toc"],
            extension_configs={"toc": {"slugify": lambda text, _separator: anchor_of(text)}},
        )
        text = unbroken(COMMENT.sub("", page.source.read_text("utf-8")))
        if page.source.name.startswith("questions"):
            text = folded(text, ANSWERS_WORD[page.language])
        body = reader.convert(text)
        up = "../" * (len(page.target.parts) - 1)
        path = out / page.target
        path.parent.mkdir(parents=True, exist_ok=True)
        body = linked(body, page, targets)
        questions = in_language(pages, page.source.with_name("questions.md"), page.language)
        others = [other for other in pages if other.english == page.english and other != page]
        path.write_text(
            template.render(
                page=page,
                body=body,
                menu=menus[page.language],
                up=up,
                language=page.language,
                questions=questions if page.name == "lesson.md" else None,
                others=others,
            ),
            "utf-8",
        )
    for drawing in lessons.rglob("*.svg"):
        shutil.copyfile(drawing, out / drawing.relative_to(lessons))
    return len(pages)


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print("site: usage: site.py ROOT OUT", file=sys.stderr)
        return 2
    try:
        count = site_write(Path(arguments[0]), Path(arguments[1]))
    except ImportError as problem:
        print(f"site: {problem}; install python3-markdown", file=sys.stderr)
        return 3
    except OSError as problem:
        print(f"site: {problem.filename}: {problem.strerror}", file=sys.stderr)
        return 2
    print(f"written: {arguments[1]}/index.html ({count} pages)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
