"""The rules of style that a program can check: lint.py [ROOT].  Prints path:line: message for each break; exit 1 if
any.

Each rule is a generator over one file's lines, registered in RULES with the files that it reads.  Layers are the map of
grader/README.md; what formatting tools check is left to them.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

FILE_LINES_MAX = 800
FUNCTION_LINES_MAX = 60
COLUMNS_MAX = 100
PAGE_COLUMNS_MAX = 120

# A layer may include itself and these.
LAYERS = {
    "base": set(),
    "emu": {"base"},
    "device": {"emu", "base"},
    "measure": {"device", "emu", "base"},
    "exercise": {"base"},
    "expected": {"include", "base"},
    "sandbox": {"base"},
    "judge": {"measure", "device", "emu", "exercise", "include", "sandbox", "base"},
    "app": {"judge", "measure", "device", "emu", "exercise", "sandbox", "base"},
}

# Folders inside a layer, from the bottom up: each may include those before it. "" is the layer's own
# folder. A folder that is missing here is refused.
ROOMS = {
    "emu": ["wire", "memory", "check", "count", "tensor", "machine", "hooks", "shim", "host"],
    "device": ["", "object", "source", "channel", "compile", "assembly", "inspect", "gpu", "emu"],
    "judge": ["model", "submission", "code", "compile", "expected", "cause", "oracle", "say", "run", "diagnose", "speed", "result", "answers", ""],
    "app": ["", "terminal", "commands", "watch", "programs"],
}
ROOMS_FREE = {"emu/shim"}  # C++ for kernels; no file of the program includes it
FOLDER_FILES_MAX = 40  # .c and .h in one folder
TAGS_TWICE = {"launcher"}  # device/channel/launcher.h declares it, and each device defines it
CIRCLE_MAX = 2  # files with their headers that may include each other in a circle

BANNED = {
    "strcpy": "snprintf or memcpy with a length",
    "strcat": "snprintf or open_memstream",
    "sprintf": "snprintf",
    "atoi": "strtol with its checks",
    "system": "box_start",
    "alloca": "malloc",
    "setlocale": "nothing: the C locale stays",
    "gets": "fgets",
}
ENDS = "grader/base/memory.c"  # besides app/, the one file that ends a process
# Next to a student's kernel a process that ends would look like the end of the kernel.
NEXT_TO_KERNELS = r"grader/(emu|expected|include|device/emu|device/gpu)/"
ONLY_IN_APP = {
    "exit": "return a status",
    "printf": "return a text",
    "puts": "return a text",
    "perror": "fail_errno",
}

# Habits of wording that make a native reader stop, and better words.  Each pattern has (nearly) no
# false alarm; other habits are left to readers (tests/english/sample.py draws sentences for them).
HABITS = {
    r"\b(stands?|stood|lies|lie|lay)( \w+)? (in|at|on|behind|below|between|under|there|apart)\b": '"is in", "is at" …',
    r"\b(is|are|was|were|be) told\b": '"is reported"; or say who learns what',
    r"\b(has|have|had) (its|their) say\b": '"reports", "checks" …',
    r"\b(is|are) no matter\b": '"does not concern", "does not depend on"',
    r"\b(anew|afresh)\b": '"again"',
    r"\bmend(s|ed|ing)?\b": '"fix"',
    r"(?<![\"'`])\b(nobody|somebody|whoever)\b(?![\"'`])": '"no thread", "no caller", "another process" …',
    r"\bwhere there (is|are) (no|none)\b": '"if there is none"',
    r"\bshall\b": '"must", "should" or "will"',
    r"(?<![-_])\bbeside\b(?![-_])": '"next to", "as well as" or "compared with"',
    r"\bbehind (it|its|the|that|them|each|this|what)\b": '"after" or "past"',
    r"\b(our best|dealt out|four wide|by way of|is turned\b(?! (into|off|on|around)))": "the field's own term",
    r"\b(a|an|each|every|one|per|all) multiprocessors?\b": '"SM"',
}
# Files in which these habits are refused. A folder is added when its sentences have been read.
PLAIN = (
    r"README\.md",
    r"lessons/.*\.md",
    r"(reference|student)/.*\.cu",
    r"grader/(README|THREATS|handout)\.md",
    r"grader/(decisions|templates)/.*\.md",
    r"grader/(measure|texts|tools/ladder)/README\.md",
    r"tests/(|attacks/)README\.md",
    r"grader/(base|device/source|emu|exercise|sandbox)/.*\.[ch]",
    r"grader/include/.*",
    r"tests/emu/.*\.(cu|py|c)",
    r"tests/unit/(base|emu|exercise|sandbox)/.*\.c",
)

Break = tuple[int, str]
Rule = Callable[[Path, list[str]], Iterator[Break]]


def code_only(line: str) -> str:
    """The line without string contents and // comments."""
    line = re.sub(r'"(\\.|[^"\\])*"', '""', line)
    return line.split("//", 1)[0]


