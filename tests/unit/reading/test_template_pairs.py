"""Pairs of lines that must share a template, may share only its wide form, or never share."""

from __future__ import annotations

import pytest

from logdocket.line import NO_CONTEXT, Line
from logdocket.reading import Cut, cut, read

SYSLOG = "Jun 14 15:16:01 web-1 cart[812]: {}"
LOGBACK = "2026-06-14 15:16:01,250 [main] INFO  com.example.Cart - {}"
PLAIN = "{}"
FRAMES = pytest.mark.parametrize("frame", [SYSLOG, LOGBACK, PLAIN], ids=["syslog", "app", "plain"])


def cut_of(text: str) -> Cut:
    """The cut of a line as it is really read."""
    line = Line(text)
    return cut(line, read(line), NO_CONTEXT)


SHARED = [
    ("up since 2026-06-14T15:16:01Z", "up since 2025-01-02T03:04:05Z"),
    ("built on 06/10/2026", "built on 01/02/2025"),
    ("until Fri Jan  2 03:04:05 2026", "until Sat Feb 13 13:14:15 2027"),
    ("at 15:16:01", "at 03:04:05.123"),
    ("lifetime 00:02", "lifetime 12:34"),
    ("request req-123e4567-e89b-12d3-a456-426614174000", None),
    ("commit 3f2a9bc", "commit 77e8d01"),
    ("object at 0x7f00deadbeef", "object at 0x55d0c0ffee00"),
    ("id 0x34ede65503f002d", "id 0x34edfaa9c22002d"),
    ("chip 00000d1f read", "chip 0a8f0010 read"),
    ("iar 00106570 dear 00310042", "iar 024a8a30 dear 00000001"),
    ("connection from 192.0.2.1:5000", "connection from 198.51.100.77:61234"),
    ("to /192.0.2.1:50010 from /192.0.2.2", "to /203.0.113.9:50011 from /192.0.2.250"),
    ("peer 2001:db8::1", "peer 2001:db8:0:0:8a2e::7334"),
    ("link 00:11:22:33:44:55", "link aa:bb:cc:dd:ee:0f"),
    ("chip FF:F2:9F:16:DC:95:00:0D", "chip FF:F2:9F:16:DC:95:00:0E"),
    ("port 22", "port 8080"),
    ("pid=7 tid=12", "pid=31999 tid=1"),
    ("block blk_-7128370237687728475", "block blk_38865049064139660"),
    ("to delete blk_11111 blk_22222", "to delete blk_33333 blk_44444 blk_55555"),
    ("peers 192.0.2.1, 192.0.2.2", "peers 192.0.2.1, 192.0.2.2, 192.0.2.3"),
    ("attempt_1445144423722_0020_m_000001_0", "attempt_1445182159119_0002_m_000009_1"),
    ("task 1.0 in stage 6.0 (TID 312)", "task 20.0 in stage 29.0 (TID 7)"),
    ("found child 1998 in slot 9", "found child 7 in slot 11"),
    ("broadcast_9_piece0 stored", "broadcast_10_piece3 stored"),
    ("generating core.2275", "generating core.48"),
    ("Found block rdd_2_1 locally", "Found block rdd_42_16 locally"),
    ("PacketResponder 1 ends", "PacketResponder 0 ends"),
    ("myid=1 zxid=5", "myid=3 zxid=99"),
    ("taskId: 5 session_id: 8", "taskId: 12 session_id: 9"),
    ("Cart.java:42 threw nothing", "Cart.java:1203 threw nothing"),
    ("Listener@493 up", "Listener@1001 up"),
    ("node R02-M1-N0-C:J12-U11 up", "node R71-M0-NA-C:J02-U01 up"),
    ("blade c0-0c1s2n3 up", "blade c12-3c0s15n0 up"),
    ("card in slot J16 found", "card in slot J08 found"),
    ("pod web-7d9f8b6c5d-x2x4z", "pod web-5c9d8b7f6d-b4b5z"),
    ("pod web-zx2bk4w9d-q7r5t up", "pod web-c4dvl8xk9-w2v4c up"),
    ("GET /users/42/orders/7", "GET /users/1/orders/99"),
    ('request_id=ab1 "trace_id": "q-1"', 'request_id=zzz-9 "trace_id": "r.2"'),
    ("key SHA256:q2Nn8vDqR1m/XoY5u0tH+kP3sW7z", "key SHA256:Zb/9fK2mQ0d+aVw6yL4xTn1e+R8j"),
    ("Failed password for alice from 192.0.2.1", "Failed password for bob.s from 192.0.2.1"),
    ("Invalid user oracle from 192.0.2.1", "Invalid user test7 from 192.0.2.9"),
    ("invalid user guest [preauth]", "invalid user ftp [preauth]"),
    ("session closed for user alice", "session closed for user bob"),
    (
        "authentication failure; rhost=192.0.2.1 user=a",
        "authentication failure; rhost=h.example user=b",
    ),
    ("from 192.0.2.1 (dsl-1.pool.example)", "from 192.0.2.9 (cable.other.example)"),
    ("mapping of a.pool.example [192.0.2.1] is off", "mapping of b-2.x.example [192.0.2.7] is off"),
    ("peer ::ffff:192.0.2.7 port 1", "peer ::ffff:198.51.100.200 port 2"),
    ("Token{9f4ef63 up}", "Token{1234567 up}"),
    ("Token{de24810 up}", "Token{5d3312d up}"),
    ("task 3 failed", "task 12 failed"),
    ("pid 12 killed", "pid 31999 killed"),
    ("from 192.0.2.1/51022 to 192.0.2.9/445", "from 192.0.2.7/40018 to 192.0.2.1/3389"),
    ("from [2001:db8::1]:443", "from [2001:db8::2]:51234"),
    ("accepting <0.1422.0> now", "accepting <0.9.31> now"),
    ("Record{3f2a9bc t76} shown", "Record{77e8d01 t1} shown"),
]


