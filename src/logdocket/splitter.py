"""A stream of bytes, cut into lines in bounded memory."""

from __future__ import annotations


class Splitter:
    """Cuts pieces of a stream at line feeds; a carriage return before one belongs to it.

    A line over ``longest`` bytes is let go as it comes; None stands in its place.
    """

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._rest = b""
        self._overlong = False

    def feed(self, data: bytes) -> list[bytes | None]:
        """The lines that are complete with ``data``."""
        lines = data.split(b"\n")
        rest = lines.pop()
        ended: list[bytes | None] = []
        if lines:
            self._keep(lines[0])
            ended.append(self._end())
            longest = self._longest
            for line in lines[1:]:
                bare = line.removesuffix(b"\r")
                ended.append(bare if len(bare) <= longest else None)
        self._keep(rest)
        return ended

    def finish(self) -> list[bytes | None]:
        """The last line, if the stream did not end in a line feed."""
        return [self._end()] if self._rest or self._overlong else []

    def _keep(self, data: bytes) -> None:
        if not self._overlong:
            self._rest += data
            # One more than the bound: the last byte may be the carriage return of the end.
            if len(self._rest) > self._longest + 1:
                self._overlong, self._rest = True, b""

    def _end(self) -> bytes | None:
        bare, overlong = self._rest.removesuffix(b"\r"), self._overlong
        self._rest, self._overlong = b"", False
        return None if overlong or len(bare) > self._longest else bare
