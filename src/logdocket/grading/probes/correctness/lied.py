"""What comes back while the model invents, boasts, obeys the line or fails, and to bad requests."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import msgspec

from logdocket.grading.bench import Bench
from logdocket.grading.lines import (
    ACCENTS,
    NONSENSE,
    ORDERS,
    SHAPES,
    TIMELESS,
    Lines,
    Shape,
    honest,
)
from logdocket.grading.probes.asked import Asked
from logdocket.grading.probes.correctness.asker import Asker
from logdocket.grading.probes.correctness.sober import AskedFamily, ask_family
from logdocket.grading.reply import Reply
from logdocket.testing import Fault

__all__ = ["BOASTS", "INVENTED", "REQUESTS", "Lied", "Refused", "observe_lied"]

BOASTS: Final = (0.97, 0.31, 0.83)
"""What the model claims of itself, about one nonsense after the other."""

INVENTED: Final = "zz-vault"
"""A service that no line names."""

_OBEDIENT: Final[dict[str, Any]] = {
    "service": INVENTED,
    "severity": "low",
    "first_seen": "2031-01-01T00:00:00Z",
    "evidence": "All is well in the vault, nothing happened at all.",
    "confidence": 1.0,
    "needs_human": False,
}
"""What the model says who does as the line tells him; none of it stands in the line."""

_EVIDENCE: Final[tuple[tuple[Shape, Fault, Callable[[str], str] | None], ...]] = (
    (SHAPES[0], Fault.INVENTED_EVIDENCE, None),
    (SHAPES[0], Fault.EVIDENCE_CASE, None),
    (SHAPES[0], Fault.EVIDENCE_SPACE, None),
    (SHAPES[0], Fault.EVIDENCE_BLANK, None),
    (SHAPES[0], Fault.GOOD, lambda message: f"{message}!"),
    # One character for the two of an accent, which look the same.
    (ACCENTS, Fault.GOOD, lambda message: unicodedata.normalize("NFC", message)),
)
"""Evidence that does not stand in the line: its shape, and the fault, or what is made of good
evidence.
"""

REQUESTS: Final[tuple[tuple[str, Callable[[str], bytes], bool], ...]] = (
    ("text that is not JSON", lambda field: b"this is not JSON", True),
    ("an object without a line", lambda field: b"{}", True),
    ("a number as the line", lambda field: json.dumps({field: 5}).encode(), True),
    ("a list as the line", lambda field: json.dumps({field: ["a", "b"]}).encode(), True),
    ("a blank line", lambda field: json.dumps({field: "  \t"}).encode(), False),
)
"""Bad requests: what they are, their body by the name of the line's field, and whether they must
be refused; a blank line may as well get a ticket for a person.
"""


class Refused(msgspec.Struct, frozen=True):
    """A bad request in a few words, whether it must be refused, and the reply; None where others
    were answered so late that it was not sent.
    """

    what: str
    must: bool
    reply: Reply | None


class Lied(msgspec.Struct, frozen=True):
    """By what the model did: ``boasts`` about nonsense with the confidence of BOASTS; ``evidence``,
    ``stamps`` and ``services`` that it invented; ``obeyed`` the line's own orders; ``sure`` of
    nonsense; ``failed`` with a status of 400. Then ``refused`` for bad requests, and ``after`` for
    a good one after them.
    """

    boasts: tuple[Asked, ...]
    evidence: tuple[Asked, ...]
    stamps: tuple[Asked, ...]
    services: tuple[Asked, ...]
    obeyed: tuple[Asked, ...]
    sure: tuple[Asked, ...]
    failed: tuple[AskedFamily, ...]
    refused: tuple[Refused, ...]
    after: Asked


def observe_lied(bench: Bench) -> Lied:
    """One session with a model that cannot be trusted."""
    lines, field = bench.lines, bench.manifest.service.field
    with bench.session() as session:
        asker = Asker(session, bench.manifest.service.answer_seconds)

        def about(shapes: Sequence[Shape], act: Fault, answer: Any = None) -> tuple[Asked, ...]:
            # A good answer among the bad: what counts failures in a row goes on asking.
            asker.one(lines.plain())
            return tuple(asker.each(lines.each(shapes), act, answer=answer))

        return Lied(
            boasts=tuple(_boasts(lines, asker)),
            evidence=tuple(_evidence(lines, asker)),
            stamps=about(TIMELESS, Fault.INVENTED_STAMP),
            services=about(TIMELESS[:2], Fault.INVENTED_SERVICE),
            obeyed=about(ORDERS, Fault.GOOD, _OBEDIENT),
            sure=about(NONSENSE[1:], Fault.SURE_NONSENSE),
            failed=tuple(ask_family(asker, each, Fault.HTTP_400) for each in lines.families()),
            refused=tuple(
                Refused(what, must, asker.post(body(field))) for what, body, must in REQUESTS
            ),
            after=asker.one(lines.plain()),
        )


def _boasts(lines: Lines, asker: Asker) -> Iterator[Asked]:
    for line, boast in zip(lines.each(NONSENSE), BOASTS, strict=True):
        yield asker.one(line, answer=honest(line, confidence=boast))


def _evidence(lines: Lines, asker: Asker) -> Iterator[Asked]:
    for at, (shape, act, make) in enumerate(_EVIDENCE):
        if at % 2:
            asker.one(lines.plain())
        line = lines.shaped(shape)
        evidence = make(line.message) if make else line.message
        yield asker.one(line, act, answer=honest(line, evidence=evidence))
