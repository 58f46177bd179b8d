"""``grade.toml``: how an answer is set up, started, tested, replayed, and where its ledger is."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from logdocket.errors import BadManifest

__all__ = [
    "LEDGERS",
    "NAME",
    "Ledger",
    "Manifest",
    "Model",
    "Replay",
    "Runbook",
    "Service",
    "Setup",
    "Test",
    "checked",
    "fields",
    "load",
]

NAME: Final = "grade.toml"
LEDGERS: Final = ("url", "file", "command")
"""The keys of [ledger] that say where it is, of which one is told."""


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of the manifest; a key that it does not know is refused."""


class Setup(_Table, frozen=True):
    """What is run once, before all else, with the network: it installs what the answer needs.

    A ``command`` of no characters says that nothing has to be set up.
    """

    command: str | None = None
    seconds: float = 600.0


class Service(_Table, frozen=True):
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


class Model(_Table, frozen=True):
    """The variables by which the service finds its model, and the path of the address it gets."""

    url_env: str = "MODEL_URL"
    key_env: str = "MODEL_KEY"
    name_env: str = "MODEL_NAME"
    path: str = "/v1"


class Test(_Table, frozen=True):
    """The command of the tests. It gets no key and no network."""

    __test__ = False
    command: str | None = None
    seconds: float = 600.0


class Replay(_Table, frozen=True):
    """The command that replays a fixture, and the file that it writes, if not standard output."""

    command: str | None = None
    output: str | None = None
    seconds: float = 120.0


class Ledger(_Table, frozen=True):
    """Where the ledger is: one of a path of the service, a file, or a command that prints it.

    ``call``, ``hit`` and ``fallback`` select its entries of that kind, as ``key=value``
    (``kind=call_started``); several, set apart by commas, all have to hold, a bar sets apart values
    of which one has to, and a dot leads into an inner object. Unset, they are recognised by their
    words.
    """

    url: str | None = None
    file: str | None = None
    command: str | None = None
    call: str | None = None
    hit: str | None = None
    fallback: str | None = None


class Runbook(_Table, frozen=True):
    """The files that tell how to run it, relative to the checkout."""

    files: tuple[str, ...] = ()


class Manifest(_Table, frozen=True):
    """All that the grader has to know of an answer; what is None was neither told nor found."""

    setup: Setup = Setup()
    service: Service = Service()
    model: Model = Model()
    test: Test = Test()
    replay: Replay = Replay()
    ledger: Ledger = Ledger()
    runbook: Runbook = Runbook()


_MOST: Final = 1024 * 1024
"""Bytes of a manifest that are read."""
_NAMED: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SELECTOR: Final = re.compile(r"[^=,\s]+=[^=,]+(,[^=,\s]+=[^=,]+)*")
_WORDS: Final[Mapping[type, str]] = {
    str: "a text",
    bool: "true or false",
    int: "a number",
    float: "a number",
    list: "a list",
    dict: "a table",
}


def load(path: Path) -> Manifest:
    """The manifest in ``path``; raises BadManifest, which names the key and the mend."""
    try:
        with path.open("rb") as file:
            raw = file.read(_MOST + 1)
    except OSError as error:
        raise BadManifest(f"{path.name} cannot be read: {error.strerror}") from error
    if len(raw) > _MOST:
        raise BadManifest(f"{path.name} is longer than {_MOST} bytes: keep to the keys it needs")
    try:
        told = tomllib.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BadManifest(f"{path.name} is not UTF-8 (byte {error.start}): save it so") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadManifest(f"{path.name} is no TOML: {error}") from error
    return checked(told, path.name)


def checked(told: Mapping[str, Any], where: str) -> Manifest:
    """The manifest of ``told`` tables; raises BadManifest, whose message begins with ``where``."""
    tables = fields()
    for table, keys in told.items():
        if table not in tables:
            raise BadManifest(f"{where}: unknown table [{table}]{_meant(table, tables)}")
        if not isinstance(keys, Mapping):
            raise BadManifest(f"{where}: `{table}` is a table: write [{table}] above its keys")
        for key, value in keys.items():
            if key not in tables[table]:
                mend = _meant(key, tables[table])
                raise BadManifest(f"{where}: unknown key `{key}` in [{table}]{mend}")
            _check(where, f"{table}.{key}", value, tables[table][key])
    manifest = msgspec.convert(told, Manifest)
    named = [key for key in LEDGERS if getattr(manifest.ledger, key) is not None]
    if len(named) > 1:
        raise BadManifest(f"{where}: [ledger] has {' and '.join(named)}: keep one of them")
    return manifest


def fields() -> dict[str, dict[str, Any]]:
    """The keys of each table, and their types."""
    return {
        table.name: {key.name: key.type for key in msgspec.structs.fields(table.type)}
        for table in msgspec.structs.fields(Manifest)
    }


def _meant(word: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown ``word``."""
    close = difflib.get_close_matches(word[:100], list(known), n=1, cutoff=0.5)
    return f": did you mean `{close[0]}`?" if close else f": there are {', '.join(known)}"


def _check(where: str, key: str, value: Any, kind: Any) -> None:
    """Raise BadManifest for a value of the wrong type, or out of bounds."""
    try:
        value = msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        wanted = _wanted(kind)
        raise BadManifest(f"{where}: {key} is {_is(value)}, and has to be {wanted}") from error
    name = key.partition(".")[2]
    if isinstance(value, float) and not 0 < value <= _LONGEST:
        raise BadManifest(
            f"{where}: {key} is {value:g}: give seconds above 0, {_LONGEST:.0f} at most"
        )
    if isinstance(value, str) and not value.strip() and key != "setup.command":
        raise BadManifest(f"{where}: {key} is empty: leave it out to have it looked for")
    if isinstance(value, str) and "\0" in value:
        raise BadManifest(f"{where}: {key} holds a NUL character: take it out")
    if name in _PATHS.get(key.partition(".")[0], ()) and value and not value.startswith("/"):
        raise BadManifest(f"{where}: {key} is {value!r:.80}: a path begins with /")
    if key in _SELECTORS and value and not _SELECTOR.fullmatch(value):
        raise BadManifest(
            f"{where}: {key} is {value!r:.80}: write key=value, several set apart by commas"
        )
    names = value if key == "service.env" else [value] if name.endswith("_env") else []
    for variable in names:
        if not _NAMED.fullmatch(variable):
            raise BadManifest(f"{where}: {key}: {variable!r:.80} cannot be a variable's name")


_LONGEST: Final = 86_400.0
_PATHS: Final[Mapping[str, tuple[str, ...]]] = {
    "service": ("path", "ready"),
    "model": ("path",),
    "ledger": ("url",),
}
_SELECTORS: Final = ("ledger.call", "ledger.hit", "ledger.fallback")


def _wanted(kind: Any) -> str:
    """A type, as a person calls it."""
    shown = str(kind)
    if "tuple" in shown:
        return 'a list of texts: ["README.md"]'
    if "dict" in shown:
        return "a table of texts: put numbers in quotes"
    return _WORDS[float] if "float" in shown else 'a text: put it in "quotes"'


def _is(value: Any) -> str:
    return _WORDS.get(type(value), "a date or time")
