"""Outcome cues: what a message without a level says of how things went."""

from __future__ import annotations

import time

import pytest

from logdocket.line import Severity, SeverityBasis
from logdocket.reading.cues import cue

LOW, MEDIUM, HIGH, CRITICAL = Severity
CUE, STATUS = SeverityBasis.CUE, SeverityBasis.STATUS


def read(text: str) -> tuple[Severity, str] | None:
    """The severity and the words that bear it out."""
    found = cue(f"~ {text}", 2, len(text) + 2)
    return found and (found.value, f"~ {text}"[found.start : found.end])


@pytest.mark.parametrize(
    ("text", "value", "words"),
    [
        ("Out of memory: killed process 12 (java)", HIGH, "Out of memory"),
        ("kernel panic - not syncing", CRITICAL, "kernel panic"),
        ("data loss on shard 3", CRITICAL, "data loss"),
        ("java.lang.OutOfMemoryError: heap", CRITICAL, "java.lang.OutOfMemoryError"),
        ("failed to bind", HIGH, "failed"),
        ("connection refused by web-1", HIGH, "refused"),
        ("request timed out", HIGH, "timed out"),
        ("timeout after 30 s", HIGH, "timeout"),
        ("open /etc/x: no such file or directory", HIGH, "no such"),
        ("unable to reach db-1", HIGH, "unable"),
        ("can't read input", HIGH, "can't"),
        ("java.io.IOException: stream", HIGH, "java.io.IOException"),
        ("ValueError: bad literal", HIGH, "ValueError"),
        ("UserWarning: an old option", MEDIUM, "UserWarning"),
        ("com.example.ThrottlingException: slow down", MEDIUM, "com.example.ThrottlingException"),
        ("pause young (Allocation Failure)", LOW, "pause young (Allocation Failure"),
        ("page allocation failure: order 4", HIGH, "page allocation failure"),
        ("3 errors", HIGH, "errors"),
        ("10,000 errors", HIGH, "errors"),
        ("retrying in 3 s", MEDIUM, "retrying"),
        ("option x is deprecated", MEDIUM, "deprecated"),
        ("Invalid user alpha", MEDIUM, "Invalid"),
        ("service started", LOW, "started"),
        ("listening on port 80", LOW, "listening"),
        ("‘naïve’ job failed…", HIGH, "failed"),
        ("Failed password for root", MEDIUM, "Failed password"),
        ("authentication failure; logname=", MEDIUM, "authentication failure"),
        ("Permission denied (publickey).", MEDIUM, "Permission denied (publickey"),
        ("open /etc/app.conf: permission denied", HIGH, "permission denied"),
        ("relay access denied", MEDIUM, "access denied"),
        ("bind: address already in use", HIGH, "already in use"),
        ("node 7 stopped answering", HIGH, "stopped answering"),
        ("interface eth0 is down", HIGH, "is down"),
        ("quorum lost", CRITICAL, "quorum lost"),
        ("12 writes were lost", CRITICAL, "writes were lost"),
        ("2 packets lost", HIGH, "lost"),
        ("certificate has expired", HIGH, "certificate has expired"),
        ("session expired", MEDIUM, "expired"),
        ("running on batteries", MEDIUM, "running on batteries"),
        ("queue is full", MEDIUM, "queue is full"),
        ("FEHLER beim Lesen", HIGH, "FEHLER"),
        ("предупреждение: мало места", MEDIUM, "предупреждение"),
        ("interface eth0 is up", LOW, "is up"),
        ("temperature back to normal", LOW, "back to normal"),
    ],
)
def test_an_outcome_word_tells_how_bad_it_is(text: str, value: Severity, words: str) -> None:
    """The span covers the words that say so."""
    assert read(text) == (value, words)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("started, then failed", HIGH),
        ("warning: retry failed", HIGH),
        ("failed: heap out of memory", CRITICAL),
        ("connected but degraded", MEDIUM),
        ("0 failures and 3 errors", HIGH),
        ("no response, connection failed", HIGH),
    ],
)
def test_the_worst_cue_that_stands_wins(text: str, value: Severity) -> None:
    """A milder or a negated word beside it takes nothing back."""
    found = read(text)
    assert found is not None
    assert found[0] is value


