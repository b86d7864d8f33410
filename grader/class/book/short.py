"""The part of a result that a student sees if the assignment has `feedback = verdicts` or
`points`."""

from __future__ import annotations

import page as pages
from formats.markdown import escaped
from language import language
from model import Result, missing_text


def markdown(result: Result, title: str, facts: tuple[str, ...], verdicts: bool) -> str:
    """Returns the whole text; ends in a newline."""
    lines = [f"# {escaped(title)}: {result.points_shown}", ""]
    for fact in facts:
        lines += [escaped(fact), ""]
    if not result.complete:
        lines += [missing_text(result), ""]
    for exercise in result.exercises:
        verdict = f"{exercise.verdict_title}, " if verdicts else ""
        lines.append(f"- {escaped(exercise.title)}: {verdict}{exercise.points_shown}")
    return "\n".join(lines) + "\n"


def page(
    result: Result,
    title: str,
    facts: tuple[str, ...],
    answers: tuple[tuple[str, str], ...],
    verdicts: bool,
) -> str:
    """Returns the whole page; ends in a newline."""
    template = pages.environment().get_template("class/short.html")
    return template.render(
        result=result,
        title=title,
        facts=[*facts, *([] if result.complete else [missing_text(result)])],
        answers=answers,
        verdicts=verdicts,
        graded_at=pages.moment_text(result.graded_at),
        language=language(),
    )
