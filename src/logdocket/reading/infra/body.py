"""Where a record's message stands once its prefix is known."""

from __future__ import annotations


def body(text: str, pos: int, end: int, start: int) -> tuple[int, int]:
    """The message from ``pos`` on without blanks around it; the whole record if nothing is left.

    A record that begins at ``start`` and has no message still has to be quoted by something, so
    the result is blank only where the whole record is.
    """
    found = trimmed(text, pos, end)
    return found if found[0] < found[1] else trimmed(text, start, end)


def trimmed(text: str, pos: int, end: int) -> tuple[int, int]:
    """``pos:end`` without the blanks at either side; empty where all is blank."""
    if pos >= end:
        return end, end
    if text[pos] > " " and text[end - 1] > " ":
        return pos, end
    cut = text[pos:end]
    left = len(cut) - len(cut.lstrip())
    return pos + left, max(pos + left, pos + len(cut.rstrip()))