@pytest.mark.parametrize(
    "text",
    [
        "no errors",
        "no new authentication failures",
        "no warnings or errors",
        "without error",
        "0 failed",
        "0 errors",
        "zero errors found",
        "0 of 10 failed",
        "0/10 failed",
        "0% errors",
        "errors=0",
        "failed: 0",
        '"failed":0,"passed":3',
        "error: none",
        '"error":null',
        '"errors":[]',
        "ok=12 unreachable=0 failed=0 rescued=1",
        "Tests: 0 failed, 3 passed",
        "result: 0 errors",
        "err=<nil>",
        'error=""',
        "error=false next=1",
        "error code: 0",
        "not failed",
        "did not fail",
        "has not failed",
        "never timed out",
        "server didn't crash",
        "no data loss",
        "no longer failing",
    ],
)
def test_a_negated_or_zero_cue_is_a_good_outcome(text: str) -> None:
    """The span covers the negation or the zero together with the cue."""
    found = read(text)
    assert found is not None
    assert found[0] is LOW


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("error: no route to host", HIGH),
        ("error: none of the disks answers", HIGH),
        ("errors: 0.05%", HIGH),
        ("error 0x80070005", HIGH),
        ("1 of 10 failed", HIGH),
        ("10 failed", HIGH),
        ("ok=12 unreachable=0    failed=1    ignored=2", HIGH),
        ("passed: 3, skipped: 0 failed: 1", HIGH),
        ("lost:0 failed:1", HIGH),
        ("done=0/3 failed=1", HIGH),
        ('dropped="0" failed="1"', HIGH),
    ],
)
def test_what_only_looks_like_a_negation_takes_nothing_back(text: str, value: Severity) -> None:
    """``no`` may belong to the next words, and 10 ends in a zero without being one."""
    found = read(text)
    assert found is not None
    assert found[0] is value


@pytest.mark.parametrize(
    ("text", "value", "words"),
    [
        ("service not started", HIGH, "not started"),
        ("backup did not succeed", HIGH, "not succeed"),
        ("no longer available", HIGH, "no longer available"),
        ("unsuccessful login", HIGH, "unsuccessful"),
        ("not yet started", MEDIUM, "not yet started"),
        ("password not accepted", MEDIUM, "not accepted"),
        ("the export never produced a file", HIGH, "never produced"),
        ("pod not ready", MEDIUM, "not ready"),
    ],
)
def test_a_good_outcome_that_did_not_come_is_bad(text: str, value: Severity, words: str) -> None:
    """What is still awaited is milder."""
    assert read(text) == (value, words)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("job 4 success=false", HIGH),
        ('"success": false', HIGH),
        ("ok=0 changed=0", None),
        ("success=true", LOW),
        ("passed: 3", LOW),
        ("running=0", None),
        ('"enabled":false', None),
    ],
)
def test_an_outcome_counts_by_the_value_it_has(text: str, value: Severity | None) -> None:
    """A switch that is off is no event; a success that is false is one."""
    found = read(text)
    assert (found and found[0]) is value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("parity error corrected", LOW),
        ("corrected error in bank 2", LOW),
        ("errors detected and corrected", LOW),
        ("recovered from error", LOW),
        ("error not corrected", HIGH),
        ("ignoring error in row 3", MEDIUM),
        ("uncorrectable error", CRITICAL),
        ("data corruption fixed", CRITICAL),
    ],
)
def test_a_mended_fault_is_low_and_a_tolerated_one_medium(text: str, value: Severity) -> None:
    """A critical word stays critical, whatever is said to have been done."""
    found = read(text)
    assert found is not None
    assert found[0] is value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12 expired tokens removed", LOW),
        ("removed 3 stale locks", LOW),
        ("stale locks not removed", MEDIUM),
        ("41 passed, 2 skipped", LOW),
        ("skipped=2 ignored=1", None),
        ("already there, skipping", LOW),
        ("skipping: [web-1]", LOW),
        ("SKIPPED [1] test_x.py: needs a network", None),
        ("skipping row 4", MEDIUM),
    ],
)
def test_what_is_cleaned_away_tallied_or_done_before_is_no_worry(
    text: str, value: Severity | None
) -> None:
    """The same words without that are one."""
    found = read(text)
    assert (found and found[0]) is value


