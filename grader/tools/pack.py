"""Packs the course for a learning platform that grades: pack.py gradescope|autolab OUT.

gradescope: OUT/autograder.zip, with setup.sh and run_autograder at its root.
autolab:    OUT/autograde.tar and OUT/autograde-Makefile.
Both hold the course with its references, which students must not see.  Equal files give equal
packages.  Exit codes: 0 written, 2 bad usage or no references here, 3 cannot write.
"""

from __future__ import annotations

import io
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "grader/templates"
PARTS = ("Makefile", "LICENSE", "README.md", "grader", "lessons", "reference")
LEFT_OUT = {"__pycache__"}
DATE = (2026, 1, 1, 0, 0, 0)  # the date of every entry


def course_files() -> list[Path]:
    """The files that grading needs, relative to the root, always in the same order."""
    found = []
    for part in PARTS:
        path = ROOT / part
        found += [path] if path.is_file() else sorted(path.rglob("*"))
    return [
        path.relative_to(ROOT)
        for path in found
        if path.is_file() and not LEFT_OUT & set(path.parts)
    ]


def mode_of(path: Path) -> int:
    return 0o755 if path.stat().st_mode & 0o100 else 0o644


def gradescope(out: Path) -> None:
    entries = [(path.name, path) for path in sorted((TEMPLATES / "gradescope").iterdir())]
    entries += [(f"course/{path}", ROOT / path) for path in course_files()]
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in entries:
            info = zipfile.ZipInfo(name, DATE)
            info.external_attr = (0o100000 | mode_of(path)) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, path.read_bytes())


def autolab(out: Path) -> None:
    with tarfile.open(out, "w", format=tarfile.PAX_FORMAT) as archive:
        for path in course_files():
            content = (ROOT / path).read_bytes()
            info = tarfile.TarInfo(f"course/{path}")
            info.size = len(content)
            info.mode = mode_of(ROOT / path)
            archive.addfile(info, io.BytesIO(content))
    shutil.copyfile(TEMPLATES / "autolab/autograde-Makefile", out.parent / "autograde-Makefile")


PACKERS = {"gradescope": (gradescope, "autograder.zip"), "autolab": (autolab, "autograde.tar")}


def pack(place: str, out: Path) -> Path:
    """Writes the package by rename: an earlier one stays until the new one is whole."""
    packer, name = PACKERS[place]
    part = out / f"{name}.part"
    try:
        packer(part)
        part.replace(out / name)
    except OSError:
        part.unlink(missing_ok=True)
        raise
    return out / name


def main(arguments: list[str]) -> int:
    if len(arguments) != 2 or arguments[0] not in PACKERS:
        print(f"pack: usage: pack.py {'|'.join(PACKERS)} OUT", file=sys.stderr)
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
        print(pack(arguments[0], out))
    except OSError as error:
        print(f"pack: {error.filename or out}: {error.strerror}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
