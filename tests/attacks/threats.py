"""The list of grader/THREATS.md: every attack under its kind, with its expected outcome.

threats.py        writes them into the page
threats.py check  says what differs: old tables, a kind without a promise, a missing proof
"""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path

from attack import Attack, attacks

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "grader" / "THREATS.md"
BEGIN, END = "<!-- attacks -->", "<!-- /attacks -->"
WHERE = {"no": "", "compiled": ", if NVRTC is installed", "yes": ", on a GPU"}


def outcome(attack: Attack) -> str:
    if attack.exit == (0,) or attack.verdict == ("pass",):
        return "passes"
    if attack.verdict:
        return " or ".join(f"`{verdict}`" for verdict in attack.verdict)
    return "refused" if attack.exit == (2,) else "no result"


def item(text: str) -> str:
    return textwrap.fill(
        text.replace("<", "&lt;"),
        120,
        initial_indent="- ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def tables() -> str:
    kinds: dict[str, list[Attack]] = {}
    for attack in attacks():
        kinds.setdefault(attack.kind, []).append(attack)
    lines = [f"{sum(map(len, kinds.values()))} folders.", ""]
    for kind, members in sorted(kinds.items()):
        lines += [f"### {kind[0].upper()}{kind[1:]}", ""]
        for attack in members:
            layers = ", under every set of layers" if attack.system else ""
            layers += WHERE[attack.gpu]
            link = f"[{attack.name}](../tests/attacks/{attack.name})"
            lines.append(item(f"{link}: {attack.idea} → {outcome(attack)}{layers}"))
        lines.append("")
    return "\n".join(lines)


def page_make(text: str) -> str:
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{tables()}\n{END}{after}"


def problems(text: str) -> list[str]:
    found = []
    if page_make(text) != text:
        found.append("the tables of grader/THREATS.md are old: run tests/attacks/threats.py")
    promises = text.partition(BEGIN)[0]
    for kind in sorted({attack.kind for attack in attacks()} - {"controls"}):
        if f"*{kind}*" not in promises:
            found.append(f"grader/THREATS.md promises nothing of the kind *{kind}*")
    for path in re.findall(r"`((?:tests|grader|lessons)/[\w./-]+)`", promises):
        if not (ROOT / path).exists():
            found.append(f"grader/THREATS.md speaks of {path}, which is not there")
    return found


def main(arguments: list[str]) -> int:
    text = PAGE.read_text(encoding="utf-8")
    if arguments == ["check"]:
        found = problems(text)
        print("\n".join(found))
        return 1 if found else 0
    PAGE.write_text(page_make(text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