@pytest.mark.parametrize(
    "text",
    [
        "ErrorHandler is here",
        "see error_log",
        "rotating /var/log/errors.txt",
        "on-error continue",
        "error-free",
        "--failed",
        "panic button tested",
        "error handler in place",
        "timeout=30s",
        "timeout: 3200",
        "with a timeout of 5 s",
        "retries: 3",
        "not retrying",
        "GET https://web-1.example/a?error=1",
        "hello world",
        "",
    ],
)
def test_a_name_or_a_setting_is_no_cue(text: str) -> None:
    """A word that is part of an identifier, a path or a setting tells of no event."""
    assert read(text) is None


@pytest.mark.parametrize(
    ("text", "value", "words"),
    [
        ("exit code 1", HIGH, "exit code 1"),
        ("exited with code 137", HIGH, "exited with code 137"),
        ("exited (1)", HIGH, "exited (1"),
        ("finished with code 2", HIGH, "code 2"),
        ("code=exited, status=1/FAILURE", HIGH, "status=1/FAILURE"),
        ("worker ended on signal 11", HIGH, "signal 11"),
        ("exit code 0", LOW, "exit code 0"),
        ("code=exited, status=0/SUCCESS", LOW, "status=0/SUCCESS"),
        ('"GET / HTTP/1.1" 503 12', HIGH, 'HTTP/1.1" 503'),
        ("HTTP 404", MEDIUM, "HTTP 404"),
        ("status=503", HIGH, "status=503"),
        ("statusCode: 502", HIGH, "statusCode: 502"),
        ("upstream returned 503 from web-2", HIGH, "returned 503"),
        ("request failed with status 404", MEDIUM, "status 404"),
        ("code=exited, status=203/EXEC", HIGH, "status=203/EXEC"),
        ("code=exited, status=143/n/a", MEDIUM, "status=143/n/a"),
        ("code=killed, status=15/TERM", MEDIUM, "status=15/TERM"),
        ("exited with code 130", MEDIUM, "exited with code 130"),
        ("exited with code [1] via signal [SIGINT]", MEDIUM, "exited with code [1"),
        ("disk usage at 93%", MEDIUM, "usage at 93"),
        ("volume /data is 95.5% full", MEDIUM, "95.5% full"),
        ("heap used: 100%", HIGH, "used: 100"),
    ],
)
def test_a_code_is_a_status(text: str, value: Severity, words: str) -> None:
    """A status of medium or worse outweighs the words around it."""
    found = cue(text, 0, len(text))
    assert found is not None
    assert (found.value, text[found.start : found.end], found.basis) == (value, words, STATUS)


@pytest.mark.parametrize(
    ("text", "value", "basis"),
    [
        ("completed with 3 errors, exit code 0", HIGH, CUE),
        ("kernel panic, status 404", CRITICAL, CUE),
        ("service started, status 200", LOW, STATUS),
        ('"GET /x?state=failed HTTP/1.1" 200 5', LOW, STATUS),
        ('"GET /x HTTP/1.1" 200 5 "-" "job failed"', LOW, STATUS),
    ],
)
def test_a_good_code_yields_to_bad_words_unless_it_is_a_requests_own(
    text: str, value: Severity, basis: SeverityBasis
) -> None:
    """A record of a request is judged by its status alone."""
    found = cue(text, 0, len(text))
    assert found is not None
    assert (found.value, found.basis) == (value, basis)


@pytest.mark.parametrize(
    "text", ["returned 500 rows", "status 7", "code 5", "signal 11 dBm", "41% used"]
)
def test_a_number_that_is_no_code_says_nothing(text: str) -> None:
    """Counts and numbers of unknown meaning are left alone."""
    assert read(text) is None


def test_only_the_first_2048_characters_are_looked_at() -> None:
    """A bound on the time that one message may take."""
    assert read("x " * 1_024 + "failed") is None
    assert read("x " * 1_020 + "failed") == (HIGH, "failed")


@pytest.mark.parametrize("piece", ["a", " ", "1", "error ", "no ", "not ", "0 ", "-", "/", "exit "])
def test_a_huge_message_takes_no_longer(piece: str) -> None:
    """64 KiB of anything stay under 50 ms."""
    text = (piece * 65_536)[:65_536]
    begun = time.perf_counter()
    cue(text, 0, len(text))
    assert time.perf_counter() - begun < 0.05
