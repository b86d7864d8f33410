"""The kernels of this tree that compare.py gives to both programs."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).resolve().parents[2]
PLACES = ("tests/emu", "tests/attacks", "tests", "grader/tools")
sys.path[:0] = [str(ROOT / path) for path in PLACES]

import attack  # noqa: E402  (these are found by the line above)
import kinds  # noqa: E402
import patches  # noqa: E402
import run as emulator  # noqa: E402
from small import course_copy  # noqa: E402

# Attacks name files that they must not read.  The place is fixed, so that an attack has the same
# hash in every run.
PLACE = Path(tempfile.gettempdir()) / "tilegrade-compare"
Chosen = Callable[[Path], bool]


@dataclass(frozen=True)
class Kernel:
    name: str  # its path in this tree
    path: Path  # the submission; if it is only for the emulator, the source
    course: str  # a folder of Side.folder; empty: only for the emulator
    words: tuple[str, ...]  # for tilegrade; only for the emulator: the function, then the launch


def tree_hash(folders: list[Path]) -> str:
    """A hash of names, contents, and the targets of links."""
    digest = hashlib.sha256()
    for top in folders:
        paths = [top] if top.is_symlink() or not top.is_dir() else sorted(top.rglob("*"))
        for path in (path for path in paths if "__pycache__" not in path.parts):
            mode = os.lstat(path).st_mode
            digest.update(os.fsencode(path.relative_to(top)) + b"\0%d\0" % stat.S_IFMT(mode))
            if stat.S_ISLNK(mode):
                digest.update(os.fsencode(os.readlink(path)))
            elif stat.S_ISREG(mode):
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def kernel_texts(tree: Path) -> dict[str, bytes]:
    """The kernels of the course, by their paths in the tree.  Wrong ones may be patches there."""
    wrong = {name: os.fsencode(text) for name, text in patches.wrong_texts(tree).items()}

    def files(pattern: str) -> dict[str, bytes]:
        found = sorted(tree.glob(pattern))
        return {str(path.relative_to(tree)): path.read_bytes() for path in found}

    return {
        **files("reference/*.cu"),
        **files("student/*.cu"),
        **wrong,
        **files("tests/right/*/*.cu"),
    }


def changes_since(base: Path) -> Iterator[str]:
    """Kernels that were changed or removed since then: both trees judge those of this tree."""
    here = kernel_texts(ROOT)
    for name, text in kernel_texts(base).items():
        if name not in here:
            yield f"only in {base}: {name}"
        elif here[name] != text:
            yield f"other text than in {base}: {name}"


def course_kernels(folder: Path, full: bool, chosen: Chosen) -> Iterator[Kernel]:
    """Counts references at the sizes of their exercises, other kernels at about a quarter."""
    for name, text in kernel_texts(ROOT).items():
        path = Path(name)
        if not chosen(path):
            continue
        exercise = path.stem if len(path.parts) == 2 else path.parts[2]
        submission = folder / path.with_suffix("")
        submission.mkdir(parents=True)
        (submission / f"{exercise}.cu").write_bytes(text)
        course = "course" if full or path.parts[0] == "reference" else "small"
        yield Kernel(name, submission, course, ("grade", "--exercise", exercise))


def kind_kernels(chosen: Chosen) -> Iterator[Kernel]:
    for path in filter(chosen, (path.relative_to(ROOT) for path in kinds.kernels())):
        text = (ROOT / path).read_text()
        launch = (kinds.header(text, "launch"), "check", "show", kinds.BUDGET)
        yield Kernel(str(path), ROOT / path, "", (path.parent.name, *launch))


def emulator_kernels(chosen: Chosen) -> Iterator[Kernel]:
    paths = [path.relative_to(ROOT) for path in sorted(ROOT.glob("tests/emu/*.cu"))]
    for path in filter(chosen, paths):
        expected = emulator.expectation_read((ROOT / path).read_text())
        options = [option for option in expected.options if option != "nocheck"]
        check = [] if "nocheck" in expected.options else ["check"]
        words = ("matmul_test", expected.launch, *check, *options)
        yield Kernel(str(path), ROOT / path, "", words)


def attack_kernels(folder: Path, chosen: Chosen) -> Iterator[Kernel]:
    """Attacks on the CPU device, as tests/attacks makes them, but with fixed paths in them."""
    PLACE.mkdir(exist_ok=True)
    for file in ("open.txt", "secret.txt"):
        (PLACE / file).write_text("canary\nint canary_2 = 3;\n", encoding="ascii")
    course_copy(PLACE / "course")
    for one in attack.attacks():
        name = Path("tests/attacks", one.name)
        if one.gpu != "no" or not chosen(name):
            continue
        world = SimpleNamespace(
            canary=PLACE / "open.txt",
            secret=PLACE / "secret.txt",
            mark="tilegrade_attack_compare",
            course=PLACE / "course",
            submission=folder / "attacks" / one.name,
        )
        world.submission.mkdir(parents=True)
        path = attack.submission_make(one, world)
        words = (one.command, "--exercise", one.exercise, *one.arguments)
        yield Kernel(str(name), path, "sum", words)


def kernels(folder: Path, full: bool, names: list[str]) -> list[Kernel]:
    """Writes submissions into the folder: all kernels, or those whose paths contain a name."""

    def chosen(path: Path) -> bool:
        return not names or any(name in str(path) for name in names)

    found = [*course_kernels(folder, full, chosen), *kind_kernels(chosen)]
    return found + [*emulator_kernels(chosen), *attack_kernels(folder, chosen)]
