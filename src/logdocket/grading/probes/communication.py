"""Communication: does the runbook say how it is run, what it gives up, and what comes next?

A program sees whether something is named; whether it is well argued, a person says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from logdocket.grading.bench import Bench
from logdocket.grading.discovery.docs import NAMES
from logdocket.grading.discovery.files import Files
from logdocket.grading.finding import Finding, failed, for_a_person, passed, share_of
from logdocket.grading.rubric import Level, Probe
from logdocket.grading.runbook import (
    LIMITS,
    NEXT,
    PURPOSES,
    TRADE_OFFS,
    Passage,
    Topic,
    own,
    page,
    passages,
    shown,
)
from logdocket.grading.sentence import cut, listed

__all__ = ["PROBES"]

_FEWEST: Final = 40
"""Words from which a file tells somebody how to run something."""
_FILES: Final = 3
_QUOTES: Final = 4
_WIDTH: Final = 160
_MOST: Final = 20


class _Runbook(msgspec.Struct, frozen=True):
    """The texts of the runbook by path, and the files that were told and are not there."""

    files: Files
    texts: dict[str, str]
    missing: tuple[str, ...]


def _observe(bench: Bench) -> _Runbook:
    files = Files(bench.checkout)
    told = bench.manifest.runbook.files
    paths = told or tuple(files.like(*NAMES)[:_MOST])
    texts = {path: files.text(path) for path in paths if path.isprintable() and files.has(path)}
    return _Runbook(files, texts, tuple(path for path in told if path not in texts))


def _present(bench: Bench) -> Finding:
    found = bench.once(_observe)
    told = [path for path, text in found.texts.items() if len(text.split()) >= _FEWEST]
    lacking = f" {', '.join(found.missing)} is not there." if found.missing else ""
    if told:
        return passed(f"It is told in {listed(told, _FILES)}.{lacking}")
    if found.texts:
        return failed(f"{', '.join(found.texts)}: fewer than {_FEWEST} words.{lacking}")
    return failed(f"There is no runbook and no README.{lacking}")


def _commands(bench: Bench) -> Finding:
    found, manifest = bench.once(_observe), bench.manifest
    told = {
        "start": manifest.service.start,
        "test": manifest.test.command,
        "replay": manifest.replay.command,
    }
    there = shown(found.files, found.texts, told)
    names = ", ".join(f"{purpose} `{cut(there[purpose], 60)}`" for purpose in there)
    lacks = ", ".join(purpose for purpose in PURPOSES if purpose not in there)
    said = f"Shown: {names or 'none'}." + (f" Not shown: {lacks}." if lacks else "")
    return share_of(len(there), len(PURPOSES), said)


def _named(topic: Topic) -> Callable[[Bench], Finding]:
    def look(bench: Bench) -> Finding:
        found = _passages(bench, topic)
        if not found:
            return failed(f"No passage of the runbook names its {topic.name}.")
        return passed(f"Named in {_places(found)}.", *_quotes(found))

    return look


def _argued(topic: Topic) -> Callable[[Bench], Finding]:
    def look(bench: Bench) -> Finding:
        found = _passages(bench, topic)
        return for_a_person(f"What stands in {_places(found)} is for a person.", *_quotes(found))

    return look


def _passages(bench: Bench, topic: Topic) -> list[Passage]:
    """What is said of ``topic``: where any page has a section for it, only what stands there."""
    texts = bench.once(_observe).texts
    found = [
        p for path, text in texts.items() for p in passages(path, own(page(path, text)), topic)
    ]
    sections = [p for p in found if p.title]
    return sections or found


def _places(found: list[Passage]) -> str:
    return ", ".join(dict.fromkeys(p.path for p in found))


def _quotes(found: list[Passage]) -> list[str]:
    return [cut(p.quote, _WIDTH) for p in found[:_QUOTES]]


_PRESENT: Final = "communication/runbook/present"


def _topic(topic: Topic, expected: str, hint: str, asked: str) -> tuple[Probe, Probe]:
    """The probe whether a topic is named, and the one for whoever says if it is well argued."""
    named = f"communication/runbook/{topic.name}"
    return (
        Probe(named, Level.MUST, 2, expected, hint, _named(topic), needs=(_PRESENT,)),
        Probe(
            f"{named}-argued",
            Level.MUST,
            2,
            asked,
            "A program cannot judge this: read the quotes where they stand.",
            _argued(topic),
            needs=(named,),
        ),
    )


_TOPICS: Final = (
    _topic(
        TRADE_OFFS,
        "The runbook names the trade-offs that were made.",
        "Give them a heading: what was chosen, over what, and what it costs.",
        "The trade-offs are argued: what was gained, what was given up, and why that was right.",
    ),
    _topic(
        LIMITS,
        "The runbook names the limits of the service.",
        "Give them a heading: what it does not do, and where it breaks.",
        "The limits are the true ones, and whoever is on call can work with them.",
    ),
    _topic(
        NEXT,
        "The runbook names one thing to do next.",
        "Say which one you would do first.",
        "The next thing to do is the right one, and it is said why.",
    ),
)

PROBES: Final[tuple[Probe, ...]] = (
    Probe(
        _PRESENT,
        Level.MUST,
        1,
        "There is a runbook, or a README that serves as one.",
        "Tell whoever is on call how to run it, or name the file under [runbook] of grade.toml.",
        _present,
    ),
    Probe(
        "communication/runbook/commands",
        Level.MUST,
        2,
        "The runbook shows one command to start, one to test, and one to replay.",
        "Show each in a code block, and see that what it calls is there.",
        _commands,
        needs=(_PRESENT,),
    ),
    *(named for named, _ in _TOPICS),
    *(argued for _, argued in _TOPICS),
)
