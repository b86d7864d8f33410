"""`tilegrade watch` in a pseudo-terminal: saves, keys, and a terminal that is as it was before.

The course is that of tests/cli with its exercise twice, so that there is a next one.
"""

from __future__ import annotations

import fcntl
import http.client
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COURSE = ROOT / "tests" / "cli" / "course"
PROGRAM = ROOT / os.environ.get("BUILD", "build") / "tilegrade"
SECONDS = 120  # on a loaded machine; what is waited for takes less than one
CONTROL = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


PROGRAM_TEXT = """\
#include <cstdio>
#include "n.h"
__global__ void fill(int *values) {
    if (threadIdx.x < COUNT)
        values[threadIdx.x] = threadIdx.x;
}
int main(int argc, char **argv) {
    int *values, host[32] = {0};
    fprintf(stderr, "begins\\n");
    { ;
    }
    cudaMalloc(&values, sizeof host);
    fill<<<1, 32>>>(values);
    cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
    printf("%s = %d\\n", argv[1], host[7]);
    cudaFree(values);
    return 0;
}
"""


def plain(text: str) -> str:
    """What was drawn, without control sequences; each drawing begins a line."""
    return CONTROL.sub("", text.replace("\x1b[H", "\r\n"))


def course_copy(folder: Path) -> None:
    shutil.copytree(COURSE, folder)
    shutil.copytree(folder / "lessons/01_sum", folder / "lessons/02_again")
    text = (folder / "reference/sum.cu").read_text().replace("matmul_sum", "matmul_again")
    (folder / "reference/again.cu").write_text(text)
    subprocess.run([PROGRAM, "stubs", "--root", folder], check=True, stdout=subprocess.DEVNULL)


def solved(folder: Path, name: str = "sum") -> str:
    lines = (folder / f"reference/{name}.cu").read_text().splitlines(True)
    return "".join(line for line in lines if "@" not in line)


