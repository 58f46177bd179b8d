"""Asks an answer's service as its users would, and puts up with whatever comes back."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Mapping
from typing import Any, Final

import httpx2

from logdocket.grading import manifest
from logdocket.grading.reply import Reply, Silence

__all__ = ["Client"]

_MOST: Final = 4 * 1024 * 1024
"""Bytes of a response that are kept: no ticket is longer."""
_JSON: Final = {"content-type": "application/json"}
_PLAIN: Final = {"accept-encoding": "identity"}
"""A few packed bytes can stand for gigabytes."""
_CONNECTED: Final = "connection.connect_tcp.complete"
"""What httpcore traces when it has a connection, per its documentation of extensions."""


class Client:
    """Speaks to the service at ``port`` of loopback, as its manifest says. Threads may share it."""

    def __init__(self, port: int, service: manifest.Service) -> None:
        self.port = port
        self._service = service
        self._http = httpx2.Client(
            base_url=f"http://127.0.0.1:{port}",
            trust_env=False,
            limits=httpx2.Limits(max_keepalive_connections=0),
        )

    def ask(
        self, line: str, context: Mapping[str, Any] | None = None, *, seconds: float | None = None
    ) -> Reply:
        """The reply about one line, waited for as long as the manifest allows, or ``seconds``."""
        body: dict[str, Any] = {self._service.field: line}
        if context is not None:
            body[self._service.context] = dict(context)
        return self.post(json.dumps(body).encode(), seconds=seconds)

    def post(
        self,
        body: bytes,
        headers: Mapping[str, str] = _JSON,
        *,
        seconds: float | None = None,
    ) -> Reply:
        """The reply to ``body`` as it is, at the path that takes lines."""
        return self._request("POST", self._service.path, body, headers, seconds)

    def get(self, path: str, *, seconds: float | None = None) -> Reply:
        """The reply at another path of the service."""
        return self._request("GET", path, None, {}, seconds)

    def listens(self) -> bool:
        """Whether something accepts connections at the port."""
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
        except OSError:
            return False
        return True

    def close(self) -> None:
        """Let go of the connections."""
        self._http.close()

    def _request(
        self,
        method: str,
        path: str,
        body: bytes | None,
        headers: Mapping[str, str],
        seconds: float | None,
    ) -> Reply:
        began = time.monotonic()
        whole = self._service.answer_seconds if seconds is None else seconds
        deadline = _Deadline(whole)
        try:
            with (
                deadline,
                self._http.stream(
                    method,
                    path,
                    content=body,
                    headers={**_PLAIN, **headers},
                    timeout=whole,
                    extensions={"trace": deadline.trace},
                ) as response,
            ):
                content = bytearray()
                for chunk in response.iter_raw():
                    content += chunk[: _MOST - len(content)]
            if not deadline.over:
                packed = response.headers.get("content-encoding", "identity") != "identity"
                told = Reply(response.status_code, bytes(content), time.monotonic() - began)
                return _silent(Silence.BROKEN, began) if packed else told
        except httpx2.TimeoutException:
            return _silent(Silence.LATE, began)
        except httpx2.ConnectError:
            return _silent(Silence.REFUSED, began)
        except (httpx2.NetworkError, httpx2.RemoteProtocolError):
            if not deadline.over:
                return _silent(Silence.BROKEN, began)
        return _silent(Silence.LATE, began)


class _Deadline:
    """Ends a connection after ``seconds``, whatever comes over it until then: the client's own
    bound is on the silence between two bytes.
    """

    def __init__(self, seconds: float) -> None:
        self.over = False
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._timer = threading.Timer(max(0.0, seconds), self._end)
        self._timer.daemon = True

    def trace(self, event: str, facts: Mapping[str, Any]) -> None:
        """Learn of the connection from the client."""
        if event == _CONNECTED:
            with self._lock:
                self._socket = facts["return_value"].get_extra_info("socket")

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *error: object) -> None:
        self._timer.cancel()
        with self._lock:
            self._socket = None

    def _end(self) -> None:
        with self._lock:
            self.over = True
            if self._socket is not None:
                with contextlib.suppress(OSError):
                    self._socket.shutdown(socket.SHUT_RDWR)


def _silent(why: Silence, began: float) -> Reply:
    return Reply(0, b"", time.monotonic() - began, why)
