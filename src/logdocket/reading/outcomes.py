"""The words by which a message tells how something went, where it states no level.

One word or phrase a row; a phrase is whole words in order, lower case, single spaces. The longest
phrase at a place wins, so a row can also make a harmless phrase out of a bad word.
"""

from __future__ import annotations

from typing import Final

from logdocket.line import Severity

_LOW, _MEDIUM, _HIGH, _CRITICAL = Severity

CUES: Final[dict[Severity, str]] = {
    _CRITICAL: """
        out of memory
        oom-kill
        oom-killer
        oomkilled
        oom
        kernel panic
        kernel bug
        panic
        segfault
        segfaulted
        segmentation fault
        general protection fault
        sigsegv
        core dumped
        data loss
        data corruption
        corrupt
        corrupted
        corruption
        split-brain
        split brain
        uncorrectable
        machine check exception
        unrecoverable
        fatal
        emergency
        catastrophic
        deadlock
        deadlocked
        compromised
        break-in attempt
        out of disk space
        no space left
        disk full
        disk is full
        read-only file system
        enospc
        enomem
        meltdown
    """,
    _HIGH: """
        error
        errors
        err
        failed
        fail
        fails
        failing
        failure
        failures
        exception
        exceptions
        traceback
        fault
        faults
        faulted
        refused
        denied
        forbidden
        unauthorized
        timed out
        timed-out
        time-out
        time out
        timeout
        timeouts
        timedout
        unreachable
        unavailable
        crash
        crashed
        crashes
        crashing
        crashloopbackoff
        abort
        aborted
        aborting
        aborts
        abnormal
        abnormally
        cannot
        can not
        can't
        couldn't
        could not
        unable
        unsuccessful
        unsuccessfully
        without success
        not found
        no such
        no route to host
        not permitted
        not responding
        not enough
        no response
        not ready
        insufficient
        connection reset
        reset by peer
        broken pipe
        connection lost
        lost connection
        lost contact
        exceeded
        exhausted
        overflow
        overrun
        underrun
        dead
        died
        killed
        sigkill
        sigabrt
        sigbus
        terminated unexpectedly
        unexpectedly
        gave up
        giving up
        too many
        unresponsive
        unhealthy
        stuck
        hung
        hangs
        broken
        malformed
        outage
        violation
        breach
        attack
        expired
        unhandled
        uncaught
        undefined
        econnrefused
        econnreset
        etimedout
        ehostunreach
        enetunreach
        eacces
        eperm
        enoent
        epipe
        eio
        deadline_exceeded
        resource_exhausted
        permission_denied
        unauthenticated
    """,
    _MEDIUM: """
        warning
        warnings
        warn
        retry
        retries
        retrying
        retried
        slow
        slowly
        deprecated
        deprecation
        degraded
        invalid
        rejected
        rejecting
        reject
        dropped
        dropping
        skipped
        skipping
        ignoring
        throttled
        throttling
        rate limited
        backing off
        backoff
        back-off
        blocked
        missing
        mismatch
        unknown user
        user unknown
        unknown host
        unexpected
        unsupported
        not supported
        not allowed
        suspicious
        stale
        lagging
        delayed
        interrupted
        preempted
        evicted
        failover
        fallback
        falling back
        leak
        leaked
        high load
        nearly full
        almost full
        above threshold
        below threshold
        disconnected
        disconnecting
        corrected
    """,
    _LOW: """
        started
        starting
        restarted
        restart
        stopped
        succeeded
        success
        successful
        successfully
        succeeds
        completed
        complete
        completes
        finished
        done
        connected
        accepted
        established
        opened
        closed
        listening
        ready
        running
        loaded
        registered
        initialized
        initialised
        initializing
        created
        deleted
        updated
        received
        served
        verified
        healthy
        online
        available
        enabled
        authenticated
        logged in
        logged out
        recovered
        resumed
        passed
        ok
        okay
        committed
        flushed
        synced
        synchronized
        joined
        reconnected
        saved
        uploaded
        downloaded
        installed
        mounted
        unmounted
        shutdown
        shutting down
        dropped privileges
        dropping privileges
        expired sessions removed
    """,
}
