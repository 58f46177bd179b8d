"""The tables of words that say what a number beside them means. One line extends each."""

from __future__ import annotations

from typing import Final

from logdocket.reading.words import word_set

CODES: Final = word_set(
    """
    code codes status stat errno err error errors exit exited rc ret retcode result returned returns
    return signal sig hresult ntstatus reason cause fault faults exception exceptions trap failures
    failure failed fail fails failing warnings retry retries attempts dropped drops lost missing
    rejected refused denied corrupt corrupted crashed crashes dead killed violations timeouts
    unreachable skipped level lvl severity sev priority prio rcode errorcode exitcode
    eventid event_id sqlstate percent percentage pct sc rsp reply smtp ftp
    """
)
"""Words whose number is a code, a share or a count of what failed: no template masks it."""

KINDS: Final = word_set("event alert alarm rule signature")
"""Words before ``id`` whose number says what happened, not which one: ``Event ID 4625``."""

STATUS_WORDS: Final = word_set(
    "ok not bad found internal service gateway forbidden created in from for"
)
"""Words that may follow a status; any other makes a number the count of something."""

COUNTED: Final = word_set(
    """
    error errors err warning warnings fail failed fails failure failures exception exceptions
    timeout timeouts timed retry retries dropped lost rejected missing refused denied crashed
    crashes corrupt corrupted unreachable dead killed violation violations unhealthy unavailable
    down alarms alerts faults
    """
)
"""Words before which a number is a count that tells how bad things are: no template masks it."""

HAPPENED: Final = word_set(
    "failed fail down lost refused denied dropped rejected dead killed crashed missing unhealthy"
)
"""What may have happened to so many of something: ``3 tests failed``."""

FILLERS: Final = word_set(
    """
    is was of with to left are at after has value number no num nr a remaining equals now
    """
)
"""Words between a word of :data:`CODES` and its number: ``retries left 0``, ``exited with 1``."""

PORTS: Final = word_set(
    "port sport dport spt dpt client_port remote_port src_port dst_port srcport dstport clientport"
    " remoteport localport"
)
PROCESSES: Final = word_set("pid ppid tid threadid thread_id")
IDENTITIES: Final = word_set(
    """
    task stage job slot child thread worker executor reducer mapper partition split shard block blk
    broadcast shuffle rdd piece chunk segment index idx line row offset session sess rank node
    channel term round generation connection conn transaction txn container handler fetcher
    responder bit symbol sector inode fd tty instance id ids uid gid euid egid sid cid qid mid myid
    zxid seq sequence serial ticket build revision variable command cmd
    """
)
"""Nouns whose number says which one, however small: both templates mask it. No plural is one, and
none that may be measured (``cpu 95``) or answered (``request 500``)."""

HOSTLIKE: Final = word_set("node worker instance executor core client")
"""Nouns that with a number joined to them may be a host's name: ``worker-1`` is kept."""

POINTED: Final = word_set("core client cpu processor request req epoch")
"""Nouns whose number is masked behind a point or a ``#``: ``core.2275``."""

JOINED_IDENTITIES: Final = (IDENTITIES - HOSTLIKE) | word_set(
    "attempt exec pool part cpu processor request req epoch"
)
"""Nouns whose number is masked where it is joined to them: ``attempt_7``, ``exec-3``, ``cpu0``."""

ID_KEYS: Final = word_set(
    """
    request req trace span correlation session transaction txn message msg connection conn
    parent operation job task attempt block container
    """
)
"""Words that with ``id`` or ``uuid`` behind them make a key whose value is an id."""

SOURCES: Final = word_set(
    "java py go c cc cpp cxx h hpp rs js ts rb php cs scala kt erl ex exs swift m mm lua pl"
)
"""Endings of source files, behind which ``:42`` is a line."""

VERSIONS: Final = word_set("version ver v release http https ssl tls python java jdk cef leef")
"""Words whose number, where it has a point, is a version: it is kept."""

UNITS: Final = word_set(
    """
    ms s us \u00b5s \u03bcs ns sec secs second seconds msec msecs usec min mins minute minutes m h
    hr hrs hour hours d day days b kb mb gb tb kib mib gib tib k byte bytes hz khz mhz ghz c w v
    kbps mbps gbps
    """
)
"""Units, which stay beside their number's slot."""

METHODS: Final = word_set("GET POST PUT DELETE HEAD PATCH OPTIONS HTTP")
"""Words that make a line a request's, whose first number of three digits is its status."""

ANSWERS: Final = word_set(
    "got received response responded replied answered answers responds upstream backend with"
)
"""Words before which a number of three digits may be a status."""

HARDWARE: Final = word_set("node card slot link module board drawer rack bank dimm chip unit")
"""Nouns of parts, whose place is told by a letter and a number: ``U11 node``."""

FILE_WORDS: Final = word_set(
    """
    file files filename directory directories dir folder program image loading load loaded core
    chdir cwd deleting delete deleted open opening opened reading writing wrote written executable
    script library module config binary log logs archive backup mount mounted copying moving
    """
)
"""Words behind which a path is a file's."""

ROOTS: Final = word_set(
    "usr etc var home tmp opt mnt proc dev sys root lib lib64 bin sbin srv boot run scratch export"
)
"""First segments of the paths of files."""

USER_KEYS: Final = word_set("user username login ruser logname acct")
ACCOUNTS: Final = word_set(
    """
    opened closed password login logon logout publickey session auth authentication accepted
    rejected granted started keyboard-interactive
    """
)
"""Words after which ``for user x`` names an account."""

SPECIAL_USERS: Final = word_set("root guest unknown invalid illegal none null administrator")
"""Accounts whose name says more than who: it is kept."""

NO_USERS: Final = (
    word_set(
        """
    name names id ids error type input request requests agent session sessions data is was has in
    not and or group account accounts with the this does did cannot to true false yes no ok success
    successful succeeded found valid locked unlocked disabled enabled expired
    """
    )
    | COUNTED
)
"""Words that follow ``user`` in a sentence and name nobody."""
