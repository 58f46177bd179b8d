"""The JSON Schema of what a sender may send."""

from __future__ import annotations

from typing import Any, Final

from logdocket.reading.zone import MAX_LABELS, MAX_WORD, zone_names

# What is visible, in the words of a regular expression that any validator reads alike.
_VISIBLE: Final = r"[^\s\u0000-\u001F\u007F-\u00A0\u2028\u2029\uFEFF]"
_PRINTABLE: Final = r"^[^\u0000-\u001F\u007F-\u009F\u2028\u2029]*$"


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


def _word(**more: Any) -> dict[str, Any]:
    return {"type": "string", "maxLength": MAX_WORD, "pattern": _PRINTABLE, **more}


def request_schema(max_line: int) -> dict[str, Any]:
    """What ``POST /extract`` takes, and a row of a batch of objects."""
    return {
        "type": "object",
        "required": ["line"],
        "additionalProperties": False,
        "properties": {
            "line": {
                "type": "string",
                "pattern": _VISIBLE,
                "description": (
                    f"One log line of at most {max_line} bytes in UTF-8. Control characters in it "
                    "are data; white space alone is no line."
                ),
            },
            "context": _nullable({"$ref": "#/components/schemas/Context"}),
        },
        "examples": [{"line": "2026-01-02T15:04:05Z ERROR payments: card network timed out"}],
    }


def context_schema() -> dict[str, Any]:
    """What a sender may know beside the line."""
    return {
        "type": "object",
        "description": "What the sender knows beside the line.",
        "additionalProperties": False,
        "properties": {
            "received_at": _nullable(
                {
                    "type": "string",
                    "format": "date-time",
                    "description": "When the line arrived; resolves a stamp that has no year.",
                }
            ),
            "service": _nullable(
                {
                    "allOf": [_word(minLength=1), {"pattern": _VISIBLE}],
                    "description": "Used where the line names no service.",
                }
            ),
            "timezone": _nullable(
                {
                    "anyOf": [
                        {"type": "string", "pattern": "^[+-]([01][0-9]|2[0-3]):[0-5][0-9]$"},
                        {"type": "string", "enum": sorted(zone_names())},
                    ],
                    "description": "IANA name or ±HH:MM, given to stamps without a zone.",
                }
            ),
            "labels": _nullable(
                {
                    "type": "object",
                    "maxProperties": MAX_LABELS,
                    "propertyNames": {"allOf": [_word(minLength=1), {"pattern": _VISIBLE}]},
                    "additionalProperties": _word(),
                    "description": "The sender's own words; part of the ticket's identity.",
                }
            ),
        },
    }
