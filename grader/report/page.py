"""The result as one self-contained page without scripts, also for dark screens and paper."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from types import MappingProxyType

import jinja2
import markupsafe

from drawing import axes, bars, code_view, counters, formula, index_map, squares
from language import _, clauses, language
from model import Case, Exercise, Finding, Result, missing_text
from reading.sections import Section, section
from words import points_text, size_text, word

FILE = "report.html"
WITH_ANSWERS = True
TEMPLATES = Path(__file__).resolve().parent / "templates"
FINDINGS_MAX = 8  # drawn one by one; the others get one line each

MARKS = {"pass": "✓", "missing": "–", "not_started": "○", "needs_gpu": "○"}
NOT_BEGUN = ("missing", "not_started")  # on paper these are rows of the table and no more


@dataclass(frozen=True)
class FindingView:
    finding: Finding
    lines: tuple[code_view.Line, ...]
    section: Section | None  # the section to read; None if the exercise has already shown it


@dataclass(frozen=True)
class ExerciseView:
    exercise: Exercise
    state: str  # "good", "bad" or "open": a class of the style sheet
    mark: str
    begun: bool
    passed: int
    cases: tuple[tuple[str, int, str], ...]  # verdict, number, and the cases; pass is last
    findings: tuple[FindingView, ...]
    more: tuple[Finding, ...]
    place: tuple[code_view.Line, ...]  # the place, if no finding has one
    whole: tuple[code_view.Line, ...]
    has_heat: bool
    ratios: bars.Ratios | None
    bars: bars.Bars | None
    over_size: axes.Lines | None
    roofline: axes.Roofline | None
    no_roofline: str  # the reason for none, for a kernel whose speed is shown
    wrong: squares.Squares | None
    cells: squares.Cells | None
    counters: counters.Counters | None
    maps: tuple[index_map.Map, ...]
    model: tuple[index_map.Map, ...]  # of the model answer
    repeat: str
    section: Section | None  # about the verdict; None if a finding has shown it
    estimate_section: Section | None


def _state(exercise: Exercise) -> str:
    if exercise.verdict == "pass":
        return "good"
    return "open" if exercise.verdict in MARKS else "bad"


def _sizes(cases: list[Case]) -> str:
    """The sizes of cases, by inputs and device."""
    groups: dict[tuple[str, str], list[str]] = {}
    for case in cases:
        groups.setdefault((case.inputs, case.device), []).append(size_text(case.size))
    return clauses(
        _(
            "%(inputs)s inputs on %(device)s: %(sizes)s",
            inputs=word(inputs),
            device=device,
            sizes=", ".join(sizes),
        )
        for (inputs, device), sizes in groups.items()
    )


def _cases(exercise: Exercise) -> tuple[tuple[str, int, str], ...]:
    verdicts = [case.verdict for case in exercise.cases if case.verdict != "pass"]
    found = []
    for verdict in [*dict.fromkeys(verdicts), "pass"]:
        cases = [case for case in exercise.cases if case.verdict == verdict]
        found.append((verdict, len(cases), _sizes(cases) or _("none")))
    return tuple(found)


def _repeat(exercise: Exercise) -> str:
    size = f" SIZE={size_text(exercise.repeat_size)}" if exercise.repeat_size else ""
    return f"make test EX={exercise.name}{size}"


def _sections(links: list[str]) -> list[Section | None]:
    """The section of each link, the first time that it occurs."""
    return [
        section(link) if link and link not in links[:at] else None
        for at, link in enumerate(links)
    ]


def _exercise_view(exercise: Exercise, result: Result, model: Exercise | None) -> ExerciseView:
    shown = exercise.findings[:FINDINGS_MAX]
    place = [] if exercise.findings else code_view.place_in_headline(exercise)
    whole = code_view.whole_file(exercise, place) if exercise.source else ()
    estimate = exercise.estimate.lesson if exercise.estimate else ""
    about = exercise.verdict_lesson if exercise.verdict != "pass" else ""
    *of_findings, of_verdict, of_estimate = _sections(
        [*(finding.lesson for finding in shown), about, estimate]
    )
    return ExerciseView(
        exercise=exercise,
        state=_state(exercise),
        mark=MARKS.get(exercise.verdict, "✗"),
        begun=exercise.verdict not in NOT_BEGUN,
        passed=sum(case.verdict == "pass" for case in exercise.cases),
        cases=_cases(exercise),
        findings=tuple(
            FindingView(
                finding,
                code_view.excerpt(exercise, code_view.events_of(finding), finding),
                what,
            )
            for finding, what in zip(shown, of_findings)
        ),
        more=exercise.findings[FINDINGS_MAX:],
        place=code_view.excerpt(exercise, place, None) if place else (),
        whole=whole,
        has_heat=any(line.heat for line in whole),
        ratios=bars.ratio_rows(exercise),
        bars=bars.speed_bars(exercise),
        over_size=axes.speed_over_size(exercise),
        roofline=axes.roofline(exercise, result),
        no_roofline=axes.why_no_roofline(exercise),
        wrong=squares.wrong_squares(exercise),
        cells=squares.wrong_cells(exercise),
        maps=index_map.index_maps(exercise.maps, formula.rows_of, exercise.findings),
        model=index_map.index_maps(model.maps, formula.rows_of, ()) if model else (),
        repeat=_repeat(exercise),
        counters=counters.counters(exercise),
        section=of_verdict,
        estimate_section=of_estimate,
    )


def _summary(result: Result) -> str:
    """One sentence above the table."""
    missing = sum(exercise.verdict == "missing" for exercise in result.exercises)
    count = len(result.exercises) - missing
    passed = sum(exercise.verdict == "pass" for exercise in result.exercises)
    if missing:
        return _(
            "%(passed)d of %(count)d kernels are right; not handed in: %(missing)d.",
            passed=passed,
            count=count,
            missing=missing,
        )
    if passed == count:
        return _("Every kernel is right.") if count > 1 else _("The kernel is right.")
    return _("%(passed)d of %(count)d kernels are right.", passed=passed, count=count)


def moment_text(moment: datetime | None) -> str:
    """ "2026-12-01 22:59 UTC"; "" if it is not known."""
    return moment.astimezone(timezone.utc).strftime("%Y-%m-%d %H:%M UTC") if moment else ""


def _prose(text: str) -> markupsafe.Markup:
    """A sentence in which `code` is set as code; the words are escaped."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return markupsafe.escape(text)
    return markupsafe.Markup("").join(
        markupsafe.Markup("<code>{}</code>").format(part) if index % 2 else markupsafe.escape(part)
        for index, part in enumerate(parts)
    )


