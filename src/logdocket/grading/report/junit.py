"""The report as JUnit XML, as build servers read it: one suite for each area of the rubric."""

from __future__ import annotations

from typing import Final
from xml.etree import ElementTree

from logdocket.grading.finding import Verdict
from logdocket.grading.report.document import AreaScore, Judged, Report, Score
from logdocket.grading.report.score import number, shown
from logdocket.grading.report.sections import counted, of_area
from logdocket.grading.report.visible import visible

__all__ = ["encode"]

_FAILURES: Final = (Verdict.FAIL, Verdict.PARTIAL)
_NOT_RUN: Final = (Verdict.SKIPPED, Verdict.NEEDS_HUMAN)


def encode(report: Report) -> bytes:
    """UTF-8 XML with a declaration.

    Fail and partial are failures; skipped and needs-human are skipped, with the reason. What XML
    1.0 cannot hold is escaped as ``visible`` does. The score and the seed are properties.
    """
    name = visible(f"grade of {report.candidate}")
    root = ElementTree.Element("testsuites", {"name": name, **_counts(report.probes)})
    if report.times is not None:
        root.set("time", _seconds(report.times.seconds))
    for area in report.areas:
        root.append(_suite(report, area))
    ElementTree.indent(root)
    data: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return data + b"\n"


def _suite(report: Report, area: AreaScore) -> ElementTree.Element:
    probes = of_area(report, area)
    suite = ElementTree.Element("testsuite", {"name": visible(area.title), **_counts(probes)})
    if report.times is not None:
        suite.set("time", _seconds(sum(_time(report, probe) for probe in probes)))
        suite.set("timestamp", visible(report.times.began))
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in (
        *_points("score", area.score),
        *_points("total", report.score),
        ("seed", str(report.seed)),
        ("grader", report.grader),
        ("format", report.format),
    ):
        ElementTree.SubElement(properties, "property", name=name, value=visible(value))
    for probe in probes:
        suite.append(_case(report, probe))
    return suite


def _points(name: str, score: Score) -> tuple[tuple[str, str], ...]:
    parts = (("low", score.low), ("high", score.high), ("of", score.of))
    return tuple((f"{name}.{part}", number(points)) for part, points in parts)


def _case(report: Report, probe: Judged) -> ElementTree.Element:
    """The probe as a test; its class is the id but for the last word, with dots."""
    head = probe.id.rpartition("/")[0]
    case = ElementTree.Element(
        "testcase", classname=visible(head.replace("/", ".")), name=visible(probe.id)
    )
    if report.times is not None:
        case.set("time", _seconds(_time(report, probe)))
    if probe.verdict in _FAILURES:
        message = f"{probe.verdict.value}, {counted(probe.score)}: {probe.seen}"
        kind = f"{probe.level.value}-{probe.verdict.value}"
        failure = ElementTree.SubElement(case, "failure", type=kind, message=visible(message))
        failure.text = _told(probe)
    elif probe.verdict in _NOT_RUN:
        message = f"{probe.verdict.value}, {counted(probe.score)}: {probe.seen}"
        ElementTree.SubElement(case, "skipped", message=visible(message))
    out = _out(probe)
    if out:
        ElementTree.SubElement(case, "system-out").text = out
    return case


def _told(probe: Judged) -> str:
    parts = (
        ("expected", probe.expected),
        ("seen", probe.seen),
        ("hint", probe.hint),
        ("points", shown(probe.score)),
    )
    return "\n".join(f"{label}: {visible(text)}" for label, text in parts)


def _out(probe: Judged) -> str:
    notes = [] if probe.judge == "program" else [f"judged by a {probe.judge}"]
    notes += [f"note: {probe.note}"] if probe.note else []
    return "\n\n".join(visible(text, lines=True) for text in (*notes, *probe.quotes))


def _counts(probes: tuple[Judged, ...]) -> dict[str, str]:
    return {
        "tests": str(len(probes)),
        "failures": str(sum(probe.verdict in _FAILURES for probe in probes)),
        "errors": "0",
        "skipped": str(sum(probe.verdict in _NOT_RUN for probe in probes)),
    }


def _time(report: Report, probe: Judged) -> float:
    return 0.0 if report.times is None else report.times.probes.get(probe.id, 0.0)


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}"
