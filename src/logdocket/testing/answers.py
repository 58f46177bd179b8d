"""Which line a prompt asks about, and what a good answer to it says."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from logdocket.testing.honest import honest
from logdocket.testing.seen import Answers, Seen

__all__ = ["answering", "line_in"]

_TRIES: Final = 500
"""Braces at which an object is looked for, in a prompt that is full of them."""
_Good: TypeAlias = Mapping[str, Any] | str


def line_in(seen: Seen) -> str:
    """The line that the prompt asks about: the member ``line`` of the last JSON object in the
    user's messages that has one, else the last user message.
    """
    said = [text for role, text in seen.messages if role == "user"]
    for text in reversed(said):
        lines = [found for thing in _objects(text) if (found := _member(thing)) is not None]
        if lines:
            return lines[-1]
    return said[-1] if said else ""


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in ``text``, outermost only, in their order."""
    decoder = json.JSONDecoder(strict=False)
    at = text.find("{")
    for _ in range(_TRIES):
        if at < 0:
            return
        try:
            thing, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield thing
        at = text.find("{", end)


def _member(thing: dict[str, Any]) -> str | None:
    """The string under ``line``, in the object or in an object directly within it."""
    for candidate in (thing, *thing.values()):
        if isinstance(candidate, dict) and isinstance(candidate.get("line"), str):
            return str(candidate["line"])
    return None


def answering(answers: Answers | None) -> Callable[[Seen, str], _Good]:
    """``answers`` as a function of a request and of the line in its prompt; what they do not
    know is answered honestly.
    """
    if answers is None:
        return lambda seen, line: honest(line)
    if callable(answers):
        made = answers
        return lambda seen, line: made(seen)
    return _Known(answers)


class _Known:
    """Answers by line, found in the prompt as the line is or as JSON writes it."""

    def __init__(self, answers: Mapping[str, _Good]) -> None:
        self._answers = dict(answers)
        # The longest first: one known line may be part of another.
        self._forms = [
            ({line, json.dumps(line)[1:-1], json.dumps(line, ensure_ascii=False)[1:-1]}, answer)
            for line, answer in sorted(answers.items(), key=lambda item: -len(item[0]))
        ]

    def __call__(self, seen: Seen, line: str) -> _Good:
        if line in self._answers:
            return self._answers[line]
        said = "\n".join(text for role, text in seen.messages if role == "user")
        for forms, answer in self._forms:
            if any(form in said for form in forms):
                return answer
        return honest(line)
