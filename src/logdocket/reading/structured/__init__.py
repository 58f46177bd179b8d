"""Records that name their own fields: JSON objects, logfmt pairs, CEF and LEEF events."""

from logdocket.reading.structured.cef import parse_cef
from logdocket.reading.structured.json import parse_json
from logdocket.reading.structured.logfmt import parse_logfmt

__all__ = ["parse_cef", "parse_json", "parse_logfmt"]
