"""What may be the name of a service, and what only looks like one.

A name is what someone called a program, a component or a logger. A number, an address, an id, a
time, a level word, a path or a word of the sentence is none. Where this module doubts, there is no
name: a service that is wrong costs more than one that is unknown.
"""

from __future__ import annotations

import re
from typing import Final

from logdocket.reading import severity

_NAME: Final = re.compile(r"[^\W\d](?:[\w.$/+*&~-]|::){0,127}+\Z")
_HEX_ID: Final = re.compile(r"(?=[a-fA-F-]{0,40}\d)[0-9a-fA-F-]{8,64}+\Z")
_ADDRESS: Final = re.compile(r"[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{0,4}){2,7}(?:/\d{1,3})?\Z")
_COUNTED: Final = re.compile(r"(?:[a-z]{1,12}(?:-[a-z]{1,12}){0,3}|[A-Z][\w]{0,40}?)?[-_#]?\d+\Z")
_NESTED: Final = re.compile(r"[^\W\d]\w{0,60}(?:(?:\.|::)[^\W\d][\w$-]{0,60}){1,12}\Z")
_HYPHENED: Final = re.compile(r"[a-z][a-z0-9]{1,24}(?:[-_][a-z0-9]{1,24}){1,5}\Z")
_HUMPED: Final = re.compile(r"[A-Z][a-z0-9]{1,24}(?:[A-Z][a-z0-9]{1,24}){1,6}\Z")

# A word that opens or joins a sentence. One a line could say before a colon belongs here.
_SENTENCE_WORDS: Final = frozenset(
    """
    a about above access account action actual add added address after again alert all already also
    an and any are args argument arguments as at attempt attempting attention authentication
    authorization be because been before begin below body bug but by bye can cannot cause change
    changes check checking child choose client close code command complete completed completing
    condition config configuration connect connecting connection connections context continue
    copy could count create creating current data database date debug default delete deleting
    deprecated description detail details device did directory disk do does done down download
    duration during each either elapsed else empty end ended error errors event everything example
    exception exit exiting expected expires fail failed failing fails failure fatal file files find
    finish finished first following for forbidden found from full get getting given global going got
    had handler has have header headers health hello help here hint host how http https id if ignored
    ignoring illegal important in incoming info information initialising initialization initializing
    input insert inside internal into invalid invoking is issue issues it its job jobs just key last
    length level limit line link list listen listening load loading local log login looking lost
    machine made make malformed max may memory message messages method min missing mode module more
    must my name need network new next no node none not note nothing notice now null number object of
    off ok old on once one only open opening operation option options or order other our out output
    over page panic params parent parsing partition password path payload peer pending performing
    permission please port possible preparing previous problem process processed processing program
    progress query raise reached read reading ready reason received receiving registering rejected
    reload removing rename request requests required reset response restart restarting result results
    resuming retry retrying return returned root row run running save scanning search see send sending
    sent server session set setting settings shutdown shutting since size skip skipped skipping so
    solution some source stack start started starting state statement stats status step stop stopped
    stopping stored submitting success successful successfully such summary switching syncing target
    task test testing text than that the their then there these they thing this thread thus time
    timed timeout timestamp tip to todo too took total transaction tried try trying type
    unable unauthorized unavailable unexpected unhandled unknown unload unsupported until up update
    updating upgrade upload url usage use used user users using utc validating value values verify
    verifying version very via wait waiting warn warning was we went were what when where which while
    who why will with within without worker workers would write writing wrong yes yet you your zero
    jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun am pm gmt
    true false nil undefined nan main stdout stderr
    accepting adding allocating applying assigning binding booting building calling cancelling
    cleaning closing compiling computing configuring converting copying deploying destroying
    detecting disabling disconnecting discovering dropping dumping enabling enqueueing ensuring
    entering evaluating executing exporting extracting fetching finding flushing forcing generating
    handling importing inserting installing invoking joining killing launching leaving logging
    looping making mapping marking migrating mounting moving obtaining parsing performing
    pausing posting printing propagating publishing pulling pushing putting querying rebuilding
    reconnecting recovering redirecting refreshing releasing rendering renewing replacing
    replaying requesting resetting resolving restoring retrieving returning rotating
    scanning serving sleeping spawning storing submitting terminating throwing transferring
    triggering trimming unmounting updating uploading watching genserver
    localhost non-fatal non-zero read-only re-try built-in out-of-memory low-level high-level
    end-of-file long-running short-lived up-to-date well-known third-party multi-part time-out
    """.split()
)

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
_DOMAINS: Final = frozenset("com org net io dev local internal lan example edu gov arpa".split())
_THREAD_WORDS: Final = ("thread", "-exec-", "pool-", "dispatcher-", "executor-", "worker-")
_THREADS: Final = frozenset({"main", "restartedmain", "scheduling-1", "mainthread", "mainprocess"})
_SOURCE_FILE: Final = re.compile(r"[\w./-]{1,120}?\.(?:java|scala|kt|go|py|rb|rs|c|cc|cpp|js|ts|cs)\Z")


