"""Objects that are no JSON, as programs print their own values."""

from __future__ import annotations

import pytest

from logdocket.line import NO_CONTEXT, Line
from logdocket.reading import read
from logdocket.reading.structured import parse_loose

TIME = "2031-05-06T07:08:09Z"


@pytest.mark.parametrize(
    ("line", "service"),
    [
        (
            f"{{'time': '{TIME}', 'levelname': 'ERROR', 'name': 'ledger', 'message': 'no quorum'}}",
            "ledger",
        ),
        (
            f'{{:time=>"{TIME}", :level=>"error", :service=>"billing", :message=>"no quorum"}}',
            "billing",
        ),
        (
            f'{{"level"=>"error", "timestamp"=>"{TIME}", "app"=>"billing", "msg"=>"no quorum"}}',
            "billing",
        ),
        (
            f"{{ level: 'error', message: 'no quorum', service: 'billing', timestamp: '{TIME}' }}",
            "billing",
        ),
        (
            f"{{level=ERROR, logger=com.acme.Billing, timestamp={TIME}, message=no quorum}}",
            "com.acme.Billing",
        ),
        (
            f'%{{level: :error, message: "no quorum", time: "{TIME}", service: "billing"}}',
            "billing",
        ),
        (f'{{:ts "{TIME}", :level :error, :ns "acme.billing", :msg "no quorum"}}', "acme.billing"),
        (f'{{:instant "{TIME}" :level :error :ns acme.pay :message "no quorum"}}', "acme.pay"),
        (f"{{ts:{TIME}, level:ERROR, service:billing, msg:no quorum}}", "billing"),
        (
            f'cting","level":"error","time":"{TIME}","service":"billing","msg":"no quorum"}}',
            "billing",
        ),
        (f'"time":"{TIME}","service":"billing","level":"error","msg":"no quorum"}}', "billing"),
        (f'42","level":"error","time":"{TIME}","service":"billing","msg":"no quorum"}}', "billing"),
        (
            f':31","level":"error","time":"{TIME}","service":"billing","msg":"no quorum"}}',
            "billing",
        ),
        (f'-7,"level":"error","time":"{TIME}","service":"billing","msg":"no quorum"}}', "billing"),
        (
            f'/a b","level":"error","time":"{TIME}","service":"billing","msg":"no quorum"}}',
            "billing",
        ),
        (
            f'- level: error\n  time: "{TIME}"\n  service: billing\n  message: no quorum',
            "billing",
        ),
        (f"time: {TIME}\nlevel: ERROR\nlogger: acme.Pay\nmessage: no quorum", "acme.Pay"),
    ],
)
def test_an_object_in_another_language_is_read_by_its_keys(line: str, service: str) -> None:
    """Quotes, colons, arrows and lines are one to the reading."""
    reading = read(Line(line))
    assert reading.format == "object"
    assert reading.timestamp.value == TIME
    assert reading.severity.value == "high"
    assert reading.service.value == service
    quote = line.encode()[reading.evidence.start : reading.evidence.end]
    assert quote == b"no quorum"


@pytest.mark.parametrize(
    "line",
    [
        "{foo: bar}",
        "{not an object: at all}",
        "{user=7} logged in at 10",
        "{level: unclear, msg: x}",
        'error: no such file "a":3}',
        "error: no such thing\nat: line 3",
        "- one\n- two",
        "{",
        "%{",
    ],
)
def test_braces_and_colons_alone_make_no_record(line: str) -> None:
    """A time or a level that is understood must stand under a known key, beside another."""
    assert parse_loose(line, 0, len(line), NO_CONTEXT) is None


def test_what_is_nested_ends_the_reading() -> None:
    """What came before it is kept."""
    line = f"{{'time': '{TIME}', 'level': 'error', 'extra': {{'level': 'info'}}}}"
    parts = parse_loose(line, 0, len(line), NO_CONTEXT)
    assert parts is not None
    assert parts.level is not None
    assert parts.level.value == "high"


def test_what_follows_a_bare_message_is_the_messages_own() -> None:
    """Whoever is quoted in it must not write further fields; a quoted message ends in its quote."""
    bare = f"time: {TIME}\nlevel: error\nname: ledger\nmessage: no quorum\nservice: other\n"
    assert read(Line(bare)).service.value == "ledger"
    quoted = f"time: {TIME}\nlevel: error\nmessage: 'no quorum'\nservice: billing\n"
    assert read(Line(quoted)).service.value == "billing"
