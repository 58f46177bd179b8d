from __future__ import annotations

import email.utils
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from logdocket.testing import Act, Fault, ModelServer
from logdocket.testing.content import CONTENT
from logdocket.testing.delivery import DELIVERY
from logdocket.testing.reply import BODY, ENDS, STATUS, USAGE

Ask = Callable[..., httpx.Response]
SCHEMA = {"response_format": {"type": "json_schema", "json_schema": {"name": "t", "schema": {}}}}
TOOLS = {"tools": [{"type": "function", "function": {"name": "file_ticket"}}]}


@pytest.mark.parametrize(
    ("fault", "status", "kind"),
    [
        (Fault.HTTP_400, 400, "invalid_request_error"),
        (Fault.HTTP_401, 401, "authentication_error"),
        (Fault.HTTP_403, 403, "permission_error"),
        (Fault.HTTP_404, 404, "not_found_error"),
        (Fault.HTTP_408, 408, "timeout_error"),
        (Fault.HTTP_409, 409, "conflict_error"),
        (Fault.HTTP_422, 422, "invalid_request_error"),
        (Fault.HTTP_429, 429, "rate_limit_error"),
        (Fault.HTTP_429_SECONDS, 429, "rate_limit_error"),
        (Fault.HTTP_429_DATE, 429, "rate_limit_error"),
        (Fault.HTTP_500, 500, "server_error"),
        (Fault.HTTP_503, 503, "server_error"),
        (Fault.HTTP_529, 529, "overloaded_error"),
    ],
)
def test_an_error_has_its_status_and_kind(
    server: ModelServer, ask: Ask, fault: Fault, status: int, kind: str
) -> None:
    """It is whole, and spends no token."""
    server.script = fault
    response = ask()
    assert (response.status_code, response.json()["error"]["type"]) == (status, kind)
    assert (server.seen[0].status, server.seen[0].whole, server.tokens) == (status, True, 0)


@pytest.mark.parametrize(
    ("act", "told"),
    [
        (Act(Fault.HTTP_429), None),
        (Act(Fault.HTTP_429_SECONDS), "1"),
        (Act(Fault.HTTP_429_SECONDS, retry_after=30), "30"),
        (Act(Fault.HTTP_429_SECONDS, retry_after=0.25), "0.25"),
        (Act(Fault.HTTP_429, retry_after="soon"), "soon"),
        (Act(Fault.HTTP_503, retry_after=7), "7"),
        (Act(Fault.HTTP_502, retry_after=7), "7"),
        (Act(Fault.GOOD, retry_after=7), None),
        (
            Act(Fault.HTTP_429_DATE, retry_after=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)),
            "Fri, 02 Jan 2026 03:04:05 GMT",
        ),
    ],
)
def test_retry_after_is_as_told(server: ModelServer, ask: Ask, act: Act, told: str | None) -> None:
    """In seconds, as a date, as given, or not at all."""
    server.script = act
    assert ask().headers.get("retry-after") == told


@pytest.mark.parametrize(("seconds", "ahead"), [(None, 2), (60, 60)])
def test_a_dated_retry_after_lies_ahead(
    server: ModelServer, ask: Ask, seconds: float | None, ahead: float
) -> None:
    """Seconds from now become a moment, whole seconds as HTTP has them."""
    server.script = Act(Fault.HTTP_429_DATE, retry_after=seconds)
    until = email.utils.parsedate_to_datetime(ask().headers["retry-after"])
    expected = datetime.now(UTC) + timedelta(seconds=ahead)
    assert timedelta(seconds=-3) < until - expected <= timedelta()


@pytest.mark.parametrize(
    ("fault", "more", "says"),
    [
        (Fault.NO_SCHEMA, SCHEMA, "response_format of type 'json_schema' is not supported"),
        (Fault.NO_TOOLS, TOOLS, "tools and tool_choice are not supported"),
        (Fault.TEXT_ONLY, SCHEMA, "is not supported"),
        (Fault.TEXT_ONLY, TOOLS, "are not supported"),
    ],
)
def test_what_is_not_supported_is_said_with_a_400(
    server: ModelServer, ask: Ask, fault: Fault, more: dict[str, Any], says: str
) -> None:
    """To a request that asks for it."""
    server.script = fault
    response = ask(**more)
    assert response.status_code == 400
    assert says in response.json()["error"]["message"]


