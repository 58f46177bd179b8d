"""JSON records: what their keys say, and where it stands in the line."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logdocket.line import NO_CONTEXT, ServiceBasis, Severity, SeverityBasis
from logdocket.reading.parts import Parts
from logdocket.reading.structured import parse_json

LOW, MEDIUM, HIGH, CRITICAL = Severity
STAMP = "2026-01-02T15:04:05Z"


def parse(line: str) -> Parts:
    """The parts of the JSON ``line``, which is one."""
    parts = parse_json(line, 0, len(line), NO_CONTEXT)
    assert parts is not None
    return parts


def said(line: str) -> tuple[str | None, Severity | None, str | None, str]:
    """Time, severity, service and message of a JSON line."""
    parts = parse(line)
    return (
        parts.stamp and parts.stamp.value,
        parts.level and parts.level.value,
        parts.name and line[parts.name.start : parts.name.end],
        line[slice(*parts.message)],
    )


KEY_SETS = {
    "ecs, dotted": (
        {
            "@timestamp": STAMP,
            "log.level": "error",
            "service.name": "checkout",
            "message": "card declined",
            "log.logger": "shop.Pay",
        },
        (STAMP, HIGH, "checkout", "card declined"),
    ),
    "ecs, nested": (
        {
            "@timestamp": STAMP,
            "log": {"level": "warn", "logger": "shop.Pay"},
            "service": {"version": "1", "name": "checkout"},
            "message": "slow",
        },
        (STAMP, MEDIUM, "checkout", "slow"),
    ),
    "bunyan": (
        {
            "name": "billing",
            "hostname": "web-1.example",
            "pid": 12,
            "level": 50,
            "msg": "boom",
            "time": "2026-01-02T15:04:05.123Z",
            "v": 0,
        },
        ("2026-01-02T15:04:05.123Z", HIGH, "billing", "boom"),
    ),
    "pino": (
        {"level": 60, "time": 1767366245123, "pid": 7, "hostname": "web-1.example", "msg": "dead"},
        ("2026-01-02T15:04:05.123Z", CRITICAL, None, "dead"),
    ),
    "zap": (
        {"level": "info", "ts": 1767366245.25, "logger": "cart", "caller": "a/b.go:1", "msg": "ok"},
        ("2026-01-02T15:04:05.25Z", LOW, "cart", "ok"),
    ),
    "zap for development": (
        {"L": "ERROR", "T": STAMP, "N": "cart", "C": "a/b.go:1", "M": "no stock"},
        (STAMP, HIGH, "cart", "no stock"),
    ),
    "logrus": (
        {"level": "warning", "msg": "retry", "time": STAMP, "component": "mailer"},
        (STAMP, MEDIUM, "mailer", "retry"),
    ),
    "structlog": (
        {"event": "login", "level": "critical", "timestamp": STAMP, "logger": "auth"},
        (STAMP, CRITICAL, "auth", "login"),
    ),
    "serilog, compact": (
        {"@t": STAMP, "@mt": "Sold {Item}", "@l": "Error", "SourceContext": "Shop.Cart"},
        (STAMP, HIGH, "Shop.Cart", "Sold {Item}"),
    ),
    "serilog, compact, no level": (
        {"@t": STAMP, "@m": "Sold 1", "@mt": "Sold {Item}", "SourceContext": "Shop.Cart"},
        (STAMP, None, "Shop.Cart", "Sold 1"),
    ),
    "serilog": (
        {
            "Timestamp": STAMP,
            "Level": "Fatal",
            "MessageTemplate": "Sold {Item}",
            "RenderedMessage": "Sold 1",
            "Properties": {"SourceContext": "Shop.Cart"},
        },
        (STAMP, CRITICAL, "Shop.Cart", "Sold 1"),
    ),
    ".net console": (
        {"EventId": 0, "LogLevel": "Warning", "Category": "Shop.Cart", "Message": "late"},
        (None, MEDIUM, "Shop.Cart", "late"),
    ),
    "gcp, text": (
        {
            "severity": "ALERT",
            "timestamp": STAMP,
            "textPayload": "db down",
            "resource": {"type": "run", "labels": {"project_id": "p", "service_name": "shop"}},
        },
        (STAMP, CRITICAL, "shop", "db down"),
    ),
    "gcp, payload and number": (
        {
            "insertId": "a1",
            "severity": 500,
            "timestamp": STAMP,
            "jsonPayload": {"message": "db down", "service": "cart"},
        },
        (STAMP, HIGH, "cart", "db down"),
    ),
    "gcp, no severity assigned": (
        {"severity": "DEFAULT", "timestamp": STAMP, "httpRequest": {"status": 503}},
        (STAMP, HIGH, None, None),
    ),
    "cloudtrail": (
        {"eventTime": STAMP, "eventSource": "s3.example.com", "errorMessage": "Access denied"},
        (STAMP, None, "s3.example.com", "Access denied"),
    ),
    "mongodb": (
        {"t": {"$date": STAMP}, "s": "E", "c": "NETWORK", "id": 1, "ctx": "main", "msg": "refused"},
        (STAMP, HIGH, "NETWORK", "refused"),
    ),
    "mongodb debug": (
        {"t": {"$date": STAMP}, "s": "D2", "c": "REPL", "msg": "tick"},
        (STAMP, LOW, "REPL", "tick"),
    ),
    "nginx access": (
        {
            "time_local": "02/Jan/2026:15:04:05 +0000",
            "remote_addr": "192.0.2.1",
            "request": "GET /x HTTP/1.1",
            "status": "502",
        },
        (STAMP, HIGH, None, "GET /x HTTP/1.1"),
    ),
    "monolog": (
        {
            "message": "late",
            "context": {"a": [1]},
            "level": 300,
            "level_name": "WARNING",
            "channel": "queue",
            "datetime": STAMP,
        },
        (STAMP, MEDIUM, "queue", "late"),
    ),
    "monolog, number alone": (
        {"message": "late", "level": 550, "channel": "queue", "datetime": STAMP},
        (STAMP, CRITICAL, "queue", "late"),
    ),
    "python": (
        {"asctime": "2026-01-02 15:04:05,123", "levelname": "ERROR", "name": "db", "message": "x"},
        ("2026-01-02T15:04:05.123", HIGH, "db", "x"),
    ),
    "python, number alone": (
        {"created": 1767366245.5, "levelno": 40, "name": "db", "message": "x"},
        ("2026-01-02T15:04:05.5Z", HIGH, "db", "x"),
    ),
    "elasticsearch": (
        {
            "type": "server",
            "timestamp": "2026-01-02T15:04:05,123Z",
            "level": "WARN",
            "component": "o.e.n.Node",
            "cluster.name": "es",
            "message": "slow collection",
        },
        ("2026-01-02T15:04:05.123Z", MEDIUM, "o.e.n.Node", "slow collection"),
    ),
    "gelf": (
        {
            "version": "1.1",
            "host": "web-1.example",
            "short_message": "oops",
            "timestamp": 1767366245.5,
            "level": 3,
            "_app": "shop",
        },
        ("2026-01-02T15:04:05.5Z", HIGH, "shop", "oops"),
    ),
    "journald": (
        {
            "PRIORITY": "4",
            "_SYSTEMD_UNIT": "ssh.service",
            "SYSLOG_IDENTIFIER": "sshd",
            "__REALTIME_TIMESTAMP": "1767366245123456",
            "MESSAGE": "refused",
        },
        ("2026-01-02T15:04:05.123456Z", MEDIUM, "sshd", "refused"),
    ),
    "journald, unit alone": (
        {"PRIORITY": "6", "_SYSTEMD_UNIT": "cron.service", "MESSAGE": "run"},
        (None, LOW, "cron.service", "run"),
    ),
    "opentelemetry": (
        {
            "Timestamp": STAMP,
            "SeverityNumber": 17,
            "Body": "no stock",
            "Resource": {"service.name": "checkout"},
        },
        (STAMP, HIGH, "checkout", "no stock"),
    ),
    "otlp": (
        {
            "resourceLogs": [
                {
                    "resource": {
                        "attributes": [
                            {"key": "host.name", "value": {"stringValue": "web-1.example"}},
                            {"key": "service.name", "value": {"stringValue": "checkout"}},
                        ]
                    },
                    "scopeLogs": [
                        {
                            "scope": {"name": "s"},
                            "logRecords": [
                                {
                                    "timeUnixNano": "1767366245123456789",
                                    "severityNumber": 13,
                                    "body": {"stringValue": "no stock"},
                                }
                            ],
                        }
                    ],
                }
            ]
        },
        ("2026-01-02T15:04:05.123456789Z", MEDIUM, "checkout", "no stock"),
    ),
    "rust tracing": (
        {"timestamp": STAMP, "level": "ERROR", "fields": {"message": "broke"}, "target": "app::db"},
        (STAMP, HIGH, "app::db", "broke"),
    ),
    "log4j 2": (
        {
            "instant": {"epochSecond": 1767366245, "nanoOfSecond": 1},
            "level": "FATAL",
            "loggerName": "shop.Pay",
            "message": "x",
        },
        ("2026-01-02T15:04:05.000000001Z", CRITICAL, "shop.Pay", "x"),
    ),
    "gcp, error reporting": (
        {
            "severity": "EMERGENCY",
            "message": "region is offline",
            "timestamp": {"seconds": 1767366245, "nanos": 678901234},
            "serviceContext": {"service": "router", "version": "7"},
        },
        ("2026-01-02T15:04:05.678901234Z", CRITICAL, "router", "region is offline"),
    ),
    "gcp, flat time": (
        {"timestampNanos": 5000000, "timestampSeconds": 1767366245, "severity": "INFO"},
        ("2026-01-02T15:04:05.005000000Z", LOW, None, None),
    ),
    "level in a word of the field's own": (
        {"timestamp": {"seconds": 1767366245}, "level": "config", "message": "x"},
        (STAMP, LOW, None, "x"),
    ),
    "kubernetes metadata": (
        {
            "message": "up",
            "kubernetes": {"pod_name": "web-1", "labels": {"app": "web"}, "container_name": "main"},
        },
        (None, None, "web", "up"),
    ),
}


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")], ids=["tight", "spaced"])
@pytest.mark.parametrize(("record", "expected"), KEY_SETS.values(), ids=KEY_SETS)
def test_common_key_sets_are_read(
    record: dict[str, Any], expected: tuple[Any, ...], separators: tuple[str, str]
) -> None:
    """Each logger's own names for time, level, service and message are known."""
    line = json.dumps(record, separators=separators)
    found = said(line)
    assert found[:3] == expected[:3]
    assert found[3] == (line if expected[3] is None else expected[3])