@FRAMES
@pytest.mark.parametrize(("one", "other"), SHARED)
def test_lines_that_differ_in_which_one_share_a_template(
    frame: str, one: str, other: str | None
) -> None:
    """Both widths are the same: an answer about one holds for the other."""
    other = other or one.replace("3e4567-e89b", "0e9999-a80b")
    first, second = cut_of(frame.format(one)), cut_of(frame.format(other))
    assert one != other
    assert first.text == second.text
    assert first.wide == second.wide


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2026-06-14 15:16:01 INFO [pool-1-thread-7] c.e.Cart - up",
         "2026-06-14 15:16:02 INFO [pool-2-thread-19] c.e.Cart - up"),
        ("2026-06-14 15:16:01 INFO [http-nio-8080-exec-7] c.e.Cart - up",
         "2026-06-14 15:16:02 INFO [http-nio-8081-exec-10] c.e.Cart - up"),
        ("2026-06-14 15:16:01 INFO [qtp1234567-67] c.e.Cart - up",
         "2026-06-14 15:16:02 INFO [qtp7654321-6] c.e.Cart - up"),
        ("2026-06-14 15:16:01,250 - INFO  [Worker[myid=1]:Cart@765] - up",
         "2026-06-14 15:16:02,250 - INFO  [Worker[myid=22]:Cart@765] - up"),
        ("2026-06-14 15:16:01 812 INFO cart.prices [-] up",
         "2026-06-14 15:16:02 9 INFO cart.prices [-] up"),
        ("06-14 15:16:01.250   812   840 I Cart    : up",
         "06-14 15:16:02.250   813   841 I Cart    : up"),
        ("I0614 15:16:01.250123     812 prices.go:31] up",
         "I0614 15:16:02.250123     899 prices.go:31] up"),
        ("2026/06/14 15:16:01 [notice] 812#840: *7 up",
         "2026/06/14 15:16:02 [notice] 9#9: *12345 up"),
        ("134681 node-246 unix.hw state_change.up 1781450161 1 component is up",
         "99 node-7 unix.hw state_change.up 1781450162 1 component is up"),
        ("- 1781450161 2026.06.14 dn228 Jun 14 15:16:01 dn228/dn228 crond[2915]: done",
         "- 1781450162 2026.06.14 dn7 Jun 14 15:16:02 dn7/dn7 crond[29]: done"),
        ("2026-06-14 15:16:01.250 812 WARNING cart.prices [-] up",
         "2026-06-14 15:16:02.250 31 WARNING cart.prices [-] up"),
        ("cart.log.1.2026-06-14_10:11:12 2026-06-14 15:16:01.250 812 INFO cart.prices [-] up",
         "cart.log.3.2026-06-15_20:21:22 2026-06-14 15:16:02.250 31 INFO cart.prices [-] up"),
        ("2026-06-14 15:16:01.250 ERROR 812 --- [main] c.e.Cart : up",
         "2026-06-14 15:16:02.250 ERROR 7 --- [main] c.e.Cart : up"),
        ("Jun 14 15:16:01 host-192-0-2-95 cart[812]: up",
         "Jun 14 15:16:02 host-198-51-100-7 cart[9]: up"),
    ],
)  # fmt: skip
def test_numbers_in_the_head_say_which_one(one: str, other: str) -> None:
    """Process ids, threads and lines of source before the message are masked, however short."""
    assert cut_of(one).text == cut_of(other).text


