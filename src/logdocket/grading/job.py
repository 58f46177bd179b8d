"""What the grader and the process that asks say to each other: a job, then a stream of events."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec

from logdocket.grading.finding import Answered
from logdocket.grading.manifest import Manifest
from logdocket.grading.report.document import Log
from logdocket.grading.sandbox import Isolation, Limits

__all__ = ["Began", "Done", "Event", "Job", "Said", "decoded", "encoded"]


class Job(msgspec.Struct, frozen=True):
    """What is to be asked: a checkout in the sandbox at ``root``, or the service at ``port``.

    ``broken`` is why the checkout cannot be used at all; ``only`` the prefix of the ids of probes
    that are asked; ``seconds`` what is left for all of them.
    """

    manifest: Manifest
    seed: int
    seconds: float
    isolation: Isolation
    limits: Limits
    root: Path | None = None
    port: int | None = None
    model_port: int | None = None
    broken: str | None = None
    only: str = ""


class Began(msgspec.Struct, frozen=True, tag=True):
    """A probe is being asked."""

    id: str


class Done(msgspec.Struct, frozen=True, tag=True):
    """A probe has been asked, or skipped."""

    answered: Answered


class Said(msgspec.Struct, frozen=True, tag=True):
    """What commands wrote: the last thing that is told."""

    logs: tuple[Log, ...]


Event = Began | Done | Said


def encoded(thing: Any) -> bytes:
    """``thing`` as one line of JSON."""
    return msgspec.json.encode(thing, enc_hook=_out) + b"\n"


def decoded(line: bytes, kind: Any) -> Any:
    """What ``encoded`` made a line of; raises msgspec.DecodeError for anything else."""
    return msgspec.json.decode(line, type=kind, dec_hook=_in)


def _out(value: Any) -> Any:
    if isinstance(value, Fraction | Path):
        return str(value)
    raise NotImplementedError(type(value))


def _in(kind: type, value: Any) -> Any:
    if kind in (Fraction, Path):
        return kind(value)
    raise NotImplementedError(kind)
