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

_END: Final = "(?![0-9A-Za-z])"
_CLOCK: Final = r"\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?+(?!:)" + _END
_ZONE: Final = r"(?:\ ?(?:[+-]\d\d:?\d\d|UTC|GMT)\b)?"
_DAY: Final = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),?\ {1,2}"
_MONTH: Final = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_OCTET: Final = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_HEX: Final = "[0-9A-Fa-f]"
_PORT: Final = rf"(?P<port>[:\#]\d{{1,5}}(?![.:]){_END})?+"

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
    "ip": rf"{_OCTET}(?:\.{_OCTET}){{3}}{_END}(?!\.[\d<]){_PORT}",
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
_HELD: Final = "\ud800"
"""Stands for a held span while the rest is masked. No line can hold it: it is no byte's."""

_LOOKED: Final = 8192
_PASSES: Final = 6
_TAGGED: Final = re.compile(rf"[\w){_HELD}]\[\d++\]:")
"""A program's process id in a syslog tag, ``name[123]:``."""

_LONG: Final = 5
"""Digits from which on a number is taken to say which one rather than how many."""

_AFTER_KEY: Final = " =:[(\"'#"
_PARENT: Final = re.compile(r"/([A-Za-z_-]{1,32})/\Z")
_COUNTED_AFTER: Final = re.compile(r" ?%| ([a-z]{1,12})\b")
_DATE: Final = re.compile(r"(?<![0-9A-Za-z])\d{4}-\d\d-\d\d(?![0-9A-Za-z])")
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
    held = [(reading.severity.span, ""), (reading.service.span, "")]
    held.append((reading.timestamp.span, "<time>"))
    text = line.text
    open_pieces, shown = [], []
    at = 0
    places = sorted((*_in_characters(line, span), mark) for span, mark in held if span is not None)
    for start, end, mark in places:
        if start >= at:
            open_pieces.append(text[at:start])
            shown.append(mark or text[start:end])
            at = end
    open_pieces.append(text[at:])
    masked = mask(_HELD.join(open_pieces)).split(_HELD)
    return masked[0] + "".join(held + rest for held, rest in zip(shown, masked[1:], strict=True))


def mask(text: str) -> str:
    """``text`` with everything masked that no reading holds; of up to 8,192 characters, for good.

    A mask may lay bare what its neighbour had hidden, so it is done again while it changes
    anything. Real lines settle at once; the bound keeps the time linear on what is made to differ.
    Words that begin after 8,192 characters are kept: too little masked is sound, only less shared.
    """
    end = len(text) if len(text) <= _LOOKED else text.rfind(" ", 0, _LOOKED) + 1
    head, rest = text[:end], text[end:]
    for _ in range(_PASSES):
        masked = _MASKABLE.sub(_shown, head)
        if masked == head:
            break
        head = masked
    return head + rest


def _in_characters(line: Line, span: Span) -> tuple[int, int]:
    if line.text.isascii():
        return span.start, span.end
    start = len(line.raw[: span.start].decode("utf-8", "surrogateescape"))
    return start, start + len(line.quote(span))


def _shown(match: re.Match[str]) -> str:
    """What is shown in place of a match: a mark, or the match itself."""
    kind = match.lastgroup
    if kind == "word":
        return _word(match.string, *match.span()) or match[0]
    if kind == "decimal":
        long = match[0].index(".") >= _LONG
        return (long and _counted(match.string, *match.span())) or match[0]
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
    if before == "." and text[first - 2 : first - 1].isdigit():
        return None  # a fraction, or a part of a version
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
