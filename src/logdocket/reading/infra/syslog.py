"""Syslog and the journal's short forms, by whichever of their heads a record carries."""

from __future__ import annotations

from logdocket.reading.infra.cisco import parse_cisco
from logdocket.reading.infra.classic import parse_classic
from logdocket.reading.infra.rfc3164 import parse_syslog_3164
from logdocket.reading.infra.rfc5424 import parse_syslog_5424

__all__ = ["parse_cisco", "parse_classic", "parse_syslog_3164", "parse_syslog_5424"]
