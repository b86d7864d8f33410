"""Follow the relative links of the pages that people read: links.py [EXERCISE[,EXERCISE…]].

A link must lead to a file, and its anchor to a heading or an <a id="…"> of that page.  With names
of exercises, only the pages of their lessons are read.  Exit codes: 0 every link leads somewhere, 1
some link does not, 2 bad usage.
"""

from __future__ import annotations

import re
import string
import sys
from pathlib import Path

PAGES = ("lessons", "lessons/teaching", "lessons/[0-9]*_*")
ROOMS = ("grader", "grader/decisions", "grader/templates", "grader/texts", "grader/measure")
FOLDERS = (".", ".github", *PAGES, *ROOMS, "grader/tools/ladder")
LINK = re.compile(r"`[^`]*(?:`|$)|\]\(([^) ]*)")  # or a code span, which holds none
HEADING = re.compile(r"#{1,6} +(.*)")
EXPLICIT = re.compile(r'<a (?:id|name)="([^"]*)"')
LOWER = str.maketrans(string.ascii_uppercase + " ", string.ascii_lowercase + "-")


def text_lines(markdown: str) -> list[tuple[int, str]]:
    """The lines outside code blocks, each with its number."""
    lines = []
    in_code = False
    for number, line in enumerate(markdown.split("\n"), start=1):
        if line.startswith("```"):
            in_code = not in_code
        elif not in_code:
            lines.append((number, line))
    return lines


def anchor_of(heading: str) -> str:
    """The anchor that GitHub makes: lower case, punctuation dropped, blanks to hyphens."""
    heading = re.sub(r"\]\([^)]*\)?", "", heading).rstrip()
    return re.sub(r"[^a-z0-9_\-\u0080-\U0010ffff]", "", heading.translate(LOWER))


def anchors(markdown: str) -> set[str]:
    """Every anchor of a page; the second heading called "name" is "name-1"."""
    found: set[str] = set()
    count: dict[str, int] = {}
    for _, line in text_lines(markdown):
        found.update(EXPLICIT.findall(line))
        if heading := HEADING.match(line):
            name = anchor_of(heading[1])
            found.add(f"{name}-{count[name]}" if name in count else name)
            count[name] = count.get(name, 0) + 1
    return found


def problem(page: Path, link: str) -> str | None:
    """The reason why a link of the page is broken; None if it leads somewhere or out of the
    course."""
    if "://" in link or link.startswith("mailto:"):
        return None
    target, _, anchor = link.partition("#")
    path = page.parent / target if target else page
    if not path.exists():
        return f"no file '{target}'"
    if anchor and path.suffix == ".md" and anchor not in anchors(path.read_text("utf-8")):
        return f"no heading '{anchor}' in {path}"
    return None


def problems(page: Path) -> list[str]:
    return [
        f"{page}:{number}: {why}"
        for number, line in text_lines(page.read_text("utf-8"))
        for match in LINK.finditer(line)
        if match[1] is not None and (why := problem(page, match[1]))
    ]


def lessons_of(exercise: str) -> list[str]:
    """The lesson folder of an exercise, named as for the grader: tiled, 2, tiled.cu.

    In a course that counts in tens, 2 is 020_tiled, else 02_tiled.
    """
    name = re.sub(r"^[0-9]+_", "", Path(exercise).stem)
    if not name.isdigit():
        return [f"lessons/{digits}_{name}" for digits in ("[0-9][0-9][0-9]", "[0-9][0-9]")]
    in_tens = int(name) * 10 if len(name) < 3 and int(name) < 10 else int(name)
    return [f"lessons/{in_tens:03d}_*", f"lessons/{int(name):02d}_*"]


def main(arguments: list[str]) -> int:
    if len(arguments) > 1:
        print("links: usage: links.py [EXERCISE[,EXERCISE...]]", file=sys.stderr)
        return 2
    names = re.findall("[^, ]+", "".join(arguments))
    folders = [folder for name in names for folder in lessons_of(name)] or FOLDERS
    passed = failed = 0
    pages = [page for folder in folders for page in sorted(Path().glob(f"{folder}/[!.]*.md"))]
    for page in pages:
        found = problems(page)
        passed += not found
        failed += len(found)
        print("\n".join(f"FAIL    {line}" for line in found) or f"ok      links of {page}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
