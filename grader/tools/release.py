"""Makes the archive for machines where nothing can be installed: release.py OUT [ASSIGNMENT].

OUT/tilegrade.tar.gz holds what a handout holds, without make, and static programs for each
processor that has a compiler here.  Their libraries come from the packages of this system's own
archive, unpacked into build/release/, so neither root nor an installation is needed.
Exit codes: 0 written, 3 a package, a compiler or the build is missing.
"""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build/release"
TEMPLATES = ROOT / "grader/templates/release"
NAME = "tilegrade"
DATE = 1767225600  # 1 January 2026: the date of every file

PROCESSORS = {"amd64": "x86_64", "arm64": "aarch64"}  # by Debian's name
# Static libraries, with their headers.  glibc and libgcc come with the compiler.
PACKAGES = (
    "libjansson-dev libinih-dev libmd-dev libseccomp-dev libdw-dev libelf-dev libarchive-dev "
    "nettle-dev libacl1-dev liblz4-dev libzstd-dev libbz2-dev libbz2-1.0 liblzma-dev zlib1g-dev"
).split()
PROGRAMS = ("tilegrade", "tilegrade-inspect", "tilegrade-unpack", "emu-worker.o", "libemu-worker.a",
            "libexpected.a")
# The parts of grader/ that run or are read when a kernel is judged.
NOT_IN_RELEASE = shutil.ignore_patterns("Makefile", "notebook.ipynb")  # need make
PARTS = ("include", "emu/shim", "report", "templates/exercise")
PYTHON = ("jinja2", "markupsafe")  # for the page
MAKES = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")  # of the make that runs this: its CC is not ours


class ReleaseError(Exception):
    """One line for people."""


