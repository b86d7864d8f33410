#!/usr/bin/python3
"""Writes a whole CUDA program around a student's kernel: standalone.py ROOT EXERCISE OUT.

The program needs nothing of the course: it allocates, copies, launches, checks some elements of the
product, and prints the time. Exit codes: 0 written,
2 bad usage, or a kernel that is not a product.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from string import Template

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
# pylint: disable=wrong-import-position
from language import _, language_used
from practice.lessons import language_of, lesson_of

HEADERS = Path(__file__).resolve().parents[2] / "include"
TEMPLATE = Path(__file__).resolve().parents[1] / "templates/standalone.cu"
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]matmul\.cuh[">].*$', re.M)
PTX = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<](ptx\w*\.cuh)[">].*\n', re.M)
CONFIG = re.compile(r"\bLAUNCH_CONFIG\s*\(\s*(matmul_\w+)")
MACRO = re.compile(r"^[ \t]*#[ \t]*define(?:[^\n]*\\\n)*[^\n]*", re.M)
COMMENT = re.compile(r"(?<=// )(--- )?(\S.*?)( -+)?$", re.M)
LAUNCHED = re.compile(r"\bLAUNCH(?:_DEPENDENT)?\s*\(\s*(\w+)")


def with_ptx(text: str) -> str:
    """The text with ptx.cuh and its parts in place of their includes."""
    return PTX.sub(lambda found: with_ptx((HEADERS / found[1]).read_text("utf-8")), text)


def program(kernel: str, file: str) -> str:
    """The program around a kernel file.

    Errors: ValueError if the file has no LAUNCH_CONFIG of a product, if it has tensor maps, which
    the program does not encode, or if a macro has LAUNCH: then the names of its kernels are not
    known.
    """
    config = CONFIG.search(kernel)
    if not config:
        raise ValueError(
            _("it has no LAUNCH_CONFIG of a product; only a product has such a program")
        )
    if re.search(r"\btensor_maps\b", kernel):
        raise ValueError(_("it has tensor maps, which the program would not encode"))
    own = with_ptx(INCLUDE.sub("", kernel)).strip("\n")
    names = dict.fromkeys(LAUNCHED.findall(kernel))
    if LAUNCHED.search("".join(MACRO.findall(kernel))):
        raise ValueError(_("a macro has LAUNCH; name each kernel where it is launched"))
    table = "".join(f'{{"{name}", (const void *){name}}}, ' for name in names)
    template = COMMENT.sub(
        lambda found: f"{found[1] or ''}{_(found[2])}{found[3] or ''}",
        TEMPLATE.read_text("utf-8"),
    )
    return Template(template).substitute(kernel=own, name=config[1], file=file, table=table)


def main(arguments: list[str]) -> int:
    root = Path(arguments[0])
    lesson = lesson_of(root, arguments[1] if len(arguments) > 1 else "")
    source = root / "student" / f"{lesson.exercise}.cu" if lesson else root
    if not source.is_file():
        print(_("make pack standalone EX=name: name one exercise"), file=sys.stderr)
        return 2
    try:
        text = program(source.read_text("utf-8", "replace").lstrip("\ufeff"), source.name)
    except ValueError as problem:
        print(f"{source}: {problem}", file=sys.stderr)
        return 2
    out = Path(arguments[2]) if len(arguments) > 2 else root / f"build/standalone/{source.name}"
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text, "utf-8")
    except OSError as problem:
        print(f"{out}: {problem.strerror}", file=sys.stderr)
        return 2
    print(_("written: %(file)s", file=out))
    print(f"  nvcc -O3 -arch=native -o {out.with_suffix('')} {out} && {out.with_suffix('')} 1000")
    return 0


if __name__ == "__main__":
    with language_used(language_of(sys.argv)):
        sys.exit(main([word for word in sys.argv[1:] if not word.startswith("--language")]))
