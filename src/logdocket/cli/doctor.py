"""``logdocket doctor``: what is configured, what is missing, and what a ticket would be now."""

from __future__ import annotations

import enum
import errno
import os
import platform
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec

from logdocket import __version__
from logdocket.bootstrap import (
    build_model,
    build_store,
    build_table,
    microseconds,
    why_no_model,
)
from logdocket.calls import Spend
from logdocket.cli.output import compact, counted, one_line
from logdocket.docket import Extractor
from logdocket.errors import LedgerUnavailable, SettingsError, StoreError
from logdocket.http import listen
from logdocket.line import NO_CONTEXT, Line
from logdocket.model import Question
from logdocket.settings import Settings, strangers
from logdocket.store.review import GroupState, QueueCounts
from logdocket.ticket import ReviewReason, Ticket

_LONGEST_PART: Final = 16
"""Characters of a part of a path that is shown."""
_SAMPLE: Final = "2026-01-02T15:04:05Z ERROR checkout: payment provider timed out"
_LEAST_FREE: Final = 256 << 20
_SECRET: Final = frozenset({"tokens", "model_url", "model_key"})
"""Settings that are secrets, or may hold some."""
_UNRECORDED: Final = "until then tickets go out with ledger_unavailable"
_REFUSED: Final = "until then no command starts that would write to it, and there are no tickets"


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
        checks = [Check("settings", State.BAD, str(error), "change the variable, or unset it")]
        return _print(checks, None, as_json=as_json)
    checks = [check for look in _LOOKS for check in look(settings)]
    return _print(checks, _ticket(settings, checks), as_json=as_json)


def _program(settings: Settings) -> Iterator[Check]:
    seen = f"logdocket {__version__} on Python {platform.python_version()}"
    yield Check("program", State.OK, seen)


def _choices(settings: Settings) -> Iterator[Check]:
    told = [
        f"{name}=(given)" if name in _SECRET else f"{name}={value}"
        for name, field in sorted(Settings.model_fields.items())
        if (value := getattr(settings, name)) != field.default
    ]
    unknown = strangers()
    if told or not unknown:
        yield Check("settings", State.OK, ", ".join(told) or "all as shipped")
    for name in unknown:
        yield Check(
            "settings",
            State.WARN,
            f"{name} is no setting and has no effect",
            "check its spelling against the README's table, or unset it",
        )


def _listening(settings: Settings) -> Iterator[Check]:
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    try:
        settings.check_listen()
    except SettingsError as error:
        yield Check("listening", State.BAD, str(error), "until then the service does not start")
        return
    count = len(settings.tokens)
    callers = f"bearers of {counted(count, 'token')}" if count else "all on this machine"
    place = f"{host}:{settings.port}"
    try:
        for bound in listen(settings.host, settings.port):
            bound.close()
    except SettingsError as error:
        why = error.__cause__
        if not isinstance(why, OSError) or why.errno != errno.EADDRINUSE:
            yield Check("listening", State.BAD, str(error), "until then the service does not start")
            return
        yield Check(
            "listening",
            State.WARN,
            f"{place}, for {callers}: something listens there already, perhaps this service",
            "if it is another, choose another port by LOGDOCKET_PORT or --port",
        )
        return
    yield Check("listening", State.OK, f"{place}, for {callers}")


def _ledger(settings: Settings) -> Iterator[Check]:
    db = settings.db
    if not os.path.lexists(db):
        yield _new_ledger(db)
        yield _queue(settings, None)
        return
    try:
        store = build_store(settings)
        try:
            store.check()
            tickets = store.summary().tickets
            counts = store.queue_counts()
        finally:
            store.close()
    except LedgerUnavailable as error:
        yield Check("ledger", State.BAD, str(error), _UNRECORDED)
        return
    except StoreError as error:
        yield Check("ledger", State.BAD, str(error), _REFUSED)
        return
    yield Check("ledger", State.OK, f"{db} can be written and holds {counted(tickets, 'ticket')}")
    free = shutil.disk_usage(db.absolute().parent).free
    if free < _LEAST_FREE:
        yield Check("disk", State.WARN, f"{free >> 20:,} MiB are free beside {db}", "make room")
    yield _queue(settings, counts)


def _queue(settings: Settings, counts: QueueCounts | None) -> Check:
    """Who keeps the review queue up, and how it stands; None where there is no ledger yet."""
    if settings.queue:
        told = ["the service keeps it up"]
    else:
        told = ["no service keeps it up (LOGDOCKET_QUEUE); `logdocket queue list` catches up"]
    if counts is not None:
        count = counts.by_state.get(GroupState.OPEN, 0)
        told.append(f"{counted(count, 'group is', 'groups are')} open")
        told.append(f"it follows the ledger up to entry {counts.upto:,} of {counts.head:,}")
    return Check("queue", State.OK, "; ".join(told))


def _text(settings: Settings) -> Iterator[Check]:
    if settings.keep_text:
        seen = "each line is kept beside its ticket: a verdict answers lines of its template"
        yield Check("text", State.OK, f"{seen}, and there are second looks")
        return
    seen = "no line is kept: a verdict answers the same line only, and there are no second looks"
    yield Check("text", State.OK, f"{seen}; LOGDOCKET_KEEP_TEXT=true keeps those to come")


