"""The options and arguments that commands share."""

from __future__ import annotations

import enum
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from logdocket.errors import SettingsError

_Number = TypeVar("_Number", int, float)
_Word = TypeVar("_Word", bound=enum.StrEnum)
PLAIN: dict[str, Any] = {
    "no_args_is_help": True,
    "add_completion": False,
    # Plain help starts three times faster than the drawn one.
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"], "max_content_width": 100},
}


def whole(least: int, most: int) -> Callable[[str | float], int]:
    """Reads a whole number within these bounds; what is none is told in plain words."""
    return _within(int, "a whole number", least, most)


def number(least: float, most: float) -> Callable[[str | float], float]:
    """Reads a number within these bounds, and no NaN."""
    return _within(float, "a number", least, most)


def _within(
    kind: Callable[[str | float], _Number], what: str, least: _Number, most: _Number
) -> Callable[[str | float], _Number]:
    def read(given: str | float) -> _Number:
        try:
            found = kind(given)
        except ValueError:
            raise typer.BadParameter(f"{given!r} is not {what}") from None
        if not least <= found <= most:
            raise typer.BadParameter(f"{given} is not from {least} to {most}")
        return found

    return read


def chosen(kind: type[_Word], option: str, value: str) -> _Word:
    """The word of ``kind`` that was given with ``option``; raises SettingsError for any other."""
    try:
        return kind(value)
    except ValueError:
        raise SettingsError(f"{option} {value!r} is none of: {', '.join(kind)}") from None


Db = Annotated[
    Path | None,
    typer.Option(
        "--db", metavar="FILE", help="The database. Default: LOGDOCKET_DB, or logdocket.db."
    ),
]
File = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        show_default=False,
        help="A file of log lines. Standard input where it is - or left out.",
    ),
]
ReceivedAt = Annotated[
    str | None,
    typer.Option(
        metavar="WHEN",
        help="When the lines arrived (RFC 3339), or the word now. "
        "It gives a year to stamps that have none.",
    ),
]
Service = Annotated[
    str | None, typer.Option(metavar="NAME", help="Used where a line names no service.")
]
Timezone = Annotated[
    str | None,
    typer.Option(metavar="ZONE", help="IANA name or ±HH:MM, for stamps that have no zone."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
JsonLines = Annotated[bool, typer.Option("--json", help="Print a JSON object for each entry.")]
Source = Annotated[
    str | None,
    typer.Option("--source", metavar="WORD", help="Only tickets from model, cache or fallback."),
]
Reason = Annotated[
    str | None,
    typer.Option("--reason", metavar="WORD", help="Only tickets with this review reason."),
]
Kind = Annotated[
    str | None,
    typer.Option("--kind", metavar="WORD", help="Only entries of this kind, such as call_started."),
]
Since = Annotated[
    str | None,
    typer.Option("--since", metavar="WHEN", help="From this moment on (RFC 3339)."),
]
Until = Annotated[
    str | None, typer.Option("--until", metavar="WHEN", help="Before this moment (RFC 3339).")
]
Severities = Annotated[
    list[str] | None,
    typer.Option(
        "--severity",
        metavar="WORD",
        show_default=False,
        help="Only groups of this severity: low, medium, high or critical; it may be given several "
        "times.",
    ),
]
GroupService = Annotated[
    str | None, typer.Option("--service", metavar="NAME", help="Only groups of this service.")
]
GroupReason = Annotated[
    str | None,
    typer.Option(
        "--reason", metavar="WORD", help="Only groups with a ticket that has this review reason."
    ),
]
GroupSource = Annotated[
    str | None,
    typer.Option(
        "--source",
        metavar="WORD",
        help="Only groups with a ticket from model, cache or fallback.",
    ),
]
Text = Annotated[
    str | None,
    typer.Option(
        "--text",
        metavar="WORDS",
        help="Only groups with these words in service, evidence or template.",
    ),
]
