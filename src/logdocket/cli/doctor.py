"""``logdocket doctor``: what is configured, what is missing, and what a ticket would be now."""

from __future__ import annotations

import enum
import json
import os
import platform
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from logdocket import __version__
from logdocket.bootstrap import build_extractor, build_store
from logdocket.errors import LogdocketError, SettingsError
from logdocket.line import NO_CONTEXT, Line
from logdocket.settings import PREFIX, Settings, strangers
from logdocket.ticket import Ticket

_SAMPLE: Final = "2026-01-02T15:04:05Z ERROR checkout: payment provider timed out"
_LEAST_FREE: Final = 256 << 20


class State(enum.StrEnum):
    """``bad`` keeps tickets from the ledger or the service from starting."""

    OK = "ok"
    WARN = "warn"
    BAD = "bad"


class Check(msgspec.Struct, frozen=True):
    """One thing that was looked at, what was seen, and the mend when it is not ok."""

    name: str
    state: State
    seen: str
    mend: str | None = None


def run(db: Path | None, *, as_json: bool) -> int:
    """Print the checks and the ticket; the exit code: 1 when a check is bad."""
    try:
        settings = Settings.load(db=db)
    except SettingsError as error:
        checks = [Check("settings", State.BAD, str(error), "change the variable or unset it")]
        return _print(checks, None, as_json=as_json)
    checks = [check for look in _LOOKS for check in look(settings)]
    recorded = all(check.state is not State.BAD for check in checks if check.name == "ledger")
    return _print(checks, _ticket(settings, recorded), as_json=as_json)


def _program(settings: Settings) -> Iterator[Check]:
    seen = f"logdocket {__version__} on Python {platform.python_version()}"
    yield Check("program", State.OK, seen)


def _choices(settings: Settings) -> Iterator[Check]:
    chosen = sorted(settings.model_fields_set)
    told = ", ".join(f"{name}={getattr(settings, name)}" for name in chosen if name != "tokens")
    yield Check("settings", State.OK, told or "all as shipped")
    for name in strangers():
        yield Check(
            "settings",
            State.WARN,
            f"{name} is no setting and has no effect",
            "check its spelling against the README's table",
        )


def _listening(settings: Settings) -> Iterator[Check]:
    where = f"{settings.host}:{settings.port}"
    try:
        settings.check_listen()
    except SettingsError as error:
        yield Check("listening", State.BAD, str(error), f"set {PREFIX}TOKENS")
        return
    if settings.tokens:
        yield Check("listening", State.OK, f"{where}, for {len(settings.tokens)} tokens")
    else:
        yield Check("listening", State.OK, f"{where}, for anyone on this machine")


def _ledger(settings: Settings) -> Iterator[Check]:
    db = settings.db
    if not db.exists():
        yield _new_ledger(db)
        return
    try:
        store = build_store(settings)
        try:
            store.check()
            tickets = store.summary().tickets
        finally:
            store.close()
    except LogdocketError as error:
        yield Check("ledger", State.BAD, str(error), "tickets go out with ledger_unavailable")
        return
    yield Check("ledger", State.OK, f"{db} can be written and holds {tickets:,} tickets")
    free = shutil.disk_usage(db.absolute().parent).free
    if free < _LEAST_FREE:
        yield Check("disk", State.WARN, f"{free >> 20:,} MiB are free beside {db}", "make room")


def _new_ledger(db: Path) -> Check:
    folder = db.absolute().parent
    if folder.is_dir() and os.access(folder, os.W_OK | os.X_OK):
        return Check("ledger", State.OK, f"{db} does not exist yet: the first ticket makes it")
    return Check(
        "ledger", State.BAD, f"{folder} is no folder that can be written", "make it, or set --db"
    )


def _model(settings: Settings) -> Iterator[Check]:
    if settings.model_url is None and settings.model_name is None:
        seen = "none is set up: the rules alone write tickets, each for a person"
        yield Check("model", State.OK, seen)
        return
    yield Check(
        "model",
        State.WARN,
        "MODEL_URL or MODEL_NAME is set, and this version calls no model",
        "expect model_not_configured on every ticket",
    )


_LOOKS: Final[tuple[Callable[[Settings], Iterator[Check]], ...]] = (
    _program,
    _choices,
    _listening,
    _ledger,
    _model,
)


def _ticket(settings: Settings, recorded: bool) -> Ticket:
    """What a plain line would get now, without entering anything."""
    extractor = build_extractor(settings, None)
    ticket = extractor.finish(extractor.begin([(Line(_SAMPLE), NO_CONTEXT)]))[0].ticket
    return ticket if recorded else ticket.unledgered()


def _print(checks: list[Check], ticket: Ticket | None, *, as_json: bool) -> int:
    bad = any(check.state is State.BAD for check in checks)
    if as_json:
        told = {"ok": not bad, "checks": checks, "line": _SAMPLE, "ticket": ticket}
        print(json.dumps(msgspec.to_builtins(told)))
        return int(bad)
    for check in checks:
        mend = "" if check.mend is None else f"\n{'':<17}-> {check.mend}"
        print(f"{check.state:<5}{check.name:<12}{check.seen}{mend}")
    if ticket is not None:
        print(f"\nA line now:  {_SAMPLE}\nits ticket:  {ticket.to_json().decode()}")
        for reason in ticket.review_reasons:
            print(f"  {reason}: {reason.sentence} {reason.mend}")
    return int(bad)
