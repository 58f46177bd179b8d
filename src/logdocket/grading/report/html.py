"""The report as one page of HTML that needs nothing beside itself: no script, no other file."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib import resources
from typing import Final

import jinja2
from markupsafe import Markup

from logdocket.grading.report.document import AreaScore, Report, Score
from logdocket.grading.report.score import number, shown
from logdocket.grading.report.sections import (
    MEND_A_GUESS,
    Sections,
    caveat,
    counted,
    of_area,
    open_,
    passing,
    sections,
)
from logdocket.grading.report.visible import visible

__all__ = ["encode"]

_PAGE: Final = "page.html.jinja"
_STYLE: Final = "page.css"


def encode(report: Report) -> bytes:
    """The page as UTF-8. Each probe is found by its id as the fragment of the address.

    What others wrote is made visible, then escaped; the page's own policy forbids all scripts,
    every load, and any style but its own.
    """
    css = _text(_STYLE)
    found = sections(report)
    page = _template().render(
        report=report,
        found=found,
        areas=[_counted(report, area) for area in report.areas],
        contents=_contents(report, found),
        mend=MEND_A_GUESS,
        caveat=caveat(report),
        # Safe: it is the package's own file, and the policy names its hash.
        css=Markup(css),
        policy=_policy(css),
    )
    return page.lstrip().encode()


def _text(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "counted": counted,
        "number": number,
        "open": open_,
        "percent_low": lambda score: _percent(score.low, score),
        "percent_open": lambda score: _percent(open_(score), score),
        "shown": shown,
        "visible": visible,
        "visible_lines": lambda text: visible(text, lines=True),
    }
    return environment.from_string(_text(_PAGE))


def _policy(css: str) -> str:
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _percent(points: float, score: Score) -> str:
    return number(100 * points / score.of) if score.of else "0"


def _counted(report: Report, area: AreaScore) -> tuple[AreaScore, int, int]:
    mine = of_area(report, area)
    return area, passing(mine), len(mine)


def _contents(report: Report, found: Sections) -> list[tuple[str, str, bool]]:
    """The sections of the page: the fragment, the heading, and whether there is such a one."""
    return [
        ("lost", "Failed, or held in part", bool(found.lost)),
        ("person", "For a person", bool(found.for_a_person)),
        ("judged", "Judged by a person", bool(found.by_a_person)),
        ("skipped", "Skipped", bool(found.skipped)),
        ("passed", "Passed", bool(found.passed)),
        ("facts", "What it went by", bool(report.facts)),
        ("sandbox", "Sandbox", bool(report.sandbox)),
        ("logs", "Logs", bool(report.logs)),
    ]
