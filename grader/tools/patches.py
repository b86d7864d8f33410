#!/usr/bin/python3
"""Wrong kernels are kept as patches of a right one: patches.py unfold | fold FILE...

A file tests/wrong/EXERCISE/NAME.patch begins with the first line of the kernel, `// expect: ...`.
Then comes a unified diff against the kernel that its `---` line names: the reference, or one of
tests/right, without the marks `//@` of its stub, and with that line in place of the comment that
begins it.

unfold   writes all wrong kernels into build/wrong/EXERCISE/NAME.cu.  Those that are no patches but
         whole, because they are like no right kernel, are copied.
fold     writes the patch of an unfolded file that was edited, or of a new file, against the right
         kernel that is most like it.  A file that is like none is written whole.
"""

from __future__ import annotations

import difflib
import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CONTEXT = 1  # lines around a change, as in reference/bugs
LIKE = 0.6  # a patch has at most this many lines for each line of the kernel
HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")


def text_of(path: Path) -> str:
    """Reads a file with its own line ends and odd bytes."""
    return os.fsdecode(path.read_bytes())


def place_of(lines: list[str], old: list[str], begin: int, wanted: int) -> int:
    """The place of a hunk's old lines: the wanted line, else the only match from `begin` on.

    Errors: ValueError.
    """
    if lines[wanted : wanted + len(old)] == old:
        return wanted
    found = [at for at in range(begin, len(lines)) if lines[at : at + len(old)] == old]
    if len(found) != 1 or not old:
        often = "more than once" if found else "nowhere"
        text = "".join(old).strip()
        raise ValueError(f"these lines, about line {wanted + 1}, are there {often}:\n{text}")
    return found[0]


def patched(text: str, patch: str, may_move: bool = False) -> str:
    """A text with the hunks of a patch applied.

    may_move: the lines of a hunk may be at another place than the patch says.
    Errors: ValueError names lines that are missing, occur more than once or, without may_move,
    have moved; or a malformed head of a hunk.
    """
    lines, made = text.splitlines(True), []
    begin = offset = 0
    hunks = re.split(r"(?m)^(?=@@)", patch)[1:]
    for hunk in hunks:
        head, *changes = hunk.splitlines(True)
        match = HUNK.match(head)
        if not match:
            raise ValueError(f"no hunk: {head.strip()}")
        old = [line[1:] for line in changes if line[0] in " -"]
        # A hunk without old lines belongs after the line that it names.
        wanted = int(match[1]) - (1 if old else 0) + offset
        at = place_of(lines, old, begin, wanted)
        if at != wanted and not may_move:
            raise ValueError(f"line {wanted + 1} is not {old[0]!r}")
        offset += at - wanted
        made += lines[begin:at] + [line[1:] for line in changes if line[0] in " +"]
        begin = at + len(old)
    return "".join(made + lines[begin:])


def code_of(path: Path) -> str:
    """A right kernel as patches have it: without the comment that begins it and marks of stubs."""
    lines = text_of(path).splitlines(True)
    begin = next((at for at, line in enumerate(lines) if not line.startswith("//")), len(lines))
    return "".join(line for line in lines[begin:] if not line.lstrip().startswith("//@"))


def unfolded(root: Path, path: Path) -> str:
    """The text of a wrong kernel, whole or kept as a patch.

    Errors: ValueError names the patch, what is wrong, and the remedy.
    """
    text = text_of(path)
    if path.suffix != ".patch":
        return text
    first, before = text.splitlines(True)[:2]
    base = before.removeprefix("--- ").strip()
    try:
        return patched(first + code_of(root / base), text, may_move=True)
    except (OSError, ValueError) as problem:
        name = path.relative_to(root)
        again = f"build/wrong/{path.parent.name}/{path.stem}.cu"
        raise ValueError(
            f"{name}: does not fit {base}: {problem}\n"
            f"Change the patch; or edit {again}, and run grader/tools/patches.py fold {again}"
        ) from None


def wrong_texts(root: Path) -> dict[str, str]:
    """The wrong kernels of a tree, by their names, such as tests/wrong/tiled/no_barrier.cu."""
    found = {}
    for path in sorted([*root.glob("tests/wrong/*/*.cu"), *root.glob("tests/wrong/*/*.patch")]):
        found[str(path.relative_to(root).with_suffix(".cu"))] = unfolded(root, path)
    return found


def wrong_kernels(root: Path = ROOT) -> dict[str, Path]:
    """Unfolds all of them; the files in build/wrong, by their names in tests/wrong."""
    texts = wrong_texts(root)
    files = {name: root / "build" / Path(name).relative_to("tests") for name in texts}
    for old in {*root.glob("build/wrong/*/*.cu")} - {*files.values()}:
        old.unlink(missing_ok=True)
    for name, path in files.items():
        if not path.is_file() or text_of(path) != texts[name]:
            path.parent.mkdir(parents=True, exist_ok=True)
            new = path.with_suffix(f".{os.getpid()}")  # another process may read it
            new.write_bytes(os.fsencode(texts[name]))
            new.replace(path)
    return files


def folded(root: Path, exercise: str, stem: str, wrong: str) -> str | None:
    """The shortest patch of a wrong kernel; None if it is like no right one."""
    paths = [root / f"reference/{exercise}.cu", *sorted(root.glob(f"tests/right/{exercise}/*.cu"))]
    best = wrong
    lines = wrong.splitlines(True)
    for path in paths:
        code = code_of(path)
        names = (str(path.relative_to(root)), f"build/wrong/{exercise}/{stem}.cu")
        before = [lines[0], *code.splitlines(True)]
        diff = [*difflib.unified_diff(before, lines, *names, n=CONTEXT)]
        if code.endswith("\n") and 0 < len(diff) < best.count("\n"):
            best = "".join([lines[0], *diff])
    is_like = best.count("\n") <= LIKE * wrong.count("\n")
    return best if is_like and wrong.endswith("\n") else None


def fold(root: Path, path: Path) -> Path:
    """Writes a file of build/wrong or tests/wrong as a patch, or whole; returns which."""
    wrong = text_of(path)
    place = root / "tests/wrong" / path.parent.name / path.stem
    patch = folded(root, path.parent.name, path.stem, wrong)
    new, old = (".cu", ".patch") if patch is None else (".patch", ".cu")
    place.with_suffix(new).write_bytes(os.fsencode(wrong if patch is None else patch))
    place.with_suffix(old).unlink(missing_ok=True)
    if unfolded(root, place.with_suffix(new)) != wrong:
        raise AssertionError(f"{path}: its patch makes another text of it")
    return place.with_suffix(new)


def main(words: list[str]) -> int:
    try:
        if words == ["unfold"]:
            wrong_kernels()
        elif words[:1] == ["fold"] and len(words) > 1:
            for word in words[1:]:
                print(fold(ROOT, Path(word).resolve()).relative_to(ROOT))
        else:
            print(__doc__, file=sys.stderr)
            return 2
    except (OSError, ValueError) as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
