"""Finds the passages of a runbook that name its trade-offs, its limits, and what comes next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from logdocket.grading.runbook.page import Block

__all__ = ["LIMITS", "NEXT", "TRADE_OFFS", "Passage", "Topic", "passages"]

_WORDS: Final = 6
"""Words that a sentence, or what stands under a heading, has at least: fewer name nothing."""
_WIDTH: Final = 600
"""Characters of a sentence that are looked at: nobody writes longer ones to be read."""
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+(?=[A-Z`*\"'(])")
_EMPTY: Final = re.compile(r"(?i)\W*(tbd|todo|to be done|none|n/?a|coming soon|wip)\b\W*")


class Topic(msgspec.Struct, frozen=True):
    """What a passage can be about: ``heading`` matches titles of sections that treat it, ``cue``
    sentences that name it, and ``aside`` sentences that only sound like it.
    """

    name: str
    heading: re.Pattern[str]
    cue: re.Pattern[str]
    aside: re.Pattern[str] = re.compile(r"(?!)")


class Passage(msgspec.Struct, frozen=True):
    """A ``text`` about a topic at a ``line`` of ``path``, under ``title`` if that says so."""

    path: str
    line: int
    text: str
    title: str = ""

    @property
    def quote(self) -> str:
        """Where it stands, and its words."""
        under = f"{self.title}: " if self.title else ""
        return f"{self.path}:{self.line}: {under}{self.text}"


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.I)


TRADE_OFFS: Final = Topic(
    "trade-offs",
    heading=_any(
        r"trade-?\s?offs?\b",
        r"\b(design|key|main)\s(decisions?|choices?|notes)\b",
        r"^(decisions?|choices?|compromises?|rationale)$",
        r"\bwhy (not|no|this|i|we)\b",
    ),
    cue=_any(
        r"\btrade-?\s?offs?\b",
        r"\btrad(ed?|es|ing)\b.*\bfor\b",
        r"\b(chose|chosen|choose|opted|picked|preferred?|favou?r(ed|s)?)\b.*"
        r"\b(over|instead|rather|because|so that|since|for)\b",
        r"\b(instead of|rather than)\b",
        r"\b(deliberate|intentional|conscious)(ly)?\b|\bon purpose\b|\bby design\b",
        r"\b(at|is) the (cost|price|expense) of\b|\bthe (cost|price) is\b|\bin exchange\b",
        r"\bsacrific(e|es|ed|ing)\b|\bgives? up\b",
    ),
)

_NOT: Final = r"\b(does not|doesn['’]t|do not|don['’]t|did not|didn['’]t|will not|won['’]t|never)"

LIMITS: Final = Topic(
    "limits",
    heading=_any(
        r"(?<!rate )(?<!time )(?<!size )(?<!token )\blimits?\b",
        r"\blimitations?\b",
        r"\b(known )?(issues?|bugs?|gaps?|shortcomings?|drawbacks?|weaknesses)\b",
        r"\bcaveats?\b",
        r"\bout of scope\b|\bnon-?\s?goals?\b|\bnot in scope\b",
        # Not: what it does when the model does not.
        r"^(?!.*\b(if|when|model)\b).*"
        r"\b(does not|doesn['’]t|do not|don['’]t|cannot|can['’]t|will not|won['’]t)\b",
        r"\bnot (yet )?(done|handled|covered|supported|included|here)\b",
    ),
    cue=_any(
        r"\blimitations?\b|\blimited to\b|\b(known|hard|main|one|the) limits?\b",
        r"\bcannot\b|\bcan['’]t\b|\bunable to\b",
        rf"{_NOT}( \w+ly| yet)? (support|handle|scale|cover|detect|parse|understand|know|persist"
        r"|survive|share|authenticate|read|recogni[sz]e|deal|work|guarantee|distinguish|expire"
        r"|validate|rotate|redact|join|batch|keep|store|learn|protect|verify|check|limit|prune"
        r"|evict|count|measure|try|stream|track|test|model|include|implement)\b",
        r"\bnot (yet|supported|handled|covered|implemented|persisted|persistent|shared|durable|safe"
        r"|thread-safe|bounded|encrypted|authenticated|redacted|rotated|tested|calibrated|measured"
        r"|done|built|production|meant|intended|designed|kept|included)\b",
        r"\bout of scope\b|\bknown (issue|bug|gap|problem)s?\b|\bcaveat\b",
        r"\bonly (works?|supports?|handles?|covers?|one)\b|\bno support for\b",
        r"\bthere is no\b|\bhas no\b",
    ),
    aside=_any(
        # What happens when something else fails is no limit of the answer.
        r"\b(if|when|whenever|while|where|unless|until|because|that|which|who|what)\b[^,;]*"
        r"\b(not|n['’]t|cannot|no)\b",
        r"\b(do not|don['’]t)\s(commit|run|edit|forget|use|change|set|need|have)\b",
        r"\b(does not|doesn['’]t|is not|isn['’]t|are not)\s(need|require|matter|necessary|needed"
        r"|required)\b",
    ),
)

NEXT: Final = Topic(
    "next-step",
    heading=_any(
        r"\bnext\b",
        r"\bto-?\s?dos?\b",
        r"\bfuture\b|\broadmap\b|\bimprovements?\b",
        r"\b(more|another|extra) (time|hours?|days?|weeks?)\b",
        r"\bwould (do|add|build|change|improve)\b|\bi['’]d\b|\bwe['’]d\b",
    ),
    cue=_any(
        r"\bnext (step|thing|up|improvement|i|we|on)\b|^next\b",
        r"\b(more|another|extra) (time|hours?|days?|weeks?)\b",
        r"\b(i|we)( would|['’]d)\b(\s\w+){0,2}\s(add|build|do|make|like|want|move|replace|use|write"
        r"|implement|try|measure|extend|improve|change|put|start|split|store|learn|fit)\b",
        r"\bfuture (work|versions?|steps?)\b|\broadmap\b|\bplanned\b|\bto-?do\b",
        r"\b(should|could|will) (next|later|then) be\b|\bthe one thing\b",
    ),
)


def passages(path: str, blocks: Sequence[Block], topic: Topic) -> tuple[Passage, ...]:
    """The passages of a page about ``topic``: what stands under a heading of it, and without any
    such heading the sentences that name it. A bare heading is none, nor a word in passing.
    """
    found: list[Passage] = []
    within: set[int] = set()
    for at, block in enumerate(blocks):
        if not block.level or at in within or not topic.heading.search(block.text):
            continue
        section = list(_section(blocks, at))
        texts = [one for one in section if not one.level and not _EMPTY.fullmatch(one.text)]
        if sum(len(one.text.split()) for one in texts) >= _WORDS:
            found += (Passage(path, one.line, one.text, block.text) for one in texts)
            within.update(range(at, at + len(section) + 1))
    if not found:
        for block in blocks:
            if not block.level and not block.row:
                found += (Passage(path, block.line, one) for one in _sentences(block.text, topic))
    return tuple(found)


def _section(blocks: Sequence[Block], at: int) -> Iterator[Block]:
    """What stands under the heading ``at``, up to the next one that is not below it."""
    for block in blocks[at + 1 :]:
        if 0 < block.level <= blocks[at].level:
            return
        yield block


def _sentences(text: str, topic: Topic) -> Iterator[str]:
    for sentence in (one[:_WIDTH] for one in _SENTENCE.split(text)):
        named = len(sentence.split()) >= _WORDS and topic.cue.search(sentence)
        if named and not topic.aside.search(sentence):
            yield sentence
