"""Renders one result.json: report.py FORMAT RESULT OUT writes OUT/FILE.

A format is a module in this folder with FILE and `render(result) -> str`, found by its name;
that of html is page.py, as a module html.py would hide Python's own.
Exit codes: 0 written, 2 bad usage or no result, 3 cannot write.
"""

from __future__ import annotations

import importlib
import os
import sys
import tempfile
from pathlib import Path
from types import ModuleType

from parse import ResultError, result_parse

HERE = Path(__file__).resolve().parent
NOT_FORMATS = {"report", "model", "parse", "parts"}
MODULES = {"html": "page"}


def formats() -> list[str]:
    modules = {path.stem for path in HERE.glob("*.py")} - NOT_FORMATS - set(MODULES.values())
    return sorted(modules | set(MODULES))


def write_whole(path: Path, text: str) -> None:
    """Writes by rename, so that nobody sees half a report and an earlier one stays on failure."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name + ".")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
    except OSError:
        os.unlink(temporary)
        raise


def rendered(module: ModuleType, text: str, path: str) -> str:
    """The report of a result.  Raises ResultError for a file that the grader cannot have written.

    Numbers and kinds of values are not checked one by one: what a format cannot show is damaged.
    """
    result = result_parse(text, path)
    try:
        report = str(module.render(result))
        report.encode("utf-8")
        return report
    except Exception as error:  # also of templates
        raise ResultError(f"{path}: is damaged: {type(error).__name__}: {error}") from error


def main(arguments: list[str]) -> int:
    if len(arguments) != 3 or arguments[0] not in formats():
        print(
            f"report: usage: report.py FORMAT RESULT OUT; FORMAT is one of {', '.join(formats())}",
            file=sys.stderr,
        )
        return 2
    name, result_path, folder = arguments
    try:
        module = importlib.import_module(MODULES.get(name, name))
    except ModuleNotFoundError as error:
        print(f"report: {error.name} is missing here: run `make setup` first", file=sys.stderr)
        return 3
    try:
        report = rendered(module, Path(result_path).read_text(encoding="utf-8"), result_path)
    except (ResultError, UnicodeDecodeError) as error:
        print(f"report: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(
            f"report: {result_path}: {error.strerror}; make one with `make grade`", file=sys.stderr
        )
        return 2
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        path = Path(folder) / module.FILE
        write_whole(path, report)
    except OSError as error:
        print(f"report: {error.filename or folder}: {error.strerror}", file=sys.stderr)
        return 3
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
