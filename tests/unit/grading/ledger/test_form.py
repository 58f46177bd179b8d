from __future__ import annotations

import pytest

from logdocket.grading.ledger.form import Page, fresh, page

ONE = {"kind": "call", "ok": True}


@pytest.mark.parametrize(
    "body",
    [
        b'[{"kind": "call", "ok": true}]',
        b'{"kind": "call", "ok": true}\n',
        b'{"count": 1, "entries": [{"kind": "call", "ok": true}]}',
        b'{"kind": "call", "ok": true}\n{"kind": "hi',
        b'\xef\xbb\xbf[{"kind": "call", "ok": true}]',
        b'[7, {"kind": "call", "ok": true}]',
        b'{"kind": "call", "ok": true}\r\n',
    ],
    ids=[
        "array",
        "line",
        "in an object",
        "half a line follows",
        "with a mark",
        "among others",
        "with a carriage return",
    ],
)
def test_an_entry_is_found_in_every_form_of_json(body: bytes) -> None:
    """As it is, whatever stands around it."""
    found = page(body)
    assert found is not None
    assert found.records == (ONE,)


@pytest.mark.parametrize(
    ("body", "record"),
    [
        (b"kind,ok\ncall,yes\n", {"kind": "call", "ok": "yes"}),
        (b'at=1 kind=call why="no answer"', {"at": "1", "kind": "call", "why": "no answer"}),
        (b"INFO ledger kind=call ok=yes", {"kind": "call", "ok": "yes"}),
    ],
)
def test_other_forms_give_texts(body: bytes, record: dict[str, str]) -> None:
    """Tables with a head, and pairs."""
    found = page(body)
    assert found is not None
    assert found.records == (record,)


def test_only_a_line_feed_ends_an_entry() -> None:
    """JSON may hold other separators of lines as they are."""
    found = page('{"kind": "call", "line": "a\u2028b\x85c"}\n{"kind": "hit"}\n'.encode())
    assert found is not None
    assert [record["kind"] for record in found.records] == ["call", "hit"]


def test_sums_stand_in_place_of_entries() -> None:
    """Whole numbers by name, one level down too; truth is no number."""
    found = page(b'{"calls": {"model": 5}, "cache_hits": 2, "ok": true, "rate": 0.5}')
    assert found is not None
    assert found.sums == {"calls_model": 5, "cache_hits": 2}


@pytest.mark.parametrize(
    ("told", "next_"),
    [
        ('"next": "x y&"', "cursor=x%20y%26"),
        ('"next": 7', "cursor=7"),
        ('"next_page": 2', "page=2"),
        ('"next": "/ledger?after=7"', "/ledger?after=7"),
        ('"next": "http://web-1.example/ledger?after=7"', "http://web-1.example/ledger?after=7"),
        ('"next": null, "cursor": "here"', None),
        ('"next": "", "cursor": "here"', None),
        ('"next": true', None),
    ],
)
def test_it_says_where_it_goes_on(told: str, next_: str | None) -> None:
    """An address, or what is asked with the same one."""
    found = page(f'{{"entries": [{{"kind": "call"}}], {told}}}'.encode())
    assert found is not None
    assert found.next == next_


def test_rows_may_be_sums_by_kind() -> None:
    """As a query that groups them gives."""
    found = page(b'[{"kind": "call", "count": 5}, {"kind": "fallback", "count": 1}]')
    assert found is not None
    assert (found.records, found.sums) == ((), {"call": 5, "fallback": 1})


def test_a_single_entry_with_numbers_is_no_sum() -> None:
    """It says what it is."""
    found = page(b'{"event": "model_call", "attempt": 1, "ms": 12}\n')
    assert found is not None
    assert (len(found.records), found.sums) == (1, {})


def test_entries_may_stand_beside_sums() -> None:
    """Both are kept."""
    found = page(b'{"model_calls": 5, "latest": [{"event": "model_call"}]}')
    assert found is not None
    assert (len(found.records), found.sums) == (1, {"model_calls": 5})


def test_counters_are_sums_by_name_and_label() -> None:
    """Without what is kept beside them."""
    text = (
        b"# HELP model_calls_total Calls.\n# TYPE model_calls_total counter\n"
        b'model_calls_total{outcome="ok",model="a b"} 3.0\nmodel_calls_total{outcome="error"} 2\n'
        b"cache_hits_total 1 1767366245000\ncache_hits_created 1.7e9\nup NaN\n"
    )
    found = page(text)
    assert found is not None
    assert found.sums == {
        "model_calls_total_ok_a b": 3,
        "model_calls_total_error": 2,
        "cache_hits_total": 1,
    }


def test_the_last_row_of_a_table_may_be_half_written() -> None:
    """A row before it may not."""
    found = page(b"kind,ok,at\ncall,yes,1\nhit,y")
    assert found is not None
    assert len(found.records) == 1
    assert page(b"kind,ok,at\nhit,y\ncall,yes,1\n") is None


def test_what_is_new_is_a_difference() -> None:
    """Like entries count each; old ones may leave; sums are taken from one another."""
    one, two = {"kind": "call", "at": 1}, {"kind": "call"}
    before = Page((one, two, {"kind": "hit"}), {"calls": 3})
    after = Page((two, two, two, one), {"calls": 5, "hits": 1})
    assert fresh(before, after) == Page((two, two), {"calls": 2, "hits": 1})


@pytest.mark.parametrize(
    "value",
    [b"1e999", b"NaN", b"9" * 4_000, b"9" * 5_000, b'"\\ud800"', b"[" * 900 + b"]" * 900],
    ids=lambda value: value[:8].decode(),
)
def test_an_odd_value_in_an_entry_does_no_harm(value: bytes) -> None:
    """It is left out, or the entry is, and what is there can be compared and written."""
    found = page(b'[{"kind": "call", "odd": %b}]' % value)
    if found is not None:
        assert fresh(Page(), found) == found
        assert len(repr(found)) < 500


@pytest.mark.parametrize(
    "body", [b"", b" \n", b"[]", b'{"entries": []}', b'{"entries": [], "next": null}']
)
def test_a_ledger_may_have_no_entries(body: bytes) -> None:
    """That is a ledger, too."""
    found = page(body)
    assert found is not None
    assert (found.records, found.sums, found.next) == ((), {}, None)


@pytest.mark.parametrize(
    "body",
    [
        b"<!doctype html><title>no</title>",
        b"Not Found",
        b"[1, 2]",
        b'"text"',
        b"[" * 1_000_000,
        b'{"a":' * 100_000,
        b"\xff\xfe\x00",
        b"a=1\nno pairs here\n",
        b"NaN",
    ],
    ids=lambda body: body[:12].decode("latin-1"),
)
def test_what_is_no_ledger_is_none(body: bytes) -> None:
    """And takes neither long nor a stack."""
    assert page(body) is None


def test_a_ledger_without_end_is_bounded() -> None:
    """A grading makes hundreds of entries, not millions."""
    found = page(b'{"kind": "call"}\n' * 250_000)
    assert found is not None
    assert len(found.records) == 200_000
