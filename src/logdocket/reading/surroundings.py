"""Words around an outcome word by which it is milder or worse, or tells of no event at all.

Plain tables, all lower case, as in :mod:`.outcomes`; :mod:`.weighing` and :mod:`.scopes` read them.
"""

from __future__ import annotations

from typing import Final

from logdocket.reading.outcomes import NOT
from logdocket.reading.words import word_set

REMNANTS: Final = word_set("""
    expired stale dead orphaned duplicate duplicates duplicated invalid leaked outdated conflicts
    """)
"""What is cleaned away: with a word of :data:`CLEANING` beside it, such a word is of no concern."""

CLEANING: Final = word_set("""
    removed removing deleted deleting purged purging pruned pruning cleaned cleaning cleared
    clearing swept sweeping reaped reaping collected collecting discarded evicting rotated
    """)

TALLIED: Final = word_set("skipped ignored cancelled canceled deferred")
"""Words under which a run counts what it left out; with a number such a word tells of no event."""

PASSED_OVER: Final = word_set("skipping skipped skip ignoring ignored")
DONE_BEFORE: Final = word_set("already unchanged cached up-to-date identical")
"""What is passed over because nothing is to be done is no worry: ``already there, skipping``."""

LEVEL_NAMES: Final = word_set("level levels loglevel verbosity severity priority threshold")
"""What may be set to a level word: ``log level set to error``."""

CLIENTS: Final = word_set("preauth csrf captcha")
"""Words of a client that was not let in: what fails there is the client's."""

RETRYING: Final = word_set("""
    retrying retry retried back-off backoff backing reconnecting rescheduling rescheduled requeued
    requeueing requeuing deferred falling fell using
    """)
"""What is tried again, or done without, is no more than a worry.

``retry`` and ``retried`` count only behind ``will`` or before a number, the last three only before
a word of :data:`INSTEAD`.
"""

INSTEAD: Final = word_set("back default defaults cached stale fallback previous")
"""With these a program makes do: ``falling back to``, ``using cached``."""

GIVING_UP: Final = word_set("""
    giving gave exhausted abandoning abandoned aborting aborted exiting quitting halting
    """)
"""Words that say that nothing more is tried."""

UNDONE: Final = NOT | word_set("""
    no none nothing 0 to be being cannot could couldn't until unless before if when once partially
    wasn't
    """)
"""Before a word of :data:`MENDED` these say that it has not come, or not yet."""

ALARMS: Final = word_set("""
    alarm alarms alert alerts incident problem trap condition event outage fault
    """)
"""What may be said to be cleared at the head of a message, which then names what is over."""

BEGINNERS: Final = word_set("""
    started starting stopped stopping finished finishing reached reloaded reloading mounted mounting
    created listening loaded registered scheduled
    """)
"""Heads of messages that go on to name a unit or a job, bad nouns and all."""

NOUNS: Final = word_set("""
    failure failures error errors crash fault faults panic emergency exception exceptions warning
    warnings timeout timeouts retry leak corruption abort outage
    """)
"""Bad words that may stand in the name of a unit or a job."""

TIES: Final = word_set("with due by after because and but following from on despite since without")
"""Words by which a bad noun belongs to the event, not to a name."""

ALL: Final = word_set("all every both entire whole")
SERVERS: Final = word_set("""
    upstream upstreams backend backends host hosts node nodes server servers replica replicas broker
    brokers member members instance instances master masters controller controllers datacenter
    datacenters region regions zone zones shard shards disk disks peer peers link links uplink
    uplinks resolver resolvers site sites cluster database databases
    """)
DOWN: Final = word_set("""
    down unreachable unavailable failed failing dead offline unhealthy gone lost unresponsive
    crashed responding died
    """)
"""``every backend is down``: a word of each of the three tables makes an outage."""

SCARCE: Final = word_set("""
    space memory worker workers connection connections slot slots lease leases port ports address
    addresses thread threads source sources capacity resources partition partitions leader primary
    consumer consumers provider providers quorum
    """)
"""With a server (:data:`SERVERS`), what is needed: bad where there is none available."""

USERS_KEYS: Final = word_set("""
    comment comments note notes title subject query q search prompt input username user filename
    file path command cmd cmdline args argv ua user_agent useragent user-agent agent referer
    referrer pattern regex said wrote says writes typed asked
    """)
"""Keys whose values are users' words or names of things, and tell of no event."""

OWN_QUOTES: Final = word_set("""
    error errors err reason with because status exception failed fail failure returned returns got
    replied responded answered response reply output stderr printed state result cause code is was
    to as phase condition alert alarm trap event fatal panic warning caused raised throws threw says
    """)
"""Words behind which a quote tells of the event itself."""
