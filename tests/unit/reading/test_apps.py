from __future__ import annotations

import pytest

from logdocket.line import NO_CONTEXT, Line, ServiceBasis, SeverityBasis, TimestampWhy
from logdocket.reading import read
from logdocket.reading.apps import parse_head, parse_levelled
from logdocket.reading.parts import Parts

AT = "2031-05-06T07:08:09"

# line, time (None: not asked), severity, service, message. One row is one layout.
HEADS = [
    # log4j, logback, java.util.logging and their kin
    (
        "2031-05-06 07:08:09,123 INFO [main] com.acme.orders.OrderStore: opened",
        f"{AT}.123",
        "low",
        "com.acme.orders.OrderStore",
        "opened",
    ),
    (
        "2031-05-06 07:08:09.123 [http-nio-8080-exec-1] ERROR c.a.o.Orders - order 7 is lost",
        f"{AT}.123",
        "high",
        "c.a.o.Orders",
        "order 7 is lost",
    ),
    (
        "07:08:09.123 [main] WARN  com.acme.App -- low on memory",
        None,
        "medium",
        "com.acme.App",
        "low on memory",
    ),
    (
        "2031-05-06 07:08:09.123  INFO 12345 --- [           main] c.acme.DemoApp   : Hello",
        f"{AT}.123",
        "low",
        "c.acme.DemoApp",
        "Hello",
    ),
    (
        "2031-05-06T07:08:09.123+02:00  WARN 1 --- [orders] [nio-8080-exec-1] o.s.web.Handler : x",
        f"{AT}.123+02:00",
        "medium",
        "o.s.web.Handler",
        "x",
    ),
    (
        "2031-05-06 07:08:09,123 - WARN  [Peer[id=1]/0:0:0:0:2181:LeaderElection@774] - timed out",
        f"{AT}.123",
        "medium",
        "LeaderElection",
        "timed out",
    ),
    (
        "INFO  [main] 2031-05-06 07:08:09,123 RingDaemon.java:123 - Node ready",
        f"{AT}.123",
        "low",
        "RingDaemon",
        "Node ready",
    ),
    (
        "06-May-2031 07:08:09.123 INFO [main] org.acme.startup.Engine.start Engine is up",
        f"{AT}.123",
        "low",
        "org.acme.startup.Engine.start",
        "Engine is up",
    ),
    (
        "2031-05-06 07:08:09.123:WARN:oejs.Server:Low on threads",
        f"{AT}.123",
        "medium",
        "oejs.Server",
        "Low on threads",
    ),
    (
        "[2031-05-06 07:08:09,123] WARN Socket closed by peer (acme.network.Processor)",
        f"{AT}.123",
        "medium",
        "acme.network.Processor",
        "Socket closed by peer (acme.network.Processor)",
    ),
    # Elasticsearch and other bracketed heads
    (
        "[2031-05-06T07:08:09,123][WARN ][o.e.n.Node               ] [node-1] disk is filling",
        f"{AT}.123",
        "medium",
        "o.e.n.Node",
        "disk is filling",
    ),
    (
        "[2031-05-06T07:08:09Z] [ERROR] [payments] card declined",
        f"{AT}Z",
        "high",
        "payments",
        "card declined",
    ),
    ("[07:08:09] [Server thread/INFO]: Done (3.2s)!", None, "low", None, "Done (3.2s)!"),
    ("[2031-05-06 07:08:09 +0000] [1234] [INFO] Booting", f"{AT}Z", "low", None, "Booting"),
    # Python
    ("WARNING:root:disk almost full", None, "medium", None, "disk almost full"),
    ("ERROR:acme.pool:Retrying in 3 s", None, "high", "acme.pool", "Retrying in 3 s"),
    (
        "2031-05-06 07:08:09,123 - acme.jobs - INFO - done: 3",
        f"{AT}.123",
        "low",
        "acme.jobs",
        "done: 3",
    ),
    ("2031-05-06 07:08:09,123 - root - ERROR - foo: bar", f"{AT}.123", "high", None, "foo: bar"),
    (
        "[2031-05-06 07:08:09,123: ERROR/ForkPoolWorker-1] Task 7 raised",
        f"{AT}.123",
        "high",
        None,
        "Task 7 raised",
    ),
    (
        "2031-05-06 07:08:09.123 | WARNING  | acme.jobs:run:42 - queue is long",
        f"{AT}.123",
        "medium",
        "acme.jobs",
        "queue is long",
    ),
    (
        "[E 2031-05-06 07:08:09.123 ServerApp] no kernel",
        f"{AT}.123",
        "high",
        "ServerApp",
        "no kernel",
    ),
    # Ruby
    (
        "E, [2031-05-06T07:08:09.123456 #42] ERROR -- billing: card declined",
        f"{AT}.123456",
        "high",
        "billing",
        "card declined",
    ),
    (
        'I, [2031-05-06T07:08:09.123456 #42]  INFO -- : Started GET "/"',
        f"{AT}.123456",
        "low",
        None,
        'Started GET "/"',
    ),
    # Go
    ("2031/05/06 07:08:09 main.go:12: listening on :8080", AT, "low", None, "listening on :8080"),
    ("2031/05/06 07:08:09 [ERROR] cannot dial", AT, "high", None, "cannot dial"),
    (
        "2031-05-06 07:08:09.123456 E | etcdserver: lost leader",
        f"{AT}.123456",
        "high",
        "etcdserver",
        "lost leader",
    ),
    (
        "2031-05-06T07:08:09.123Z [WARN]  agent.server: joined late",
        f"{AT}.123Z",
        "medium",
        "agent.server",
        "joined late",
    ),
    (
        "2031-05-06T07:08:09.000Z\terror\tbilling\tcard declined",
        f"{AT}.000Z",
        "high",
        "billing",
        "card declined",
    ),
    # Rust
    (
        "[2031-05-06T07:08:09Z WARN  my_crate::net] slow peer",
        f"{AT}Z",
        "medium",
        "my_crate::net",
        "slow peer",
    ),
    (
        '2031-05-06T07:08:09.123456Z ERROR request{id=1 path="/a"}: my_crate::api: no body',
        f"{AT}.123456Z",
        "high",
        "my_crate::api",
        "no body",
    ),
    (
        "\x1b[2m2031-05-06T07:08:09.123456Z\x1b[0m \x1b[33m WARN\x1b[0m "
        "\x1b[2mmy_crate\x1b[0m\x1b[2m:\x1b[0m slow",
        f"{AT}.123456Z",
        "medium",
        "my_crate",
        "slow",
    ),
    # .NET
    ("fail: Acme.Orders.Worker[0] No database", None, "high", "Acme.Orders.Worker", "No database"),
    ("[07:08:09 WRN] Slow request", None, "medium", None, "Slow request"),
    (
        "2031-05-06 07:08:09.123 +02:00 [ERR] No database",
        f"{AT}.123+02:00",
        "high",
        None,
        "No database",
    ),
    (
        "2031-05-06 07:08:09.1234|WARN|Acme.Orders|Slow",
        f"{AT}.1234",
        "medium",
        "Acme.Orders",
        "Slow",
    ),
    # PHP
    (
        "[06-May-2031 07:08:09 UTC] PHP Warning:  Undefined index in /srv/a.php",
        f"{AT}Z",
        "medium",
        "PHP",
        "Undefined index in /srv/a.php",
    ),
    ("[2031-05-06 07:08:09] shop.CRITICAL: Out of stock", AT, "critical", "shop", "Out of stock"),
    # Columns
    (
        "2031-05-06 07:08:09, Warning               CBS    Stack is old",
        AT,
        "medium",
        "CBS",
        "Stack is old",
    ),
    (
        "- 1935990000 2031.05.08 R02-M1 2031-05-08-15.42.50.675872 R02-M1 RAS KERNEL INFO mended",
        None,
        "low",
        "KERNEL",
        "mended",
    ),
    (
        "20310506-07:08:09:606|Step_Counter|30002312|step 3579",
        f"{AT}.606",
        "low",
        "Step_Counter",
        "step 3579",
    ),
    # Pairs in a head
    (
        "ERROR | svc=payments | 2031-05-06T07:08:09Z | declined",
        f"{AT}Z",
        "high",
        "payments",
        "declined",
    ),
    (
        "2031-05-06T07:08:09Z app=billing WARN slow query",
        f"{AT}Z",
        "medium",
        "billing",
        "slow query",
    ),
    # Angle and round brackets, semicolons, commas
    (f"{AT} <error> NetGuard: no route", AT, "high", "NetGuard", "no route"),
    ("NetGuard[12]: <warn>  [1935990000.125] no lease", None, "medium", "NetGuard", "no lease"),
    (f"({AT}) ERROR auth: locked", AT, "high", "auth", "locked"),
    (f"{AT},1 ERROR [acme.Orders] (default task-1) gone", f"{AT}.1", "high", "acme.Orders", "gone"),
    (f"{AT} INFO (acme.Orders) [a1] up", AT, "low", "acme.Orders", "up"),
    (f"{AT} INFO [acme.Orders:42] up", AT, "low", "acme.Orders", "up"),
    (f"{AT};ERROR;payments-api;declined", AT, "high", "payments-api", "declined"),
    (f"{AT},ERROR,payments-api,declined", AT, "high", "payments-api", "declined"),
    (f">>> {AT} ERROR auth: locked", AT, "high", "auth", "locked"),
    (f"{AT}Z [ERROR] billing - declined", f"{AT}Z", "high", "billing", "declined"),
    (f"{AT} WARN [service=billing] slow", AT, "medium", "billing", "slow"),
    (f"{AT} WARN [svc: billing] slow", AT, "medium", "billing", "slow"),
    (f"{AT} WARN [billing,4bf92f3577b34da6,a3ce929d0e0e4736] x", AT, "medium", "billing", "x"),
    (f"{AT} WARN [user=someone] slow", AT, "medium", None, "slow"),
    # An object behind a head that names no one
    (f'{AT} WARN {{"service":"billing","level":"info","msg":"x"}}', AT, "medium", "billing", "x"),
    # The level first
    (f"E {AT} payments-api: declined", AT, "high", "payments-api", "declined"),
    (f"ERROR payments-api {AT}Z declined", f"{AT}Z", "high", "payments-api", "declined"),
    # A name, a level and little else
    (
        "payments ERROR 2031-05-06T07:08:09Z card declined",
        f"{AT}Z",
        "high",
        "payments",
        "card declined",
    ),
    (
        "2031-05-06T07:08:09Z payments ERROR card declined",
        f"{AT}Z",
        "high",
        "payments",
        "card declined",
    ),
    ("ERROR payments: card declined", None, "high", "payments", "card declined"),
    ("payments: error: card declined", None, "high", "payments", "card declined"),
    ("gateway: [emerg] no port left", None, "critical", "gateway", "no port left"),
    # ClickHouse, fail2ban, OpenStack, Jenkins, Asterisk, SQL Server
    (
        "2031.05.06 07:08:09.123456 [ 1 ] {abc-123} <Error> TCPHandler: table x is gone",
        f"{AT}.123456",
        "high",
        "TCPHandler",
        "table x is gone",
    ),
    (
        "2031-05-06 07:08:09,123 gate.actions        [12]: NOTICE  [ssh] Ban 192.0.2.1",
        f"{AT}.123",
        "low",
        "gate.actions",
        "Ban 192.0.2.1",
    ),
    (
        "nova.log.1.2031-05-06_13:53:08 2031-05-06 07:08:09.123 25746 ERROR orders.store [-] gone",
        f"{AT}.123",
        "high",
        "orders.store",
        "gone",
    ),
    (
        "api.log.1.2031-05-06_13:53:08 2031-05-06 07:08:09.123 7 CRITICAL orders [req-1 - -] gone",
        f"{AT}.123",
        "critical",
        "orders",
        "gone",
    ),
    (
        "2031-05-06T07:08:09 Information Acme-Windows-Audit 4625 A logon failed",
        AT,
        "low",
        None,
        "Information Acme-Windows-Audit 4625 A logon failed",
    ),
    (
        "2031-05-06 07:08:09.123+0000 [id=42]\tWARNING\tacme.model.Store#verify: late",
        f"{AT}.123Z",
        "medium",
        "acme.model.Store",
        "late",
    ),
    (
        "[2031-05-06 07:08:09] ERROR[123][C-1]: chan.c:12 handle_request: gone",
        AT,
        "high",
        None,
        "handle_request: gone",
    ),
    (
        "2031-05-06 07:08:09.12 spid51      Error: 18456, Severity: 14, State: 8.",
        f"{AT}.12",
        "high",
        None,
        "18456, Severity: 14, State: 8.",
    ),
    # Monolog: a channel is a logger, but Laravel's is where it runs
    ("[2031-05-06 07:08:09] billing.ERROR: gone", AT, "high", "billing", "gone"),
    ("[2031-05-06 07:08:09] production.ERROR: gone", AT, "high", None, "gone"),
    # A level and its logger in one bracket; a logger in round or angle brackets
    (
        "2031-05-06 07:08:09,123 (worker-4) [INFO - com.acme.Sink.open(Sink.java:12)] opened",
        f"{AT}.123",
        "low",
        "com.acme.Sink.open",
        "opened",
    ),
    (
        "2031-05-06 07:08:09,123 ERROR [SinkRunner-PollingRunner] (com.acme.Sink.run:447)  - gone",
        f"{AT}.123",
        "high",
        "com.acme.Sink.run",
        "gone",
    ),
    ("[WARN com.acme.Tide] 2031-05-06 07:08:09 late", AT, "medium", "com.acme.Tide", "late"),
    ("2031-05-06 07:08:09 [cart] [ERROR/main] gone", AT, "high", "cart", "gone"),
    ("<2031-05-06T07:08:09> <Warning> <Ferry> <FE-1> late", AT, "medium", "Ferry", "late"),
    ("05/06/2031 07:08:09.12 <Erro:Hull.Pump> gone", None, "high", "Hull.Pump", "gone"),
    ("[07:08:09.123] ERROR (cart-api/1204): gone", None, "high", "cart-api", "gone"),
    (
        "[2031-05-06T07:08:09.123Z] ERROR: cart-api/1204 on web-1.example: gone",
        f"{AT}.123Z",
        "high",
        "cart-api",
        "gone",
    ),
    # Columns: of two, the dotted one is the logger
    (
        "2031-05-06T07:08:09.123Z\tINFO\tmain\tcom.acme.Server\t== up ==",
        f"{AT}.123Z",
        "low",
        "com.acme.Server",
        "== up ==",
    ),
    (
        "2031-05-06T07:08:09.123Z\tERROR\tQuery-2031_7\tcom.acme.Query\tgone",
        f"{AT}.123Z",
        "high",
        "com.acme.Query",
        "gone",
    ),
    # Letters, grades, distances, braces, keys, and words of other tongues
    ("2031-05-06 07:08:09 E gone for good", AT, "high", None, "gone for good"),
    ("2031-05-06 07:08:09 I ferry: moored", AT, "low", "ferry", "moored"),
    ("2031-05-06 07:08:09 <E> gone", AT, "high", None, "gone"),
    ("1936768089\tW\tferry.deck\twet", "2031-05-17T07:08:09Z", "medium", "ferry.deck", "wet"),
    ("E: no such berth", None, "high", None, "no such berth"),
    ("[2031-05-06T07:08:09.123] debug2: error count is 0", f"{AT}.123", "low", None, None),
    ("2031-05-06T07:08:09Z WARN+2 late", f"{AT}Z", "medium", None, "late"),
    ("2031-05-06T07:08:09Z DEBUG-4 error probe", f"{AT}Z", "low", None, "error probe"),
    ("2031-05-06 07:08:09 {ERROR} gone", AT, "high", None, "gone"),
    ("2031-05-06 07:08:09 FEHLER: weg", AT, "high", None, "weg"),
    ("2031-05-06 07:08:09 [ПРЕДУПРЕЖДЕНИЕ] поздно", AT, "medium", None, "поздно"),
    ("2031-05-06 07:08:09 [エラー] 港: なし", AT, "high", None, None),
    # Nest and MySQL have levels that are words elsewhere
    ("[Nest] 7  - 05/06/2031, 7:08:09 AM     LOG [Router] up", None, "low", "Router", "up"),
    # Python, Django, structlog, Node's debug: a name that only its place tells
    ("2031-05-06 07:08:09 ferry.deck Rope slipped", AT, "low", "ferry.deck", None),
    (
        'WARNING 2031-05-06 07:08:09,123 basehttp 4120 140220 "GET /x HTTP/1.1" 404 22',
        f"{AT}.123",
        "medium",
        "basehttp",
        None,
    ),
    (
        "2031-05-06T07:08:09.1Z [warning  ] near limit              [ferry.quota] limit=5",
        f"{AT}.1Z",
        "medium",
        "ferry.quota",
        None,
    ),
    ("2031-05-06T07:08:09.123Z ferry:deck wet", f"{AT}.123Z", "low", "ferry:deck", None),
    # A module behind the level, a level behind its name, a facility, a listing, a place in a file
    ("[2031-05-06 07:08:09,123] ERROR in ferry: gone", f"{AT}.123", "high", "ferry", "gone"),
    ("2031-05-06 07:08:09 INFO in all, 7 boats", AT, "low", None, None),
    ("ferry:WARN No ropes", None, "medium", "ferry", "No ropes"),
    ("ferry:error 2031-05-06 07:08:09: gone", AT, "high", "ferry", "gone"),
    ("level:debug msg:x ERROR", None, "low", None, None),
    ("2031-05-06 07:08:09 Kernel.Warning 192.0.2.1 wet", AT, "medium", None, None),
    ("[07:08:09][C][ferry:504]: Ropes: 7", None, "low", "ferry", None),
    (
        "[ferry:error,2031-05-06T07:08:09.1Z,ns_1@x:y<0.1.0>:z:1]gone",
        f"{AT}.1Z",
        "high",
        "ferry",
        "gone",
    ),
    # Celery's process behind the level; ActiveMQ's columns behind the message
    (
        "2031-05-06 07:08:09,123 ERROR/ForkPoolWorker-1 ferry.deck: gone",
        f"{AT}.123",
        "high",
        "ferry.deck",
        "gone",
    ),
    (
        "2031-05-06 07:08:09,123 | ERROR | No berth | com.acme.Ferry | ActiveMQ Transport: 7",
        f"{AT}.123",
        "high",
        "com.acme.Ferry",
        None,
    ),
    # No names: attributes, files, phrases, letters, tests
    ("2031-05-06 07:08:09 user.email is required", AT, "low", None, None),
    ("2031-05-06 07:08:09 tides.csv has 7 rows", AT, "low", None, None),
    ("2031-05-06 07:08:09 harbour quiet: 3 boats left", AT, "low", None, None),
    ("[2031-05-06 07:08:09] [ferry-deck] [info] [E] [42] x", AT, "low", "ferry-deck", "x"),
    ("--- FAIL: TestMooring (0.31s)", None, "high", None, None),
]