def layer_of(path: Path) -> str:
    return path.parts[1] if len(path.parts) > 2 and path.parts[0] == "grader" else ""


def file_length(path: Path, lines: list[str]) -> Iterator[Break]:
    if len(lines) > FILE_LINES_MAX:
        yield len(lines), f"the file has {len(lines)} lines; at most {FILE_LINES_MAX}"


def columns(path: Path, lines: list[str]) -> Iterator[Break]:
    for number, line in enumerate(lines, 1):
        if len(line) > COLUMNS_MAX:
            yield number, f"{len(line)} columns; at most {COLUMNS_MAX}"


def blanks(path: Path, lines: list[str]) -> Iterator[Break]:
    for number, line in enumerate(lines, 1):
        if line != line.rstrip():
            yield number, "blanks at the end of the line"
        if "\t" in line and path.name != "Makefile":
            yield number, "a tab; use blanks"


def function_length(path: Path, lines: list[str]) -> Iterator[Break]:
    start = 0
    head = 0  # the line where the head of a function began; it may take several lines
    for number, line in enumerate(lines, 1):
        if re.match(r"[a-zA-Z]", line):
            head = number if "(" in line and "=" not in line else 0
        if line.endswith(";") or not line:
            head = 0
        if line == "{":
            start = number
        elif line.endswith("{") and head:
            start, head = head, 0
        elif line == "}" and start:
            if number - start > FUNCTION_LINES_MAX:
                yield start, f"the function has {number - start} lines; at most {FUNCTION_LINES_MAX}"
            start = 0


def layers(path: Path, lines: list[str]) -> Iterator[Break]:
    layer = layer_of(path)
    if layer not in LAYERS:
        return
    for number, line in enumerate(lines, 1):
        found = re.match(r'#include "([a-z]+)/', line)
        if found and found[1] != layer and found[1] not in LAYERS[layer]:
            yield number, f"{layer} may not include {found[1]} (grader/README.md has the map)"


def rooms(path: Path, lines: list[str]) -> Iterator[Break]:
    layer, room = layer_of(path), "/".join(path.parts[2:-1])
    if f"{layer}/{room}" in ROOMS_FREE or (layer in LAYERS and layer not in ROOMS and not room):
        return
    order = ROOMS.get(layer, [])
    if room not in order:
        yield 1, f"the folder {layer}/{room} is not in ROOMS of lint.py"
        return
    for number, line in enumerate(lines, 1):
        found = re.match(rf'#include "{layer}/(?:([a-z]+)/)?[a-z_0-9]+\.h"', line)
        other = (found[1] or "") if found else room
        if other not in order or order.index(other) > order.index(room):
            yield number, f"{layer}/{room} may not include {layer}/{other} (grader/README.md)"


def circles(root: Path, paths: list[Path]) -> list[str]:
    """Files that include each other in a circle; a source counts as one with its header."""
    includes: dict[str, set[str]] = {}
    for path in paths:
        if path.parts[0] == "grader" and path.suffix in (".c", ".h") and layer_of(path) in LAYERS:
            name = "/".join(path.with_suffix("").parts[1:])
            text = (root / path).read_text(encoding="utf-8", errors="replace")
            found = re.findall(r'^#include "([a-z_/0-9]+)\.h"', text, re.MULTILINE)
            includes.setdefault(name, set()).update(found)
            includes[name].discard(name)
    while True:  # remove files that include none of the others: they are in no circle
        ends = {name for name, others in includes.items() if not others & includes.keys()}
        if not ends:
            break
        includes = {name: others for name, others in includes.items() if name not in ends}

    def reached(start: str) -> set[str]:
        seen, todo = set(), [start]
        while todo:
            new = includes.get(todo.pop(), set()) - seen
            seen |= new
            todo += new
        return seen

    reach = {name: reached(name) for name in includes}
    groups = {
        frozenset(other for other in reach[name] if name in reach.get(other, ()))
        for name in includes
    }
    return [
        f"grader/{min(group)}.h:1: {len(group)} files include each other in a circle;"
        f" at most {CIRCLE_MAX}: {', '.join(sorted(group))}"
        for group in sorted(groups, key=sorted)
        if len(group) > CIRCLE_MAX
    ]


