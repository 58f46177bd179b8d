"""A good answer without a model: what a line plainly says."""

from __future__ import annotations

import json
import re
from typing import Final

__all__ = ["STAMP", "honest"]

STAMP: Final = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?(?:Z|[+-]\d\d:?\d\d))?"
)
_LEVELS: Final = {
    "low": "trace debug verbose info notice",
    "medium": "warn warning",
    "high": "err error severe",
    "critical": "crit critical fatal panic alert emerg emergency",
}
_SEVERITY: Final = {word: level for level, words in _LEVELS.items() for word in words.split()}
_LEVEL: Final = re.compile(rf"(?<![\w-])(?:{'|'.join(_SEVERITY)})(?![\w-])", re.IGNORECASE)
_TROUBLE: Final = re.compile(
    r"\b(?:fail|refus|denied|reject|invalid|unable|cannot|time[d-]? ?out|lost|no such)",
    re.IGNORECASE,
)
_NO_NAMES: Final = {*_SEVERITY, *"dbug fail fine log on to by for with from in at".split()}
_SERVICE: Final = re.compile(r"(?<![\w.-])(?:service|app)=([A-Za-z][\w.-]{0,63})")
_NAMES: Final = (
    re.compile(r"(?<![\w./=:@-])([A-Za-z][\w.-]{0,63})(?=(?:\[\d{1,10}\])?:(?:\s|$))"),
    re.compile(r"(?<![\w./=:@-])([a-z][a-z0-9]{0,30}(?:-[a-z0-9]{1,30}){1,5})(?![\w./=@-])"),
)
"""What looks like a name: a word before a colon, else words in small letters with dashes."""
_MESSAGE_KEYS: Final = ("message", "msg", "event", "error", "log")
_SERVICE_KEYS: Final = ("service", "app", "logger", "component")
_STAMP_KEYS: Final = ("timestamp", "@timestamp", "time", "ts")
_LEVEL_KEYS: Final = ("level", "severity", "lvl", "levelname")
_LONGEST: Final = 120
"""Characters of evidence, about; it ends with a word."""


def honest(line: str) -> dict[str, str]:
    """What a plain look at ``line`` tells: service, severity, first_seen and evidence, the last
    never blank unless the line is, and each but severity ``unknown`` or a quote.
    """
    return _of_json(line) or _of_text(line)


def _of_text(line: str) -> dict[str, str]:
    body = line.lstrip()
    stamp = STAMP.match(body)
    rest = body[stamp.end() :] if stamp else body
    level = _LEVEL.search(rest[:200])
    named = (found for pattern in _NAMES for found in pattern.finditer(rest[:200]))
    service = _SERVICE.search(rest) or next(
        (found for found in named if found[1].lower() not in _NO_NAMES), None
    )
    after = max(level.end() if level else 0, service.end() if service else 0)
    return {
        "service": service[1] if service else "unknown",
        "severity": _severity(level[0] if level else "", rest),
        "first_seen": stamp[0] if stamp else "unknown",
        "evidence": _stretch(rest[after:]) or _stretch(rest) or line.strip() or line,
    }


def _severity(level: str, message: str) -> str:
    """By the level, else medium where something went wrong."""
    unstated = "medium" if _TROUBLE.search(message) else "low"
    return _SEVERITY.get(level.lower(), unstated)


def _stretch(text: str) -> str:
    """The first words of ``text``, or nothing where it has no word."""
    text = re.sub(r"^(?:\[\d{1,10}\])?[\s:\]|,-]*", "", text).rstrip()
    if len(text) > _LONGEST:
        cut = text.rfind(" ", 0, _LONGEST)
        text = text[: cut if cut > 0 else _LONGEST].rstrip()
    return text if re.search(r"[^\W\d_]{2}", text) else ""


def _of_json(line: str) -> dict[str, str] | None:
    """The same for a line that is one JSON object with a message, else None."""
    if not line.lstrip().startswith("{"):
        return None
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None

    def quoted(keys: tuple[str, ...]) -> str | None:
        values = (record.get(key) for key in keys)
        return next((v for v in values if isinstance(v, str) and v.strip() and v in line), None)

    message, stamp = quoted(_MESSAGE_KEYS), quoted(_STAMP_KEYS)
    if message is None:
        return None
    level = quoted(_LEVEL_KEYS) or ""
    return {
        "service": quoted(_SERVICE_KEYS) or "unknown",
        "severity": _severity(level, message),
        "first_seen": stamp if stamp and STAMP.fullmatch(stamp) else "unknown",
        "evidence": _stretch(message) or message,
    }