@pytest.mark.parametrize(("record", "expected"), KEY_SETS.values(), ids=KEY_SETS)
def test_a_record_inside_a_json_string_is_read_in_place(
    record: dict[str, Any], expected: tuple[Any, ...]
) -> None:
    """What Docker's json-file driver makes of a JSON log says the same as the log."""
    escaped = json.dumps(json.dumps(record))[1:-1]
    found = said(escaped)
    assert found[:3] == expected[:3]
    assert found[3] == (escaped if expected[3] is None else expected[3])


def test_a_message_is_quoted_in_its_escaped_form() -> None:
    """Evidence must be a quote of the line, so escapes stay as they are written."""
    assert said(r'{"msg":"open \"a\tb\" failed","level":"error"}')[3] == r"open \"a\tb\" failed"


def test_spans_point_at_the_values() -> None:
    """Every place can be looked up in the line, characters outside ASCII before it or not."""
    line = f'{{"user":"Zoë","time":"{STAMP}","level":"error","app":"kasse","msg":"weg"}}'
    parts = parse(line)
    assert parts.stamp is not None
    assert parts.level is not None
    assert line[parts.stamp.start : parts.stamp.end] == STAMP
    assert line[parts.level.start : parts.level.end] == "error"


def test_the_first_of_a_key_given_twice_counts() -> None:
    """Loggers write their own fields first; a caller's field of the same name cannot replace it."""
    assert said('{"level":"info","level":"fatal","msg":"a","msg":"b"}')[1::2] == (LOW, "a")