@pytest.mark.parametrize(("text", "time", "severity", "service", "message"), HEADS)
def test_a_head_gives_time_level_service_and_message(
    text: str, time: str | None, severity: str, service: str | None, message: str | None
) -> None:
    """Each layout is read by its parts."""
    line = Line(text)
    reading = read(line)
    if time is not None:
        assert reading.timestamp.value == time
    assert reading.severity.value == severity
    assert reading.service.value == service
    if message is not None:
        assert line.quote(reading.evidence) == message


LEVELLED = [text for text, *_ in HEADS if parse_levelled(text, 0, len(text), NO_CONTEXT)]


@pytest.mark.parametrize("text", LEVELLED)
def test_the_pattern_for_the_commonest_heads_gives_what_the_walk_gives(text: str) -> None:
    """The short way changes no reading."""
    short = parse_levelled(text, 0, len(text), NO_CONTEXT)
    walked = parse_head(text, 0, len(text), NO_CONTEXT)
    assert short is not None
    assert walked is not None
    assert all(getattr(short, part) == getattr(walked, part) for part in Parts.__slots__)


@pytest.mark.parametrize("message", ["[pool-1] full", "| full", ", full"])
def test_what_stands_behind_a_plain_logger_is_all_message(message: str) -> None:
    """Brackets and marks too: nothing tells that they are no part of it."""
    text = f"2026-01-02 03:04:05,678 ERROR com.example.Cart: {message}"
    parts = parse_levelled(text, 0, len(text), NO_CONTEXT)
    assert parts is not None
    assert text[slice(*parts.message)] == message


