from __future__ import annotations

import gzip

import pytest

from logdocket.testing.bomb import BLOCK, gzip_bomb


@pytest.mark.parametrize("blocks", [0, 1, 2, 5])
def test_a_bomb_decodes_to_what_it_was_made_of(blocks: int) -> None:
    """The decoder checks the length and the CRC, which were never reckoned over all of it."""
    packed = gzip_bomb(b"head", blocks, b"tail")
    assert gzip.decompress(packed) == b"head" + b"a" * (blocks * BLOCK) + b"tail"


def test_a_bomb_grows_by_little_more_than_1_kb_for_each_mib() -> None:
    """So that 1 GB is small on the wire."""
    assert len(gzip_bomb(b"", 5, b"")) - len(gzip_bomb(b"", 4, b"")) < 1100