def test_the_outer_record_wins_over_what_it_carries() -> None:
    """A payload's own level does not replace the one beside it."""
    line = '{"jsonPayload":{"level":"info","message":"x"},"severity":"ERROR"}'
    assert said(line)[1] is HIGH


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"level":"error","service":"api","message":"truncated mess', "truncated mess"),
        ('{"level":"error","service":"api","message":"cut at \\', "cut at "),
        ('{"level":"error","service":"api","message":"m","extra":{"a":[1,', "m"),
        ('{"level":"error","service":"api","message":"m","tim', "m"),
    ],
)
def test_a_record_cut_off_at_its_end_is_read_as_far_as_it_goes(line: str, message: str) -> None:
    """Shippers cut long lines; what stands before the cut is still said."""
    assert said(line) == (None, HIGH, "api", message)


@pytest.mark.parametrize(
    "line", ['{"msg":"x","level":"err', '{"msg":"x","service":"check', '{"path":"/","status":500']
)
def test_a_value_that_the_cut_touches_is_not_believed(line: str) -> None:
    """Half a level, name or status could be another one."""
    parts = parse(line)
    assert parts.level is None
    assert parts.name is None


@pytest.mark.parametrize("before", ["", "  ", "\t", "@cee: ", "@cee:"])
@pytest.mark.parametrize("after", ["", " ", "\r\n"])
def test_blanks_and_a_cookie_around_the_object_are_allowed(before: str, after: str) -> None:
    """Only the object itself is the record."""
    assert said(before + '{"level":"warn"}' + after) == (None, MEDIUM, None, '{"level":"warn"}')


