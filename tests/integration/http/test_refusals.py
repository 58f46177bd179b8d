"""What ``POST /extract`` refuses, with which status and which word, over a real connection."""

from __future__ import annotations

import gzip
import json
import re
import socket
import time

import pytest
from service import LINE, Service, exchange, head, problem, read_answer

JSON = {"Content-Type": "application/json"}
GOOD = json.dumps({"line": LINE}).encode()


def deep(opening: str, number: int = 9_000) -> bytes:
    """A body within the bound that nests ``number`` times."""
    return (opening * number).encode()[:19_990]


MALFORMED = {
    "nothing": (b"", 400, "json-invalid"),
    "white space": (b" \n", 400, "json-invalid"),
    "not JSON": (b"line=x", 400, "json-invalid"),
    "cut off": (b'{"line":"a', 400, "json-invalid"),
    "something behind it": (b'{"line":"a"} x', 400, "json-invalid"),
    "two objects": (b'{"line":"a"}{"line":"b"}', 400, "json-invalid"),
    "a raw line feed in a string": (b'{"line":"a\nb"}', 400, "json-invalid"),
    "a byte order mark": (b'\xef\xbb\xbf{"line":"a"}', 400, "json-invalid"),
    "UTF-16": ('{"line":"a"}'.encode("utf-16"), 400, "json-invalid"),
    "no UTF-8": (b'{"line":"\xff"}', 400, "json-invalid"),
    "a surrogate as three bytes": (b'{"line":"\xed\xa0\x80"}', 400, "json-invalid"),
    "NaN": (b'{"line":NaN}', 400, "json-invalid"),
    "single quotes": (b"{'line':'a'}", 400, "json-invalid"),
    "a high surrogate alone": (rb'{"line":"a\ud800"}', 422, "line-not-text"),
    "a high surrogate before text": (rb'{"line":"\ud83d late"}', 422, "line-not-text"),
    "a low surrogate alone": (rb'{"line":"\udc80"}', 422, "line-not-text"),
    "surrogates the wrong way round": (rb'{"line":"\udc80\ud800"}', 422, "line-not-text"),
    "a surrogate in a key": (rb'{"line":"a","\ud800":1}', 422, "line-not-text"),
    "null": (b"null", 422, "body-invalid"),
    "a list": (b'["line"]', 422, "body-invalid"),
    "a string": (b'"line"', 422, "body-invalid"),
    "an object without a line": (b"{}", 422, "body-invalid"),
    "a number for a line": (b'{"line":1}', 422, "body-invalid"),
    "a huge number for a line": (b'{"line":1e999999}', 422, "body-invalid"),
    "null for a line": (b'{"line":null}', 422, "body-invalid"),
    "a list for a line": (b'{"line":["a"]}', 422, "body-invalid"),
    "a field too many": (b'{"line":"a","severity":"low"}', 422, "body-invalid"),
    "a field of a huge number": (b'{"line":"a","n":' + b"9" * 9_000 + b"}", 422, "body-invalid"),
    "a context that is text": (b'{"line":"a","context":"b"}', 422, "body-invalid"),
    "a context field too many": (b'{"line":"a","context":{"host":"b"}}', 422, "body-invalid"),
    "a label that is a number": (
        b'{"line":"a","context":{"labels":{"b":1}}}',
        422,
        "body-invalid",
    ),
    "lists in lists": (deep("["), 422, "body-invalid"),
    "objects in objects": (deep('{"a":'), 422, "body-invalid"),
    "lists in the line": (b'{"line":' + deep("["), 422, "body-invalid"),
    "lists in labels": (b'{"context":{"labels":' + deep("["), 422, "body-invalid"),
    "an empty line": (b'{"line":""}', 422, "line-blank"),
    "a line of spaces": (rb'{"line":" \t\r\n\u00a0\u3000\u2028"}', 422, "line-blank"),
    "a zone that is none": (b'{"line":"a","context":{"timezone":"Mars"}}', 422, "context-invalid"),
    "a zone that is a path": (
        b'{"line":"a","context":{"timezone":"../zones"}}',
        422,
        "context-invalid",
    ),
    "an arrival without an offset": (
        b'{"line":"a","context":{"received_at":"2026-01-02T03:04:05"}}',
        422,
        "context-invalid",
    ),
    "an empty service": (b'{"line":"a","context":{"service":""}}', 422, "context-invalid"),
    "a line over the bound": (b'{"line":"%s"}' % (b"a" * 1_001), 413, "line-too-long"),
    "a line whose bytes are over the bound": (
        json.dumps({"line": "€" * 334}).encode(),
        413,
        "line-too-long",
    ),
    "a body over the bound": (b'{"line":"a"' + b" " * 20_000 + b"}", 413, "body-too-large"),
}


