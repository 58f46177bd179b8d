"""A service that the tests of a file share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from service import Service


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service as it is set up by default."""
    with Service(tmp_path_factory.mktemp("shared")) as running:
        yield running
