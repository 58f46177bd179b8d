from __future__ import annotations

import io
import re

import msgspec
import pytest
from rich.cells import cell_len
from rich.console import Console

from logdocket.grading.report import terminal
from logdocket.grading.report.document import Report
from logdocket.grading.report.score import summed
from logdocket.grading.report.visible import visible

from .reports import EVIL, HOSTILE, PLAIN, without_times


def shown(report: Report, width: int = 80, *, verbose: bool = False, colour: bool = False) -> str:
    """What a terminal of that width is sent."""
    out = io.StringIO()
    console = Console(
        file=out,
        width=width,
        force_terminal=colour,
        color_system="truecolor" if colour else None,
    )
    terminal.show(report, console, verbose=verbose)
    return out.getvalue()


def test_the_score_is_the_first_thing_told() -> None:
    """As a range while points are open."""
    assert "Score  41.5 to 72.5 of 100\n31 of them wait for a person." in shown(PLAIN)


def test_each_area_has_a_bar_and_points() -> None:
    """With how many probes of it pass."""
    assert re.search(r"Correctness +█{18}░░ 32\.5 of 35 +1 of 2 pass", shown(PLAIN))
    assert re.search(r"Reproducibility +▒{20} 0 to 25 of 25 +0 of 1 pass", shown(PLAIN))


def test_a_failure_tells_what_was_lost_and_what_to_do() -> None:
    """Expected, seen and hint beneath the id."""
    assert (
        "fail        MUST   failure/service/starts  15 lost\n"
        "  expected  The service answers with a ticket.\n"
        "  seen      web-1.example said no.\n"
        "  hint      Look at what the service does when the model hangs.\n"
    ) in shown(PLAIN)


def test_a_person_is_shown_the_quotes() -> None:
    """Behind a bar."""
    text = shown(PLAIN)
    assert "needs-human MUST   communication/runbook/argued  6 open\n" in text
    assert "  | ## Trade-offs\n  |\n  | A queue would cost more.\n" in text


def test_what_is_skipped_stands_below_its_cause() -> None:
    """With the points that went with it."""
    assert (
        "failure/service/starts did not hold.  (2 probes, 10 lost)\n"
        "  failure/cache/recovers-soon\n"
        "  failure/cache/kept\n"
    ) in shown(PLAIN)


def test_a_guess_is_shown_with_the_mend() -> None:
    """What was told is not."""
    text = shown(PLAIN)
    assert "service.start  web-1.example said no.  (web-1.example said no.)\n" in text
    assert "say the key in grade.toml or by --set KEY=VALUE" in text
    assert "test.command" not in text


def test_what_passed_is_shown_when_asked_for() -> None:
    """With all facts and the ends of logs."""
    assert "correctness/schema/valid" not in shown(PLAIN)
    text = shown(PLAIN, verbose=True)
    assert "pass        correctness/schema/valid  30 of 30\n" in text
    assert "test.command  make test  (grade.toml)" in text
    assert "Log of setup: exit code 0" in text


@pytest.mark.parametrize("width", [40, 80, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    """Nor does it end in white space."""
    for line in shown(EVIL, width, verbose=True).split("\n"):
        assert cell_len(line) <= width
        assert line == line.rstrip()


def test_hostile_text_moves_no_cursor() -> None:
    """Nothing but visible characters and line feeds is sent."""
    for line in shown(EVIL, verbose=True).split("\n"):
        assert line.isprintable(), ascii(line)


def test_with_colour_the_only_sequences_are_our_own() -> None:
    """The text is the same without them."""
    coloured = shown(EVIL, verbose=True, colour=True)
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == shown(EVIL, verbose=True)


def test_hostile_text_is_shown_to_the_letter() -> None:
    """Markup and names of emoji are text like any other."""
    assert visible(HOSTILE) in shown(EVIL, 2000)


def test_no_quote_can_pass_for_a_line_of_the_report() -> None:
    """Every line of it is indented behind the bar, however long it is."""
    quoted = "x" * 300 + "\nScore  100 of 100"
    last = msgspec.structs.replace(PLAIN.probes[-1], quotes=(quoted,))
    made = summed(PLAIN, (*PLAIN.probes[:-1], last))
    lines = [line for line in shown(made).split("\n") if "xxx" in line or "100 of 100" in line]
    assert len(lines) == 5
    assert all(line.startswith("  | ") for line in lines)


def test_a_plain_terminal_gets_plain_bars() -> None:
    """Where blocks cannot be encoded."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="backslashreplace")
    terminal.show(PLAIN, Console(file=out, width=80))
    out.seek(0)
    assert re.search(r"Communication +#{12}\?{8} 9 to 15 of 15", out.read())


def test_a_grading_of_a_part_says_so() -> None:
    """The points are then not out of a hundred."""
    made = summed(PLAIN, PLAIN.probes[:2])
    assert "Only a part of the rubric's 100 points was asked." in shown(made)
    assert "Only a part" not in shown(PLAIN)


def test_the_same_report_gives_the_same_text() -> None:
    """Times are not shown at all."""
    assert shown(EVIL) == shown(without_times(EVIL))
