"""What applications write: the heads of their loggers, and the lines by which they end."""

from logdocket.reading.apps.erlang import parse_erlang
from logdocket.reading.apps.head import parse_head
from logdocket.reading.apps.levelled import parse_levelled
from logdocket.reading.apps.requests import request_status
from logdocket.reading.apps.ruby import parse_ruby
from logdocket.reading.apps.traces import parse_trace

__all__ = [
    "parse_erlang",
    "parse_head",
    "parse_levelled",
    "parse_ruby",
    "parse_trace",
    "request_status",
]
