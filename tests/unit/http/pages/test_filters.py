"""What the address of the queue says."""

from __future__ import annotations

import pytest

from logdocket.http.pages.filters import PAGE, Filters
from logdocket.http.problem import Refusal
from logdocket.store.review import GroupSort, GroupState
from logdocket.ticket import ReviewReason, Severity, Source

FULL = (
    "/?state=all&severity=high&severity=critical&service=pay&reason=disputed&source=cache"
    "&text=a+b%26c&sort=count"
)


def test_without_parameters_the_open_groups_are_asked_for() -> None:
    """Most severe first."""
    query = Filters.of(b"").query()
    assert query.states == (GroupState.OPEN,)
    assert query.sort is GroupSort.SEVERITY
    assert query.limit == PAGE
    assert (query.severities, query.service, query.text, query.cursor) == ((), None, None, None)


def test_every_filter_is_read() -> None:
    """And handed to the store."""
    query = Filters.of(FULL.partition("?")[2].encode()).query()
    assert query.states == ()
    assert query.severities == (Severity.HIGH, Severity.CRITICAL)
    assert (query.service, query.text) == ("pay", "a b&c")
    assert query.reason is ReviewReason.DISPUTED
    assert query.source is Source.CACHE
    assert query.sort is GroupSort.COUNT


def test_an_address_says_what_was_read() -> None:
    """The same filters, in one order."""
    assert Filters.of(FULL.partition("?")[2].encode()).at() == FULL


def test_the_plain_queue_has_the_plain_address() -> None:
    """Fields of a form that were left empty leave no trace."""
    assert Filters.of(b"text=&service=&reason=&source=&sort=severity&state=open").at() == "/"


def test_another_filter_leads_to_the_first_page() -> None:
    """A cursor belongs to one list."""
    filters = Filters.of(b"cursor=abc&text=x")
    assert filters.at(text="y") == "/?text=y"
    assert filters.at(cursor="abc") == "/?text=x&cursor=abc"


@pytest.mark.parametrize(
    ("given", "narrow"), [(b"", False), (b"state=all&sort=count", False), (b"text=x", True)]
)
def test_state_and_order_do_not_narrow_the_list(given: bytes, narrow: bool) -> None:
    """They are no filters that one would clear."""
    assert Filters.of(given).narrow is narrow


@pytest.mark.parametrize(
    "given", [b"state=lost", b"severity=bad", b"reason=x", b"source=x", b"sort=x"]
)
def test_a_word_that_there_is_not_is_named(given: bytes) -> None:
    """With those that there are."""
    with pytest.raises(Refusal) as refused:
        Filters.of(given)
    assert given.decode().partition("=")[0] in refused.value.detail
    assert "is none of" in refused.value.detail


def test_too_many_parameters_are_refused() -> None:
    """Before any of them is looked at."""
    with pytest.raises(Refusal):
        Filters.of(b"&".join([b"severity=high"] * 101))


def test_a_text_is_bounded() -> None:
    """A search for a whole page of text finds nothing anyway."""
    assert len(Filters.of(b"text=" + b"x" * 5_000).text) == 500