WIDE = [
    ("took 35 ms", "took 8 ms", ("35",), ("8",)),
    ("took 35ms", "took 8ms", ("35",), ("8",)),
    ("took 1m30s", "took 500ms", ("90000",), ("500",)),
    ("took 156.2µs", "took 3s", ("0.1562",), ("3000",)),
    ("size 5.2 KB, free 31.5 KB", "size 93.0 B, free 1 MB", ("5324.8", "32256"), ("93", "1048576")),
    ("1190 bytes (1.16 KB) sent", "0 bytes (0 B) sent", ("1190", "1187.84"), ("0", "0")),
    ("loaded 9999 rows", "loaded 10000 rows", ("9999",), ("10000",)),
    ("wrote 65536 bytes", "wrote 10485760 bytes", ("65536",), ("10485760",)),
    ("lag=12345", "lag=9999999", ("12345",), ("9999999",)),
    ("disk free 10000 MB", "disk free 99999 MB", ("10485760000",), ("104856551424",)),
    ("drift -12345", "drift 12345", ("-12345",), ("12345",)),
    ("boot = -103, init = 142", "boot = 5, init = 7", ("-103", "142"), ("5", "7")),
    ("progress 0.295472", "progress 1.0", ("0.295472",), ("1.0",)),
    ("flags=0x1", "flags=0x0", ("1",), ("0",)),
    ("total = 39", "total = 1072", ("39",), ("1072",)),
    ("queue has 3 entries", "queue has 0 entries", ("3",), ("0",)),
    ("bytes 0-1023", "bytes 1024-2047", ("0", "1023"), ("1024", "2047")),
    ("worker in state 6", "worker in state 7", ("6",), ("7",)),
    ("cpu=95 mem=80", "cpu=5 mem=8", ("95", "80"), ("5", "8")),
    ("attempt 3", "attempt 1", ("3",), ("1",)),
    ("deleting file /data/subdir51/a", "deleting file /data/subdir5/b",
     ("<path> /data/subdir51/a",), ("<path> /data/subdir5/b",)),
    ("loaded /var/lib/x/y.conf now", "loaded /etc/z.conf now",
     ("<path> /var/lib/x/y.conf",), ("<path> /etc/z.conf",)),
]  # fmt: skip


