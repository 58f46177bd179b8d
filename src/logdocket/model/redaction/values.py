"""Where a value ends, and whether it can be a secret."""

from __future__ import annotations

import re
from typing import Final

from logdocket.model.redaction.table import MASK, NOT_SECRET, PLACEHOLDER

ESCAPED_QUOTE: Final = r"\\{1,8}+u002[27]|&quot;|&#3[49];|%2[27]"
"""A quote in JSON, in HTML, in a URL; lower case."""

# A comma, a bracket and the like belong to the value unless the value plainly ends there.
_BARE: Final = re.compile(
    r"""(?:
      \[SECRET-[1-9][0-9]{0,8}\]
    | [^\s"'`&;,()\[\]{}<>|\\%]
    | [\[({]
    | \\ (?! [nrtu"'`\\] )
    | % (?! 2[0267cC] | 3[bB] )
    | & (?! [\w.%-]{1,40}+= | (?:amp|quot|lt|gt|apos|\#[0-9]{1,5}); | \s | $ )
    | ; (?! [\s"'] | $ | [\w.-]{1,40}+[ ]?[\w.-]{0,20}+= )
    | , (?! [\s"'\[\](){}<>|,;\\] | $ | [\w.-]{1,40}+[ ]?[=:] )
    | [)\]}<>|] (?! [\s"'()\[\]{}<>|,;&\\] | $ )
    )++""",
    re.VERBOSE,
)
_LONGEST_WORD: Final = 512
_TEMPLATE: Final = re.compile(
    r"\$\{.*|\$\(.*|\{\{.*|%[sdvq]|%\(.*|\{\w{0,20}\}?|\$[A-Z_][A-Z0-9_]*|<[\w .:/-]{0,40}>?"
    r"|:\w{1,20}"
)
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_OBJECT: Final = re.compile(r"[a-z0-9.-]{1,63}+/[a-z0-9.-]{1,63}+")
_LETTER: Final = re.compile(r"[^\W\d_]")
_DIGIT: Final = re.compile(r"[0-9]")
_SIGN: Final = re.compile(r"[!@#$%^&*?~+]")


def quoted_end(text: str, start: int, quote: str, slashes: int) -> int:
    """Where a value ends that begins at ``start`` after ``slashes`` backslashes and a quote.

    JSON within JSON doubles the backslashes before a quote at each level and adds one, so their
    number tells a quote that ends the value from one within it. The end of the text, if none does.
    """
    at = text.find(quote, start)
    while at >= 0:
        run = at
        while run > start and text[run - 1] == "\\":
            run -= 1
        count = at - run - slashes
        if count < 0 or count % (2 * (slashes + 1)) != slashes + 1:
            return max(start, at - min(slashes, at - run))
        at = text.find(quote, at + 1)
    return len(text)


def bare_end(text: str, start: int) -> int:
    """Where a value without quotes ends that begins at ``start``."""
    match = _BARE.match(text, start)
    if match is None:
        return start
    end = match.end()
    while end > start and text[end - 1] in ".,:":
        end -= 1
    return end


def plausible(value: str) -> bool:
    """Whether it can be a secret at all: no empty, masked or telling word, no placeholder."""
    if len(value) > _LONGEST_WORD:
        return PLACEHOLDER.sub("", value).strip() != ""
    rest = PLACEHOLDER.sub("", value).strip(" \t[](){}<>\"'`\\*.,:;!")
    if not rest or rest.lower() in NOT_SECRET or MASK.issuperset(rest):
        return False
    return _TEMPLATE.fullmatch(value) is None


def by_chance(value: str, least: int) -> bool:
    """Whether it looks made by chance, as no word of a log does: ``least`` characters or more.

    An address, a path, a number in hexadecimal and a UUID do not: they name things.
    """
    value = value[:_LONGEST_WORD]
    if len(value) < least or value[0] in "/~." or value[:2] in ("0x", "0X") or "://" in value:
        return False
    if not _LETTER.search(value) or _UUID.fullmatch(value) or value[1:3] == ":\\":
        return False
    return bool(_DIGIT.search(value) or _SIGN.search(value))


def names_something(value: str) -> bool:
    """Whether it is a path, or the name of an object in a namespace, and so no secret itself."""
    if value[0] in "/~" or value[1:3] in (":\\", ":/"):
        return "/" in value[1:] or "\\" in value or len(value) < 3
    return _OBJECT.fullmatch(value) is not None
