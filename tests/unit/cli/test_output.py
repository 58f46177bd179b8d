from __future__ import annotations

import io
import os
import threading
from collections.abc import Iterator

import pytest

from logdocket.cli.output import Output, ReaderGone, one_line
from logdocket.errors import OutputError


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """Both ends of a pipe."""
    reader, writer = os.pipe()
    yield reader, writer
    for end in (reader, writer):
        try:
            os.close(end)
        except OSError:
            continue


def test_what_is_written_arrives(pipe: tuple[int, int]) -> None:
    """Through a buffer, as text and bytes are."""
    reader, writer = pipe
    with io.BufferedWriter(Output(writer)) as buffer:
        buffer.write(b"one\n")
        buffer.flush()
        assert os.read(reader, 100) == b"one\n"


def test_a_reader_that_went_away_is_no_error(pipe: tuple[int, int]) -> None:
    """And what is left is let go quietly."""
    reader, writer = pipe
    os.close(reader)
    output = Output(writer)
    with pytest.raises(ReaderGone):
        output.write(b"x")
    output.mute()
    assert output.write(b"four") == 4


def test_a_full_disk_is_told() -> None:
    """With the mend, on one line."""
    full = os.open("/dev/full", os.O_WRONLY)
    try:
        with pytest.raises(OutputError, match=r"No space left on device.*make room"):
            Output(full).write(b"x")
    finally:
        os.close(full)


def test_a_closed_output_is_told_when_it_is_used() -> None:
    """A command that prints nothing has no need of it."""
    output = Output(None)
    assert not output.isatty()
    with pytest.raises(OSError, match="closed"):
        output.fileno()
    with pytest.raises(OutputError, match="standard output is closed"):
        output.write(b"x")


def test_a_pipe_that_does_not_block_is_waited_for(pipe: tuple[int, int]) -> None:
    """Another program may have set it so: no row is lost, and none fails."""
    reader, writer = pipe
    os.set_blocking(writer, False)
    data = os.urandom(1 << 20)
    read = bytearray()

    def drain() -> None:
        while len(read) < len(data):
            read.extend(os.read(reader, 1 << 16))

    thread = threading.Thread(target=drain)
    thread.start()
    with io.BufferedWriter(Output(writer)) as buffer:
        buffer.write(data)
        buffer.flush()
    thread.join(10)
    assert bytes(read) == data


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a b é 火", "a b é 火"),
        ("a\nb\r\x1b[2J\x00", "a\\nb\\r\\x1b[2J\\x00"),
        ("\u2028\u202e\x85", "\\u2028\\u202e\\x85"),
        ("\udcff", "\\udcff"),
    ],
)
def test_a_text_is_shown_on_one_line(text: str, shown: str) -> None:
    """What could end it or move a cursor is escaped; what can be read is not."""
    assert one_line(text) == shown
