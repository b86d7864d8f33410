"""Packs a student's submission: submit.py LIST OUT.zip, for `tilegrade submit`.

The files that LIST names, one a line, are put at the top of the package, with plain names that
every learning platform takes.  Equal files give an equal package.
Exit codes: 0 written, 2 bad usage, 3 cannot write.
"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

DATE = (2026, 1, 1, 0, 0, 0)  # of every entry


def pack(out: Path, files: list[Path]) -> None:
    """Writes by rename: an earlier package stays until the new one is whole."""
    out.parent.mkdir(parents=True, exist_ok=True)
    new = out.with_name(f"{out.name}.new")
    with zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            info = zipfile.ZipInfo(file.name, DATE)
            info.external_attr = 0o100644 << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, file.read_bytes())
    new.replace(out)


def main(arguments: list[str]) -> int:
    if len(arguments) != 2 or not arguments[1].endswith(".zip"):
        print("submit: OUT=file.zip names the package", file=sys.stderr)
        return 2
    out = Path(arguments[1])
    lines = Path(arguments[0]).read_text(encoding="utf-8").splitlines()
    try:
        pack(out, [Path(line) for line in lines])
    except OSError as error:
        print(f"submit: {error.filename or out}: {error.strerror}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
