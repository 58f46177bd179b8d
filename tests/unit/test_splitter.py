from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logdocket.splitter import Splitter

BYTES = st.lists(st.sampled_from([b"\n", b"\r\n", b"\r", b"a", b"bc", b"\x00", b"\xff"])).map(
    b"".join
)


def cut(data: bytes, longest: int, sizes: list[int] | None = None) -> list[bytes | None]:
    """The lines of ``data`` when it comes in pieces of ``sizes``, the rest at once."""
    splitter = Splitter(longest)
    lines: list[bytes | None] = []
    for size in sizes or []:
        lines += splitter.feed(data[:size])
        data = data[size:]
    return lines + splitter.feed(data) + splitter.finish()


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"\n", [b""]),
        (b"a", [b"a"]),
        (b"a\n", [b"a"]),
        (b"a\nb", [b"a", b"b"]),
        (b"a\n\nb\n", [b"a", b"", b"b"]),
        (b"a\r\nb\r\n", [b"a", b"b"]),
        (b"a\r", [b"a"]),
        (b"a\r\r\n", [b"a\r"]),
        (b"a\rb\n", [b"a\rb"]),
        (b"a\x00b\xff\n", [b"a\x00b\xff"]),
        (b"a\x0bb\x0cc\xc2\x85d\n", [b"a\x0bb\x0cc\xc2\x85d"]),
    ],
)
def test_lines_end_at_line_feeds_alone(data: bytes, lines: list[bytes]) -> None:
    """A carriage return before one belongs to it; every other byte belongs to the line."""
    assert cut(data, 100) == lines


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"12345", [b"12345"]),
        (b"12345\n", [b"12345"]),
        (b"12345\r\n", [b"12345"]),
        (b"123456\n", [None]),
        (b"123456", [None]),
        (b"12345\r\r\n", [None]),
        (b"1234567890\r\n", [None]),
        (b"a\n123456\nb\n", [b"a", None, b"b"]),
        (b"123456\n123456\n", [None, None]),
    ],
)
def test_a_line_over_the_bound_is_none_in_its_place(data: bytes, lines: list[bytes | None]) -> None:
    """The bound counts the bytes of the line, not of its end."""
    assert cut(data, 5) == lines


@given(BYTES, st.integers(1, 6), st.lists(st.integers(0, 5)))
def test_pieces_do_not_change_the_lines(data: bytes, longest: int, sizes: list[int]) -> None:
    """However a stream is cut on its way, its lines are the same."""
    assert cut(data, longest, sizes) == cut(data, longest)


@given(BYTES)
def test_no_byte_is_lost(data: bytes) -> None:
    """Lines joined again are the stream, but for the carriage returns of line ends."""
    lines = cut(data, 10_000)
    assert None not in lines
    joined = b"\n".join(line for line in lines if line is not None)
    expected = data.replace(b"\r\n", b"\n").removesuffix(b"\n")
    assert joined.replace(b"\r", b"") == expected.replace(b"\r", b"")


def test_a_line_comes_with_the_piece_that_ends_it() -> None:
    """Nothing that is complete waits for more."""
    splitter = Splitter(100)
    assert splitter.feed(b"one\ntw") == [b"one"]
    assert splitter.feed(b"o") == []
    assert splitter.feed(b"\n") == [b"two"]
    assert splitter.finish() == []


def test_an_endless_line_is_let_go_as_it_comes() -> None:
    """What is kept of it never passes the bound by more than a piece."""
    splitter = Splitter(1_000)
    for _ in range(10_000):
        assert splitter.feed(b"x" * 1_000) == []
        assert len(splitter._rest) <= 1_001
    assert splitter.feed(b"\nnext\n") == [None, b"next"]
