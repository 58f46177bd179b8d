"""The table of keys that name the program: itself, its logger, the unit that it runs in.

In order of preference, as the tables of :mod:`.tables`; one row is one more key understood.
"""

from __future__ import annotations

from typing import Final

from logdocket.reading.structured.tables import Scheme

# What the program is called: by itself, by its collector, by what it runs in.
SERVICES: Final[tuple[tuple[str, Scheme], ...]] = (
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
    ("service_context.service", Scheme.GCP),
    ("resource.labels.service_name", Scheme.GCP),
    ("resource.labels.function_name", Scheme.GCP),
    ("resource.labels.container_name", Scheme.GCP),
    ("resource.labels.module_id", Scheme.GCP),
    ("attributes.service.name", Scheme.ANY),
    ("syslog_identifier", Scheme.ANY),
    ("program", Scheme.ANY),
    ("program_name", Scheme.ANY),
    ("progname", Scheme.ANY),
    ("prog", Scheme.ANY),
    ("ident", Scheme.ANY),
    ("component", Scheme.ANY),
    ("comp", Scheme.ANY),
    ("subsystem", Scheme.ANY),
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
)

LOGGERS: Final[tuple[tuple[str, Scheme], ...]] = (
    ("logger", Scheme.ANY),
    ("logger_name", Scheme.ANY),
    ("logger.name", Scheme.ANY),
    ("log.logger", Scheme.ANY),
    ("source_context", Scheme.ANY),
    ("properties.source_context", Scheme.ANY),
    ("provider_name", Scheme.WINDOWS),
    ("winlog.provider_name", Scheme.WINDOWS),
    ("provider.name", Scheme.WINDOWS),
    ("source_name", Scheme.ANY),
    ("source.name", Scheme.ANY),
    ("channel", Scheme.MONOLOG),
    ("category", Scheme.ANY),
    ("category_name", Scheme.ANY),
    ("target", Scheme.ANY),
    ("N", Scheme.ANY),
    # In bunyan and pino the name of the program, elsewhere that of a logger.
    ("name", Scheme.PINO),
    ("module", Scheme.ANY),
    ("module_name", Scheme.ANY),
    ("modul", Scheme.ANY),
    ("source", Scheme.ANY),
    ("src", Scheme.ANY),
    ("ns", Scheme.ANY),
    ("dienst", Scheme.ANY),
)

DOUBTFUL: Final = frozenset({"src", "ns"})
"""Keys under which addresses and ids stand as often: their value must look like a name."""

UNITS: Final[tuple[str, ...]] = ("_systemd_unit", "systemd.unit", "unit", "_comm")
