#!/usr/bin/python3
"""Asks the questions of a lesson, and explains wrong answers: quiz.py ROOT [LESSON].

Exit codes: 0 the questions were asked, 2 bad usage or a lesson without questions.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
# pylint: disable=wrong-import-position
from language import _, language_used
from practice.kernel import Kernel, kernel_of
from practice.lessons import (
    Lesson,
    asked,
    language_of,
    lesson_of,
    lessons_of,
    plain,
    shown,
)
from practice.questions import WITHHELD, Question, marked, questions_read

TRIES = 2


class Quiz:
    """One run; the kernel is counted when the first question needs it."""

    def __init__(self, root: Path, lesson: Lesson) -> None:
        self.root = root
        self.lesson = lesson
        self.kernel: Kernel | None = None
        self.looked = False

    def kernel_for(self, question: Question) -> Kernel | None:
        if not self.looked and any(answer.formula for answer in question.answers):
            self.looked = True
            print(_("Counting your kernel ..."), flush=True)
            self.kernel = kernel_of(self.root, self.lesson.exercise)
            if not self.kernel:
                print(_("It does not pass yet, so these answers are those of the lesson's kernel."))
        return self.kernel

    def ask(self, number: int, question: Question) -> bool | None:
        """Whether the first answer was right; None at the end of the input."""
        shown(question.text)
        if not question.is_typed:
            for place, answer in enumerate(question.answers):
                shown(answer.text, f"  {chr(ord('a') + place)}  ")
        kernel = self.kernel_for(question)
        own = (self.lesson.exercise, kernel.path) if kernel else None
        page = self.lesson.questions
        assert page
        tries = 0
        while tries < TRIES:
            typed = asked("> ")
            if typed is None:
                return None
            if not typed.strip():
                break
            given = marked(self.root, page, number, typed.strip(), own)
            if not given.understood:
                shown(
                    _("Type a number, or an element such as A[3][5].")
                    if question.is_typed
                    else _("Type one of the letters.")
                )
                continue
            reason = given.answer.reason
            if given.answer.right:
                shown(_("Right: %(reason)s", reason=reason))
                return tries == 0
            shown(_("No: %(reason)s", reason=reason) if reason else _("No."))
            tries += 1
        right = question.right
        value = marked(self.root, page, number, right.text, own).value or right.text
        shown(_("The answer: %(answer)s. %(reason)s", answer=value, reason=right.reason))
        return False


def main(arguments: list[str]) -> int:
    root = Path(arguments[0])
    typed = arguments[1] if len(arguments) > 1 else ""
    lesson = lesson_of(root, typed)
    if not lesson or not lesson.questions:
        names = ", ".join(one.exercise for one in lessons_of(root) if one.questions)
        print(_("make practice EX=name: one of %(names)s", names=names), file=sys.stderr)
        return 2
    text = lesson.questions.read_text("utf-8")
    questions = questions_read(text)
    if WITHHELD in text:
        shown(
            _(
                "The answers to these questions bring points, so they are not here. Read %(page)s,"
                " and write your answers into student/answers.ini.",
                page=lesson.questions,
            )
        )
        return 0
    quiz = Quiz(root, lesson)
    shown(
        _("An empty line shows the answer. Questions and answers: %(page)s", page=lesson.questions)
    )
    right = done = 0
    for number, question in enumerate(questions, 1):
        print(f"\n{number}/{len(questions)}  {plain(question.title)}")
        answer = quiz.ask(number, question)
        if answer is None:
            break
        right += answer
        done += 1
    print("\n" + _("%(right)d of %(done)d right at the first try.", right=right, done=done))
    return 0


if __name__ == "__main__":
    with language_used(language_of(sys.argv)):
        sys.exit(main([word for word in sys.argv[1:] if not word.startswith("--language")]))
