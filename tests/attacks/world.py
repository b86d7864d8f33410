"""The place where one attack runs, and what must be true of it afterwards.

A world is a separate folder with a course, the submission, an out folder, a scratch folder, and
canaries: files that no program of a submission may open, one readable by all, one by its owner.
Linux's inotify shows whether a program did.
"""

from __future__ import annotations

import ctypes
import os
import secrets
import shutil
import struct
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from small import course_copy  # noqa: E402  (found by the line above)

IN_ACCESS, IN_OPEN = 0x1, 0x20
EVENT = struct.Struct("iIII")
PR_SET_CHILD_SUBREAPER = 36
# Folders in which programs may leave files; an attack that writes a file puts the mark into its
# name.
PUBLIC_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/run", "/")
SYSTEM_V = ("shm", "msg", "sem")

libc = ctypes.CDLL(None, use_errno=True)


def become_subreaper() -> None:
    """Makes every process that a run leaves behind our child."""
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children() -> set[int]:
    folder = Path("/proc/self/task")
    return {
        int(pid)
        for task in folder.iterdir()
        for pid in (task / "children").read_text(encoding="ascii").split()
    }


class Watch:
    """Events of files: opened, read."""

    def __init__(self, paths: list[Path]) -> None:
        self.fd = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        self.names: dict[int, str] = {}
        for path in paths:
            number = libc.inotify_add_watch(self.fd, os.fsencode(path), IN_ACCESS | IN_OPEN)
            if self.fd < 0 or number < 0:
                raise OSError(ctypes.get_errno(), "inotify")
            self.names[number] = path.name

    def seen(self) -> list[str]:
        found = []
        while True:
            try:
                data = os.read(self.fd, 65536)
            except BlockingIOError:
                return found
            for at in range(0, len(data), EVENT.size):
                found.append(self.names.get(EVENT.unpack_from(data, at)[0], "?"))


def listing(folder: Path) -> dict[str, tuple[int, int, int]]:
    """Every path below a folder, with data that a change would alter."""
    found = {}
    for parent, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(parent, name)
            info = os.lstat(path)
            found[os.path.relpath(path, folder)] = (info.st_mode, info.st_size, info.st_mtime_ns)
    return found


def system_v() -> set[str]:
    lines = set()
    for kind in SYSTEM_V:
        text = Path(f"/proc/sysvipc/{kind}").read_text(encoding="ascii")
        lines |= {f"{kind} {line.split()[1]}" for line in text.splitlines()[1:]}
    return lines


class World:
    def __init__(self, folder: Path, caches: bool = False) -> None:
        self.folder = folder
        self.caches = caches  # finished builds are kept in the course, as `test` does
        self.token = "canary_" + secrets.token_hex(12)
        self.mark = "tilegrade_attack_" + secrets.token_hex(8)
        self.course = folder / "course"
        self.out = folder / "out"
        self.scratch = folder / "scratch"
        self.submission = folder / "submission"
        self.canary = folder / "canary" / "open.txt"
        self.secret = folder / "canary" / "secret.txt"
        # The folders above it too, because programs in the sandbox may run as another user.
        folder.chmod(0o755)
        course_copy(self.course)
        for path in (self.out, self.scratch, self.submission, self.canary.parent):
            path.mkdir()
        for path, mode in ((self.canary, 0o644), (self.secret, 0o600)):
            path.write_text(f"{self.token}\nint {self.token}_2 = 3;\n", encoding="ascii")
            path.chmod(mode)

    def begin(self) -> None:
        self.watch = Watch([self.canary, self.secret])
        self.before = self.fixed()
        self.system_v = system_v()
        self.children = children()

    def fixed(self) -> dict[str, dict[str, tuple[int, int, int]]]:
        parts = (self.course, self.submission, self.canary.parent)
        found = {part.name: listing(part) for part in parts}
        # The judge keeps the reference's numbers.
        kept = ("build",) if self.caches else ("build", "build/counts", "build/counts/sum.json")
        course = found[self.course.name].items()
        found[self.course.name] = {
            path: what
            for path, what in course
            if path not in kept and not (self.caches and path.startswith("build/"))
        }
        return found

    def problems(self) -> list[str]:
        """What the run has left behind or changed."""
        found = [f"the canary {name} was opened" for name in sorted(set(self.watch.seen()))]
        os.close(self.watch.fd)
        for pid in children() - self.children:
            found.append(f"process {pid} is left: {self.kill(pid)}")
        after = self.fixed()
        for part, paths in after.items():
            for path in sorted(set(paths.items()) ^ set(self.before[part].items())):
                found.append(f"{part}/{path[0]} is new or changed or gone")
        found += [f"scratch/{path} is left" for path in listing(self.scratch)]
        found += [f"out/{path} is new" for path in listing(self.out) if path != "result.json"]
        for folder in PUBLIC_FOLDERS + (os.path.expanduser("~"), os.getcwd()):
            if os.path.lexists(os.path.join(folder, self.mark)):
                found.append(f"{folder}/{self.mark} was written")
        found += [f"System V {line} is left" for line in sorted(system_v() - self.system_v)]
        return found

    @staticmethod
    def kill(pid: int) -> str:
        try:
            name = Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip()
            os.kill(pid, 9)
            os.waitpid(pid, 0)
        except (OSError, ChildProcessError):
            return "gone since"
        return name

    def close(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def watch_works(folder: Path) -> bool:
    """A watch that sees nothing would prove nothing."""
    path = folder / "watched"
    path.write_text("x", encoding="ascii")
    watch = Watch([path])
    before = watch.seen()
    path.read_text(encoding="ascii")
    time.sleep(0.01)
    after = watch.seen()
    os.close(watch.fd)
    path.unlink()
    return not before and bool(after)
