"""Renders one result.json: report.py FORMAT RESULT OUT [OPTION…] writes OUT/FILE.

--language=en|zh   by default a report has the language of its result
--beside=RESULT the result of model answers, whose text and drawings the page shows too

A format is a module of formats/ with FILE and `render(result) -> str`, found by its name; that for
html is page.py, which other pages share.  A module with FOR_STUDENTS gets only what the assignment
lets students see.
Exit codes: 0 written, 2 bad usage or no result, 3 cannot write.
"""

from __future__ import annotations

import importlib
import re
import sys
from datetime import datetime, timezone
from pathlib import Path
from types import ModuleType

from answers import model_answers
from files import write_whole
from language import LANGUAGES, _, language_of_environment, language_used
from model import Exercise, Result, for_students
from parse import ResultError, result_parse

FORMATS = Path(__file__).resolve().parent / "formats"


def formats() -> list[str]:
    named = re.compile(r"^FILE = ", re.MULTILINE)
    modules = {path.stem for path in FORMATS.glob("*.py") if named.search(path.read_text("utf-8"))}
    return sorted(modules | {"html"})


def module_of(name: str) -> ModuleType:
    """Raises ModuleNotFoundError if a library that the format needs is missing."""
    return importlib.import_module("page" if name == "html" else f"formats.{name}")


def _answers(result: Result, beside: str) -> tuple[tuple[str, str], ...]:
    since = result.assignment.reference_from if result.assignment else None
    if beside:
        since = datetime.fromtimestamp(0, timezone.utc)
    named = ((exercise.name, exercise.title) for exercise in result.exercises)
    return model_answers(named, since)


def _models(path: str, language: str) -> dict[str, Exercise]:
    """The exercises of another result, by name."""
    if not path:
        return {}
    result = result_parse(Path(path).read_text(encoding="utf-8"), path, language)
    return {exercise.name: exercise for exercise in result.exercises}


def rendered(module: ModuleType, text: str, path: str, language: str, beside: str = "") -> str:
    """The report of a result.  Raises ResultError for a file that the grader cannot have written.

    Numbers and kinds of values are not checked one by one: a result that a format cannot show
    counts as damaged.
    """
    result = result_parse(text, path, language)
    try:
        with language_used(language or result.language):
            shown = for_students(result) if hasattr(module, "FOR_STUDENTS") else result
            more: dict[str, object] = {}
            if hasattr(module, "WITH_ANSWERS"):
                more = {"answers": _answers(result, beside), "models": _models(beside, language)}
            report = str(module.render(shown, **more))
        report.encode("utf-8")
        return report
    except Exception as error:  # templates raise many kinds
        why = f"{type(error).__name__}: {error}"
        raise ResultError(f"{path}: " + _("is damaged: %(why)s", why=why)) from error


def complain(text: str) -> None:
    print(f"report: {text}", file=sys.stderr)


def run(name: str, result_path: str, folder: str, language: str, beside: str) -> int:
    try:
        module = module_of(name)
    except ModuleNotFoundError as error:
        complain(_("%(module)s is missing here: run `make setup` first", module=error.name))
        return 3
    try:
        text = Path(result_path).read_text(encoding="utf-8")
        report = rendered(module, text, result_path, language, beside)
    except (ResultError, UnicodeDecodeError) as error:
        complain(str(error))
        return 2
    except OSError as error:
        complain(f"{result_path}: {error.strerror}; " + _("make one with `make grade`"))
        return 2
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        path = Path(folder) / module.FILE
        write_whole(path, report)
    except OSError as error:
        complain(f"{error.filename or folder}: {error.strerror}")
        return 3
    print(path)
    return 0


def main(arguments: list[str]) -> int:
    languages = [word[11:] for word in arguments if word.startswith("--language=")]
    beside = [word[9:] for word in arguments if word.startswith("--beside=")]
    words = [word for word in arguments if not word.startswith(("--language=", "--beside="))]
    language = languages[-1] if languages else ""
    with language_used(language or language_of_environment()):
        if len(words) != 3 or words[0] not in formats() or language not in ("", *LANGUAGES):
            complain(
                _(
                    "usage: report.py FORMAT RESULT OUT [--language=%(languages)s]; "
                    "FORMAT is one of %(formats)s",
                    languages="|".join(LANGUAGES),
                    formats=", ".join(formats()),
                )
            )
            return 2
        return run(*words, language, beside[-1] if beside else "")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
