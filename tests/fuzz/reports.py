"""result.json changed at random: each report must show it, or refuse it with its path.

Usage: reports.py BUILD SECONDS.  Starts from results that the grader writes and from artificial
ones.
"""

from __future__ import annotations

import copy
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / path) for path in ("grader/report", "tests/report", "tests")]

import make_result  # noqa: E402
import report  # noqa: E402
from parse import ResultError  # noqa: E402
from small import course_copy  # noqa: E402

CHANGES_MAX = 3
RENDER_SECONDS = 60  # for all formats of one result
ODD: list[Any] = [
    None, True, -1, 0, 1, 2**31, 2**63, 10**400, 0.5, -1e308, float("nan"), float("inf"),
    "", "x", "\x00", "\ud800", "</script>", "a" * 5000, [], {}, [[]], [None], [1, 2, 3, 4, 5],
]  # fmt: skip


def results_made(build: Path) -> list[str]:
    """A right and a wrong kernel, graded; and results of the tests of reports."""
    texts = []
    with tempfile.TemporaryDirectory() as name:
        wrong = Path(name) / "wrong"
        wrong.mkdir()
        course = course_copy(Path(name) / "course")
        source = (course / "tests/wrong/sum/no_bounds.cu").read_bytes()
        (wrong / "sum.cu").write_bytes(source)
        for submission in (course / "reference", wrong):
            words = [build / "tilegrade", "grade", "--device", "emu", "--root", course, "--seed=7"]
            words += ["--submission", submission, "--out", name]
            subprocess.run(words, stdout=subprocess.DEVNULL, check=False)
            texts.append((Path(name) / "result.json").read_text())
    generator = random.Random(1)
    texts += [json.dumps(make_result.random_result(generator)) for _ in range(4)]
    return texts


def places_of(value: Any, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Every place in a result: the list or object, and the index or key."""
    keys = value.keys() if isinstance(value, dict) else range(len(value))
    for key in keys:
        found.append((value, key))
        if isinstance(value[key], (dict, list)):
            places_of(value[key], found)
    return found


def changed(text: str, generator: random.Random) -> str:
    if generator.random() < 0.1:  # as bytes
        at = generator.randrange(len(text))
        return text[:at] + chr(generator.randrange(128)) + text[at + generator.randrange(3) :]
    data = json.loads(text)
    for _ in range(generator.randint(1, CHANGES_MAX)):
        places = places_of(data, [])
        holder, key = generator.choice(places)
        action = generator.random()
        if action < 0.2:
            del holder[key]
        elif action < 0.4:
            other, other_key = generator.choice(places)
            holder[key] = json.loads(json.dumps(other[other_key]))
        else:
            holder[key] = copy.deepcopy(generator.choice(ODD))
    return json.dumps(data)


class TooSlow(BaseException):
    """A report did not end."""


def too_slow(number: int, frame: object) -> None:
    raise TooSlow


def wrong_with(text: str) -> str | None:
    """What is wrong with how the reports handle this text; None if nothing is."""
    signal.signal(signal.SIGALRM, too_slow)
    signal.alarm(RENDER_SECONDS)
    try:
        return wrong_in_time(text)
    finally:
        signal.alarm(0)


def wrong_in_time(text: str) -> str | None:
    for name in report.formats():
        module = report.module_of(name)
        try:
            report.rendered(module, text, "result.json", "")
        except ResultError as error:
            if not str(error).startswith("result.json"):
                return f"{name}: a message: {error}"
        except (Exception, TooSlow):
            return f"{name}: {traceback.format_exc()}"
    return None


def fuzz(build: Path, seconds: float, most: int, seed: int) -> tuple[int, list[tuple[str, str]]]:
    """How many results were tried, and those that went wrong, with the reason."""
    texts = results_made(build)
    generator = random.Random(seed)
    found = []
    tried = 0
    until = time.monotonic() + seconds
    while time.monotonic() < until and tried < most:
        text = changed(generator.choice(texts), generator)
        wrong = wrong_with(text)
        if wrong:
            found.append((text, wrong))
        tried += 1
    return tried, found


def main(words: list[str]) -> int:
    seed = random.SystemRandom().randrange(2**32)
    tried, found = fuzz(Path(words[0]), float(words[1]), 2**63, seed)
    kinds = {wrong.strip().splitlines()[-1]: wrong for _, wrong in found}
    print("\n".join(kinds.values()))
    print(f"reports    {tried:>10} runs from seed {seed}, {len(found)} wrong in {len(kinds)} ways")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
