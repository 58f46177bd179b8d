"""The verdicts that answer lines, by what stands for the lines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

import msgspec

from logdocket.docket.review.kin import KEY, LOOK
from logdocket.store.review import Verdict


class Teaching(Protocol):
    """What verdicts are read from. Both methods block, and may raise LedgerUnavailable."""

    def taught_version(self) -> int:
        """The number of the newest verdict of any kind, 0 before the first; costs microseconds."""
        ...

    def taught(self) -> list[Verdict]:
        """The verdicts that stand and answer other lines."""
        ...


class Lessons(msgspec.Struct, frozen=True):
    """The verdicts that answer lines, as of ``version``: by what stands for a line, and for a
    template; and the looks of these templates.
    """

    version: int
    lines: dict[bytes, Verdict]
    templates: dict[bytes, Verdict]
    looks: frozenset[bytes]

    @classmethod
    def of(cls, version: int, verdicts: Iterable[Verdict]) -> Lessons:
        """What ``verdicts`` teach; of those about one line or one template the newest."""
        lines: dict[bytes, Verdict] = {}
        templates: dict[bytes, Verdict] = {}
        for verdict in sorted(verdicts, key=lambda verdict: verdict.id):
            if verdict.after is None or verdict.taught is None:
                continue
            lines[verdict.line_hash[:KEY]] = verdict
            if verdict.taught.template is not None:
                templates[verdict.taught.template] = verdict
        return cls(version, lines, templates, frozenset(key[:LOOK] for key in templates))

    @property
    def known(self) -> frozenset[tuple[bytes, int]]:
        """What answers what, by numbers: equal where lines are answered alike."""
        named = (*self.lines.items(), *self.templates.items())
        return frozenset((key, verdict.id) for key, verdict in named)


NOTHING: Final = Lessons(0, {}, {}, frozenset())
