from __future__ import annotations

import pytest

from logdocket.grading.probes.reproducibility.difference import difference

CASES = {
    "the same": ('{"a": 1}\n', '{"a": 1}\n', ""),
    "order": ("a\nb\n", "b\na\n", "are the same lines in another order"),
    "line ends": ("a\nb\n", "a\r\nb", "end lines otherwise"),
    "length": ("a\n", "a\nb\n", "are not of the same number of lines"),
    "fields of lines": (
        '{"id": "x1", "service": "pay"}\n{"id": "x2", "at": 1}\n',
        '{"id": "y1", "service": "pay"}\n{"id": "y2", "at": 2}\n',
        "differ in `at`, `id`",
    ),
    "fields of a document": (
        '[\n{"id": {"run": 1}},\n{"a": [1, 2]}\n]\n',
        '[\n{"id": {"run": 2}},\n{"a": [1, 3]}\n]\n',
        "differ in `a`, `run`",
    ),
    "a field that comes and goes": ('{"a": 1, "b": 2}', '{"a": 1, "c": 2}', "differ in `b`, `c`"),
    "order of keys": (
        '{"a": 1, "b": 2}',
        '{"b": 2, "a": 1}',
        "differ in how the same JSON is written",
    ),
    "many": (
        '{"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1}',
        '{"a": 2, "b": 2, "c": 2, "d": 2, "e": 2, "f": 2}',
        "differ in `a`, `b`, `c`, `d`, `e` and 1 more",
    ),
    "text": (
        "at 10:30:01 pay=high\n",
        "at 10:30:02 pay=high\n",
        "differ where … stands: `at … pay=high`",
    ),
    "numbers": ("1\n", "2\n", "differ"),
    "text of other parts": ("a b\n", "a b c\n", "differ where … stands: `…`"),
}


@pytest.mark.parametrize(("one", "other", "said"), CASES.values(), ids=CASES)
def test_outputs_differ_in_words(one: str, other: str, said: str) -> None:
    """The same words whichever of the two came first."""
    assert difference(one.encode(), other.encode()) == said
    assert difference(other.encode(), one.encode()) == said


def test_what_the_clock_says_is_not_shown() -> None:
    """So the report about it is the same tomorrow."""
    today = difference(
        b"x at 2026-01-02T10:00:01Z in 12 ms\n", b"x at 2026-01-02T10:00:02Z in 13 ms\n"
    )
    tomorrow = difference(
        b"x at 2026-01-03T11:10:21Z in 9 ms\n", b"x at 2026-01-03T11:10:22Z in 9 ms\n"
    )
    assert today == tomorrow


def test_bytes_that_are_no_text_are_compared_too() -> None:
    """Whatever they are."""
    assert difference(b"\xff", b"\xfe") != ""
    assert difference(b"\xff\n", b"\xff\n") == ""