@FRAMES
@pytest.mark.parametrize(("one", "other", "ones", "others"), WIDE)
def test_ordinary_numbers_and_files_differ_only_in_what_the_wide_template_hides(
    frame: str, one: str, other: str, ones: tuple[str, ...], others: tuple[str, ...]
) -> None:
    """The wide form is the same, and their values stand beside it for the answers to judge."""
    first, second = cut_of(frame.format(one)), cut_of(frame.format(other))
    assert first.text != second.text
    assert first.wide == second.wide
    assert (first.numbers, second.numbers) == (ones, others)


NEVER = [
    ("exit code 0", "exit code 1"),
    ("exited with 0", "exited with 137"),
    ("exited with status 0", "exited with status 1"),
    ("exited abnormally with [1]", "exited abnormally with [2]"),
    ("exitCode=0", "exitCode=255"),
    ("return value 0", "return value -1"),
    ("rc=0", "rc=12"),
    ("status=200", "status=500"),
    ('"GET /x HTTP/1.1" 200 512', '"GET /x HTTP/1.1" 503 512'),
    ("GET /x -> 200 in 5 ms", "GET /x -> 502 in 5 ms"),
    ("upstream answered 200", "upstream answered 502"),
    ("HTTP 200", "HTTP 500"),
    ("response: 200", "response: 404"),
    ("killed by signal 9", "killed by signal 15"),
    ("errno 2", "errno 13"),
    ("errno=2", "errno=13"),
    ("error 0x80070005", "error 0x00000000"),
    ("HRESULT = 0x800f0805", "HRESULT = 0x00000000"),
    ("disk 5% full", "disk 95% full"),
    ("disk 5 % full", "disk 95 % full"),
    ("disk 5 percent full", "disk 95 percent full"),
    ("replicas 3/5", "replicas 5/5"),
    ("replicas 3 of 3", "replicas 1 of 3"),
    ("replicas 3 out of 3", "replicas 1 out of 3"),
    ("used 5 GB of 8 GB", "used 8 GB of 8 GB"),
    ("retries left 0", "retries left 3"),
    ("retries=0", "retries=3"),
    ("0 failed", "3 failed"),
    ("0 errors", "12345 errors"),
    ("3 tests failed", "0 tests failed"),
    ("3 failed logins", "0 failed logins"),
    ("12345 failed logins", "99999 failed logins"),
    ("failed: 0", "failed: 3"),
    ("failed_tasks=0", "failed_tasks=7"),
    ("errorCount: 0", "errorCount: 7"),
    ("dropped 0", "dropped 123456"),
    ("level 3", "level 7"),
    ("priority=1", "priority=4"),
    ("Reason 8", "Reason 4"),
    ("disk web-1 is up", "disk web-2 is up"),
    ("host web-1.example is up", "host web-2.example is up"),
    ("db2 is up", "db3 is up"),
    ("worker-1 is up", "worker-2 is up"),
    ("reached payments-1.example:443", "reached payments-2.example:443"),
    ("table 'orders' is full", "table 'users' is full"),
    ('table "orders" is full', 'table "users" is full'),
    ("user 'alice' is out", "user 'bob' is out"),
    ("GET /orders/1", "GET /users/1"),
    ("path=/api/orders/5", "path=/api/users/5"),
    ("request for /api/orders/5", "request for /api/users/5"),
    ("user created", "user deleted"),
    ("user session expired", "user token expired"),
    ("Invalid user root from 192.0.2.1", "Invalid user bob from 192.0.2.1"),
    ("session opened for user root", "session opened for user alice"),
    ("check pass; user unknown", "check pass; user known"),
    ("runs v1.2.3", "runs v1.2.4"),
    ("version 0.0.0.6", "version 0.0.0.7"),
    ("on sda1", "on sdb2"),
    ("ABC-00600 raised", "ABC-04031 raised"),
    ("AH01114: off", "AH01630: off"),
    ("link up", "link down"),
    ("sw-core-1 is up", "sw-core-2 is up"),
    ("<EventID>41</EventID>", "<EventID>42</EventID>"),
    ("EventID: 4625", "EventID: 4624"),
    ("level=3", "level=5"),
    ("192.0.2.0/24 is up", "192.0.2.0/28 is up"),
    ("partition 5% full", "partition 95% full"),
    ("responded 200", "responded 503"),
    ("SQLSTATE=00000", "SQLSTATE=40001"),
    ("event id 4624", "event id 4625"),
    ("Event ID: 4624", "Event ID: 4625"),
    ("Rule ID 31151", "Rule ID 31152"),
    ("percent=5", "percent=95"),
    ("disk_usage_pct=5", "disk_usage_pct=95"),
    ("request completed: 404", "request completed: 503"),
    ("health check 200", "health check 503"),
    ("sc=200", "sc=500"),
    ("load 5 per cent", "load 95 per cent"),
    ("load 5\uff05", "load 95\uff05"),
    ("ERR_100001 raised", "ERR_100002 raised"),
    ("login=failed", "login=ok"),
    ("user=locked", "user=valid"),
    ("container_id=web is up", "container_id=db is up"),
    ("operationId=deleteAll", "operationId=getOne"),
    ("session_id=none", "session_id=a1b2"),
    ("JobHandler: 0 failed", "JobHandler: 3 failed"),
    ("a <n> b", "a 5 b"),
    ("a <<num> b", "a <12345 b"),
]  # fmt: skip


