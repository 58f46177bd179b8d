"""Paths of files, which the wide template masks whole: they say which file it was."""

from __future__ import annotations

import re
from typing import Final

from logdocket.reading.template.tables import FILE_WORDS, METHODS, ROOTS
from logdocket.reading.template.walk import Walk

_PATH: Final = re.compile(r"(?:/{1,3}[\w.+@%~-]++){2,40}+/?+")
_OWN: Final = re.compile(r"/[._]\w")
_BEFORE: Final = " (=:,[\t"


def file_path(walk: Walk, place: int, done: int) -> tuple[int, int] | None:
    """Where the path of a file stands whose first segment is at ``place``; None when none does.

    A request's path is none, nor what is quoted. What makes it a file's is its root, the word
    before it, or a segment that begins with a point or a line. A slash stands before the token;
    ``done``: up to where the line is masked.
    """
    text = walk.text
    start = walk.tokens[place][1] - 1
    if start < done or (place and walk.tokens[place - 1][2] > start):
        return None
    if start and text[start - 1] not in _BEFORE:
        return None
    match = _PATH.match(text, start, walk.free(place))
    before = walk.word(place - 1) if text[start - 1 : start] != "," else ""
    if match is None or before in METHODS or text.startswith(" HTTP/", match.end()):
        return None
    segment = text[start + 1 : text.find("/", start + 1)]
    if segment in ROOTS or before.lower() in FILE_WORDS or _OWN.search(match[0]):
        return start, match.end() - (len(match[0]) - len(match[0].rstrip(".-")))
    return None
