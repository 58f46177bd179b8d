"""Why what looks like a secret is none: it stands for one, it says so, or nobody could use it."""

from __future__ import annotations

import re
from typing import Final

from detect_secrets.filters import heuristic
from detect_secrets.plugins.high_entropy_strings import Base64HighEntropyString

__all__ = ["made_up", "readable", "skipped"]

_STANDS_FOR: Final = re.compile(
    r"(?i)example|sample|dummy|fake|test|mock|stub|placeholder|change[_-]?me|replace|insert|your"
    r"|redact|demo|invalid|wrong|unused|nothing|not[_-]?a|made[_-]?up|synthetic|local|xxxx|\*\*\*"
    r"|\.\.\.|<[a-z]|password|hunter2|secret|expected|default|loopback|null|none"
)
_RUNS: Final = (
    "abcdefghijklmnopqrstuvwxyz" * 2,
    "0123456789" * 3,
    "0123456789abcdef" * 2,
)
_RUN: Final = 7
"""Characters in their order, one after the other, that no chance puts there."""
_DIFFERENT: Final = 7
"""Different characters that a key has at least; other sequences of letters have fewer."""
_SAME: Final = re.compile(r"(.{1,4}?)\1{3}")
_DIGEST: Final = re.compile(r"(?i)(?:0x|sha\d+[:-])?(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64,128})")
_REFERENCE: Final = re.compile(
    r"[$%{<]|^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+\b(?!.*\d{3})|^[./~]|\w\(|://|^[A-Z_]+$"
)
_WORDS: Final = re.compile(r"(?:[a-z]+|\d{1,4})(?:[-_.:](?:[a-z]+|\d{1,4}))+")
_LEAST: Final = {"settings": 2.6, "code": 3.2, "aside": 3.6}
"""Bits per character from which a value is no word that somebody thought up, by kind of file."""
_ASIDE_LENGTH: Final = 20
_ENTROPY: Final = Base64HighEntropyString()


def made_up(value: str) -> bool:
    """Whether ``value`` was written to stand for a secret, as those of documentation are."""
    lower = value.lower()
    return bool(
        len(set(value)) < _DIFFERENT
        or _STANDS_FOR.search(value)
        or _SAME.search(value)
        or any(lower[i : i + _RUN] in run for run in _RUNS for i in range(len(lower) - _RUN + 1))
        or heuristic.is_sequential_string(value)
        or heuristic.is_not_alphanumeric_string(value)
    )


def readable(value: str, place: str) -> bool:
    """Whether a ``value`` that stands under a secret's name is a word, a digest or a reference."""
    return bool(
        not (re.search(r"\d", value) and re.search(r"[A-Za-z]", value))
        or _DIGEST.fullmatch(value)
        or _REFERENCE.search(value)
        or _WORDS.fullmatch(value)
        or _ENTROPY.calculate_shannon_entropy(value) < _LEAST[place]
        or (place == "aside" and len(value) < _ASIDE_LENGTH)
        or heuristic.is_potential_uuid(value)
        or heuristic.is_templated_secret(value)
        or heuristic.is_prefixed_with_dollar_sign(value)
    )


def skipped(path: str) -> bool:
    """Whether a file holds no text that somebody wrote: locks, sums, pictures, archives."""
    return bool(heuristic.is_lock_file(path) or heuristic.is_non_text_file(path))