@pytest.mark.parametrize(("body", "status", "word"), MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_body_gets_its_word(
    service: Service, body: bytes, status: int, word: str
) -> None:
    """Each fault has one status and one stable word, and none is the service's."""
    response = service.http.post("/extract", content=body, headers=JSON)
    assert (response.status_code, problem(response)) == (status, word)


TAKEN = {
    "NUL": "a\0b",
    "a line feed": "first\nsecond",
    "a carriage return": "first\rsecond",
    "every control character": "".join(map(chr, range(32))) + "\x7f\x80\x9f x",
    "an escape sequence": "\x1b[31mERROR\x1b[0m billing: failed",
    "a pair of surrogates, which is one character": "\U0001f525 disk on fire",
    "noncharacters": "\ufffe \uffff \U0010ffff",
    "a right-to-left override": "\u202e txt.exe",
    "combining marks": "a" + "\u0301" * 400,
    "NUL alone": "\0",
    "a line as long as the bound": "a" * 1_000,
    "JSON": '{"line":"in a line"}',
}


@pytest.mark.parametrize("line", TAKEN.values(), ids=TAKEN)
def test_strange_text_is_data(service: Service, line: str) -> None:
    """Control characters are no fault of the sender, and the evidence is quoted from them."""
    response = service.extract(line)
    assert response.status_code == 200
    assert response.json()["evidence"] in line


def test_an_escaped_line_may_be_longer_than_the_line_it_stands_for(service: Service) -> None:
    """The bound on a line counts its own bytes, not those of its escapes."""
    body = b'{"line":"' + rb"\u0041" * 1_000 + b'"}'
    assert service.http.post("/extract", content=body, headers=JSON).status_code == 200


def test_of_a_repeated_field_the_last_counts(service: Service) -> None:
    """As in most readers of JSON."""
    body = b'{"line":"first of them","line":"second of them"}'
    response = service.http.post("/extract", content=body, headers=JSON)
    assert response.json()["evidence"] == "second of them"


@pytest.mark.parametrize(
    "media_type",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "x"],
)
def test_a_body_that_is_not_declared_as_json_is_refused(service: Service, media_type: str) -> None:
    """A form on a web page cannot make a browser here send tickets."""
    response = service.http.post("/extract", content=GOOD, headers={"Content-Type": media_type})
    assert (response.status_code, problem(response)) == (415, "media-type-unsupported")


@pytest.mark.parametrize(
    "media_type",
    [
        "application/json",
        "APPLICATION/JSON",
        "application/json; charset=utf-8",
        "application/x+json",
    ],
)
def test_json_goes_under_several_names(service: Service, media_type: str) -> None:
    """Parameters and letter case change nothing."""
    response = service.http.post("/extract", content=GOOD, headers={"Content-Type": media_type})
    assert response.status_code == 200


def test_no_media_type_at_all_is_refused(service: Service) -> None:
    """Nothing is guessed from the body."""
    with service.connect() as connection:
        request = head("/extract", f"Content-Length: {len(GOOD)}") + GOOD
        assert problem(exchange(connection, request)) == "media-type-unsupported"


