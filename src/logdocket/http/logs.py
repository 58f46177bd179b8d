"""The service's own log: one JSON object a line on standard error, everything beyond ASCII escaped.

What strangers send can reach the log only inside JSON strings, so it can neither begin a line nor
move a terminal's cursor.
"""

from __future__ import annotations

import logging
import logging.config
from typing import Any

import structlog


def formatter() -> logging.Formatter:
    """What turns log records, ours and the libraries', into JSON."""
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.stdlib.ExtraAdder(),
            structlog.processors.TimeStamper(fmt="iso", utc=True),
        ],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            _plain_message,
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(ensure_ascii=True),
        ],
    )


def configuration(level: str) -> dict[str, Any]:
    """What ``logging.config.dictConfig`` needs for messages from ``level`` on."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": formatter}},
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "json",
                "stream": "ext://sys.stderr",
            }
        },
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            "logdocket": {"level": level.upper()},
            "uvicorn": {"level": level.upper()},
        },
    }


def set_up_log(level: str) -> None:
    """Write messages from ``level`` on as the service does, from now on."""
    logging.config.dictConfig(configuration(level))


def _plain_message(logger: object, name: str, event: Any) -> Any:
    """Drop the coloured copy of the message that uvicorn adds for terminals."""
    event.pop("color_message", None)
    return event
