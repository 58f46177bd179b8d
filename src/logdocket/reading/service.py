"""What may be the name of a service, and what only looks like one.

A name is what someone called a program, a component or a logger. A number, an address, an id, a
time, a level word, a path or a word of the sentence is none. Where this module doubts, there is no
name: a service that is wrong costs more than one that is unknown.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from logdocket.reading import severity
from logdocket.reading.timestamp.clock import ABBREVIATIONS

_LONGEST: Final = 128
"""Characters that a name may have."""

_NAME: Final = re.compile(r"[^\W\d](?:[\w.$/+*&~-]++|::)*+\Z")
_CUT: Final = re.compile(r"[(\[{]|#(?=[a-z])")
"""A process id, a module, or a method behind its class, as in ``a.b.Class#method``."""

_AGENT: Final = re.compile(r"[A-Za-z]\w{1,40}/\d")
"""``Mozilla/5.0``: a program's version, as clients tell it of themselves."""

_ROTATED: Final = re.compile(r"\.log\.\d")
"""``api.log.1.2026-05-16``: a file that was put aside."""

_CODE: Final = re.compile(r"[A-Z]{1,10}-?\d{2,12}[A-Z]?\Z")
_POSITION: Final = re.compile(r"([^:]{1,128}+)(?::[\w.<>]{1,128}+)?:\d{1,6}\Z")
_HEX_ID: Final = re.compile(r"(?=[a-fA-F-]{0,40}\d)[0-9a-fA-F-]{8,64}+\Z")
_ADDRESS: Final = re.compile(r"[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{0,4}){2,7}(?:/\d{1,3})?\Z")
_COUNTED: Final = re.compile(r"(?:[a-z]{1,12}(?:-[a-z]{1,12}){0,3}|[A-Z][\w]{0,40}?)?[-_#]?\d+\Z")
_NESTED: Final = re.compile(r"[^\W\d]\w{0,60}(?:(?:\.|::)[^\W\d][\w$-]{0,60}){1,12}\Z")
_HYPHENED: Final = re.compile(r"[a-z][a-z0-9]{1,24}(?:[-_][a-z0-9]{1,24}){1,5}\Z")
_HUMPED: Final = re.compile(r"[A-Z][a-z0-9]{1,24}(?:[A-Z][a-z0-9]{1,24}){1,6}\Z")

# A word that opens or joins a sentence. One a line could say before a colon belongs here.
_SENTENCE_WORDS: Final = frozenset(
    """
    a about above accepting access account action actual add added adding address after again alarm
    alarms alert all allocating already also am amount an and any applying apr are args argument
    arguments as
    assigning at attempt attempting attention aug authentication authorization balance be because
    been before begin below binding body booting bucket bug building built-in but by bye caller
    calling can cancelling cannot cause change changes check checking child choose cleaning client
    close closing code command commandline compiling complete completed completing computing
    condition config configuration configuring connect connecting connection connections context
    continue converting cookie copy copying could count cpu create creating current data database
    date debug dec default delete deleting deploying deprecated description destroying detail
    details detecting device did directory disabling disconnecting discovering disk do does done
    down download dropping dumping duration during each either elapsed else empty enabling end
    end-date end-of-file ended endpoint enqueueing ensuring entering epoch error errors evaluating
    event everything example exception executing exit exiting expected expires exporting extracting
    fail failed failing fails failure false fatal feb fetching file files find finding finish
    finished first flushing following for forbidden forcing found fri from full generating genserver
    get getting given global gmt going got gpu had handler handling has have header headers health
    heap hello help here high-level hint host how http https id if ignored ignoring illegal
    important importing in incoming info information initialising initialization initializing input
    insert inserting inside installing internal into invalid invoking is issue issues it its jan job
    jobs joining jul jun just key killing lag last latency launching leaving length level limit line
    link list listen listening load loading local localhost log logging login long-running looking
    looping lost low-level machine made main make making malformed mapping mar marking max may
    memory message messages method migrating min missing mode module mon more mounting moving
    multi-part must my name nan need network new next nil no node non-fatal non-zero none not note
    nothing notice nov now null number object obtaining oct of off offset ok old on once one only
    open opening operation option options or order other our out out-of-memory output over page
    panic params parent parsing partition password path pausing payload peer pending performing
    permission phase please pm port possible posting preparing previous price printing problem
    process processed processing program progress propagating publishing pulling pushing putting
    query querying raise ram re-try reached read read-only reading ready reason rebuilding received
    receiving reconnecting recovering redirecting reference refreshing region registering rejected
    releasing reload removing rename rendering renewing replacing replaying reply request
    requested-by requesting requests required reset resetting resolving response restart restarting
    restoring result results resuming retrieving retry retrying return returned returning root
    rotating round row run running sat save scanning search see send sending sent sep sept server
    serving session set setting settings severity short-lived shutdown shutting since size skip
    skipped skipping sleeping so solution some source spawning stack stage start start-date started
    starting state statement stats status stderr stdout step stop stopped stopping stored storing
    subject submitting success successful successfully such summary sun switching syncing target
    task terminating test testing text than that the their then there these they thing third-party
    this thread throwing thu thus time time-out timed timeout timestamp tip to todo too took topic
    total transaction transferring tried triggering trimming true try trying tue type unable
    unauthorized unavailable undefined unexpected unhandled unknown unload unmounting unsupported
    until up up-to-date update updating upgrade upload uploading uptime url usage use used user
    users using utc validating value values verify verifying version very via wait waiting warn
    warning was watching we wed well-known went were what when where which while who why will with
    within without worker workers would write writing wrong yes yet you your zero zone
    service services
    """.split()
)

