"""Records that name their own fields: objects, pairs, XML, CEF and LEEF events, and columns."""

from logdocket.reading.structured.cef import parse_cef
from logdocket.reading.structured.json import parse_json
from logdocket.reading.structured.logfmt import parse_logfmt
from logdocket.reading.structured.loose import parse_loose
from logdocket.reading.structured.separated import parse_separated
from logdocket.reading.structured.xml import parse_xml

__all__ = [
    "parse_cef",
    "parse_json",
    "parse_logfmt",
    "parse_loose",
    "parse_separated",
    "parse_xml",
]
