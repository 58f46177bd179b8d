"""What came back about a line, and what is wrong with it."""

from __future__ import annotations

import functools
import importlib.resources
import json
import math
from collections.abc import Callable, Sequence
from typing import Any, Final, NoReturn

import jsonschema
import msgspec

from logdocket.grading.finding import Finding, passed, share_of
from logdocket.grading.lines import Line
from logdocket.grading.reply import Reply
from logdocket.grading.sentence import cut

__all__ = ["NOT_ASKED", "UNKNOWN", "Asked", "evidence_wrong", "shown", "tally", "unmarked"]

UNKNOWN: Final = "unknown"
NOT_ASKED: Final = "not asked, for others were answered too late"
"""What is said where there is no reply, since so many came late."""
_MOST: Final = 160
"""Characters of what came that a sentence quotes."""
_OF_A_LINE: Final = 60


class Asked(msgspec.Struct, frozen=True):
    """A line, and the reply about it; None where so many came late that it was not asked."""

    line: Line
    reply: Reply | None

    @property
    def ticket(self) -> dict[str, Any]:
        """The JSON object of a 2xx response, else one without fields."""
        return (self.reply.ticket if self.reply else None) or {}

    @property
    def silent(self) -> str | None:
        """Why there is no JSON object to look at, None where there is one."""
        if self.reply is None:
            return NOT_ASKED
        if not self.reply.ok:
            return self.reply.said
        return None if self.reply.ticket is not None else "the body is no JSON object"

    @property
    def invalid(self) -> str | None:
        """Why this is no ticket by the schema, in the validator's words; None where it is one."""
        if self.silent is not None:
            return self.silent
        assert self.reply is not None
        return _invalid(self.reply.body)

    @property
    def quoted(self) -> bool:
        """Whether the evidence stands in the line as it was sent, and is not blank."""
        evidence = self.ticket.get("evidence")
        return isinstance(evidence, str) and bool(evidence.strip()) and evidence in self.line.text

    @property
    def marked(self) -> bool:
        """Whether the ticket goes to a person."""
        return self.ticket.get("needs_human") is True

    def said(self, field: str) -> str:
        """``severity "low"``, or why there is nothing to quote."""
        if self.silent is not None:
            return self.silent
        return f"{field} {shown(self.ticket[field])}" if field in self.ticket else f"no {field}"


def shown(value: object, most: int = _MOST) -> str:
    """``value`` as JSON writes it, on one line and cut to ``most`` characters."""
    text = cut(value, most) if isinstance(value, str) else value
    written = json.dumps(text, ensure_ascii=False, default=str)
    # Controls that JSON leaves as they are, and halves of pairs, which no report can hold.
    written = "".join(c if c.isprintable() or c == "\u200d" else ascii(c)[1:-1] for c in written)
    return written if isinstance(value, str) else cut(written, most)


def tally(asked: Sequence[Asked], wrong: Callable[[Asked], str | None], right: str) -> Finding:
    """The share of ``asked`` of which ``wrong`` says nothing, and the first of which it does."""
    wrongs = [(one.line, said) for one in asked if (said := wrong(one)) is not None]
    if not wrongs:
        return passed(right)
    line, said = wrongs[0]
    count = len(asked) - len(wrongs)
    return share_of(
        count,
        len(asked),
        f"{count} of {len(asked)} are right. The first that is not: {said}, "
        f"for the line {shown(line.text, _OF_A_LINE)} ({line.kind}).",
    )


def unmarked(asked: Asked) -> str | None:
    """What the ticket has in place of needs_human true, None where it goes to a person."""
    return None if asked.marked else asked.said("needs_human")


def evidence_wrong(asked: Asked) -> str | None:
    """What the ticket has in place of a quote, None where the evidence is one."""
    return None if asked.quoted else asked.said("evidence")


@functools.cache
def _validator() -> jsonschema.Draft202012Validator:
    schema = importlib.resources.files("logdocket.grading").joinpath("ticket.schema.json")
    return jsonschema.Draft202012Validator(json.loads(schema.read_text("utf-8")))


def _invalid(body: bytes) -> str | None:
    try:
        ticket = json.loads(body, parse_constant=_refuse)
    except ValueError as error:
        return f"the body is no JSON: {error}"
    confidence = ticket.get("confidence")
    if isinstance(confidence, float) and not math.isfinite(confidence):
        return "confidence is too great a number"
    wrong = jsonschema.exceptions.best_match(_validator().iter_errors(ticket))
    if wrong is None:
        return None
    where = "".join(f"{step}: " for step in wrong.absolute_path)
    return cut(f"{where}{wrong.message}", _MOST)


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"it says {word}")
