"""What containers, orchestrators and build runners put before each line of what they run.

A wrapper is taken only where its shape leaves no doubt; what it wraps is a record of its own.
"""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, ServiceBasis, Severity, SeverityBasis
from logdocket.reading import severity, timestamp
from logdocket.reading.parts import Level, Name, Parts

# The container runtime interface's log format, Heroku's drains, and GitHub's or Azure's runners
# all put an RFC 3339 time first.
_TIMED: Final = re.compile(
    r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)) "
    r"(?:std(?:out|err) [FP](?::[A-Za-z:]{1,16})?(?: |\Z)"
    r"|(app|heroku)\[([a-z][\w-]{0,62})(?:\.(?:\d{1,6}|[0-9a-f-]{8,36}))?\]: "
    r"|##\[([a-z]{1,12})\])"
)
_HEROKU, _DYNO, _COMMAND = 2, 3, 4

_BARE_COMMAND: Final = re.compile(r"##\[([a-z]{1,12})\]|::([a-z]{1,12})(?: [^:\r\n]{1,512})?::")
_COMMANDS: Final = {
    "error": Severity.HIGH,
    "warning": Severity.MEDIUM,
    "notice": Severity.LOW,
    "debug": Severity.LOW,
    "command": None,
    "section": None,
    "group": None,
    "endgroup": None,
}
"""Workflow commands, and the severity that those which state one mean."""

# A swarm's tasks have a number, an id and a node behind the service's name.
_COMPOSE: Final = re.compile(
    r"([A-Za-z0-9][\w.-]{0,62}?(?:[-_](\d{1,4}))?)(?:\.\d{1,5}\.[a-z0-9]{25}@[\w.-]{1,63})?"
    r"( {1,64})\|(?: |\Z)"
)
_EXITED: Final = " exited with code "
_GONE: Final = re.compile(r"([a-z][\w.-]{0,62}[-_]\d{1,4}) exited with code \d{1,3}\Z")
_PM2: Final = re.compile(r"\d{1,4}\|([A-Za-z][\w.-]{0,62}) {1,64}\|(?: |\Z)")
_KUBECTL: Final = re.compile(r"\[pod/[a-z0-9][a-z0-9.-]{0,252}/([a-z0-9][a-z0-9-]{0,62})\] ")

# Generated parts of pods' names are spelt in letters that make no words (apimachinery's rand).
_HASH: Final = r"[bcdfghjklmnpqrstvwxz2456789]"
_STERN: Final = re.compile(r"[a-z][a-z0-9.-]{3,252} ([a-z][a-z0-9-]{0,62}) ")
_DEPLOYED: Final = re.compile(rf"{_HASH}{{6,10}}\Z")
_REPLICA: Final = re.compile(rf"{_HASH}{{5}}\Z")


def parse_wrapper(text: str, start: int, end: int, context: Context) -> Parts | None:
    """The wrapper at ``start`` with ``inner`` set to what it wraps; None where there is none.

    Known are CRI, Docker Compose, PM2, ``kubectl logs --prefix``, stern, Heroku and the commands of
    GitHub's and Azure's runners. Docker's json-file is JSON and read as such.
    """
    first = text[start] if start < end else ""
    if first.isdigit():
        found = _timed(text, start, end, context)
        return found or _managed(text, start, end) or _compose(text, start, end)
    if first == "[":
        return _kubectl(text, start, end)
    if first == "#" or first == ":":
        return _command(text, start, end)
    if first.isalpha():
        found = _compose(text, start, end) or _stern(text, start, end)
        return found or _exited(text, start, end)
    return None


def _wrap(format: str, at: int, end: int) -> Parts:
    return Parts(format, (at, end), inner=(at, end) if at < end else None)


def _timed(text: str, start: int, end: int, context: Context) -> Parts | None:
    match = _TIMED.match(text, start, end)
    if match is None:
        return None
    if match[_HEROKU]:
        parts = _wrap("heroku", match.end(), end)
        # The bracket holds the process type, such as web or router; before it stands only who
        # started it: app or heroku.
        parts.name = Name(*match.span(_DYNO), ServiceBasis.APP)
    elif match[_COMMAND]:
        if match[_COMMAND] not in _COMMANDS:
            return None
        parts = _wrap("github-actions", match.end(), end)
        parts.level = _commanded(match, _COMMAND)
    else:
        parts = _wrap("cri", match.end(), end)
    parts.stamp = timestamp.whole(text, *match.span(1), context)
    return parts


