"""Names, tables and rosters as platforms write them, and what is wrong with them."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "grader/class"), str(ROOT / "grader/report")]

from intake import blackboard, canvas, gradescope, moodle  # noqa: E402
from intake.folder import package_stem  # noqa: E402
from intake.kernels import copy_cut  # noqa: E402
from intake.roster import Roster, roster_read  # noqa: E402
from intake.table import table_parse  # noqa: E402
from trouble import Trouble  # noqa: E402

# Name, reading, and "owner|number|upload|file|late"; None: no such reading.
CANVAS = (
    ("ekanna_12345_67890_tiled.cu", 0, "ekanna|12345|67890|tiled.cu|0"),
    ("ekanna_LATE_12345_67890_tiled-1.cu", 0, "ekanna|12345|67890|tiled-1.cu|1"),
    ("ek_anna_12345_67890_a_b.cu", 0, "ek_anna|12345|67890|a_b.cu|0"),
    ("王小明_7_8_naive.cu", 0, "王小明|7|8|naive.cu|0"),
    ("ekanna_12345_text.html", 0, "ekanna|12345||text.html|0"),
    ("anon_x1y2z_67890_tiled.cu", 0, "anon_x1y2z||67890|tiled.cu|0"),
    ("LATE_anon_x1y2z_67890_tiled.cu", 0, "anon_x1y2z||67890|tiled.cu|1"),
    # a student who writes numbers into the name of a file, or into the own name
    ("ekanna_12345_67890_7_8_x.cu", 0, "ekanna|12345|67890|7_8_x.cu|0"),
    ("ekanna_12345_67890_7_8_x.cu", 1, "ekanna_12345|67890|7|8_x.cu|0"),
    ("x_777_888_12345_67890_a.cu", 0, "x|777|888|12345_67890_a.cu|0"),
    ("ekanna_12345_tiled.cu", 0, None),
    ("_12345_67890_tiled.cu", 0, None),
    ("ekanna_12345_67890_", 0, None),
    ("tiled.cu", 0, None),
    ("", 0, None),
)
MOODLE = (
    ("Anna Ek_123_assignsubmission_file_", "Anna Ek|123|||0"),
    ("Anna Ek_123_assignsubmission_file", "Anna Ek|123|||0"),
    ("王小明_7_assignsubmission_onlinetext_", "王小明|7|||0"),
    ("Anna Ek_123_assignsubmission_file_tiled.cu", "Anna Ek|123||tiled.cu|0"),
    (
        "Anna Ek_1_assignsubmission_file_B_2_assignsubmission_file_x.cu",
        "Anna Ek|1||B_2_assignsubmission_file_x.cu|0",
    ),
    ("Default group_assignsubmission_file_", "Default group||||0"),
    ("Anna_Ek_123_assignsubmission_file_", None),
    ("_assignsubmission_file_", None),
    ("Anna Ek_123", None),
)
BLACKBOARD = (
    (
        "Homework 1_aek_attempt_2026-11-30-22-10-05_naive.cu",
        "Homework 1_aek|20261130221005|naive.cu",
    ),
    (
        "H_aek_attempt_2026-11-30-22-10-05.txt",
        "H_aek|20261130221005|H_aek_attempt_2026-11-30-22-10-05.txt",
    ),
    ("H_aek_attempt_2026-11-30-22-10-05", None),
    ("H_aek_attempt_2026-11-30-22-10-05_", None),
    ("H_aek_attempt_2026-11-30_naive.cu", None),
    ("H_aek_attempt_2026-11-3x-22-10-05_naive.cu", None),
    ("_attempt_2026-11-30-22-10-05_naive.cu", None),
)
VERSIONS = (
    ("tiled-1.cu", "tiled.cu", 1),
    ("tiled-12.cu", "tiled.cu", 12),
    ("tiled.cu", "tiled.cu", 0),
    ("tiled-0.cu", "tiled-0.cu", 0),
    ("-1.cu", "-1.cu", 0),
    ("tiled-1", "tiled-1", 0),
    ("tiled1.cu", "tiled1.cu", 0),
    ("a-12345.cu", "a-12345.cu", 0),
    ("", "", 0),
)
COPIES = (
    ("tiled (1).cu", "tiled.cu", 1),
    ("tiled(12).cu", "tiled.cu", 12),
    ("tiled-3.cu", "tiled.cu", 3),
    ("tiled (1)", "tiled (1)", 0),
    ("tiled ().cu", "tiled ().cu", 0),
    ("tiled (a).cu", "tiled (a).cu", 0),
    ("(1).cu", "(1).cu", 0),
    (" (1).cu", " .cu", 1),
    ("", "", 0),
    (").cu", ").cu", 0),
)
TABLES = (
    (b"id,name\na,b\n", "1:id|name 2:a|b"),
    (b"\xef\xbb\xbfid;name\r\na;b, c\r\n", "1:id|name 2:a|b, c"),
    (b"id\tname\na\tb", "1:id|name 2:a|b"),
    (b"id\rname\r", "1:id 2:name"),
    (b"\n\nid, name \n,,\n a ,b c\n", "3:id|name 5:a|b c"),
    (b'id,name\n"a""b","c,\nd"\ne,\n', '1:id|name 2:a"b|c,\nd 4:e|'),
    (b'"a;b;c",d\n" e " ,f\n', "1:a;b;c|d 2: e |f"),
)
REFUSED = (
    (b'id,name\na,"b\n\nc,d\n', "r.csv:2: the quote that opens here has no end"),
    (b'id,name\na,"b"c\n', "r.csv:2: text follows a closing quote"),
    (
        b"id,name\na,J\xfcrgen\n",
        "r.csv:2: not UTF-8; save it as CSV in UTF-8 (Excel: CSV UTF-8)",
    ),
    (b"id\na\0b\n", "r.csv:2: not UTF-8; save it as CSV in UTF-8 (Excel: CSV UTF-8)"),
    (b"\xff\xfei\0d", "r.csv:1: this is UTF-16; save it as CSV in UTF-8 (Excel: CSV UTF-8)"),
    (b"\n \n", "r.csv: empty; its first line names the columns"),
    (b"a" + 1000 * b",", "r.csv:1: more than 1000 columns"),
    (20001 * b"a\n", "r.csv:20001: more than 20000 rows"),
    (
        b"marks,points\na,b\n",
        "r.csv:1: no column is called id, name or mail; the first one is 'marks'; the "
        "first line names the columns, such as id,name,mail",
    ),
    (b"name\nKim\nKim\n", "r.csv: two rows have the id 'Kim'"),
    ("id\nRené\nRene\u0301\n".encode(), "r.csv: two rows have the id 'Rene\u0301'"),
    (b"id,email,Mail\n", "r.csv:1: the columns 'email' and 'Mail' are the same"),
    (b"id,name\n,Anna\n", "r.csv:2: '' cannot be an id: it is empty"),
    (
        b"id\n../x\n",
        "r.csv:2: '../x' cannot be an id: it cannot name a folder: no '/', and no dot at its start",
    ),
    (
        b'id\n"a\nb"\n',
        "r.csv:2: 'a\nb' cannot be an id: it has characters that cannot be shown",
    ),
    (b"id\nanna\nbob\nanna\n", "r.csv: two rows have the id 'anna'"),
    (
        b"id,extension_days\na,-1\n",
        "r.csv:2: extension_days is '-1'; write whole days, at most 3650",
    ),
    (
        b"id,received\na,2026-11-30 22:10\n",
        "r.csv:2: received is '2026-11-30 22:10'; write date, time and offset from UTC, such as "
        "2026-11-30T22:10:00+01:00",
    ),
)
EXPORT = """---
submission_1:
  :submitters:
  - :name: Anna Ek
    :sid: '100'
    :email: a@x.org
  - :name: "Zo\\u00EB \\"Z\\""
    :sid: \n\
    :email: 'o''b@x.org'
  :created_at: 2026-11-30 22:10:00.123456789 Z
  :score: 0.0
  :results: &results
    :output: |
      submission_9:
        :submitters:
        - :name: Mallory
    :tests:
    - :name: naive
  :history:
  - :id: 5
    :created_at: 2020-01-01 00:00:00 Z
    :results: *results
    :submitters:
    - :name: Mallory

