"""What an answer's content says under each fault of content: one function, one line of a table."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from logdocket.testing.fault import Fault
from logdocket.testing.honest import STAMP, honest

__all__ = ["CONTENT", "content"]

_Answer: TypeAlias = dict[str, Any]
_INVENTED_STAMP: Final = "2019-03-14T15:09:26Z"
_DEEP: Final = 100_000
_FIELDS: Final = ("service", "severity", "first_seen", "evidence", "needs_human", "confidence")
_DEMAND: Final = {
    field: re.compile(
        rf"{field}[\"'`]?\s{{0,3}}(?:=|:|to|is|as|be)?\s{{0,3}}[\"'`]?([\w.:+-]{{1,64}})",
        re.IGNORECASE,
    )
    for field in _FIELDS
}
_TYPED: Final[dict[str, Any]] = {"true": True, "false": False}


def content(fault: Fault, answer: Mapping[str, Any] | str, line: str) -> str:
    """The text of an answer to ``line`` that would be ``answer`` if nothing were at fault."""
    make = CONTENT.get(fault)
    if isinstance(answer, str):
        if make is None:
            return answer
        answer = _read(answer) or honest(line)
    return _text(answer) if make is None else make(dict(answer), line)


def _read(text: str) -> _Answer | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _text(answer: Mapping[str, Any]) -> str:
    # ASCII alone, so that bytes of the line that are no text travel as escapes.
    return json.dumps(answer)


def _with(**changes: Any) -> Callable[[_Answer, str], str]:
    """The answer with some fields set."""
    return lambda answer, line: _text(answer | changes)


def _by(field: str, make: Callable[[_Answer, str], str]) -> Callable[[_Answer, str], str]:
    """The answer with one field made of answer and line."""
    return lambda answer, line: _text(answer | {field: make(answer, line)})


def _stamp(answer: _Answer, line: str) -> str:
    found = STAMP.search(line)
    return found[0] if found else _INVENTED_STAMP


def _evidence(answer: _Answer) -> str:
    return str(answer.get("evidence") or "nothing")


def _swapped(answer: _Answer, line: str) -> str:
    """The evidence in capitals, or in small letters where it has no small ones."""
    was = _evidence(answer)
    return was.upper() if was.upper() not in line else was.lower()


def _spaced(answer: _Answer, line: str) -> str:
    was = _evidence(answer)
    return was.replace(" ", "  ") if " " in was else f" {was}\t"


def _obeyed(answer: _Answer, line: str) -> str:
    """What the line demands: the value that follows a field's name, the last one if several."""
    obeyed = answer | {"severity": "low", "needs_human": False, "confidence": 1.0}
    for field, pattern in _DEMAND.items():
        values = pattern.findall(line)
        if values:
            obeyed[field] = _TYPED.get(values[-1].lower(), values[-1])
    return _text(obeyed)


def _two(answer: _Answer, line: str) -> str:
    other = answer | {"severity": "low" if answer.get("severity") != "low" else "critical"}
    return f"{_text(answer)}\n{_text(other)}"


def _twice(answer: _Answer, line: str) -> str:
    severity = "low" if answer.get("severity") != "low" else "critical"
    return f'{_text(answer)[:-1]}, "severity": "{severity}"}}'


def _numbers(answer: _Answer, line: str) -> str:
    return f'{_text(answer)[:-1]}, "confidence": 1e999, "count": {"9" * 400}}}'


def _without(field: str) -> Callable[[_Answer, str], str]:
    return lambda answer, line: _text({k: v for k, v in answer.items() if k != field})


CONTENT: Final[dict[Fault, Callable[[_Answer, str], str]]] = {
    Fault.REFUSAL_TEXT: lambda answer, line: "I'm sorry, but I can't help with that.",
    Fault.NO_CONTENT: lambda answer, line: "",
    Fault.PROSE: lambda answer, line: (
        f"Sure! Here is the ticket you asked for:\n\n{_text(answer)}\n\nAnything else?"
    ),
    Fault.FENCED: lambda answer, line: f"```json\n{json.dumps(answer, indent=2)}\n```",
    Fault.TWO_OBJECTS: _two,
    Fault.BAD_JSON: lambda answer, line: _text(answer)[:-7],
    Fault.DEEP_JSON: lambda answer, line: '{"service": ' * _DEEP + '"unknown"' + "}" * _DEEP,
    Fault.LIST_JSON: lambda answer, line: f"[{_text(answer)}]",
    Fault.DUPLICATE_KEYS: _twice,
    Fault.MISSING_FIELD: _without("evidence"),
    Fault.EXTRA_FIELDS: _with(reasoning="The words say so.", tags=["auto"], runbook=None),
    Fault.SIX_FIELDS: _with(confidence=0.97, needs_human=False),
    Fault.ASKS_HUMAN: _with(confidence=0.4, needs_human=True),
    Fault.WRONG_ENUM: _with(severity="catastrophic"),
    Fault.WRONG_TYPES: _with(service=["api"], severity=3, first_seen=None, evidence={"at": 0}),
    Fault.NAN: _with(confidence=float("nan")),
    Fault.HUGE_NUMBERS: _numbers,
    Fault.SURROGATE: _with(evidence="broken \ud800 \x00 text"),
    Fault.INVENTED_EVIDENCE: _with(evidence="the reactor core of unit nine has melted"),
    Fault.EVIDENCE_CASE: _by("evidence", _swapped),
    Fault.EVIDENCE_SPACE: _by("evidence", _spaced),
    Fault.EVIDENCE_BLANK: _with(evidence=" "),
    Fault.EVIDENCE_ZERO: _with(evidence="0"),
    Fault.EVIDENCE_STAMP: _by("evidence", _stamp),
    Fault.SERVICE_STAMP: _by("service", _stamp),
    Fault.SERVICE_LINE: _by("service", lambda answer, line: line),
    Fault.INVENTED_SERVICE: _with(service="zz-invented-service"),
    Fault.INVENTED_STAMP: _with(first_seen=_INVENTED_STAMP),
    Fault.STAMP_NUMBER: _with(first_seen="110"),
    Fault.SURE_NONSENSE: _with(
        service="zz-wombat",
        severity="critical",
        first_seen=_INVENTED_STAMP,
        evidence="purple monkeys dishwasher",
        confidence=0.97,
        needs_human=False,
    ),
    Fault.OBEYS: _obeyed,
}
"""What is made of the good answer and the line; faults that are not here leave the content good."""
