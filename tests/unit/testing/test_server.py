from __future__ import annotations

import concurrent.futures
import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from logdocket.testing import Act, Fault, ModelServer, Seen

Ask = Callable[..., httpx.Response]


def content(response: httpx.Response) -> dict[str, Any]:
    """The answer in a good response."""
    said: dict[str, Any] = json.loads(response.json()["choices"][0]["message"]["content"])
    return said


class TestScript:
    """What is done with each request."""

    def test_a_sequence_goes_by_requests_and_its_last_repeats(
        self, server: ModelServer, ask: Ask
    ) -> None:
        """First, second, and the second for ever."""
        server.script = [Fault.HTTP_503, Act(Fault.HTTP_429)]
        assert [ask().status_code for _ in range(4)] == [503, 429, 429, 429]
        assert [seen.fault for seen in server.seen] == ["http_503"] + ["http_429"] * 3

    def test_a_function_chooses_by_request(self, server: ModelServer, ask: Ask) -> None:
        """It sees the number, the headers and what was asked."""
        server.script = lambda seen: Fault.HTTP_500 if seen.json["n"] == seen.number else Fault.GOOD
        assert [ask(n=number).status_code for number in (0, 2, 0)] == [200, 500, 200]

    def test_a_new_script_begins_at_its_beginning(self, server: ModelServer, ask: Ask) -> None:
        """A server that fails may recover amid a test."""
        for script, status in ([Fault.HTTP_500, Fault.GOOD], 500), ([Fault.HTTP_401], 401):
            server.script = script
            assert ask().status_code == status

    def test_a_redirect_that_is_followed_takes_nothing_from_the_script(
        self, server: ModelServer, ask: Ask
    ) -> None:
        """The next call gets what is next."""
        server.script = [Fault.REDIRECT_307, Fault.HTTP_500]
        request = ask().next_request
        assert request is not None
        with httpx.Client() as client:
            client.send(request)
        assert ask().status_code == 500

    @pytest.mark.parametrize("script", [[], ()])
    def test_an_empty_sequence_is_no_script(self, script: Any) -> None:
        """There would be nothing to do."""
        with pytest.raises(ValueError, match="one act at least"):
            ModelServer(script)

    @pytest.mark.parametrize("script", [lambda seen: 1 / 0, lambda seen: None])
    def test_a_script_that_fails_is_told_to_its_client(self, script: Any) -> None:
        """By a 500; and raised again where the server is left."""
        server = ModelServer(script)
        server.start()
        response = httpx.post(f"{server.url}/chat/completions", json={})
        with pytest.raises((ZeroDivisionError, ValueError)):
            server.__exit__(None, None, None)
        assert response.status_code == 500
        assert "the script raised" in response.json()["error"]["message"]

    def test_the_error_of_a_test_goes_before_that_of_its_script(self) -> None:
        """Leaving after an error raises no other."""
        server = ModelServer(lambda seen: Fault(seen.json))
        server.start()
        assert httpx.post(f"{server.url}/chat/completions", json={}).status_code == 500
        server.__exit__(KeyError, KeyError(), None)


