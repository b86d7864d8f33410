"""An attack as data: tests/attacks/NAME/attack.ini, and how it becomes a submission.

attack.py FOLDER [NAME…]  writes the whole kernel file of each attack to FOLDER/NAME/sum.cu
"""

from __future__ import annotations

import configparser
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from world import World

HERE = Path(__file__).resolve().parent
DATA, MAKER = "attack.ini", "make.py"
KERNEL, CHANGES = "sum.cu", "sum.diff"
HONEST = HERE / "control_honest" / KERNEL
DEFAULTS = {
    "exercise": "sum",
    "command": "grade",
    "submission": "",
    "arguments": "",
    "verdict": "",
    "says": "",
    "never": "",
    "exit": "1",
    "points": "0",
    "seconds": "60",
    "system": "no",
    "gpu": "no",
}
REQUIRED = ("idea", "kind")


@dataclass(frozen=True)
class Attack:
    name: str
    idea: str
    kind: str
    exercise: str
    command: str
    submission: str  # a pattern within the folder of the submission; empty: that folder
    arguments: tuple[str, ...]
    verdict: tuple[str, ...]  # any of these, for the exercise; empty: there is no result
    says: tuple[str, ...]
    never: tuple[str, ...]
    exit: tuple[int, ...]  # any of these
    points: tuple[int, int]  # milli-points: the least and the most
    seconds: float
    system: bool  # asks the operating system for something: runs under every set of layers
    gpu: str  # "no", "yes", or "compiled": refused by NVRTC or by what is read in its output
    without: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]  # what differs without a layer


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def _convert(values: dict[str, str]) -> dict:
    converted: dict = dict(values)
    for key in ("says", "never"):
        converted[key] = _lines(values[key])
    converted["arguments"] = tuple(values["arguments"].split())
    converted["verdict"] = tuple(values["verdict"].split())
    converted["exit"] = tuple(int(code) for code in values["exit"].split())
    least, _, most = values["points"].partition("-")
    converted["points"] = (int(least), int(most or least))
    converted["seconds"] = float(values["seconds"])
    converted["system"] = {"yes": True, "no": False}[values["system"]]
    if values["gpu"] not in ("no", "yes", "compiled"):
        raise ValueError(f"gpu = {values['gpu']}")
    return converted


def attack_load(folder: Path) -> Attack:
    parser = configparser.ConfigParser(interpolation=None)
    parser.read_string((folder / DATA).read_text(encoding="utf-8"))
    given = dict(parser["attack"])
    unknown = set(given) - set(DEFAULTS) - set(REQUIRED)
    if unknown or not all(given.get(key) for key in REQUIRED):
        raise ValueError(f"{folder.name}/{DATA}: keys {sorted(unknown) or REQUIRED}")
    without = []
    for section in parser.sections():
        if section != "attack":
            word, layer = section.split()
            if word != "without" or set(parser[section]) - set(DEFAULTS):
                raise ValueError(f"{folder.name}/{DATA}: section {section}")
            without.append((layer, tuple(parser[section].items())))
    values = _convert({**DEFAULTS, **given})
    return Attack(name=folder.name, without=tuple(without), **values)


def attacks() -> list[Attack]:
    return [attack_load(path.parent) for path in sorted(HERE.glob("*/" + DATA))]


def attack_under(attack: Attack, off: set[str]) -> Attack:
    """What is expected if these layers are off."""
    for layer, changes in attack.without:
        if layer in off:
            given = _convert({**DEFAULTS, **dict(changes)})
            attack = replace(attack, **{key: given[key] for key, _ in changes})
    return attack


def lines_change(honest: list[str], changes: list[str]) -> list[str]:
    """The lines of a file with the changes of a diff, whose places are found by the text of lines.

    " line" is the next line of the file, "-line" the next line, which is removed, "+line" a new
    line. "@@" skips lines up to the next one that is given, and the start of the diff does so too.
    """
    made, at, apart = [], 0, True
    for change in changes:
        mark, line = change[:1] or " ", change[1:]
        if mark == "+":
            made.append(line)
        elif change == "@@":
            apart = True
        elif mark in " -" and line in (honest[at:] if apart else honest[at : at + 1]):
            found = honest.index(line, at)
            made += honest[at : found + (mark == " ")]
            at, apart = found + 1, False
        else:
            raise ValueError(f"not there below line {at}: {change!r}")
    return made + honest[at:]


def kernel_of(folder: Path) -> bytes | None:
    """The kernel file of an attack: a file of its own, or the honest kernel with other lines."""
    if (folder / KERNEL).exists():
        return (folder / KERNEL).read_bytes()
    if not (folder / CHANGES).exists():
        return None
    honest, changes = (
        path.read_bytes().decode("latin-1").split("\n") for path in (HONEST, folder / CHANGES)
    )
    try:
        return "\n".join(lines_change(honest, changes[:-1])).encode("latin-1")
    except ValueError as error:
        raise ValueError(f"{folder.name}/{CHANGES}: {error}") from None


def submission_make(attack: Attack, world: World) -> Path:
    """Writes the kernel file, with the names of this world put in, and runs make.py if there is
    one.  It makes what git cannot hold, such as links, archives and files of 60 MB."""
    names = {"@CANARY@": world.canary, "@SECRET@": world.secret, "@MARK@": world.mark}
    text = kernel_of(HERE / attack.name)
    if text is not None:
        for name, value in names.items():
            text = text.replace(name.encode(), os.fsencode(value))
        (world.submission / KERNEL).write_bytes(text)
    maker = HERE / attack.name / MAKER
    if maker.exists():
        environment = dict(os.environ, CANARY=str(world.canary), SECRET=str(world.secret))
        environment["MARK"] = world.mark
        environment["REFERENCE"] = str(world.course / "reference")
        subprocess.run(
            [sys.executable, str(maker)], cwd=world.submission, env=environment, check=True
        )
    if not attack.submission:
        return world.submission
    (path,) = world.submission.glob(attack.submission)
    return path


def folder_tidy(path: Path) -> None:
    shutil.rmtree(path, ignore_errors=True)


def main(arguments: list[str]) -> int:
    wanted = set(arguments[1:])
    for folder in sorted(path.parent for path in HERE.glob("*/" + DATA)):
        text = kernel_of(folder)
        if text is not None and (not wanted or folder.name in wanted):
            place = Path(arguments[0]) / folder.name
            place.mkdir(parents=True, exist_ok=True)
            (place / KERNEL).write_bytes(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
