#!/usr/bin/python3
"""Kernels with a bug, to be found and repaired: bugs.py ROOT list, or bugs.py ROOT NUMBER.

A bug is a folder lessons/bugs/NUMBER: a kernel file with the name of its exercise, the same file
with Chinese comments in the folder zh, and a page questions.md, whose two questions have the
answers of practice/questions.py: the line, such as "16, 20-24", and the cause. If the causes are
verdicts, the judge's report would reveal the answer, so it is shown after the questions; otherwise
before them. The student repairs a copy, student/bug_NUMBER.cu, which the judge then tries. Exit
codes: 0 done, 2 no such bug or a bad page, 3 the judge could not do its work.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import re
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
# pylint: disable=wrong-import-position
from language import _, language, language_used
from practice.lessons import COLUMNS, Lesson, asked, language_of, lessons_of, plain, shown
from practice.questions import Question, marked, questions_read
from words import is_word, word

TRIES = 3
LINES = re.compile(r"\*|\d+(-\d+)?(, \d+(-\d+)?)*")
REPAIR_LINES = 10  # a repair that changes more is a new kernel


@dataclass(frozen=True)
class Bug:
    number: str  # "07"
    page: Path  # of its questions, in the chosen language
    kernel: Path  # in the chosen language too, if its comments are
    title: str
    story: str
    where: Question
    why: Question

    @property
    def exercise(self) -> str:
        return self.kernel.stem

    @property
    def has_report_first(self) -> bool:
        return not all(is_word(answer.text) for answer in self.why.answers)


@dataclass(frozen=True)
class Judged:
    passes: bool
    lines: frozenset[int]  # lines that the findings name
    report: str  # the report as the terminal shows it


def bug_read(folder: Path) -> Bug:
    """Errors: ValueError names the malformed page."""
    page = Lesson(folder, "").questions
    kernels = sorted(folder.glob("*.cu"))
    if not page or len(kernels) != 1:
        raise ValueError(f"{folder}: a bug has questions.md and one kernel file")
    text = page.read_text("utf-8")
    head = re.match(r"# (.+)\n+((?:(?!## ).*\n)*)", text)
    try:
        found = questions_read(text)
        if not head or len(found) != 2:
            raise ValueError("wanted: a title, a text, and two questions: the line, the cause")
        where, why = found
        if not all(LINES.fullmatch(answer.text) for answer in where.answers):
            raise ValueError('wanted: answers to the first question such as "16, 20-24", or *')
    except ValueError as problem:
        raise ValueError(f"{page}: {problem}") from None
    spoken = folder / language() / kernels[0].name
    kernel = spoken if spoken.is_file() else kernels[0]
    return Bug(folder.name, page, kernel, head[1], head[2].strip(), where, why)


def bugs_of(root: Path) -> list[Bug]:
    """Those whose exercise this course has."""
    exercises = {
        lesson.exercise for lesson in lessons_of(root) if (lesson.folder / "exercise.ini").is_file()
    }
    folders = [folder for folder in sorted((root / "lessons/bugs").glob("*")) if folder.is_dir()]
    found = [bug_read(folder) for folder in folders]
    return [bug for bug in found if bug.exercise in exercises]


def copy_of(root: Path, bug: Bug) -> Path:
    return root / "student" / f"bug_{bug.number}.cu"


def result_of(root: Path, bug: Bug) -> Path:
    """The folder in which the student's copy was judged last."""
    return root / "build/practice" / f"bug_{bug.number}"


def is_repaired(root: Path, bug: Bug) -> bool:
    """True if the present copy has passed."""
    try:
        digest = hashlib.sha256(copy_of(root, bug).read_bytes()).hexdigest()
        (exercise,) = json.loads((result_of(root, bug) / "result.json").read_text("utf-8"))[
            "exercises"
        ]
        return exercise["sha256"] == digest and exercise["verdict"] == "pass"
    except (OSError, ValueError, KeyError, TypeError):
        return False


