"""What people decide on the pages: forms read, decisions entered, what became of them told."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, Protocol
from urllib.parse import parse_qs, urlencode

import msgspec

from logdocket.docket.review import Ask
from logdocket.docket.review.asks import LONGEST_SNOOZE
from logdocket.http.deciding import Settled
from logdocket.http.pages import shown, words
from logdocket.http.problem import Problem, Refusal
from logdocket.http.roles import Caller
from logdocket.store.review import Decided, Group, GroupState, Stale, VerdictWord

Form = dict[str, list[str]]
_MOST: Final = 2_000
"""Fields of a form."""
_AT_ONCE: Final = 500
"""Groups that one form may decide about."""
_TOLD: Final = 100
"""Groups that an address names after a decision about many."""
_PICK: Final = re.compile(r"(?:([a-z_]{1,20}):)?([0-9]{1,18}):([0-9]{1,18})")


class Groups(Protocol):
    """Where groups are looked up."""

    def group(self, id: int) -> Group | None:
        """One group."""
        ...


class Pick(msgspec.Struct, frozen=True):
    """A group as a person saw it."""

    group: int
    version: int


class Flash(msgspec.Struct, frozen=True, kw_only=True):
    """A note on what was just done.

    ``kind``: ``done``, ``warn`` where some of it was not done, ``bad`` where nothing was. ``undo``:
    what to send to take it back. ``back``: the address to return to after that.
    """

    kind: str
    text: str
    more: list[str] = []
    undo: list[str] = []
    back: str = "/"


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a decision about several groups. ``stale``: as they now stand, and None for
    those that are no more; ``bad``: by the group's number why it was refused."""

    verdict: VerdictWord
    done: list[Group]
    stale: list[Group | None] = []
    bad: dict[int, str] = {}


def read_form(body: bytes) -> Form:
    """The fields of a form by name; raises Refusal where they are none."""
    try:
        return parse_qs(
            body.decode("ascii", "replace"), keep_blank_values=True, max_num_fields=_MOST
        )
    except ValueError:
        raise _refusal("it has too many fields") from None


def field(form: Form, name: str) -> str:
    """The last value of a field; empty where there is none."""
    return form.get(name, [""])[-1]


def number(form: Form, name: str) -> int | None:
    """A field that is a whole number; None where it is empty or none."""
    text = field(form, name)
    return int(text) if re.fullmatch(r"[0-9]{1,18}", text, re.ASCII) else None


def verdict_of(word: str) -> VerdictWord:
    """The verdict that a button stands for; raises Refusal."""
    try:
        return VerdictWord(word)
    except ValueError:
        raise _refusal(f"{word[:40]!r} is no verdict") from None


def decision(form: Form) -> tuple[VerdictWord, list[Pick]]:
    """What a form of the queue decides, and about what: the row whose button was pressed
    (``only``, as VERDICT:GROUP:VERSION), or all that are ticked. Raises Refusal."""
    only = field(form, "only")
    if only:
        word, pick = _pick(only)
        return verdict_of(word), [pick]
    picks = [_pick(text)[1] for text in form.get("pick", ())]
    if len(picks) > _AT_ONCE:
        raise Refusal(
            Problem.BODY_INVALID,
            f"{len(picks):,} tickets are ticked and the most at once is {_AT_ONCE}: tick fewer",
        )
    return verdict_of(field(form, "verdict")), list(dict.fromkeys(picks))


def encoded(name: str, value: str) -> str:
    """A parameter of an address."""
    return urlencode({name: value})


def until(form: Form, now: int) -> int:
    """When a snoozed group comes back: after the field ``for``, in seconds."""
    seconds = number(form, "for") or words.SNOOZES[1][0]
    return now + min(seconds * 1_000_000, LONGEST_SNOOZE)


def asks(verdict: VerdictWord, picks: Sequence[Pick], form: Form) -> list[Ask]:
    """One verdict about several groups, as a desk takes it."""
    snoozed = verdict is VerdictWord.SNOOZED
    return [
        Ask(
            group=pick.group,
            version=pick.version,
            verdict=verdict,
            until=until(form, shown.now()) if snoozed else None,
        )
        for pick in picks
    ]


def outcome(verdict: VerdictWord, asked: Sequence[Ask], settled: Sequence[Settled]) -> Outcome:
    """What became of one verdict about several groups."""
    done: list[Group] = []
    stale: list[Group | None] = []
    bad: dict[int, str] = {}
    for ask, became in zip(asked, settled, strict=True):
        if isinstance(became, Decided):
            done.append(became.group)
        elif isinstance(became, Stale):
            stale.append(became.group)
        else:
            bad[ask.group] = words.refused(became)
    return Outcome(verdict=verdict, done=done, stale=stale, bad=bad)


def is_anothers(group: Group | None, caller: Caller) -> bool:
    """Whether the group's decision is someone else's."""
    return group is not None and group.decided_by not in (None, caller.name)


