"""``grade.toml``: how an answer is set up, started, tested and replayed, and where its ledger is."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from logdocket.errors import BadManifest

__all__ = ["NAME", "Ledger", "Manifest", "Model", "Replay", "Runbook", "Service", "Setup", "Test"]

NAME: Final = "grade.toml"


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of the manifest; a key that it does not know is refused."""


class Setup(_Table):
    """What is run once, before all else, with the network: it installs what the answer needs."""

    command: str | None = None
    seconds: float = 600.0


class Service(_Table):
    """How the service is started, and how it is asked.

    ``start`` stays in the foreground; ``{port}`` in it is the port to listen on, which is also in
    the environment as PORT. ``field`` is the key of the line in the JSON body, ``context`` that of
    what the caller knows beside it. ``ready`` is a path that answers 2xx once the service can be
    asked; without it, an open port is enough. ``answer_seconds`` is the longest that one answer
    may take, whatever the model does; ``failure_cache_seconds`` how long a failure may be
    remembered, None if nobody says.
    """

    start: str | None = None
    path: str = "/extract"
    field: str = "line"
    context: str = "context"
    ready: str | None = None
    start_seconds: float = 30.0
    answer_seconds: float = 30.0
    failure_cache_seconds: float | None = None
    env: dict[str, str] = {}


class Model(_Table):
    """The variables by which the service finds its model, and the path of the address it gets."""

    url_env: str = "MODEL_URL"
    key_env: str = "MODEL_KEY"
    name_env: str = "MODEL_NAME"
    path: str = "/v1"


class Test(_Table):
    """The command of the tests. It gets no key and no network."""

    __test__ = False
    command: str | None = None
    seconds: float = 600.0


class Replay(_Table):
    """The command that replays a fixture, and the file that it writes, if not standard output."""

    command: str | None = None
    output: str | None = None
    seconds: float = 120.0


class Ledger(_Table):
    """Where the ledger is: one of a path of the service, a file, or a command that prints it.

    ``call``, ``hit`` and ``fallback`` select its entries of that kind, as ``key=value``
    (``kind=call_started``); several, set apart by commas, all have to hold. Unset, they are
    recognised by their words.
    """

    url: str | None = None
    file: str | None = None
    command: str | None = None
    call: str | None = None
    hit: str | None = None
    fallback: str | None = None


class Runbook(_Table):
    """The files that tell how to run it, relative to the checkout."""

    files: tuple[str, ...] = ()


class Manifest(_Table):
    """All that the grader has to know of an answer; what is None was neither told nor found."""

    setup: Setup = Setup()
    service: Service = Service()
    model: Model = Model()
    test: Test = Test()
    replay: Replay = Replay()
    ledger: Ledger = Ledger()
    runbook: Runbook = Runbook()


def load(path: Path) -> Manifest:
    """The manifest in ``path``; raises BadManifest, which names the key and the mend."""
    try:
        return msgspec.toml.decode(path.read_bytes(), type=Manifest)
    except (msgspec.DecodeError, ValueError) as error:
        raise BadManifest(f"{path.name}: {error}") from error