@pytest.mark.parametrize("encoding", ["br", "deflate", "zstd", "gzip, gzip", "x"])
def test_an_unknown_encoding_is_refused(service: Service, encoding: str) -> None:
    """The answer says which one is known."""
    headers = {**JSON, "Content-Encoding": encoding}
    response = service.http.post("/extract", content=GOOD, headers=headers)
    assert (response.status_code, problem(response)) == (415, "encoding-unsupported")
    assert response.headers["accept-encoding"] == "gzip"


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", gzip.compress(GOOD)),
        ("GZIP", gzip.compress(GOOD)),
        ("x-gzip", gzip.compress(GOOD)),
        ("identity", GOOD),
        ("gzip", gzip.compress(GOOD[:9]) + gzip.compress(b"") + gzip.compress(GOOD[9:])),
        ("gzip", gzip.compress(b" " * 19_000 + GOOD)),
    ],
    ids=["gzip", "capitals", "x-gzip", "identity", "several members", "nearly the bound"],
)
def test_a_compressed_body_is_taken(service: Service, encoding: str, body: bytes) -> None:
    """RFC 1952 lets a body have several members."""
    headers = {**JSON, "Content-Encoding": encoding}
    response = service.http.post("/extract", content=body, headers=headers)
    assert response.status_code == 200
    assert response.json()["service"] == "payments"


@pytest.mark.parametrize(
    ("body", "status", "word"),
    [
        (GOOD, 400, "encoding-invalid"),
        (gzip.compress(GOOD)[:-1], 400, "encoding-invalid"),
        (gzip.compress(GOOD)[:12], 400, "encoding-invalid"),
        (gzip.compress(GOOD)[:-8] + b"\0" * 8, 400, "encoding-invalid"),
        (gzip.compress(GOOD) + b"rest", 400, "encoding-invalid"),
        (b"", 400, "encoding-invalid"),
        (gzip.compress(b"\0" * 2_000_000, 9), 413, "body-too-large"),
        (gzip.compress(gzip.compress(b"\0" * 2_000_000)), 400, "json-invalid"),
        (gzip.compress(b"") * 500, 400, "json-invalid"),
    ],
    ids=[
        "not gzip",
        "cut in the trailer",
        "cut in the data",
        "a wrong checksum",
        "something behind it",
        "nothing",
        "a bomb",
        "gzip in gzip",
        "nothing, many times",
    ],
)
def test_a_compressed_body_is_bounded_and_checked(
    service: Service, body: bytes, status: int, word: str
) -> None:
    """The bound holds for what comes out, and what is cut off is no body."""
    headers = {**JSON, "Content-Encoding": "gzip"}
    response = service.http.post("/extract", content=body, headers=headers)
    assert (response.status_code, problem(response)) == (status, word)


def test_a_body_declared_too_large_is_refused_before_it_comes(service: Service) -> None:
    """The answer is there while nearly all of the body is still to come."""
    with service.connect() as connection:
        began = time.monotonic()
        request = head("/extract", "Content-Type: application/json", "Content-Length: 40000000000")
        response = exchange(connection, request + b'{"line"')
        assert (response.status_code, problem(response)) == (413, "body-too-large")
        assert response.headers["connection"] == "close"
        assert time.monotonic() - began < 1


