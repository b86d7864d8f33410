#!/usr/bin/python3
"""Proves that two built trees judge alike: compare.py BASE [NAME...].

Both programs judge every kernel of this tree: references, stubs, wrong and right kernels, attacks
on the CPU device, and the kernels of tests/emu.  Exercises, the references that speed is compared
with, and the headers of the CPU device are each tree's own; submissions and seed are the same.
Verdicts, points, cases, findings, counts and all other fields of result.json must be equal.  Texts
for people may differ: --words lists them.

A kernel whose answers differ is judged again by both trees.  It is "unsteady", which is not a
difference, if the trees agree at least once, or differ only in what changes from run to run in
both: the clock may stop an endless loop at any of its instructions.  BASE's answers are kept in the
folder --cache, by the hash of its programs and of the kernel.

Exit code: 0 alike, 1 different, 2 bad usage.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import corpus
from corpus import ROOT, Kernel, course_copy, tree_hash

SEED = "5eed"
SECONDS_MAX = 900
AGAIN = 3  # times that a kernel whose answers differ is judged again
SHOWN_MAX = 12  # differences of one kernel
# Keys of texts for people.  Links are among them, and the layers of the sandbox on this machine.
WORDS = frozenset(
    "bound_text clause detail diagnostics doubt grader_version headline lesson message metric_text "
    "note occupancy_limit said sandbox title verdict_lesson verdict_title".split()
)
ABSENT = "(absent)"
Answer = dict[str, Any]


@dataclass(frozen=True)
class Side:
    root: Path
    folder: Path  # its courses
    key: str  # hash of its programs, headers and courses, and of this script
    toolchain: ModuleType
    rig: Any
    language: str  # of the texts for people


@dataclass(frozen=True)
class Difference:
    path: str
    old: Any
    new: Any

    def is_words(self) -> bool:
        """The line of a build error is only in its text: both texts must name the same places."""
        key = re.split(r"\W+", re.sub(r"(\[\d+\])+$", "", self.path))[-1]
        old, new = (set(re.findall(r"\.cu:\d+", str(text))) for text in (self.old, self.new))
        return key in WORDS and old == new

    def shown(self) -> str:
        old, new = (json.dumps(value, ensure_ascii=False) for value in (self.old, self.new))
        return f"{self.path}: {old[:200]} -> {new[:200]}"


def differences(old: Any, new: Any, path: str = "") -> Iterator[Difference]:
    """Every place where two answers differ, by its path in the JSON."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            place = f"{path}.{key}" if path else key
            yield from differences(old.get(key, ABSENT), new.get(key, ABSENT), place)
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            yield Difference(f"{path}.length", len(old), len(new))
        for i, (one, other) in enumerate(zip(old, new)):
            yield from differences(one, other, f"{path}[{i}]")
    elif (type(old), old) != (type(new), new):
        yield Difference(path, old, new)


def facts(old: Answer, new: Answer) -> list[Difference]:
    return [found for found in differences(old, new) if not found.is_words()]


@dataclass(frozen=True)
class Compared:
    kernel: Kernel
    old: Answer
    new: Answer
    agreed: bool

    def word(self) -> str:
        if not facts(self.old, self.new):
            return "alike"
        return "unsteady" if self.agreed else "differ"


# --- The two sides --------------------------------------------------------------------------------


