"""Questions of a lesson as data: a page of Markdown that people can read, too.

    ## A warp                               a question begins
    How many rows of the block …?           its text
    - [x] 2: right, because …               an answer, and what to say about it
    - [ ] 1: …                              a wrong one, with its reason
    - [ ] *: …                              any other one

If every answer is a number or an element, such as A[3][5], the student types it. Otherwise the
student chooses a letter. An answer can follow from the student's own kernel: `2 = `FORMULA`` is 2
for the reference; FORMULA has counters of result.json, `products` (multiply-adds of a warp; of a
kernel that is no product 0), `registers`, `occupancy` (in percent), and place(array, x, y, n), the
element that thread (x,y) loads from the array for the n-th time.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass

from practice.kernel import Kernel, place_of
from reading.lines import joined

Value = float | tuple[int, ...]

ANSWER = re.compile(r"- \[([x ])\] (.+?)(?: = `([^`]+)`)?: (.+)", re.S)
NUMBER = re.compile(r"-?[\d.,]+(/\d+)? ?%?")
ELEMENT = re.compile(r"\w+(\[\d+\])+")
OTHER = "*"
NEAR = 0.01  # a number that is off by less was rounded

OPERATORS: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


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
        """False if one of the answers is chosen by its letter."""
        known = [answer.text for answer in self.answers if answer.text != OTHER]
        return all(NUMBER.fullmatch(text) or ELEMENT.fullmatch(text) for text in known)


def questions_read(markdown: str) -> list[Question]:
    """Errors: ValueError with the title of a question that has no answers, or no right one."""
    found = []
    for part in re.split(r"^## ", markdown, flags=re.M)[1:]:
        title, _line, rest = part.partition("\n")
        text, *items = re.split(r"^(?=- \[[x ]\] )", rest, flags=re.M)
        answers = []
        for item in items:
            match = ANSWER.fullmatch(joined(item))
            if not match:
                raise ValueError(f"{title}: not an answer: {item.strip()[:60]}")
            answers.append(Answer(match[1] == "x", match[2], match[3] or "", match[4]))
        if sum(answer.right for answer in answers) != 1:
            raise ValueError(f"{title}: one answer is right")
        found.append(Question(title.strip(), text.strip(), tuple(answers)))
    return found


def value_of(text: str) -> Value | None:
    """A number, or the index of an element; None if it is neither."""
    if found := re.findall(r"\[\s*(\d+)\s*\]", text):
        return tuple(int(number) for number in found)
    bare = text.strip().rstrip("%").replace(",", "").replace(" ", "")
    over, _slash, under = bare.partition("/")
    try:
        return float(over) / float(under or 1)
    except (ValueError, ZeroDivisionError):
        return None


def same(left: Value | None, right: Value | None) -> bool:
    if isinstance(left, tuple) or isinstance(right, tuple) or left is None or right is None:
        return left is not None and left == right
    return abs(left - right) <= NEAR * max(abs(left), abs(right))


def evaluated(formula: str, kernel: Kernel) -> Value:
    """Errors: ValueError if the formula has something else than is said above."""
    student = kernel.estimate.get("student", {})
    names = {
        "products": kernel.warp_products,
        "registers": student.get("registers", 0),
        "occupancy": 100 * student.get("occupancy", 0),
    }

    def walk(node: ast.expr) -> float:
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return node.value
        if isinstance(node, ast.Name):
            return names[node.id] if node.id in names else kernel.value(node.id)
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](walk(node.left), walk(node.right))
        raise ValueError(f"not a formula: {formula}")

    tree = ast.parse(formula, mode="eval").body
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id == "place":
        array, x, y, number = (ast.literal_eval(word) for word in tree.args)
        if not kernel.exercise.maps:
            raise ValueError("the result has no map")
        return place_of(kernel.exercise.maps.list[0], array, (x, y), number)
    return walk(tree)


def right_value(answer: Answer, kernel: Kernel | None) -> Value | None:
    """Of the student's kernel, or of the reference if there is none."""
    if answer.formula and kernel:
        try:
            return evaluated(answer.formula, kernel)
        except (ValueError, ZeroDivisionError):
            pass
    return value_of(answer.text)


def answer_of(question: Question, typed: str, kernel: Kernel | None) -> Answer | None:
    """The answer that was given; None if it is none that the question knows."""
    if not question.is_typed:
        letter = typed.strip().lower()[:1]
        at = ord(letter) - ord("a") if letter else -1
        return question.answers[at] if 0 <= at < len(question.answers) else None
    given = value_of(typed)
    if given is None:
        return None
    right = next(answer for answer in question.answers if answer.right)
    # With other tiles than the question's, a kernel's own elements differ from those in the text.
    if same(given, right_value(right, kernel)) or (
        isinstance(given, tuple) and same(given, value_of(right.text))
    ):
        return right
    wrong = [answer for answer in question.answers if not answer.right]
    named = [
        answer for answer in wrong if answer.text != OTHER and same(given, value_of(answer.text))
    ]
    other = [answer for answer in wrong if answer.text == OTHER]
    return next(iter(named + other), Answer(False, OTHER, "", ""))
