"""The result as workflow commands of GitHub Actions: one annotation at the line of each cause.

Print the file in a step.  A step shows at most ten errors and ten warnings.
Format: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
"""

from __future__ import annotations

from model import Exercise, Finding, Result

FILE = "annotations.txt"
FOR_STUDENTS = True
FOLDER = "student"  # the folder of the kernel files in a student's repository
SHOWN_MAX = 10  # annotations of each kind


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _command(kind: str, exercise: Exercise, line: int, title: str, text: str) -> str:
    place = f"file={_property(f'{FOLDER}/{exercise.file}')}"
    if line > 0:
        place += f",line={line}"
    return f"::{kind} {place},title={_property(title)}::{_data(text)}"


def _of_finding(exercise: Exercise, finding: Finding) -> str:
    kind = "error" if finding.severity == "error" else "warning"
    return _command(kind, exercise, finding.line, exercise.verdict_title, finding.message)


def _of_exercise(exercise: Exercise) -> list[str]:
    shown = [_of_finding(exercise, finding) for finding in exercise.findings]
    if exercise.verdict in ("pass", "needs_gpu", "not_started", "missing"):
        return [command for command in shown if command.startswith("::warning")]
    if any(command.startswith("::error") for command in shown):
        return shown
    text = "\n".join(part for part in (exercise.headline, exercise.diagnostics) if part)
    return [_command("error", exercise, 0, exercise.verdict_title, text)] + shown


def render(result: Result) -> str:
    """Returns the commands, one a line; ends in a newline."""
    commands = [command for exercise in result.exercises for command in _of_exercise(exercise)]
    errors = [command for command in commands if command.startswith("::error")][:SHOWN_MAX]
    warnings = [command for command in commands if command.startswith("::warning")][:SHOWN_MAX]
    points = f"::notice title=Points::{_data(result.points_shown)}"
    return "\n".join(errors + warnings + [points]) + "\n"
