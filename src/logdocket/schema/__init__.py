"""The ticket's JSON Schema (draft 2020-12): the public contract in a form that machines check."""

from __future__ import annotations

import importlib.resources
import json
from typing import Any

__all__ = ["ticket_schema", "ticket_schema_bytes"]


def ticket_schema_bytes() -> bytes:
    """The schema as it is published: UTF-8, indented, the same bytes in every install."""
    return importlib.resources.files(__name__).joinpath("ticket.json").read_bytes()


def ticket_schema() -> dict[str, Any]:
    """The schema as a new dict, which the caller may change."""
    schema: dict[str, Any] = json.loads(ticket_schema_bytes())
    return schema
