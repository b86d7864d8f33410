"""The lessons of a course, as a student names them."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

from language import LANGUAGES, language, language_of_environment
from reading.lines import joined, wrapped


COLUMNS = 80


@dataclass(frozen=True)
class Lesson:
    folder: Path
    exercise: str  # its name, such as that of the kernel file

    @property
    def questions(self) -> Path | None:
        """The page of questions in the chosen language, else in English; None if there is none."""
        pages = (f"questions.{language()}.md", "questions.md")
        return next((self.folder / page for page in pages if (self.folder / page).is_file()), None)


def lessons_of(root: Path) -> list[Lesson]:
    folders = sorted((root / "lessons").glob("[0-9]*_*"))
    return [Lesson(folder, folder.name.split("_", 1)[1]) for folder in folders if folder.is_dir()]


def lesson_of(root: Path, typed: str) -> Lesson | None:
    """The lesson for a name, a number, a folder or a kernel file, as in the other commands."""
    name = Path(typed).stem
    number, _line, rest = name.partition("_")
    for lesson in lessons_of(root):
        own = lesson.folder.name.split("_", 1)[0]
        if lesson.exercise in (name, rest if number.isdigit() else name):
            return lesson
        if name.isdigit() and int(name) == int(own):
            return lesson
    return None


def asked(prompt: str) -> str | None:
    """A line that is typed; None at the end of the input."""
    if sys.stdin.isatty():
        try:
            return input(prompt)
        except EOFError:
            print()
            return None
    line = sys.stdin.readline()
    print(prompt + line.rstrip("\n"))
    return line if line else None


def plain(markdown: str) -> str:
    """A paragraph as a terminal shows it: links by their words, without marks of emphasis."""
    words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", markdown)
    return words.replace("**", "").replace("`", "")


def shown(markdown: str, before: str = "") -> None:
    """Paragraphs wrapped; code and tables unchanged."""
    for paragraph in re.split(r"\n\s*\n", markdown):
        if paragraph.startswith(("```", "    ", "|")):
            lines = [line for line in paragraph.split("\n") if not line.startswith("```")]
            print("\n".join(lines))
        else:
            print(wrapped(joined(plain(paragraph)), COLUMNS, before, " " * len(before)))


def language_of(arguments: list[str]) -> str:
    """The language of an option, else that of the system."""
    options = [word[11:] for word in arguments if word.startswith("--language=")]
    return next((one for one in options if one in LANGUAGES), language_of_environment())
