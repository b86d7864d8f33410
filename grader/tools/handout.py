"""Write the repository for students: only the files on a list.

So references, wrong kernels and the grader's own tests cannot slip in.

With an assignment, only its lessons are included, and it becomes the default. Pages of questions
that give points lose their answers. Links to missing files become their texts: "[lesson
2](../020_tiled/lesson.md)" becomes "lesson 2". What is made from kernels, stubs and numbers,
`tilegrade handout-kernels` writes.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from language import _, language, language_used, looked_up
from practice.questions import ELEMENT, WITHHELD, Question, questions_read

# The files to copy, if the course has them. The README of the course addresses teachers, so
# students get a separate one.
COPIED = {
    "Makefile": "Makefile",
    "grader/handout.md": "README.md",
    "grader/handout.zh.md": "README.zh.md",
    "grader/templates/github-student": ".github",
    "grader/templates/gitlab/student.yml": ".gitlab-ci.yml",
    "student/Makefile": "student/Makefile",
} | {
    name: name
    for name in ("LICENSE", ".gitignore", ".clangd", ".vscode", ".clang-format")
    + ("lessons", "grader", "tests/kernels")
}
ASSIGNMENTS = "lessons/assignments"
GRADED_BUGS = f"{ASSIGNMENTS}/bugs"  # only in the handout of their assignment
PAGES = {"en": "questions.md", "zh": "questions.zh.md"}

FENCE_SPAN_OR_BRACKET = re.compile(r"^```.*?(?:^```|\Z)|`[^`]*`|\[", re.S | re.M)
FIRST_ANSWER = re.compile(r"^- \[[x ]\] ", re.M)


class HandoutError(Exception):
    """Why there is no handout, or "" if a program has said it, and the exit code."""

    def __init__(self, text: str, code: int = 2) -> None:
        super().__init__(text)
        self.code = code


# --- Links ----------------------------------------------------------------------------------------


def _link(text: str, at: int) -> tuple[int, int] | None:
    """The bracket that closes the one at `at`, and the parenthesis that ends its target.

    None if that is no link.  Brackets nest, but not those of a code span.
    """
    depth = 0
    while at < len(text) and not text.startswith("\n\n", at):
        if text[at] == "`" and (end := text.find("`", at + 1)) > 0:
            at = end + 1
            continue
        depth += (text[at] == "[") - (text[at] == "]")
        if depth == 0:
            end = text.find(")", at)
            return (at, end) if text.startswith("(", at + 1) and end > 0 else None
        at += 1
    return None


def _is_dead(page: Path, target: str) -> bool:
    path = re.split("[ #]", target, maxsplit=1)[0]
    is_outside = not path or "://" in path or target.startswith("mailto:")
    return not is_outside and not (page.parent / path).exists()


def links_dropped(page: Path, text: str) -> str:
    """The text of a page, in which links that lead to no file are their texts."""
    kept, at = "", 0
    while found := FENCE_SPAN_OR_BRACKET.search(text, at):
        start, after = found.span()
        link = _link(text, start) if found[0] == "[" else None
        if link:
            close, end = link
            after = end + 1
            if _is_dead(page, text[close + 2 : end]):
                kept, start, at = kept + text[at:start] + text[start + 1 : close], after, after
        kept, at = kept + text[at:after], after
    return kept + text[at:]


# --- Questions that bring points ------------------------------------------------------------------


def _is_letter(question: Question, is_line: bool) -> bool:
    return not is_line and not question.is_typed


def withheld(text: str, is_bug: bool) -> str:
    """A page of questions without answers and reasons: only the choices stay."""
    head, *sections = re.split(r"^(?=## )", text, flags=re.M)
    intro = _(
        "The answers to these questions bring points. Write them into `student/answers.ini`, "
        "which is handed in with the kernels."
    )
    title = next((line for line in head.split("\n") if line.startswith("# ")), "")
    kept = f"{title}\n\n{WITHHELD}\n\n{intro}\n\n"
    for number, (section, question) in enumerate(zip(sections, questions_read(text))):
        kept += FIRST_ANSWER.split(section, maxsplit=1)[0]
        if _is_letter(question, is_bug and number == 0):
            kept += "".join(f"- [ ] {answer.text}\n" for answer in question.answers) + "\n"
    return kept


def _form(question: Question, is_line: bool) -> str:
    if is_line:
        return _("the number of a line")
    if _is_letter(question, is_line):
        return _("one letter, from a on")
    if any(ELEMENT.fullmatch(answer.text) for answer in question.answers):
        return _("an element, such as A[3][5]")
    return _("a number")


def _answers_section(folder: Path, page: dict[str, str]) -> str:
    own = folder / PAGES[language()]
    path = own if own.exists() else folder / PAGES["en"]
    text = f"\n[{page['name']}]\n"
    for number, question in enumerate(questions_read(path.read_text("utf-8"))):
        form = _form(question, bool(page["is_bug"]) and number == 0)
        text += f"; {question.title}: {form}\n{number + 1} =\n"
    if page["is_bug"]:
        kernel = f"student/{page['name']}.cu"
        text += "; " + _("Repair %(kernel)s, too; it is handed in as well.", kernel=kernel) + "\n"
    return text


# --- The folder -----------------------------------------------------------------------------------


def _left_out(folder: str, names: list[str]) -> list[str]:
    path = Path(folder)
    return [
        name
        for name in names
        if name.startswith(".") or name == "__pycache__" or (path / name).is_symlink()
    ]


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=_left_out, dirs_exist_ok=True)
    elif source.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)


class Handout:
    """A handout that is written into the folder `out`, new or empty."""

    def __init__(self, root: Path, program: Path, out: Path, choice: list[str]) -> None:
        self.root, self.program, self.out, self.choice = root, program, out, choice
        if out.exists() and not out.is_dir():
            raise HandoutError(f"{out}: {looked_up('Not a directory')}")
        if out.is_dir() and any(out.iterdir()):
            raise HandoutError(_("%(folder)s: not empty", folder=out))
        told = subprocess.run([program, "facts", *choice], stdout=subprocess.PIPE, text=True)
        if told.returncode:
            raise HandoutError("", told.returncode)
        self.facts = json.loads(told.stdout)

    def assignment_place(self) -> None:
        """Leaves only the lessons of the assignment, and makes it the default.

        A lesson without an exercise stays. Kernels with a bug are removed too: many equal an
        exercise except for one line.
        """
        name = self.facts["assignment"]["name"]
        exercises = {exercise["name"] for exercise in self.facts["exercises"]}
        for lesson in (self.out / "lessons").glob("[0-9]*_*"):
            other = lesson.name.lstrip("0123456789")[1:] not in exercises
            if other and (lesson / "exercise.ini").exists():
                shutil.rmtree(lesson)
        shutil.rmtree(self.out / "lessons/bugs", ignore_errors=True)
        shutil.rmtree(self.out / ASSIGNMENTS)
        _copy(self.root / ASSIGNMENTS / f"{name}.ini", self.out / ASSIGNMENTS / f"{name}.ini")
        (self.out / ASSIGNMENTS / "default").write_text(name, encoding="utf-8")

    def page_place(self, page: dict[str, str]) -> None:
        """A page of questions without answers; of a bug also its kernel, to be repaired."""
        folder = self.root / page["folder"]
        if page["is_bug"]:
            _copy(folder, self.out / page["folder"])
            kernel = folder / f"{page['exercise']}.cu"
            _copy(kernel, self.out / f"student/{page['name']}.cu")
        for of_page, own in PAGES.items():
            path = self.out / page["folder"] / own
            if path.exists():
                with language_used(of_page):
                    text = withheld(path.read_text("utf-8"), bool(page["is_bug"]))
                path.write_text(text, encoding="utf-8")

    def answers_write(self) -> None:
        """student/answers.ini, with a line for each question, to be filled in."""
        head = (
            self.facts["assignment"]["title"],
            _("Write each answer after its =. Hand this file in with your kernels."),
            _("If a question has several answers, the last one counts."),
        )
        text = "".join(f"; {line}\n" for line in head)
        for page in self.facts["pages"]:
            text += _answers_section(self.root / page["folder"], page)
        (self.out / "student/answers.ini").write_text(text, encoding="utf-8")

    def write(self) -> None:
        for source, target in COPIED.items():
            _copy(self.root / source, self.out / target)
        (self.out / "student").mkdir(exist_ok=True)
        shutil.rmtree(self.out / GRADED_BUGS, ignore_errors=True)
        if self.facts["assignment"]["name"]:
            self.assignment_place()
        for page in self.facts["pages"]:
            self.page_place(page)
        if self.facts["pages"]:
            self.answers_write()
        for page in sorted(self.out.rglob("*.md")):
            text = page.read_text("utf-8")
            if not any(part.startswith(".") for part in page.relative_to(self.out).parts):
                page.write_text(links_dropped(page, text), encoding="utf-8")
        words = [self.program, "handout-kernels", f"--out={self.out}", *self.choice]
        if code := subprocess.run(words).returncode:
            raise HandoutError("", code)


def handout(root: Path, program: Path, out: str, choice: list[str]) -> int:
    """Writes a handout; `choice` has the options --assignment and --language that were given."""
    usage = _("name a new or empty folder: make handout OUT=folder (or --out folder)")
    try:
        if not out:
            raise HandoutError(usage)
        Handout(root, program, Path(out), choice).write()
    except HandoutError as error:
        if str(error):
            print(f"tilegrade: {error}", file=sys.stderr)
        return error.code
    except ValueError as error:  # of a page of questions
        print(f"tilegrade: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        why = f"{error.filename}: {looked_up(error.strerror)}" if error.strerror else str(error)
        print(f"tilegrade: {why}", file=sys.stderr)
        return 3
    return 0
