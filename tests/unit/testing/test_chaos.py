from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from logdocket.testing import Act, Fault, Seen, chaos


def seen(number: int, body: bytes = b"{}") -> Seen:
    """A request."""
    return Seen(number, 0.0, "POST", "/", {}, body)


def faults(seed: int, **more: Any) -> list[Fault]:
    """What 200 requests get."""
    choose = chaos(seed, **more)
    return [choose(seen(number)).fault for number in range(1, 201)]


def test_the_same_requests_get_the_same_faults() -> None:
    """By seed, number and body, on any machine."""
    two = [Fault.GOOD, Fault.RESET]
    assert faults(7, faults=two) == faults(7, faults=two)
    assert faults(7, faults=two)[:6] == ["reset", "reset", "good", "good", "reset", "reset"]


def test_another_seed_gives_other_faults() -> None:
    """So that a long run is many."""
    assert faults(7) != faults(8)


@pytest.mark.parametrize(("number", "body"), [(2, b"{}"), (1, b"[]")])
def test_number_and_body_both_tell(number: int, body: bytes) -> None:
    """A second try of the same request may fare otherwise."""
    first = [chaos(seed)(seen(1)).fault for seed in range(20)]
    assert first != [chaos(seed)(seen(number, body)).fault for seed in range(20)]


def test_weights_are_heeded() -> None:
    """Nine in ten here, about; a weight of 0 is never."""
    weights = {Fault.GOOD: 9, Fault.HANG: 0, Fault.RESET: 1}
    counted = Counter(faults(1, faults=weights))
    assert set(counted) == {Fault.GOOD, Fault.RESET}
    assert 160 <= counted[Fault.GOOD] <= 195


def test_without_weights_all_are_as_likely() -> None:
    """Each of two comes about half the time."""
    counted = Counter(faults(1, faults=[Fault.GOOD, Fault.RESET]))
    assert 70 <= counted[Fault.GOOD] <= 130


def test_seconds_go_into_every_act() -> None:
    """For the slow ones among them."""
    assert chaos(1, [Fault.SLOW], seconds=0.5)(seen(1)) == Act(Fault.SLOW, seconds=0.5)


@pytest.mark.parametrize("weights", [{}, [], {Fault.GOOD: 0}, {Fault.GOOD: 2, Fault.RESET: -1}])
def test_weights_that_make_no_sense_are_an_error(weights: Any) -> None:
    """Told at once."""
    with pytest.raises(ValueError, match="weight above 0"):
        chaos(1, weights)
