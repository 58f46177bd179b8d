"""The words by which a message tells how something went, where it states no level.

Plain tables, all lower case. In :data:`CUES` a row is one word or phrase, whole words in order; the
longest phrase at a place wins, so a row can also turn a bad word into a harmless phrase. The other
tables say what takes a cue back, what turns a good one bad, and where codes stand.
"""

from __future__ import annotations

from typing import Final

from logdocket.line import Severity
from logdocket.reading.words import word_set

_LOW, _MEDIUM, _HIGH, _CRITICAL = Severity

CUES: Final[dict[Severity, str]] = {
    _CRITICAL: """
        out of memory, oom, oom-kill, oom-killer, oomkilled, oom_kill, killed process, enomem
        kernel panic, kernel bug, kernel oops, panic, panicked, general protection fault
        machine check exception, segfault, segfaulted, segmentation fault, sigsegv, core dumped
        data loss, data corruption, corrupt, corrupted, corruption, split brain, split-brain
        uncorrectable, unrecoverable, fatal, critical, emergency, catastrophic, compromised
        out of disk space, no space left, disk full, disk is full, enospc
        read-only file system, remounting filesystem read-only, meltdown
    """,
    _HIGH: """
        error, errors, err, failed, fail, fails, failing, failure, failures, auth fail
        exception, exceptions, traceback, fault, faults, faulted, unhandled, uncaught
        refused, denied, forbidden, unauthorized, unauthorised, not permitted
        timed out, timed-out, timedout, timeout, timeouts, time out, time-out, no response
        unreachable, unavailable, unresponsive, unhealthy, not responding, no route to host
        crash, crashed, crashes, crashing, crashloopbackoff, abort, aborted, aborting, aborts
        abnormal, abnormally, unexpectedly, non-zero exit, nonzero exit
        cannot, can not, can't, cant, couldn't, could not, couldnt, unable
        unsuccessful, unsuccessfully, without success, not found, no such, not enough
        insufficient, connection reset, reset by peer, broken, broken pipe, connection lost
        connection closed unexpectedly, lost connection, lost contact, exceeded, exhausted
        died, declared dead, dead lock, deadlock, deadlocked, sigkill, sigabrt, sigbus
        gave up, giving up, too many, stuck, hung, hangs, malformed, outage, violation, breach
        attack, break-in attempt, undefined method, undefined variable, undefined reference
        econnrefused, econnreset, etimedout, ehostunreach, enetunreach, eacces, eperm, enoent
        epipe, eio, deadline_exceeded, resource_exhausted, permission_denied, unauthenticated
        imagepullbackoff, errimagepull
    """,
    _MEDIUM: """
        warning, warnings, warn, retry, retries, retrying, retried, slow, slowly
        deprecated, deprecation, degraded, invalid, illegal, rejected, rejecting, reject, rejects
        dropped, dropping, skipped, skipping, ignoring, ignored, throttled, throttling
        rate limited, backing off, backoff, back-off, blocked, missing, mismatch, conflict
        unknown user, user unknown, unknown host, unknown command, unexpected, unsupported
        not supported, not allowed, not ready, suspicious, stale, lagging, delayed, interrupted
        preempted, evicted, failover, fallback, falling back, leak, leaked, nearly full
        almost full, above threshold, below threshold, over quota, expired, overflow, overrun
        underrun, killed, dead, dead letter, truncated, out of sync, out of range, at risk
    """,
    _LOW: """
        started, starting, restarted, restart, restarting, stopped, stopping, succeeded, succeeds
        success, successful, successfully, completed, complete, completes, finished, done
        connected, accepted, established, opened, closed, listening, ready, running, loaded
        registered, initialized, initialised, initializing, initialising, created, deleted
        updated, received, sent, served, verified, healthy, online, available, enabled
        authenticated, logged in, logged out, recovered, resumed, passed, ok, okay, committed
        flushed, synced, synchronized, synchronised, joined, reconnected, disconnected, saved
        uploaded, downloaded, installed, mounted, unmounted, shutdown, shutting down, corrected
        resolved, dropped privileges, dropping privileges, ignoring case, no longer expired
    """,
}
"""Outcome words and phrases by severity, separated by commas or new lines."""

