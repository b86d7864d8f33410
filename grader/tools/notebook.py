"""A notebook of the course, for Jupyter or Colab: notebook.py COURSE writes lessons/notebook.ipynb.

One cell sets the machine up.  Each exercise has a cell with its file, one that tests it, and one
that draws its page below.  The stubs are those of COURSE/student, so it holds a student's own work
if there is any.  Exit codes: 0 written, 2 no course there.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "report"))
# pylint: disable=wrong-import-position
from language import _, language_used
from practice.lessons import language_of
from reading.sections import in_language

SETUP = '''\
COURSE = "{address}"  # the repository of your course; not used if this notebook is in it

import html
import os
import subprocess
from pathlib import Path
from IPython.display import HTML, display

os.environ["TERM"] = "dumb"  # lines of progress would be kept below a cell
os.environ.pop("DISPLAY", None)  # no browser
if Path("../grader").is_dir():
    os.chdir("..")
elif not Path("grader").is_dir():
    subprocess.run(["git", "clone", "-q", COURSE, "course"], check=True)
    os.chdir("course")


def show(name):
    """Tests a kernel and draws its page, with pictures, below the cell."""
    page = Path("build/test/report.html")
    page.unlink(missing_ok=True)
    done = subprocess.run(["make", "-s", "show", f"EX={{name}}"], capture_output=True, text=True)
    if page.is_file():
        text = html.escape(page.read_text())
        style = "width: 100%; height: 40em; border: 0"
        display(HTML(f'<div><iframe srcdoc="{{text}}" style="{{style}}"></iframe></div>'))
    else:
        print(done.stdout, done.stderr)


!make -s setup all
'''


def cell(kind: str, text: str, number: int) -> dict[str, object]:
    code = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {
        "cell_type": kind,
        "id": f"cell-{number}",
        "metadata": {},
        "source": text.splitlines(keepends=True),
        **code,
    }


def address_of(course: Path) -> str:
    """The URL to clone the course from, if it was cloned."""
    command = ["git", "-C", str(course), "remote", "get-url", "origin"]
    try:
        found = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    except FileNotFoundError:  # git is not installed
        found = ""
    return found if found.startswith("https://") else "https://github.com/OWNER/COURSE"


def texts_of(course: Path) -> list[tuple[str, str]]:
    """Kind and text of each cell."""
    texts = [
        ("markdown", _("# Exercises\n\nRun the cells from the top. No GPU is needed.\n")),
        ("code", SETUP.format(address=address_of(course))),
    ]
    for folder in sorted((course / "lessons").glob("[0-9]*_*")):
        name = folder.name.partition("_")[2]
        kernel = course / f"student/{name}.cu"
        if not kernel.is_file():
            continue
        text = kernel.read_text(encoding="utf-8")
        lesson = in_language(f"lessons/{folder.name}/lesson.md")
        texts += [
            ("markdown", f"## {name}\n\n" + _("Read `%(page)s`.", page=lesson) + "\n"),
            ("code", f"%%writefile student/{name}.cu\n{text}"),
            ("code", f"!make -s test EX={name}\n"),
            ("code", f"!make -s hint EX={name}\n"),
            ("code", f'show("{name}")\n'),
        ]
    return [*texts, ("code", "!make -s submit\n")]


def main(arguments: list[str]) -> int:
    course = Path(arguments[0] if arguments else ".")
    if len(arguments) > 1 or not (course / "lessons").is_dir():
        print("notebook: usage: notebook.py COURSE, a folder with lessons/", file=sys.stderr)
        return 2
    notebook = {
        "cells": [cell(kind, text, i) for i, (kind, text) in enumerate(texts_of(course))],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    out = course / "lessons/notebook.ipynb"
    out.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(_("written: %(file)s", file=out))
    return 0


if __name__ == "__main__":
    with language_used(language_of(sys.argv)):
        sys.exit(main([word for word in sys.argv[1:] if not word.startswith("--language")]))
