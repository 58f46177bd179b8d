"""Text of others as a person may look at it: nothing in it moves a cursor, hides or turns around.

What an answer writes may be hostile: ANSI sequences, marks that reverse the order of the text,
characters of no width, and bytes that are no text at all.
"""

from __future__ import annotations

import unicodedata
from typing import Final

__all__ = ["sound", "visible"]

_BLANKS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and symbols by their category that leave the page empty."""

_MARKS: Final = 3
"""So many marks may stand on one letter; more of them grow over the lines above and below."""

_BYTES: Final = range(0xDC80, 0xDD00)
"""The surrogates that stand for bytes which are no UTF-8 (PEP 383)."""

_SHORT: Final = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}


def visible(text: str, *, lines: bool = False) -> str:
    """``text`` with every character escaped that is not seen as itself.

    With ``lines``, line feeds stay, and carriage returns before them go.
    """
    if lines:
        return "\n".join(visible(line) for line in text.replace("\r\n", "\n").split("\n"))
    if text.isascii() and text.isprintable():
        return text
    seen, marks = [], 0
    for char in text:
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        plain = char.isprintable() and char not in _BLANKS and marks <= _MARKS
        seen.append(char if plain else _escaped(char))
    return "".join(seen)


def sound(text: str) -> str:
    """``text`` with lone surrogates escaped, which no encoding can hold; all else as it is."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join(_escaped(c) if "\ud800" <= c <= "\udfff" else c for c in text)
    return text


def _escaped(char: str) -> str:
    code = ord(char)
    if code in _BYTES:
        return f"\\x{code - 0xDC00:02x}"
    if char in _SHORT:
        return _SHORT[char]
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
