"""The result as Markdown, for a step summary, a comment or a terminal."""

from __future__ import annotations

import re

from formats.parts import answer_lines
from language import _
from model import Exercise, Finding, Result, missing_text
from reading.repository import address_of
from reading.sections import in_language
from speed import Speed
from words import points_text, word

FILE = "report.md"


def escaped(text: str) -> str:
    """Foreign text as literal Markdown on one line: no markup, no HTML, no cell ends."""
    return _escaped_part(" ".join(text.split()))


def _escaped_part(text: str) -> str:
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_{}\[\]()#+!|~@-])", r"\\\1", text)


def prose(text: str) -> str:
    """A sentence of ours on one line, in which `code` stays code; all else is literal.

    In a code span nothing is markup, so it holds foreign text too.
    """
    parts = " ".join(text.split()).split("`")
    if len(parts) % 2 == 0 or not all(part.strip() for part in parts[1:-1]):
        return escaped(text)
    return "".join(
        f"`{part}`" if number % 2 else _escaped_part(part) for number, part in enumerate(parts)
    )


def _code_block(text: str) -> list[str]:
    """A fenced block whose fence is longer than any run of backticks inside."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [fence + "text", text.rstrip("\n"), fence]


def _marks(text: str, spans: list[tuple[int, int]]) -> str:
    """Carets below the spans of a line; empty if there is nothing to mark."""
    carets = [" "] * len(text)
    for start, length in spans:
        for at in range(start, min(start + length, len(text))):
            carets[at] = "^"
    return "".join(carets).rstrip()


def _source_lines(finding: Finding) -> str:
    """Both lines in the order of events, each with its marks below it."""
    events = [
        (finding.line, finding.source, finding.mark),
        (finding.other_line, finding.other_source, finding.other_mark),
    ]
    lines = []
    for number in dict.fromkeys(line for line, text, _ in events if line and text):
        same = [event for event in events if event[0] == number]
        marks = _marks(same[0][1], [span for _, _, span in same])
        lines.append(f"{number:5d} | {same[0][1]}")
        if marks:
            lines.append(f"      | {marks}")
    return "\n".join(lines)


def _read(lesson: str) -> str:
    lesson = in_language(lesson)
    address = address_of(lesson)
    shown = f"`{lesson.replace('`', '')}`"
    return _("Read %(lesson)s.", lesson=f"[{shown}]({address})" if address else shown)


def _finding(finding: Finding) -> list[str]:
    place = f"{finding.file}:{finding.line}" if finding.line else finding.file
    lines = [
        "- "
        + _(
            "**%(kind)s** at `%(place)s`: %(message)s",
            kind=escaped(word(finding.kind)),
            place=place.replace("`", ""),
            message=prose(finding.message),
        )
    ]
    if finding.count > 1:
        lines[0] += _(" (%(count)d times)", count=finding.count)
    if finding.lesson:
        lines[0] += " " + _read(finding.lesson)
    source = _source_lines(finding)
    if source:
        lines += (
            [""]
            + ["  " + line for block in _code_block(source) for line in block.split("\n")]
            + [""]
        )
    return lines


def _speed_row(speed: Speed) -> str:
    cells = (
        speed.size_text,
        escaped(word(speed.verdict)),
        speed.ratio_text,
        escaped(speed.decided_by),
        _of_text(speed.points, speed.points_max),
    )
    return f"| {' | '.join(cells)} |"


def _of_text(points: int, points_max: int) -> str:
    return _("%(got)s of %(most)s", got=points_text(points), most=points_text(points_max))


def _judged(exercise: Exercise) -> str:
    """Verdict, points and cases in one sentence."""
    verdict = escaped(exercise.verdict_title)
    points = exercise.points_shown
    if not exercise.cases:
        return _("**%(verdict)s**, %(points)s.", verdict=verdict, points=points)
    return _(
        "**%(verdict)s**, %(points)s; %(passed)d of %(count)d cases passed.",
        verdict=verdict,
        points=points,
        passed=sum(case.verdict == "pass" for case in exercise.cases),
        count=len(exercise.cases),
    )


def _speed(exercise: Exercise) -> list[str]:
    lines = []
    if exercise.speed:
        heads = (_("size"), _("speed"), _("ratio to the reference"), _("decided by"), _("points"))
        lines += [f"| {' | '.join(heads)} |", "|---|---|---|---|---|"]
        lines += [_speed_row(speed) for speed in exercise.speed] + [""]
        rates = [f"- {speed.size_text}: {speed.rates}" for speed in exercise.speed if speed.rates]
        lines += [*rates, ""] if rates else []
        lines += [escaped(exercise.cublas_note), ""] if exercise.cublas_note else []
    if exercise.estimate:
        lines += [f"{escaped(exercise.estimate.sentence)} {_read(exercise.estimate.lesson)}", ""]
    return lines


def _exercise(exercise: Exercise) -> list[str]:
    lines = [f"## {escaped(exercise.title)}", "", _judged(exercise), ""]
    for text in (exercise.headline, exercise.detail_left):
        if text:
            lines += [prose(text), ""]
    if exercise.diagnostics:
        lines += _code_block(exercise.diagnostics) + [""]
    if exercise.output:
        lines += [_("The kernel printed:"), ""] + _code_block(exercise.output) + [""]
    for finding in exercise.findings:
        lines += _finding(finding)
    if exercise.findings:
        lines.append("")
    return lines + _speed(exercise)


def _footer(result: Result) -> str:
    measured = result.speed_basis == "measured"
    return _(
        "Device %(device)s; speed by %(basis)s; seed `%(seed)s`; tilegrade %(version)s; "
        "sandbox: %(sandbox)s.",
        device=escaped(result.device),
        basis=_("measured times") if measured else _("counted work, no times"),
        seed=result.seed,
        version=escaped(result.grader_version),
        sandbox=escaped(result.sandbox),
    )


def render(result: Result, title: str = "", facts: tuple[str, ...] = ()) -> str:
    """Returns the whole report; ends in a newline.

    `title` is by default that of the assignment, `facts` are sentences on the points that a result
    lacks.
    """
    heads = (_("exercise"), _("verdict"), _("points"), _("of"))
    title = title or result.title
    lines = [
        f"# {escaped(title)}: {result.heading}" if title else f"# {escaped(result.heading)}",
        "",
        *(text for fact in facts for text in (escaped(fact), "")),
        f"| {' | '.join(heads)} |",
        "|---|---|---:|---:|",
    ]
    for exercise in result.exercises:
        got = _("open") if exercise.is_open else points_text(exercise.points)
        most = points_text(exercise.points_max)
        lines.append(
            f"| {escaped(exercise.title)} | {escaped(exercise.verdict_title)} "
            + ("| – | – |" if result.is_test else f"| {got} | {most} |")
        )
    if result.answers:
        got = _("open") if result.answers.points_open else points_text(result.answers.points)
        state = _("not handed in") if result.answers.state == "missing" else "–"
        most = points_text(result.answers.points_max)
        lines.append(f"| {_('answers to questions')} | {state} | {got} | {most} |")
    lines.append("")
    if result.answers:
        lines += [escaped(result.answers.note), ""] if result.answers.note else []
        listed = [f"* {escaped(text)}" for text in answer_lines(result.answers)]
        lines += [*listed, ""] if listed and result.answers.state == "marked" else []
    if not result.complete:
        lines += [missing_text(result), ""]
    for exercise in result.exercises:
        lines += _exercise(exercise)
    return "\n".join(lines + [_footer(result)]) + "\n"
