"""What the rest of a message makes of its worst word."""

from __future__ import annotations

import pytest

from logdocket.line import Severity
from logdocket.reading.cues import cue

LOW, MEDIUM, HIGH, CRITICAL = Severity


def read(text: str) -> Severity | None:
    """The severity that the message tells of."""
    found = cue(text, 0, len(text))
    return found and found.value


@pytest.mark.parametrize(
    "text",
    [
        'user alpha wrote "all is critical" in ticket 4',
        "note 'fatal crash' kept for order 7",
        'chat: guest said "panic, data loss everywhere"',
        'title="everything failed" rows=3',
        "comment='fatal error' order=7",
        "user=failed role=x",
        "q=error page=2",
        '"state": 3, "subject": "disk failed"',
        'task "Critical section cleanup" is queued',
    ],
)
def test_what_others_wrote_tells_of_no_event(text: str) -> None:
    """Words in quotes, and values of keys that hold users' words."""
    assert read(text) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('upstream replied "service unavailable"', HIGH),
        ('failed with "no route"', HIGH),
        ('message="connection lost"', HIGH),
        ('"disk failure" on shelf 3', HIGH),
        ('error: "disk failure"', HIGH),
        ("can't read 'orders'", HIGH),
        ('opening "orders" failed', HIGH),
        ('"a" and "b" failed', HIGH),
        ('quote " without an end: failed', HIGH),
    ],
)
def test_a_quote_of_the_message_itself_counts(text: str, value: Severity) -> None:
    """What a program was told, the value of its own key, and what stands outside the quotes."""
    assert read(text) is value


@pytest.mark.parametrize(
    "text",
    [
        'CMD (/opt/prune --keep 3 || echo "prune failed")',
        "ops : TTY=pts/3 ; USER=root ; COMMAND=/usr/bin/grep -c critical app.log",
    ],
)
def test_a_command_that_is_run_tells_of_no_event(text: str) -> None:
    """Cron and sudo quote what they run to the end of the line."""
    assert read(text) is LOW


def test_words_before_a_command_count() -> None:
    """What sudo says of the user stands before what the user ran."""
    assert read("guest : user NOT in sudoers ; USER=root ; COMMAND=/bin/true") is MEDIUM


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Started disk-report.timer - MD array failure report.", LOW),
        ("Starting Process error reports when reporting is on...", LOW),
        ("stopped with an error", HIGH),
        ("Stopped: error 5", HIGH),
        ("started, then failed", HIGH),
        ("Started job 4 but failed", HIGH),
    ],
)
def test_a_bad_noun_may_be_part_of_what_was_started(text: str, value: Severity) -> None:
    """Unless a preposition or a mark ties it to the event."""
    assert read(text) is value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("connection refused by broker-1, retrying in 5 s", MEDIUM),
        ("upload failed, will retry in 30 s", MEDIUM),
        ("to=<a@shop.example>, status=deferred (connection timed out)", MEDIUM),
        ("Back-off restarting failed container", MEDIUM),
        ("cannot reach primary, falling back to replica", MEDIUM),
        ("could not load rates, using cached ones", MEDIUM),
        ("retry 2 of 5 after timeout", MEDIUM),
        ("upload failed, will not retry", HIGH),
        ("upload failed; not retrying", HIGH),
        ("connection refused, giving up after 5 retries", HIGH),
        ("retry failed", HIGH),
        ("failed using key 4", HIGH),
        ("data loss, retrying", CRITICAL),
    ],
)
def test_what_is_tried_again_is_a_worry(text: str, value: Severity) -> None:
    """As long as something more is tried; critical words stay critical."""
    assert read(text) is value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Alarm cleared: fan 2 failure", LOW),
        ("RESOLVED: disk failure on web-1", LOW),
        ("alert resolved - critical temperature in rack 4", LOW),
        ("connection lost, reconnected after 3 s", LOW),
        ("payment failed twice, recovered on the third call", LOW),
        ("all 14 failed messages redelivered", LOW),
        ("room back after outage", LOW),
        ("replica rejoined after crash", LOW),
        ("Alarm set: fan 2 failure", HIGH),
        ("Alarm not cleared: fan 2 failure", HIGH),
        ("disk failed; array cannot be repaired", HIGH),
        ("3 messages could not be restored", HIGH),
        ("error to be fixed", HIGH),
        ("failed, recovered, then failed again", HIGH),
        ("3 failed, 2 recovered", HIGH),
        ("recovered 3 tables, 2 failed", HIGH),
    ],
)
def test_what_is_over_is_low(text: str, value: Severity) -> None:
    """When the word for it stands behind the last bad one, or heads the message."""
    assert read(text) is value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("every upstream is down", CRITICAL),
        ("all database hosts unreachable for 120 s", CRITICAL),
        ("all 3 replicas failed", CRITICAL),
        ("all brokers down", CRITICAL),
        ("no healthy backend left", CRITICAL),
        ("no servers available", CRITICAL),
        ("0 nodes available", CRITICAL),
        ("node 4 is down", HIGH),
        ("not all replicas failed", HIGH),
        ("no connections available in the pool", HIGH),
        ("no updates available", None),
        ("only 1 of 3 replicas ready", MEDIUM),
        ("all replicas healthy", LOW),
    ],
)
def test_what_has_befallen_all_servers_is_critical(text: str, value: Severity | None) -> None:
    """One of many is not; what is scarce is high, a few of many a worry."""
    assert read(text) is value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("log level set to error", None),
        ("verbosity changed from error to debug", None),
        ("valve set to fault", HIGH),
    ],
)
def test_a_level_that_is_set_tells_of_no_event(text: str, value: Severity | None) -> None:
    """Only where a word says that a level is set."""
    assert read(text) is value


def test_what_fails_for_a_client_not_let_in_is_a_worry() -> None:
    """``[preauth]`` is sshd's mark for it."""
    assert read("Connection reset by 192.0.2.7 port 22 [preauth]") is MEDIUM
