"""Adds to a roster when each repository was pushed: roster.py PUSHES [ROSTER] prints a roster.

PUSHES has the columns id, github and received, one row a repository.  Without a roster, or if there
is no such file, it is the roster.  A roster has the columns id and github at least.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def joined(roster: list[dict[str, str]], pushes: list[dict[str, str]]) -> list[dict[str, str]]:
    """Each student with the time of the push; a time that the roster has itself counts."""
    times = {push["github"].casefold(): push["received"] for push in pushes}
    return [
        {**student, "received": student.get("received") or times.get(login.casefold(), "")}
        for student in roster
        for login in (student["github"],)
    ]


def main(pushes: Path, roster: Path) -> int:
    students = read(pushes)
    if roster.is_file():
        listed = read(roster)
        if not listed or not {"id", "github"} <= listed[0].keys():
            print(f"{roster}: the columns id and github are needed", file=sys.stderr)
            return 2
        students = joined(listed, students)
    writer = csv.DictWriter(sys.stdout, students[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows(students)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2] if len(sys.argv) > 2 else "")))
