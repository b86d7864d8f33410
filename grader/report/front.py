"""The commands of tilegrade that are written in Python: front.py COMMAND [--NAME=VALUE…] [WORD…].

`build/tilegrade practice`, `handout`, `pack`, `report`, `class` and `bench` become this program.
The names of options are those of its table (app/commands/arguments.c), which has refused all
others.
Exit codes: 0 done, 2 bad usage or data, 3 it could not be done; those of a program that was run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from language import LANGUAGES, _, language_of_environment, language_used

GRADER = Path(__file__).resolve().parents[1]
PRACTICE = ("quiz", "predict", "bugs", "bug", "answer")
PACKED = ("gradescope", "autolab", "release", "notebook", "site", "standalone")


@dataclass
class Typed:
    """The words typed after the command."""

    options: dict[str, str] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)

    def get(self, name: str, default: str = "") -> str:
        return self.options.get(name, default)

    def given(self, *names: str) -> list[str]:
        """These options, in a program's form; options that were not typed are omitted."""
        return [f"--{name}={self.options[name]}" for name in names if name in self.options]

    def kind(self, kinds: tuple[str, ...], default: str = "") -> str:
        """Takes the first word if it is one of these."""
        return self.words.pop(0) if self.words and self.words[0] in kinds else default

    @property
    def root(self) -> Path:
        return Path(self.get("root", "."))

    @property
    def program(self) -> Path:
        """The path of the program that became this one."""
        return Path(self.get("programs", "build")) / "tilegrade"

    @property
    def exercise(self) -> str:
        return self.get("exercise") or ",".join(self.words)


def typed_read(arguments: list[str]) -> Typed:
    typed = Typed()
    for text in arguments:
        if text.startswith("--"):
            name, _equals, value = text[2:].partition("=")
            typed.options[name] = value
        else:
            typed.words.append(text)
    return typed


def complain(text: str) -> int:
    print(text, file=sys.stderr)
    return 2


def tilegrade(typed: Typed, *words: str, quiet: bool = False) -> int:
    out = subprocess.DEVNULL if quiet else None
    return subprocess.run([typed.program, *words, *typed.given("language")], stdout=out).returncode


def report(typed: Typed) -> int:
    result = typed.get("result", "build/grade/result.json")
    if typed.get("format") == "similar":
        kept = {name: typed.get(name) for name in ("root", "programs", "language")}
        kept = {name: value for name, value in kept.items() if value}
        return a_class(Typed({"out": result} | kept, ["similar"]))
    import report as one_report

    out = typed.get("out", str(Path(result).parent))
    words = [typed.get("format", "html"), result, out]
    return one_report.main([*words, *typed.given("language")])


def a_class(typed: Typed) -> int:
    words = [sys.executable, str(GRADER / "class/class.py"), *typed.words]
    for name, value in typed.options.items():
        words.append(f"--{name}={value}" if value else f"--{name}")
    os.execv(sys.executable, words)


def answer(typed: Typed) -> int:
    """A model answer next to the student's kernel: the files, then a page with both."""
    import report as one_report

    exercise = [f"--exercise={typed.exercise}"] if typed.exercise else []
    choice = [*exercise, *typed.given("assignment")]
    words = [typed.program, "answer", *choice, *typed.given("language")]
    found = subprocess.run(words, stdout=subprocess.PIPE, text=True)
    if found.returncode:
        return found.returncode
    own, model, shown = found.stdout.split("\n")[0].split(" ")
    diff = ["diff", "-u", "--color=auto", "--label", own, "--label", model, own, shown]
    if subprocess.run(diff).returncode > 1:
        return 3
    out = f"{typed.root}/build/answer"
    code = tilegrade(typed, "grade", "--quiet", *choice, f"--out={out}", quiet=True)
    if code <= 1:
        words = ["--quiet", *choice, "--submission=reference", f"--out={out}/reference"]
        code = tilegrade(typed, "test", *words, quiet=True)
    if code:
        return code
    beside = f"--beside={out}/reference/result.json"
    return one_report.main(["html", f"{out}/result.json", out, beside, *typed.given("language")])


def practice(typed: Typed) -> int:
    from practice import bugs, predict, quiz

    root, kind = str(typed.root), typed.kind(PRACTICE, "quiz")
    match kind:
        case "bugs":
            return bugs.main([root, "list"])
        case "bug":
            return bugs.main([root, typed.exercise])
        case "predict":
            return predict.main([root, typed.exercise])
        case "answer":
            return answer(typed)
    return quiz.main([root, typed.exercise])


def pack(typed: Typed) -> int:
    sys.path.insert(0, str(GRADER / "tools"))
    assignment = typed.given("assignment")
    kind = typed.kind(PACKED)
    out = typed.get("out", "build/pack")
    if kind == "standalone":
        from practice import standalone

        own = [typed.options["out"]] if "out" in typed.options else []
        return standalone.main([str(typed.root), typed.exercise, *own])
    if typed.words or not kind:
        return complain(_("pack: name one of these: %(kinds)s", kinds=", ".join(PACKED)))
    # An assignment is read first, so that a mistake in it is found here, not by the students.
    if assignment and (code := tilegrade(typed, "list", *assignment, quiet=True)):
        return code
    if kind == "notebook":
        import notebook

        return notebook.main([str(typed.root)])
    if kind == "site":
        words = [GRADER / "tools/site.py", typed.root, typed.get("out", "build/site")]
        return subprocess.run([sys.executable, *words]).returncode
    if kind == "release":
        import release

        return release.main([out, typed.get("assignment")])
    import pack as packer

    return packer.main([kind, out, *filter(None, [typed.get("assignment")])])


def handout(typed: Typed) -> int:
    sys.path.insert(0, str(GRADER / "tools"))
    import handout as repository
    import notebook

    choice = typed.given("assignment", "language")
    code = repository.handout(typed.root, typed.program, typed.get("out"), choice)
    return code or notebook.main([typed.get("out")])


def bench(typed: Typed) -> int:
    sys.path.insert(0, str(GRADER / "tools/ladder"))
    import measure

    return measure.main(typed.options, typed.words)


COMMANDS = {
    "bench": bench,
    "class": a_class,
    "handout": handout,
    "pack": pack,
    "practice": practice,
    "report": report,
}


def main(arguments: list[str]) -> int:
    typed = typed_read(arguments[1:])
    language = typed.get("language")
    with language_used(language if language in LANGUAGES else language_of_environment()):
        return COMMANDS[arguments[0]](typed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
