"""The way of one answer to its client, which keeps the record true."""

from __future__ import annotations

from typing import Any, NamedTuple

from logdocket.testing.connection import Connection
from logdocket.testing.seen import Seen

__all__ = ["Way"]


class Way(NamedTuple):
    """A connection, as the way of one answer."""

    connection: Connection
    seen: Seen
    usage: tuple[Any, Any] | None

    async def write(self, data: bytes) -> None:
        """A part of the answer."""
        await self.connection.write(data)

    async def last(self, data: bytes) -> None:
        """What makes it whole: noted first, so that the client never knows more than the record,
        and taken back where it does not get out.
        """
        self.seen.note(self.usage)
        try:
            await self.connection.write(data)
        except BaseException:
            self.seen.take_back()
            raise

    def reset(self) -> None:
        """End with an RST."""
        self.connection.reset()

    def close(self) -> None:
        """End in good order."""
        self.connection.close()