def judged(root: Path, exercise: str, folder: Path, out: Path) -> Judged:
    """The judgement of a kernel by `tilegrade test`.

    Errors: OSError if it cannot be judged here; the judge has printed the reason.
    """
    out.mkdir(parents=True, exist_ok=True)
    (out / "result.json").unlink(missing_ok=True)
    command = [
        str(root / "build/tilegrade"),
        "test",
        f"--language={language()}",
        f"--exercise={exercise}",
        f"--submission={os.path.relpath(folder, root)}",
        f"--out={out}",
    ]
    done = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        raise OSError(done.returncode)
    (result,) = json.loads((out / "result.json").read_text("utf-8"))["exercises"]
    lines = {
        finding[key]
        for finding in result["findings"]
        for key in ("line", "other_line")
        if finding.get(key)
    }
    report = "\n\n".join(done.stdout.rstrip().split("\n\n")[:-1])  # without the number of passes
    return Judged(result["verdict"] == "pass", frozenset(lines), report)


def kernel_shown(bug: Bug) -> None:
    for number, line in enumerate(bug.kernel.read_text("utf-8").splitlines(), 1):
        indent = " " * (len(line) - len(line.lstrip()))
        parts = textwrap.wrap(line.strip(), COLUMNS - len(indent) - 10, break_on_hyphens=False)
        print(f"{number:4d}  {indent}{parts[0] if parts else ''}".rstrip())
        for part in parts[1:]:
            print(f"      {indent}    {part}")
    print()


def where_asked(root: Path, bug: Bug, known: Judged) -> bool | None:
    """Whether the line was found; None at the end of the input."""
    tries = 0
    while tries < TRIES:
        typed = asked(_("line: "))
        if typed is None:
            return None
        if not typed.strip():
            break
        given = marked(root, bug.page, 1, typed.strip(), is_bug=True)
        if not given.understood:
            print(_("Type the number of a line."))
            continue
        reason = given.answer.reason
        if given.answer.right:
            shown(_("Right: %(reason)s", reason=reason))
            return True
        if given.answer == bug.where.other and int(typed) in known.lines:
            reason = _("The mistake shows in line %(line)d. What lets it happen?", line=int(typed))
        shown(_("No: %(reason)s", reason=reason))
        tries += 1
    right = bug.where.right
    shown(_("The answer: %(answer)s. %(reason)s", answer=right.text, reason=right.reason))
    return False


def why_asked(root: Path, bug: Bug) -> bool | None:
    """The same of the cause."""
    for number, answer in enumerate(bug.why.answers):
        words = answer.text if bug.has_report_first else word(answer.text)
        shown(words, f"  {chr(ord('a') + number)}  ")
    left = [answer for answer in bug.why.answers if not answer.right]
    while left:
        typed = asked("> ")
        if typed is None:
            return None
        if not typed.strip():
            break
        given = marked(root, bug.page, 2, typed.strip(), is_bug=True)
        if not given.understood:
            print(_("Type one of the letters."))
            continue
        if given.answer.right:
            shown(_("Right: %(reason)s", reason=given.answer.reason))
            return True
        shown(_("No: %(reason)s", reason=given.answer.reason))
        left = [one for one in left if one != given.answer]
    right = bug.why.right
    words = right.text if bug.has_report_first else word(right.text)
    shown(_("The answer: %(answer)s. %(reason)s", answer=words, reason=right.reason))
    return False


def bug_asked(root: Path, bug: Bug) -> None:
    print(f"{int(bug.number)} ({bug.exercise}): {plain(bug.title)}\n")
    shown(bug.story)
    print()
    kernel_shown(bug)
    print(_("Judging this kernel ..."), flush=True)
    known = judged(root, bug.exercise, bug.kernel.parent, result_of(root, bug) / "asked")
    if known.passes:
        raise ValueError(f"{bug.kernel}: passes, so it has no bug that can be found")
    if bug.has_report_first:
        print(known.report + "\n")
    shown(
        _(
            "Which line would you change? If a line is missing, type the line after which it"
            " belongs. An empty line shows the answer."
        )
    )
    if where_asked(root, bug, known) is None:
        return
    print("\n" + _("Why? Type a letter.") if bug.has_report_first else "\n" + _("What is it?"))
    if why_asked(root, bug) is None:
        return
    if not bug.has_report_first:
        print("\n" + _("What the judge says:") + "\n" + known.report)
    copy = copy_of(root, bug)
    copy.write_bytes(bug.kernel.read_bytes())
    print()
    shown(
        _(
            "Now repair it: edit student/%(file)s, then run make practice bug %(number)s again.",
            file=copy.name,
            number=int(bug.number),
        )
    )