@pytest.mark.parametrize(
    ("fault", "more"),
    [
        (Fault.NO_SCHEMA, {}),
        (Fault.NO_SCHEMA, TOOLS),
        (Fault.NO_SCHEMA, {"response_format": {"type": "json_object"}}),
        (Fault.NO_TOOLS, SCHEMA),
        (Fault.TEXT_ONLY, {}),
    ],
)
def test_what_is_supported_gets_a_good_answer(
    server: ModelServer, ask: Ask, fault: Fault, more: dict[str, Any]
) -> None:
    """To a request that does not ask for the rest."""
    server.script = fault
    assert ask(**more).json()["usage"]["total_tokens"] == server.tokens > 0


@pytest.mark.parametrize(
    ("fault", "status", "kind", "text"),
    [
        (Fault.HTTP_502, 502, "text/html", "<center><h1>502 Bad Gateway</h1></center>"),
        (Fault.FOREIGN_ERROR, 503, "text/plain; charset=windows-1251", "временно недоступен"),
        (Fault.FOREIGN_TEXT, 200, "text/plain; charset=Shift_JIS", "申し訳ありません"),
        (Fault.ERROR_IN_200, 200, "application/json", '{"error": {"message": "The upstream'),
        (Fault.EVENT_STREAM, 200, "text/event-stream", 'data: {"id": "chatcmpl-1"'),
    ],
)
def test_a_body_of_another_kind_comes_as_it_says(
    server: ModelServer, ask: Ask, fault: Fault, status: int, kind: str, text: str
) -> None:
    """Status, type with charset, and text; no token is reported."""
    server.script = fault
    response = ask()
    assert (response.status_code, response.headers["content-type"]) == (status, kind)
    assert text in response.text
    assert server.tokens == 0


@pytest.mark.parametrize("fault", [Fault.FOREIGN_ERROR, Fault.FOREIGN_TEXT])
def test_foreign_text_is_no_utf_8(server: ModelServer, ask: Ask, fault: Fault) -> None:
    """Who ignores the charset cannot read it."""
    server.script = fault
    with pytest.raises(UnicodeDecodeError):
        ask().content.decode()


@pytest.mark.parametrize("fault", [Fault.EMPTY, Fault.TRUNCATED, Fault.INVALID_JSON])
def test_a_broken_body_is_no_json(server: ModelServer, ask: Ask, fault: Fault) -> None:
    """It comes whole under 200 and its own length."""
    server.script = fault
    response = ask()
    assert response.status_code == 200
    assert int(response.headers["content-length"]) == len(response.content)
    with pytest.raises(ValueError, match=r"Expecting|Unterminated|Invalid"):
        json.loads(response.content)
    assert server.tokens == 0


def test_an_empty_body_has_no_byte(server: ModelServer, ask: Ask) -> None:
    """Under 200."""
    server.script = Fault.EMPTY
    assert ask().content == b""


def test_a_truncated_body_is_half_of_the_good_one(server: ModelServer, ask: Ask) -> None:
    """It begins as the good one does."""
    server.script = [Fault.GOOD, Fault.TRUNCATED]
    good, half = ask().content, ask().content
    assert len(half) == len(good) // 2
    assert good.replace(b"chatcmpl-1", b"chatcmpl-2").startswith(half)


def test_a_body_may_be_a_list(server: ModelServer, ask: Ask) -> None:
    """With the good body in it."""
    server.script = Fault.NOT_AN_OBJECT
    (within,) = ask().json()
    assert within["choices"]


def test_a_body_may_have_no_choice(server: ModelServer, ask: Ask) -> None:
    """The list is there, and empty."""
    server.script = Fault.NO_CHOICES
    assert ask().json()["choices"] == []


