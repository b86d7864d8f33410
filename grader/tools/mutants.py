#!/usr/bin/python3
"""Proves that the checkers see small mistakes: mutants.py [--part N] [--build DIR] [EXERCISE...]

A mutant is a reference with one mistake: a statement left out, or a block of the part that students
write; a comparison, an operator or an index changed, and in that part also a number, a name or the
mask of a shuffle; a loop with one turn, or without its first or last one; a sum that is not reset.
check-course judges each on the CPU device alone, and each must fail or be in
tests/mutants/EXERCISE.txt, below a line `# reason` that says why it computes the same.  A reason
that begins with `# gap:` names a mistake that no check sees yet.

Prints for each exercise how many mutants compile, fail, are equal, are known gaps, and survive;
then the key and the change of each that survives, whose file is in build/mutants.  --part judges
one in N, drawn by the commit.  The exit code is 1 if one survives, or a listed one fails.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests"))

import drawn  # noqa: E402  (found by the line above)

TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/|\#(?:[^\n\\]|\\.)*)
    |(?P<number>(?:0[xX][\da-fA-F]+|\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFuUlL]*)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
    |(?P<mark><<=|>>=|->|::|\+\+|--|<<|>>|[-+*/%&|^<>=!]=|&&|\|\||.)""",
    re.S | re.X,
)
OTHER = {
    **{"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&"},
    **{"+": "-", "-": "+", "*": "+", "/": "%", "%": "/", "<<": ">>", ">>": "<<", "&": "|"},
    **{"|": "&", "^": "|", "+=": "=", "-=": "+=", "*=": "=", "/=": "*=", "|=": "=", "^=": "="},
}
FLOATS = {"0.0f": "1.0f", "1.0f": "0.0f"}
OPEN = {"(": ")", "[": "]", "{": "}"}
# The type and the first name of a declaration.
DECLARATION = re.compile(
    r"(?!return\b|else\b|goto\b)(?P<type>(?:(?:const|static|extern|unsigned|struct|enum|__shared__"
    r"|constexpr|volatile)\s+|__align__\(\w+\)\s*)*[A-Za-z_][\w:]*(?:<[^;=]*>)?)(?P<names>"
    r"(?:\s*[*&]+\s*(?:__restrict__\s+)?|\s+)[A-Za-z_]\w*\s*(?:[\[=;{(,:].*|$))",
    re.S,
)
QUALIFIER = re.compile(r"\b(const|constexpr|static|struct|__shared__|extern)\b|__align__\(\w+\)|\s")
GAP = "# gap:"
MOST = 300  # mutants of a reference: of a long one, those whose keys are least


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    begin: int
    end: int


@dataclass(frozen=True)
class Mutant:
    change: str  # "`<` for `<=`"
    edits: tuple[tuple[int, int, str], ...]  # begin, end, new text


