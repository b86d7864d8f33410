"""A section of a lesson as a report shows it, found by the link that a result has."""

from __future__ import annotations

import functools
import posixpath
import re
from dataclasses import dataclass

from markupsafe import Markup

from language import language
from reading.markdown_html import to_html
from reading.repository import COURSE, address_of

_LINK = re.compile(r"(lessons(?:/\w+)+)\.md(?:#([\w-]+))?")


@dataclass(frozen=True)
class Section:
    link: str  # "lessons/verdicts.md#race"
    address: str  # on the web; "" if it is not known
    body: Markup  # empty if the lesson is missing, or if the link means all of it
    language: str = "en"  # of the body


def _anchor(heading: str) -> str:
    """The anchor that GitHub and GitLab give a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


@functools.cache
def _text(path: str) -> str:
    file = COURSE / path
    return file.read_text("utf-8") if file.is_file() else ""


def _cut(text: str, anchor: str) -> str:
    """The text after the heading with that anchor, up to the next heading of its level or above.

    Headings in it are without their anchors, which only a whole page needs."""
    level, lines, fenced = 0, [], False
    for line in text.split("\n"):
        fenced ^= line.startswith("```")
        heading = None if fenced else re.match(r"(#+) (.*)", line)
        if level and heading and len(heading[1]) <= level:
            break
        if level:
            lines.append(re.sub(r'<a id="[\w-]+"></a>', "", line) if heading else line)
        elif heading and (f'<a id="{anchor}">' in heading[2] or _anchor(heading[2]) == anchor):
            level = len(heading[1])
    return "\n".join(lines)


def in_language(link: str) -> str:
    """The link to the page in the chosen language, if that page exists."""
    spoken = _LINK.sub(lambda found: found[0].replace(".md", f".{language()}.md", 1), link, count=1)
    return spoken if (COURSE / spoken.split("#")[0]).is_file() else link


def section(link: str) -> Section:
    """The section that a link of a result means, in the chosen language if the lesson has it."""
    found = _LINK.fullmatch(link)
    if not found:
        return Section(link, "", Markup())
    path, anchor = found[1], found[2] or ""
    english = path + ".md"
    link = in_language(link)
    file = f"{path}.{language()}.md"
    text = _cut(_text(file), anchor) if anchor else ""
    spoken = language() if text else "en"
    if not text:
        file, text = english, _cut(_text(english), anchor) if anchor else ""

    def address(target: str) -> str:
        if re.match(r"https?://", target):
            return target
        inside = file + target if target.startswith("#") else target
        if not target.startswith("#"):
            inside = posixpath.normpath(posixpath.join(posixpath.dirname(file), target))
        return address_of(inside)

    return Section(link, address_of(link), to_html(text, address), spoken)
