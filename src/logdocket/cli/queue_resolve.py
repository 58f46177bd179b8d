"""``logdocket queue resolve``: what a person decides about groups of tickets."""

from __future__ import annotations

import getpass
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from logdocket.bootstrap import microseconds
from logdocket.cli.catching_up import catch_up
from logdocket.cli.options import chosen
from logdocket.cli.output import compact, one_line
from logdocket.cli.queue import desk, no_group
from logdocket.cli.queue_detail import answers, standing
from logdocket.docket.review import Ask, Outcome, group_document
from logdocket.docket.review.standing import answering
from logdocket.errors import URN, BadVerdict, SettingsError
from logdocket.line import Severity
from logdocket.settings import Settings
from logdocket.store import SqliteStore
from logdocket.store.review import Decided, Group, Stale, VerdictWord

_OPTIONS: Final = {
    "right": VerdictWord.RIGHT,
    "not_a_problem": VerdictWord.NOT_A_PROBLEM,
    "snooze": VerdictWord.SNOOZED,
    "reopen": VerdictWord.REOPENED,
    "undo": VerdictWord.UNDONE,
    "service": VerdictWord.CORRECTED,
    "severity": VerdictWord.CORRECTED,
    "first_seen": VerdictWord.CORRECTED,
    "evidence": VerdictWord.CORRECTED,
}
"""By option, the verdict that it gives."""
_NAMES: Final = {
    "service": "--service",
    "severity": "--severity",
    "first_seen": "--first-seen",
    "evidence": "--evidence",
    "line": "--line",
    "until": "--snooze",
    "note": "--note",
    "who": "--who",
}
"""By what an ask calls a field, the option that gives it."""
_TIME: Final = re.compile(r"([1-9][0-9]{0,4})([mhd])")
_MICROSECONDS: Final = {"m": 60 * 10**6, "h": 3600 * 10**6, "d": 86_400 * 10**6}
_LONGEST: Final = 3650 * _MICROSECONDS["d"]


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """The options as they were given; see ``logdocket queue resolve --help``."""

    right: bool = False
    not_a_problem: bool = False
    snooze: str | None = None
    reopen: bool = False
    undo: bool = False
    service: str | None = None
    severity: str | None = None
    first_seen: str | None = None
    evidence: str | None = None
    line: str | None = None
    note: str | None = None
    who: str | None = None
    version: int | None = None

    @property
    def verdict(self) -> VerdictWord:
        """The one verdict that they give; raises SettingsError where they give none or several."""
        given = [name for name in _OPTIONS if getattr(self, name) not in (None, False)]
        words = dict.fromkeys(_OPTIONS[name] for name in given)
        if len(words) == 1:
            return next(iter(words))
        shown = " and ".join(_option(name) for name in given)
        what = f"{shown} are different verdicts" if given else "there is no verdict"
        raise SettingsError(
            f"{what}: give one of --right, --not-a-problem, --snooze TIME, --reopen, --undo, or "
            "corrections by --service, --severity, --first-seen and --evidence"
        )

    @property
    def until(self) -> int | None:
        """When what is snoozed comes back, in µs since 1970 UTC; raises SettingsError."""
        if self.snooze is None:
            return None
        read = _TIME.fullmatch(self.snooze)
        micros = 0 if read is None else int(read[1]) * _MICROSECONDS[read[2]]
        if not 0 < micros <= _LONGEST:
            raise SettingsError(
                f"--snooze {self.snooze!r} is no time within ten years: "
                "write it as 30m, 2h or 3d, for minutes, hours or days"
            )
        return microseconds() + micros


def run(db: Path | None, numbers: Sequence[int], wish: Wish, *, as_json: bool) -> int:
    """Enter one verdict about each of these groups; the exit code: 1 where one was refused, or
    someone else was faster. Raises SettingsError where the options contradict each other or there
    is no such group, and then nothing is entered."""
    numbers = list(dict.fromkeys(numbers))
    ask = _ask(wish, numbers, Settings.load(db=db).max_line)
    who = _login() if wish.who is None else wish.who
    with desk(db) as (reviews, store):
        catch_up(reviews)
        asks = list(_each(ask, numbers, wish.version, store))
        outcomes = reviews.decide(asks, who)
        results = [
            _Result(each.group, outcome, _now(each, outcome, store), _answered(outcome, store))
            for each, outcome in zip(asks, outcomes, strict=True)
        ]
    for result in results:
        if as_json:
            print(compact(_document(result)))
        else:
            _tell(result)
    return 0 if all(isinstance(outcome, Decided) for outcome in outcomes) else 1


