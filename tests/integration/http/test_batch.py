"""``POST /extract/batch``: rows in, answers out in order, while rows still come."""

from __future__ import annotations

import gzip
import json
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from service import LINE, Service, exchange, head, problem, wait_for

TEXT = {"Content-Type": "text/plain"}
NDJSON = {"Content-Type": "application/x-ndjson"}
Rows = list[dict[str, Any]]


@pytest.fixture
def send(service: Service) -> Callable[..., Rows]:
    """Sends a batch and gives its answer, row by row."""

    def post(content: bytes | Iterator[bytes], headers: dict[str, str]) -> Rows:
        response = service.http.post("/extract/batch", content=content, headers=headers)
        assert response.status_code == 200, response.text
        assert response.headers["content-type"] == "application/x-ndjson"
        assert response.content.endswith(b"\n") or not response.content
        return [json.loads(line) for line in response.content.splitlines()]

    return post


def word(row: dict[str, Any]) -> str:
    """The word of an error row."""
    return str(row["error"]["type"].rpartition(":")[2])


class Chunks:
    """A batch sent chunk by chunk over a raw connection."""

    def __init__(self, connection: socket.socket, *headers: str) -> None:
        self._connection = connection
        self._answers = connection.makefile("rb")
        connection.sendall(head("/extract/batch", "Transfer-Encoding: chunked", *headers))

    def send(self, data: bytes) -> None:
        """One chunk; an empty one ends the body."""
        self._connection.sendall(b"%x\r\n%b\r\n" % (len(data), data))

    def head(self) -> bytes:
        """The status line and headers of the answer."""
        lines = [self._answers.readline()]
        while lines[-1] != b"\r\n":
            lines.append(self._answers.readline())
        return b"".join(lines)

    def chunk(self) -> bytes:
        """The next chunk of the answer; empty at its end."""
        size = int(self._answers.readline(), 16)
        data = self._answers.read(size)
        assert self._answers.read(2) == b"\r\n"
        return data

    def row(self) -> dict[str, Any]:
        """A chunk that is one row."""
        row: dict[str, Any] = json.loads(self.chunk())
        return row


def test_lines_are_answered_in_order(send: Callable[..., Rows]) -> None:
    """Many more rows than one transaction holds."""
    lines = [f"2026-01-02T15:04:05Z WARN cart: item {number} is late" for number in range(1_000)]
    rows = send("\n".join(lines).encode(), TEXT)
    assert [row["evidence"] for row in rows] == [f"item {number} is late" for number in range(1000)]


def test_objects_are_answered_in_order(send: Callable[..., Rows]) -> None:
    """With each its own context."""
    bodies = [
        {"line": f"late by {number} s", "context": {"service": f"worker-{number}"}}
        for number in range(200)
    ]
    rows = send("\n".join(map(json.dumps, bodies)).encode(), NDJSON)
    assert [row["service"] for row in rows] == [f"worker-{number}" for number in range(200)]


@pytest.mark.parametrize(
    "media_type",
    [
        "application/x-ndjson",
        "application/ndjson; charset=utf-8",
        "application/jsonl",
        "Text/Plain; charset=UTF-8",
        'text/plain; format=flowed; charset="us-ascii"',
    ],
)
def test_the_names_that_a_batch_goes_under(send: Callable[..., Rows], media_type: str) -> None:
    """Objects have several names, lines one."""
    (row,) = send(json.dumps({"line": LINE}).encode(), {"Content-Type": media_type})
    assert row["severity"] == "high"


@pytest.mark.parametrize(
    "media_type",
    ["application/json", "text/csv", "", "text/plain; charset=utf-16", "text/plain;charset=latin1"],
)
def test_other_media_types_are_refused(service: Service, media_type: str) -> None:
    """What rows are is told, not guessed, and text is UTF-8."""
    headers = {"Content-Type": media_type}
    response = service.http.post("/extract/batch", content=b"x", headers=headers)
    assert (response.status_code, problem(response)) == (415, "media-type-unsupported")


def test_equal_rows_are_one_answer_and_its_repetitions(send: Callable[..., Rows]) -> None:
    """The first is read, the others come from the cache, and all are for a person."""
    rows = send(b"one and the same line of a batch\n" * 100, TEXT)
    assert [row["source"] for row in rows] == ["fallback"] + ["cache"] * 99
    assert all(row["needs_human"] for row in rows)


