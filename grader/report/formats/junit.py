"""The result as JUnit XML that GitLab and the GitHub reporters both read.

One suite an exercise, one test case a case.  GitLab shows the text of <failure>, other tools show
its message attribute, so both are written.  An exercise that ran no case (it does not compile, say)
has one test case, `judged`.
"""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from formats.parts import speed_text
from language import _
from model import Case, Exercise, Finding, Result
from words import word

FILE = "report.xml"
SKIPPED = ("missing", "needs_gpu")  # no kernel ran, so none is wrong


def _text(text: str) -> str:
    return escape(text)


def _attribute(text: str) -> str:
    return quoteattr(text)


def _failure_text(exercise: Exercise) -> str:
    parts = [exercise.headline, exercise.detail_left]
    for finding in exercise.findings:
        parts.append(
            f"{finding.file}:{finding.line}: {finding.message}" if finding.line else finding.message
        )
    if exercise.diagnostics:
        parts.append(exercise.diagnostics)
    return "\n".join(part for part in parts if part)


def _line(findings: tuple[Finding, ...]) -> str:
    first = next((finding.line for finding in findings if finding.line), 0)
    return f' line="{first}"' if first else ""


def _test_case(exercise: Exercise, name: str, verdict: str) -> list[str]:
    opening = (
        f"    <testcase classname={_attribute(exercise.name)} name={_attribute(name)} "
        f"file={_attribute(exercise.file)}{_line(exercise.findings)}"
    )
    if verdict == "pass":
        return [opening + "/>"]
    if verdict in SKIPPED:
        return [
            opening + ">",
            f"      <skipped message={_attribute(exercise.headline)}/>",
            "    </testcase>",
        ]
    message = exercise.headline if verdict == exercise.verdict else word(verdict)
    return [
        opening + ">",
        f"      <failure message={_attribute(message)} type={_attribute(verdict)}>"
        f"{_text(_failure_text(exercise))}</failure>",
        "    </testcase>",
    ]


def _rows(exercise: Exercise) -> list[tuple[str, str]]:
    cases: tuple[Case, ...] = exercise.cases
    if not cases:
        return [("judged", exercise.verdict)]
    rows = [(case.name, case.verdict) for case in cases]
    if exercise.verdict != "pass" and all(verdict == "pass" for _, verdict in rows):
        rows.append(("judged", exercise.verdict))
    return rows


def _tallies(rows: list[tuple[str, str]]) -> str:
    skipped = sum(verdict in SKIPPED for _, verdict in rows)
    failures = sum(verdict not in ("pass", *SKIPPED) for _, verdict in rows)
    return f'tests="{len(rows)}" failures="{failures}" errors="0" skipped="{skipped}"'


def _speed_lines(exercise: Exercise) -> list[str]:
    """The judgement of speed, for people: not a test case, because slow is not wrong."""
    texts = [
        _("speed at %(size)s: %(judged)s", size=speed.size_text, judged=speed_text(speed))
        for speed in exercise.speed
    ]
    if exercise.estimate:
        texts.append(exercise.estimate.sentence)
    if not texts:
        return []
    return [f"    <system-out>{_text(chr(10).join(texts))}</system-out>"]


def render(result: Result) -> str:
    """Returns the whole document; ends in a newline."""
    suites = [(exercise, _rows(exercise)) for exercise in result.exercises]
    every_row = [row for _, rows in suites for row in rows]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="tilegrade" {_tallies(every_row)}>',
    ]
    for exercise, rows in suites:
        lines.append(f"  <testsuite name={_attribute(exercise.name)} {_tallies(rows)}>")
        for name, verdict in rows:
            lines += _test_case(exercise, name, verdict)
        lines += _speed_lines(exercise)
        lines.append("  </testsuite>")
    lines.append("</testsuites>")
    return "\n".join(lines) + "\n"
