"""The tables of keys: spellings, nesting and preference."""

from __future__ import annotations

import pytest

from logdocket.line import ServiceBasis
from logdocket.reading.structured.keys import KEYS, NESTS, Role, spellings
from logdocket.reading.structured.names import LOGGERS, SERVICES
from logdocket.reading.structured.tables import MESSAGES, TIMES


@pytest.mark.parametrize(
    "name",
    ["service_name", "serviceName", "ServiceName", "service-name", "servicename", "SERVICE_NAME"],
)
def test_a_key_is_known_in_every_usual_spelling(name: str) -> None:
    """Snake, camel, Pascal, kebab, flat and upper case name the same field."""
    assert KEYS[name] is KEYS["service_name"]


def test_a_letter_is_a_key_only_as_it_is_written() -> None:
    """MongoDB's ``c`` is a component, zap's ``C`` a place in the code."""
    assert spellings("c") == {"c"}
    assert "C" not in KEYS


def test_leading_underscores_are_part_of_a_key() -> None:
    """The journal's fields keep theirs in every spelling."""
    assert KEYS["__REALTIME_TIMESTAMP"].unit == "us"
    assert KEYS["_SYSTEMD_UNIT"].role is Role.SERVICE


@pytest.mark.parametrize("name", ["log", "Resource", "resource.attributes", "http", "t", "HTTP"])
def test_objects_that_hold_known_keys_are_known(name: str) -> None:
    """The scanner steps into them, whatever their spelling."""
    assert NESTS[name].islower()


def test_a_part_in_another_spelling_than_the_object_around_it_is_known() -> None:
    """``{"Resource": {"service.name": …}}`` mixes two."""
    assert KEYS[f"{NESTS['Resource']}.service.name"].role is Role.SERVICE


@pytest.mark.parametrize("table", [TIMES, SERVICES + LOGGERS, MESSAGES])
def test_each_row_of_a_table_can_be_reached(table: tuple[tuple[str, ...], ...]) -> None:
    """No row is hidden behind another's spelling, and earlier rows are preferred."""
    ranks = [KEYS[row[0]].rank for row in table]
    assert ranks == list(range(len(table)))


def test_a_service_is_preferred_to_a_logger_and_a_logger_to_a_unit() -> None:
    """The program's own name says most, the unit's the least."""
    assert KEYS["program"].rank < KEYS["logger"].rank < KEYS["_systemd_unit"].rank
    assert KEYS["logger"].basis is ServiceBasis.LOGGER


@pytest.mark.parametrize("name", ["@level", "_level", "@message", "_logger", "_time"])
def test_a_mark_before_a_key_does_not_hide_it(name: str) -> None:
    """Loggers set their own keys, or those that are not theirs, apart by a mark."""
    assert KEYS[name].role == KEYS[name[1:]].role