def test_the_pattern_for_the_commonest_heads_is_used() -> None:
    """The rows above hold lines that it knows."""
    assert len(LEVELLED) > 5


def test_columns_that_nothing_tells_apart_name_no_service() -> None:
    """With many columns before the time, a word with a colon after it is the message's."""
    reading = read(Line("433490 node-158 net.hw net.up 4 1935990000 1 NIC: node found a network"))
    assert reading.timestamp.value == "2031-05-08T07:00:00Z"
    assert reading.service.basis is ServiceBasis.UNKNOWN


@pytest.mark.parametrize(
    "text",
    [
        "2031-05-06T07:08:09Z ERROR connection to database refused",
        "2031-05-06 07:08:09 ERROR Database connection failed: timeout",
        "2031-05-06 07:08:09,123 INFO spawned: 'x' with pid 1",
        "2031-05-06 07:08:09 [main] WARN slow",
        "2031-05-06 07:08:09 [pool-1-thread-7] WARN slow",
        "2031-05-06 07:08:09 worker-3 WARN slow",
        "2031-05-06 07:08:09 192.0.2.7 WARN slow",
        "2031-05-06 07:08:09 web-1.example.com WARN slow",
        "2031-05-06 07:08:09 WARN 1b4e28ba-2fa1-11d2-883f-0016d3cca427: slow",
        "2031-05-06 07:08:09 WARN /var/log/app.log: slow",
        "Error: cannot open file",
        "Warning: deprecated",
        "ValueError: bad",
        "java.lang.IllegalStateException: closed",
    ],
)
def test_what_is_no_name_is_not_taken_for_the_service(text: str) -> None:
    """Words of a sentence, threads, addresses, ids, paths and error classes name no service."""
    assert read(Line(text)).service.basis is ServiceBasis.UNKNOWN


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("2031-05-06 07:08:09 INFO 0 errors", "low"),
        ("2031-05-06 07:08:09 DEBUG panic button tested", "low"),
        ("2031-05-06 07:08:09 [INFO] ERROR counter reset", "low"),
        ("npm ERR! code ENOENT", "high"),
        ("***** CRITICAL: pump stopped", "critical"),
    ],
)
def test_the_level_in_the_head_beats_words_of_the_message(text: str, severity: str) -> None:
    """What a record says of itself comes before what its message tells."""
    reading = read(Line(text))
    assert reading.severity.basis is SeverityBasis.LEVEL
    assert reading.severity.value == severity