submission_2:\r
  :submitters:\r
    - :name: 王小明\r
      :sid: 0200\r
"""
NOT_OF_GRADESCOPE = (
    ("- a\n", 1),
    ("  :submitters:\n", 1),
    ("submission_1\n", 1),
    ("a:\n  :submitters: *1\n", 2),
    ("a:\n  :submitters:\n  - :name: [b]\n", 3),
    ('a:\n  :submitters:\n  - :name: "b\n', 3),
    ("a:\n  :submitters:\n  - :name: 'b' c\n", 3),
    ('a:\n  :submitters:\n  - :name: "\\q"\n', 3),
    ("a:\n  :created_at: yesterday\n", 2),
    ("a:\n  :results: " + 10000 * "[" + "\n", 2),
    ("a: {<<: &a [*a, *a]}\nb: &c\n  :submitters:\n  - *c\n", 4),
)


def roster_of(text: bytes) -> Roster:
    return roster_read("r.csv", table_parse("r.csv", text))


class Names(unittest.TestCase):
    def test_name_of_canvas(self) -> None:
        for name, reading, expected in CANVAS:
            found = canvas.readings(name)[reading : reading + 1]
            text = [
                f"{one.owner}|{one.number}|{one.upload}|{one.file}|{one.late_mark:d}"
                for one in found
            ]
            self.assertEqual(text, [expected] if expected else [], name)

    def test_name_of_moodle(self) -> None:
        for name, expected in MOODLE:
            one = moodle.name_read(name)
            text = one and f"{one.owner}|{one.number}|{one.upload}|{one.file}|{one.late_mark:d}"
            self.assertEqual(text, expected, name)

    def test_name_of_blackboard(self) -> None:
        for name, expected in BLACKBOARD:
            one = blackboard.name_read(name)
            self.assertEqual(one and f"{one.owner}|{one.order}|{one.file}", expected, name)

    def test_version_and_number_of_a_copy_are_cut(self) -> None:
        for file, cut, number in VERSIONS:
            self.assertEqual(canvas.version_cut(file), (cut, number))
        for file, cut, number in COPIES:
            self.assertEqual(copy_cut(file), (cut, number))

    def test_stem_of_a_package(self) -> None:
        names = ("anna.tar.gz", "anna.ZIP", "anna.b", ".zip", "a.tar")
        self.assertEqual(list(map(package_stem, names)), ["anna", "anna", "anna.b", ".zip", "a"])


class Tables(unittest.TestCase):
    def test_table_is_read_as_spreadsheets_write_it(self) -> None:
        for text, expected in TABLES:
            rows = [f"{row.line}:{'|'.join(row.cells)}" for row in table_parse("t", text)]
            self.assertEqual(" ".join(rows), expected)

    def test_bad_roster_is_refused_with_its_line(self) -> None:
        for text, said in REFUSED:
            with self.assertRaises(Trouble) as caught:
                roster_of(text)
            self.assertEqual((str(caught.exception), caught.exception.code), (said, 2))

    def test_roster_of_our_own_columns(self) -> None:
        roster = roster_of(
            "ID,Name,moodle_id,shoe size,extension_days,received\n"
            "=cmd(),王小明,Participant 7,44,2,2026-11-30T22:10:00+01:00\n$(x),,,,,\n".encode()
        )
        one, other = roster.people
        self.assertEqual((one.id, one.name, one.key("moodle_id")), ("=cmd()", "王小明", "7"))
        self.assertEqual((one.extension_days, one.received), (2, 1796073000))
        self.assertEqual((other.name, other.received, roster.unused), ("", None, "shoe size"))

    def test_exports_of_platforms_are_rosters(self) -> None:
        roster = roster_of(
            b"Student,ID,SIS User ID,SIS Login ID,Section,Homework 1 (1234)\n"
            b"    Points Possible,,,,,60\n"
            b'"Ek, Anna",42,U42,aek,CUDA-01,\n"Student, Test",43,,,CUDA-01,\n'
        )
        one, other = roster.people
        found = (one.id, one.name, one.key("canvas_id"), other.id)
        self.assertEqual(found, ("aek", "Ek, Anna", "42", "43"))
        self.assertEqual((roster.unused, roster.grades), ("", ("Homework 1 (1234)",)))
        self.assertEqual(roster.column_of("Homework 1"), "Homework 1 (1234)")
        self.assertEqual(roster.column_of("Homework"), "")
        self.assertEqual(roster_of(b"First name,Last name\nAnna,Ek\n").people[0].id, "Anna Ek")
        of_classroom = b"username,first_name,last_name,email,section,github_id,role\n"
        one = roster_of(of_classroom + b"anna-ek,Anna,Ek,a@x.org,1,77,student\n").people[0]
        self.assertEqual((one.id, one.name), ("anna-ek", "Anna Ek"))

    def test_table_of_gradescope(self) -> None:
        found = [
            f"{one.folder}@{one.created_at}"
            + "".join(f" [{'|'.join(part.values())}]" for part in one.submitters)
            for one in gradescope.table_read("m.yml", EXPORT.encode())
        ]
        first = "submission_1@1796076600 [Anna Ek|100|a@x.org] [Zoë \"Z\"||o'b@x.org]"
        self.assertEqual(found, [first, "submission_2@None [王小明|0200]"])

    def test_what_gradescope_does_not_write_is_refused(self) -> None:
        for text, line in NOT_OF_GRADESCOPE:
            with self.assertRaises(Trouble) as caught:
                gradescope.table_read("m.yml", text.encode())
            self.assertRegex(str(caught.exception), f"^m.yml:{line}: ")


if __name__ == "__main__":
    unittest.main()
