from __future__ import annotations

import pytest

from logdocket.grading.ledger.form import page

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
    ],
    ids=["array", "line", "in an object", "half a line follows", "with a mark", "among others"],
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


def test_sums_stand_in_place_of_entries() -> None:
    """Whole numbers by name, one level down too; truth is no number."""
    found = page(b'{"calls": {"model": 5}, "cache_hits": 2, "ok": true, "rate": 0.5}')
    assert found is not None
    assert found.sums == {"calls_model": 5, "cache_hits": 2}


@pytest.mark.parametrize("told", [b'"x y"', b"7"])
def test_it_says_where_it_goes_on(told: bytes) -> None:
    """By whatever name, as text."""
    found = page(b'{"entries": [{"kind": "call"}], "next": %b}' % told)
    assert found is not None
    assert found.next == told.decode().strip('"')


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
