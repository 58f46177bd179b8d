"""Verdicts of a person: what a program cannot judge, and what it judged wrongly.

A file of verdicts is TOML, with one table for each probe::

    ["communication/runbook/trade-offs-argued"]
    verdict = "pass"
    note = "Says what a queue would have cost."

    ["communication/runbook/limits-argued"]
    verdict = 0.5

``verdict`` is ``"pass"``, ``"fail"``, or the share of the probe's points that is earned, from 0 to
1; without it the probe stays as it is. ``note`` goes into the report beside it. The same in JSON is
an object of objects. Any probe may be named: a person overrules the program, and the report says
so, with the program's verdict beside the person's.
"""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import msgspec

from logdocket.errors import BadVerdicts
from logdocket.grading.finding import Verdict
from logdocket.grading.report.document import Judged, Report
from logdocket.grading.report.score import granted, number, summed
from logdocket.grading.report.sections import open_
from logdocket.grading.report.visible import visible

__all__ = ["Opinion", "apply", "ask", "check", "open_probes", "read", "template"]

_WORDS: Final[Mapping[str, Fraction]] = {"pass": Fraction(1), "fail": Fraction(0)}
_LETTERS: Final[Mapping[str, Fraction]] = {"p": Fraction(1), "f": Fraction(0), **_WORDS}
_SHARE: Final = re.compile(r"[0-9]?\.?[0-9]{1,6}")
_MEND: Final = 'write "pass", "fail" or a share of the points from 0 to 1'
_PROMPT: Final = "p(ass), f(ail), a share such as 0.5, or Enter to leave it open; then a note"


class Opinion(msgspec.Struct, frozen=True):
    """What a person says of a probe: the ``share`` of its points that is earned, 0 to 1; None
    leaves the points as they are.
    """

    share: Fraction | None
    note: str | None = None


def open_probes(report: Report) -> tuple[Judged, ...]:
    """The probes some of whose points a person may still grant."""
    return tuple(probe for probe in report.probes if probe.score.low < probe.score.high)


# Reading.


