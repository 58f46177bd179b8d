"""The log shapes of infrastructure: syslog, kernels, web servers, proxies and databases.

Every parser has one signature, ``parse_x(text, start, end, context) -> Parts | None``, expects no
blank at ``start``, and is None for what is not its own shape.
"""

from __future__ import annotations

from logdocket.reading.infra.access import parse_access
from logdocket.reading.infra.apple import parse_unified
from logdocket.reading.infra.cluster import parse_cluster
from logdocket.reading.infra.columns import parse_columns
from logdocket.reading.infra.databases import (
    parse_mongodb,
    parse_mysql,
    parse_postgresql,
    parse_redis,
)
from logdocket.reading.infra.errors import parse_apache_error, parse_nginx_error
from logdocket.reading.infra.haproxy import parse_haproxy
from logdocket.reading.infra.kernel import parse_dmesg
from logdocket.reading.infra.lettered import parse_klog, parse_logcat
from logdocket.reading.infra.nagios import parse_nagios
from logdocket.reading.infra.proxifier import parse_proxifier
from logdocket.reading.infra.served import parse_served
from logdocket.reading.infra.servers import parse_chromium, parse_websphere
from logdocket.reading.infra.squid import parse_squid
from logdocket.reading.infra.syslog import (
    parse_cisco,
    parse_classic,
    parse_syslog_3164,
    parse_syslog_5424,
)

__all__ = [
    "parse_access",
    "parse_apache_error",
    "parse_chromium",
    "parse_cisco",
    "parse_classic",
    "parse_cluster",
    "parse_columns",
    "parse_dmesg",
    "parse_haproxy",
    "parse_klog",
    "parse_logcat",
    "parse_mongodb",
    "parse_mysql",
    "parse_nagios",
    "parse_nginx_error",
    "parse_postgresql",
    "parse_proxifier",
    "parse_redis",
    "parse_served",
    "parse_squid",
    "parse_syslog_3164",
    "parse_syslog_5424",
    "parse_unified",
    "parse_websphere",
]
