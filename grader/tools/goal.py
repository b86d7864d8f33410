"""What to type in place of a goal of make that does not exist: goal.py CATALOGUE WORD GOAL...

Prints one line, in the language of say.sh.  The Makefile calls this only for its message, so a
machine without Python loses only the proposal.
"""

from __future__ import annotations

import difflib
import subprocess
import sys
from pathlib import Path

from links import lessons_of


def exercise_of(word: str) -> str | None:
    """The exercise that a word may mean: its name, number, folder or file."""
    patterns = lessons_of(Path(word).name)
    found = [folder.name for pattern in patterns for folder in Path().glob(pattern)]
    return found[0].partition("_")[2] if found else None


def main() -> None:
    catalogue, word, *goals = sys.argv[1:]

    def _(english: str, *values: str) -> None:
        subprocess.run(["bash", "grader/tools/say.sh", catalogue, english, *values], check=False)

    near = difflib.get_close_matches(word.lower(), goals, n=1)
    if exercise := exercise_of(word):
        _("there is no target '%s' here; to try this exercise: `make test %s`", word, exercise)
    elif near:
        _("there is no target '%s' here; did you mean `make %s`?", word, near[0])
    else:
        _("there is no target '%s' here; `make help` names those that there are", word)


if __name__ == "__main__":
    main()
