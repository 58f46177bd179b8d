"""A service that answers the exercise in a few lines, honestly or with one fault."""

from __future__ import annotations

import contextlib
import http.server
import json
import re
import threading
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

__all__ = ["Answer", "Model", "Ticket", "careful", "overfit", "parrot", "running"]

Ticket: TypeAlias = dict[str, Any]
Model: TypeAlias = Callable[[str], Ticket]
"""What the model says of a line; raises OSError or ValueError."""
Answer: TypeAlias = Callable[[str, Model], Ticket]


def _fallback(line: str) -> Ticket:
    """The ticket that claims nothing."""
    return {
        "service": "unknown",
        "severity": "medium",
        "first_seen": "unknown",
        "evidence": line.strip(),
        "confidence": 0.1,
        "needs_human": True,
    }


def careful(line: str, model: Model) -> Ticket:
    """Believes of the model what stands in the line."""
    try:
        said = model(line)
        ticket = {field: said[field] for field in ("service", "severity", "first_seen", "evidence")}
    except (OSError, ValueError, LookupError):
        return _fallback(line)
    grounded = ticket["evidence"].strip() and ticket["evidence"] in line
    if not grounded or ticket["severity"] not in ("low", "medium", "high", "critical"):
        return _fallback(line)
    for field in ("service", "first_seen"):
        if ticket[field] not in line:
            ticket[field] = "unknown"
    unknown = "unknown" in (ticket["service"], ticket["first_seen"])
    return ticket | {"confidence": 0.4 if unknown else 0.8, "needs_human": unknown}


def parrot(line: str, model: Model) -> Ticket:
    """Believes whatever the model says, once it has the six fields."""
    try:
        said = model(line)
        return {field: said[field] for field in _fallback(line)}
    except (OSError, ValueError, LookupError):
        return _fallback(line)


def overfit(line: str, model: Model) -> Ticket:
    """Careful, but knows a demonstration by heart."""
    ticket = careful(line, model)
    if "panic" in line.lower():
        return ticket | {"severity": "critical", "service": "api"}
    return ticket


def _model_of(url: str) -> Model:
    """The model that speaks bare prompts at ``url``."""

    def ask(line: str) -> Ticket:
        body = json.dumps({"prompt": f"Make a ticket of this line as JSON: {json.dumps(line)}"})
        with urllib.request.urlopen(f"{url}/complete", body.encode(), timeout=5) as response:
            found = re.search(r"\{.*\}", json.load(response)["text"], re.DOTALL)
        said: Ticket = json.loads(found[0] if found else "")
        return said

    return ask


@contextlib.contextmanager
def running(answer: Answer, model_url: str) -> Iterator[int]:
    """The port at which a service answers by ``answer`` and the model at ``model_url``."""
    model = _model_of(model_url)

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            try:
                line = json.loads(self.rfile.read(int(self.headers["content-length"])))["line"]
            except (ValueError, LookupError, TypeError):
                return self._send(400, {"error": "no line"})
            if not isinstance(line, str) or not line.strip():
                return self._send(422, {"error": "the line is no text"})
            ticket = answer(line, model)
            # Who asked may have gone by now.
            with contextlib.suppress(ConnectionError):
                self._send(200, ticket)

        def _send(self, status: int, value: Ticket) -> None:
            body = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()
