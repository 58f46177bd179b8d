"""The ways in which lines write the moment at which they were written."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Final

__all__ = ["ISO", "STAMPS"]

ISO: Final[dict[str, Callable[[datetime.datetime], str]]] = {
    "utc": lambda at: f"{at:%Y-%m-%dT%H:%M:%SZ}",
    "millis": lambda at: f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03}Z",
    "offset": lambda at: f"{at:%Y-%m-%dT%H:%M:%S}+02:00",
    "zoneless": lambda at: f"{at:%Y-%m-%d %H:%M:%S}",
    "comma": lambda at: f"{at:%Y-%m-%d %H:%M:%S},{at.microsecond // 1000:03}",
}
"""What ISO 8601 knows, with a space for the T where people write one."""

STAMPS: Final[dict[str, Callable[[datetime.datetime], str]]] = ISO | {
    "syslog": lambda at: f"{at:%b} {at.day:>2} {at:%H:%M:%S}",
    "clf": lambda at: f"{at:%d/%b/%Y:%H:%M:%S} +0000",
    "epoch": lambda at: f"{at.timestamp():.0f}",
    "klog": lambda at: f"{at:%m%d %H:%M:%S}.{at.microsecond:06}",
}
"""All of them, by name."""
