"""The result as Markdown, for a step summary, a comment or a terminal."""

from __future__ import annotations

import re

from model import Exercise, Finding, Result, points_text

FILE = "report.md"


def _escape(text: str) -> str:
    """Text of others as literal Markdown on one line: no markup, no HTML, no cell ends."""
    text = " ".join(text.split())
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_{}\[\]()#+!|~@-])", r"\\\1", text)


def _code_block(text: str) -> list[str]:
    """A fenced block whose fence is longer than any run of backticks inside."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [fence + "text", text.rstrip("\n"), fence]


def _marks(text: str, spans: list[tuple[int, int]]) -> str:
    """Carets below the spans of a line; empty where there is nothing to mark."""
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


def _finding(finding: Finding) -> list[str]:
    place = f"{finding.file}:{finding.line}" if finding.line else finding.file
    lines = [
        f"- **{_escape(finding.kind)}** at `{place.replace('`', '')}`: {_escape(finding.message)}"
    ]
    if finding.count > 1:
        lines[0] += f" ({finding.count} times)"
    if finding.lesson:
        lines[0] += f" Read `{finding.lesson.replace('`', '')}`."
    source = _source_lines(finding)
    if source:
        lines += (
            [""]
            + ["  " + line for block in _code_block(source) for line in block.split("\n")]
            + [""]
        )
    return lines


def _exercise(exercise: Exercise) -> list[str]:
    lines = [f"## {_escape(exercise.title)}", ""]
    passed = sum(case.verdict == "pass" for case in exercise.cases)
    cases = f"; {passed} of {len(exercise.cases)} cases passed" if exercise.cases else ""
    lines.append(
        f"**{_escape(exercise.verdict_title)}**, {points_text(exercise.points)} of "
        f"{points_text(exercise.points_max)} points{cases}."
    )
    lines.append("")
    if exercise.headline:
        lines += [_escape(exercise.headline), ""]
    detail = exercise.detail_left
    if detail:
        lines += [_escape(detail), ""]
    if exercise.diagnostics:
        lines += _code_block(exercise.diagnostics) + [""]
    if exercise.output:
        lines += ["The kernel printed:", ""] + _code_block(exercise.output) + [""]
    for finding in exercise.findings:
        lines += _finding(finding)
    if exercise.findings:
        lines.append("")
    if exercise.speed:
        lines += [
            "| size | speed | ratio to the reference | decided by | points |",
            "|---|---|---|---|---|",
        ]
        for speed in exercise.speed:
            # Counts have no spread.
            spread = "" if speed.counted else f" ({speed.low:.3f} to {speed.high:.3f})"
            lines.append(
                f"| {speed.size_text} | {_escape(speed.verdict)} "
                f"| {speed.ratio:.3f}{spread} "
                f"| {_escape(speed.decided_by)} "
                f"| {points_text(speed.points)} of {points_text(speed.points_max)} |"
            )
        lines.append("")
        rates = [f"- {speed.size_text}: {speed.rates}" for speed in exercise.speed if speed.rates]
        lines += [*rates, ""] if rates else []
    if exercise.estimate:
        lines += [
            f"{_escape(exercise.estimate.sentence)} "
            f"Read `{exercise.estimate.lesson.replace('`', '')}`.",
            "",
        ]
    return lines


def render(result: Result) -> str:
    """Returns the whole report; ends in a newline."""
    lines = [
        f"# {points_text(result.points)} of {points_text(result.points_max)} points",
        "",
        "| exercise | verdict | points | of |",
        "|---|---|---:|---:|",
    ]
    for exercise in result.exercises:
        lines.append(
            f"| {_escape(exercise.title)} | {_escape(exercise.verdict_title)} "
            f"| {points_text(exercise.points)} "
            f"| {points_text(exercise.points_max)} |"
        )
    lines.append("")
    if not result.complete:
        lines += [
            "Not everything could be judged on this machine; "
            "what is missing is not part of the points.",
            "",
        ]
    for exercise in result.exercises:
        lines += _exercise(exercise)
    basis = "measured times" if result.speed_basis == "measured" else "counted work, no times"
    lines.append(
        f"Device {_escape(result.device)}; speed by {basis}; seed `{result.seed}`; "
        f"tilegrade {_escape(result.grader_version)}; sandbox: {_escape(result.sandbox)}."
    )
    return "\n".join(lines) + "\n"