_ZONES: Final = frozenset(ABBREVIATIONS)
_REGIONS: Final = tuple(
    f"{region}/"
    for region in "Africa America Antarctica Asia Atlantic Australia Europe Etc Pacific".split()
)
"""How the names of time zones begin."""

_PLACEHOLDERS: Final = frozenset({"-", "none", "null", "nil", "unknown", "n/a", "default"})

# Endings of what is no service though it stands where one would.
_FOREIGN_ENDINGS: Final = (
    "Exception",
    "Error",
    ".log",
    ".json",
    ".yaml",
    ".yml",
    ".xml",
    ".txt",
    ".conf",
    ".cfg",
    ".ini",
    ".csv",
    ".html",
    ".tmp",
    ".gz",
    ".zip",
)
_SOURCE_ENDINGS: Final = frozenset(
    "java scala kt go py rb rs c cc cpp h hpp js ts cs php swift".split()
)
_DOMAINS: Final = frozenset("com org net io dev local internal lan example edu gov arpa".split())
_THREAD_WORDS: Final = ("thread", "-exec-", "pool-", "dispatcher-", "executor-", "worker-")
_THREADS: Final = frozenset("main restartedmain scheduling-1 mainthread mainprocess".split())


class Named(NamedTuple):
    """A name within a token: its place, and what its form tells.

    ``thread``: one of many, or a thread. ``nested``: a logger's dotted name. ``telling``: its own
    form says that it is a name, whatever its place (``auth-worker``, ``OrderService``).
    """

    first: int
    last: int
    thread: bool
    nested: bool
    telling: bool


@lru_cache(maxsize=8192)
def look(token: str) -> Named | None:
    """The bare name in ``token``, or None when there is none.

    Cut off are quotes, a trailing colon, ``[pid]`` and a parenthesis such as ``(pam_unix)``, and
    of ``module:function:line`` all but the module. Same token, same answer: kept for the next line.
    """
    cut = _CUT.search(token, 1, _LONGEST)
    bare = token[: cut.start()] if cut is not None else token
    first = len(bare) - len(bare.lstrip("\"'`"))
    bare = bare[first:].rstrip("\"'`:,")
    if ":" in bare:
        found = _POSITION.match(bare)
        bare = found[1] if found else bare
    if len(bare) < 2 or not is_name(bare):  # a letter is a level, or one of many
        return None
    thread, nested = is_thread(bare), is_nested(bare)
    shaped = nested or _HYPHENED.match(bare) is not None or _HUMPED.match(bare) is not None
    return Named(first, first + len(bare), thread, nested, shaped and not is_counted(bare))


@lru_cache(maxsize=8192)
def is_name(token: str) -> bool:
    """Whether ``token``, free of pid and colon, can be a service's name at all."""
    if len(token) > _LONGEST or _NAME.match(token) is None:
        return False
    lowered = token.lower()
    if token in _ZONES or token.startswith(_REGIONS):
        return False
    if lowered in _SENTENCE_WORDS or lowered in _PLACEHOLDERS or severity.word(token) is not None:
        return False
    if token.endswith(_FOREIGN_ENDINGS) and token.count(".") < 2:
        return False
    if token.count(".") == 1 and token.rpartition(".")[2] in _SOURCE_ENDINGS:
        return False
    if token[-1] in ".:/+-&*~" or (lowered.endswith("ed") and _is_participle(token)):
        return False
    if ("." in token and _is_host(token)) or _CODE.match(token) is not None:
        return False
    if ".log." in token and _ROTATED.search(token) is not None:
        return False
    if "/" in token and _AGENT.match(token) is not None:
        return False
    return _HEX_ID.match(token) is None and (":" not in token or _ADDRESS.match(token) is None)


def _is_participle(token: str) -> bool:
    """Whether a plain word ending in -ed is one, such as ``joined``, rather than ``feed``."""
    return token.isalpha() and len(token) > 4 and not token.endswith(("eed", "sched"))


def _is_host(token: str) -> bool:
    """Whether a dotted token ends as host names do, and does not begin as reversed ones do."""
    return token.rpartition(".")[2] in _DOMAINS and token.partition(".")[0] not in _DOMAINS


def is_nested(token: str) -> bool:
    """Whether a token is a logger's name by its form: ``a.b.Class``, ``crate::module``.

    A host or a file with one dot is none.
    """
    if ("." not in token and ":" not in token) or _NESTED.match(token) is None:
        return False
    if "::" in token:
        return True
    last = token.rpartition(".")[2]
    if _is_host(token) or last in _SOURCE_ENDINGS:
        return False
    return last[0].isupper() or token.count(".") >= 2


def is_counted(token: str) -> bool:
    """Whether a token is one of many by number, such as a thread: ``worker-3``, ``node12``."""
    return token[-1].isdigit() and _COUNTED.match(token) is not None


def is_thread(token: str) -> bool:
    """Whether a token names a thread rather than a logger: ``main``, ``pool-1-thread-2``."""
    lowered = token.lower()
    if lowered in _THREADS or is_counted(token):
        return True
    return any(word in lowered for word in _THREAD_WORDS)
