"""Which keys of a structured record hold its time, level, service, message and status.

Each table is in order of preference: where a record has several, the earlier row wins, and of the
same key given twice the first. Nested keys are written with dots, and a dotted name counts however
the record nests it (``{"log": {"level": …}}`` and ``{"log.level": …}``). A key is written here in
snake case and is found in every usual spelling (see :func:`spellings`).
"""

from __future__ import annotations

import enum
from typing import Final, NamedTuple

from logdocket.line import ServiceBasis


class Role(enum.IntEnum):
    """What a key holds."""

    TIME = 0
    LEVEL = 1
    SERVICE = 2
    MESSAGE = 3
    STATUS = 4
    MARK = 5
    """Nothing that is read, but it tells which program's key set this is."""


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
    HTTP = "http"
    """A record of a request, whose bare ``status`` is an HTTP status."""


class Unit(enum.StrEnum):
    """How a count since 1970 is kept where its key says so."""

    SECONDS = "s"
    MILLISECONDS = "ms"
    MICROSECONDS = "us"
    NANOSECONDS = "ns"


class Key(NamedTuple):
    """One known key: its role, its place in the order of preference, and what it tells besides."""

    role: Role
    rank: int
    scheme: Scheme = Scheme.ANY
    unit: Unit | None = None
    basis: ServiceBasis = ServiceBasis.KEY


# ECS, bunyan and pino, zap, logrus, structlog, Serilog, GCP, AWS, MongoDB, Python, NGINX, journald,
# OpenTelemetry, log4j 2 and Monolog, in the order in which one is nearer to the event than another.
_TIMES: Final[tuple[tuple[str, Scheme, Unit | None], ...]] = (
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
    ("time_iso8601", Scheme.HTTP, None),
    ("time_local", Scheme.HTTP, None),
    ("__realtime_timestamp", Scheme.ANY, Unit.MICROSECONDS),
    ("_source_realtime_timestamp", Scheme.ANY, Unit.MICROSECONDS),
    ("time_unix_nano", Scheme.OTEL, Unit.NANOSECONDS),
    ("time_millis", Scheme.ANY, Unit.MILLISECONDS),
    ("instant.epoch_second", Scheme.ANY, Unit.SECONDS),
    ("date", Scheme.ANY, None),
    ("start_utc", Scheme.HTTP, None),
    ("start_time", Scheme.HTTP, None),
    ("msec", Scheme.HTTP, Unit.SECONDS),
    ("epoch", Scheme.ANY, None),
    ("created", Scheme.ANY, None),
    ("observed_time_unix_nano", Scheme.OTEL, Unit.NANOSECONDS),
    ("observed_timestamp", Scheme.OTEL, None),
    ("receive_timestamp", Scheme.GCP, None),
    ("t", Scheme.ANY, None),
    ("T", Scheme.ANY, None),
)

_LEVELS: Final[tuple[tuple[str, Scheme], ...]] = (
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
    ("at", Scheme.ANY),
)

# What the program is called: by itself, by its collector, by what it runs in.
_SERVICES: Final[tuple[tuple[str, Scheme], ...]] = (
    ("service.name", Scheme.ANY),
    ("service", Scheme.ANY),
    ("service_name", Scheme.ANY),
    ("svc", Scheme.ANY),
    ("app.name", Scheme.ANY),
    ("app", Scheme.ANY),
    ("app_name", Scheme.ANY),
    ("application.name", Scheme.ANY),
    ("application", Scheme.ANY),
    ("application_name", Scheme.ANY),
    ("_app", Scheme.GELF),
    ("_service", Scheme.GELF),
    ("dd.service", Scheme.ANY),
    ("resource.service.name", Scheme.ANY),
    ("resource.attributes.service.name", Scheme.ANY),
    ("resource.labels.service_name", Scheme.GCP),
    ("resource.labels.function_name", Scheme.GCP),
    ("resource.labels.container_name", Scheme.GCP),
    ("resource.labels.module_id", Scheme.GCP),
    ("attributes.service.name", Scheme.ANY),
    ("syslog_identifier", Scheme.ANY),
    ("program", Scheme.ANY),
    ("program_name", Scheme.ANY),
    ("ident", Scheme.ANY),
    ("component", Scheme.ANY),
    ("c", Scheme.MONGO),
    ("event_source", Scheme.ANY),
    ("function_name", Scheme.ANY),
    ("kubernetes.labels.app", Scheme.ANY),
    ("kubernetes.container.name", Scheme.ANY),
    ("kubernetes.container_name", Scheme.ANY),
    ("k8s.container.name", Scheme.ANY),
    ("container.name", Scheme.ANY),
    ("container_name", Scheme.ANY),
    ("process.name", Scheme.ANY),
    ("process", Scheme.ANY),
    ("daemon", Scheme.ANY),
    ("job", Scheme.ANY),
)

