"""How what was seen becomes a sentence: begun, ended, and no longer than one reads."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["cut", "listed", "sentence"]


def sentence(text: str) -> str:
    """``text`` begun with a capital, and ended with a full stop if it has none."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"


def listed(names: Sequence[str], most: int) -> str:
    """The first ``most`` of ``names``, and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def cut(text: str, most: int) -> str:
    """``text``, or its beginning and an ellipsis: ``most`` characters at most."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
