from __future__ import annotations

import sys
from pathlib import Path

import pytest

from logdocket.grading import manifest
from logdocket.grading.bench import Bench
from logdocket.grading.finding import NotJudged, Unanswerable
from logdocket.grading.manifest import Manifest
from logdocket.grading.sandbox import Isolation, Limits, Sandbox
from logdocket.testing import Fault, closed_port

SERVICE = """\
import http.server, json, os, urllib.request

class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        line = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["line"]
        said = {"url": os.environ["MODEL_URL"], "key": os.environ.get("MODEL_KEY")}
        if said["key"]:
            body = json.dumps({"prompt": line}).encode()
            try:
                with urllib.request.urlopen(said["url"], body) as reply:
                    said["model"] = json.load(reply)
            except OSError as error:
                said["model"] = str(error)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(said).encode())

    def log_message(self, *args):
        pass

print("listening", flush=True)
http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
"""


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    """One without namespaces, so that the service is on the loopback of this test."""
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    (checkout / "service.py").write_text(SERVICE)
    return Sandbox(tmp_path, Isolation.none(), Limits())


def bench(sandbox: Sandbox, start: str = f"{sys.executable} service.py", **keys: float) -> Bench:
    """A bench for the checkout, started by ``start``."""
    service = manifest.Service(start=start, **keys)  # type: ignore[arg-type]
    return Bench(Manifest(service=service), seed=1, sandbox=sandbox)


@pytest.fixture
def whole(sandbox: Sandbox) -> Bench:
    """A bench whose service starts."""
    return bench(sandbox)


def test_a_session_is_a_service_beside_its_model(whole: Bench) -> None:
    """It gets address and key, each line its own fate, and both are gone afterwards."""
    bad, good = whole.lines.plain(), whole.lines.plain()
    with whole.session() as session:
        assert (
            session.ask(bad, Fault.HTTP_503).ticket["model"]
            == "HTTP Error 503: Service Unavailable"
        )
        assert "text" in session.ask(good).ticket["model"]
        assert [len(session.calls(line)) for line in (bad, good)] == [1, 1]
        assert len(session.calls()) == 2
        assert session.alive
    assert not session.client.listens()
    assert [(log.name, log.out) for log in whole.logs] == [("service", "listening\n")]


def test_a_session_without_a_key_has_the_address_alone(whole: Bench) -> None:
    """As where somebody forgot to set it."""
    with whole.session(key=False) as session:
        said = session.client.ask("a line").ticket
        assert said is not None
        assert said["key"] is None
        assert said["url"].endswith("/v1")
        assert session.calls() == []


@pytest.mark.parametrize(
    ("start", "why"),
    [
        ("exit 3", "ended by itself"),
        ("sleep 60", "not ready 0.3 s after its start"),
    ],
)
def test_a_service_that_does_not_start_is_told(sandbox: Sandbox, start: str, why: str) -> None:
    """With what became of it."""
    with pytest.raises(Unanswerable, match=why), bench(sandbox, start, start_seconds=0.3).session():
        pass


def test_nothing_runs_where_the_set_up_failed(sandbox: Sandbox) -> None:
    """The reason is told in each place."""
    broken = Bench(Manifest(), seed=1, sandbox=sandbox, broken="the set-up failed: exit code 1")
    with pytest.raises(Unanswerable, match="the set-up failed: exit code 1"):
        broken.run("true", seconds=5)


def test_without_a_checkout_what_needs_one_is_not_judged() -> None:
    """Its points stay open."""
    asked = Bench(Manifest(), seed=1, port=closed_port(), model_port=None)
    for want in (lambda: asked.checkout, lambda: asked.run("true", seconds=5)):
        with pytest.raises(NotJudged, match="no checkout was given"):
            want()
    with pytest.raises(NotJudged, match="a model of its own"), asked.session():
        pass