class Watched:
    """The program, which believes that it is in a terminal of a student."""

    def __init__(
        self, folder: Path, *arguments: str, columns: int = 80, command: str = "watch"
    ) -> None:
        self.leader, self.follower = pty.openpty()
        self.resize(columns)
        self.before = termios.tcgetattr(self.follower)
        environment = os.environ | {"TERM": "xterm", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
        self.process = subprocess.Popen(
            [PROGRAM, command, "--device=emu", *arguments],
            cwd=folder,
            env=environment,
            stdin=self.follower,
            stdout=self.follower,
            stderr=self.follower,
            start_new_session=True,
        )
        self.text = ""  # since the last wait

    def resize(self, columns: int, rows: int = 30) -> None:
        fcntl.ioctl(self.leader, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def wait(self, wanted: str) -> str:
        """Reads until the text is on the screen."""
        end = time.monotonic() + SECONDS
        while not re.search(wanted, plain(self.text), re.DOTALL):
            if time.monotonic() > end:
                raise AssertionError(f"no {wanted!r} in {plain(self.text)!r}")
            if select.select([self.leader], [], [], 0.1)[0]:
                self.text += os.read(self.leader, 65536).decode("utf-8", "replace")
        text, self.text = self.text, ""
        return plain(text)

    def press(self, keys: str) -> None:
        os.write(self.leader, keys.encode())

    def end(self) -> int:
        """Its exit code; the terminal must be as it was."""
        code = self.process.wait(SECONDS)
        after = termios.tcgetattr(self.follower)
        while select.select([self.leader], [], [], 0.05)[0]:
            self.text += os.read(self.leader, 65536).decode("utf-8", "replace")
        assert after == self.before, "the modes of the terminal differ"
        assert self.text.rstrip("\r\n").endswith("\x1b[?1049l") or "\x1b[?1049l" in self.text
        return code

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.leader)
        os.close(self.follower)


class WatchTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="tmp.watch")) / "course"
        self.addCleanup(shutil.rmtree, self.folder.parent)
        course_copy(self.folder)

    def watched(self, *arguments: str, columns: int = 80) -> Watched:
        watched = Watched(self.folder, *arguments, columns=columns)
        self.addCleanup(watched.close)
        return watched

    def save(self, text: str, name: str = "sum", *, by_rename: bool = False) -> None:
        path = self.folder / f"student/{name}.cu"
        target = path.with_suffix(".new") if by_rename else path
        target.write_text(text)
        if by_rename:
            target.rename(path)

    def test_each_save_is_judged_also_by_rename(self) -> None:
        watched = self.watched()
        self.assertIn("0 of 2 pass", watched.wait(r"sum: not started.*\? help"))
        self.save("nonsense\n")
        watched.wait("does not compile")
        self.save(solved(self.folder), by_rename=True)
        self.assertIn("1 of 2 pass", watched.wait(r"sum: pass.*\? help"))
        watched.wait(r"next +Sum of products: lessons/02_again")
        watched.press("q")
        self.assertEqual(watched.end(), 0)

    def test_it_begins_where_the_student_left_off_and_follows_the_file_that_is_saved(self) -> None:
        self.save(solved(self.folder))
        subprocess.run(
            [PROGRAM, "test", "--device=emu"], cwd=self.folder, stdout=subprocess.DEVNULL
        )
        watched = self.watched()
        watched.wait("again: not started")
        self.save("nonsense\n")
        watched.wait("does not compile")

    def test_keys(self) -> None:
        watched = self.watched("again")
        watched.wait("again: not started")
        watched.press("n")
        watched.wait("This is the last exercise")
        watched.press("b")
        watched.wait("sum: not started")
        watched.press("h")
        watched.wait("sum, TODO 1.*1 of 3")
        watched.press("hh")
        watched.wait("1 of 3.*2 of 3.*3 of 3.*key h begins again with the first")
        watched.press("\rh")
        watched.wait("sum, TODO 1.*1 of 3")
        watched.press("l")
        watched.wait("02  again")
        watched.press("?")
        watched.wait("the next hint for this exercise")
        watched.press("\r")
        watched.wait("sum: not started")
        self.save("nonsense\n")
        watched.wait("does not compile")
        watched.press("r")
        watched.wait("y yes")
        watched.press("n")
        watched.wait("judged in")
        watched.press("ry")
        watched.wait(r"sum: not started.*kept as student/sum\.cu\.1.*judged in")
        self.assertEqual((self.folder / "student/sum.cu.1").read_text(), "nonsense\n")
        watched.press("\x03")
        self.assertEqual(watched.end(), 0)

    def test_a_save_cuts_a_run_short(self) -> None:
        text = solved(self.folder)
        endless = text.replace("{\n", "{\n    while (K >= 0) { C[0] = 1.0f; }\n", 1)
        self.assertNotEqual(text, endless)
        self.save(endless)
        watched = self.watched("--size=1024x1024x1024")
        watched.wait("judging student/sum.cu")
        begun = time.monotonic()
        self.save("nonsense\n")
        watched.wait("does not compile")
        self.assertLess(time.monotonic() - begun, SECONDS / 2)
        watched.press("q")
        self.assertEqual(watched.end(), 0)

    def test_the_terminal_is_restored_however_it_ends(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGABRT):
            with self.subTest(number):
                watched = self.watched()
                watched.wait("judging")
                watched.process.send_signal(number)
                ended = watched.end()
                self.assertIn(ended, (128 + number, -number))

    def test_a_closed_terminal_ends_it(self) -> None:
        watched = self.watched()
        watched.wait("judging")
        os.close(watched.leader)
        self.assertIn(watched.process.wait(SECONDS), (0, 128 + signal.SIGHUP))
        watched.leader = os.open("/dev/null", os.O_RDONLY)

    def test_text_is_wrapped_to_the_width_also_after_a_resize(self) -> None:
        watched = self.watched(columns=60)
        shown = watched.wait(r"sum: not started.*judged in.*\? help")
        asides = {"h": "1 of 3", "l": "02  again", "?": "verdicts.md", "r": "y yes"}
        for key, wanted in asides.items():
            watched.press(key)
            shown += watched.wait(wanted)
        self.assertLessEqual(max(len(line.rstrip()) for line in shown.split("\r\n")), 60)
        watched.press("\r")
        watched.resize(100)
        watched.process.send_signal(signal.SIGWINCH)
        watched.wait(r"sum: not started.*judged in.*\? help")

    def test_the_page_is_served_to_this_machine_and_follows_each_save(self) -> None:
        watched = self.watched("--page")
        shown = watched.wait(r"sum: not started.*\? help")
        found = re.search(r"http://(127\.0\.0\.1:\d+)(/[\w-]+/)", shown)
        assert found
        host, path = found.groups()

        def asked(name: str, named: str = host) -> tuple[int, str]:
            connection = http.client.HTTPConnection(host, timeout=SECONDS)
            connection.request("GET", name, headers={"Host": named})
            answer = connection.getresponse()
            text = answer.read().decode()
            connection.close()
            return answer.status, text

        self.assertIn("iframe", asked(path)[1])
        before = asked(f"{path}state")[1]
        self.save("nonsense\n")
        watched.wait(r"does not compile.*\? help")
        self.assertNotEqual(asked(f"{path}state")[1], before)
        status, page = asked(f"{path}page")
        self.assertEqual(status, 200)
        self.assertIn("does not compile", page)
        self.assertNotIn("<script", page)
        for name, named in ((f"{path}page", "evil.example"), ("/page", host), (f"{path}..", host)):
            self.assertEqual(asked(name, named)[0], 404, (name, named))
        watched.press("q")
        self.assertEqual(watched.end(), 0)
        with self.assertRaises(OSError):
            asked(path)

    def test_a_size_that_takes_an_hour_is_asked_about(self) -> None:
        asking = Watched(self.folder, "--size=8192x8192x1024", command="test")
        self.addCleanup(asking.close)
        asking.wait("57 minutes.*Go on")
        asking.press("n\n")
        asking.wait("nothing was run")
        self.assertEqual(asking.process.wait(SECONDS), 2)

    def test_a_program_is_run_at_each_save_of_it_or_of_a_header(self) -> None:
        header = self.folder / "n.h"
        program = self.folder / "fill.cu"
        header.write_text("#define COUNT 32\n")
        program.write_text(PROGRAM_TEXT)
        watched = self.watched("FILE=fill.cu", "--", "seven")
        self.assertNotIn("mistake of", watched.wait(r"seven = 7.*No mistake.*\^C ends"))
        header.write_text("#define COUNT 31\n")
        watched.wait(r"fill\.cu:\d+: a mistake of the host code.*values\[31\].*ran in")
        watched.press("hnrq7 ")  # keys are for exercises
        (self.folder / "notes.txt").write_text("not a part of it\n")
        endless = PROGRAM_TEXT.replace("{ ;", "{ while (*(volatile int *)host == 0);")
        program.with_suffix(".new").write_text(endless)
        program.with_suffix(".new").rename(program)
        self.assertNotIn("ran in", watched.wait("begins"))
        program.write_text(PROGRAM_TEXT.replace("return 0", "return missing"))  # cuts it short
        watched.wait(r"does not compile.*missing.*ran in")
        watched.process.send_signal(signal.SIGINT)
        self.assertEqual(watched.process.wait(SECONDS), 130)

    def test_what_is_for_exercises_is_refused_for_a_program(self) -> None:
        for words in (["FILE=a.cu", "EX=sum"], ["FILE=a.cu", "SIZE=8"], ["ARGS=8"]):
            with self.subTest(words):
                done = subprocess.run(
                    [PROGRAM, "watch", *words],
                    cwd=self.folder,
                    capture_output=True,
                    text=True,
                    check=False,
                )
                self.assertEqual(done.returncode, 2)
                self.assertIn("FILE", done.stderr)

    def test_without_a_terminal_it_writes_each_verdict(self) -> None:
        with subprocess.Popen(
            [PROGRAM, "watch", "--device=emu"],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdout
            self.assertIn("^C ends", process.stdout.readline())
            lines = iter(process.stdout.readline, "")
            self.assertTrue(any("sum: not started" in line for line in lines))
            self.save("nonsense\n")
            self.assertTrue(any("does not compile" in line for line in lines))
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(SECONDS), 130)


if __name__ == "__main__":
    unittest.main()