def test_a_level_word_in_a_sentence_is_no_level() -> None:
    """``critical section`` after a time states nothing."""
    reading = read(Line("2031-05-06 07:08:09 critical section entered"))
    assert reading.severity.basis is not SeverityBasis.LEVEL


def test_a_word_that_only_its_place_makes_a_level_stays_in_the_quote() -> None:
    """The message keeps its first word."""
    line = Line("2031-05-06 07:08:09 error reading file")
    assert line.quote(read(line).evidence) == "error reading file"


def test_a_count_of_things_is_no_time() -> None:
    """A long number before a lower-case word counts something."""
    reading = read(Line("1935990000 requests served ERROR none"))
    assert reading.timestamp.why is TimestampWhy.ABSENT


def test_seconds_in_a_column_are_the_time() -> None:
    """A long number in a column of its own, before further columns, is the record's time."""
    reading = read(Line("1935990000 db7 ERROR store: no space"))
    assert reading.timestamp.value == "2031-05-08T07:00:00Z"


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("Traceback (most recent call last):", "high"),
        ("java.lang.NullPointerException: oops", "high"),
        ("Caused by: java.io.IOException: gone", "high"),
        ('Exception in thread "main" java.lang.RuntimeException: x', "high"),
        ("Unhandled exception. System.InvalidOperationException: y", "critical"),
        ("acme.errors.StockError: none left", "high"),
        ("DeprecationWarning: use the other", "medium"),
        ("panic: runtime error: index out of range", "critical"),
        ("thread 'main' panicked at src/main.rs:2:5:", "critical"),
    ],
)
def test_the_head_of_a_stack_trace_is_an_outcome(text: str, severity: str) -> None:
    """How a program ended tells how bad it is; the line states no level."""
    line = Line(text)
    reading = read(line)
    assert reading.format == "trace"
    assert (reading.severity.value, reading.severity.basis) == (severity, SeverityBasis.CUE)
    assert line.quote(reading.evidence) == text


