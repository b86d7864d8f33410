"""The goals of the Makefile: its own, and the commands that it passes on to the program."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def listed(name: str) -> set[str]:
    """The words of a variable of the Makefile."""
    text = (ROOT / "Makefile").read_text("utf-8").replace("\\\n", " ")
    found = re.search(rf"^{name} := (.*)$", text, re.M)
    assert found, name
    return set(found[1].split())


def goals() -> set[str]:
    return listed("COMMANDS") | listed("GOALS")
