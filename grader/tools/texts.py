"""The catalogue of Chinese texts: texts.py check | update | table [ROOT].

check lists messages without a translation and translations without a message; exit 1 if any
update brings grader/texts/zh.po up to date with the sources, and lists the messages left to
translate table writes build/texts/zh.c, the table of translations that the programs hold

Messages are found by xgettext: in C by the functions that take a format, `_("…")` and `N_("…")`; in
Python by `_("…")` and `N_("…")`; in templates by {{ _("…") }} and {% trans %}; in a kernel file
they are the comments.  grader/texts/README.md says how to add one.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

CATALOGUE = Path("grader/texts/zh.po")
SOURCES = Path("build/texts/messages.pot")
TABLE = Path("build/texts/zh.c")

STANDALONE = Path("grader/report/templates/standalone.cu")

# C functions that look up their format themselves, and the position of that argument.
SINKS = {
    "fail": 3,
    "fail_errno": 3,
    "words_write": 3,
    "words_sentence": 3,
    "terminal_color": 3,
    "build_report_fault": 4,
    "ini_fail": 2,
    "doubted": 2,
    "source_refuse": 3,
}
C_FOLDERS = ("base", "sandbox", "exercise", "device", "measure", "judge", "app")
# Parts of programs that people do not run, and parts of the worker, whose words are data.
C_NOT = re.compile(
    r"app/programs/(inspector|nvrtc|worker)\.c|device/emu/emu_launcher\.c"
    r"|device/gpu/(context|gpu_launcher|gpu_timed|helper|launch|module)\.c"
)
# The files in which a string of several words is a text for people, except skeletons of files and
# sources of figures.
SENTENCE_FOLDERS = ("sandbox", "exercise", "measure", "judge", "app")
SENTENCE_NOT = re.compile(
    r"^(undefined reference to|multiple definition of|constraints? in 'asm')|"  # of gcc and ld
    r"FILL IN|#include|^make |^tilegrade build|^const float|^NVIDIA .*(sheet|paper|specifications)"
    r"|^set pagination off|^break \*findings_kept"
    r"|^namespace |^struct |^\nstruct|/fresh sizes$|/real sizes$|/deep size$|^user namespace$"
    r"|^undefined reference to `$|^multiple definition of `$|^constraints? in 'asm'$"
)
CONVERSION = re.compile(r"%[-+ #0]*[\d*]*(\.[\d*]+)?(hh|h|ll|l|z|j|t)?[a-zA-Z%]")
SLOT = re.compile(r"\{[a-z_]+\}")  # of a value that has a name
ASSERTION = re.compile(r"\b(_Static_)?assert\([^;]*;")
# A number of fixed width is a long where we build, so its format is known before the compiler runs.
WIDTHS = {
    "PRIu64": "lu",
    "PRId64": "ld",
    "PRIx64": "lx",
    "PRIu32": "u",
    "PRId32": "d",
    "PRIx32": "x",
}


@dataclass(frozen=True)
class Entry:
    """One message of a .po or .pot file."""

    context: str
    english: str
    translation: str
    files: tuple[str, ...]
    fuzzy: bool
    obsolete: bool


def tool(*words: str | Path) -> str:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"texts: {words[0]} failed:\n{done.stderr}")
    return done.stdout


def unquoted(line: str) -> str:
    text = line[line.index('"') + 1 : line.rindex('"')]
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), text)


def entries_read(path: Path) -> list[Entry]:
    """All entries but the header."""
    entries = []
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        parts = {"msgctxt": "", "msgid": "", "msgstr": ""}
        files: list[str] = []
        part = ""
        for line in block.splitlines():
            if line.startswith("#:"):
                files += line[2:].split()
            line = line.removeprefix("#~ ")
            found = re.match(r'(msgctxt|msgid|msgstr) "', line)
            part = found[1] if found else part
            if part and line.rstrip().endswith('"') and '"' in line:
                parts[part] += unquoted(line)
        if parts["msgid"]:
            fuzzy = re.search(r"^#,.*\bfuzzy\b", block, re.M) is not None
            old = re.search(r"^#~ msgid", block, re.M) is not None
            entries.append(
                Entry(parts["msgctxt"], parts["msgid"], parts["msgstr"], tuple(files), fuzzy, old)
            )
    return entries


def has_words(english: str) -> bool:
    """False for a text that consists only of values, %s or {name}, which needs no translation."""
    return re.search("[A-Za-z]", SLOT.sub("", CONVERSION.sub("", english))) is not None


def slots_of(text: str) -> set[str]:
    return set(SLOT.findall(text))


def c_copy(source: Path, copy: Path) -> None:
    text = source.read_text(encoding="utf-8")
    for name, width in WIDTHS.items():
        text = re.sub(
            rf'" {name}\b(?: ")?',
            lambda found: width + ("" if found[0].endswith('"') else '"'),
            text,
        )
    # The text of an assertion is for developers.
    text = ASSERTION.sub(lambda found: re.sub(r'"[^"\n]*"', '""', found[0]), text)
    copy.write_text(text, encoding="utf-8")


def template_copy(source: Path, copy: Path) -> None:
    """The messages of a template, as a Python file with each on the line that it has there."""
    from jinja2.ext import babel_extract

    lines = [""] * (source.read_text(encoding="utf-8").count("\n") + 2)
    with source.open("rb") as file:
        for line, _function, message, _comments in babel_extract(
            file, ("_", "gettext"), [], {"trimmed": "true"}
        ):
            if isinstance(message, tuple):  # a call with values to be filled in
                message = message[0]
            if isinstance(message, str):
                lines[line] += f"_({message!r}); "
    copy.write_text("\n".join(lines[1:]), encoding="utf-8")


def kernel_copy(source: Path, copy: Path) -> None:
    """The comments of a kernel file, as template_copy does."""
    wanted = re.compile(r"// (?:--- )?(\S.*?)(?: -+)?$")
    found = [wanted.search(line) for line in source.read_text(encoding="utf-8").splitlines()]
    lines = [f"_({comment[1]!r})" if comment else "" for comment in found]
    copy.write_text("\n".join(lines), encoding="utf-8")


def c_sources(root: Path) -> list[Path]:
    folders = [*(root / "grader" / folder for folder in C_FOLDERS), root / "tests/kernels"]
    paths = [path.relative_to(root) for folder in folders for path in folder.rglob("*.[ch]")]
    return sorted(path for path in paths if not C_NOT.search(str(path)))


def extract(root: Path) -> Path:
    """Writes all messages of the sources to build/texts/messages.pot."""
    c_files = c_sources(root)
    python_files = sorted(
        path.relative_to(root)
        for pattern in ("class/**/*.py", "report/**/*.py", "tools/handout.py", "tools/notebook.py")
        for path in (root / "grader").glob(pattern)
    )
    templates = sorted(
        path.relative_to(root) for path in (root / "grader" / "report").rglob("*.html")
    )
    kernels = [STANDALONE] if (root / STANDALONE).is_file() else []
    pot = root / SOURCES
    pot.parent.mkdir(parents=True, exist_ok=True)
    common = [
        "--from-code=UTF-8",
        "--add-location=file",
        "--no-wrap",
        "--sort-by-file",
        "--keyword",
        "--keyword=_",
    ]
    common += [
        "--keyword=N_",
        "--keyword=KEY_",
        "--keyword=C_:1c,2",
        "--keyword=SAY:1",
        "--flag=_:1:pass-c-format",
        "--flag=N_:1:pass-c-format",
    ]
    sinks = [
        word
        for name, at in SINKS.items()
        for word in (f"--keyword={name}:{at}", f"--flag={name}:{at}:c-format")
    ]
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        for path in (*c_files, *python_files, *templates, *kernels):
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
        for path in c_files:
            c_copy(root / path, tree / path)
        for path in python_files:
            (tree / path).write_bytes((root / path).read_bytes())
        for path in templates:
            template_copy(root / path, tree / path)
        for path in kernels:
            kernel_copy(root / path, tree / path)
        parts = []
        for language, files, more in (
            ("C", c_files, sinks),
            (
                "Python",
                python_files + templates + kernels,
                ["--keyword=Trouble", "--keyword=Locked"],
            ),
        ):
            if files:
                parts.append(tree / f"{language}.pot")
                tool(
                    "xgettext",
                    "-L",
                    language,
                    "--force-po",
                    *common,
                    *more,
                    f"--directory={tree}",
                    "-o",
                    parts[-1],
                    *files,
                )
        tool(
            "msgcat",
            "--use-first",
            "--force-po",
            "--no-wrap",
            "--add-location=file",
            "-o",
            pot,
            *parts,
        )
    # A date would make two branches differ although their texts are the same.
    text = pot.read_text(encoding="utf-8")
    pot.write_text(
        re.sub(r'"(POT-Creation-Date|Report-Msgid-Bugs-To):.*\n', "", text, count=2), "utf-8"
    )
    return pot


def unmarked(root: Path, wanted: set[str]) -> list[str]:
    """Strings of C that look like a sentence for people and are not looked up, one line each."""
    files = [path for path in c_sources(root) if path.parts[1] in SENTENCE_FOLDERS]
    if not files:
        return []
    found = []
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        for path in files:
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            c_copy(root / path, tree / path)
        everything = tree / "all.pot"
        common = ["--from-code=UTF-8", "--add-location=file", "--no-wrap", "--force-po"]
        tool("xgettext", "-a", "-L", "C", *common, f"--directory={tree}", "-o", everything, *files)
        for one in entries_read(everything):
            text = CONVERSION.sub("", one.english)
            if (
                one.english not in wanted
                and re.search(r"[a-z]{2,}[,:;]? [a-z]{2,}", text)
                and not SENTENCE_NOT.search(one.english)
            ):
                found.append(f"{one.files[0]}: a text for people is not marked: {one.english!r}")
    return found


def breaks(root: Path) -> list[str]:
    """The errors of the catalogue, one line each."""
    wanted = {(one.context, one.english): one for one in entries_read(extract(root))}
    have = {
        (one.context, one.english): one
        for one in entries_read(root / CATALOGUE)
        if not one.obsolete
    }
    found = []
    for key, one in wanted.items():
        mine = have.get(key)
        where = one.files[0] if one.files else "?"
        if (mine is None or not mine.translation) and has_words(one.english):
            found.append(f"{where}: no Chinese for {one.english!r}")
        elif mine and mine.fuzzy:
            found.append(f"{where}: the Chinese is marked fuzzy for {one.english!r}")
        elif mine and mine.translation and slots_of(mine.translation) != slots_of(one.english):
            found.append(f"{where}: the Chinese has other {{names}} for {one.english!r}")
    for key, one in have.items():
        if key not in wanted:
            found.append(f"{CATALOGUE}: no source says {one.english!r} any more")
    for one in entries_read(root / CATALOGUE):
        if one.obsolete:
            found.append(f"{CATALOGUE}: remove what is obsolete: {one.english!r}")
    found += unmarked(root, {english for _context, english in wanted})
    checked = subprocess.run(
        ["msgfmt", "--check-format", "-o", "/dev/null", root / CATALOGUE],
        capture_output=True,
        text=True,
    )
    if checked.returncode != 0:
        found += checked.stderr.splitlines()
    return found


def c_string(text: str) -> str:
    escapes = {"\\": r"\\", '"': r"\"", "\n": r"\n", "\t": r"\t", "?": r"\?", "\4": r"\004"}
    return '"' + "".join(escapes.get(letter, letter) for letter in text) + '"'


def table(root: Path) -> str:
    """The translations as C, sorted as strcmp does."""
    pairs = {
        (f"{one.context}\4" if one.context else "") + one.english: one.translation
        for one in entries_read(root / CATALOGUE)
        if one.translation and not one.fuzzy and not one.obsolete
    }
    rows = [
        f"    {{{c_string(english)},\n     {c_string(pairs[english])}}},"
        for english in sorted(pairs, key=str.encode)
    ]
    return "\n".join(
        [
            f"// Made by texts.py from {CATALOGUE}.",
            '#include "base/words.h"',
            "",
            "static const struct translation entries[] = {",
            *rows,
            "};",
            "",
            'const struct texts texts_zh = {"zh", entries, sizeof entries / sizeof *entries};',
            "",
        ]
    )


def main(words: list[str]) -> int:
    if not words or words[0] not in ("check", "update", "table") or len(words) > 2:
        sys.exit(__doc__)
    root = Path(words[1] if len(words) > 1 else ".")
    if words[0] == "table":
        part = root / f"{TABLE}.{os.getpid()}"  # another make may read the table
        part.write_text(table(root), encoding="utf-8")
        part.rename(root / TABLE)
        return 0
    if words[0] == "update":
        pot = extract(root)
        tool(
            "msgmerge",
            "--quiet",
            "--update",
            "--backup=none",
            "--no-fuzzy-matching",
            "--no-wrap",
            "--add-location=file",
            root / CATALOGUE,
            pot,
        )
    found = breaks(root)
    print(*found, sep="\n", end="\n" if found else "")
    if found:
        print(
            f"{len(found)} to fix in {CATALOGUE}: `python3 grader/tools/texts.py update` brings it"
            " up to date, then write each msgstr that is empty, and remove what is obsolete"
        )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
