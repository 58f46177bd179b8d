"""One log line in, one honest support ticket out, every answer in a ledger.

The public face::

    from pathlib import Path

    from logdocket import Docket, Settings, Ticket

    async with Docket(Settings(db=Path("tickets.db"))) as docket:
        ticket: Ticket = await docket.extract("2026-01-02T15:04:05Z ERROR pay: card refused")

Names are loaded when first used, so that the command line starts fast.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from logdocket.bootstrap import Docket
    from logdocket.errors import InputError, LogdocketError, SettingsError, StoreError
    from logdocket.line import Context, Severity
    from logdocket.settings import Settings
    from logdocket.ticket import ReviewReason, Source, Ticket

__all__ = [
    "Context",
    "Docket",
    "InputError",
    "LogdocketError",
    "ReviewReason",
    "Settings",
    "SettingsError",
    "Severity",
    "Source",
    "StoreError",
    "Ticket",
    "__version__",
]

__version__ = "0.1.0"

_HOMES = {
    "Context": "line",
    "Docket": "bootstrap",
    "InputError": "errors",
    "LogdocketError": "errors",
    "ReviewReason": "ticket",
    "Settings": "settings",
    "SettingsError": "errors",
    "Severity": "line",
    "Source": "ticket",
    "StoreError": "errors",
    "Ticket": "ticket",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
