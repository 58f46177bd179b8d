"""The tables of keys: which names hold a record's time, level, service, message and status.

Each is in order of preference: where a record has several, the earlier row wins. Nested keys are
written with dots, in snake case; :mod:`.keys` finds them in every usual spelling and nesting. One
row is one more key understood.
"""

from __future__ import annotations

import enum
from typing import Final


class Scheme(enum.StrEnum):
    """What a number under a level key counts by, or which key set a key belongs to."""

    ANY = "any"
    """No one key set; a number under it is read by the marks beside it."""
    PINO = "pino"
    """Bunyan and pino: 10 trace to 60 fatal."""
    PYTHON = "python"
    """Python's logging: 10 debug to 50 critical."""
    OTEL = "otel"
    """OpenTelemetry severity numbers, 1 to 24."""
    SYSLOG = "syslog"
    """RFC 5424 severities, 0 emergency to 7 debug."""
    GELF = "gelf"
    """Graylog's format; its ``level`` is a syslog severity."""
    MONOLOG = "monolog"
    """100 debug to 600 emergency, with 250 for notice."""
    GCP = "gcp"
    """Google Cloud's LogSeverity: 100 debug to 800 emergency in steps of 100."""
    MONGO = "mongo"
    """One letter: F, E, W, I, or D with a digit."""
    WINDOWS = "windows"
    """Windows' event log: 1 critical, 2 error, 3 warning, 4 information, 5 verbose."""
    HTTP = "http"
    """A record of a request, whose bare ``status`` is an HTTP status."""


class Unit(enum.StrEnum):
    """How a count since 1970 is kept where its key says so."""

    SECONDS = "s"
    MILLISECONDS = "ms"
    MICROSECONDS = "us"
    NANOSECONDS = "ns"


# ECS, bunyan and pino, zap, logrus, structlog, Serilog, GCP, AWS, MongoDB, Python, NGINX, journald,
# OpenTelemetry, log4j 2 and Monolog, in the order in which one is nearer to the event than another.
TIMES: Final[tuple[tuple[str, Scheme, Unit | None], ...]] = (
    ("@timestamp", Scheme.ANY, None),
    ("timestamp", Scheme.ANY, None),
    ("time", Scheme.ANY, None),
    ("ts", Scheme.ANY, None),
    ("@t", Scheme.ANY, None),
    ("t.$date", Scheme.MONGO, None),
    ("datetime", Scheme.ANY, None),
    ("date_time", Scheme.ANY, None),
    ("datetime.date", Scheme.ANY, None),
    ("asctime", Scheme.ANY, None),
    ("event_time", Scheme.ANY, None),
    ("log_time", Scheme.ANY, None),
    ("logged_at", Scheme.ANY, None),
    ("occurred_at", Scheme.ANY, None),
    ("event_timestamp", Scheme.ANY, None),
    ("log_timestamp", Scheme.ANY, None),
    ("timestamp_utc", Scheme.ANY, None),
    ("time_utc", Scheme.ANY, None),
    ("utc_time", Scheme.ANY, None),
    ("local_time", Scheme.ANY, None),
    ("timestamp_ms", Scheme.ANY, Unit.MILLISECONDS),
    ("time_ms", Scheme.ANY, Unit.MILLISECONDS),
    ("ts_ms", Scheme.ANY, Unit.MILLISECONDS),
    ("time_created", Scheme.WINDOWS, None),
    ("time_created.system_time", Scheme.WINDOWS, None),
    ("when", Scheme.ANY, None),
    ("instant", Scheme.ANY, None),
    ("zeit", Scheme.ANY, None),
    ("zeitpunkt", Scheme.ANY, None),
    ("zeitstempel", Scheme.ANY, None),
    ("horodatage", Scheme.ANY, None),
    ("fecha", Scheme.ANY, None),
    ("time_iso8601", Scheme.HTTP, None),
    ("time_local", Scheme.HTTP, None),
    ("__realtime_timestamp", Scheme.ANY, Unit.MICROSECONDS),
    ("_source_realtime_timestamp", Scheme.ANY, Unit.MICROSECONDS),
    ("time_unix_nano", Scheme.OTEL, Unit.NANOSECONDS),
    ("time_millis", Scheme.ANY, Unit.MILLISECONDS),
    ("instant.epoch_second", Scheme.ANY, Unit.SECONDS),
    ("timestamp.seconds", Scheme.GCP, Unit.SECONDS),
    ("timestamp_seconds", Scheme.GCP, Unit.SECONDS),
    ("time.seconds", Scheme.ANY, Unit.SECONDS),
    ("date", Scheme.ANY, None),
    ("datum", Scheme.ANY, None),
    ("millis", Scheme.ANY, Unit.MILLISECONDS),
    ("start_utc", Scheme.HTTP, None),
    ("start_time", Scheme.HTTP, None),
    ("msec", Scheme.HTTP, Unit.SECONDS),
    ("epoch", Scheme.ANY, None),
    ("created", Scheme.ANY, None),
    ("created_at", Scheme.ANY, None),
    ("last_timestamp", Scheme.ANY, None),
    ("stage_timestamp", Scheme.ANY, None),
    ("timestamp.$date", Scheme.ANY, None),
    ("time.$date", Scheme.ANY, None),
    ("ts.$date", Scheme.ANY, None),
    ("observed_time_unix_nano", Scheme.OTEL, Unit.NANOSECONDS),
    ("observed_timestamp", Scheme.OTEL, None),
    ("receive_timestamp", Scheme.GCP, None),
    ("t", Scheme.ANY, None),
    ("T", Scheme.ANY, None),
)