def keep_sending(connection: socket.socket, piece: bytes, seconds: float) -> None:
    """Send the same over and over."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        connection.sendall(piece)
        time.sleep(0.001)


def test_an_endless_body_is_refused_at_the_bound(service: Service) -> None:
    """A body without a declared length is read up to the bound and no further."""
    with service.connect() as connection:
        request = head("/extract", "Content-Type: application/json", "Transfer-Encoding: chunked")
        connection.sendall(request + b"2710\r\n" + b" " * 10_000 + b"\r\n")
        response = exchange(connection, b"2711\r\n" + b" " * 10_001 + b"\r\n")
        assert (response.status_code, problem(response)) == (413, "body-too-large")
        with pytest.raises(OSError, match=r"reset|Broken pipe"):
            keep_sending(connection, b"ff\r\n" + b" " * 255 + b"\r\n", 15)


def test_a_sender_that_reads_only_at_the_end_still_learns_why(service: Service) -> None:
    """Many clients look for an answer only when all is sent; the connection waits for them."""
    with service.connect() as connection:
        size = 3_000_000
        request = head("/extract", "Content-Type: application/json", f"Content-Length: {size}")
        response = exchange(connection, request, b" " * size)
        assert problem(response) == "body-too-large"
        assert connection.recv(1) == b""


def test_a_slow_body_times_out(service: Service) -> None:
    """A body that comes drop by drop is given up after its time, however steadily it comes."""
    with service.connect() as connection:
        request = head("/extract", "Content-Type: application/json", "Content-Length: 1000")
        connection.sendall(request)
        began = time.monotonic()
        connection.settimeout(0.05)
        while True:
            connection.sendall(b" ")
            try:
                response = read_answer(connection)
                break
            except TimeoutError:
                assert time.monotonic() - began < 5
        assert (response.status_code, problem(response)) == (408, "body-too-slow")
        assert 0.3 < time.monotonic() - began < 2


def test_headers_without_their_body_time_out(service: Service) -> None:
    """A sender that says it will send and does not is answered, too."""
    with service.connect() as connection:
        request = head("/extract", "Content-Type: application/json", "Content-Length: 1000")
        assert problem(exchange(connection, request)) == "body-too-slow"


def test_a_sender_that_goes_away_in_the_middle_is_no_fault(service: Service) -> None:
    """Nobody is left to answer, and the service goes on."""
    for _ in range(5):
        with service.connect() as connection:
            request = head("/extract", "Content-Type: application/json", "Content-Length: 1000")
            connection.sendall(request + b'{"line"')
    assert service.extract(LINE).status_code == 200


def test_a_sender_that_asks_first_is_told_to_go_on(service: Service) -> None:
    """``Expect: 100-continue``: the service asks for the body when it wants it."""
    with service.connect() as connection:
        request = head(
            "/extract",
            "Content-Type: application/json",
            f"Content-Length: {len(GOOD)}",
            "Expect: 100-continue",
        )
        connection.sendall(request)
        told = b""
        while not told.endswith(b"\r\n\r\n"):
            told += connection.recv(1)
        assert told == b"HTTP/1.1 100 Continue\r\n\r\n"
        assert exchange(connection, GOOD).json()["service"] == "payments"


def test_a_sender_that_asks_first_is_refused_at_once(service: Service) -> None:
    """A body that will be refused is not asked for."""
    with service.connect() as connection:
        request = head(
            "/extract",
            "Content-Type: application/json",
            "Content-Length: 500000",
            "Expect: 100-continue",
        )
        assert exchange(connection, request).status_code == 413


def test_requests_in_a_row_are_answered_in_order(service: Service) -> None:
    """Pipelined requests, good and bad, on one connection."""
    bodies = [GOOD, b'{"line":""}', b'{"line":"notice: second"}', b"{}"]
    requests = b"".join(
        head("/extract", "Content-Type: application/json", f"Content-Length: {len(body)}") + body
        for body in bodies
    )
    with service.connect() as connection:
        connection.sendall(requests)
        connection.shutdown(socket.SHUT_WR)
        answers = b""
        while data := connection.recv(65_536):
            answers += data
    assert re.findall(rb"HTTP/1.1 (\d+)", answers) == [b"200", b"422", b"200", b"422"]


def test_a_refusal_keeps_the_connection_when_its_body_was_read(service: Service) -> None:
    """A bad line costs the sender no new connection."""
    with service.connect() as connection:
        for _ in range(3):
            request = head("/extract", "Content-Type: application/json", "Content-Length: 2")
            assert problem(exchange(connection, request + b"{}")) == "body-invalid"
