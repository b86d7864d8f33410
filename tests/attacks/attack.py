"""An attack as data: tests/attacks/NAME/attack.ini, and how it becomes a submission."""

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
    submission: str  # within the folder of the submission; empty: that folder
    arguments: tuple[str, ...]
    verdict: tuple[str, ...]  # of the exercise, any of these; empty: there is no result
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
    """What is expected where these layers are off."""
    for layer, changes in attack.without:
        if layer in off:
            given = _convert({**DEFAULTS, **dict(changes)})
            attack = replace(attack, **{key: given[key] for key, _ in changes})
    return attack


def submission_make(attack: Attack, world: World) -> Path:
    """Copies the files, with the names of this world put in, and runs the maker where there is
    one: for what git cannot hold, such as links, archives and files of 60 MB."""
    names = {"@CANARY@": world.canary, "@SECRET@": world.secret, "@MARK@": world.mark}
    for path in (HERE / attack.name).iterdir():
        if path.name in (DATA, MAKER):
            continue
        text = path.read_bytes()
        for name, value in names.items():
            text = text.replace(name.encode(), os.fsencode(value))
        (world.submission / path.name).write_bytes(text)
    maker = HERE / attack.name / MAKER
    if maker.exists():
        environment = dict(os.environ, CANARY=str(world.canary), SECRET=str(world.secret))
        environment["MARK"] = world.mark
        environment["REFERENCE"] = str(world.course / "reference")
        subprocess.run(
            [sys.executable, str(maker)], cwd=world.submission, env=environment, check=True
        )
    return world.submission / attack.submission if attack.submission else world.submission


def folder_tidy(path: Path) -> None:
    shutil.rmtree(path, ignore_errors=True)
