"""A model's text as an answer in the right shape, or what is wrong with it.

Whatever was promised about the shape, it is checked here. Exactly one JSON object counts: bare, in
a code fence, or with prose around it.
"""

from __future__ import annotations

import contextlib
import enum
import json
import math
import re
from collections.abc import Iterator
from typing import Any, Final, NoReturn

import msgspec

from logdocket.line import Answer, Severity

__all__ = ["Junk", "Wrong", "parse"]

_UNKNOWN: Final = "unknown"
_MOST_DIGITS: Final = 18


class Wrong(enum.StrEnum):
    """What keeps a text from being an answer."""

    NO_OBJECT = "no_object"
    SEVERAL_OBJECTS = "several_objects"
    INVALID_JSON = "invalid_json"
    DUPLICATE_FIELD = "duplicate_field"
    BAD_NUMBER = "bad_number"
    TOO_DEEP = "too_deep"
    MISSING_FIELD = "missing_field"
    WRONG_TYPE = "wrong_type"
    UNKNOWN_SEVERITY = "unknown_severity"
    BLANK_FIELD = "blank_field"

    @property
    def sentence(self) -> str:
        """What was wrong, as the model is told it."""
        return _SENTENCES[self]


_SENTENCES: Final[dict[Wrong, str]] = {
    Wrong.NO_OBJECT: "It held no JSON object.",
    Wrong.SEVERAL_OBJECTS: "It held more than one JSON object; give exactly one.",
    Wrong.INVALID_JSON: "Its JSON was not valid.",
    Wrong.DUPLICATE_FIELD: "A field stood in it twice.",
    Wrong.BAD_NUMBER: "It held a number that JSON does not have, or a huge one.",
    Wrong.TOO_DEEP: "Its JSON was nested too deeply.",
    Wrong.MISSING_FIELD: "It lacked one of evidence, service, severity and first_seen.",
    Wrong.WRONG_TYPE: "A field had the wrong type; the four fields are strings.",
    Wrong.UNKNOWN_SEVERITY: "The severity was none of low, medium, high and critical.",
    Wrong.BLANK_FIELD: "A field was blank.",
}


class Junk(msgspec.Struct, frozen=True):
    """A text that is no answer, and everything that is ``wrong`` with it."""

    wrong: tuple[Wrong, ...]


def parse(text: str) -> Answer | Junk:
    """The one answer that ``text`` holds. Never raises, and takes time linear in the text.

    Beside the four fields an answer may carry others. A ``confidence`` is not read, for no model
    knows its own; ``needs_human: true`` is kept.
    """
    try:
        return _answer(_only_object(text))
    except _Unusable as error:
        return Junk(error.wrong)


class _Unusable(Exception):
    def __init__(self, *wrong: Wrong) -> None:
        self.wrong = wrong


class _NotJson(_Unusable):
    def __init__(self) -> None:
        super().__init__(Wrong.INVALID_JSON)


def _answer(fields: dict[str, Any]) -> Answer:
    wrong = []
    values = {}
    for name in ("service", "severity", "first_seen", "evidence"):
        if name not in fields:
            wrong.append(Wrong.MISSING_FIELD)
        elif not isinstance(fields[name], str):
            wrong.append(Wrong.WRONG_TYPE)
        elif not fields[name].strip():
            wrong.append(Wrong.BLANK_FIELD)
        else:
            values[name] = fields[name]
    severity = values.get("severity", Severity.LOW).strip().lower()
    if severity not in _SEVERITIES:
        wrong.append(Wrong.UNKNOWN_SEVERITY)
    needs_human = fields.get("needs_human", False)
    if not isinstance(needs_human, bool):
        wrong.append(Wrong.WRONG_TYPE)
    if wrong:
        raise _Unusable(*dict.fromkeys(wrong))
    return Answer(
        service=_or_unknown(values["service"]),
        severity=_SEVERITIES[severity],
        first_seen=_or_unknown(values["first_seen"]),
        evidence=values["evidence"],
        needs_human=needs_human,
    )


_SEVERITIES: Final = {severity.value: severity for severity in Severity}


def _or_unknown(value: str) -> str:
    return _UNKNOWN if value.strip().lower() == _UNKNOWN else value


def _only_object(text: str) -> dict[str, Any]:
    """The one JSON object in ``text``."""
    text = text.strip().removeprefix("\ufeff").strip()
    if text[:1] == "{" and text[-1:] == "}":
        # If it is no JSON, it may be several, or end in prose with a brace.
        with contextlib.suppress(_NotJson):
            return _decoded(text)
    found: dict[str, Any] | None = None
    meant = 0
    for span in _braced(text):
        if not _is_meant(span):
            continue
        meant += 1
        if meant > 1:
            raise _Unusable(Wrong.SEVERAL_OBJECTS)
        with contextlib.suppress(_NotJson):
            found = _decoded(span)
    if found is not None:
        return found
    raise _Unusable(Wrong.INVALID_JSON if meant else Wrong.NO_OBJECT)


def _is_meant(span: str) -> bool:
    """Whether a stretch in braces was meant as an object: prose has braces too."""
    return '"' in span or "'" in span or not span.strip("{} \t\r\n")


_MARK: Final = re.compile(r'[{}"]')
_STRING_END: Final = re.compile(r'["\\]')


def _braced(text: str) -> Iterator[str]:
    """The stretches of ``text`` from a brace to the one that closes it; the last may be unclosed.

    Braces in strings do not count; quotes outside of braces are prose.
    """
    depth, start, at = 0, 0, 0
    while (mark := _MARK.search(text, at)) is not None:
        at = mark.end()
        if mark[0] == "{":
            if not depth:
                start = mark.start()
            depth += 1
        elif not depth:
            continue
        elif mark[0] == "}":
            depth -= 1
            if not depth:
                yield text[start:at]
        else:
            at = _after_string(text, at)
    if depth:
        yield text[start:]


def _after_string(text: str, at: int) -> int:
    while (end := _STRING_END.search(text, at)) is not None:
        if end[0] == '"':
            return end.end()
        at = end.end() + 1
    return len(text)


def _decoded(text: str) -> dict[str, Any]:
    try:
        value = _decoder.decode(text)
    except RecursionError:
        raise _Unusable(Wrong.TOO_DEEP) from None
    except ValueError:
        raise _NotJson from None
    assert isinstance(value, dict), "what begins with a brace is an object"
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise _Unusable(Wrong.DUPLICATE_FIELD)
    return fields


def _real(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise _Unusable(Wrong.BAD_NUMBER)
    return value


def _whole(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise _Unusable(Wrong.BAD_NUMBER)
    return int(digits)


def _no_number(name: str) -> NoReturn:
    raise _Unusable(Wrong.BAD_NUMBER)


_decoder: Final = json.JSONDecoder(
    object_pairs_hook=_unique, parse_float=_real, parse_int=_whole, parse_constant=_no_number
)