def _new_ledger(db: Path) -> Check:
    folder = db.absolute().parent
    if not os.path.isdir(folder):
        why, mend = f"there is no folder {folder}", "make it, or choose another file by --db"
    elif not os.access(folder, os.W_OK | os.X_OK):
        why, mend = f"the folder {folder} cannot be written", "allow it, or choose another by --db"
    else:
        return Check("ledger", State.OK, f"{db} does not exist yet: the first ticket makes it")
    return Check("ledger", State.BAD, why, mend)


def _model(settings: Settings) -> Iterator[Check]:
    where = [f"MODEL_URL={_without_secrets(settings.model_url)}"] if settings.model_url else []
    which = [f"MODEL_NAME={settings.model_name}"] if settings.model_name else []
    told = " and ".join(where + which)
    why = why_no_model(settings)
    if why is None:
        try:
            model = build_model(settings)
        except SettingsError as error:
            yield Check("model", State.BAD, str(error), "until then the service does not start")
            return
        assert not isinstance(model, ReviewReason), "there is no reason against it"
        yield _reachable(settings, told, model.client.most(Question.about(_SAMPLE)))
    elif why is ReviewReason.MODEL_NOT_CONFIGURED and not told:
        yield Check("model", State.OK, "none is set up: the rules alone write tickets")
    elif why is ReviewReason.MODEL_NOT_CONFIGURED:
        yield Check("model", State.WARN, f"{told} alone names no model", "set MODEL_URL too")
    else:
        yield Check("model", State.WARN, f"{told}: {why.sentence}", why.mend)


def _reachable(settings: Settings, told: str, one: Spend) -> Check:
    """A model that would be called, and whether the day's budget has room for ``one`` call."""
    tokens, usd = settings.budget_tokens, settings.budget_usd
    bounds = [
        "no bound in tokens" if tokens is None else f"{tokens:,} tokens a day",
        "no bound in USD" if usd is None else f"{usd} USD a day",
    ]
    seen = f"{told} would be called, within {settings.deadline:g} s; {', '.join(bounds)}"
    if settings.model_min_severity is not None:
        seen = f"{seen}; not about lines that state less than {settings.model_min_severity}"
    nano = settings.budget_nano_usd
    if (tokens is not None and tokens < one.tokens) or (nano is not None and nano < one.nano_usd):
        return Check(
            "model",
            State.WARN,
            f"{seen}: less than the {one.tokens:,} tokens that one call may take",
            "raise the budget, or expect budget_exhausted on every ticket",
        )
    return Check("model", State.OK, seen)


def _confidence(settings: Settings) -> Iterator[Check]:
    """The table, and the threshold that the risk sets."""
    try:
        threshold = build_table(settings).threshold(settings.risk)
    except SettingsError as error:
        yield Check("confidence", State.BAD, str(error), "until then the service does not start")
        return
    table = settings.confidence_table or "the shipped table"
    if threshold is None:
        yield Check(
            "confidence",
            State.WARN,
            f"by {table}, no threshold meets a risk of {settings.risk:g}: "
            "every ticket goes to a person",
            "raise LOGDOCKET_RISK, or fit a table on more lines by `logdocket calibrate`",
        )
    else:
        seen = f"by {table}, a ticket needs {threshold:g} or more for a risk of {settings.risk:g}"
        yield Check("confidence", State.OK, seen)


def _without_secrets(url: str) -> str:
    """Scheme, host and path: a name, a password or a key in an address is nobody's to read.

    Some gateways have the key in the path, where nothing else is that long.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return "(no address)"
    path = "/".join("…" if len(part) > _LONGEST_PART else part for part in parts.path.split("/"))
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{path}"


_LOOKS: Final[tuple[Callable[[Settings], Iterator[Check]], ...]] = (
    _program,
    _choices,
    _listening,
    _ledger,
    _text,
    _model,
    _confidence,
)


def _ticket(settings: Settings, checks: list[Check]) -> Ticket | None:
    """What a plain line would get now; None where it would be refused. Nothing is entered."""
    if any(check.mend == _REFUSED for check in checks):
        return None
    try:
        table = build_table(settings)
    except SettingsError:
        return None
    # A model is not asked: looking around must cost nothing.
    why = why_no_model(settings) or ReviewReason.MODEL_UNREACHABLE
    extractor = Extractor(settings.policy(), table, None, microseconds, why)
    ticket = extractor.finish(extractor.begin([(Line(_SAMPLE), NO_CONTEXT)]))[0].ticket
    recorded = all(check.state is not State.BAD for check in checks if check.name == "ledger")
    return ticket if recorded else ticket.unledgered()


def _print(checks: list[Check], ticket: Ticket | None, *, as_json: bool) -> int:
    bad = any(check.state is State.BAD for check in checks)
    if as_json:
        told = {"ok": not bad, "checks": checks, "line": _SAMPLE, "ticket": ticket}
        print(compact(msgspec.to_builtins(told)))
        return int(bad)
    for check in checks:
        print(one_line(f"{check.state:<5}{check.name:<12}{check.seen}"))
        if check.mend is not None:
            print(one_line(f"{'':<17}-> {check.mend}"))
    if ticket is not None:
        alone = ReviewReason.MODEL_UNREACHABLE in ticket.review_reasons
        ours = "its ticket, did the model not answer:" if alone else "its ticket: "
        print(f"\nA line now:  {_SAMPLE}\n{ours} {ticket.to_json().decode()}")
        for reason in ticket.review_reasons:
            print(f"  {reason}: {reason.sentence} {reason.mend}")
    return int(bad)
