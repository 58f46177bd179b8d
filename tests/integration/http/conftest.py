"""The service under test, one process for each test file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from service import Service


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with small bounds, so that tests meet them soon."""
    with Service(
        tmp_path_factory.mktemp("service"),
        max_line="1000",
        max_body="20000",
        max_batch="300000",
        body_timeout="0.4",
        fallback_ttl="3600",
    ) as running:
        yield running