@pytest.mark.parametrize(
    ("fault", "status", "method"),
    [(Fault.REDIRECT_302, 302, "GET"), (Fault.REDIRECT_307, 307, "POST")],
)
def test_a_redirect_that_is_followed_is_a_hit(
    server: ModelServer, ask: Ask, fault: Fault, status: int, method: str
) -> None:
    """It leads to another address of the same server, which answers well."""
    server.script = fault
    response = ask()
    assert response.status_code == status
    assert (server.count, server.followed) == (1, 0)
    request = response.next_request
    assert request is not None
    with httpx.Client() as client:
        assert client.send(request).status_code == 200
    assert (server.count, server.followed) == (2, 1)
    assert server.seen[1].method == method
    assert server.seen[1].path == "/elsewhere/v1/chat/completions"


@pytest.mark.parametrize(
    ("act", "usage"),
    [
        (Act(Fault.USAGE_NEGATIVE), (-12, -10)),
        (Act(Fault.USAGE_TEXT), ("about 12", "a few")),
        (Act(Fault.USAGE_HUGE), (10**15, 10**15)),
        (Act(usage=(True, False)), (True, False)),
        (Act(usage=(1.5, 2)), (1.5, 2)),
        (Act(usage=(None, None)), (None, None)),
    ],
)
def test_a_usage_that_is_no_count_counts_nothing(
    server: ModelServer, ask: Ask, act: Act, usage: tuple[Any, Any]
) -> None:
    """It goes out as it is and is kept as it is; the tokens are 0."""
    server.script = act
    told = ask().json()["usage"]
    assert repr((told["prompt_tokens"], told["completion_tokens"])) == repr(usage)
    assert server.seen[0].usage == usage
    assert server.tokens == 0


def test_a_missing_usage_is_missing(server: ModelServer, ask: Ask) -> None:
    """There is no such member."""
    server.script = Fault.USAGE_MISSING
    assert "usage" not in ask().json()
    assert server.seen[0].usage is None


def test_a_usage_that_is_told_counts(server: ModelServer, ask: Ask) -> None:
    """As a good one does."""
    server.script = Act(usage=(120, 30))
    assert ask().json()["usage"] == {
        "prompt_tokens": 120,
        "completion_tokens": 30,
        "total_tokens": 150,
    }
    assert (server.seen[0].tokens_in, server.seen[0].tokens_out, server.tokens) == (120, 30, 150)


@pytest.mark.parametrize("limit", ["max_tokens", "max_completion_tokens"])
def test_no_more_tokens_come_out_than_the_request_allows(
    server: ModelServer, ask: Ask, limit: str
) -> None:
    """However many words the answer has."""
    server.script = Fault.DEEP_JSON
    assert ask(**{limit: 50}).json()["usage"]["completion_tokens"] == 50


@pytest.mark.parametrize(
    ("fault", "finish", "content", "refusal"),
    [
        (Fault.CONTENT_FILTER, "content_filter", None, None),
        (Fault.REFUSAL, "stop", None, "I'm sorry, but I can't help with that."),
    ],
)
def test_an_answer_may_be_withheld(
    server: ModelServer, ask: Ask, fault: Fault, finish: str, content: None, refusal: str | None
) -> None:
    """No content; why, in its place. Tokens were spent all the same."""
    server.script = fault
    (choice,) = ask().json()["choices"]
    assert choice["finish_reason"] == finish
    assert choice["message"]["content"] is content
    assert choice["message"]["refusal"] == refusal
    assert server.tokens > 0


def test_an_answer_may_reach_its_limit(server: ModelServer, ask: Ask) -> None:
    """Half of the good content, finish_reason length."""
    server.script = [Fault.GOOD, Fault.LENGTH]
    (good,), (cut,) = ask().json()["choices"], ask().json()["choices"]
    whole = good["message"]["content"]
    assert cut["message"]["content"] == whole[: len(whole) // 2]
    assert cut["finish_reason"] == "length"


def test_every_fault_is_made_in_one_place() -> None:
    """Each stands in one table, but for those that only wait and the good answer."""
    tables = (STATUS, BODY, USAGE, ENDS, CONTENT, DELIVERY)
    made = [fault for table in tables for fault in table]
    assert sorted([*made, Fault.GOOD, Fault.SLOW]) == sorted(Fault)