COMMON: Final = word_set("""
    a back by can can't command connection could couldn't down host in is left no not off of out
    system time to too up user without
    """)
"""Words too common to tell that a phrase may be there."""

BENIGN_AFTER: Final = word_set("""
    handling handler handlers reporting reporter log logs logging logger page pages correction
    detection detector recovery budget budgets threshold thresholds tolerance tolerant callback
    callbacks policy policies mode modes injection domain domains zone zones metric metrics counter
    counters stats statistics button section path boundary boundaries notification notifications
    support
    """)
"""A bad noun before one of these names a thing (``error handler``), not an event."""

NOT: Final = word_set("""
    not never didn't doesn't don't isn't wasn't aren't weren't won't hasn't haven't hadn't didnt
    doesnt wasnt isnt
    """)
"""Negates the verb after it: takes a bad word back, turns a word of :data:`FLIPS` bad."""

NONE: Final = word_set("no without zero none nothing nobody neither nor 0 0.0 0.00")
"""Says that there was none of what follows."""

FILLERS: Final = word_set("""
    a an any the be been have has had ever yet or nor further more new other known single
    successfully fully properly correctly cleanly actually really even longer currently
    """)
"""Words that may stand between a negation and what it negates."""

FLIPS: Final[dict[Severity, str]] = {
    _MEDIUM: "ready match valid verified received receive",
    _HIGH: """
        started start succeeded succeed completed complete connected connect finished finish
        running established available healthy responding respond responded reply authenticated
        authenticate opened open saved save committed commit synced sync joined join reachable
        mounted mount loaded load initialized initialised accepted accept work working resolve
        resolved recover recovered converge reach delivered deliver alive
    """,
}
"""What is bad when it did not happen."""

CLAIMS: Final = word_set("success successful succeeded succeeds ok okay healthy passed")
"""Names of outcomes themselves: bad with ``false`` as their value."""

MENDED: Final = word_set("corrected recovered resolved fixed cleared repaired healed")
"""A bad thing said to be mended is low, before it or after it: ``parity error corrected``.

Nothing is left to be done about it; a critical word stays critical all the same.
"""

TOLERATED: Final = word_set("ignoring ignored ignore tolerating tolerated suppressed")
"""A bad thing said to be tolerated, before it, is medium."""

SETTINGS: Final = word_set("timeout timeouts retry retries backoff back-off")
"""Names of settings too: with a number as its value, such a word tells of no event."""

HTTP_KEYS: Final = word_set("http/1.0 http/1.1 http/2 http/2.0 http/3 http/3.0")
"""What stands before the status in a request's record; that status then decides."""

STATUS_KEYS: Final = word_set("""
    http status statuscode status_code http_status httpstatus http-status response response_code
    responsecode respcode
    """)
"""What an HTTP status may follow."""

EXIT_KEYS: Final = word_set("""
    exit exited exits exitcode exit_code exit-code exitstatus exit_status exitvalue rc retcode
    returncode return_code errno
    """)
"""What an exit or return code may follow."""

RETURN_KEYS: Final = word_set("returned returns responded answered got replied")
"""Verbs that an HTTP status may follow, when what comes after does not make it a count."""

CODE_FILLERS: Final = word_set(
    "with status code value of is was a an the error http response non-zero nonzero by"
)
"""Words that may stand between a key and its code."""

AFTER_STATUS: Final = word_set("""
    from for in on after at to when while not bad internal service error ok gateway forbidden
    unauthorized too conflict and but by
    """)
"""Words after a number that leave it a status; any other (``returned 500 rows``) makes a count."""