def flash(came: Outcome, back: str, now: int) -> Flash:
    """What became of it, in words, and the way to take it back."""
    lost = [_stale(group, now) for group in came.stale]
    lost += [f"Not decided, group {id}: {why}" for id, why in came.bad.items()]
    if not came.done:
        text = lost.pop(0) if len(lost) == 1 else "Nothing was decided."
        return Flash(kind="bad", text=text, more=lost, back=back)
    undone = came.verdict is VerdictWord.UNDONE
    return Flash(
        kind="warn" if lost else "done",
        text=_done(came),
        more=lost,
        undo=[] if undone else [f"{group.id}:{group.version}" for group in came.done],
        back=back,
    )


def nothing(back: str) -> Flash:
    """Told where no row was ticked."""
    return Flash(kind="warn", text="No ticket was ticked: tick some, then decide.", back=back)


def address(came: Outcome, back: str) -> str:
    """``back`` with what :func:`recalled` needs to tell of the outcome there."""
    told = {
        "did": came.verdict.value,
        "on": _ids(group.id for group in came.done),
        "stale": _ids(0 if group is None else group.id for group in came.stale),
        "bad": _ids(came.bad),
    }
    kept = urlencode({name: value for name, value in told.items() if value}, safe=",")
    return f"{back}{'&' if '?' in back else '?'}{kept}"


def recalled(
    query_string: bytes, groups: Groups, back: str, now: int, caller: Caller | None
) -> Flash | None:
    """The note that an address asks for, made of how things stand now: it says nothing that is not
    so, whoever wrote the address. Blocks."""
    given = parse_qs(query_string.decode("ascii", "replace"), max_num_fields=200)
    word = field(given, "did")
    if word == "nothing":
        return nothing(back)
    if word not in set(VerdictWord):
        return None
    verdict = VerdictWord(word)
    found = {name: _looked_up(given, name, groups) for name in ("on", "stale", "bad")}
    done = [
        group for group in found["on"] if verdict is VerdictWord.UNDONE or group.verdict is verdict
    ]
    if caller is None or not any(found.values()):
        return None
    why = "it cannot be decided so: open it to see why"
    told = Outcome(
        verdict=verdict,
        done=done,
        stale=list(found["stale"]),
        bad={group.id: why for group in found["bad"]},
    )
    note = flash(told, back, now)
    mine = {f"{group.id}:{group.version}" for group in done if not is_anothers(group, caller)}
    return msgspec.structs.replace(note, undo=[pair for pair in note.undo if pair in mine])


def _looked_up(given: Form, name: str, groups: Groups) -> list[Group]:
    ids = [int(text) for text in field(given, name).split(",") if re.fullmatch("[0-9]{1,18}", text)]
    return [group for id in ids[:_TOLD] if (group := groups.group(id)) is not None]


def _ids(ids: Iterable[int]) -> str:
    return ",".join(str(id) for id in list(ids)[:_TOLD])


def _pick(text: str) -> tuple[str, Pick]:
    found = _PICK.fullmatch(text)
    if found is None:
        raise _refusal(f"{text[:40]!r} is no ticket")
    return found[1] or "", Pick(int(found[2]), int(found[3]))


def _refusal(why: str) -> Refusal:
    return Refusal(
        Problem.BODY_INVALID, f"the form is not as the page made it, {why}: load it anew"
    )


_DONE: Final[dict[VerdictWord, str]] = {
    VerdictWord.RIGHT: "Right: {what}.",
    VerdictWord.CORRECTED: "Corrected: {what}.",
    VerdictWord.NOT_A_PROBLEM: "Not a problem: {what}.",
    VerdictWord.SNOOZED: "Snoozed: {what}.",
    VerdictWord.REOPENED: "Open again: {what}.",
    VerdictWord.UNDONE: "Taken back: {what}.",
}


def _done(came: Outcome) -> str:
    groups = came.done
    what = _name(groups[0]) if len(groups) == 1 else f"{len(groups)} tickets"
    told = _DONE[came.verdict].format(what=what)
    (first, *_) = groups
    if came.verdict is VerdictWord.SNOOZED and first.until is not None:
        told = f"{told[:-1]}, back {shown.ago(first.until, shown.now())}."
    if came.verdict is VerdictWord.UNDONE and len(groups) == 1:
        told = f"{told[:-1]}, now {_STATES[first.state]} again."
    return told


_STATES: Final = {
    GroupState.OPEN: "open",
    GroupState.RESOLVED: "resolved",
    GroupState.DISMISSED: "no problem",
    GroupState.SNOOZED: "snoozed",
}


def _name(group: Group) -> str:
    """A ticket in a sentence, in short."""
    text = group.evidence if len(group.evidence) <= 60 else f"{group.evidence[:60]}…"
    return f"{group.service[:60]}, “{text}”"


def _stale(group: Group | None, now: int) -> str:
    """Who came first, and what to do."""
    if group is None:
        return "Not decided: there is no such ticket any more."
    stands = words.standing(group, now) or "changed meanwhile"
    return f"Not decided: {_name(group)} was {stands}. Look at it as it now is, then decide."
