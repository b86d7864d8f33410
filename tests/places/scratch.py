"""A folder for a test of a package or template, and its content.

Programs that setup.sh would install and build are taken from this build.  To try a bare machine is
the last step of grader/templates/README.md.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import jsonschema
except ImportError:
    jsonschema = None

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "grader/templates"
BUILD = ROOT / os.environ.get("BUILD", "build")
sys.path.insert(0, str(ROOT / "tests"))

from small import COURSE as SMALL  # noqa: E402


def pack(kind: str, out: Path, *assignment: str) -> subprocess.CompletedProcess:
    command = [sys.executable, str(ROOT / "grader/tools/pack.py"), kind, str(out), *assignment]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def make_small(course: Path) -> None:
    """Gives an unpacked course its build, and one small exercise instead of its own."""
    (course / "build").symlink_to(BUILD)
    for part in ("lessons", "reference"):
        shutil.rmtree(course / part)
        shutil.copytree(SMALL / part, course / part)


class Scratch(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def read_back(self, path: Path, schema: dict) -> dict:
        """A document for a platform, checked against its schema if that is possible."""
        document = json.loads(path.read_text(encoding="utf-8"))
        if jsonschema:
            jsonschema.validate(document, schema)
        return document

    def submit(self, folder: Path, source: Path | None) -> Path:
        """A submission with the kernel of source, or an empty one."""
        folder.mkdir(parents=True)
        if source:
            shutil.copyfile(source / "sum.cu", folder / "sum.cu")
        return folder
