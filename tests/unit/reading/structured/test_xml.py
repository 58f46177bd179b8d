"""Events in XML."""

from __future__ import annotations

import pytest

from logdocket.line import NO_CONTEXT, Line
from logdocket.reading import read
from logdocket.reading.structured import parse_xml


def windows(level: int, provider: str = "disk") -> str:
    """An event of Windows' log."""
    return (
        f'<Event xmlns="urn:example:e"><System><Provider Name="{provider}"/><EventID>7</EventID>'
        f"<Level>{level}</Level><TimeCreated SystemTime='2031-05-06T07:08:09.1234567Z'/>"
        "<Channel>System</Channel></System><EventData><Data>x</Data></EventData></Event>"
    )


@pytest.mark.parametrize(
    ("line", "time", "severity", "service"),
    [
        (
            '<log4j:event logger="acme.Pay" timestamp="1935990489123" level="WARN" thread="main">'
            "<log4j:message><![CDATA[an <b>ERROR</b> page]]></log4j:message></log4j:event>",
            "2031-05-08T07:08:09.123Z",
            "medium",
            "acme.Pay",
        ),
        (
            '<log4net:event logger="Acme.Pay" timestamp="2031-05-06T07:08:09.123+02:00"'
            ' level="ERROR"><log4net:message>lost</log4net:message></log4net:event>',
            "2031-05-06T07:08:09.123+02:00",
            "high",
            "Acme.Pay",
        ),
        (
            '<Event timeMillis="1935990489123" thread="main" level="INFO" loggerName="acme.Pay">'
            "<Message>ERROR rows: 0</Message></Event>",
            "2031-05-08T07:08:09.123Z",
            "low",
            "acme.Pay",
        ),
        (
            '<?xml version="1.0"?><record><date>2031-05-06T07:08:09</date>'
            "<millis>1935990489000</millis><logger>acme</logger><level>SEVERE</level>"
            "<message>lost</message></record>",
            "2031-05-06T07:08:09",
            "high",
            "acme",
        ),
        (
            '<log level="warn" time="2031-05-06T07:08:09Z" component="pay">late</log>',
            "2031-05-06T07:08:09Z",
            "medium",
            "pay",
        ),
        (windows(1, "Kernel-Power"), "2031-05-06T07:08:09.1234567Z", "critical", "Kernel-Power"),
        (windows(2), "2031-05-06T07:08:09.1234567Z", "high", "disk"),
        (windows(3), "2031-05-06T07:08:09.1234567Z", "medium", "disk"),
        (windows(4), "2031-05-06T07:08:09.1234567Z", "low", "disk"),
    ],
)
def test_an_event_is_read_by_its_elements_and_attributes(
    line: str, time: str, severity: str, service: str
) -> None:
    """Whatever the schema calls its time, level and logger."""
    reading = read(Line(line))
    assert reading.format == "xml"
    assert reading.timestamp.value == time
    assert reading.severity.value == severity
    assert reading.service.value == service


def test_the_message_is_quoted_without_its_element() -> None:
    """A section of plain characters is quoted from within."""
    line = '<e level="WARN" time="2031-05-06T07:08:09Z"><message><![CDATA[a <b> c]]></message></e>'
    reading = read(Line(line))
    assert line[reading.evidence.start : reading.evidence.end] == "a <b> c"


@pytest.mark.parametrize(
    "line",
    [
        "<html><head><title>502 Bad Gateway</title></head></html>",
        "<a><level>blue</level></a>",
        "<13>May  6 07:08:09 web-1 app: x",
        "<nothing",
        "</level>",
        "<a>" * 500,
    ],
)
def test_markup_without_a_time_or_a_level_is_no_event(line: str) -> None:
    """A page is a message, and so is what only begins like a tag."""
    assert parse_xml(line, 0, len(line), NO_CONTEXT) is None
