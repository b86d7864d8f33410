"""Packs the course for a platform that grades: pack.py gradescope|autolab OUT [ASSIGNMENT].

gradescope: OUT/autograder.zip, with setup.sh and run_autograder at its root.
autolab:    OUT/autograde.tar and OUT/autograde-Makefile.
Both hold the course with its references, which students must not see.  With an assignment, which
must be there, the package grades its exercises alone.  Equal files give equal packages.
Exit codes: 0 written, 2 bad usage or no references here, 3 cannot write.
"""

from __future__ import annotations

import io
import shutil
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "grader/templates"
PARTS = ("Makefile", "LICENSE", "README.md", "grader", "lessons", "reference")
DEFAULT = ROOT / "lessons/assignments/default"  # names the assignment that is meant
LEFT_OUT = {"__pycache__"}
DATE = (2026, 1, 1, 0, 0, 0)  # the date of every entry


@dataclass(frozen=True)
class Entry:
    name: str
    content: bytes
    mode: int


def entry_of(name: str, path: Path) -> Entry:
    return Entry(name, path.read_bytes(), 0o755 if path.stat().st_mode & 0o100 else 0o644)


def course_entries(assignment: str) -> list[Entry]:
    """The files that grading needs, always in the same order, with the assignment as default."""
    found = []
    for part in PARTS:
        path = ROOT / part
        found += [path] if path.is_file() else sorted(path.rglob("*"))
    files = [path for path in found if path.is_file() and not LEFT_OUT & set(path.parts)]
    names = {f"course/{path.relative_to(ROOT)}": path for path in files}
    default = f"course/{DEFAULT.relative_to(ROOT)}"
    if not assignment:
        return [entry_of(name, path) for name, path in names.items()]
    entries = [entry_of(name, path) for name, path in names.items() if name != default]
    return [*entries, Entry(default, f"{assignment}\n".encode(), 0o644)]


def gradescope(out: Path, assignment: str) -> None:
    scripts = sorted((TEMPLATES / "gradescope").iterdir())
    entries = [entry_of(path.name, path) for path in scripts] + course_entries(assignment)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry in entries:
            info = zipfile.ZipInfo(entry.name, DATE)
            info.external_attr = (0o100000 | entry.mode) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, entry.content)


def autolab(out: Path, assignment: str) -> None:
    with tarfile.open(out, "w", format=tarfile.PAX_FORMAT) as archive:
        for entry in course_entries(assignment):
            info = tarfile.TarInfo(entry.name)
            info.size = len(entry.content)
            info.mode = entry.mode
            archive.addfile(info, io.BytesIO(entry.content))
    shutil.copyfile(TEMPLATES / "autolab/autograde-Makefile", out.parent / "autograde-Makefile")


PACKERS = {"gradescope": (gradescope, "autograder.zip"), "autolab": (autolab, "autograde.tar")}


def pack(place: str, out: Path, assignment: str) -> Path:
    """Writes the package by rename: an earlier one stays until the new one is whole."""
    packer, name = PACKERS[place]
    part = out / f"{name}.part"
    try:
        packer(part, assignment)
        part.replace(out / name)
    except OSError:
        part.unlink(missing_ok=True)
        raise
    return out / name


def main(arguments: list[str]) -> int:
    if len(arguments) not in (2, 3) or arguments[0] not in PACKERS:
        print(f"pack: usage: pack.py {'|'.join(PACKERS)} OUT [ASSIGNMENT]", file=sys.stderr)
        return 2
    assignment = arguments[2] if len(arguments) > 2 else ""
    if assignment and not DEFAULT.with_name(f"{assignment}.ini").is_file():
        print(f"pack: there is no {DEFAULT.with_name(assignment)}.ini", file=sys.stderr)
        return 2
    if not (ROOT / "reference").is_dir():
        print(
            "pack: there is no reference/ here; what grades is packed where the references are",
            file=sys.stderr,
        )
        return 2
    out = Path(arguments[1])
    try:
        out.mkdir(parents=True, exist_ok=True)
        print(pack(arguments[0], out, assignment))
    except OSError as error:
        print(f"pack: {error.filename or out}: {error.strerror}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