def size_quartered(size: re.Match[str]) -> str:
    sides = [int(side) for side in size[0].split("x")]
    return "x".join(str(side // 4 if side >= 200 else side) for side in sides)


def side_make(root: Path, folder: Path, language: str) -> Side:
    """A tree's courses, with its own exercises and references."""
    for name in ("course", "small"):
        shutil.copytree(root / "lessons", folder / name / "lessons")
        shutil.copytree(root / "reference", folder / name / "reference")
    course_copy(folder / "sum", root / "tests/cli/course")
    for path in folder.glob("small/lessons/*/exercise.ini"):
        head, mark, sizes = path.read_text().partition("[counted]")
        path.write_text(head + mark + re.sub(r"^\d[\dx]*", size_quartered, sizes, flags=re.M))
    programs = sorted(root.glob("build/tilegrade*")) + sorted(root.glob("build/lib*.a"))
    tests = [root / "tests/emu/toolchain.py", root / "tests/emu/runner.c"]
    key = tree_hash([folder, (root / "grader").resolve(), *programs, *tests, Path(__file__)])
    name = f"toolchain_of_{folder.name}"  # each tree compiles by its own flags and headers
    spec = importlib.util.spec_from_file_location(name, tests[0])
    toolchain = importlib.util.module_from_spec(spec)
    sys.modules[name] = toolchain
    spec.loader.exec_module(toolchain)
    compiler = toolchain.Toolchain("g++")
    rig = toolchain.rig_make(compiler, folder, root / "build/libemu-worker.a")
    return Side(root, folder, f"{key} {language}", toolchain, rig, language)


def judge(side: Side, kernel: Kernel) -> Answer:
    with tempfile.TemporaryDirectory(prefix="compare-") as folder:
        Path(folder).chmod(0o755)  # programs in the sandbox may run as another user
        try:
            return (judge_in_course if kernel.course else run_alone)(side, kernel, Path(folder))
        except subprocess.TimeoutExpired as late:
            return {"exit": "none: it did not end", "said": str(late)}


def judge_in_course(side: Side, kernel: Kernel, folder: Path) -> Answer:
    environment = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    environment |= {"TMPDIR": str(folder), "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
    environment |= {"CUDA_VISIBLE_DEVICES": "", "TILEGRADE_LANGUAGE": side.language}
    command = [side.root / "build/tilegrade", *kernel.words, "--root", side.folder / kernel.course]
    command += ["--submission", kernel.path, "--device", "emu", "--seed", SEED, "--jobs", "1"]
    done = subprocess.run(
        [*command, "--out", folder / "out"],
        env=environment,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=SECONDS_MAX,
        check=False,
    )
    path = folder / "out/result.json"
    if path.exists():
        result = json.loads(path.read_text(encoding="utf-8"))
        timeless = {key: result[key] for key in result if key not in ("graded_at", "seconds")}
        return {"exit": done.returncode, "result": timeless}
    said = done.stdout.decode("utf-8", "backslashreplace")
    for place in (folder, side.folder, kernel.path):
        said = said.replace(str(place), "")
    return {"exit": done.returncode, "said": said}


def run_alone(side: Side, kernel: Kernel, folder: Path) -> Answer:
    """Runs a kernel under the runner of tests/emu twice: checked, then counted as well."""
    tools, (function, *words) = side.toolchain, kernel.words
    program, messages = tools.build(side.rig, kernel.path, function, folder)
    if program is None:
        return {"program": False, "said": messages.replace(str(side.root), "")}
    answer: Answer = {"program": True, "said": []}
    for name, options in (("checked", []), ("counted", ["count"])):
        done = tools.run(side.rig, program, *words, *options)
        lines = tools.lines_for_places(side.rig, program, done.stdout).splitlines()
        # The reason why nothing can be launched is a text for people.
        answer["said"] += [line for line in lines if line.startswith("configuration: ")]
        left_out = ["configuration: "]
        if any(line.startswith("finding out_of_bounds ") for line in lines):
            left_out += ["C ", "bytes of C "]  # may hold an address that was loaded
        answer[name] = [line for line in lines if not line.startswith(tuple(left_out))]
        answer[name].append(f"exit {done.returncode}")
    return answer


def judge_kept(side: Side, kernel: Kernel, cache: Path) -> Answer:
    """The answer in the cache, or a new one, which is added to it."""
    key = f"{side.key} {tree_hash([kernel.path])} {kernel.course} {kernel.words}"
    path = cache / f"{hashlib.sha256(key.encode()).hexdigest()}.json"
    if path.exists():
        return json.loads(path.read_text(encoding="utf-8"))
    answer = judge(side, kernel)
    with tempfile.NamedTemporaryFile("w", dir=cache, delete=False, encoding="utf-8") as file:
        json.dump(answer, file)
    os.replace(file.name, path)
    return answer


def agree(before: list[Answer], after: list[Answer]) -> bool:
    """Whether two answers are equal, or differ only in what changes in each run of both sides."""
    if not all(facts(a, b) for a in before for b in after):
        return True
    changing = [{one.path for b in side for one in facts(side[0], b)} for side in (before, after)]
    return {one.path for one in facts(before[0], after[0])} <= changing[0] & changing[1]


def compared(old: Side, new: Side, kernels: list[Kernel], cache: Path) -> list[Compared]:
    """Judges every kernel on both sides, and again if the answers differ."""
    found = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:

        def one(kernel: Kernel) -> Compared:
            before, after = [judge_kept(old, kernel, cache)], [judge(new, kernel)]
            for _ in range(AGAIN if facts(before[0], after[0]) else 0):
                before.append(judge(old, kernel))
                after.append(judge(new, kernel))
            return Compared(kernel, before[0], after[0], agree(before, after))

        for one_more in pool.map(one, kernels):
            found.append(one_more)
            if len(found) % 50 == 0:
                print(f"{len(found)} of {len(kernels)} kernels", file=sys.stderr)
    return found


# --- What is printed ------------------------------------------------------------------------------


def table_print(found: list[Compared]) -> None:
    rows: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for one in found:
        parts = one.kernel.name.split("/")
        for row in ("/".join(parts[: 2 if parts[0] == "tests" else 1]), "all"):
            rows[row].update(["kernels", one.word()])
    columns = ("kernels", "differ", "unsteady")
    print(f"{'':16}" + "".join(f"{column:>10}" for column in columns))
    for row in [name for name in rows if name != "all"] + ["all"]:
        print(f"{row:16}" + "".join(f"{rows[row][column]:10}" for column in columns))


def differences_print(one: Compared) -> None:
    places = facts(one.old, one.new)
    print(f"{one.kernel.name}: {one.word()}")
    print("".join(f"    {place.shown()}\n" for place in places[:SHOWN_MAX]), end="")
    if len(places) > SHOWN_MAX:
        print(f"    and {len(places) - SHOWN_MAX} more")


def words_print(found: list[tuple[str, Difference]]) -> None:
    """Prints each pair of texts once."""
    pairs: dict[tuple[str, str], list[str]] = collections.defaultdict(list)
    for name, one in found:
        pairs[json.dumps(one.old), json.dumps(one.new)].append(f"{name} {one.path}")
    for (old, new), places in pairs.items():
        print(f"words, {len(places)} times, first {places[0]}\n    {old}\n    {new}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    add = parser.add_argument
    add("base", type=Path, help="the other checkout, built")
    add("names", nargs="*", help="judge only kernels whose path contains one of these")
    add("--tree", type=Path, default=ROOT, help="the checkout to compare; default: this one")
    add("--words", action="store_true", help="list the texts that differ")
    add("--language", default="en", choices=("en", "zh"), help="the language of the texts")
    add("--full", action="store_true", help="count right kernels at full sizes too")
    add("--cache", type=Path, default=ROOT / "build/compare", help="folder of BASE's answers")
    options = parser.parse_intermixed_args()
    base, tree = options.base.resolve(), options.tree.resolve()
    for root in (base, tree):
        if not (root / "build/tilegrade").exists():
            parser.error(f"{root}/build/tilegrade does not exist; build that checkout first")
    options.cache.mkdir(parents=True, exist_ok=True)
    print("".join(f"{line}\n" for line in corpus.changes_since(base)), end="")
    with tempfile.TemporaryDirectory(prefix="compare-") as temporary:
        folder = Path(temporary)
        folder.chmod(0o755)  # programs in the sandbox may run as another user
        old_side, new_side = (
            side_make(root, folder / name, options.language)
            for name, root in (("base", base), ("tree", tree))
        )
        kernels = corpus.kernels(folder / "corpus", options.full, options.names)
        found = compared(old_side, new_side, kernels, options.cache)
    table_print(found)
    judged = [one.new for one in found if one.kernel.course]
    if judged and not any("result" in answer for answer in judged):
        parser.error(f"no kernel could be judged; for example: {judged[0].get('said')}")
    for one in found:
        if one.word() != "alike":
            differences_print(one)
    if options.words:
        pairs = [(one.kernel.name, two) for one in found for two in differences(one.old, one.new)]
        words_print([(name, one) for name, one in pairs if one.is_words()])
    return 0 if found and all(one.agreed for one in found) else 1


if __name__ == "__main__":
    sys.exit(main())