def is_name(token: str) -> bool:
    """Whether ``token``, free of pid and colon, can be a service's name at all."""
    if _NAME.match(token) is None:
        return False
    lowered = token.lower()
    if lowered in _SENTENCE_WORDS or lowered in _PLACEHOLDERS or severity.word(token) is not None:
        return False
    if token.endswith(_FOREIGN_ENDINGS) and token.count(".") < 2:
        return False
    if token[-1] in ".:/+-&*~" or (lowered.endswith("ed") and _is_participle(token)):
        return False
    return _HEX_ID.match(token) is None and (":" not in token or _ADDRESS.match(token) is None)


def _is_participle(token: str) -> bool:
    """Whether a plain word ending in -ed is one, such as ``joined``, rather than ``feed``."""
    return token.isalpha() and len(token) > 4 and not token.endswith(("eed", "sched"))


def is_telling(token: str) -> bool:
    """Whether a name says by its own form that it is one: ``auth-worker``, ``OrderService``.

    An ordinary word can be a name, but only its place can tell; see :func:`is_name`.
    """
    if not is_name(token) or is_counted(token):
        return False
    return bool(_HYPHENED.match(token) or _HUMPED.match(token) or is_nested(token))


def is_nested(token: str) -> bool:
    """Whether a token is a logger's name by its form: ``a.b.Class``, ``crate::module``.

    A host or a file with one dot is none.
    """
    if _NESTED.match(token) is None or _SOURCE_FILE.match(token):
        return False
    if "::" in token:
        return True
    last = token.rpartition(".")[2]
    if last in _DOMAINS:
        return False
    return last[0].isupper() or token.count(".") >= 2


def is_counted(token: str) -> bool:
    """Whether a token is one of many by number, such as a thread: ``worker-3``, ``node12``."""
    return _COUNTED.match(token) is not None


def is_thread(token: str) -> bool:
    """Whether a token names a thread rather than a logger: ``main``, ``pool-1-thread-2``."""
    lowered = token.lower()
    if lowered in _THREADS or is_counted(token):
        return True
    return any(word in lowered for word in _THREAD_WORDS)


def trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The place of the bare name in ``text[start:end]``, or None when it is no name.

    Cut off are quotes, a trailing colon, ``[pid]`` and a parenthesis such as ``(pam_unix)``, and
    of ``module:function:line`` all but the module.
    """
    token = text[start:end]
    for mark in "([{":
        cut = token.find(mark, 1)
        if cut > 0:
            token = token[:cut]
    bare = token.lstrip("\"'`")
    start += len(token) - len(bare)
    bare = bare.rstrip("\"'`:,")
    if ":" in bare:
        bare = _without_position(bare)
    return (start, start + len(bare)) if is_name(bare) else None


_POSITION: Final = re.compile(r"([^:]{1,128}+)(?::[\w.<>]{1,128}+)?:\d{1,6}\Z")


def _without_position(token: str) -> str:
    """Of ``module:function:12`` or ``module:12`` the module; any other token whole."""
    found = _POSITION.match(token)
    return found[1] if found else token