def _command(text: str, start: int, end: int) -> Parts | None:
    match = _BARE_COMMAND.match(text, start, end)
    if match is None or match[match.lastindex or 1] not in _COMMANDS:
        return None
    parts = _wrap("github-actions", match.end(), end)
    parts.level = _commanded(match, match.lastindex or 1)
    return parts


def _commanded(match: re.Match[str], group: int) -> Level | None:
    value = _COMMANDS[match[group]]
    return None if value is None else Level(*match.span(group), value, SeverityBasis.LEVEL)


def _compose(text: str, start: int, end: int) -> Parts | None:
    """``web-1  | …``; a name without a number only where no table or level can be meant.

    The number stays: Compose puts one behind a service's name, but a container may be called so.
    """
    bar = text.find("|", start, min(end, start + 132))
    if bar <= start or text[bar - 1] != " ":
        return None
    match = _COMPOSE.match(text, start, end)
    if match is None:
        return None
    name = match[1]
    if severity.word(name) is not None or not any(map(str.isalpha, name)):
        return None
    if match[2] is None and (_in_table(text, match, end) or _may_be_column(text, match, end)):
        return None
    parts = _wrap("compose", match.end(), end)
    parts.name = Name(*match.span(1), ServiceBasis.PREFIX)
    return parts


def _in_table(text: str, match: re.Match[str], end: int) -> bool:
    """Whether more bars follow a name that no padding sets off, as between columns."""
    return len(match[3]) == 1 and text.find(" | ", match.end(), end) >= 0


def _may_be_column(text: str, match: re.Match[str], end: int) -> bool:
    """Whether a name in capitals is more likely a table's, for want of padding or for more bars."""
    padded = len(match[3]) > 1 and text.find(" | ", match.end(), end) < 0
    return not match[1].islower() and not padded


def _exited(text: str, start: int, end: int) -> Parts | None:
    """``web-1 exited with code 137``: Compose's own word on a container."""
    if text.find(_EXITED, start, min(end, start + 96)) < 0:
        return None
    match = _GONE.match(text, start, end)
    if match is None:
        return None
    return Parts("compose", (start, end), name=Name(*match.span(1), ServiceBasis.PREFIX))


def _managed(text: str, start: int, end: int) -> Parts | None:
    """``0|web      | …``: PM2's number and name of a process."""
    match = _PM2.match(text, start, end)
    if match is None:
        return None
    parts = _wrap("pm2", match.end(), end)
    parts.name = Name(*match.span(1), ServiceBasis.PREFIX)
    return parts


def _kubectl(text: str, start: int, end: int) -> Parts | None:
    if not text.startswith("[pod/", start, end):
        return None
    match = _KUBECTL.match(text, start, end)
    if match is None:
        return None
    parts = _wrap("kubectl", match.end(), end)
    parts.name = Name(*match.span(1), ServiceBasis.PREFIX)
    return parts


def _stern(text: str, start: int, end: int) -> Parts | None:
    """``web-5d9c8b7f6d-x2x4z app …``: a pod that a deployment named, and its container."""
    at = start
    for _ in range(2):
        blank = text.find(" ", at, min(end, at + 254))
        if blank < 0:
            return None
        _, replicas, tail = text[at:blank].rpartition("-")
        if replicas and _REPLICA.match(tail):
            return _pod(text, at, blank, end)
        at = blank + 1
    return None


def _pod(text: str, at: int, blank: int, end: int) -> Parts | None:
    owner = text[at:blank].split("-")
    if len(owner) < 3 or _DEPLOYED.match(owner[-2]) is None:
        return None
    match = _STERN.match(text, at, end)
    if match is None:
        return None
    parts = _wrap("stern", match.end(), end)
    parts.name = Name(*match.span(1), ServiceBasis.PREFIX)
    return parts
