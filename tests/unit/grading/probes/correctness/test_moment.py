from __future__ import annotations

import pytest

from logdocket.grading.probes.correctness.moment import same_moment

UTC, OFFSET, ZONELESS = "2026-01-02T15:04:05Z", "2026-01-02T15:04:05+02:00", "2026-01-02 15:04:05,7"


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (UTC, UTC),
        (UTC, "2026-01-02T15:04:05+00:00"),
        (UTC, "2026-01-02T15:04:05.000Z"),
        (UTC, "2026-01-02 15:04:05"),
        (UTC, "2026-01-02T17:04:05+02:00"),
        (OFFSET, OFFSET),
        (OFFSET, "2026-01-02T13:04:05Z"),
        (ZONELESS, ZONELESS),
        (ZONELESS, "2026-01-02T15:04:05"),
        (ZONELESS, "2026-01-02T15:04:05.700Z"),
        ("2026-01-02T15:04:05.123Z", "2026-01-02T15:04:05Z"),
    ],
)
def test_the_same_moment_may_be_written_in_many_ways(written: str, told: str) -> None:
    """As it was, normalised, without its fraction, or without a zone that says UTC."""
    assert same_moment(written, told)


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (UTC, "2026-01-02T15:04:06Z"),
        (UTC, "2026-01-02T15:04:05+02:00"),
        (UTC, "unknown"),
        (UTC, ""),
        (UTC, None),
        (UTC, 1767366245),
        (OFFSET, "2026-01-02T15:04:05"),
        (OFFSET, "2026-01-02T15:04:05Z"),
        (ZONELESS, "2026-01-02T13:04:05Z"),
        (ZONELESS, "2026-01-02"),
    ],
)
def test_another_moment_is_another(written: str, told: object) -> None:
    """An offset that is lost or made up changes it."""
    assert not same_moment(written, told)
