"""How a response goes over the wire: whole, in drips, cut, endless, or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from logdocket.testing.bomb import gzip_bomb
from logdocket.testing.fault import Fault
from logdocket.testing.reply import Reply

__all__ = ["DELIVERY", "Channel", "deliver"]

_HEAD: Final = b'{"choices": [{"index": 0, "message": {"role": "assistant", "content": "'
_TAIL: Final = b'"}, "finish_reason": "stop"}]}'
_PIECE: Final = b"a" * (1 << 16)
_PIECES: Final = 800
"""Of 64 KiB each: 50 MiB."""
_BOMB_BLOCKS: Final = 1024
_SETTLE: Final = 0.02
"""Seconds for what was sent to arrive before a reset overtakes it."""


class Channel(Protocol):
    """The way to one client. Writing raises ConnectionError once the client has gone."""

    async def write(self, data: bytes) -> None:
        """Hand ``data`` to the socket, all of it."""

    async def last(self, data: bytes) -> None:
        """The same with what ends the answer: it is whole then."""

    def reset(self) -> None:
        """End the connection with an RST."""

    def close(self) -> None:
        """End the connection in good order."""


async def deliver(fault: Fault, channel: Channel, reply: Reply, seconds: float | None) -> None:
    """Send ``reply`` in the fault's way."""
    special = DELIVERY.get(fault)
    if special is None:
        await channel.last(reply.head() + reply.body)
    else:
        await special(channel, reply, 1.0 if seconds is None else seconds)


async def _never() -> None:
    """Wait until cancelled: the client went, or the server stops."""
    await asyncio.get_running_loop().create_future()


async def _half(channel: Channel, reply: Reply) -> None:
    await channel.write(reply.head() + reply.body[: len(reply.body) // 2])


async def _hang(channel: Channel, reply: Reply, seconds: float) -> None:
    await _never()


async def _hang_amid(channel: Channel, reply: Reply, seconds: float) -> None:
    await _half(channel, reply)
    await _never()


async def _bytewise(channel: Channel, data: bytes, seconds: float) -> None:
    for at in range(len(data) - 1):
        await channel.write(data[at : at + 1])
        await asyncio.sleep(seconds)
    await channel.last(data[-1:])


async def _drip(channel: Channel, reply: Reply, seconds: float) -> None:
    await channel.write(reply.head())
    await _bytewise(channel, reply.body, seconds)


async def _drip_head(channel: Channel, reply: Reply, seconds: float) -> None:
    await _bytewise(channel, reply.head() + reply.body, seconds)


async def _reset(channel: Channel, reply: Reply, seconds: float) -> None:
    channel.reset()


async def _reset_amid(channel: Channel, reply: Reply, seconds: float) -> None:
    await _half(channel, reply)
    await asyncio.sleep(_SETTLE)
    channel.reset()


async def _close(channel: Channel, reply: Reply, seconds: float) -> None:
    channel.close()


async def _short(channel: Channel, reply: Reply, seconds: float) -> None:
    await _half(channel, reply)
    channel.close()


async def _not_http(channel: Channel, reply: Reply, seconds: float) -> None:
    await channel.write(b"SSH-2.0-example\r\n")
    channel.close()


async def _big_head(channel: Channel, reply: Reply, seconds: float) -> None:
    padded = reply._replace(headers=(*reply.headers, ("x-padding", "a" * (1 << 20))))
    await channel.last(padded.head() + padded.body)


async def _big_body(channel: Channel, reply: Reply, seconds: float) -> None:
    def chunk(data: bytes) -> bytes:
        return b"%x\r\n%b\r\n" % (len(data), data)

    piece = chunk(_PIECE)
    await channel.write(reply.head(-1) + chunk(_HEAD))
    for _ in range(_PIECES):
        await channel.write(piece)
    await channel.last(chunk(_TAIL) + b"0\r\n\r\n")


async def _big_declared(channel: Channel, reply: Reply, seconds: float) -> None:
    await channel.write(reply.head(len(_HEAD) + _PIECES * len(_PIECE) + len(_TAIL)) + _HEAD)
    for _ in range(_PIECES):
        await channel.write(_PIECE)
    await channel.last(_TAIL)


async def _gzip_bomb(channel: Channel, reply: Reply, seconds: float) -> None:
    packed = gzip_bomb(_HEAD, _BOMB_BLOCKS, _TAIL)
    headers = (*reply.headers, ("content-encoding", "gzip"))
    await channel.last(reply._replace(headers=headers, body=packed).head() + packed)


_Delivery = Callable[[Channel, Reply, float], Awaitable[None]]

DELIVERY: Final[dict[Fault, _Delivery]] = {
    Fault.HANG: _hang,
    Fault.HANG_AMID: _hang_amid,
    Fault.DRIP: _drip,
    Fault.DRIP_HEAD: _drip_head,
    Fault.RESET: _reset,
    Fault.RESET_AMID: _reset_amid,
    Fault.CLOSE: _close,
    Fault.NOT_HTTP: _not_http,
    Fault.BIG_HEAD: _big_head,
    Fault.SHORT: _short,
    Fault.BIG_BODY: _big_body,
    Fault.BIG_DECLARED: _big_declared,
    Fault.GZIP_BOMB: _gzip_bomb,
}
"""Faults of the wire; any other response is sent whole, in one piece."""

DRIPS: Final = frozenset({Fault.DRIP, Fault.DRIP_HEAD})
"""Faults whose seconds lie between bytes, not before the first."""

UNREPORTED: Final = frozenset({Fault.BIG_BODY, Fault.BIG_DECLARED, Fault.GZIP_BOMB})
"""Faults that send a body of their own, which reports no usage."""
