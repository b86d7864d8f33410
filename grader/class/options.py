"""The command line of class.py, checked as far as that needs no file of the course."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import NoReturn

from intake.folder import is_package
from intake.layouts import LAYOUTS
from language import N_, _
from run.pool import JOBS_MAX
from trouble import Trouble

COMMANDS = ("grade", "regrade", "render", "similar", "collect")
ENGINES = ("local", "slurm")
OPTIONS = {
    "submissions": N_(
        "the download of the learning platform: a folder of submissions, or one .zip or .tar.gz"
    ),
    "roster": N_(
        "the students: CSV or .xlsx with the column id, and name, mail, section … if they are known"
    ),
    "layout": N_(
        "how submissions are named: folders, canvas, moodle, blackboard, gradescope, classroom "
        "(default: found by itself)"
    ),
    "out": N_("the folder for the result"),
    "result": N_("the folder of a class, whose points are computed again"),
    "engine": N_("local (this machine) or slurm (a cluster; all files on a shared file system)"),
    "slurm": N_("lines for the head of Slurm's batch script: #SBATCH with partition, account …"),
    "jobs": N_("number of parallel processes (default: as many as this machine has room for)"),
    "assignment": N_("only the exercises of lessons/assignments/NAME.ini, for its points"),
    "exercise": N_("only these exercises: a name, or several with commas between them"),
    "device": N_("auto, emu (CPU only) or gpu (requires a GPU)"),
    "card": N_("the card to estimate for, such as rtx3060 (default: H200)"),
    "sandbox": N_(
        "how strictly kernels are isolated: default, strict, or unsafe (resource limits only; "
        "results say so)"
    ),
    "language": N_("English or Chinese (default: the language of the system)"),
    "root": N_("the folder of the course"),
    "programs": N_("the folder of the programs (default: build)"),
}


def complain(text: str) -> None:
    print(f"class: {text}", file=sys.stderr)


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        complain(message)
        sys.exit(2)


def options_read(arguments: list[str]) -> argparse.Namespace:
    parser = Parser(
        prog="class.py",
        allow_abbrev=False,
        usage="class.py [" + "|".join(COMMANDS) + "] [OPTION…]",
        description=_(
            "grade all submissions of a class into one folder; the same command goes on after a "
            "stop"
        ),
    )
    parser.add_argument("command", nargs="?", default="grade", choices=COMMANDS, metavar="COMMAND")
    for name, what in OPTIONS.items():
        parser.add_argument(f"--{name}", default="", metavar="…", help=_(what))
    parser.add_argument("--quiet", action="store_true", help=_("print only verdicts and points"))
    return parser.parse_args(arguments)


def usage_check(options: argparse.Namespace) -> None:
    if not options.out:
        raise Trouble("name a folder for the class, as in OUT=../hw1 (or --out)")
    if options.engine and options.engine not in ENGINES:
        raise Trouble("unknown engine '%(name)s': use local or slurm", name=options.engine[:40])
    if options.slurm and options.engine != "slurm":
        raise Trouble("--slurm is for --engine=slurm")
    if options.roster and (is_package(options.roster) or Path(options.roster).is_dir()):
        raise Trouble(
            "%(path)s: a roster is a CSV file, and this is a folder or a package; are ROSTER "
            "and SUBMISSIONS swapped?",
            path=options.roster,
        )
    if options.submissions.lower().endswith(".csv"):
        raise Trouble(
            "%(path)s: submissions are a folder or a package, and this is a table; are "
            "SUBMISSIONS and ROSTER swapped?",
            path=options.submissions,
        )
    if not options.submissions:
        raise Trouble(
            "name what was handed in, as in SUBMISSIONS=submissions.zip (or --submissions)"
        )
    if options.layout not in ("", "auto", *LAYOUTS):
        raise Trouble(
            "unknown layout '%(name)s': use auto, folders, canvas, moodle, blackboard, "
            "gradescope or classroom",
            name=options.layout[:40],
        )
    if options.jobs and not (options.jobs.isdecimal() and 1 <= int(options.jobs) <= JOBS_MAX):
        raise Trouble(
            "'%(text)s' is not a number of processes: use 1 to %(most)d",
            text=options.jobs,
            most=JOBS_MAX,
        )
