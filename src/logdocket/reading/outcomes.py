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
        kernel panic, kernel bug, kernel oops, panic, panicked, general protection fault
        machine check exception, segmentation fault, sigsegv, core dumped, heap out of memory
        system out of memory, system is out of memory, data loss, data corruption, corrupt
        corrupted, corruption, split brain, split-brain, data lost, lost data, messages lost
        records lost, rows lost, writes lost, events lost, messages were lost, records were lost
        rows were lost, writes were lost, events were lost, uncorrectable, unrecoverable, fatal
        critical, emergency, catastrophic, compromised, out of disk space, no space left, disk full
        disk is full, enospc, erofs, read-only file system, read-only filesystem
        remounting filesystem read-only, shutting down filesystem, meltdown, blackout, kritisch
        critique, crítico, cannot continue, can not continue, can't continue, unable to continue
        could not continue, freezing execution, entering emergency mode, system halted, quorum lost
        lost quorum, no quorum, quorum gone, loss of quorum, without quorum, no live upstreams
        no healthy upstream, no healthy upstreams
    """,
    _HIGH: """
        error, errors, err, failed, fail, fails, failing, failure, failures, exception, exceptions
        traceback, fault, faults, faulted, unhandled, uncaught, out of memory, oom, oom-kill
        oom-killer, oomkilled, oom_kill, killed process, enomem, segfault, segfaulted, no space
        refused, permission denied, not permitted, timed out, timed-out, timedout, timeout
        timeouts, time out, time-out, no response, no reply, unreachable, unavailable, unresponsive
        unhealthy, not responding, no route to host, crash, crashed, crashes, crashing
        crashloopbackoff, abort, aborted, aborting, aborts, abnormal, abnormally, unexpectedly
        non-zero exit, nonzero exit, cannot, can not, can't, cant, couldn't, could not, couldnt
        unable, unsuccessful, unsuccessfully, without success, not found, no such, not enough
        insufficient, connection reset, reset by peer, broken, broken pipe, connection lost
        connection closed unexpectedly, lost connection, lost contact, exceeded, exhausted, died
        declared dead, dead lock, deadlock, deadlocked, sigkill, sigabrt, sigbus, gave up
        giving up, too many, too quickly, stuck, hung, hangs, lost, outage, violation, breach
        attack, break-in attempt, undefined method, undefined variable, undefined reference
        went wrong, went down, gone down, goes down, is down, are down, now down, was down
        link down, host down, node down, server down, peer down, neighbor down, neighbour down
        interface down, tunnel down, port down, state down, status down, to down, marked down
        marked as down, declared down, servers down, nodes down, hosts down, brokers down
        backends down, replicas down, members down, instances down, links down, upstreams down
        went offline, gone offline, is offline, are offline, now offline, no carrier, gone away
        already in use, inconsistent, inconsistency, halted, bricked, jammed, overheating
        overheated, overtemperature, over temperature, overcurrent, over-current, intrusion
        tampered, tampering, no working, no usable, no reachable, out of space, out of disk
        out of descriptors, stopped answering, stopped responding, stopped working
        stopped accepting, stopped taking, stopped receiving, stopped replicating
        stopped processing, stopped reporting, stopped replying, stopped consuming, stopped serving
        stopped half, stopped halfway, stopped midway, checksum mismatch, checksum differs
        checksum error, hash mismatch, digest mismatch, crc mismatch, bad gateway, bad sector
        bad sectors, bad block, bad blocks, bad magic, bad checksum, bad file descriptor
        bad address, certificate expired, certificate has expired, cert expired, cert has expired
        license expired, license has expired, licence expired, licence has expired, corrupt packet
        corrupted packet, corrupt frame, corrupted frame, corrupt image, corrupted image
        corrupt archive, corrupted archive, corrupt upload, corrupted upload, corrupt download
        corrupted download, corrupt request, corrupted request, corrupted mac, corrupt cache
        corrupted cache, econnrefused, econnreset, econnaborted, etimedout, ehostunreach
        enetunreach, enotfound, ehostdown, enetdown, eaddrinuse, eaddrnotavail, eacces, eperm
        enoent, enotdir, ebadf, epipe, eio, emfile, enfile, edquot, enotconn, deadline_exceeded
        resource_exhausted, failed_precondition, imagepullbackoff, errimagepull, nodenotready
        fehler, fehlgeschlagen, erreur, fallo, errore, erro, fout, ошибка, błąd, エラー, 错误, 錯誤
        stalled, stall, stalls, soft lockup, hard lockup, lockup, blocked for more than, no leader
        without a leader, on fire, gas leak, water leak, infected, malware, ransomware, brute force
        brute-force, forced open, watchdog reset, watchdog reboot, watchdog timeout
        reset by watchdog, page allocation failure, critically low, crashlooping
    """,
    _MEDIUM: """
        warning, warnings, warn, retry, retries, retrying, retried, slow, slowly, slower
        trying again, try again, tries again, reconnecting, retransmit, retransmits, retransmitting
        retransmission, retransmissions, deferred, requeued, requeueing, deprecated, deprecation
        degraded, invalid, illegal, malformed, rejected, rejecting, reject, rejects, denied
        access denied, forbidden, unauthorized, unauthorised, unauthenticated, not authorized
        not authorised, permission_denied, invalid_argument, permission denied publickey
        permission denied for user, auth fail, auth failed, auth failure, auth failures, auth error
        auth errors, authentication failure, authentication failures, authentication failed
        authentication fails, authentication error, authentication errors, failed authentication
        login failed, login failure, login failures, login fails, login error, login incorrect
        logon failure, logon failed, sign-in failed, failed sign-in, failed logon, failed login
        failed logins, failed password, failed publickey, failed none, failed keyboard-interactive
        failed su, failed attempt, failed attempts, failed auth, failed token
        verification failed for token, too many authentication failures
        too many failed login attempts, too many login attempts, too many attempts
        too many failed attempts, too many requests, attempts exceeded, bad password, bad request
        bad credentials, bad username, bad protocol, bad certificate, certificate unknown
        unknown ca, handshake error from, handshake failed from, handshake failure from
        remote error, refused connect, refused connection from, refused connections from
        refused client, query refused, login refused, refused login, user not found, page not found
        route not found, record not found, not in sudoers, limit exceeded, exceeded limit
        quota exceeded, exceeded quota, threshold exceeded, exceeded threshold, client timed out
        client timeout, client closed, client aborted, client reset, aborted by client
        aborted by user, aborted connection, idle timeout, session timeout, session timed out
        inactivity timeout, cancelled, canceled, dropped, dropping, skipped, skipping, ignoring
        ignored, throttled, throttling, rate limited, rate-limited, backing off, backoff, back-off
        blocked, missing, mismatch, conflict, conflicts, wrong, incorrect, incomplete, duplicate
        duplicated, orphaned, unknown user, user unknown, unknown host, unknown command, unexpected
        unsupported, unrecognized, unrecognised, untrusted, not supported, not allowed, not ready
        suspicious, stale, outdated, lagging, lags, delayed, falling behind, fell behind
        falls behind, running behind, interrupted, preempted, evicted, failover, fallback
        falling back, fell back, leak, leaked, nearly full, almost full, table full, queue full
        queue is full, buffer full, table is full, near capacity, at capacity, low on memory
        low on disk, low disk space, low memory, low battery, battery low, low on space
        running low, running out, on battery, on batteries, running on ups, running on battery
        running on batteries, undervoltage, under-voltage, weak signal, packet loss, flapping
        above threshold, below threshold, over quota, over limit, limit reached, took too long
        took longer, takes too long, too slow, high load, high latency, high memory, high cpu
        high temperature, overloaded, congested, congestion, saturated, expired, expires in
        expiring, will expire, about to expire, end of life, will be removed, going away
        no longer supported, clock skew, clock drift, time jumped, scheduled restart, respawning
        overflow, overrun, underrun, killed, dead, dead letter, truncated, out of sync
        out of range, at risk, eagain, eexist, nxdomain, servfail, vulnerability, vulnerabilities
        partially, warnung, avertissement, advertencia, aviso, avviso, waarschuwing, varning
        предупреждение, 警告, long pause, long gc, high watermark, missed heartbeat
        missed heartbeats, heartbeat missed, heartbeats missed, longer than, locked out
        account locked, account is locked, reduced redundancy, unsynchronized, unsynchronised
        latency high, load high, usage high, paper low, toner low, ink low, fuel low, signal weak
        rate limiting, node pressure, memory pressure, disk pressure, nearly exhausted
        almost exhausted, over capacity, approaching, anomaly, anomalous, backpressure
        back-pressure, back pressure, contention, unstable, too large, too long, too big, too small
        too low, too high, unknown option, unknown key, unknown field, unknown parameter
        unknown directive, misconfigured, misconfiguration, rolled back, rolling back, rollback
        quarantined, unclean, uncleanly, cancelled by, near its end, left out, exceeds, exceeding
        rate exceeded, accessdenied, interruption, not properly, sensor drift, calibration required
        maintenance required, maintenance due, service required, needs replacement, needs cleaning
        needs attention, left open, ajar, paper jam, brownout
    """,
    _LOW: """
        started, starting, restarted, stopped, stopping, succeeded, succeeds, success, successful
        successfully, completed, complete, completes, finished, done, connected, accepted
        established, opened, closed, listening, ready, running, loaded, registered, initialized
        initialised, initializing, initialising, created, deleted, updated, received, sent, served
        verified, healthy, online, available, enabled, authenticated, logged in, logged out
        recovered, resumed, passed, ok, okay, committed, flushed, synced, synchronized
        synchronised, joined, reconnected, disconnected, saved, uploaded, downloaded, installed
        mounted, unmounted, shutting down, corrected, shutdown complete, graceful shutdown
        shut down gracefully, resolved, dropped privileges, dropping privileges, ignoring case
        no longer expired, is up, link up, came up, now up, state to up, back up and, back online
        back to normal, is back, are back, up to date, up-to-date, nothing to do, no changes
        no change, normal, retry succeeded, retry successful, copied, merged, imported, exported
        published, processed, applied, renewed, refreshed, rotated, restored, rebuilt, replicated
        archived, validated, confirmed, purged, pruned, cleaned, reloaded, reloading, booted
        deployed, compiled, bound to, new session, redelivered, replayed, rejoined, resynced
        answered, delivered, no problems, no problem, 0 problems, no issues, no issue, 0 issues
        pulled, pulling, assigned, associated, acquired, scaled, scaling, subscribed, elected
        accepting connections, rolled out, mapped, printed, gc allocation failure
        pause young allocation failure, pause full allocation failure, nothing to be done
    """,
}
"""Outcome words and phrases by severity, separated by commas or new lines."""

COMMON: Final = word_set("""
    0 a about account address and are as at authentication back be behind big block blocks by can
    can't certificate change client command connect connection could couldn't cpu data disk end
    field file for from gone has high host in is it its key large left link load long low memory
    mode more new no node not now of off old on open option out over own password port protocol
    request running server session signal small state status su system than time to too took usage
    user was will with without
    """)
"""Words too common to tell that a phrase may be there."""

BENIGN_AFTER: Final = word_set("""
    handling handler handlers reporting reporter log logs logging logger page pages correction
    detection detector recovery budget budgets threshold thresholds tolerance tolerant callback
    callbacks policy policies mode modes injection domain domains zone zones metric metrics counter
    counters stats statistics button section path boundary boundaries notification notifications
    support injector injectors listener listeners reports resolution tracking tracker
    middleware filter filters drill drills simulation simulator simulations checker checkers
    monitor monitoring prevention prediction topic channel template templates dashboard summary
    catalog catalogue queue queues check checks scan scanner
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
    _MEDIUM: """
        ready match valid verified received receive accepted accept authenticated authenticate
        authorized authorised trusted recognized recognised recommended configured
    """,
    _HIGH: """
        started start succeeded succeed completed complete connected connect finished finish
        running established available healthy responding respond responded reply open opened
        save saved commit committed sync synced join joined reachable mount mounted load loaded
        initialized initialised work working resolve resolved recover recovered converge reach
        delivered deliver alive produce produced arrive arrived answer answered answering
        ran returned written stored persisted sent replicated executed
    """,
}
"""What is bad when it did not happen."""

CLAIMS: Final = word_set("success successful succeeded succeeds ok okay healthy passed")
"""Names of outcomes themselves: bad with ``false`` as their value."""

MENDED: Final = word_set("""
    corrected recovered resolved fixed cleared repaired healed restored redelivered replayed
    reprocessed reconnected rejoined resumed resynced rebuilt
""")
"""A bad thing said to be mended is low, before it or after it: ``parity error corrected``.

Nothing is left to be done about it; a critical word stays critical all the same.
"""

TOLERATED: Final = word_set("ignoring ignored ignore tolerating tolerated suppressed")
"""A bad thing said to be tolerated, before it, is medium."""

FULL_KEYS: Final = word_set("""
    usage used full utilization utilisation capacity occupied allocated
    """)
"""What a share in percent near 100 may stand beside: ``disk usage at 97%``."""

REQUESTED: Final = word_set("sigint sigterm sighup")
"""Signals by which somebody asks a program to end; it does so with a code that is no failure."""

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
