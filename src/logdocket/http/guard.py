"""The bounds and tokens of the service, as plain values."""

from __future__ import annotations

import msgspec

from logdocket.http.roles import Token


class Guard(msgspec.Struct, frozen=True, kw_only=True):
    """``tokens``: each opens what its roles allow; empty means that anyone who reaches the service
    may use it.

    ``max_line``, ``max_body`` and ``max_batch`` are in bytes, bodies after decompression.
    ``body_timeout`` is in seconds: for a whole single body, or for the next piece of a batch.
    ``queue``: whether the service folds the ledger into the review queue in the background.
    """

    tokens: tuple[Token, ...] = ()
    max_line: int = 65_536
    max_body: int = 1_048_576
    max_batch: int = 1_073_741_824
    body_timeout: float = 10.0
    queue: bool = True
