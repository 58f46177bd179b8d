"""A line with everything masked that cannot change what a ticket says of it.

Two lines of one template may share an answer, so a mask must be sound before it is wide. Masked
are times, unique and hexadecimal ids, addresses with their ports, process ids, ids under a key that
says so, numbers in paths, and numbers of five digits or more. Kept are status and exit codes,
counts, percentages, small numbers, words, quoted words, names of hosts and services; and always,
byte for byte, the spans that bear out the severity and the service.

Marks (``<time>``, ``<num>``…) are plain text, and masking a template again changes nothing.
"""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Line, Reading, Span
from logdocket.reading.words import word_set

CODE_WORDS: Final = word_set(
    """
    code codes status errno err error errors exit exited rc ret retcode result returned signal
    hresult ntstatus reason cause fault exception trap failures failed warnings retries attempts
    count total dropped lost missing rejected
    """
)
"""Words whose number is a code or a count: it is kept, however long."""

COUNTED: Final = word_set(
    """
    error errors err warning warnings fail failed fails failure failures exception exceptions
    timeout timeouts timed retry retries dropped lost rejected missing refused denied crashed
    crashes corrupt corrupted unreachable dead killed violation violations
    """
)
"""Words before which a number is a count that tells how bad things are: it is kept."""

NUMBERED: Final = {
    "pid": "pid",
    "ppid": "pid",
    "tid": "pid",
    "threadid": "pid",
    "thread_id": "pid",
    "port": "port",
    "sport": "port",
    "dport": "port",
    "spt": "port",
    "dpt": "port",
    "client_port": "port",
    "remote_port": "port",
    "src_port": "port",
    "dst_port": "port",
}
"""Keys whose number says only which one, with its mark: it is masked, however small."""

IDENTIFIED: Final = (
    "(?:request|req|trace|span|correlation|session|transaction|txn|message|msg|connection|conn"
    "|event|parent|operation|job|task|attempt|block|container)[_-]?(?:id|Id|ID|uuid)"
)
"""Keys whose value is an id, whatever it looks like."""

_NAMES: Final = ("time", "mac", "uuid", "ip", "port", "pid", "id", "hex", "num")
_END: Final = rf"(?![0-9A-Za-z]|<(?:{'|'.join(_NAMES)})>)"
"""Where a word ends; a mark counts as part of a word, so that a template reads as its line did."""

_CLOCK: Final = r"\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?+(?!:)" + _END
_ZONE: Final = r"(?:\ ?(?:[+-]\d\d:?\d\d|UTC|GMT)\b)?"
_DAY: Final = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),?\ {1,2}"
_MONTH: Final = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_OCTET: Final = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_HEX: Final = "[0-9A-Fa-f]"
_PORT: Final = r"(?P<port>[:\#]\d{1,5}(?![0-9A-Za-z.:]))?+"

_SHAPES: Final = {
    "time": rf"""
        \d{{4}}[-/.]\d\d[-/.]\d\d
          (?:[T_\ -]\d\d[:.]\d\d(?:[:.]\d\d(?:[.,]\d{{1,9}})?+)?(?:Z\b|{_ZONE}))?{_END}
      | (?:{_DAY})?\d{{1,2}}[/\ -]{_MONTH}[/\ -]\d{{4}}{_END}(?:[:\ ]{_CLOCK}{_ZONE})?
      | (?=[A-Z])(?:{_DAY})?{_MONTH}\ {{1,2}}\d{{1,2}},?\ (?:\d{{4}}\ )?
          {_CLOCK}(?:\ \d{{4}}(?!\d))?{_ZONE}""",
    "mac": rf"{_HEX}{{2}}(?::{_HEX}{{2}}){{5}}{_END}(?!:)",
    "clock": _CLOCK,
    "uuid": rf"{_HEX}{{8}}(?:-{_HEX}{{4}}){{3}}-{_HEX}{{12}}{_END}",
    "ip": rf"{_OCTET}(?:\.{_OCTET}){{3}}{_END}(?!\.\d){_PORT}",
    "ip6": rf"""
        (?={_HEX}{{0,4}}:)(?=[A-Fa-f:]{{0,39}}+\d)
        (?:{_HEX}{{1,4}}(?::{_HEX}{{1,4}}){{7}}
          |(?:{_HEX}{{1,4}}(?::{_HEX}{{1,4}}){{0,6}})?::(?:{_HEX}{{1,4}}(?::{_HEX}{{1,4}}){{0,6}})?)
        {_END}(?!:)""",
    "key": rf"(?P<name>{IDENTIFIED}[\"']?+\ ?+[=:]\ ?+[\"']?+)(?![\"'\ ])[\w.:/+-]++",
    "decimal": r"\d++\.\d++(?!\.?[0-9A-Za-z])",
    "word": r"(?=[A-Za-z_-]{0,40}+\d)[0-9A-Za-z]++(?:[_-]-?+[0-9A-Za-z]++)*+",
}
"""What may be masked, by name; at one place the first that fits is taken.

Every pattern is bounded or possessive, and begins only where a word does: linear on any input.
"""

