"""Verdicts as labels: what people said of tickets, for the confidence table and for fixtures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from logdocket.confidence import Signals
from logdocket.docket.review.desk import DeskStore
from logdocket.store import StoredTicket
from logdocket.store.review import Verdict


def labelled_reviews(store: DeskStore) -> list[tuple[Signals, bool]]:
    """How judged tickets were read, and whether people found all of their fields right.

    One label for each group and each way of reading, right where all of its judged tickets are: as
    :func:`logdocket.confidence.fit` takes them. Of several verdicts about a ticket the latest that
    stands counts. Tickets that a verdict answered are left out: that is the person's word, not the
    rules' or a model's.
    """
    raise NotImplementedError


def fixture_row(verdict: Verdict, stored: StoredTicket) -> dict[str, Any] | None:
    """A row of a replay fixture, as docs/fixtures.md describes it, that expects what the person
    said; None where the verdict says nothing of the fields, or the line's text is not kept."""
    raise NotImplementedError


def labelled_row(verdict: Verdict, stored: StoredTicket) -> dict[str, Any] | None:
    """A row of a set of labelled lines, as docs/accuracy.md describes it; None as above."""
    raise NotImplementedError


def fixture_rows(store: DeskStore) -> Iterator[dict[str, Any]]:
    """The rows of a fixture of all that people said: one for each ticket, by the latest verdict
    about it that stands, ``at`` never before the row above."""
    raise NotImplementedError


def labelled_rows(store: DeskStore) -> Iterator[dict[str, Any]]:
    """The rows of a set of labelled lines of all that people said, one for each ticket."""
    raise NotImplementedError
