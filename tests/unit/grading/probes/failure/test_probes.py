from __future__ import annotations

import pytest

from logdocket.grading.probes.failure import PROBES
from logdocket.grading.rubric import Area, Probe


def test_ids_are_unique_and_of_the_area() -> None:
    """Reports are compared by them."""
    ids = [probe.id for probe in PROBES]
    assert len(ids) == len(set(ids))
    assert {probe.area for probe in PROBES} == {Area.FAILURE}


def test_the_weights_leave_the_ledger_its_part() -> None:
    """Of a hundred in the area, thirty are the ledger's."""
    assert 65 <= sum(probe.weight for probe in PROBES) <= 75


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.id)
def test_every_probe_rests_on_a_service_that_asks_the_model(probe: Probe) -> None:
    """And says in sentences what it wants."""
    assert probe.needs == ("correctness/service/starts", "correctness/model/asked")
    assert probe.expected.endswith(".")
    assert probe.hint.endswith(".")