_MASKABLE: Final = re.compile(
    r"(?<![0-9A-Za-z])(?=[0-9A-Za-z:])(?:"
    + "|".join(f"(?P<{name}>{shape})" for name, shape in _SHAPES.items())
    + ")",
    re.VERBOSE,
)
_MARKS: Final = {
    "time": "<time>",
    "clock": "<time>",
    "mac": "<mac>",
    "uuid": "<uuid>",
    "ip6": "<ip>",
}
_KEY_BEFORE: Final = re.compile(r"([A-Za-z_]{1,24})[\"')\]]?+ ?+[=:#(\[]? ?[\"'(\[]?\Z")
_TAGGED: Final = re.compile(r"[\w)]\[\d++\]:")
"""A program's process id in a syslog tag, ``name[123]:``."""

_LONG: Final = 5
"""Digits from which on a number is taken to say which one rather than how many."""

_AFTER_KEY: Final = " =:[(\"'#"
_PARENT: Final = re.compile(r"/([A-Za-z_-]{1,32})/\Z")
_COUNTED_AFTER: Final = re.compile(r" ?%| ([a-z]{1,12})\b")
_DATE: Final = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")
_JOINT: Final = re.compile(r"([_-]++)")
_HEXADECIMAL: Final = re.compile(
    r"(?=[A-Fa-f]*+\d)(?=\d*+[A-Fa-f])[0-9A-Fa-f]{6,}\Z|0[xX][0-9A-Fa-f]+\Z"
)
_QUANTITY: Final = re.compile(r"\d{5,}([A-Za-z]{0,3})\Z")
_CATALOGUED: Final = re.compile(r"[A-Z]{2,8}-\d{1,6}\Z")
"""An error's number in its vendor's catalogue, such as ``ABC-00600``."""

_POD: Final = re.compile(r"[bcdfghjklmnpqrstvwxz2456789]{5}\Z")
"""The random tail that Kubernetes gives a pod's name, after its template's hash."""


def template(line: Line, reading: Reading) -> str:
    """The line's template: the same for lines that differ only in what is masked."""
    text = line.text
    kept = [reading.severity.span, reading.service.span]
    spans = sorted((span, "") for span in kept if span is not None)
    if reading.timestamp.span is not None:
        spans.append((reading.timestamp.span, "<time>"))
    pieces = []
    at = 0
    for span, mark in sorted(spans):
        start, end = _in_characters(line, span)
        if start < at:
            continue
        pieces += [_mask(text, at, start), mark or text[start:end]]
        at = end
    pieces.append(_mask(text, at, len(text)))
    return "".join(pieces)


def mask(text: str) -> str:
    """``text`` with everything masked that no reading protects."""
    return _mask(text, 0, len(text))


def _in_characters(line: Line, span: Span) -> tuple[int, int]:
    if line.text.isascii():
        return span
    start = len(line.raw[: span.start].decode("utf-8", "surrogateescape"))
    return start, start + len(line.quote(span))


