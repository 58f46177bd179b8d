"""What keeps an answer apart, told in sentences."""

from __future__ import annotations

import itertools
import os

from logdocket.grading.sandbox import Isolation
from logdocket.grading.sandbox.isolation import _SENTENCES


def test_what_is_detected_works_and_is_told(most: Isolation) -> None:
    """One sentence for each door, whatever is permitted."""
    assert len(most.sentences()) == 4
    assert (most.user == "own") <= (os.geteuid() == 0)


def test_nothing_permitted_is_told_too() -> None:
    """A report does not promise what did not hold."""
    assert Isolation.none().sentences()[0].startswith("It had the machine's network")
    assert not set(Isolation.none().sentences()) & set(
        Isolation("namespace", "namespace", "read-only", "own").sentences()
    )


def test_every_door_has_its_sentence() -> None:
    """Open or closed."""
    for doors in itertools.product(
        ("namespace", "proxies"),
        ("namespace", "tree"),
        ("read-only", "plain"),
        ("own", "mapped", "same"),
    ):
        told = Isolation(*doors).sentences()
        assert set(told) <= set(_SENTENCES.values())