def _css_string(text: str) -> markupsafe.Markup:
    """The inside of a CSS string: all characters except letters and digits are escaped by
    number."""
    safe = (char if char.isascii() and char.isalnum() else f"\\{ord(char):06x}" for char in text)
    return markupsafe.Markup("".join(safe))


def _no_plural(one: str, many: str, count: int) -> str:
    """Refuses plural forms of `trans`: here singular and plural are separate texts."""
    raise NotImplementedError(one)


@functools.cache
def environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        extensions=["jinja2.ext.i18n"],
    )
    environment.policies["ext.i18n.trimmed"] = True
    environment.install_gettext_callables(_, _no_plural)  # type: ignore[attr-defined]
    environment.filters["prose"] = _prose
    environment.filters["css"] = _css_string
    environment.filters["points"] = points_text
    environment.filters["size"] = size_text
    environment.filters["word"] = word
    return environment


def render(
    result: Result,
    title: str = "",
    facts: tuple[str, ...] = (),
    answers: tuple[tuple[str, str], ...] = (),
    models: Mapping[str, Exercise] = MappingProxyType({}),
) -> str:
    """Returns the whole page; ends in a newline.

    `title` is by default that of the assignment, `facts` are sentences on the points that a result
    lacks, and `answers` are the titles and sources of model answers.  `models` are those whose
    drawings are shown, by the name of the exercise.
    """
    return (
        environment()
        .get_template("report.html")
        .render(
            result=result,
            title=title or result.title,
            facts=facts,
            answers=answers,
            language=language(),
            graded_at=moment_text(result.graded_at),
            summary=" ".join(text for text in (_summary(result), missing_text(result)) if text),
            share=100 * result.points // result.points_max if result.points_max else 0,
            views=[
                _exercise_view(exercise, result, models.get(exercise.name))
                for exercise in result.exercises
            ],
        )
    )