class TestRecord:
    """What a test reads afterwards."""

    def test_every_call_is_numbered_in_the_order_of_arrival(
        self, server: ModelServer, ask: Ask
    ) -> None:
        """From 1, with rising times."""
        for _ in range(3):
            ask()
        assert [seen.number for seen in server.seen] == [1, 2, 3]
        assert sorted(server.seen, key=lambda seen: seen.at) == server.seen
        assert server.count == 3

    def test_tokens_are_those_that_the_answers_report(self, server: ModelServer, ask: Ask) -> None:
        """Known as soon as the client can know them; failures spend none."""
        server.script = [Fault.GOOD, Fault.HTTP_500, Fault.PROSE]
        told = [ask().json().get("usage", {}).get("total_tokens", 0) for _ in range(3)]
        assert told[1] == 0
        assert server.tokens == sum(told) > 0

    def test_an_answer_that_did_not_get_out_counts_nothing(
        self, server: ModelServer, wire: Callable[[], bytes]
    ) -> None:
        """Nobody was told of its tokens."""
        server.script = Fault.SHORT
        assert b'"choices"' in wire()
        assert server.wait_idle()
        (seen,) = server.seen
        assert (seen.whole, seen.usage, server.tokens) == (False, None, 0)
        assert seen.ended is not None

    def test_a_client_that_leaves_before_its_answer_counts_nothing(
        self, server: ModelServer
    ) -> None:
        """However good the answer would have been."""
        server.script = Act(Fault.SLOW, seconds=30)
        with pytest.raises(httpx.ReadTimeout):
            httpx.post(f"{server.url}/messages", json={}, timeout=httpx.Timeout(5, read=0.05))
        assert server.wait_idle()
        assert (server.seen[0].whole, server.tokens) == (False, 0)

    def test_a_list_of_models_is_no_call(self, server: ModelServer) -> None:
        """It is answered, and kept apart."""
        assert httpx.get(f"{server.url}/models").json()["data"][0]["id"] == "loopback"
        assert (server.count, [seen.path for seen in server.other]) == (0, ["/v1/models"])

    def test_other_addresses_are_not_there(self, server: ModelServer) -> None:
        """404, and kept apart."""
        assert httpx.get(f"{server.url}/nothing").status_code == 404
        assert (server.count, len(server.other)) == (0, 1)

    def test_a_request_that_came_in_part_is_kept_apart(self, server: ModelServer) -> None:
        """Its head tells whose it was."""
        with socket.create_connection(("127.0.0.1", server.port)) as caller:
            caller.sendall(
                b"POST /v1/chat/completions HTTP/1.1\r\nx-client-request-id: n-7\r\n"
                b"content-length: 100\r\n\r\n{"
            )
        deadline = time.monotonic() + 5
        while not server.unfinished and time.monotonic() < deadline:
            time.sleep(0.001)
        (seen,) = server.unfinished
        assert (seen.number, seen.request_id, seen.body) == (0, "n-7", b"{")
        assert server.count == 0

    def test_bodies_can_be_forgotten_once_they_are_answered(self, line: str) -> None:
        """So that a long run does not fill the memory."""
        with ModelServer(keep_bodies=False) as server:
            body = {"messages": [{"role": "user", "content": line}]}
            response = httpx.post(f"{server.url}/chat/completions", json=body)
            assert content(response)["service"] == "nginx"
            assert server.wait_idle()
            assert (server.seen[0].body, server.seen[0].text) == (b"", "")
            assert server.tokens > 0

    def test_what_is_kept_is_bounded(self, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """A client that means harm does not fill the memory, and each request is counted."""
        monkeypatch.setattr("logdocket.testing.server._MOST_KEPT", 300)
        with ModelServer() as server:
            body = {"messages": [{"role": "user", "content": line}]}
            for _ in range(20):
                httpx.post(f"{server.url}/chat/completions", json=body)
            httpx.put(f"{server.url}/else", content=b"x" * 400)
            assert server.wait_idle()
            assert server.count == 20
            assert 0 < sum(len(seen.body) for seen in server.seen) <= 300
            assert server.other[0].body == b""

    def test_a_body_that_is_too_long_is_reset(self) -> None:
        """And is no request for an answer."""
        with ModelServer(longest=1000) as server:
            with pytest.raises(httpx.TransportError):
                httpx.post(f"{server.url}/chat/completions", content=b"x" * 100_000)
            assert server.count == 0


class TestLife:
    """Its thread, its port, its connections."""

    def test_the_url_is_the_base_of_an_openai_client(self, server: ModelServer) -> None:
        """Loopback alone, with the port in it."""
        assert server.url == f"http://127.0.0.1:{server.port}/v1"
        assert server.port > 0

    def test_all_ends_at_once_whatever_is_under_way(self) -> None:
        """Clients of a hanging model see the end; no thread is left."""
        with ModelServer(Fault.HANG) as server:
            caller = socket.create_connection(("127.0.0.1", server.port), timeout=5)
            caller.sendall(b"POST /v1/messages HTTP/1.1\r\ncontent-length: 0\r\n\r\n")
            assert server.wait(1)
            begun = time.monotonic()
        with caller:
            assert caller.recv(1) == b""
        assert time.monotonic() - begun < 5
        assert "model-server" not in {thread.name for thread in threading.enumerate()}

    def test_it_can_go_and_come_back_under_the_same_address(self) -> None:
        """As a model does that is restarted; in between, connections are refused."""
        with ModelServer() as server:
            address = f"{server.url}/chat/completions"
            server.stop()
            with pytest.raises(httpx.ConnectError):
                httpx.post(address, json={})
            server.start()
            assert httpx.post(address, json={}).status_code == 200

    def test_a_port_that_is_taken_is_an_error(self, server: ModelServer) -> None:
        """Raised to whoever starts the second."""
        with pytest.raises(OSError, match="in use"), ModelServer(port=server.port):
            pass

    def test_latency_is_before_every_answer(self, server: ModelServer, ask: Ask) -> None:
        """Errors too."""
        server.latency = 0.05
        server.script = [Fault.GOOD, Fault.HTTP_500]
        begun = time.monotonic()
        ask()
        ask()
        assert time.monotonic() - begun >= 0.1

    def test_200_clients_are_served_at_once(self, line: str) -> None:
        """None waits for another: one after the other they would take 40 seconds."""
        raw = json.dumps({"messages": [{"role": "user", "content": line}]}).encode()
        head = b"POST /v1/chat/completions HTTP/1.1\r\ncontent-length: %d\r\n\r\n" % len(raw)
        begun = time.monotonic()
        with ModelServer(latency=0.2) as server, contextlib.ExitStack() as stack:
            callers = [
                stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=5))
                for _ in range(200)
            ]
            for caller in callers:
                caller.sendall(head + raw)
            assert all(caller.recv(12) == b"HTTP/1.1 200" for caller in callers)
            assert server.count == 200
        assert time.monotonic() - begun < 10

    def test_the_most_at_once_are_counted(self) -> None:
        """However long they stay."""
        raw = b"POST /v1/messages HTTP/1.1\r\ncontent-length: 0\r\n\r\n"
        with ModelServer(Fault.HANG) as server, contextlib.ExitStack() as stack:
            for _ in range(7):
                address = ("127.0.0.1", server.port)
                stack.enter_context(socket.create_connection(address)).sendall(raw)
            assert server.wait(7)
            assert server.peak == 7

    def test_tests_may_read_while_many_ask(self, server: ModelServer, ask: Ask) -> None:
        """Threads see whole records only."""
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            asked = [pool.submit(ask) for _ in range(40)]
            assert server.wait(40)
            told = [one.result().json()["usage"]["total_tokens"] for one in asked]
        assert server.tokens == sum(told)
        assert sorted(seen.number for seen in server.seen) == list(range(1, 41))

    def test_waiting_for_what_does_not_come_ends(self, server: ModelServer) -> None:
        """With False."""
        assert server.wait(1, seconds=0.01) is False

    def test_waiting_for_an_end_that_does_not_come_ends(self) -> None:
        """With False."""
        with (
            ModelServer(Fault.HANG) as server,
            socket.create_connection(("127.0.0.1", server.port)) as caller,
        ):
            caller.sendall(b"POST /v1/messages HTTP/1.1\r\ncontent-length: 0\r\n\r\n")
            assert server.wait(1)
            assert server.wait_idle(seconds=0.01) is False


class TestAnswers:
    """What a good answer says."""

    def test_without_answers_the_line_itself_is_answered(
        self, server: ModelServer, ask: Ask
    ) -> None:
        """Honestly, from the line that stands in the prompt."""
        assert content(ask()) == {
            "service": "nginx",
            "severity": "high",
            "first_seen": "2026-01-02T03:04:05Z",
            "evidence": "upstream timed out",
        }

    def test_an_act_may_bring_the_answer(self, server: ModelServer, ask: Ask) -> None:
        """As an object, or as the content's text."""
        server.script = [Act(answer={"service": "a"}), Act(answer='{"service": "b"}')]
        assert [content(ask()) for _ in range(2)] == [{"service": "a"}, {"service": "b"}]

    def test_answers_may_be_made_of_the_request(self, line: str) -> None:
        """By a function."""

        def answer(seen: Seen) -> dict[str, Any]:
            return {"number": seen.number}

        with ModelServer(answers=answer) as server:
            response = httpx.post(f"{server.url}/chat/completions", json={})
        assert content(response) == {"number": 1}
