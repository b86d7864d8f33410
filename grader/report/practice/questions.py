"""Questions of a lesson as data, in a Markdown page that people can read too.

    ## A warp                               a question begins
    How many rows of the block …?           its text
    - [x] 2: right, because …               an answer, and what to say about it
    - [ ] 1: …                              a wrong one, with its reason
    - [ ] *: …                              any other one

Here it is only shown.  grader/exercise/questions.h has the rules, and `tilegrade mark` decides
which answers are right, as it does for a grade.
"""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from reading.lines import joined

ANSWER = re.compile(r"- \[([x ])\] (.+?)(?: = `([^`]+)`)?: (.+)", re.S)
CHOICE = re.compile(r"- \[ \] (.+)", re.S)  # of a page without answers
NUMBER = re.compile(r"-?[\d.,]+(/\d+)? ?%?")
ELEMENT = re.compile(r"\w+(\[\d+\])+")
OTHER = "*"
WITHHELD = "<!--withheld-->"  # in a handout whose answers bring points


@dataclass(frozen=True)
class Answer:
    right: bool
    text: str
    formula: str  # "" if it does not depend on the kernel
    reason: str


@dataclass(frozen=True)
class Question:
    title: str
    text: str
    answers: tuple[Answer, ...]

    @property
    def is_typed(self) -> bool:
        """False if answers are chosen by letters."""
        known = [answer.text for answer in self.answers if answer.text != OTHER]
        return all(NUMBER.fullmatch(text) or ELEMENT.fullmatch(text) for text in known)

    @property
    def right(self) -> Answer:
        return next(answer for answer in self.answers if answer.right)

    @property
    def other(self) -> Answer:
        """The reply to an answer that the page does not list."""
        return next(
            (answer for answer in self.answers if answer.text == OTHER),
            Answer(False, OTHER, "", ""),
        )


@dataclass(frozen=True)
class Mark:
    understood: bool  # false: not in the requested form
    answer: Answer
    value: str  # the right value, for the student's own kernel; "" for a letter


def questions_read(markdown: str) -> list[Question]:
    """Errors: ValueError with the title of a question that has no answers, or no right one."""
    found = []
    for part in re.split(r"^## ", markdown, flags=re.M)[1:]:
        title, _line, rest = part.partition("\n")
        text, *items = re.split(r"^(?=- \[[x ]\] )", rest, flags=re.M)
        answers = []
        for item in items:
            match = ANSWER.fullmatch(joined(item))
            choice = CHOICE.fullmatch(joined(item))
            if match:
                answers.append(Answer(match[1] == "x", match[2], match[3] or "", match[4]))
            elif choice and WITHHELD in markdown:
                answers.append(Answer(False, choice[1], "", ""))
            else:
                raise ValueError(f"{title}: not an answer: {item.strip()[:60]}")
        found.append(Question(title.strip(), text.strip(), tuple(answers)))
    for one in found:
        if WITHHELD not in markdown and sum(answer.right for answer in one.answers) != 1:
            raise ValueError(f"{one.title}: one answer is right")
    return found


def marked(
    root: Path,
    page: Path,
    number: int,
    typed: str,
    kernel: tuple[str, Path] | None = None,
    is_bug: bool = False,
) -> Mark:
    """The mark of an answer to a question (its number from 1) of a page.

    `kernel`: the student's, as the name of its exercise and a result.json that has it.
    """
    question = questions_read(page.read_text("utf-8"))[number - 1]
    words = [str(root / "build/tilegrade"), "mark", f"--questions={page}", f"--question={number}"]
    words += [f"--answer={typed}"] + (["--bug"] if is_bug else [])
    if kernel:
        words += [f"--exercise={kernel[0]}", f"--result={kernel[1]}"]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
    data = json.loads(done.stdout)
    at = int(data["answer"])
    answer = question.answers[at] if at >= 0 else question.other
    return Mark(bool(data["understood"]), answer, str(data["value"]))
