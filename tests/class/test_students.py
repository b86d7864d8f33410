"""Classes as platforms hand them over, and as those would who want another student's points."""

from __future__ import annotations

import io
import os
import shutil
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

import rig

sys.path[:0] = [str(rig.ROOT / "grader/class"), str(rig.ROOT / "grader/report")]

from course import CHOICES, Course, Program  # noqa: E402
from intake.kernels import folder_write  # noqa: E402
from intake.packages import Unpacker  # noqa: E402
from intake.roster import roster_read  # noqa: E402
from intake.students import READY, intake_read, take  # noqa: E402
from intake.table import table_parse  # noqa: E402
from trouble import Trouble  # noqa: E402

COURSE = Course(
    version="1",
    root=Path("/"),
    assignment={"title": None, "exercises": [{"name": "naive"}, {"name": "tiled"}]},
    wanted=("naive.cu", "tiled.cu"),
    exercise_count=2,
    has_references=True,
    grader="",
    running="",
    course="",
)
OTHER = (
    "a student of the roster has this id, mail address or name, but another number or login; if it "
    "is the same person, correct these in the roster, or leave out their column\n"
)


class Students(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="tilegrade-class-"))
        self.folder.chmod(0o711)
        self.addCleanup(shutil.rmtree, self.folder)
        program = Program(rig.TILEGRADE, "", "en", dict.fromkeys(CHOICES, ""), -1)
        self.unpacker = Unpacker(program)
        self.addCleanup(self.unpacker.__exit__)

    def put(self, *files: str) -> None:
        """Writes files, "in/anna/naive.cu=text"."""
        for file in files:
            name, _mark, text = file.partition("=")
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def taken(self, folder: Path) -> str:
        files = sorted(folder.iterdir()) if folder.is_dir() else []
        return "".join(
            f" {path.name}->" if path.is_symlink() else f" {path.name}={path.read_text()}"
            for path in files
        )

    def read(self, name: str, roster: str = "", layout: str = "") -> str:
        """A line "id: state files (note) !warning" for each student, then one for each thing that
        is unmatched."""
        rows = roster_read("r.csv", table_parse("r.csv", roster.encode())) if roster else None
        path = str(self.folder / name)
        try:
            intake = intake_read(path, layout, rows, COURSE, self.unpacker)
        except Trouble as error:
            return str(error).removeprefix(f"{path}: ")
        self.addCleanup(os.close, intake.folder.fd)
        text = f"{intake.layout}\n"
        for one in intake.students:
            one, files = take(one, intake.folder, COURSE, self.unpacker)
            text += f"{one.person.id}: {one.state}"
            if one.state == READY:
                folder_write(str(self.folder / "out"), files)
                text += self.taken(self.folder / "out")
            text += f" ({one.note})" if one.note else ""
            text += f" !{one.warning}" if one.warning else ""
            received = one.person.received
            if one.tries > 1 or one.late_mark or received is not None:
                received = -1 if received is None else received
                text += f" tries={one.tries} late={one.late_mark:d} received={received}"
            text += "\n"
        return text + "".join(f"? {name}: {why}\n" for name, why in intake.unmatched)

    def test_folder_of_folders(self) -> None:
        self.put(
            "in/anna/naive.cu=a",
            "in/bob/hw1/naive.cu=b",
            "in/bob/hw1/report.pdf=b",
            "in/bob/hw1/old/naive.cu=older",
            "in/carl/grader/naive.cu=not his",
            "in/carl/student/naive.cu=c",
            "in/carl/student/Tiled (1).cu=near",
            "in/dora/report.pdf=d",
            "in/fred/a/naive.cu=f",
            "in/fred/b/naive.cu=F",
            "in/gina/a/naive.cu=g",
            "in/gina/b/naive.cu=g",
            "in/notes.txt",
            "in/.DS_Store",
        )
        (self.folder / "in/eva").mkdir()
        self.assertEqual(
            self.read("in"),
            "folders\n"
            "anna: ready naive.cu=a\n"
            "bob: ready naive.cu=b\n"
            "carl: ready Tiled (1).cu=near naive.cu=c !no points for tiled.cu, which is missing; "
            "if 'student/Tiled (1).cu' is meant, rename it, or have it handed in again, and run "
            "the same command\n"
            "dora: empty (it has no kernel file of this course, but report.pdf)\n"
            "eva: empty (nothing is in it)\n"
            "fred: broken ('a/naive.cu' and 'b/naive.cu' are two files for one exercise, and "
            "nothing says which counts: remove one)\n"
            "gina: ready naive.cu=g\n"
            "? notes.txt: its name does not say whose it is\n",
        )

    def test_names_that_are_not_right(self) -> None:
        """A name that is nearly right is no zero in silence."""
        self.put(
            "in/anna/tiled (1).cu=one",
            "in/anna/naive-1.cu=n1",
            "in/bob/tiled.cu=t",
            "in/bob/tiled(2).cu=t2",
            "in/bob/tiled-1.cu=t1",
            "in/bob/naive.cu=n",
            "in/bob/naive (1).cu=n",
            "in/carl/Tiled_final.cu=t",
            "in/carl/notes.txt",
            "in/dora/naive.cu=n",
            "in/dora/my.CU=t",
            "in/eva/naive.cu=n",
            "in/eva/tiled.cu=t",
            "in/eva/tiled_old.cu=old",
            "in/eva/tiled.cu.bak=old",
            "in/finn/naive.cu=n",
            "in/finn/lessons/01/stub.cu=of the course",
        )
        again = "rename it, or have it handed in again, and run the same command"
        self.assertEqual(
            self.read("in"),
            "folders\n"
            "anna: ready naive.cu=n1 tiled.cu=one !'naive-1.cu' counts as naive.cu; "
            "'tiled (1).cu' counts as tiled.cu\n"
            "bob: ready naive.cu=n tiled.cu=t2 !'tiled(2).cu' counts as tiled.cu, and not "
            "'tiled-1.cu'\n"
            "carl: empty (no kernel file of this course has its right name (such as naive.cu), but "
            f"there is 'Tiled_final.cu': {again})\n"
            "dora: ready naive.cu=n !no points for tiled.cu, which is missing; if 'my.CU' is "
            f"meant, {again}\n"
            "eva: ready naive.cu=n tiled.cu=t\n"
            "finn: ready naive.cu=n\n",
        )

    def test_attacks_do_no_harm(self) -> None:
        """Nothing leads out of the class, to another student, or to a point."""
        self.put(
            "secret/naive.cu=of another",
            "in/$(touch x)/naive.cu=2",
            "in/-rf/naive.cu=3",
            "in/new\nline/naive.cu=4",
            "in/mallory/result.json={}",
            "in/mallory/anna/naive.cu=5",
            "in/mallory/.git/naive.cu=6",
            f"in/{7:0200}/naive.cu=7",
            "in/pipes/report=8",
        )
        formula = self.folder / "in/=cmd()/naive.cu"
        formula.parent.mkdir()
        formula.write_text("1")
        (self.folder / "in/link").symlink_to("../secret")
        (self.folder / "in/mallory/tiled").symlink_to("../../secret")
        (self.folder / "in/mallory/tiled.cu").symlink_to("../../secret/naive.cu")
        os.mkfifo(self.folder / "in/pipes/naive.cu")
        self.assertEqual(
            self.read("in"),
            "folders\n"
            "$(touch x): ready naive.cu=2\n"
            "-rf: ready naive.cu=3\n"
            "=cmd(): ready naive.cu=1\n"
            "mallory: ready naive.cu=5 tiled.cu->\n"
            "pipes: empty (it has no kernel file of this course, but report)\n"
            "? link: a link, which is not followed\n"
            f"? {7:0200}: its name cannot be an id: it has more than 100 bytes\n"
            "? new?line: its name cannot be an id: it has characters that cannot be shown\n",
        )

    def test_roster_says_who_is_missing_and_who_is_not_in_it(self) -> None:
        self.put(
            "in/anna/naive.cu=a",
            "in/b@x.org/naive.cu=b",
            "in/Ek, Carl/naive.cu=c",
            "in/Kim/naive.cu=k",
            "in/zoe/naive.cu=z",
        )
        roster = (
            "id,name,mail,received\ndora,Dora,,\nanna,Anna,,1970-01-01T00:01:00Z\n"
            "bob,Bob,B@x.org,\ncarl,Carl Ek,,\nk1,Kim,,\nk2,Kim,,\n"
        )
        self.assertEqual(
            self.read("in", roster),
            "folders\n"
            "dora: missing\n"
            "anna: ready naive.cu=a tries=1 late=0 received=60\n"
            "bob: ready naive.cu=b\n"
            "carl: ready naive.cu=c (found by the name 'Ek, Carl')\n"
            "k1: missing\n"
            "k2: missing\n"
            "? Kim: more than one student of the roster fits it\n"
            "? zoe: no student of the roster has this id, login, mail address or name\n",
        )

    def test_one_letter_in_two_forms_is_the_same_name(self) -> None:
        """é as one character, or as two on a Mac; who has both is asked about it."""
        two = "Rene\u0301"
        self.put(f"in/{two}/naive.cu=two", "in/anna/naive.cu=a")
        roster = "id\nRené\nanna\n"
        text = "folders\nRené: ready naive.cu=two\nanna: ready naive.cu=a\n"
        self.assertEqual(self.read("in", roster), text)
        self.put("in/René/naive.cu=one")
        self.assertIn("René: broken ('Rene\u0301' and 'René' are both", self.read("in", roster))
        self.assertIn(f"{two}: ready naive.cu=two\nRené: ready naive.cu=one\n", self.read("in"))

    def test_download_of_canvas(self) -> None:
        self.put(
            "in/ekanna_1_10_tiled.cu=old",
            "in/ekanna_1_11_tiled-1.cu=new",
            "in/ekanna_1_12_naive-2.cu=n",
            "in/bo_LATE_2_13_naive.cu=b",
            "in/carl_3_text.html",
            "in/x_2_14_9_15_naive.cu=spoofed",
            "in/spoof_4_16_naive.cu=s",
            "in/dora_4_17_naive.cu=d",
            "in/readme.txt",
        )
        newest = "a file was handed in 2 times, and the newest counts"
        self.assertEqual(
            self.read("in"),
            "canvas\n"
            "bo_2: broken ('bo_2' and 'x_2' have the same number)\n"
            "carl_3: empty (it has no kernel file of this course, but text.html)\n"
            "dora_4: broken ('dora_4' and 'spoof_4' have the same number)\n"
            f"ekanna_1: ready naive.cu=n tiled.cu=new ({newest}) tries=2 late=0 received=-1\n"
            "spoof_4: broken ('dora_4' and 'spoof_4' have the same number)\n"
            "x_2: broken ('bo_2' and 'x_2' have the same number)\n"
            "? readme.txt: its name does not say whose it is\n",
        )
        roster = (
            'Student,ID,SIS Login ID,Section\n"Ek, Anna",1,aek,A\nBo,2,bo,A\nNine,9,nine,A\n'
            "Carl,,carl,A\n"
        )
        self.assertEqual(
            self.read("in", roster),
            "canvas\n"
            f"aek: ready naive.cu=n tiled.cu=new ({newest}) tries=2 late=0 received=-1\n"
            "bo: ready naive.cu=b (late, but the platform does not say by how much; give the "
            "time of submission in the roster's column `received`) tries=1 late=1 received=-1\n"
            "nine: missing\n"
            "carl: empty (found by the name 'carl'; it has no kernel file of this course, but "
            "text.html)\n"
            "? readme.txt: its name does not say whose it is\n"
            "? x_2_14_9_15_naive.cu: its name has more than one number that could be a student's\n"
            "? dora_4_17_naive.cu: no student of the roster has this canvas_id or name\n"
            "? spoof_4_16_naive.cu: no student of the roster has this canvas_id or name\n",
        )

    def test_download_of_moodle(self) -> None:
        self.put(
            "in/Anna Ek_7_assignsubmission_file_/hw/naive.cu=a",
            "in/Anna Ek_7_assignsubmission_onlinetext_/onlinetext.html",
            "in/王小明_8_assignsubmission_file_/tiled.cu=w",
            "in/Bo_9_assignsubmission_file_tiled.cu=b",
        )
        self.assertEqual(
            self.read("in", "id,name,moodle_id\nanna,Anna,7\nwang,王小明,\n"),
            "moodle\n"
            "anna: ready naive.cu=a\n"
            "wang: ready tiled.cu=w (found by the name '王小明')\n"
            "? Bo_9_assignsubmission_file_tiled.cu: no student of the roster has this moodle_id or "
            "name\n",
        )

    def test_download_of_blackboard(self) -> None:
        self.put(
            "in/HW_1_aek_attempt_2026-11-30-22-10-05_naive.cu=old",
            "in/HW_1_aek_attempt_2026-11-30-22-10-05_tiled.cu=old",
            "in/HW_1_aek_attempt_2026-12-01-08-00-00_naive.cu=new",
            "in/HW_1_aek_attempt_2026-12-01-08-00-00.txt",
            "in/HW_1_b_o_attempt_2026-12-01-08-00-00_naive.cu=b",
        )
        self.assertEqual(
            self.read("in", "username,first_name,last_name\naek,Anna,Ek\nb_o,Bo,O\no,Olga,P\n"),
            "blackboard\n"
            "aek: ready naive.cu=new (2 were handed in, and the newest counts) tries=2 late=0 "
            "received=-1\n"
            "b_o: ready naive.cu=b\n"
            "o: missing\n",
        )

    def test_export_of_gradescope(self) -> None:
        (self.folder / "in/e").mkdir(parents=True)
        (self.folder / "in/e/submission_metadata.yml").write_text(
            "submission_1:\n  :submitters:\n  - :name: Anna\n    :sid: 'a1'\n  - :name: Bo\n"
            "    :email: b@x.org\n  :created_at: 1970-01-01 00:01:00 Z\n"
            "submission_2:\n  :submitters:\n  - :name: Anna\n    :sid: 'a1'\n"
            "  :created_at: 1970-01-01 00:02:00 Z\n"
            "submission_3:\n  :submitters:\n  - :name: Carl\n"
            "../secret:\n  :submitters:\n  - :name: Dora\n"
        )
        self.put(*(f"in/e/submission_{number}/naive.cu={number}" for number in (1, 2, 4)))
        self.put("in/secret/naive.cu=s")
        self.assertEqual(
            self.read("in/e"),
            "gradescope\n"
            "a1: ready naive.cu=2 (2 were handed in, and the newest counts) tries=2 late=0 "
            "received=120\n"
            "b@x.org: ready naive.cu=1 tries=1 late=0 received=60\n"
            "? submission_3: submission_metadata.yml names it, but there is no such folder\n"
            "? ../secret: submission_metadata.yml names it, but there is no such folder\n"
            "? submission_4: submission_metadata.yml does not name it\n",
        )

    def test_clones_of_a_classroom(self) -> None:
        self.put(
            "in/hw1-anna-ek/.git/HEAD",
            "in/hw1-anna-ek/student/naive.cu=a",
            "in/hw1-anna-ek/lessons/010_naive/stub.cu=stub",
            "in/hw1-anders/.git/HEAD",
            "in/hw1-anders/naive.cu=A",
            "in/scores.csv",
        )
        scores = "? scores.csv: its name does not say whose it is\n"
        self.assertEqual(
            self.read("in"),
            f"classroom\nanders: ready naive.cu=A\nanna-ek: ready naive.cu=a\n{scores}",
        )
        self.assertEqual(
            self.read("in", "id,github\nu1,Anna-Ek\nu2,ek\nu3,anders\n"),
            f"classroom\nu1: ready naive.cu=a\nu2: missing\nu3: ready naive.cu=A\n{scores}",
        )

    # --- Whose it is ---------------------------------------------------------------------------

    def test_number_counts_only_where_canvas_writes_it(self) -> None:
        roster = "Student,ID,SIS Login ID,Section\nMal,4,mal,A\nAnn,5,ann,A\n"
        self.put("in/ann_5_51_naive.cu=a", "in/out_7_71_4_9_naive.cu=handed in for Mal")
        self.assertEqual(
            self.read("in", roster),
            "canvas\nmal: missing\nann: ready naive.cu=a\n"
            "? out_7_71_4_9_naive.cu: its name has more than one number that could be a "
            "student's\n",
        )
        self.put("in/mal_4_41_naive.cu=m")
        self.assertIn("mal: ready naive.cu=m\n", self.read("in", roster))

    def test_namesake_with_another_number_is_another_person(self) -> None:
        self.put(
            "in/Wei Wang_900_assignsubmission_file_/naive.cu=w",
            "in/Ann_5_assignsubmission_file_/naive.cu=a",
        )
        self.assertEqual(
            self.read("in", "id,name,moodle_id\nwei,Wei Wang,4\nann,Ann,\n"),
            "moodle\nwei: missing\nann: ready naive.cu=a (found by the name 'Ann')\n"
            f"? Wei Wang_900_assignsubmission_file_: {OTHER}",
        )

    def test_end_of_a_login_is_no_login(self) -> None:
        self.put("in/hw1-x-anna/.git/HEAD", "in/hw1-x-anna/naive.cu=x")
        self.put("in/hw1-ben/.git/HEAD", "in/hw1-ben/naive.cu=b")
        self.assertEqual(
            self.read("in", "id,github\nu1,anna\nu2,Ben\n"),
            "classroom\nu1: missing\nu2: ready naive.cu=b\n"
            "? hw1-x-anna: no student of the roster has this id, login, mail address or name\n",
        )
        text = self.read("in", "id,github\nu1,x-anna\nu2,ben\n")
        self.assertIn("u1: ready naive.cu=x\n", text)

    def test_user_names_with_one_end_are_two_students(self) -> None:
        self.put(
            "in/HW_1_j_li_attempt_2026-10-01-10-00-00_naive.cu=j",
            "in/HW_1_m_li_attempt_2026-11-01-10-00-00_naive.cu=m",
        )
        self.assertEqual(
            self.read("in"), "blackboard\nj_li: ready naive.cu=j\nm_li: ready naive.cu=m\n"
        )
        self.assertEqual(
            self.read("in", "username\nli\nj_li\n"),
            "blackboard\nli: missing\nj_li: ready naive.cu=j\n"
            "? HW_1_m_li_attempt_2026-11-01-10-00-00_naive.cu: no student of the roster has this "
            "id, login, mail address or name\n",
        )

    # --- Packages ------------------------------------------------------------------------------

    def tar(self, name: str, *entries: tuple[str, str, bytes]) -> None:
        """A name, a content or the target of a link, and the type of each entry."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with tarfile.open(path, "w") as package:
            for entry, content, kind in entries:
                info = tarfile.TarInfo(entry)
                info.type = kind
                if kind == tarfile.REGTYPE:
                    info.size = len(content)
                info.linkname = "" if kind == tarfile.REGTYPE else content
                package.addfile(info, io.BytesIO(content.encode()))

    def test_package_of_packages(self) -> None:
        file = tarfile.REGTYPE
        self.tar(
            "in/bob.tar",
            ("anna/naive.cu", "not hers", file),
            ("../anna/naive.cu", "out", file),
            ("tiled.cu", "/etc/passwd", tarfile.SYMTYPE),
            ("inner.zip", "no package in a package", file),
        )
        self.put("in/carl.zip=no zip", "in/dora/naive.cu=d", "in/eva/naive.cu=e")
        old = (("naive.cu", "older", file), ("tiled.cu", "t", file))
        self.tar("in/dora/old.tar", *old)
        self.tar("in/fay.tar", ("naive.cu", "old", file), ("naive.cu", "new", file))
        self.put("in/eva.tar")
        self.assertEqual(
            self.read("in"),
            "folders\n"
            "bob: ready naive.cu=not hers (left out: '../anna/naive.cu': a path with '..'; pack "
            "the files under plain names, and 1 more)\n"
            "carl: broken (carl.zip: not a package: neither zip nor tar (.tar.gz, .tar.xz))\n"
            "dora: ready naive.cu=d tiled.cu=t\n"
            "eva: broken ('eva' and 'eva.tar' are both of this student, and nothing says which is "
            "newer: remove one) tries=2 late=0 received=-1\n"
            "fay: broken (fay.tar: 'naive.cu': the package has another file with this name)\n",
        )
        self.tar(
            "outer",
            ("class/anna/hw1/naive.cu", "a", file),
            ("class/bob/essay.pdf", "of which only the name is kept", file),
            ("class/carl/naive.cu", "/etc/passwd", tarfile.LNKTYPE),
            ("/etc/cron.d/x", "x", file),
        )
        self.assertEqual(
            self.read("outer"),
            "folders\n"
            "anna: ready naive.cu=a\n"
            "bob: empty (it has no kernel file of this course, but essay.pdf)\n"
            "? class/carl/naive.cu: a link; pack the file itself\n"
            "? /etc/cron.d/x: an absolute path; pack the files under plain names\n",
        )

    def test_what_is_no_class_is_refused(self) -> None:
        self.put("in/naive.cu=a")
        self.assertEqual(
            self.read("in"),
            "not a class: there is no folder and no package for each student; `make grade "
            "SUBMISSION=…` grades one submission",
        )
        self.assertEqual(
            self.read("in", layout="canvas"),
            "nothing there fits the layout 'canvas'; LAYOUT=folders (--layout folders) takes a "
            "folder or a package for each student",
        )
        said = "not a package: neither zip nor tar (.tar.gz, .tar.xz)"
        self.assertEqual(self.read("in/naive.cu"), said)

    def test_link_as_a_class_is_refused(self) -> None:
        self.put("in/anna/naive.cu=a")
        (self.folder / "link").symlink_to("in")
        self.assertIn("a link, which is not followed", self.read("link"))
        before = Path.cwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)
        path = str(self.folder / "link/anna")  # a part below the working folder is no link either
        self.assertIn("a link, which is not followed", self.read("link/anna"), path)

    def test_copy_is_replaced_only_if_it_differs(self) -> None:
        """A running job may read it."""
        self.put("in/anna/naive.cu=a")
        self.read("in")
        before = (self.folder / "out").stat()
        self.read("in")
        self.assertEqual((self.folder / "out").stat().st_ino, before.st_ino)
        self.assertEqual(before.st_mode & 0o777, 0o700)
        self.put("in/anna/naive.cu=b", "out/other.cu=x")
        self.assertEqual(self.read("in"), "folders\nanna: ready naive.cu=b\n")


if __name__ == "__main__":
    unittest.main()
