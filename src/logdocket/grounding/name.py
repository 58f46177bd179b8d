"""What can be the name of a service, and what only stands in the line.

A name is one token, or at most four words: letters in any script, digits, and the signs that
programs, packages, classes and hosts are written with. A time, a number, an id, an address, a
level, a fragment of a record and a sentence are none.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

LONGEST: Final = 128
"""Characters that a name may have."""

_MOST_WORDS: Final = 4
_SIGNS: Final = frozenset("_-./:$@#+&~*()'\u00b7 ")
"""What may stand in a name beside letters, marks and digits."""

LEVELS: Final = frozenset(
    """
    trace debug verbose info information notice warn warning err error severe crit critical fatal
    panic alert emerg emergency failure fail failed
    """.split()
)
"""Words that tell how bad a record is and say nothing of what happened."""

EMPTY: Final = frozenset("true false null none nil undefined".split())
"""Words that stand for no value, or for a bare yes or no."""

_NEVER: Final = (
    LEVELS
    | EMPTY
    | frozenset(
        """
        a an and are as at be but by did do for from get had has have if in is it its low medium
        high no not of ok on or post put that the then this to was were when with timestamp
        severity level message msg service evidence localhost
        """.split()
    )
)
"""Words that are no name when they stand alone."""

_SENTENCE: Final = frozenset(
    """
    a an and are as be been but by cannot could did does failed for from had has have if in is it
    its not of on or refused that the then this to was were when while will with without
    """.split()
)
"""Words that make several words a sentence rather than a name."""

_PID: Final = re.compile(r"\[\d{1,10}\]\Z")
_PAIRS: Final = {"[": "]", "(": ")", '"': '"', "'": "'", "<": ">", "`": "`"}
_TIME: Final = re.compile(r"\d\d?:\d\d(?!\d)|\d{4}-\d\d-\d\d|\d\d[/.]\d\d[/.]\d{2,4}")
_HEX: Final = re.compile(r"(?:0x)?(?=[a-fA-F-]{0,64}\d)[0-9a-fA-F-]{8,64}\Z")
_ADDRESS: Final = re.compile(r"(?=[^\d]{0,40}\d)[0-9a-fA-F.]{0,15}(?::[0-9a-fA-F.]{0,15}){2,8}\Z")


def bare_name(quote: str) -> str:
    """``quote`` without what loggers put around a name: spaces, one pair of brackets or quotes, a
    colon and a process id behind it. What is left is still a quote of the same line.
    """
    bare = quote.strip(" \t")
    if len(bare) > 2 and _PAIRS.get(bare[0]) == bare[-1]:
        bare = bare[1:-1].strip(" \t")
    bare = bare.removesuffix(":").rstrip(" \t")
    return _PID.sub("", bare)


def is_name(text: str) -> bool:
    """Whether ``text`` is written as the name of a program, a component or a logger is."""
    if not 2 <= len(text) <= LONGEST or not any(char.isalpha() for char in text):
        return False
    if not (text[0].isalnum() or text[0] in "_@") or text[-1] in " :/.-":
        return False
    if not all(char in _SIGNS or char.isalnum() or _is_mark(char) for char in text):
        return False
    words = text.split(" ")
    if len(words) > _MOST_WORDS or "" in words:
        return False
    lowered = [word.lower().strip(":") for word in words]
    if all(word in _NEVER or not any(map(str.isalpha, word)) for word in lowered):
        return False
    if len(words) > 1 and not _SENTENCE.isdisjoint(lowered):
        return False
    return not ("://" in text or _TIME.search(text) or _HEX.match(text) or _ADDRESS.match(text))


def _is_mark(char: str) -> bool:
    return char > "\x7f" and unicodedata.category(char)[0] == "M"