@dataclass
class Kernel:
    """A reference: its tokens, and the part of it that students write."""

    text: str
    tokens: list[Token] = field(default_factory=list)
    partner: dict[int, int] = field(default_factory=dict)  # of each bracket
    cuts: list[tuple[int, int]] = field(default_factory=list)
    steady: set[int] = field(default_factory=set)  # tokens that would never end a loop if changed
    mutants: list[Mutant] = field(default_factory=list)

    def __post_init__(self) -> None:
        for match in TOKEN.finditer(self.text):
            if match.lastgroup != "skip":
                token = Token(match.lastgroup or "", match[0], match.start(), match.end())
                self.tokens.append(token)
        stack: list[int] = []
        for at, token in enumerate(self.tokens):
            if token.text in OPEN:
                stack.append(at)
            elif token.text in OPEN.values():
                self.partner[at] = stack.pop()
                self.partner[self.partner[at]] = at
        cuts = re.finditer(r"(?s)//@cut[^\n]*\n(.*?)//@end", self.text)
        self.cuts = [match.span(1) for match in cuts]

    def is_cut(self, at: int) -> bool:
        return any(begin <= self.tokens[at].begin < end for begin, end in self.cuts)

    def source(self, begin: int, end: int) -> str:
        """The text of the tokens from begin up to end."""
        return self.text[self.tokens[begin].begin : self.tokens[end - 1].end]

    def replace(self, change: str, begin: int, end: int, new: str) -> None:
        span = (self.tokens[begin].begin, self.tokens[end - 1].end, new)
        self.mutants.append(Mutant(change, (span,)))

    def functions(self) -> Iterator[tuple[int, int]]:
        """Each function: its `(`, and the `{` of its body."""
        at = 0
        while at < len(self.tokens):
            if self.tokens[at].text == "{" and self.tokens[at - 1].text == ")":
                yield self.partner[at - 1], at
            at = self.partner[at] + 1 if self.tokens[at].text in OPEN else at + 1

    def statement(self, at: int, loops: tuple[int, ...]) -> int:
        """Makes the mutants of the statement at a token; returns the token after it."""
        token = self.tokens[at].text
        begin = at
        if token == "{":
            at += 1
            while at < self.partner[begin]:
                at = self.statement(at, loops)
            return at + 1
        if token in ("if", "for", "while", "switch"):
            head = next(i for i in range(at, at + 3) if self.tokens[i].text == "(")
            body = self.partner[head] + 1
            inner = (*loops, begin) if token in ("for", "while") else loops
            at = self.statement(body, inner)
            if at < len(self.tokens) and self.tokens[at].text == "else":
                at = self.statement(at + 1, loops)
            if token == "if":
                self.replace("a condition that is always true", head + 1, body - 1, "true")
            elif token != "switch":
                self.loop(head, body, at)
        elif token == "do":
            at = self.statement(at + 1, loops)
            at = self.partner[at + 1] + 2
        else:
            while self.tokens[at].text != ";":
                at = self.partner[at] + 1 if self.tokens[at].text in OPEN else at + 1
            at += 1
            if DECLARATION.match(self.source(begin, at)):
                self.declaration(begin, at, loops)
                return at
        is_block = token in ("if", "for", "while", "do", "switch")
        if self.is_cut(begin) or not is_block:
            self.replace("left out", begin, at, "{}" if is_block else ";")
        return at

    def loop(self, head: int, body: int, end: int) -> None:
        self.replace("one turn only", body, end, f"{{ {self.source(body, end)} break; }}")
        marks = [i for i in range(head, body) if self.tokens[i].text == ";"]
        self.steady.update(self.steps(range(marks[0], body)) if marks else ())
        for at in range(*marks[:2]) if len(marks) > 1 else ():
            if self.tokens[at].text in ("<", "<=") and self.is_binary(at):
                rest = range(at, marks[1] + 1)
                stop = next(i for i in rest if self.tokens[i].text in (";", "&&", "?"))
                step = self.source(marks[1] + 1, body - 1).partition("+=")[2] or "1"
                new = f"({self.source(at + 1, stop)}) - ({step.strip()})"
                self.replace("without the last turn", at + 1, stop, new)

    def steps(self, head: range) -> Iterator[int]:
        """In the rest of a loop's head: its variable and step, and `>` if that is a division."""
        variable = self.tokens[head[1]].text
        halves = any(self.tokens[at].text == "/=" for at in head)
        for at in head:
            text = self.tokens[at].text
            if text in (variable, "+=", "-=", "*=", "/=") or (text == ">" and halves):
                yield at

    def declaration(self, begin: int, end: int, loops: tuple[int, ...]) -> None:
        source = self.source(begin, end)
        zero = re.match(r"([^=]*\w\]*)\s*=\s*(?:0|0\.0f|\{\}|\{0\})\s*;", source)
        if not zero or source.startswith("const"):
            return
        self.replace("without its first value", begin, end, f"{zero[1]};")
        if loops:
            at = self.tokens[loops[-1]].begin
            span = (self.tokens[begin].begin, self.tokens[end - 1].end, "")
            self.mutants.append(Mutant("not reset", ((at, at, source + " "), span)))

    def is_binary(self, at: int) -> bool:
        """True if the operator has two operands: it is between blanks, as in formatted code."""
        begin, end = self.tokens[at].begin, self.tokens[at].end
        before = self.tokens[at - 1].text
        blanks = self.text[begin - 1].isspace() and self.text[end].isspace()
        return blanks and before not in ("template", "=", "(", ",", "return", "?", ":")

    def variables(self, head: int, body: int) -> Iterator[tuple[str, int]]:
        """The variables of a function: the type of each, and the token that declares it."""
        begin = head
        for at in range(head, self.partner[body]):
            ends = (";", "{", "}", "(", ")", ":") + (() if at > body else (",",))
            if self.tokens[at].text not in ends:
                continue
            if at > begin and (match := DECLARATION.match(self.source(begin, at))):
                yield from self.declared(begin, at, match["type"])
            begin = at + 1

    def declared(self, at: int, end: int, type_text: str) -> Iterator[tuple[str, int]]:
        """Those of a declaration, without its first values in brackets."""
        base = QUALIFIER.sub("", type_text)
        names = self.tokens[at].begin + len(type_text)
        at = next(i for i in range(at, end) if self.tokens[i].begin >= names)
        while at < end:
            stars = at
            while self.tokens[at].text in ("*", "&", "__restrict__"):
                at += 1
            name = at
            ranks = self.source(stars, name + 1).count("*")
            at += 1
            while self.tokens[at].text == "[":
                at = self.partner[at] + 1
                ranks += 1
            while at < end and self.tokens[at].text != ",":
                at = self.partner[at] + 1 if self.tokens[at].text in OPEN else at + 1
            at += 1
            yield f"{base}{ranks}", name

    def expressions(self, head: int, body: int) -> None:
        """Makes the mutants of the operators, numbers, indices and names of a function."""
        by_type: dict[str, list[int]] = {}
        alike: dict[str, list[int]] = {}  # by a name, the variables of its type
        fixed = set()
        for type_text, name in self.variables(head, body):
            by_type.setdefault(type_text, []).append(name)
            alike.setdefault(self.tokens[name].text, by_type[type_text])
            fixed.add(name)
            while self.tokens[name + 1].text == "[":  # an extent
                fixed.update(range(name + 1, self.partner[name + 1]))
                name = self.partner[name + 1]
        is_config = self.tokens[head - 1].text == "LAUNCH_CONFIG"
        for at in range(body + 1, self.partner[body]):
            kind = self.tokens[at].kind
            if at not in fixed and (self.is_cut(at) or kind == "mark" and not is_config):
                self.expression(at, alike)

    def renamed(self, at: int, alike: list[int]) -> str:
        """The variable declared after this one, of those of its type that are declared so far."""
        names = [self.tokens[place].text for place in alike if place < at]
        names = list(dict.fromkeys(names))
        name = self.tokens[at].text
        return names[(names.index(name) + 1) % len(names)] if name in names else ""

    def expression(self, at: int, alike: dict[str, list[int]]) -> None:
        token, before, after = self.tokens[at], self.tokens[at - 1], self.tokens[at + 1]
        new = ""
        if token.text in OTHER and self.is_binary(at):
            new = OTHER[token.text]
        elif token.text == "!" and after.text != "=":
            new = " "
        elif token.text in ("LANES", "0xffffffff"):
            new = "0x7fffffff"
        elif token.kind == "number":
            new = str(int(token.text) + 1) if token.text.isdigit() else FLOATS.get(token.text, "")
        elif token.kind == "name" and before.text == ".":
            is_place = self.tokens[at - 2].text.endswith(("Idx", "Dim"))
            new = {"x": "y", "y": "x", "z": "x" if is_place else "w", "w": "z"}.get(token.text, "")
        elif token.text in alike and before.text not in ("::", "->"):
            new = self.renamed(at, alike[token.text])
        if new and new != token.text and at not in self.steady:
            self.replace(f"`{new.strip()}` for `{token.text}`", at, at + 1, new)
        if token.text == "[" and (before.kind == "name" or before.text == "]"):
            inside = self.source(at + 1, self.partner[at])
            if not inside.isdigit():
                self.replace("an index + 1", at + 1, self.partner[at], f"{inside} + 1")


