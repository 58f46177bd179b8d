"""Tokens as an operator writes them: ``TOKEN``, or ``NAME:ROLE+ROLE:TOKEN``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

ROLES: Final = ("read", "extract", "review", "admin")
_SHORTEST: Final = 16
_NAMED: Final = re.compile(r"([^:]*):([a-z+]*):(.*)", re.DOTALL)
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")


class NamedToken(NamedTuple):
    """``secret`` opens what ``roles`` allow to whoever is called ``name``. What it prints leaves
    the secret out."""

    name: str
    roles: tuple[str, ...]
    secret: str

    def __repr__(self) -> str:
        return f"NamedToken({self.name!r}, {'+'.join(self.roles)})"


def named_tokens(entries: Iterable[str]) -> tuple[NamedToken, ...]:
    """The tokens that ``entries`` are; one without a name is ``token-N`` and may do all.

    Raises:
        ValueError: names the entry by its place, and what is wrong with it, but not its secret.
    """
    tokens = tuple(_token(place, entry) for place, entry in enumerate(entries, 1))
    for field, mend in (("name", "give each a name of its own"), ("secret", "leave one out")):
        first: dict[str, int] = {}
        for place, token in enumerate(tokens, 1):
            before = first.setdefault(getattr(token, field), place)
            if before != place:
                raise ValueError(f"token {place} has the {field} of token {before}: {mend}")
    return tokens


def _token(place: int, entry: str) -> NamedToken:
    name, roles, secret = f"token-{place}", ("admin",), entry
    named = _NAMED.fullmatch(entry)
    if named is not None:
        name, roles, secret = named[1], tuple(named[2].split("+")), named[3]
        if _NAME.fullmatch(name) is None:
            raise ValueError(
                f"token {place} has no good name: give 1 to 64 of the characters A-Z a-z 0-9 . _ @ "
                "- before its roles"
            )
        if not set(roles) <= set(ROLES):
            raise ValueError(
                f"token {place} has an unknown role: give NAME:ROLE+ROLE:TOKEN with roles of "
                f"{', '.join(ROLES)}"
            )
    if len(secret) < _SHORTEST or not secret.isascii() or not secret.isprintable():
        raise ValueError(
            f"token {place} is too short or not plain ASCII: "
            f"use at least {_SHORTEST} printable characters"
        )
    return NamedToken(name, roles, secret)