# Protobuf's and log4j's way: whole seconds under one key, the rest under another.
NANOS: Final[dict[str, str]] = {
    "timestamp.nanos": "timestamp.seconds",
    "timestamp_nanos": "timestamp_seconds",
    "time.nanos": "time.seconds",
    "instant.nano_of_second": "instant.epoch_second",
}

LEVELS: Final[tuple[tuple[str, Scheme], ...]] = (
    ("level_name", Scheme.ANY),
    ("level", Scheme.ANY),
    ("log.level", Scheme.ANY),
    ("lvl", Scheme.ANY),
    ("log_level", Scheme.ANY),
    ("severity_text", Scheme.ANY),
    ("severity", Scheme.ANY),
    ("level.name", Scheme.ANY),
    ("@l", Scheme.ANY),
    ("L", Scheme.ANY),
    ("severity_number", Scheme.OTEL),
    ("levelno", Scheme.PYTHON),
    ("level_number", Scheme.PYTHON),
    ("log.syslog.severity.name", Scheme.ANY),
    ("log.syslog.severity.code", Scheme.SYSLOG),
    ("syslog_severity", Scheme.SYSLOG),
    ("s", Scheme.MONGO),
    ("priority", Scheme.SYSLOG),
    ("sev", Scheme.ANY),
    ("log_severity", Scheme.ANY),
    ("lv", Scheme.ANY),
    ("l", Scheme.ANY),
    ("level_text", Scheme.ANY),
    ("level_display_name", Scheme.ANY),
    ("severity_label", Scheme.ANY),
    ("type", Scheme.ANY),
)

SURE_LEVELS: Final = frozenset("debug info information warn warning error fatal critical".split())
"""What ``type`` must say, in any case, to state a level: it is mostly some other kind."""


MESSAGES: Final[tuple[tuple[str, Scheme], ...]] = (
    ("msg", Scheme.PINO),
    ("message", Scheme.ANY),
    ("short_message", Scheme.GELF),
    ("text_payload", Scheme.GCP),
    ("@m", Scheme.ANY),
    ("rendered_message", Scheme.ANY),
    ("body", Scheme.ANY),
    ("body.string_value", Scheme.OTEL),
    ("body.value", Scheme.OTEL),
    ("M", Scheme.ANY),
    ("log", Scheme.ANY),
    ("event", Scheme.ANY),
    ("@mt", Scheme.ANY),
    ("message_template", Scheme.ANY),
    ("text", Scheme.ANY),
    ("txt", Scheme.ANY),
    ("m", Scheme.ANY),
    ("meldung", Scheme.ANY),
    ("nachricht", Scheme.ANY),
    ("mensaje", Scheme.ANY),
    ("full_message", Scheme.GELF),
    ("error_message", Scheme.ANY),
    ("err.message", Scheme.ANY),
    ("error.message", Scheme.ANY),
    ("exception.message", Scheme.ANY),
    ("error", Scheme.ANY),
    ("err", Scheme.ANY),
    ("exception", Scheme.ANY),
    ("@x", Scheme.ANY),
    ("reason", Scheme.ANY),
    ("description", Scheme.ANY),
    ("desc", Scheme.ANY),
    ("event_name", Scheme.ANY),
    ("request", Scheme.HTTP),
)

STATUSES: Final[tuple[str, ...]] = (
    "status_code",
    "http_status",
    "http_status_code",
    "http.response.status_code",
    "http.status_code",
    "http_request.status",
    "response_code",
    "response_status",
    "response.status_code",
    "response.status",
    "res.status_code",
    "downstream_status",
    "origin_status",
    "status",
    # Heroku's router: ``at=info`` stands beside any status, ``at=error`` beside its own faults.
    "at",
)

MARKS: Final[tuple[tuple[str, Scheme], ...]] = (
    ("v", Scheme.PINO),
    ("pid", Scheme.PINO),
    ("hostname", Scheme.PINO),
    ("host", Scheme.GELF),
    ("trace_flags", Scheme.OTEL),
    ("trace_id", Scheme.OTEL),
    ("instrumentation_scope", Scheme.OTEL),
    ("insert_id", Scheme.GCP),
    ("json_payload", Scheme.GCP),
    ("method", Scheme.HTTP),
    ("http_method", Scheme.HTTP),
    ("request_method", Scheme.HTTP),
    ("request_uri", Scheme.HTTP),
    ("uri", Scheme.HTTP),
    ("url", Scheme.HTTP),
    ("path", Scheme.HTTP),
)

# Objects that only carry the record itself: what is in them counts as if it stood outside, but
# after what does.
CARRIERS: Final[tuple[str, ...]] = (
    "json_payload",
    "_source",
    "fields",
    "payload",
    "record",
    "message",
    "msg",
    "log_processed",
    "resource_logs",
    "scope_logs",
    "log_records",
)

UNASSIGNED: Final = frozenset({"default", "DEFAULT", "Default"})
"""Under a level key: Google Cloud's word for a record that was given no level."""

ABSENT: Final = frozenset(
    "- -- null none nil (null) (none) <nil> <none> n/a unknown undefined unknown_service".split()
)
"""Values, in lower case, by which a record says that it has no name to give."""