def _mask(text: str, start: int, end: int) -> str:
    pieces = []
    at = start
    for match in _MASKABLE.finditer(text, start, end):
        shown = _shown(text, match)
        if shown is not None:
            pieces += [text[at : match.start()], shown]
            at = match.end()
    pieces.append(text[at:end])
    return "".join(pieces)


def _shown(text: str, match: re.Match[str]) -> str | None:
    """What is shown in place of a match; None to keep it."""
    kind = match.lastgroup
    if kind == "word":
        return _word(text, *match.span())
    if kind == "decimal":
        long = match[0].index(".") >= _LONG
        return _counted(text, *match.span()) if long else None
    if kind == "ip":
        return "<ip>" if match["port"] is None else "<ip>:<port>"
    if kind == "key":
        return match["name"] + "<id>"
    return _MARKS[kind or ""]


def _word(text: str, first: int, last: int) -> str | None:
    """What is shown for a word that holds a digit; None to keep it."""
    word = text[first:last]
    if not word.isalnum():
        return _joined(word)
    if word.isdigit():
        return _number(text, first, last)
    shown = _part(word)
    return None if shown is not None and _is_code(_key_before(text, first)) else shown


def _key_before(text: str, first: int) -> str:
    """The word that a number or an id at ``first`` belongs to, in lower case; else empty."""
    key = _KEY_BEFORE.search(text[max(0, first - 20) : first])
    return "" if key is None else key[1].lower()


def _is_code(key: str) -> bool:
    return key in CODE_WORDS or key.endswith(("code", "status"))


def _number(text: str, first: int, last: int) -> str | None:
    """What is shown for a number on its own; None to keep it."""
    before = text[first - 1 : first]
    if before == "/" and _in_path(text, first, last):
        return "<id>"
    if last - first < _LONG and before not in _AFTER_KEY:
        return None
    key = _key_before(text, first)
    if _is_code(key):
        return None
    if before == "[" and _TAGGED.match(text, first - 2, last + 2):
        return "<pid>"
    if key in NUMBERED:
        return f"<{NUMBERED[key]}>"
    return _counted(text, first, last) if last - first >= _LONG else None


def _counted(text: str, first: int, last: int) -> str | None:
    """What is shown for a long number; None to keep it, where it is a code or a telling count."""
    if _is_code(_key_before(text, first)):
        return None
    after = _COUNTED_AFTER.match(text, last)
    if after is not None and (after[1] is None or after[1] in COUNTED):
        return None
    return "<num>"


def _in_path(text: str, first: int, last: int) -> bool:
    """Whether a number is a whole segment of a path, and no code by the segment before it."""
    if last < len(text) and text[last] not in "/?# \"'":
        return False
    parent = _PARENT.search(text[max(0, first - 40) : first])
    return parent is not None and parent[1].lower() not in CODE_WORDS


def _part(word: str) -> str | None:
    """What is shown for letters and digits in one run; None to keep them."""
    if _HEXADECIMAL.match(word):
        return "<hex>"
    quantity = _QUANTITY.match(word)
    if quantity is not None:
        return "<num>" + quantity[1]
    if len(word) >= 16 and sum(map(str.isdigit, word)) >= 4:
        return "<id>"
    return None


def _joined(word: str) -> str | None:
    """What is shown for parts joined by ``_`` and ``-``; None to keep them.

    Once one part is an id, the numbers beside it are too: ``attempt_1445144423722_0020_000001``.
    """
    if _CATALOGUED.match(word):
        return None
    dated = _DATE.sub("<time>", word)
    parts = _JOINT.split(dated)
    shown = [_part(part) for part in parts]
    if not any(shown):
        return dated if dated != word else None
    for place in range(0, len(parts), 2):
        random_tail = place and shown[place - 2] == "<hex>" and _POD.match(parts[place])
        if parts[place].isdigit() or random_tail:
            shown[place] = "<id>"
        if place and shown[place]:
            parts[place - 1] = parts[place - 1][0]  # the sign of a negative id goes with it
    return "".join(new or old for new, old in zip(shown, parts, strict=True))
