"""A hostile download of Canvas, from the zip to the grades: no harm, and no point for nothing."""

from __future__ import annotations

import csv
import io
import json
import shutil
import stat
import tempfile
import unittest
import zipfile
from pathlib import Path

import rig

ROSTER = """Student,ID,SIS Login ID,Section
    Points Possible,,,
"=cmd()|'/C calc'!A0",1,=cmd(),A
王小明,2,$(touch canary),A
"Ek, Zoë",3,zek,A
Mallory,4,mallory,A
Trudy,5,trudy,A
Nobody,6,nobody,A
"""


def packed(entries: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in entries.items():
            package.writestr(name, data)
    return buffer.getvalue()


class Hostile(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="tilegrade-class-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.course = rig.course_make(self.folder)
        lines = (self.course / "reference/sum.cu").read_text().splitlines(keepends=True)
        self.right = "".join(line for line in lines if "@" not in line).encode()

    def download(self) -> Path:
        """What six students made of it.  The bomb is 64 MiB of zeros."""
        link = zipfile.ZipInfo("mallory_4_41_sum.cu")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        path = self.folder / "submissions.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
            package.writestr("cmd_1_11_sum.cu", self.right)
            package.writestr("王小明_2_21_sum.cu", b"// old\n")
            package.writestr("王小明_2_22_sum-1.cu", self.right)
            claims = {"zek/sum.cu": b"no kernel", "mallory_4_41_sum.cu": self.right}
            claims |= {"result.json": b'{"points": 99}', "../../canary": b"", "/tmp/canary": b""}
            package.writestr("ekzoë_LATE_3_31_hw.zip", packed(claims))
            package.writestr(link, "../ekzoë_LATE_3_31_hw.zip")
            package.writestr("mallory_4_42_result.json", b'{"points": 99}')
            package.writestr("trudy_5_51_bomb.zip", packed({"sum.cu": bytes(64 << 20)}))
            package.writestr("../canary", b"")
            package.writestr("x" * 300 + "_9_91_sum.cu", self.right)
            package.writestr("eve_7_71_sum.cu", self.right)
        return path

    def test_no_harm_and_no_point(self) -> None:
        roster = self.folder / "roster.csv"
        roster.write_text(ROSTER)
        out = self.folder / "out"
        submissions = self.download()
        before = {path.name for path in self.folder.iterdir()}
        words = (f"--submissions={submissions}", f"--roster={roster}")
        done = rig.run(rig.command(self.course, out, *words))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("layout canvas", done.stdout + done.stderr)
        rows = rig.book(out)
        found = {name: (row["state"], row["points"]) for name, row in rows.items()}
        self.assertEqual(
            found,
            {
                "=cmd()": ("graded", 10000),
                "$(touch canary)": ("graded", 10000),
                "zek": ("graded", 0),
                "mallory": ("empty", None),
                "trudy": ("graded", 0),
                "nobody": ("missing", None),
            },
        )
        self.assertEqual({path.name for path in self.folder.iterdir()}, before | {"out"})
        self.assertFalse(list(self.folder.rglob("canary*")))
        self.assertTrue(rows["zek"]["late_mark"])
        self.assertEqual(rows["$(touch canary)"]["tries"], 2)

    def test_wrong_name_is_no_zero(self) -> None:
        files = {"anna/sum (1).cu": self.right, "ben/Sum_final.cu": self.right}
        for name, data in files.items():
            path = self.folder / "submissions" / name
            path.parent.mkdir(parents=True)
            path.write_bytes(data)
        out = self.folder / "out"
        done = rig.run(
            rig.command(self.course, out, f"--submissions={self.folder / 'submissions'}")
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = rig.book(out)
        self.assertEqual((rows["anna"]["state"], rows["anna"]["points"]), ("graded", 10000))
        self.assertEqual((rows["ben"]["state"], rows["ben"]["points"]), ("empty", None))
        said = " ".join(done.stdout.split())
        self.assertIn("anna: 'sum (1).cu' counts as sum.cu", said)
        self.assertIn("there is 'Sum_final.cu': rename it", said)

    def test_what_is_no_class_is_refused(self) -> None:
        other = self.folder / "photos.zip"
        other.write_bytes(packed({"a/1.jpg": b"", "b/2.jpg": b""}))
        roster = self.folder / "roster.csv"
        roster.write_text("id\na\n")
        for words, said in (
            ((f"--submissions={other}",), "nothing to grade; 'a': it has no kernel file"),
            ((f"--submissions={other}", f"--roster={other}"), "swapped"),
            ((f"--submissions={roster}",), "swapped"),
        ):
            done = rig.run(rig.command(self.course, self.folder / "out", *words))
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(said, done.stderr)
            self.assertFalse((self.folder / "out/class.json").exists())

    def test_roster_is_a_spreadsheet(self) -> None:
        try:
            from openpyxl import Workbook
        except ModuleNotFoundError:
            self.skipTest("no python3-openpyxl here")
        book = Workbook()
        for row in (["id", "name", "moodle_id"], [], ["anna", "Ek,\nAnna", 7.0], ["ben", None, 8]):
            book.worksheets[0].append(row)
        roster = self.folder / "roster.xlsx"
        book.save(roster)
        path = self.folder / "in/anna/sum.cu"
        path.parent.mkdir(parents=True)
        path.write_bytes(self.right)
        out = self.folder / "out"
        words = (f"--submissions={path.parents[1]}", f"--roster={roster}")
        done = rig.run(rig.command(self.course, out, *words))
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = rig.book(out)
        self.assertEqual((rows["anna"]["name"], rows["anna"]["state"]), ("Ek, Anna", "graded"))
        self.assertEqual(rows["anna"]["lms"]["moodle_id"], "7")
        for data, said in ((b"PK", "not a spreadsheet"), (packed({"a": b""}), "not a spreadsheet")):
            roster.write_bytes(data)
            done = rig.run(rig.command(self.course, self.folder / "other", *words))
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(f"roster.xlsx: {said}", done.stderr)

    def test_column_of_canvas_and_a_folder_in_the_repository(self) -> None:
        assignment = self.course / "lessons/assignments/hw1.ini"
        assignment.parent.mkdir()
        assignment.write_text("title = Homework 1\n[exercises]\nsum = 10\n")
        roster = self.folder / "roster.csv"
        roster.write_text(
            "Student,ID,SIS Login ID,Section,Homework 1 (77),Homework 10 (78),Final Score\n"
            "Anna,1,anna,A,,,\n"
        )
        path = self.folder / "in/anna_1_11_sum.cu"
        path.parent.mkdir()
        path.write_bytes(self.right)
        out = self.course / "hw1"
        words = (f"--submissions={path.parent}", f"--roster={roster}", "--assignment=hw1")
        done = rig.run(rig.command(self.course, out, *words))
        self.assertEqual(done.returncode, 0, done.stderr)
        book = json.loads((out / "class.json").read_text())
        self.assertEqual(book["assignment"]["column"], "Homework 1 (77)")
        self.assertNotIn("not used", done.stdout)
        self.assertIn("in the repository of the course", " ".join(done.stderr.split()))


if __name__ == "__main__":
    unittest.main()
