"""Which groups a person wants to see: what the queue's address says, and addresses that say so."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Final, TypeVar
from urllib.parse import parse_qs, urlencode

import msgspec

from logdocket.http.problem import Problem, Refusal
from logdocket.store.review import GroupQuery, GroupSort, GroupState
from logdocket.ticket import ReviewReason, Severity, Source

PAGE: Final = 50
"""Groups on one page."""
_ALL: Final = "all"
_MOST: Final = 100
_LONGEST: Final = 500
"""Characters of a text that is looked for."""
_Word = TypeVar("_Word", bound=enum.StrEnum)

TABS: Final = (
    (GroupState.OPEN, "Open"),
    (GroupState.SNOOZED, "Snoozed"),
    (GroupState.RESOLVED, "Resolved"),
    (GroupState.DISMISSED, "Not a problem"),
    (None, "All"),
)
"""The states as the page names them; None is all of them."""

SORTS: Final = (
    (GroupSort.SEVERITY, "Most severe first"),
    (GroupSort.NEWEST, "Newest first"),
    (GroupSort.OLDEST, "Oldest first"),
    (GroupSort.COUNT, "Most frequent first"),
)


class Filters(msgspec.Struct, frozen=True, kw_only=True):
    """What the address of the queue says; ``state`` None is all of them."""

    state: GroupState | None = GroupState.OPEN
    severities: tuple[Severity, ...] = ()
    service: str = ""
    reason: ReviewReason | None = None
    source: Source | None = None
    text: str = ""
    sort: GroupSort = GroupSort.SEVERITY
    cursor: str = ""

    @classmethod
    def of(cls, query_string: bytes) -> Filters:
        """What a query string says; parameters of other things are passed over.

        Raises Refusal where a value is none that there is.
        """
        try:
            given = parse_qs(
                query_string.decode("utf-8", "replace"), errors="replace", max_num_fields=_MOST
            )
        except ValueError:
            raise _refusal("the address", "has too many parameters") from None
        severities = {_word(Severity, "severity", one) for one in given.get("severity", ())}
        state = _last(given, "state") or GroupState.OPEN.value
        return cls(
            state=None if state == _ALL else _word(GroupState, "state", state),
            severities=tuple(severity for severity in Severity if severity in severities),
            service=_last(given, "service").strip()[:_LONGEST],
            reason=_optional(ReviewReason, "reason", given),
            source=_optional(Source, "source", given),
            text=_last(given, "text").strip()[:_LONGEST],
            sort=_optional(GroupSort, "sort", given) or GroupSort.SEVERITY,
            cursor=_last(given, "cursor"),
        )

    def query(self) -> GroupQuery:
        """The same for the store."""
        return GroupQuery(
            states=() if self.state is None else (self.state,),
            severities=self.severities,
            service=self.service or None,
            reason=self.reason,
            source=self.source,
            text=self.text or None,
            sort=self.sort,
            cursor=self.cursor or None,
            limit=PAGE,
        )

    def at(self, **changes: object) -> str:
        """The address of the queue with these changes; without a cursor, unless that is given."""
        changed = msgspec.structs.replace(self, **{"cursor": "", **changes})
        told = changed._told()
        return f"/?{urlencode(told)}" if told else "/"

    @property
    def narrow(self) -> bool:
        """Whether anything beside the state is asked for."""
        return self.at(state=GroupState.OPEN, sort=GroupSort.SEVERITY) != "/"

    @property
    def hidden(self) -> int:
        """How many of those filters stand that the page does not show at first."""
        return sum(map(bool, (self.service, self.reason, self.source)))

    def _told(self) -> list[tuple[str, str]]:
        told = [
            ("state", _ALL if self.state is None else self.state.value),
            *(("severity", severity.value) for severity in self.severities),
            ("service", self.service),
            ("reason", self.reason or ""),
            ("source", self.source or ""),
            ("text", self.text),
            ("sort", self.sort.value),
            ("cursor", self.cursor),
        ]
        usual = {("state", GroupState.OPEN.value), ("sort", GroupSort.SEVERITY.value)}
        return [pair for pair in told if pair[1] and pair not in usual]


def _last(given: dict[str, list[str]], name: str) -> str:
    return given.get(name, [""])[-1]


def _optional(words: type[_Word], name: str, given: dict[str, list[str]]) -> _Word | None:
    value = _last(given, name)
    return _word(words, name, value) if value else None


def _word(words: type[_Word], name: str, value: str) -> _Word:
    try:
        return words(value)
    except ValueError:
        known = [word.value for word in words]
        raise _refusal(f"{name}={value[:40]!r}", f"is none of {_listed(known)}") from None


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words)


def _refusal(what: str, wrong: str) -> Refusal:
    return Refusal(Problem.PARAMETER_INVALID, f"{what} {wrong}: open the queue without it")
