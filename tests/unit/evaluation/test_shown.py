from __future__ import annotations

import pytest

from logdocket.evaluation import Field
from logdocket.evaluation.shown import show
from logdocket.line import Span

from .conftest import Looked

STAMP = "2026-01-02T15:04:05Z"
LINE = f"{STAMP} ERROR pay: card refused"


@pytest.mark.parametrize(
    ("field", "given", "right", "read", "span"),
    [
        (Field.SEVERITY, "high", ("low",), "ERROR", Span(21, 26)),
        (Field.FIRST_SEEN, STAMP, ("unknown", STAMP), STAMP, Span(0, 20)),
        (Field.SERVICE, "pay", ("shop",), "pay", Span(27, 30)),
    ],
)
def test_a_field_is_shown_with_what_was_given_right_and_read(
    field: Field, given: str, right: tuple[str, ...], read: str, span: Span, look: Looked
) -> None:
    """The part of the line that was read is quoted, with its place."""
    shown = show("north", look(LINE, "low", ("unknown", STAMP), "shop", number=7), field)
    assert (shown.set, shown.number, shown.field) == ("north", 7, field)
    assert (shown.given, shown.right) == (given, right)
    assert (shown.read, shown.span) == (read, span)


def test_evidence_is_what_was_read(look: Looked) -> None:
    """No label tells what to quote."""
    shown = show("north", look(LINE), Field.EVIDENCE)
    assert shown.right == ()
    assert shown.read == shown.given
    assert shown.given in LINE


def test_a_severity_that_is_unstated_is_shown_as_unknown(look: Looked) -> None:
    """Not as the one that the ticket must carry all the same."""
    shown = show("north", look("nothing to see", "low"), Field.SEVERITY)
    assert (shown.given, shown.basis, shown.read) == ("unknown", "unstated", None)


def test_an_unknown_time_is_shown_with_the_reason(look: Looked) -> None:
    """And with the stamp that could not be resolved."""
    seen = look("Jun 14 15:16:01 web-1 sshd[7]: no route", None, ("unknown",))
    shown = show("north", seen, Field.FIRST_SEEN)
    assert (shown.given, shown.basis, shown.read) == ("unknown", "no_year", "Jun 14 15:16:01")