class _Result(NamedTuple):
    """What became of an ask about the group ``number``, how that ``group`` stands after all, and
    which later lines are answered now."""

    number: int
    outcome: Outcome
    group: Group | None
    answers: str


def _tell(result: _Result) -> None:
    """The result for people."""
    now = "" if result.group is None else f": {standing(result.group)}"
    if isinstance(result.outcome, Decided):
        print(one_line("; ".join(filter(None, (f"group {result.number}{now}", result.answers)))))
        return
    told = f"group {result.number}: nothing was decided: {_why_not(result.outcome)}"
    print(one_line(f"logdocket: {told}"), file=sys.stderr)
    if now:
        print(one_line(f"logdocket: group {result.number} stands{now}"), file=sys.stderr)


def _ask(wish: Wish, numbers: Sequence[int], longest: int) -> Ask:
    """What is asked about each group, but for its number and version; raises SettingsError."""
    verdict = wish.verdict
    single = {
        "a correction": verdict is VerdictWord.CORRECTED,
        "--line": wish.line is not None,
        "--version": wish.version is not None,
    }
    for what, given in single.items():
        if given and len(numbers) > 1:
            raise SettingsError(f"{what} is about one group: name one, not {len(numbers)}")
    if wish.severity is not None:
        chosen(Severity, "--severity", wish.severity)
    return Ask(
        group=0,
        version=0,
        verdict=verdict,
        service=wish.service,
        severity=wish.severity,
        first_seen=wish.first_seen,
        evidence=wish.evidence,
        until=wish.until,
        line=_piped(longest) if wish.line == "-" else wish.line,
        note=wish.note,
    )


def _each(
    ask: Ask, numbers: Sequence[int], version: int | None, store: SqliteStore
) -> Iterator[Ask]:
    for number in numbers:
        group = store.group(number)
        if group is None:
            raise no_group(number)
        seen = group.version if version is None else version
        yield msgspec.structs.replace(ask, group=number, version=seen)


def _piped(longest: int) -> str:
    """The first line on standard input, of ``longest`` bytes and a few at most; raises
    SettingsError where there is none."""
    why = "is closed"
    if sys.stdin is not None:
        try:
            # Room for the line feed, the carriage return, and a byte that makes it too long.
            line = sys.stdin.buffer.readline(longest + 3)
        except OSError as error:
            why = f"cannot be read ({(error.strerror or str(error)).lower()})"
        else:
            if line:
                bare = line.removesuffix(b"\n").removesuffix(b"\r")
                return bare.decode("utf-8", "surrogateescape")
            why = "is empty"
    raise SettingsError(f"standard input {why}: send the ticket's line into it")


def _login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        # Before Python 3.13 it is a KeyError.
        raise SettingsError("you have no login name here: tell who decides by --who") from None


def _now(ask: Ask, outcome: Outcome, store: SqliteStore) -> Group | None:
    """The group as it stands after all."""
    return store.group(ask.group) if isinstance(outcome, BadVerdict) else outcome.group


def _answered(outcome: Outcome, store: SqliteStore) -> str:
    """Which later lines are answered as was decided."""
    if not isinstance(outcome, Decided):
        return ""
    entered = store.group_verdicts(outcome.group.id)
    return answers(answering(entered).get(outcome.verdict))


def _why_not(outcome: Stale | BadVerdict) -> str:
    if isinstance(outcome, BadVerdict):
        return outcome.told(_NAMES, "give the whole line by --line")
    if outcome.group is None:
        return "there is no such group any more"
    return "someone else has decided meanwhile: look at it again"


def _document(result: _Result) -> dict[str, object]:
    """As ``POST /queue/verdicts`` tells of one verdict."""
    outcome = result.outcome
    shown = None if result.group is None else group_document(result.group)
    if isinstance(outcome, Decided):
        return {"id": result.number, "verdict": outcome.verdict, "group": shown}
    word = outcome.word if isinstance(outcome, BadVerdict) else "review-conflict"
    problem = {"type": f"{URN}{word}", "detail": _why_not(outcome)}
    return {"id": result.number, "problem": problem, "group": shown}


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")