def unique(root: Path, paths: list[Path]) -> list[str]:
    """A file is found by its name and a type by its tag, so neither occurs twice; a folder is small."""
    modules: dict[str, set[str]] = {}
    tags: dict[str, set[str]] = {}
    folders: dict[str, int] = {}
    for path in paths:
        folder = "/".join(path.parts[1:-1])
        if path.suffix not in (".c", ".h") or layer_of(path) not in LAYERS or folder in ROOMS_FREE:
            continue
        folders[folder] = folders.get(folder, 0) + 1
        modules.setdefault(path.stem, set()).add(str(path.with_suffix("")))
        text = (root / path).read_text(encoding="utf-8", errors="replace")
        for found in re.finditer(r"^[^/\n\"]*\b(?:struct|union|enum) (\w+) \{", text, re.MULTILINE):
            tags.setdefault(found[1], set()).add(str(path))
    return [
        f"{min(where)}:1: the {what} {name} is also in {', '.join(sorted(where)[1:])}"
        for what, names in (("name", modules), ("tag", tags))
        for name, where in sorted(names.items())
        if len(where) > 1 and not (what == "tag" and name in TAGS_TWICE)
    ] + [
        f"grader/{folder}:1: {count} files in a folder; at most {FOLDER_FILES_MAX}"
        for folder, count in sorted(folders.items())
        if count > FOLDER_FILES_MAX
    ]


def own_header_first(path: Path, lines: list[str]) -> Iterator[Break]:
    own = f'#include "{"/".join(path.with_suffix(".h").parts[1:])}"'
    includes = [(n, line) for n, line in enumerate(lines, 1) if line.startswith("#include")]
    if own in [line for _, line in includes] and includes[0][1] != own:
        yield includes[0][0], f"the first include is {own[9:]}"


def file_comment(path: Path, lines: list[str]) -> Iterator[Break]:
    if not lines or not lines[0].startswith(("//", "/*", '"""', "#!", "# ")):
        yield 1, "the file opens with a comment that says what it is for"


def guard(path: Path, lines: list[str]) -> Iterator[Break]:
    name = re.sub(r"[/.]", "_", "/".join(path.parts[1:])).upper()
    if path.suffix == ".h" and layer_of(path) in LAYERS and f"#ifndef {name}" not in lines:
        yield 1, f"the guard is {name}"


def banned(path: Path, lines: list[str]) -> Iterator[Break]:
    names = BANNED if layer_of(path) in ("app", "tools", "") else BANNED | ONLY_IN_APP
    for number, line in enumerate(lines, 1):
        for found in re.finditer(r"(?<![\w.>])([a-z]+)\(", code_only(line)):
            if found[1] in names and (str(path), found[1]) != (ENDS, "exit"):
                yield number, f"{found[1]} is not used here: {names[found[1]]}"


def memory(path: Path, lines: list[str]) -> Iterator[Break]:
    for number, line in enumerate(lines, 1):
        if line == '#include "base/memory.h"':
            yield number, "out of memory must not end a process next to a kernel: malloc"


def words(path: Path, lines: list[str]) -> Iterator[Break]:
    for number, line in enumerate(lines, 1):
        if re.search(r"\b(FIXME|XXX|HACK)\b", line):
            yield number, "a mark of unfinished work"


def composed(path: Path, lines: list[str]) -> Iterator[Break]:
    """In a file that composes texts as data `_()` is no format of printf."""
    text = "\n".join(lines)
    if not re.search('#include "(base/compose|judge/say/finding_facts).h"', text):
        return
    for found in re.finditer(r'printf\([^;]*?\b[NC]?_\("', text):
        yield text.count("\n", 0, found.start()) + 1, "printf cannot take `_()` here: words_write"


def habits(path: Path, lines: list[str]) -> Iterator[Break]:
    for number, line in enumerate(lines, 1):
        for pattern, better in HABITS.items():
            found = re.search(pattern, line, re.I)
            if found:
                yield number, f'"{found[0]}" makes a reader stop; write {better}'


def page_columns(path: Path, lines: list[str]) -> Iterator[Break]:
    """Lines that are too long, except table rows and marks of a program, which cannot be broken."""
    for number, line in enumerate(lines, 1):
        if len(line) > PAGE_COLUMNS_MAX and not line.startswith(("|", "<!--")):
            yield number, f"{len(line)} columns; at most {PAGE_COLUMNS_MAX}"