@FRAMES
@pytest.mark.parametrize(("one", "other"), NEVER)
def test_lines_that_differ_in_how_bad_or_in_what_never_share(
    frame: str, one: str, other: str
) -> None:
    """Codes, counts of failures, percentages, ratios, versions, names and words are kept."""
    first, second = cut_of(frame.format(one)), cut_of(frame.format(other))
    assert first.text != second.text
    assert first.wide != second.wide


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2026-06-14 15:16:01 INFO c.e.Cart - up", "2026-06-14 15:16:01 ERROR c.e.Cart - up"),
        ("2026-06-14 15:16:01 INFO c.e.Cart - up", "2026-06-14 15:16:01 INFO c.e.Bill - up"),
        ("Jun 14 15:16:01 web-1 cart[812]: up", "Jun 14 15:16:01 web-2 cart[812]: up"),
        ("Jun 14 15:16:01 web-1 cart[812]: up", "Jun 14 15:16:01 web-1 bill[812]: up"),
        ("<11>1 2026-06-14T15:16:01Z web-1 cart 812 - - up",
         "<14>1 2026-06-14T15:16:01Z web-1 cart 812 - - up"),
        ("%ASA-4-106023: deny", "%ASA-4-106015: deny"),
        ("ERROR 1045 (28000): denied", "ERROR 2003 (28000): denied"),
        ("<11>Jun 14 15:16:01 web-1 cart[812]: up", "<14>Jun 14 15:16:01 web-1 cart[812]: up"),
        ('192.0.2.7 - - [14/Jun/2026:15:16:01 +0000] "GET /a HTTP/1.1" 200 162',
         '192.0.2.7 - - [14/Jun/2026:15:16:01 +0000] "GET /a HTTP/1.1" 503 162'),
        ('{"level":"info","service":"cart","n":1}', '{"level":"error","service":"cart","n":1}'),
        ('{"level":30,"name":"cart","msg":"up"}', '{"level":50,"name":"cart","msg":"up"}'),
        ('{"level":"info","status":200}', '{"level":"info","status":500}'),
        ("E0614 15:16:01.250123 812 a.go:31] up", "I0614 15:16:01.250123 812 a.go:31] up"),
        ("2026-06-14 15:16:01,250 INFO org.shop.Worker: 0 errors",
         "2026-06-14 15:16:01,250 INFO org.shop.Worker: 3 errors"),
    ],
)  # fmt: skip
def test_lines_of_other_levels_hosts_and_services_never_share(one: str, other: str) -> None:
    """What the record itself states is in the template."""
    assert cut_of(one).wide != cut_of(other).wide
