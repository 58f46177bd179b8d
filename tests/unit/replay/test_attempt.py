from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import msgspec
import pytest

from logdocket.model import Exchange, Failure
from logdocket.replay.attempt import Attempt

KEY = "not-a-real-key-of-any-model"


def kept(key: str = KEY, **seen: Any) -> Attempt:
    """What is kept of an exchange."""
    attempt = Attempt.of(Exchange(call=1, sent=True, ms=7, **seen), key)
    assert attempt is not None
    return attempt


def test_an_answer_is_kept_as_it_came() -> None:
    """Status, type, body and time, and no word more."""
    body = b'{"id": 1, "model": "\xe2\x82\xac"}'
    attempt = kept(status=200, content_type="application/json", body=body)
    assert attempt.content == body
    assert msgspec.to_builtins(attempt) == {
        "status": 200,
        "content_type": "application/json",
        "body": body.decode(),
        "ms": 7,
    }


@pytest.mark.parametrize("status", [200, 401])
def test_the_key_is_in_no_body(status: int) -> None:
    """Not even of an API that quotes it."""
    body = f'{{"error": "Incorrect API key provided: {KEY}."}}'.encode()
    assert KEY.encode() not in kept(status=status, body=body).content


@pytest.mark.parametrize("status", [200, 400, 502])
def test_what_is_no_answer_loses_its_secrets(status: int) -> None:
    """An error may quote the request, and a page what a proxy was sent."""
    body = b"<html>Authorization: Bearer abcdef0123456789abcdef0123456789</html>"
    content = kept(status=status, body=body).content
    assert b"abcdef0123456789" not in content
    assert content.startswith(b"<html>")


def test_a_word_in_the_place_of_a_key_stays_in_other_words() -> None:
    """A model that wants no key is given any word; errors stay readable, and answers whole."""
    assert kept("an", status=400, body=b"an unexpected thing: can an").body == (
        "[MODEL_KEY] unexpected thing: can [MODEL_KEY]"
    )
    assert kept("an", status=200, body=b'"an answer"').body == '"an answer"'


def test_a_body_that_is_no_utf_8_travels_in_base64() -> None:
    """To the byte."""
    body = "Сервис недоступен".encode("windows-1251")
    attempt = kept(status=503, body=body)
    assert attempt.body is None
    assert attempt.content == body


def test_a_date_to_wait_for_is_kept_as_seconds() -> None:
    """Another replay is another day."""
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    seconds = kept(status=429, retry_after=soon).retry_after
    assert seconds is not None
    assert 80 < float(seconds) <= 90
    assert kept(status=429, retry_after="30").retry_after == "30"
    assert kept(status=429, retry_after="0").retry_after == "0"
    assert kept(status=429, retry_after="soon").retry_after is None


@pytest.mark.parametrize("failure", list(Failure))
def test_a_failure_is_kept_without_a_body(failure: Failure) -> None:
    """However much of it came."""
    status = None if failure is Failure.UNCONNECTED else 200
    attempt = kept(status=status, failure=failure, body=b"x" * 1_000_000)
    assert (attempt.failure, attempt.content) == (failure, b"")


def test_what_no_library_asked_is_no_attempt() -> None:
    """A replay will have it refuse of itself again."""
    assert Attempt.of(Exchange(call=1), KEY) is None


CONTRADICTIONS: list[tuple[dict[str, object], str]] = [
    ({}, "a status, a failure, or both"),
    ({"failure": "too_large"}, "has a status"),
    ({"status": 200, "failure": "unconnected"}, "has no status"),
    ({"status": 200, "failure": "late", "body": "x"}, "has no body"),
    ({"status": 200, "body": "x", "base64": "eA=="}, "not both"),
    ({"status": 200, "base64": "%"}, "base64 is none"),
    ({"status": 200, "body": "\ud800"}, "lone surrogate"),
    ({"status": 200, "content_type": "tëxt"}, "ASCII"),
    ({"status": 99}, ">= 100"),
    ({"status": 200, "headers": {}}, "unknown field"),
]


@pytest.mark.parametrize(("told", "why"), CONTRADICTIONS, ids=[why for _, why in CONTRADICTIONS])
def test_what_contradicts_itself_is_refused(told: dict[str, object], why: str) -> None:
    """In words that name the mend."""
    with pytest.raises(msgspec.ValidationError, match=why):
        msgspec.convert({"ms": 1, **told}, Attempt)
