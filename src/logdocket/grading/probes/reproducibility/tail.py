"""The end of what a command wrote, as a report can quote it: the same on every run."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["colourless", "tail"]

_COLOUR: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_VARIES: Final = re.compile(
    r"\b\d+(?:\.\d+){3}\b|\b\d+(?:\.\d+)?\s?(?:ms|s|sec|secs|seconds|µs|us|m)\b|\b\d+\.\d+\b|\b\d{4,}\b"
    r"|\b(?=[0-9a-f]*\d)[0-9a-f]{6,}\b|(?<!\w)/(?:[\w.-]+/)+[\w.-]*|:\d+\b"
)
_LINES: Final = 3
_WIDTH: Final = 160


def colourless(text: str) -> str:
    """``text`` without what colours it on a terminal."""
    return _COLOUR.sub("", text)


def tail(text: str) -> tuple[str, ...]:
    """The last lines that are not blank; what differs from run to run stands as ``…``."""
    lines = [line.strip() for line in colourless(text).split("\n") if line.strip()]
    return tuple(_VARIES.sub("…", line)[:_WIDTH] for line in lines[-_LINES:])