_LOGGERS: Final[tuple[tuple[str, Scheme], ...]] = (
    ("logger", Scheme.ANY),
    ("logger_name", Scheme.ANY),
    ("logger.name", Scheme.ANY),
    ("log.logger", Scheme.ANY),
    ("source_context", Scheme.ANY),
    ("properties.source_context", Scheme.ANY),
    ("channel", Scheme.MONOLOG),
    ("category", Scheme.ANY),
    ("target", Scheme.ANY),
    ("N", Scheme.ANY),
    # In bunyan and pino the name of the program, elsewhere that of a logger.
    ("name", Scheme.PINO),
    ("module", Scheme.ANY),
    ("source", Scheme.ANY),
)

_UNITS: Final[tuple[str, ...]] = ("_systemd_unit", "systemd.unit", "unit", "_comm")

_MESSAGES: Final[tuple[tuple[str, Scheme], ...]] = (
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
    ("event_name", Scheme.ANY),
    ("request", Scheme.HTTP),
)

_STATUSES: Final[tuple[str, ...]] = (
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
)

_MARKS: Final[tuple[tuple[str, Scheme], ...]] = (
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
_TRANSPARENT: Final[tuple[str, ...]] = (
    "json_payload",
    "fields",
    "log_processed",
    "resource_logs",
    "scope_logs",
    "log_records",
)

ABSENT: Final = frozenset(
    "- -- null none nil (null) (none) <nil> <none> n/a unknown undefined unknown_service".split()
)
"""Values, in lower case, by which a record says that it has no name to give."""


def spellings(key: str) -> frozenset[str]:
    """``key`` in snake, camel, Pascal, kebab, flat, lower and upper spelling; a letter as it is.

    Each part between dots is spelt the same way: ``service.name``, ``Service.Name``.
    """
    if len(key) == 1:
        return frozenset({key})
    parts = [part.split("_") for part in key.replace("__", "\0").split(".")]
    pascal = [[word[:1].upper() + word[1:] for word in part] for part in parts]
    camel = [[part[0], *tall[1:]] for part, tall in zip(parts, pascal, strict=True)]
    snake = ".".join("_".join(part) for part in parts)
    forms = {
        snake,
        snake.upper(),
        ".".join("-".join(part) for part in parts),
        ".".join("".join(part) for part in parts),
        ".".join("".join(part) for part in camel),
        ".".join("".join(part) for part in pascal),
    }
    return frozenset(form.replace("\0", "__") for form in forms)


def _known() -> dict[str, Key]:
    rows: list[tuple[str, Key]] = []
    for rank, (name, scheme, unit) in enumerate(_TIMES):
        rows.append((name, Key(Role.TIME, rank, scheme, unit)))
    for rank, name in enumerate(_STATUSES):
        rows.append((name, Key(Role.STATUS, rank, Scheme.HTTP)))
    for role, table in ((Role.LEVEL, _LEVELS), (Role.MESSAGE, _MESSAGES), (Role.MARK, _MARKS)):
        rows += ((name, Key(role, rank, scheme)) for rank, (name, scheme) in enumerate(table))
    for rank, (name, scheme) in enumerate(_SERVICES):
        rows.append((name, Key(Role.SERVICE, rank, scheme)))
    for rank, (name, scheme) in enumerate(_LOGGERS, len(_SERVICES)):
        rows.append((name, Key(Role.SERVICE, rank, scheme, basis=ServiceBasis.LOGGER)))
    for rank, name in enumerate(_UNITS, len(_SERVICES) + len(_LOGGERS)):
        rows.append((name, Key(Role.SERVICE, rank)))
    known: dict[str, Key] = {}
    for name, key in rows:
        for spelling in sorted(spellings(name)):
            known.setdefault(spelling, key)
    return known


def _nests(known: dict[str, Key]) -> frozenset[str]:
    nests = set()
    for name in known:
        at = name.find(".")
        while at > 0:
            nests.add(name[:at])
            at = name.find(".", at + 1)
    return frozenset(nests)


KEYS: Final = _known()
"""Every known key in every spelling, nested ones with dots."""

NESTS: Final = _nests(KEYS)
"""The objects that hold known keys, with dots."""

TRANSPARENT: Final = frozenset(form for name in _TRANSPARENT for form in spellings(name))
"""The objects whose keys count as the record's own."""
