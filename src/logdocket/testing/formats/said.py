"""What an answer says, in no format, and what every format asks of a request."""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple, TypeAlias

__all__ = ["CREATED", "Json", "Said", "object_in", "total", "wanted_tool"]

CREATED: Final = 1_767_225_600
"""2026-01-01 UTC, in every response: the same bytes on every run."""
Json: TypeAlias = dict[str, Any]


class Said(NamedTuple):
    """What an answer says: ``finish`` is stop, length or content_filter; ``usage`` is what it
    reports as tokens in and out, None for nothing.
    """

    number: int
    text: str
    finish: str
    refusal: str | None
    usage: tuple[Any, Any] | None

    @property
    def words(self) -> str:
        """The text, or the refusal in its place, for formats that know no refusals."""
        return self.text if self.refusal is None else self.refusal

    @property
    def withheld(self) -> bool:
        """Whether there is no content."""
        return self.refusal is not None or self.finish == "content_filter"


def wanted_tool(asked: Json) -> str | None:
    """The name of the tool to call, None when none is offered or none is wanted."""
    tools, choice = asked.get("tools"), asked.get("tool_choice", "auto")
    if not isinstance(tools, list) or not tools or choice in ("none", {"type": "none"}):
        return None
    if isinstance(choice, dict):
        named = choice.get("function", choice)
        if isinstance(named, dict) and isinstance(named.get("name"), str):
            return str(named["name"])
    first = tools[0].get("function", tools[0]) if isinstance(tools[0], dict) else {}
    return str(first.get("name", "answer")) if isinstance(first, dict) else "answer"


def object_in(text: str) -> Json | None:
    """The JSON object that ``text`` is, else None."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def total(usage: tuple[Any, Any]) -> Any:
    """Tokens in and out together; tokens in alone where they are no numbers."""
    tokens_in, tokens_out = usage
    numbers = isinstance(tokens_in, int | float) and isinstance(tokens_out, int | float)
    return tokens_in + tokens_out if numbers else tokens_in
