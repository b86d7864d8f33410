"""Renders a graded class: class_report.py OUT [--similar] [--language=en|zh].

Reads OUT/class.json and the results in OUT/jobs.  Writes the gradebook, the files for learning
platforms and the page of the class, then the folder of each student whose result has changed, and
packages of these folders.  --similar has Dolos compare the kernels.
Exit codes: 0 written, 2 bad usage or no class, 3 something could not be written.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "class"))

from language import LANGUAGES, _, language_of_environment, language_used  # noqa: E402
from parse import ResultError  # noqa: E402

FLAGS = ("--similar",)


def complain(text: str) -> None:
    print(f"class: {text}", file=sys.stderr)


def class_render(folder: Path, flags: set[str], language: str) -> int:
    # Imported late: without Jinja2 there is one clear message, and not a trace.
    from book import model, render

    run = model.class_read(folder)
    with language_used(language or run.language):
        outcome = render.class_write(run, "--similar" in flags)
    for text in outcome.written:
        print(text)
    for text in outcome.troubles:
        complain(text)
    return 3 if outcome.troubles else 0


def main(arguments: list[str]) -> int:
    os.umask(0o077)  # all of it belongs to the teacher alone
    languages = [word[11:] for word in arguments if word.startswith("--language=")]
    flags = {word for word in arguments if word in FLAGS}
    words = [word for word in arguments if word not in FLAGS and word[:11] != "--language="]
    language = languages[-1] if languages else ""
    with language_used(language or language_of_environment()):
        if len(words) != 1 or words[0][:2] == "--" or language not in ("", *LANGUAGES):
            complain(
                _(
                    "usage: class_report.py OUT [--similar] [--language=%(languages)s]",
                    languages="|".join(LANGUAGES),
                )
            )
            return 2
        try:
            return class_render(Path(words[0]), flags, language)
        except ModuleNotFoundError as error:
            complain(_("%(module)s is missing here: run `make setup` first", module=error.name))
            return 3
        except ResultError as error:
            complain(str(error))
            return 2
        except OSError as error:
            complain(f"{error.filename or words[0]}: {error.strerror}")
            return 3


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
