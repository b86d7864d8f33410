"""The address of the course on the web, if this is a CI job that runs in a checkout of the course.

Elsewhere it is unknown: a remote may be private to the person who made the report.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

COURSE = Path(__file__).resolve().parents[3]
_URL = re.compile(r"https?://[\w.:-]+(?:/[\w.~-]+)+")


def _checkout() -> tuple[str, str]:
    """The folder of the job's checkout, and the address of its files."""
    name = os.environ.get
    if name("GITHUB_REPOSITORY"):
        server = name("GITHUB_SERVER_URL", "https://github.com")
        address = f"{server}/{name('GITHUB_REPOSITORY')}/blob/{name('GITHUB_SHA', 'HEAD')}"
        return name("GITHUB_WORKSPACE", ""), address
    if name("CI_PROJECT_URL"):
        address = f"{name('CI_PROJECT_URL')}/-/blob/{name('CI_COMMIT_SHA', 'HEAD')}"
        return name("CI_PROJECT_DIR", ""), address
    return "", ""


def address_of(path: str) -> str:
    """The address of a file of the course, with its `#heading`; "" if it is not known."""
    folder, address = _checkout()
    if not folder or Path(folder).resolve() != COURSE or not _URL.fullmatch(address):
        return ""
    return f"{address}/{path}" if (COURSE / path.split("#")[0]).is_file() else ""
