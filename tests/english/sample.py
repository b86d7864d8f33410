"""Draws 100 sentences at random, so that their English can be judged: sample.py [OPTION…]

40 comments, 20 sentences of pages for teachers and developers, 20 messages, 12 titles of the latest
commits and 8 sentences of lessons, each with its place.  The same seed on the same commit draws the
same sentences.  tests/README.md says how they are judged.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SEED = 20261122
SHARES = {"comment": 40, "page": 20, "message": 20, "commit": 12, "lesson": 8}
COMMITS = 40  # titles are drawn from so many commits, because older ones cannot change
WORDS_MIN = 4  # a shorter text is a label

Sentence = tuple[str, str]  # place, text


def tracked(*patterns: str) -> list[Path]:
    command = ["git", "-C", str(ROOT), "ls-files", *patterns]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [Path(name) for name in listed.split("\n") if name]


def sentences(place: str, text: str) -> Iterator[Sentence]:
    for part in re.split(r"(?<=[.?!])\s+(?=[A-Z`*(])", " ".join(text.split())):
        words = re.sub(r"\[[^\]]*\]\([^)]*\)|`[^`]*`", "", part)
        if len(re.findall(r"[A-Za-z]{2,}", words)) >= WORDS_MIN:
            yield place, part


def blocks(lines: list[str], mark: str) -> Iterator[tuple[int, str]]:
    """Comments with their first line: comment lines that follow each other, or one after code."""
    text, first = "", 0
    for number, line in enumerate([*lines, ""], 1):
        code, found, comment = line.partition(mark)
        whole = found and not code.strip()
        tag = re.match(r"\s*(@|---|Shapes|Returns|Owns|Errors)", comment)
        if whole and comment.strip() and not tag:
            text, first = f"{text} {comment}", first or number
            continue
        if text:
            yield first, text
        text, first = "", 0
        if whole and comment.strip() and not comment.startswith(" ---"):
            text, first = comment, number
        elif found and '"' not in code:
            yield number, comment


def comments() -> Iterator[Sentence]:
    for path in tracked("grader/*.c", "grader/*.h", "grader/*.py", "reference/*.cu", "Makefile"):
        lines = (ROOT / path).read_text(encoding="utf-8").split("\n")
        for number, text in blocks(lines, "//" if path.suffix in (".c", ".h", ".cu") else "# "):
            yield from sentences(f"{path}:{number}", text)


def prose(path: Path) -> Iterator[Sentence]:
    """Paragraphs, items and cells of a page; no code."""
    text, first, fence = "", 0, False
    lines = (ROOT / path).read_text(encoding="utf-8").split("\n")
    for number, line in enumerate([*lines, ""], 1):
        fence ^= line.lstrip().startswith("```")
        begins = re.match(r"\s*([*-]|\d+\.) ", line)
        ends = fence or not line.strip() or line.lstrip().startswith(("#", "|", "<!--", "```"))
        if text and (begins or ends):
            yield from sentences(f"{path}:{first}", text)
            text, first = "", 0
        if not fence and line.startswith("|"):
            for cell in line.split("|"):
                yield from sentences(f"{path}:{number}", cell)
        elif not ends:
            text, first = f"{text} {line}", first or number


def pages() -> Iterator[Sentence]:
    for path in tracked("README.md", "grader/*.md", "tests/README.md", "tests/attacks/README.md"):
        yield from prose(path)


def lessons() -> Iterator[Sentence]:
    for path in tracked("lessons/*.md"):
        yield from prose(path)


def messages() -> Iterator[Sentence]:
    """English texts of the catalogue, whole: a piece of a sentence is judged as one."""
    catalogue = (ROOT / "grader/texts/zh.po").read_text(encoding="utf-8")
    for entry in catalogue.split("\n\n")[1:]:
        place = re.search(r"^#: (\S+)", entry, re.M)
        found = re.search(r'^msgid ((?:".*"\n)+)', entry, re.M)
        if place and found:
            text = "".join(re.findall(r'"(.*)"', found[1])).replace("\\n", " ").replace('\\"', '"')
            if len(re.findall(r"[A-Za-z]{2,}", text)) >= WORDS_MIN:
                yield place[1], text


def commits() -> Iterator[Sentence]:
    command = ["git", "-C", str(ROOT), "log", f"-{COMMITS}", "--no-merges", "--format=%h %s"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines():
        place, _, title = line.partition(" ")
        yield place, title


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--only", choices=SHARES, help="one kind of text alone")
    arguments = parser.parse_args()
    sources = {
        "comment": comments,
        "page": pages,
        "message": messages,
        "commit": commits,
        "lesson": lessons,
    }
    number = 0
    for kind, share in SHARES.items():
        drawn = random.Random(f"{arguments.seed} {kind}")
        found = sorted(set(sources[kind]()))
        for place, text in drawn.sample(found, min(share, len(found))):
            number += 1
            if arguments.only in (None, kind):
                print(f"{number:3} {kind:8}{place}\n    {text}")


if __name__ == "__main__":
    main()
