"""Who asks and what they may do: roles, and which of them each path wants. Data only."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import Final

import msgspec
from starlette.types import Scope

CALLER: Final = "logdocket.caller"
"""Key of a request's scope under which its :class:`Caller` stands."""


class Role(enum.StrEnum):
    """What a token allows."""

    READ = "read"
    """Look at tickets, the ledger and the queue."""
    EXTRACT = "extract"
    """Send lines."""
    REVIEW = "review"
    """Decide about groups; whoever decides may read."""
    ADMIN = "admin"
    """All of these, and take back what others have decided."""


_IMPLIED: Final = {
    Role.READ: frozenset({Role.READ}),
    Role.EXTRACT: frozenset({Role.EXTRACT}),
    Role.REVIEW: frozenset({Role.READ, Role.REVIEW}),
    Role.ADMIN: frozenset(Role),
}


class Caller(msgspec.Struct, frozen=True):
    """Whoever sends a request: a name, which verdicts bear, and all that they may do."""

    name: str
    roles: frozenset[Role]

    @classmethod
    def of(cls, name: str, roles: Iterable[Role]) -> Caller:
        """A caller with ``roles`` and what these imply."""
        return cls(name, frozenset().union(*(_IMPLIED[role] for role in roles)))

    def may(self, role: Role) -> bool:
        """Whether the caller has ``role``."""
        return role in self.roles


LOCAL: Final = Caller.of("local", Role)
"""Whoever is on this machine, where no tokens are set."""


class Token(msgspec.Struct, frozen=True):
    """A token: its secret, and who sends it. What it prints leaves the secret out."""

    name: str
    roles: tuple[Role, ...]
    secret: str

    def __repr__(self) -> str:
        return f"Token({self.name!r}, {'+'.join(self.roles)})"


OPEN: Final = frozenset(
    {"/healthz", "/readyz", "/openapi.json", "/docs", "/schema/ticket", "/ui/sign-in"}
)
"""Probes carry no token, what the service can do is no secret, and one signs in without a name."""
_OPEN_BELOW: Final = ("/docs/", "/ui/static/")

_EXACT: Final[dict[tuple[str, str], Role | None]] = {
    ("POST", "/extract"): Role.EXTRACT,
    ("POST", "/extract/batch"): Role.EXTRACT,
    ("POST", "/ui/try"): Role.EXTRACT,
    # Whoever may look sees what it does, and whoever may send lines may look at nothing else.
    ("GET", "/ui/try"): None,
    # Whoever came in may go.
    ("POST", "/ui/sign-out"): None,
}
_DECIDING: Final = ("/queue", "/ui")
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})


def is_open(path: str) -> bool:
    """Whether anyone may ask for ``path``."""
    return path in OPEN or path.startswith(_OPEN_BELOW)


def is_safe(method: str) -> bool:
    """Whether requests of ``method`` change nothing (RFC 9110, section 9.2.1)."""
    return method in _SAFE


def wanted(method: str, path: str) -> Role | None:
    """The role that a request wants; None where any caller will do."""
    try:
        return _EXACT[method, path]
    except KeyError:
        pass
    if not is_safe(method) and path.startswith(_DECIDING):
        return Role.REVIEW
    return Role.READ


def caller(scope: Scope) -> Caller | None:
    """Whoever sent the request; None on an open path that nobody was asked for a token on."""
    found: Caller | None = scope.get(CALLER)
    return found
