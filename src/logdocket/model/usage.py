"""What a response says it cost, whichever API it comes from and however the call ended."""

from __future__ import annotations

import json
from typing import Any, Final

from logdocket.calls import Usage

__all__ = ["reported", "usage_in"]

_MOST: Final = 10_000_000
"""More tokens than any one call can use; above it, what is reported is no count."""

_DIALECTS: Final[tuple[tuple[str, str, str, tuple[str, ...]], ...]] = (
    ("usage", "prompt_tokens", "completion_tokens", ()),
    (
        "usage",
        "input_tokens",
        "output_tokens",
        ("cache_creation_input_tokens", "cache_read_input_tokens"),
    ),
    ("usageMetadata", "promptTokenCount", "candidatesTokenCount", ("thoughtsTokenCount",)),
)
"""Where APIs report usage: the object, tokens in, tokens out, and what counts beside these.

OpenAI's chat completions, then Anthropic's messages, whose input leaves out what passed the cache
(https://docs.anthropic.com/en/api/messages), then Google's, whose output leaves out thoughts
(https://ai.google.dev/api/generate-content#UsageMetadata).
"""


def reported(body: bytes) -> Usage | None:
    """The usage that a response's body reports; None if it does not, or not sanely."""
    try:
        response = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return usage_in(response) if isinstance(response, dict) else None


def usage_in(response: dict[str, Any]) -> Usage | None:
    """The usage in a decoded response, every count an integer from 0 to ten million."""
    for place, read, written, beside in _DIALECTS:
        counts = response.get(place)
        if not isinstance(counts, dict) or read not in counts or written not in counts:
            continue
        # What stands beside the two may be null where there is nothing to count.
        more = {name: counts[name] for name in beside if counts.get(name) is not None}
        if not all(map(_is_count, (counts[read], counts[written], *more.values()))):
            return None
        tokens_in, tokens_out = counts[read], counts[written]
        for name, count in more.items():
            if "input" in name:
                tokens_in += count
            else:
                tokens_out += count
        return Usage(tokens_in, tokens_out) if max(tokens_in, tokens_out) <= _MOST else None
    return None


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value <= _MOST
