"""The mistakes of the class: the same mistake at the same place is one group, with one example.

Two kernels share a mistake if the sentences of their verdicts differ in numbers alone (lines,
sizes, threads, elements) and the same array, or the same call, is at both ends of the finding.
Names of other variables and the number of the line, which differ from file to file, do not count.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from book.model import NOT_MISTAKES, ClassRun, Kernel, Student, Work, result_path, result_read
from drawing import code_view
from drawing.code_view import Line
from reading.sections import in_language

# "tiled.cu:12: size 1x1x17: " before a headline.
_PLACE = re.compile(r"^\S+\.cu(:\d+)?(: size \d+x\d+x\d+)?: ")


@dataclass(frozen=True)
class Mistake:
    exercise: Work
    verdict: str
    sentence: str  # the sentence of the example
    lesson: str
    students: tuple[Student, ...]


@dataclass(frozen=True)
class Example:
    student: Student
    lines: tuple[Line, ...]  # around the place of the mistake
    whole: tuple[Line, ...]  # all lines, if the place is unknown
    file: str


def _key(kernel: Kernel) -> tuple[str, ...]:
    sentence = re.sub(r"\d+", "#", _PLACE.sub("", kernel.sentence))
    return kernel.verdict, sentence, *kernel.place


def mistakes(run: ClassRun) -> list[Mistake]:
    """The most frequent first; then in the order of the exercises."""
    groups: dict[tuple[int, tuple[str, ...]], list[Student]] = {}
    for student in run.students:
        for number, exercise in enumerate(run.exercises):
            kernel = student.kernels.get(exercise.name)
            if kernel and kernel.verdict not in NOT_MISTAKES:
                groups.setdefault((number, _key(kernel)), []).append(student)
    found = []
    for (number, key), students in groups.items():
        exercise = run.exercises[number]
        students.sort(key=lambda student: student.pseudonym)
        kernel = students[0].kernels[exercise.name]
        sentence = _PLACE.sub("", kernel.sentence)
        lesson = in_language(kernel.lesson)
        found.append(Mistake(exercise, key[0], sentence, lesson, tuple(students)))
    order = {exercise.name: number for number, exercise in enumerate(run.exercises)}
    return sorted(
        found, key=lambda one: (-len(one.students), order[one.exercise.name], one.sentence)
    )


def example(mistake: Mistake, run: ClassRun) -> Example:
    """The lines of the first student of a group, by pseudonym; the choice reveals nothing about the
    student."""
    student = mistake.students[0]
    result = result_read(result_path(run.folder, student.pseudonym))
    exercise = next(one for one in result.exercises if one.name == mistake.exercise.name)
    number = student.kernels[exercise.name].finding
    finding = exercise.findings[number] if number >= 0 else None
    if finding:
        events = code_view.events_of(finding)
    else:
        events = code_view.place_in_headline(exercise)
    if not exercise.source:
        return Example(student, (), (), exercise.file)
    lines = code_view.excerpt(exercise, events, finding)
    whole = () if lines else code_view.whole_file(exercise, [])
    return Example(student, lines, whole, exercise.file)


def verdict_counts(run: ClassRun) -> list[tuple[str, tuple[int, ...]]]:
    """Each verdict with the number of its kernels by exercise; the most frequent first."""
    counts: dict[str, Counter[str]] = {}
    for student in run.students:
        for name, kernel in student.kernels.items():
            counts.setdefault(kernel.verdict, Counter())[name] += 1
    rows = [
        (verdict, tuple(found[exercise.name] for exercise in run.exercises))
        for verdict, found in counts.items()
    ]
    return sorted(rows, key=lambda row: (row[0] != "pass", -sum(row[1]), row[0]))