def test_a_quoted_thread_without_a_panic_is_no_trace() -> None:
    """``thread 'x'`` alone is how many messages begin."""
    assert read(Line("thread 'io' joined")).format != "trace"


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("2031-05-06 07:08:09 GET /orders 503 12ms", "high"),
        ("2031-05-06 07:08:09 shop: POST /orders 404 12ms", "medium"),
        ('[2031-05-06 07:08:09] "GET /orders HTTP/1.1" 204 0', "low"),
        ("GET /orders -> 502", "high"),
        ("Completed 500 Internal Server Error in 12ms", "high"),
        ('[GIN] 2031/05/06 - 07:08:09 | 503 |  12ms |  192.0.2.7 | GET   "/orders"', "high"),
    ],
)
def test_the_status_of_a_request_tells_how_it_went(text: str, severity: str) -> None:
    """An application's own account of a request, with no level beside it."""
    reading = read(Line(text))
    assert (reading.severity.value, reading.severity.basis) == (severity, SeverityBasis.STATUS)


@pytest.mark.parametrize("text", ["GET /orders took 500 ms", "503 orders", "GET /a/500", "GET 500"])
def test_a_number_beside_a_request_is_no_status(text: str) -> None:
    """A status stands right behind the path."""
    assert read(Line(text)).severity.basis is not SeverityBasis.STATUS


@pytest.mark.parametrize(
    ("line", "time", "severity"),
    [
        ("=ERROR REPORT==== 6-May-2031::07:08:09 ===", AT, "high"),
        ("=WARNING REPORT==== 6-May-2031::07:08:09.123 ===", f"{AT}.123", "medium"),
        ("=INFO REPORT==== 6-May-2031::07:08:09 UTC ===", f"{AT}Z", "low"),
        ("=CRASH REPORT==== 6-May-2031::07:08:09 ===", AT, "high"),
    ],
)
def test_the_head_of_an_erlang_report_is_read(line: str, time: str, severity: str) -> None:
    """Kind and time; a crash is an outcome rather than a level."""
    reading = read(Line(line))
    assert (reading.format, reading.timestamp.value) == ("erlang", time)
    assert (reading.severity.value, reading.service.value) == (severity, None)
