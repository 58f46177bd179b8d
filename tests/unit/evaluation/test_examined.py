from __future__ import annotations

from datetime import UTC, datetime

from logdocket.evaluation import Outcome
from logdocket.line import NO_CONTEXT, Context

from .conftest import Looked

LINE = "Jun 14 15:16:01 web-1 sshd[7]: error: no route"
ARRIVED = datetime(2026, 6, 15, tzinfo=UTC)


def test_a_line_is_examined_as_a_user_gets_it_without_a_model(look: Looked) -> None:
    """The rules' own ticket, with the reading that it stands on."""
    seen = look(LINE, "high", ("unknown",), "sshd")
    assert (seen.ticket.service, seen.ticket.severity) == ("sshd", "high")
    assert seen.ticket.source == "fallback"
    assert seen.reading.format.startswith("syslog-3164")
    assert seen.scored.labelled
    assert seen.scored.severity is seen.scored.service is seen.scored.evidence is Outcome.RIGHT


def test_an_arrival_is_given_to_lines_without_a_context(look: Looked) -> None:
    """So that their stamps find a year."""
    seen = look(LINE, "high", ("unknown",), "sshd", arrived=ARRIVED)
    assert seen.ticket.first_seen == "2026-06-14T15:16:01"
    assert seen.scored.first_seen is Outcome.RESOLVED


def test_a_context_of_the_set_stands_alone(look: Looked) -> None:
    """Even an empty one: what the set knows is what its labels are about."""
    own = Context(received_at=datetime(2020, 6, 15, tzinfo=UTC))
    seen = look(LINE, None, ("2020-06-14T15:16:01",), context=own, arrived=ARRIVED)
    assert seen.scored.first_seen is Outcome.RIGHT
    seen = look(LINE, None, ("unknown",), context=NO_CONTEXT, arrived=ARRIVED)
    assert seen.scored.first_seen is Outcome.UNKNOWN


def test_a_time_that_the_set_itself_settles_is_never_resolved(look: Looked) -> None:
    """Its labels were written with its context known."""
    own = Context(received_at=ARRIVED)
    seen = look(LINE, None, ("unknown",), context=own, arrived=ARRIVED)
    assert seen.scored.first_seen is Outcome.WRONG
