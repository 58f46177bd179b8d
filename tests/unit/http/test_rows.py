"""A row of a request is read, or refused with the word that says why."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logdocket.docket import Item
from logdocket.http.problem import Problem, Refusal
from logdocket.http.rows import json_row, text_row
from logdocket.line import NO_CONTEXT

LONGEST = 65_536
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)
rows = st.dictionaries(
    st.sampled_from(["line", "context", "received_at", "labels", "x"]), json_values | st.text()
)


def refused(read: Callable[[bytes, int], Item], raw: bytes) -> Refusal | None:
    """The refusal of a row, or None where it is read."""
    try:
        read(raw, LONGEST)
    except Refusal as refusal:
        return refusal
    return None


@given(st.text().filter(lambda text: text.strip() != ""))
def test_any_text_that_is_not_blank_is_a_line(text: str) -> None:
    """Whether its characters are escaped or not."""
    for escaped in (True, False):
        raw = json.dumps({"line": text}, ensure_ascii=escaped).encode()
        line, context = json_row(raw, LONGEST)
        assert line.text == text
        assert context is NO_CONTEXT


@given(st.binary() | json_values.map(lambda value: json.dumps(value).encode()))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    """Nothing a sender can think of is a fault of the program."""
    for read in (json_row, text_row):
        refusal = refused(read, raw)
        assert refusal is None or (400 <= refusal.problem.status < 500 and refusal.detail)


@given(rows)
def test_any_object_is_read_or_refused(row: dict[str, object]) -> None:
    """Fields of any name and any value."""
    raw = json.dumps(row).encode()
    refusal = refused(json_row, raw)
    if refusal is None:
        assert json_row(raw, LONGEST)[0].text == row["line"]
    else:
        assert 400 <= refusal.problem.status < 500


@given(st.text(st.characters(categories=["Cs"]), min_size=1), st.text(), st.booleans())
def test_lone_surrogates_are_no_text(surrogates: str, text: str, upper: bool) -> None:
    """Not as escapes, and not as the bytes that would encode them."""
    # Two halves that happen to follow each other would be a character.
    lone = surrogates[:1]
    escaped = json.dumps({"line": text + lone + "."})
    raw = (escaped.replace("\\ud", "\\uD") if upper else escaped).encode()
    with pytest.raises(Refusal) as caught:
        json_row(raw, LONGEST)
    assert caught.value.problem is Problem.LINE_NOT_TEXT
    bytes_of_it = f'{{"line":"{lone}"}}'.encode("utf-8", "surrogatepass")
    with pytest.raises(Refusal) as caught:
        json_row(bytes_of_it, LONGEST)
    assert caught.value.problem is Problem.JSON_INVALID


@pytest.mark.parametrize(
    "raw",
    [
        b"[" * 1_000_000,
        b'{"a":' * 200_000,
        b'{"line":' + b"[" * 1_000_000,
        b'{"line":"a","context":' + b'{"labels":' * 100_000,
        rb'{"line":"\ud800","x":' + b"[" * 1_000_000,
        rb'{"line":"\ud800","x":' + b"9" * 1_000_000 + b"}",
    ],
    ids=["lists", "objects", "in the line", "in the context", "behind a surrogate", "a number"],
)
def test_what_is_nested_too_deep_is_refused(raw: bytes) -> None:
    """No depth and no number is beyond what can be refused."""
    with pytest.raises(Refusal) as caught:
        json_row(raw, LONGEST)
    assert caught.value.problem.status in (400, 422)


def test_the_context_of_a_row_is_checked() -> None:
    """And given in the form that the rules take."""
    raw = b'{"line":"a","context":{"service":"pay","timezone":"+02:00","labels":{"a":"b"}}}'
    _, context = json_row(raw, LONGEST)
    assert (context.service, context.timezone, context.labels) == ("pay", "+02:00", {"a": "b"})
    with pytest.raises(Refusal) as caught:
        json_row(b'{"line":"a","context":{"timezone":"Mars"}}', LONGEST)
    assert caught.value.problem is Problem.CONTEXT_INVALID


@pytest.mark.parametrize("raw", [b'{"line":"a","context":null}', b'{"line":"a","context":{}}'])
def test_an_empty_context_is_none(raw: bytes) -> None:
    """So that the same line has the same ticket."""
    assert json_row(raw, LONGEST)[1] is NO_CONTEXT


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (b"", Problem.LINE_BLANK),
        (b" \t", Problem.LINE_BLANK),
        (b"\xff", Problem.TEXT_NOT_UTF8),
        (b"a" * 9, Problem.LINE_TOO_LONG),
    ],
)
def test_a_row_of_text_is_refused_with_its_word(raw: bytes, problem: Problem) -> None:
    """As an object's line would be."""
    with pytest.raises(Refusal) as caught:
        text_row(raw, 8)
    assert caught.value.problem is problem
