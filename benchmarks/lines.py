"""Distinct synthetic log lines of many formats: the same lines for the same count, on any machine.

A format is a pattern and nothing more; to measure another, add a line to :data:`FORMATS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from string import Template
from typing import Final

FORMATS: Final[dict[str, str]] = {
    "json": '{"time":"${iso}.${us}Z","level":"$level","service":"$service","msg":"$message"}',
    "json pino": '{"level":$pino,"time":$epoch$ms,"pid":$pid,"hostname":"$host","name":"$service",'
    '"reqId":"$n","msg":"$message"}',
    "json ecs": '{"@timestamp":"${iso}.${ms}Z","log.level":"$LEVEL","message":"$message",'
    '"ecs.version":"1.6.0","service.name":"$service","process.pid":$pid,"trace.id":"$hex$hex"}',
    "json zap": '{"level":"$level","ts":$epoch.$us,"logger":"$service","caller":"api/call.go:$pid",'
    '"msg":"$message","elapsed":0.$ms}',
    "json serilog": '{"Timestamp":"${iso}.${us}1Z","Level":"$Level","MessageTemplate":"{Message}",'
    '"RenderedMessage":"$message","Properties":{"Application":"$service","RequestId":"$n"}}',
    "json cloud": '{"severity":"$LEVEL","timestamp":"${iso}.${us}Z","jsonPayload":{"message":'
    '"$message"},"resource":{"type":"k8s_container","labels":{"container_name":"$service"}}}',
    "json journal": '{"__REALTIME_TIMESTAMP":"$epoch$us","PRIORITY":"$priority","_PID":"$pid",'
    '"SYSLOG_IDENTIFIER":"$service","_HOSTNAME":"$host","MESSAGE":"$message"}',
    "json otel": '{"timeUnixNano":"$epoch${us}000","severityText":"$LEVEL","body":{"stringValue":'
    '"$message"},"attributes":[{"key":"service.name","value":{"stringValue":"$service"}}]}',
    "logfmt": 'time=${iso}Z level=$level service=$service msg="$message" took=${ms}ms',
    "logfmt logrus": 'time="${iso}Z" level=$level msg="$message" component=$service attempt=3',
    "syslog 5424": "<$pri>1 ${iso}.${ms}Z $host $service $pid ID47 - $message",
    "syslog 5424 data": '<$pri>1 ${iso}.${us}Z $host $service $pid - [meta seq="$n" ip="$ip"] '
    "$message",
    "syslog 3164": "<$pri>$bsd $host $service[$pid]: $message",
    "syslog no priority": "$bsd $host $service[$pid]: $message",
    "syslog sshd": "$bsd $host sshd[$pid]: Failed password for invalid user u$n from $ip port $port"
    " ssh2",
    "log4j": "$iso,$ms $LEVEL [worker-$pid] org.example.$service.Handler - $message",
    "logback": "${day} $clock.$ms [exec-$pid] $LEVEL o.e.$service.Handler - $message",
    "spring": "${day} $clock.$ms  $LEVEL $pid --- [nio-80-exec-3] o.e.$service.Handler : $message",
    "python": "${day} $clock,$ms - $service.tasks - $LEVEL - $message",
    "python basic": "$LEVEL:$service.tasks:$message",
    "loguru": "${day} $clock.$ms | $LEVEL | $service.tasks:run:$pid - $message",
    "ruby": "$L, [$iso.$us #$pid]  $LEVEL -- $service: $message",
    "go log": "$slashed $clock $service: $message",
    "rust tracing": "${iso}.${us}Z  $LEVEL $service::worker: $message id=$n",
    "dotnet": "${iso}.${ms}Z $lvl: Example.$service.Handler[$pid] $message",
    "klog": "$L$md $clock.$us $pid handler.go:$ms] $message",
    "logcat": "$mdash $clock.$ms  $pid  $pid $L $service: $message",
    "access common": '$ip - - [$clf] "GET /$service/$n HTTP/1.1" $status $port',
    "access combined": '$ip - u$pid [$clf] "POST /$service?id=$n HTTP/2.0" $status $port '
    '"https://shop.example/" "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0"',
    "apache error": "[$ctime.$us $year] [$service:$level] [pid $pid:tid $port] [client $ip:$port] "
    "AH00$ms: $message",
    "nginx error": "$slashed $clock [$level] $pid#$pid: *$n $message, client: $ip, server: "
    'shop.example, request: "GET /$service HTTP/1.1"',
    "haproxy": "$bsd $host haproxy[$pid]: $ip:$port [$hap] http-in $service/$host 0/0/1/$ms/$ms "
    '$status $port - - ---- 9/8/7/6/0 0/0 "GET /items/$n HTTP/1.1"',
    "envoy": '[${iso}.${ms}Z] "GET /$service/$n HTTP/1.1" $status - 0 $port $ms 1 "-" "probe/1" '
    '"$hex" "shop.example" "$ip:$port"',
    "postgresql": '${day} $clock.$ms UTC [$pid] app@$service ERROR:  relation "t$n" does not exist',
    "mysql": "${iso}.${us}Z $n [Warning] [MY-01$pid] [Server] $message",
    "redis": "$pid:M $redis.$ms * Background saving started by pid $n",
    "mongodb": '{"t":{"$$date":"${iso}.${ms}+00:00"},"s":"W","c":"NETWORK","id":$pid,'
    '"ctx":"conn$n","msg":"$message","attr":{"remote":"$ip:$port"}}',
    "kubernetes cri": "${iso}.${us}000Z stdout F $message",
    "kubernetes cri json": '${iso}.${us}000Z stderr F {"level":"$level","ts":"${iso}Z",'
    '"service":"$service","msg":"$message"}',
    "compose": "$service-1  | ${iso}.${ms}Z $LEVEL $message",
    "docker json": '{"log":"$iso $LEVEL $service: $message\\n","stream":"stderr","time":'
    '"${iso}.${us}000Z"}',
    "dmesg": "[$pid.$us] $service $port:00: $message",
    "cisco": "$bsd $host %ASA-4-106023: Deny tcp src outside:$ip/$port dst inside:192.0.2.9/443 "
    "id $n",
    "cef": "CEF:0|Example|Gate|1.2|$pid|$message|7|src=$ip dst=192.0.2.9 rt=$epoch$ms cnt=$n",
    "leef": "LEEF:2.0|Example|Vault|4.0|$pid|^|devTime=${iso}.${ms}Z^sev=8^src=$ip^usrName=u$n",
    "java trace": "java.lang.IllegalStateException: pool $n of $service closed after $ms ms",
    "node trace": "TypeError: Cannot read properties of undefined (reading 'u$n')",
    "heroku": "${iso}.${us}+00:00 app[$service.1]: $message",
    "bracketed": "[${iso}.${ms}Z] [$LEVEL] [$service] $message",
    "head": "${iso}Z $LEVEL $service: $message",
    "plain": "$message",
    "plain words": "the queue of $service holds $n items and its consumer has gone home",
}
"""Patterns of :class:`string.Template` by the name of their format."""

# level, LEVEL, priority, pino, the letter, .NET's four letters
_LEVELS: Final = (
    ("info", "INFO", 6, 30, "I", "info"),
    ("error", "ERROR", 3, 50, "E", "fail"),
    ("warn", "WARN", 4, 40, "W", "warn"),
    ("info", "INFO", 6, 30, "I", "info"),
    ("debug", "DEBUG", 7, 20, "D", "dbug"),
)
_SERVICES: Final = ("payments", "checkout", "search", "mail-relay", "auth", "ledger_sync", "edge")
_MESSAGES: Final = (
    "request $n finished in $ms ms",
    "card network timed out after $ms ms, order $n",
    "connection to $ip:$port refused (try $n)",
    "user u$n logged in from $ip",
    "batch $n: 128 rows written, 0 errors",
    "cache miss for key item:$n, falling back to the database",
    "could not parse the upload of tenant $n: unexpected end of input at byte $port",
    "slow query took $ms ms: select on orders where id = $n",
    "job $n done",
)
_START: Final = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def lines(count: int, only: str | None = None) -> Iterator[str]:
    """``count`` distinct lines, the formats by turns; or of the one format ``only``."""
    named = FORMATS if only is None else {only: FORMATS[only]}
    patterns = [Template(pattern) for pattern in named.values()]
    messages = [Template(message) for message in _MESSAGES]
    for number in range(count):
        values = _values(number)
        values["message"] = messages[number % len(messages)].substitute(values)
        yield patterns[number % len(patterns)].substitute(values)


def _values(number: int) -> dict[str, object]:
    """What the places of the patterns hold in line ``number``."""
    level, upper, priority, pino, letter, short = _LEVELS[number // 3 % len(_LEVELS)]
    mixed = number * 2_654_435_761 % 2**32
    at = _START + timedelta(seconds=number % 86_000)
    day = at.strftime("%Y-%m-%d")
    clock = at.strftime("%H:%M:%S")
    return {
        "n": number + 100_000,
        "iso": f"{day}T{clock}",
        "day": day,
        "clock": clock,
        "year": at.year,
        "ms": f"{mixed % 1000:03d}",
        "us": f"{mixed % 1_000_000:06d}",
        "epoch": int(at.timestamp()),
        "bsd": at.strftime("%b %e %H:%M:%S"),
        "clf": at.strftime("%d/%b/%Y:%H:%M:%S +0000"),
        "hap": at.strftime("%d/%b/%Y:%H:%M:%S.") + f"{mixed % 1000:03d}",
        "ctime": at.strftime("%a %b %d %H:%M:%S"),
        "redis": at.strftime("%d %b %Y %H:%M:%S"),
        "slashed": at.strftime("%Y/%m/%d"),
        "md": at.strftime("%m%d"),
        "mdash": at.strftime("%m-%d"),
        "level": level,
        "Level": level.capitalize(),
        "LEVEL": upper,
        "L": letter,
        "lvl": short,
        "priority": priority,
        "pri": 8 + priority,
        "pino": pino,
        "service": _SERVICES[number // 2 % len(_SERVICES)],
        "host": f"web-{mixed % 9}.example",
        "pid": 1000 + mixed % 9000,
        "ip": f"192.0.2.{mixed % 255}",
        "port": 1024 + mixed % 60_000,
        "status": (200, 404, 200, 503, 304)[mixed % 5],
        "hex": f"{mixed:08x}{mixed ^ 0x5BD1E995:08x}",
    }