def test_bad_objects_get_errors_and_the_rest_go_on(send: Callable[..., Rows]) -> None:
    """Each row has exactly one line of the answer, with its number where it is an error."""
    raws = [
        b'{"line":"first of seven rows"}',
        b"",
        b'{"line":"second',
        b'{"line":""}',
        b'{"line":"a","more":1}',
        rb'{"line":"\ud800"}',
        b'{"line":"\xff"}',
        b'{"line":"%s"}' % (b"a" * 1_001),
        b'{"line":"%s"}' % (b"a" * 20_000),
        b'{"line":"a","context":{"timezone":"Mars"}}',
        b"[" * 15_000,
        b'{"line":"last of them all"}',
    ]
    rows = send(b"\n".join(raws), NDJSON)
    assert rows[0]["evidence"] == "first of seven rows"
    assert rows[-1]["evidence"] == "last of them all"
    assert [word(row) for row in rows[1:-1]] == [
        "json-invalid",
        "json-invalid",
        "line-blank",
        "body-invalid",
        "line-not-text",
        "json-invalid",
        "line-too-long",
        "line-too-long",
        "context-invalid",
        "body-invalid",
    ]
    assert [row["error"]["row"] for row in rows[1:-1]] == list(range(2, 12))
    assert [row["error"]["status"] for row in rows[1:4]] == [400, 400, 422]


def test_bad_lines_get_errors_and_the_rest_go_on(send: Callable[..., Rows]) -> None:
    """Also where a line is far longer than any piece of the body."""
    raws = [b"first", b"", b" \t", b"\xff\xfe", b"a" * 1_001, b"b" * 200_000, b"a\0b\x1b", b"last"]
    rows = send(b"\n".join(raws), TEXT)
    assert [word(row) if "error" in row else row["evidence"] for row in rows] == [
        "first",
        "line-blank",
        "line-blank",
        "text-not-utf8",
        "line-too-long",
        "line-too-long",
        "a\0b\x1b",
        "last",
    ]


@pytest.mark.parametrize(
    ("body", "evidence"),
    [
        (b"", []),
        (b"one", ["one"]),
        (b"one\n", ["one"]),
        (b"one\r\ntwo\r\n", ["one", "two"]),
        (b"one\ntwo", ["one", "two"]),
        (b"one\rtwo\n", ["one\rtwo"]),
        (b"a" * 1_000 + b"\r\n", ["a" * 512]),
    ],
    ids=["nothing", "no end", "one", "CRLF", "no last end", "CR inside", "the longest, CRLF"],
)
def test_where_a_row_ends(send: Callable[..., Rows], body: bytes, evidence: list[str]) -> None:
    """A line feed ends a row; a carriage return before it belongs to the end."""
    assert [row["evidence"] for row in send(body, TEXT)] == evidence


def test_a_row_may_come_in_any_pieces(send: Callable[..., Rows]) -> None:
    """Bytes of one character, too, may come in two pieces."""
    body = "größer als\r\nzweite Zeile\n".encode()
    rows = send((body[place : place + 1] for place in range(len(body))), TEXT)
    assert [row["evidence"] for row in rows] == ["größer als", "zweite Zeile"]


def test_a_compressed_batch(send: Callable[..., Rows]) -> None:
    """Compressed in one go, and as several members cut anywhere."""
    body = b"".join(b"row %d of the compressed\n" % number for number in range(500))
    members = gzip.compress(body[:777]) + gzip.compress(body[777:])
    for packed in (gzip.compress(body), members):
        rows = send(packed, {**TEXT, "Content-Encoding": "gzip"})
        assert [row["evidence"] for row in rows] == [
            f"row {number} of the compressed" for number in range(500)
        ]


@pytest.mark.parametrize(
    ("body", "last"),
    [
        (gzip.compress(b"a row that came\n" * 5_000)[:-9], "encoding-invalid"),
        (gzip.compress(b"a row that came\n") + b"rest", "encoding-invalid"),
        (gzip.compress(b"a row that came\n" + b"\0" * 400_000), "body-too-large"),
    ],
    ids=["cut off", "something behind it", "a bomb"],
)
def test_a_fault_of_the_whole_batch_is_its_last_row(
    send: Callable[..., Rows], body: bytes, last: str
) -> None:
    """What came before has its tickets."""
    rows = send(body, {**TEXT, "Content-Encoding": "gzip"})
    assert rows[0]["evidence"] == "a row that came"
    assert word(rows[-1]) == last
    assert rows[-1]["error"]["row"] is None


def test_a_batch_declared_too_large_is_refused_before_it_comes(service: Service) -> None:
    """As a problem of its own, for nothing has been answered yet."""
    with service.connect() as connection:
        request = head("/extract/batch", "Content-Type: text/plain", "Content-Length: 300001")
        response = exchange(connection, request + b"a row\n")
        assert (response.status_code, problem(response)) == (413, "body-too-large")