@pytest.mark.parametrize(
    "line",
    [
        "",
        " ",
        "{",
        "{}",
        "{ not json }",
        "{'level': 'error'}",
        "{0} failed",
        '{"user":"x"} failed to log in',
        '["level","error"]',
        "level=error",
        '{"level"',
        '{"level" "error"}',
    ],
)
def test_what_is_no_record_is_left_to_others(line: str) -> None:
    """Braces alone make no JSON record."""
    assert parse_json(line, 0, len(line), NO_CONTEXT) is None


def test_nothing_outside_the_given_stretch_is_read() -> None:
    """The end bounds what is read, also inside a string."""
    line = 'x {"level":"error"} {"level":"info"}'
    parts = parse_json(line, 2, 19, NO_CONTEXT)
    assert parts is not None
    assert parts.message == (2, 19)


@pytest.mark.parametrize(
    "value", ['""', '"-"', "null", "7", '"42"', '"unknown"', '" "', r'"a\\b"', "[]", "{}", "true"]
)
def test_a_value_that_is_no_name_is_passed_over(value: str) -> None:
    """The next key that names the service counts instead."""
    assert said(f'{{"service":{value},"app":"cart","level":"info"}}')[2] == "cart"


@pytest.mark.parametrize(
    "line",
    [
        '{"level":3,"message":"x"}',
        '{"level":40,"tank":"north"}',
        '{"level":99,"msg":"x"}',
        '{"level":200,"msg":"x"}',
        '{"severity":3,"msg":"x"}',
        '{"level":"7","msg":"x"}',
        '{"level":"sea","msg":"x"}',
        '{"level":true,"msg":"x"}',
        '{"level":1767366245,"msg":"x"}',
        '{"s":"E","msg":"x"}',
        '{"status":500,"msg":"x"}',
        '{"status":"200 rows","path":"/"}',
        '{"a":{"level":"error"},"msg":"x"}',
        '{"a":[{"level":"error"}],"msg":"x"}',
        '{"msg":"\\"level\\":\\"error\\""}',
    ],
)
def test_no_level_is_made_up(line: str) -> None:
    """A number without a scheme, another word, or a level in somebody else's object is none."""
    assert parse(line).level is None


@pytest.mark.parametrize(
    ("value", "severity"),
    [
        ("ERROR", HIGH),
        ("wArN", MEDIUM),
        (" error ", HIGH),
        ("\x1b[31merror\x1b[0m", HIGH),
        ("[CRITICAL]", CRITICAL),
        ("E", HIGH),
    ],
)
def test_a_level_is_known_in_any_dress(value: str, severity: Severity) -> None:
    """Case, blanks, colours and brackets are no part of a level."""
    assert parse(json.dumps({"level": value, "msg": "x"})).level.value is severity  # type: ignore[union-attr]


def test_a_journal_priority_is_weaker_proof_than_a_level() -> None:
    """The journal gives every line of a service's output the same priority."""
    level = parse('{"PRIORITY":"3","MESSAGE":"x"}').level
    assert level is not None
    assert level.basis is SeverityBasis.PRIORITY


def test_a_status_counts_where_no_level_stands() -> None:
    """An explicit level wins over an HTTP status."""
    assert parse('{"method":"GET","status":503}').level.basis is SeverityBasis.STATUS  # type: ignore[union-attr]
    assert said('{"method":"GET","status":503,"level":"info"}')[1] is LOW


def test_the_name_of_bunyan_is_a_service_and_elsewhere_a_logger() -> None:
    """Numeric levels tell bunyan and pino from the rest."""
    bunyan = parse('{"name":"a","level":30,"msg":"x","v":0}').name
    python = parse('{"name":"a","level":"INFO","message":"x"}').name
    assert bunyan is not None
    assert python is not None
    assert (bunyan.basis, python.basis) == (ServiceBasis.KEY, ServiceBasis.LOGGER)


def test_a_long_number_is_a_time_only_under_a_time_key() -> None:
    """An id of thirteen digits is not an instant."""
    assert parse('{"id":1767366245123,"msg":"x"}').stamp is None
    assert parse('{"time":12,"msg":"x"}').stamp is None