def applied(text: str, mutant: Mutant) -> str:
    for begin, end, new in sorted(mutant.edits, reverse=True):
        text = text[:begin] + new + text[end:]
    return text


def mutants_of(text: str) -> dict[str, tuple[str, str]]:
    """The mutants of a reference by their keys: a description, and the text of each."""
    kernel = Kernel(text)
    for head, body in kernel.functions():
        kernel.statement(body, ())
        kernel.expressions(head, body)
    seen = {tuple(token.text for token in kernel.tokens)}
    made: dict[str, tuple[str, str]] = {}
    for mutant in kernel.mutants:
        new = applied(text, mutant)
        tokens = tuple(token.text for token in Kernel(new).tokens)
        if tokens in seen:
            continue
        seen.add(tokens)
        at = mutant.edits[-1][0]
        line = text[text.rfind("\n", 0, at) + 1 : text.find("\n", at)].split("//")[0]
        column = at - text.rfind("\n", 0, at)
        what = f"{mutant.change} in column {column} of `{line.strip()}`"
        key, turn = "", 0
        while not key or key in made:  # the same line may occur again
            key = hashlib.sha256(f"{what} {turn}".encode()).hexdigest()[:8]
            turn += 1
        made[key] = (what, new)
    kept = set(sorted(made)[:MOST])
    return {key: mutant for key, mutant in made.items() if key in kept}