def test_an_endless_batch_ends_at_the_bound(send: Callable[..., Rows]) -> None:
    """A sender that only looks at the answer in the end still gets it."""
    rows = send((b"x" * 500 + b"\n" for _ in range(2_000)), TEXT)
    assert len(rows) == 300_000 // 501 + 1
    assert word(rows[-1]) == "body-too-large"


def test_answers_come_while_rows_still_come(service: Service) -> None:
    """A batch may be a conversation: each row is answered before the next is sent."""
    with service.connect() as connection:
        batch = Chunks(connection, "Content-Type: text/plain")
        batch.send(b"ERROR pay: first\nERROR pay: sec")
        assert b"200 OK" in batch.head()
        assert batch.row()["evidence"] == "first"
        batch.send(b"ond\n")
        assert batch.row()["evidence"] == "second"
        batch.send(b"ERROR pay: third")
        batch.send(b"")
        assert batch.row()["evidence"] == "third"
        assert batch.chunk() == b""


def test_a_batch_that_stalls_ends_with_an_error_row(service: Service) -> None:
    """The rows that came are answered; what is missing is told."""
    with service.connect() as connection:
        batch = Chunks(connection, "Content-Type: text/plain")
        batch.send(b"ERROR pay: first\nERROR pay: half a r")
        batch.head()
        assert batch.row()["evidence"] == "first"
        last = batch.row()
        assert (word(last), last["error"]["row"]) == ("body-too-slow", None)
        assert batch.chunk() == b""


def test_a_client_may_go_away_at_any_time(service: Service) -> None:
    """Before, between and after its rows: the service goes on and has nothing to complain of."""
    for sent in (b"", b"half a r", b"a row\n" * 3_000):
        with service.connect() as connection:
            batch = Chunks(connection, "Content-Type: text/plain")
            if sent:
                batch.send(sent)
    with service.connect() as connection:
        batch = Chunks(connection, "Content-Type: text/plain")
        batch.send(b"another row\n")
        batch.head()
        # Closing with data unread resets the connection.
    assert service.extract(LINE).status_code == 200
    assert service.faults() == []


def test_batches_run_beside_each_other(service: Service) -> None:
    """A slow one holds up no other."""
    with service.connect() as connection:
        slow = Chunks(connection, "Content-Type: text/plain")
        slow.send(b"ERROR pay: slow first\n")
        slow.head()
        slow.row()
        answer = service.http.post("/extract/batch", content=b"quick\n" * 10, headers=TEXT)
        assert len(answer.content.splitlines()) == 10
        slow.send(b"ERROR pay: slow second\n")
        slow.send(b"")
        assert slow.row()["evidence"] == "slow second"


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that takes large batches."""
    folder = tmp_path_factory.mktemp("large")
    with Service(folder, max_batch="500000000", fallback_ttl="3600") as running:
        yield running


def test_a_client_that_sends_all_before_it_reads_is_served(large: Service) -> None:
    """40 MB in, and only then the first look at the answer: neither side waits for the other."""
    row = b"ERROR pay: " + b"a" * 3_988 + b"\n"
    number = 40_000_000 // len(row)
    with large.connect() as connection:
        batch = Chunks(connection, "Content-Type: text/plain")
        for _ in range(number // 50):
            batch.send(row * 50)
        batch.send(b"")
        assert b"200 OK" in batch.head()
        answers = 0
        while data := batch.chunk():
            answers += data.count(b"\n")
    assert answers == number // 50 * 50


def test_a_long_batch_takes_little_memory(large: Service) -> None:
    """150 MB go through, in rows and in one endless row, and memory does not follow."""
    row = b"ERROR pay: " + b"a" * 49_988 + b"\n"
    with large.connect() as connection:
        batch = Chunks(connection, "Content-Type: text/plain")
        answers = 0
        before = 0

        def read() -> None:
            nonlocal answers
            batch.head()
            while data := batch.chunk():
                answers += data.count(b"\n")

        reader = threading.Thread(target=read)
        reader.start()
        for number in range(150):
            batch.send(row * 20 if number % 2 else b"x" * 1_000_000)
            if number == 20:
                before = large.resident()
        batch.send(b"\n")
        batch.send(b"")
        reader.join()
    assert answers == 75 * 20 + 1
    assert large.resident() - before < 30_000_000


def test_others_have_their_turn_while_blank_rows_are_refused(large: Service) -> None:
    """A batch of nothing but faults does not hold the service."""
    with large.connect() as connection:
        batch = Chunks(connection, "Content-Type: text/plain", "Content-Encoding: gzip")
        batch.send(gzip.compress(b"\n" * 200_000))
        batch.head()
        batch.chunk()
        assert large.http.get("/healthz").elapsed.total_seconds() < 0.2
    wait_for(lambda: large.http.get("/healthz").elapsed.total_seconds() < 0.1)