def changed_lines(before: str, after: str) -> int:
    """Lines that differ in more than spaces and comments; a line that was changed counts once."""
    codes = [re.sub(r"//.*", "", text) for text in (before, after)]
    lines = [["".join(line.split()) for line in text.splitlines()] for text in codes]
    kept = [[line for line in each if line] for each in lines]
    matcher = difflib.SequenceMatcher(None, kept[0], kept[1], autojunk=False)
    return sum(
        max(end - begin, other_end - other_begin)
        for kind, begin, end, other_begin, other_end in matcher.get_opcodes()
        if kind != "equal"
    )


def repair_judged(root: Path, bug: Bug) -> None:
    copy, out = copy_of(root, bug), result_of(root, bug)
    text = copy.read_text("utf-8", "replace")
    changed = changed_lines(bug.kernel.read_text("utf-8"), text)
    file = f"student/{copy.name}"
    if not changed:
        shown(_("%(file)s is still the kernel with the bug. Repair it there.", file=file))
        shown(_("To be asked again, move that file away."))
        return
    folder = out / "repaired"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / bug.kernel.name).write_bytes(copy.read_bytes())
    found = judged(root, bug.exercise, folder, out)
    # The judge has already seen a file with the same lines.
    own = re.sub(r"make test EX=\S+.*", f"make practice bug {int(bug.number)}", found.report)
    print(own.replace(f"{os.path.relpath(folder, root)}/{bug.kernel.name}", file))
    if not found.passes:
        return
    print()
    if changed > REPAIR_LINES:
        shown(
            _(
                "It passes, but %(count)d lines differ from the kernel with the bug. The bug is in"
                " a few lines: which change was it that helped?",
                count=changed,
            )
        )
    else:
        shown(_("Repaired. Lines changed: %(count)d.", count=changed))
    left = [one.number for one in bugs_of(root) if not is_repaired(root, one)]
    if left:
        after = next((number for number in left if number > bug.number), left[0])
        print(_("  next    make practice bug %(number)d", number=int(after)))


def list_shown(root: Path, bugs: list[Bug]) -> None:
    for bug in bugs:
        state = ""
        if is_repaired(root, bug):
            state = _("repaired")
        elif copy_of(root, bug).is_file():
            state = _("to be repaired: student/%(file)s", file=copy_of(root, bug).name)
        after = f" ({state})" if state else ""
        print(f"  {int(bug.number):2d}  {bug.exercise:16s}{bug.title}{after}")
    print()
    shown(
        _(
            "make practice bug 1 shows a kernel with a bug and asks where and why. The first ones"
            " come with the report of the judge, the later ones without."
        )
    )


def main(arguments: list[str]) -> int:
    root = Path(arguments[0]).resolve()
    typed = arguments[1] if len(arguments) > 1 else ""
    try:
        bugs = bugs_of(root)
        number = int(typed) if typed.isdecimal() else 0
        bug = next((one for one in bugs if int(one.number) == number), None)
        if not bugs:
            print(_("this course has no bugs to find"), file=sys.stderr)
            return 2
        if typed == "list":
            list_shown(root, bugs)
        elif not bug:
            told = _("name one bug: make practice bug 1; make practice bugs lists them")
            print(told, file=sys.stderr)
            return 2
        elif copy_of(root, bug).is_file():
            repair_judged(root, bug)
        else:
            bug_asked(root, bug)
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 2
    except OSError as problem:
        if problem.filename:  # else the judge has printed the reason
            print(f"{problem.filename}: {problem.strerror}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    with language_used(language_of(sys.argv)):
        sys.exit(main([one for one in sys.argv[1:] if not one.startswith("--language")]))
