"""What an entry of a model call says: its canonical JSON, and the same read back.

Keys are in order, nothing but ASCII, no white space. Bytes are in hex.
"""

from __future__ import annotations

import json
from typing import Annotated, Final, TypeAlias

import msgspec

from logdocket.calls import CallEnd, CallStatus, Spend
from logdocket.store.records import CallStart

MOST: Final = 10**15
"""The most tokens, nano-USD and milliseconds that one call may have: sums of them stay exact."""

_LARGEST: Final = 2**63 - 1
INTERRUPTED: Final = "interrupted"
"""Stands for a status where a call was interrupted."""


Number: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]


class Amount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was reserved or charged."""

    nano_usd: Number
    tokens: Number

    @property
    def spend(self) -> Spend:
        """The same, as others speak of it."""
        return Spend(self.tokens, self.nano_usd)


class Cap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a UTC day may cost; None is no bound."""

    nano_usd: Number | None = None
    tokens: Number | None = None

    def allows(self, tokens: int, nano_usd: int) -> bool:
        """Whether a day may have cost and reserved so much."""
        return (self.tokens is None or tokens <= self.tokens) and (
            self.nano_usd is None or nano_usd <= self.nano_usd
        )


class StartedDetail(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The detail of ``call_started``."""

    attempt: Number
    cap: Cap = Cap()
    expires: Number
    holder: str
    key: str
    line: str
    mode: str
    model: str
    prompt: Number
    reserved: Amount


class FinishedDetail(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The detail of ``call_finished``; ``late``: after it was taken for interrupted."""

    call: Number
    charge: Amount
    http: Number | None
    late: bool = False
    ms: Number
    nano_usd: Number | None
    status: CallStatus
    tokens_in: Number | None
    tokens_out: Number | None
    wrong: list[str]


class InterruptedDetail(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The detail of ``call_interrupted``."""

    call: Number
    charge: Amount


def _canonical(fields: dict[str, object]) -> str:
    return json.dumps(fields, sort_keys=True, separators=(",", ":"))


def _spend(spend: Spend) -> dict[str, int]:
    return {"nano_usd": spend.nano_usd, "tokens": spend.tokens}


def _plain(text: str) -> str:
    """``text`` without halves of surrogate pairs, which no JSON reader agrees upon."""
    return text.encode("utf-8", "backslashreplace").decode()


def started(call: CallStart) -> str:
    """The detail of the entry for ``call``."""
    fields: dict[str, object] = {
        "attempt": call.attempt,
        "expires": call.expires,
        "holder": call.holder.hex(),
        "key": call.key.hex(),
        "line": call.line_hash.hex(),
        "mode": _plain(call.mode),
        "model": _plain(call.model),
        "prompt": call.prompt,
        "reserved": _spend(call.reserve),
    }
    if cap := {name: most for name, most in _caps(call).items() if most is not None}:
        fields["cap"] = cap
    return _canonical(fields)


def finished(end: CallEnd, *, late: bool) -> str:
    """The detail of the entry for ``end``."""
    fields: dict[str, object] = {
        "call": end.call,
        "charge": _spend(end.charge),
        "http": end.http,
        "ms": end.ms,
        "nano_usd": end.nano_usd,
        "status": end.status.value,
        "tokens_in": None if end.usage is None else end.usage.tokens_in,
        "tokens_out": None if end.usage is None else end.usage.tokens_out,
        "wrong": list(map(_plain, end.wrong)),
    }
    if late:
        fields["late"] = True
    return _canonical(fields)


def interrupted(call: int, charge: Spend) -> str:
    """The detail of the entry for a ``call`` whose end nobody knows."""
    return _canonical({"call": call, "charge": _spend(charge)})


def model_of(call: CallStart) -> str:
    """The name of its model, as it is entered."""
    return _plain(call.model)


def cap_of(call: CallStart) -> Cap:
    """What its day may cost."""
    return Cap(**_caps(call))


def _caps(call: CallStart) -> dict[str, int | None]:
    return {"nano_usd": call.cap_nano_usd, "tokens": call.cap_tokens}


def check_start(call: CallStart) -> None:
    """Raise ValueError for a call that cannot be entered."""
    if (len(call.key), len(call.line_hash), len(call.holder)) != (16, 32, 16):
        raise ValueError("a call's key and holder have 16 bytes and its line's hash 32")
    if call.attempt not in (1, 2):
        raise ValueError(f"attempt {call.attempt}: a call is tried again once")
    _check("the reservation", MOST, call.reserve.tokens, call.reserve.nano_usd)
    _check("a cap, a prompt's version or a moment", _LARGEST, *_numbers(call))


def _numbers(call: CallStart) -> tuple[int | None, ...]:
    return call.cap_tokens, call.cap_nano_usd, call.prompt, call.expires, call.seen


def check_end(end: CallEnd) -> None:
    """Raise ValueError for an end that cannot be entered."""
    usage = () if end.usage is None else (end.usage.tokens_in, end.usage.tokens_out)
    _check("a call's charge", MOST, end.charge.tokens, end.charge.nano_usd)
    _check("what a call used", MOST, end.ms, end.nano_usd, end.http, *usage)
    _check("a call's number", _LARGEST, end.call)


def _check(what: str, most: int, *numbers: int | None) -> None:
    for number in numbers:
        if number is not None and not (type(number) is int and 0 <= number <= most):
            raise ValueError(f"{what} is a whole number from 0 to {most}, not {number!r}")