def listed_in(path: Path) -> dict[str, bool]:
    """The listed mutants by their keys: True if equal, False if it is a known gap."""
    listed: dict[str, bool] = {}
    is_equal = True
    for line in path.read_text(encoding="utf-8").split("\n") if path.is_file() else ():
        if line.startswith("#"):
            is_equal = not line.startswith(GAP)
        elif line:
            listed[line.split()[0]] = is_equal
    return listed


def judged(root: Path, build: Path, exercise: str, texts: dict[str, str]) -> dict[str, str]:
    """What check-course says of each of these kernels: ok (it fails), FAIL (it passes), skip (it
    does not compile), TROUBLE."""
    with tempfile.TemporaryDirectory() as temporary:
        course = Path(temporary)
        (course / "build").mkdir()
        for name in ("lessons", "reference", "student"):
            shutil.copytree(root / name, course / name)
        folder = course / "tests/mutants" / exercise
        folder.mkdir(parents=True)
        for key, text in texts.items():
            (folder / f"{key}.cu").write_text(text, encoding="utf-8")
        command = [
            build / "tilegrade",
            "check-course",
            f"--root={course}",
            f"--exercise={exercise}",
        ]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
    said = dict(
        (key, state) for state, key in re.findall(r"(?m)^(\w+) .*: mutants/(\w+)\.cu", run.stdout)
    )
    if said.keys() != texts.keys() or "TROUBLE" in said.values():
        sys.exit(f"{exercise}: not every mutant was judged\n{run.stdout[-2000:]}{run.stderr}")
    return said


def prove(root: Path, build: Path, exercise: str, part: int) -> bool:
    """Judges the mutants of an exercise; prints the sums, and what survives."""
    made = mutants_of((root / f"reference/{exercise}.cu").read_text(encoding="utf-8"))
    path = root / f"tests/mutants/{exercise}.txt"
    listed = listed_in(path)
    chosen = [key for key in made if drawn.is_drawn("mutants", f"{exercise} {key}", part)]
    if not chosen:
        return True
    said = judged(root, build, exercise, {key: made[key][1] for key in chosen})
    count = sum(state != "skip" for state in said.values())
    passing = [key for key in chosen if said[key] == "FAIL"]
    equal = sum(listed.get(key, False) for key in passing)
    gaps = sum(not listed.get(key, True) for key in passing)
    survive = [key for key in passing if key not in listed]
    print(
        f"{exercise}: {count} mutants, {count - len(passing)} fail, {equal} are equal, "
        f"{gaps} known gaps, {len(survive)} survive",
        flush=True,
    )
    kept = root / "build/mutants" / exercise
    shutil.rmtree(kept, ignore_errors=True)
    for key in survive:
        kept.mkdir(parents=True, exist_ok=True)
        (kept / f"{key}.cu").write_text(made[key][1], encoding="utf-8")
        print(f"{key} {made[key][0]}")
    stale = [key for key in listed if key not in made or said.get(key, "FAIL") != "FAIL"]
    for key in stale:
        print(f"{path}: {key} fails, or is no longer made: remove its line")
    return not survive and not stale


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("exercises", nargs="*")
    parser.add_argument("--part", type=int, default=1)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    options = parser.parse_args()
    names = options.exercises or sorted(path.stem for path in (ROOT / "reference").glob("*.cu"))
    proven = [prove(ROOT, options.build, name, options.part) for name in names]
    return 0 if all(proven) else 1


if __name__ == "__main__":
    sys.exit(main())
