from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from logdocket.grading.report.document import Report
from logdocket.grading.report.junit import encode

from .reports import EVIL, PLAIN, without_times

ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def cases(report: Report) -> dict[str, ElementTree.Element]:
    """The test cases of its XML by name."""
    return {
        case.get("name", ""): case
        for case in ElementTree.fromstring(encode(report)).iter("testcase")
    }


def test_each_area_is_a_suite_and_each_probe_a_case() -> None:
    """In the report's order."""
    root = ElementTree.fromstring(encode(PLAIN))
    assert root.tag == "testsuites"
    assert [suite.get("name") for suite in root] == [area.title for area in PLAIN.areas]
    assert list(cases(PLAIN)) == [probe.id for probe in PLAIN.probes]
    assert cases(PLAIN)["failure/cache/kept"].get("classname") == "failure.cache"


@pytest.mark.parametrize("attribute", ["tests", "failures", "errors", "skipped"])
def test_the_counts_add_up(attribute: str) -> None:
    """The suites' to the whole, and the whole's to what there is."""
    root = ElementTree.fromstring(encode(PLAIN))
    tags = {"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}
    whole = int(root.get(attribute, ""))
    assert whole == sum(int(suite.get(attribute, "")) for suite in root)
    assert whole == len(list(root.iter(tags[attribute])))


@pytest.mark.parametrize(
    ("name", "tag", "message"),
    [
        ("failure/service/starts", "failure", "fail, 15 lost: web-1.example said no."),
        ("correctness/evidence/quoted", "failure", "partial, 2.5 lost: web-1.example said no."),
        ("reproducibility/tests/offline", "skipped", "skipped, 25 open: web-1.example said no."),
        ("communication/runbook/argued", "skipped", "needs-human, 6 open: web-1.example said no."),
    ],
)
def test_a_verdict_is_told_with_its_points(name: str, tag: str, message: str) -> None:
    """As build servers know it."""
    (found,) = (child for child in cases(PLAIN)[name] if child.tag != "system-out")
    assert (found.tag, found.get("message")) == (tag, message)


def test_a_pass_is_an_empty_case() -> None:
    """Nothing is to be said."""
    assert list(cases(PLAIN)["correctness/schema/valid"]) == []


def test_a_failure_tells_what_to_do() -> None:
    """Line by line."""
    failure = cases(PLAIN)["failure/service/starts"].find("failure")
    assert failure is not None
    assert (failure.text or "").split("\n") == [
        "expected: The service answers with a ticket.",
        "seen: web-1.example said no.",
        "hint: Look at what the service does when the model hangs.",
        "points: 0 of 15",
    ]


def test_the_score_and_the_seed_are_properties() -> None:
    """Of every suite, since the whole has none in this format."""
    suite = ElementTree.fromstring(encode(PLAIN))[3]
    found = {p.get("name"): p.get("value") for p in suite.iter("property")}
    assert found["score.low"] == "9"
    assert (found["total.low"], found["total.high"], found["total.of"]) == ("41.5", "72.5", "100")
    assert found["seed"] == "7"


def test_hostile_text_leaves_the_structure_as_it_is() -> None:
    """And no character stands in it that XML cannot hold."""
    plain, evil = (ElementTree.fromstring(encode(report)) for report in (PLAIN, EVIL))
    assert [node.tag for node in evil.iter()] == [node.tag for node in plain.iter()]
    assert not ILLEGAL.search(encode(EVIL).decode())


def test_without_times_the_bytes_have_no_clock() -> None:
    """So that two runs can be compared."""
    assert b" time=" in encode(PLAIN)
    assert b" time" not in encode(without_times(PLAIN)).replace(b"<?xml", b"")


def test_the_same_report_gives_the_same_bytes() -> None:
    """Every time."""
    assert encode(EVIL) == encode(EVIL)
