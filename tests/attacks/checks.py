"""What a run prints and writes: free of canaries, of control characters and of foreign markup."""

from __future__ import annotations

import functools
import html.parser
import json
import re
import sys
import types
import xml.etree.ElementTree
from pathlib import Path

from attack import Attack
from world import World

REPORT = Path(__file__).resolve().parents[2] / "grader" / "report"
sys.path.insert(0, str(REPORT))

from parse import result_parse  # noqa: E402
from report import formats, module_of  # noqa: E402

CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    r"\U000e0000-\U000e0fff]"
)
# What GitHub's runner, Azure and TeamCity take for commands in a log.
COMMAND = re.compile(r"(?m)^\s*::|##[A-Za-z]*\[")
JUNIT_ELEMENTS = set("testsuites testsuite testcase failure skipped system-out".split())
# Markdown may contain none of these outside of code blocks.
MARKUP = re.compile(r"<(script|img|a |iframe)|\]\(", re.IGNORECASE)


def joined(text: str) -> str:
    return " ".join(text.split())


def _markdown_problems(text: str) -> list[str]:
    prose, fence = [], ""
    for line in text.splitlines():
        mark = re.match(r"\s*(`{3,})", line)
        if mark and (not fence or mark.group(1) == fence):
            fence = "" if fence else mark.group(1)
        elif not fence:
            prose.append(line)
    found = MARKUP.search("\n".join(prose))
    problems = [f"Markdown holds {found.group(0)!r}"] if found else []
    return problems + (["a code block of the Markdown does not end"] if fence else [])


def _xml_problems(text: str) -> list[str]:
    try:
        root = xml.etree.ElementTree.fromstring(text)
    except xml.etree.ElementTree.ParseError as error:
        return [f"junit: {error}"]
    foreign = {node.tag for node in root.iter()} - JUNIT_ELEMENTS
    return [f"junit holds {', '.join(sorted(foreign))}"] if foreign else []


class _Page(html.parser.HTMLParser):
    """Counts what a browser would take for elements that run or load something."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        handlers = [key for key, _ in attrs if key.startswith("on")]
        links = [value for key, value in attrs if key == "href" and "script:" in (value or "")]
        if tag in ("script", "iframe") or handlers or links:
            self.found.append(f"<{tag}> {handlers}{links}")


def _page_problems(text: str) -> list[str]:
    page = _Page()
    page.feed(text)
    return [f"html holds {found}" for found in page.found]


@functools.cache
def modules_find() -> dict[str, types.ModuleType]:
    """The formats whose libraries are installed."""
    found = {}
    for name in formats():
        try:
            found[name] = module_of(name)
        except ModuleNotFoundError:
            pass
    return found


def formats_absent() -> list[str]:
    return sorted(set(formats()) - set(modules_find()))


def problems_of_reports(text: str) -> tuple[list[str], str]:
    """The problems of every report of a result, and all reports as one text."""
    checks = {"markdown": _markdown_problems, "junit": _xml_problems, "html": _page_problems}
    problems, whole = [], ""
    result = result_parse(text, "result.json")
    for name, module in modules_find().items():
        rendered = module.render(result)
        whole += rendered
        problems += checks.get(name, lambda text: [])(rendered)
        if module.FILE.endswith(".json"):
            json.loads(rendered)
    return problems, whole


def problems_of_texts(attack: Attack, world: World, printed: bytes) -> list[str]:
    problems = []
    try:
        terminal = printed.decode("utf-8")
    except UnicodeDecodeError:
        return ["what is printed is no UTF-8"]
    found = CONTROL.search(terminal)
    if found:
        problems.append(f"a control character is printed: {found.group(0)!r}")
    found = COMMAND.search(terminal)
    if found:
        problems.append(f"a line is a command of a CI system: {found.group(0)!r}")
    path = world.out / "result.json"
    written = path.read_text(encoding="utf-8") if path.exists() else ""
    reports = ""
    if written:
        more, reports = problems_of_reports(written)
        problems += more
        found = CONTROL.search(reports)
        if found:
            problems.append(f"a control character is in a report: {found.group(0)!r}")
    everything = terminal + written + reports
    for text in (world.token, "root:x:0:") + attack.never:
        if text in everything:
            problems.append(f"{text!r} is in the output")
    for text in attack.says:
        if joined(text) not in joined(terminal):
            problems.append(f"not said: {text!r}")
    return problems
