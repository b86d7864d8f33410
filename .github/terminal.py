#!/usr/bin/python3
"""Draws the picture of README.md: a mistake, its message, and the fix, as a terminal shows them.

Usage: terminal.py, after `make`.  It tries the reference of `tiled` without its second barrier, then
with it, in a copy of the course, and writes .github/terminal.svg: the colours are those of the
program, the words its own.
"""

from __future__ import annotations

import difflib
import html
import os
import pty
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
COLUMNS = 80
LINE, WIDTH, MARGIN = 19, 8.43, 16  # pixels: of a line, of a letter, around the text
INK = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff", "36": "#56d4dd"}
BRIGHT, PLAIN, DIM = "#ffffff", "#c9d1d9", "#8b949e"


def shown(course: Path, *words: str) -> str:
    """What a program prints on a terminal."""
    master, terminal = pty.openpty()
    environment = os.environ | {"COLUMNS": str(COLUMNS), "TERM": "xterm", "LC_ALL": "C.UTF-8"}
    environment.pop("NO_COLOR", None)
    with subprocess.Popen(
        words, cwd=course, env=environment, stdin=terminal, stdout=terminal, stderr=terminal
    ):
        os.close(terminal)
        output = b""
        try:
            while part := os.read(master, 65536):
                output += part
        except OSError:  # the other end is closed
            pass
    text = output.decode().replace("\r\n", "\n")
    return re.sub(r"[^\n]*\r\033\[K", "", text).rstrip("\n") + "\n"


def spans(line: str) -> str:
    """A line as SVG: each run of one colour is a tspan."""
    found, ink, bold, dim = "", "", False, False
    for part in re.split(r"(\033\[[\d;]*m)", line):
        if part.startswith("\033["):
            for code in part[2:-1].split(";"):
                ink = INK.get(code, "" if code in ("", "0", "39") else ink)
                bold = code == "1" or (bold and code not in ("", "0", "22"))
                dim = code == "2" or (dim and code not in ("", "0", "22"))
        elif part:
            fill = ink or (DIM if dim else BRIGHT if bold else PLAIN)
            weight = ' font-weight="bold"' if bold else ""
            found += f'<tspan fill="{fill}"{weight}>{html.escape(part)}</tspan>'
    return found


def picture(text: str) -> str:
    lines = text.rstrip("\n").split("\n")
    longest = max(len(re.sub(r"\033\[[\d;]*m", "", line)) for line in lines)
    width = longest * WIDTH + 2 * MARGIN
    height = len(lines) * LINE + 2 * MARGIN
    rows = [
        f'<text x="{MARGIN}" y="{MARGIN + 14 + LINE * number}" xml:space="preserve">{spans(line)}</text>'
        for number, line in enumerate(lines)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}"'
        ' font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace"'
        f' font-size="14">\n<rect width="100%" height="100%" rx="8" fill="#0d1117"/>\n'
        + "\n".join(rows)
        + "\n</svg>\n"
    )


def main() -> None:
    reference = (ROOT / "reference/tiled.cu").read_text("utf-8")
    right = re.sub(r"^.*//@.*\n", "", reference, flags=re.M)
    at = right.rindex("        __syncthreads();")
    wrong = right[:at] + right[right.index("\n", at) + 1 :]
    with tempfile.TemporaryDirectory() as folder:
        course = Path(folder)
        for part in ("lessons", "reference", "student"):
            shutil.copytree(ROOT / part, course / part)
        (course / "student/tiled.cu").write_text(wrong, "utf-8")
        test = [str(ROOT / "build/tilegrade"), "test", "tiled"]
        before = shown(course, *test)
        (course / "student/tiled.cu").write_text(right, "utf-8")
        after = shown(course, *test)
    typed = "\033[2m$\033[0m \033[1m{}\033[0m\n".format
    lines = [*difflib.unified_diff(wrong.splitlines(), right.splitlines(), lineterm="", n=1)][3:]
    text = typed("make test tiled") + before + "\n" + typed("$EDITOR student/tiled.cu")
    text += "".join(f"\033[32m{line}\033[0m\n" if line[0] == "+" else f"{line}\n" for line in lines)
    text += "\n" + typed("make test tiled") + after
    (HERE / "terminal.svg").write_text(picture(text), "utf-8")


if __name__ == "__main__":
    main()