def read(path: Path) -> dict[str, Opinion]:
    """The opinions in a file of verdicts, by the probe's id; JSON by its name, else TOML.

    Raises BadVerdicts for a file that cannot be read, and for what is no verdict in it.
    """
    try:
        text = path.read_bytes().decode()
        tables = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except OSError as error:
        raise BadVerdicts(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise BadVerdicts(f"{path} is no file of verdicts: {_one_line(error)}") from error
    if not isinstance(tables, dict):
        raise BadVerdicts(f'{path}: give an object such as {{"PROBE": {{"verdict": "pass"}}}}')
    return {name: _opinion(f'{path}: "{visible(name)}"', said) for name, said in tables.items()}


def _opinion(where: str, said: Any) -> Opinion:
    if not isinstance(said, dict):
        raise BadVerdicts(f'{where} is no table: write verdict = "pass" under its name in brackets')
    for key in said:
        if key not in ("verdict", "note"):
            raise BadVerdicts(f"{where} has {visible(key)}: its keys are verdict and note")
    note = said.get("note")
    if note is not None and not isinstance(note, str):
        raise BadVerdicts(f'{where} has a note that is no text: put it in quotes, note = "..."')
    verdict = said.get("verdict")
    return Opinion(None if verdict is None else _share(where, verdict), note or None)


def _share(where: str, verdict: Any) -> Fraction:
    if isinstance(verdict, str) and verdict in _WORDS:
        return _WORDS[verdict]
    number = isinstance(verdict, int | float) and not isinstance(verdict, bool)
    if number and 0 <= verdict <= 1:
        return Fraction(str(verdict))
    raise BadVerdicts(f"{where} has the verdict {visible(str(verdict))}: {_MEND}")


def _one_line(error: Exception) -> str:
    return visible(str(error)) or type(error).__name__


# Applying.


def apply(report: Report, opinions: Mapping[str, Opinion]) -> Report:
    """``report`` with the opinions in it, and the scores that follow.

    What the program saw stays. Raises BadVerdicts for an id that is not in the report.
    """
    check(opinions, [probe.id for probe in report.probes], "this report")
    probes = tuple(_filled(probe, opinions.get(probe.id)) for probe in report.probes)
    return summed(report, probes)


def check(opinions: Iterable[str], known: Collection[str], where: str) -> None:
    """Raise BadVerdicts for the first of ``opinions`` that is about none of the ``known`` ids."""
    for name in opinions:
        if name not in known:
            raise BadVerdicts(f'no probe "{visible(name)}" in {where}: {_nearest(name, known)}')


def _nearest(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1)
    return f'did you mean "{near[0]}"?' if near else "see the ids that --write-verdicts gives"


def _filled(probe: Judged, opinion: Opinion | None) -> Judged:
    if opinion is None:
        return probe
    if opinion.share is None:
        return msgspec.structs.replace(probe, note=opinion.note or probe.note)
    return msgspec.structs.replace(
        probe,
        verdict=_verdict(opinion.share),
        score=granted(probe.score.of, opinion.share),
        because=None,
        judge="person",
        note=opinion.note,
        program=probe.verdict if probe.program is None else probe.program,
    )


def _verdict(share: Fraction) -> Verdict:
    if share == 1:
        return Verdict.PASS
    return Verdict.PARTIAL if share else Verdict.FAIL


# Asking.


def template(report: Report) -> str:
    """A file of verdicts to fill in, with what is open and the quotes to look at as comments.

    As it is, it leaves every probe as it was. It is UTF-8 whatever the quotes held.
    """
    parts = [
        f"# What a person says of {visible(report.candidate)}, seed {report.seed}.",
        "# Take the # from a verdict, and say pass, fail, or a share of the points from 0 to 1.",
    ]
    parts += ["\n".join(_entry(probe)) for probe in open_probes(report)]
    return "\n\n".join(["\n".join(parts[:2]), *parts[2:]]) + "\n"


def _entry(probe: Judged) -> list[str]:
    return [
        *(f"# {line}".rstrip() for line in _shown(probe)),
        f"[{json.dumps(probe.id)}]",
        '# verdict = "pass"',
        '# note = ""',
    ]


def ask(report: Report, prompt: Callable[[str], str]) -> Report:
    """``report`` with what a person answers for each open probe, one after the other.

    ``prompt`` shows its text, which is safe for a terminal, and gives the answer. What comes after
    the verdict in an answer is the note: ``0.5 names the cost, not the gain``.
    """
    opinions = {}
    probes = open_probes(report)
    for place, probe in enumerate(probes, 1):
        head = f"({place} of {len(probes)}) {visible(probe.id)}"
        question = "\n  ".join([head, *_shown(probe)])
        opinion = _understood(prompt(f"{question}\n{_PROMPT}"))
        while opinion is None:
            opinion = _understood(prompt(f"That is no verdict. {_PROMPT}"))
        if opinion.share is not None:
            opinions[probe.id] = opinion
    return apply(report, opinions)


def _shown(probe: Judged) -> list[str]:
    """What a person has to know of ``probe`` to judge it, line by line."""
    return [
        f"{number(open_(probe.score))} of its {number(probe.score.of)} points are open.",
        f"Expected: {visible(probe.expected)}",
        f"Seen: {visible(probe.seen)}",
        *(f"| {line}" for quote in probe.quotes for line in visible(quote, lines=True).split("\n")),
    ]


def _understood(answer: str) -> Opinion | None:
    """The opinion that an answer at the prompt stands for; None where it is none."""
    word, _, note = answer.strip().partition(" ")
    if not word:
        return Opinion(None)
    share = _LETTERS.get(word.lower())
    if share is None:
        # Not Fraction(word): that would count out 1e999999999.
        share = Fraction(word) if _SHARE.fullmatch(word) else Fraction(-1)
    return Opinion(share, note.strip() or None) if 0 <= share <= 1 else None
