"""What to type in place of a goal of make that does not exist: goal.py WORD GOAL...

Prints one line.  The Makefile calls this only for its message, so a machine without Python loses
only the proposal.
"""

from __future__ import annotations

import difflib
import sys
from pathlib import Path

from links import lessons_of


def exercise_of(word: str) -> str | None:
    """The exercise that a word may mean: its name, number, folder or file."""
    patterns = lessons_of(Path(word).name)
    found = [folder.name for pattern in patterns for folder in Path().glob(pattern)]
    return found[0].partition("_")[2] if found else None


def main() -> None:
    word, goals = sys.argv[1], sys.argv[2:]
    near = difflib.get_close_matches(word.lower(), goals, n=1)
    exercise = exercise_of(word)
    if exercise:
        advice = f"to try this exercise: `make test {exercise}`"
    elif near:
        advice = f"did you mean `make {near[0]}`?"
    else:
        advice = "`make help` names those that there are"
    print(f"there is no target '{word}' here; {advice}")


if __name__ == "__main__":
    main()