def no_exercise_named(root: Path) -> Rule:
    names = sorted(
        page.parent.name.split("_", 1)[1] for page in root.glob("lessons/[0-9]*_*/exercise.ini")
    )

    def rule(path: Path, lines: list[str]) -> Iterator[Break]:
        for number, line in enumerate(lines, 1):
            code = line.split("//" if path.suffix in (".c", ".h") else "#", 1)[0]
            code = "" if code.startswith("#include") else code  # a header's name is its own
            for name in names:
                if re.search(rf"\b(matmul_)?{name}\b", code):
                    yield number, f"names the exercise {name}: exercises are data"

    return rule


def decision_number(root: Path) -> Rule:
    def rule(path: Path, lines: list[str]) -> Iterator[Break]:
        number = path.name[:4]
        if not lines or not lines[0].startswith(f"# {int(number)}. "):
            yield 1, f'the title begins with "# {int(number)}. "'
        for other in sorted((root / path.parent).glob(f"{number}-*.md")):
            if other.name < path.name:
                yield 1, f"{other.name} has this number too"

    return rule


def decision_cited(root: Path) -> Rule:
    names = {path.name for path in (root / "grader/decisions").glob("*.md")}
    numbers = {int(name[:4]) for name in names}

    def rule(path: Path, lines: list[str]) -> Iterator[Break]:
        for number, line in enumerate(lines, 1):
            for found in re.finditer(r"decisions/((\d{4})[a-z0-9-]*(\.md)?)", line):
                if found[1] not in names if found[3] else int(found[2]) not in numbers:
                    yield number, f"there is no decision {found[1]}"
            for found in re.finditer(r"\bdecision (\d+)\b", line):
                if int(found[1]) not in numbers:
                    yield number, f"there is no decision {found[1]}"

    return rule


def rules(root: Path) -> list[tuple[str, Rule]]:
    return [
        (r"(grader|tests)/.*\.(c|h|py|sh)$", file_length),
        (r"(grader|tests|reference)/.*\.(c|h|cu|cuh|py|sh)$", columns),
        (r"(grader|tests|reference)/.*\.(c|h|py|sh)$|Makefile$", blanks),
        (r"(grader|tests)/.*\.[ch]$", function_length),
        (r"grader/.*\.[ch]$", layers),
        (r"grader/(base|emu|device|measure|exercise|sandbox|judge|app)/.*\.[ch]$", rooms),
        (r"grader/.*\.c$", own_header_first),
        (r"(grader|tests)/.*\.(c|h|py)$|reference/.*\.cu$", file_comment),
        (r"grader/.*\.h$", guard),
        (r"(grader|tests/unit)/.*\.c$", banned),
        (NEXT_TO_KERNELS + r".*\.[ch]$", memory),
        (r"grader/.*\.c$", composed),
        (r"(grader|tests|lessons)/.*|Makefile$|README.md$", words),
        (r"grader/.*\.[ch]$|Makefile$", no_exercise_named(root)),
        (r"grader/decisions/[0-9]{4}-.*\.md$", decision_number(root)),
        ("|".join(PLAIN), habits),
        ("|".join(name for name in PLAIN if name.endswith(".md")), page_columns),
        (r"(grader|lessons)/.*\.(c|h|S|py|sh|md)$|tests/README.md$|README.md$", decision_cited(root)),
    ]


def tracked(root: Path) -> list[Path]:
    """What git tracks or would; without git, every file outside build/."""
    command = ["git", "-C", str(root), "ls-files", "-co", "--exclude-standard"]
    try:
        listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split(
            "\n"
        )
        return [Path(name) for name in listed if name and (root / name).is_file()]
    except (OSError, subprocess.CalledProcessError):
        found = (path.relative_to(root) for path in root.rglob("*") if path.is_file())
        return sorted(path for path in found if path.parts[0] not in ("build", ".git"))


def lint(root: Path) -> list[str]:
    found = []
    table = [(re.compile(pattern), rule) for pattern, rule in rules(root)]
    paths = tracked(root)
    for path in paths:
        wanted = [
            rule
            for pattern, rule in table
            if pattern.fullmatch(str(path)) and path != Path("grader/tools/lint.py")
        ]
        if not wanted:
            continue
        lines = (root / path).read_text(encoding="utf-8", errors="replace").split("\n")
        lines = lines[:-1] if lines[-1] == "" else lines
        for rule in wanted:
            found += [f"{path}:{number}: {text}" for number, text in rule(path, lines)]
    return found + circles(root, paths) + unique(root, paths)


if __name__ == "__main__":
    breaks = lint(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
    for text in breaks:
        print(text)
    print(f"{0 if breaks else 1} passed, {len(breaks)} failed")
    sys.exit(1 if breaks else 0)