def run(*words: str, folder: Path = ROOT) -> None:
    own = {name: value for name, value in os.environ.items() if name not in MAKES}
    done = subprocess.run(words, cwd=folder, env=own, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        output = f"{done.stdout}{done.stderr}".rstrip()
        raise ReleaseError(f"`{' '.join(words[:4])} …` failed:\n{output}")


def packages_unpack(debian: str, sysroot: Path) -> None:
    """The packages for a processor, by apt's own configuration, with an index of its own."""
    apt = WORK / "apt" / debian
    for folder in ("state/lists/partial", "cache/archives/partial", "debs"):
        (apt / folder).mkdir(parents=True, exist_ok=True)
    (apt / "status").touch()
    options = (
        *(f"-oAPT::Architecture={debian}", f"-oAPT::Architectures={debian}"),
        *(f"-oDir::State={apt}/state", f"-oDir::State::status={apt}/status"),
        *(f"-oDir::Cache={apt}/cache", "-oAPT::Sandbox::User="),
    )
    run("apt-get", "-q", *options, "update")
    run("apt-get", "-q", *options, "download", *PACKAGES, folder=apt / "debs")
    sysroot.mkdir(parents=True, exist_ok=True)
    for package in sorted((apt / "debs").glob("*.deb")):
        run("dpkg", "-x", str(package), str(sysroot))


def programs_build(debian: str, into: Path) -> list[str]:
    """Builds the programs for a processor.  Returns the packages that are linked into them."""
    machine = f"{PROCESSORS[debian]}-linux-gnu"
    build = WORK / machine
    if not (build / "sysroot").is_dir():
        print(f"release: fetching libraries for {debian}")
        packages_unpack(debian, build / "sysroot.new")
        (build / "sysroot.new").rename(build / "sysroot")
    print(f"release: building for {debian}")
    names = [str((build / name).relative_to(ROOT)) for name in PROGRAMS]
    run("make", f"-j{os.cpu_count()}", f"STATIC={machine}", *names)
    into.mkdir(parents=True)
    for name in PROGRAMS:
        shutil.copy2(build / name, into)
    return sorted(path.name for path in (WORK / "apt" / debian / "debs").glob("*.deb"))


def licenses_write(linked: list[str], into: Path) -> None:
    into.mkdir()
    documents = next(WORK.glob("*-linux-gnu/sysroot/usr/share/doc"))
    for package in PACKAGES:
        shutil.copyfile(documents / package / "copyright", into / f"{package}.txt")
    for package in ("libc6", "libgcc-s1", "python3-jinja2", "python3-markupsafe"):
        text = Path("/usr/share/doc") / package / "copyright"
        if text.exists():
            shutil.copyfile(text, into / f"{package}.txt")
    versions = "".join(f"    {name.removesuffix('.deb').replace('%3a', ':')}\n" for name in linked)
    (into / "README.md").write_text(
        (TEMPLATES / "licenses.md").read_text("utf-8") + "\n" + versions, encoding="utf-8"
    )


def course_copy(folder: Path, assignment: str) -> None:
    """A handout without the files for make and for building the grader."""
    handout = WORK / "handout"
    shutil.rmtree(handout, ignore_errors=True)
    words = [f"--out={handout}", *([f"--assignment={assignment}"] if assignment else [])]
    run("build/tilegrade", "handout", *words)
    for part in ("lessons", "student", *(f"grader/{part}" for part in PARTS)):
        shutil.copytree(handout / part, folder / part, ignore=NOT_IN_RELEASE)
    (folder / "grader/tools").mkdir()
    shutil.copy2(handout / "grader/tools/submit.py", folder / "grader/tools")
    shutil.copy2(handout / "LICENSE", folder)
    (folder / "build/texts").mkdir(parents=True)
    shutil.copy2(ROOT / "build/texts/zh.mo", folder / "build/texts")
    for name in ("tilegrade", "README.md"):
        shutil.copy2(TEMPLATES / name, folder)
    for name in PYTHON:
        place = Path("/usr/lib/python3/dist-packages") / name
        if place.is_dir():
            left_out = shutil.ignore_patterns("__pycache__", "*.so", "*.c", "*.pyi")
            shutil.copytree(place, folder / "build/python" / name, ignore=left_out)


def _plain(info: tarfile.TarInfo) -> tarfile.TarInfo:
    info.mtime, info.uid, info.gid, info.uname, info.gname = DATE, 0, 0, "", ""
    info.mode = 0o755 if info.isdir() or info.mode & 0o100 else 0o644
    return info


def archive_write(path: Path, name: str, folder: Path, parts: tuple[str, ...]) -> None:
    """Files of a folder, below `name`; equal files give equal archives."""
    with (
        gzip.GzipFile(path, "wb", mtime=DATE) as packed,
        tarfile.open(fileobj=packed, mode="w") as archive,
    ):
        for part in parts:
            for entry in [folder / part, *sorted((folder / part).rglob("*"))]:
                if "__pycache__" not in entry.parts:
                    inside = f"{name}/{entry.relative_to(folder)}"
                    archive.add(entry, inside, recursive=False, filter=_plain)


def release(out: Path, assignment: str) -> None:
    folder = WORK / NAME
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    course_copy(folder, assignment)
    linked = []
    for debian, machine in PROCESSORS.items():
        if shutil.which(f"{machine}-linux-gnu-gcc"):
            linked += programs_build(debian, folder / "build" / machine)
        else:
            package = f"g++-{machine.replace('_', '-')}-linux-gnu"
            print(f"release: no programs for {debian}: the package {package} is missing")
    if not linked:
        raise ReleaseError("no compiler: run `make setup` first")
    licenses_write(linked, folder / "licenses")
    archive_write(folder / "source.tar.gz", "source", ROOT, ("Makefile", "LICENSE", "grader"))
    archive_write(out / f"{NAME}.tar.gz", NAME, folder, (".",))


def main(arguments: list[str]) -> int:
    out = Path(arguments[0] if arguments else "build/pack")
    try:
        out.mkdir(parents=True, exist_ok=True)
        release(out.resolve(), arguments[1] if len(arguments) > 1 else "")
    except (ReleaseError, OSError) as error:
        print(f"release: {error}", file=sys.stderr)
        return 3
    written = out / f"{NAME}.tar.gz"
    print(f"written: {written} ({written.stat().st_size / 2**20:.1f} MiB)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
