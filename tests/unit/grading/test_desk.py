from __future__ import annotations

import json
import urllib.request

from logdocket.grading.desk import Desk
from logdocket.grading.lines import Line, Lines, honest
from logdocket.testing import Fault, ModelServer


def call(server: ModelServer, *said: str) -> tuple[int, str]:
    """Status and content of the answer to a chat of these user messages."""
    messages = [{"role": "user", "content": text} for text in said]
    request = urllib.request.Request(
        f"{server.url}/chat/completions", json.dumps({"messages": messages}).encode()
    )
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, json.load(response)["choices"][0]["message"]["content"]
    except urllib.error.HTTPError as error:
        error.close()
        return error.code, ""


def two() -> tuple[Line, Line]:
    """Two lines of one grading."""
    lines = Lines(7)
    return lines.plain(), lines.plain()


def test_each_line_meets_its_own_fate() -> None:
    """By its marker, wherever in the prompt the line stands."""
    desk, (bad, good) = Desk(), two()
    desk.expect(bad, Fault.HTTP_503)
    desk.expect(good)
    with ModelServer(desk.act) as server:
        assert call(server, f"Judge this line:\n{bad.text}\nin JSON.")[0] == 503
        status, content = call(server, f"Judge <line>{good.text}</line>")
    assert status == 200
    assert json.loads(content) == honest(good)


def test_acts_follow_one_another_and_the_last_repeats() -> None:
    """Counted for each line apart from all others."""
    desk, (one, other) = Desk(), two()
    desk.expect(one, Fault.HTTP_500, Fault.GOOD)
    desk.expect(other, Fault.HTTP_429)
    with ModelServer(desk.act) as server:
        assert call(server, other.text)[0] == 429
        assert [call(server, one.text)[0] for _ in range(3)] == [500, 200, 200]


def test_a_line_is_found_behind_examples() -> None:
    """The last marker of the prompt is what is asked about; calls are counted by it."""
    desk, (example, asked) = Desk(), two()
    desk.expect(example, Fault.HTTP_500)
    desk.expect(asked)
    with ModelServer(desk.act) as server:
        assert call(server, f"For example {example.text}", f"Now {asked.text}")[0] == 200
        assert [desk.about(seen, asked) for seen in server.seen] == [True]
        assert [desk.about(seen, example) for seen in server.seen] == [False]


def test_a_line_nobody_spoke_of_is_answered_honestly() -> None:
    """By the server itself."""
    with ModelServer(Desk().act) as server:
        status, content = call(server, "2026-01-02T15:04:05Z ERROR pay: card refused")
    assert status == 200
    assert json.loads(content)["service"] == "pay"


def test_a_request_is_counted_though_what_it_said_was_forgotten() -> None:
    """A client that floods the server does not hide by it what it asked about."""
    desk, (asked, other) = Desk(), two()
    desk.expect(asked)
    desk.expect(other)
    with ModelServer(desk.act, keep_bodies=False) as server:
        assert call(server, asked.text)[0] == 200
        assert server.wait_idle()
        (seen,) = server.seen
        assert seen.body == b""
        assert (desk.about(seen, asked), desk.about(seen, other)) == (True, False)