def test_the_first_time_that_names_a_moment_is_taken() -> None:
    """A stamp that could mean two days gives way to one that does not."""
    assert said(f'{{"time":"03/04/2026 10:00:00","ts":"{STAMP}","msg":"x"}}')[0] == STAMP


class TestDocker:
    """Docker's json-file: the log in a JSON string."""

    @pytest.mark.parametrize(
        ("log", "inner"),
        [
            (r"plain text\n", "plain text"),
            (r"plain text\r\n", "plain text"),
            (r"no line end", "no line end"),
            (r"time=\"x\" level=info\n", r"time=\"x\" level=info"),
            (r"{\"level\":\"error\"}\n", r"{\"level\":\"error\"}"),
            (r"tab\there\n", None),
            (r"\u001b[31mred\n", None),
        ],
    )
    def test_the_log_is_a_record_of_its_own_where_its_escapes_allow(
        self, log: str, inner: str | None
    ) -> None:
        """An escape that ends in a letter would grow onto the word behind it."""
        line = f'{{"log":"{log}","stream":"stderr","time":"{STAMP}"}}'
        parts = parse(line)
        assert parts.format == "docker-json"
        assert (parts.inner and line[slice(*parts.inner)]) == inner
        assert parts.stamp is not None

    def test_an_escaped_backslash_before_n_is_no_line_end(self) -> None:
        r"""``\\n`` is a backslash and the letter n."""
        line = r'{"log":"C:\\n","stream":"stdout"}'
        assert line[slice(*parse(line).message)] == r"C:\\n"


class TestInner:
    """Messages that are records of their own."""

    def test_a_json_message_is_one(self) -> None:
        """A record in a record is parsed in turn, whatever stands around it."""
        line = r'{"level":"info","message":"{\"level\":\"error\"}"}'
        assert line[slice(*parse(line).inner or (0, 0))] == r"{\"level\":\"error\"}"

    def test_a_message_beside_a_level_is_none(self) -> None:
        """The record's own level is not asked for again in its prose."""
        assert parse('{"level":"info","message":"ERROR budget is full"}').inner is None

    def test_a_message_without_a_level_beside_it_is_one(self) -> None:
        """Shippers wrap a whole log line as the message of a record without a level."""
        line = '{"@timestamp":"x","message":"ERROR [db] gone"}'
        assert line[slice(*parse(line).inner or (0, 0))] == "ERROR [db] gone"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["level", "log", "service", "fields", "a"]) | st.text(max_size=4),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


@given(
    others=st.dictionaries(st.text(max_size=5).map("x-{}".format), json_values, max_size=3),
    message=st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20),
    ascii_only=st.booleans(),
)
def test_what_stands_around_a_message_does_not_move_it(
    others: dict[str, Any], message: str, ascii_only: bool
) -> None:
    """Law: in any JSON object, the message's place holds exactly what the encoder wrote."""
    encoded = json.dumps(message, ensure_ascii=ascii_only)[1:-1]
    line = json.dumps({**others, "level": "error", "message": message}, ensure_ascii=ascii_only)
    parts = parse(line)
    assert parts.level is not None
    found = line[slice(*parts.message)]
    if message.isspace() and found == line:
        return
    assert encoded.startswith(found)
    assert encoded[len(found) :] in ("", r"\n", r"\r", r"\r\n")


@given(st.text(alphabet='{}[]":,\\ abelv1\n', max_size=60))
def test_any_text_is_read_within_its_bounds(tail: str) -> None:
    """Law: nothing raises, and every place lies in the stretch that was given."""
    for line in ('{"level":' + tail, '{\\"level\\":' + tail, tail):
        parts = parse_json(line, 0, len(line), NO_CONTEXT)
        if parts is not None:
            places = [parts.message, parts.inner or (0, 0)]
            places += [(it.start, it.end) for it in (parts.level, parts.name) if it is not None]
            assert all(0 <= start <= end <= len(line) for start, end in places)


HOSTILE = ['{"a":', '{"a":[', "[]", "{", "[", '"', "\\", '\\"', '\\\\\\"', '{"a":1,', " ", "a", "1"]


@pytest.mark.parametrize("start", ["", '{"a":', '{"a":"', '{\\"a\\":[', '{"level":1,', '{"log":"'])
@pytest.mark.parametrize("unit", HOSTILE)
def test_time_is_linear_on_hostile_lines(start: str, unit: str) -> None:
    """64 KiB of nesting, quotes or backslashes are read in a blink, not in minutes."""
    line = start + unit * (65_536 // len(unit))
    began = time.process_time()
    parse_json(line, 0, len(line), NO_CONTEXT)
    assert time.process_time() - began < 0.25
