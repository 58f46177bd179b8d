"""Which verdicts answer other lines: what follows from all of them in order, kept in memory."""

from __future__ import annotations

import threading
from collections.abc import Iterable

import msgspec

from logdocket.store.review import Taught, Verdict, VerdictWord


class Taughts:
    """The verdicts that taught something, and what has become of each. Any thread may ask."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.upto = 0
        self._taught: dict[int, Verdict] = {}
        self._undone: set[int] = set()
        self._reopened: dict[bytes, list[int]] = {}
        self._corrected: dict[bytes, list[int]] = {}

    def take(self, verdicts: Iterable[Verdict]) -> None:
        """Take in further verdicts, oldest first; hold ``lock``."""
        for verdict in verdicts:
            self.upto = verdict.id
            if verdict.undoes is not None:
                self._undone.add(verdict.undoes)
                self._taught.pop(verdict.undoes, None)
            elif verdict.verdict is VerdictWord.REOPENED:
                self._reopened.setdefault(verdict.group, []).append(verdict.id)
            elif verdict.verdict is VerdictWord.CORRECTED:
                self._corrected.setdefault(verdict.group, []).append(verdict.id)
            if verdict.taught is not None and verdict.after is not None:
                self._taught[verdict.id] = verdict

    def standing(self) -> list[Verdict]:
        """Those that stand and answer other lines, oldest first; hold ``lock``.

        Of those about one line, or one template, only the newest answers. None answers once its
        group is to be decided again; and none but the last correction of a group, and what came
        after it, answers for a template: what they say otherwise is known to be wrong.
        """
        lines: dict[bytes, int] = {}
        templates: dict[bytes, int] = {}
        for id, verdict in self._taught.items():
            taught = verdict.taught
            if taught is None or self._later(self._reopened, verdict):
                continue
            lines[verdict.line_hash] = id
            if taught.template is not None and not self._later(self._corrected, verdict):
                templates[taught.template] = id
        answers = {*lines.values(), *templates.values()}
        return [
            _without_template(verdict)
            if verdict.taught is not None and templates.get(verdict.taught.template or b"") != id
            else verdict
            for id, verdict in self._taught.items()
            if id in answers
        ]

    def _later(self, verdicts: dict[bytes, list[int]], verdict: Verdict) -> bool:
        """Whether any of ``verdicts`` is about its group, stands, and came after it."""
        return any(
            id > verdict.id and id not in self._undone for id in verdicts.get(verdict.group, ())
        )


def _without_template(verdict: Verdict) -> Verdict:
    if verdict.taught is None or verdict.taught.template is None:
        return verdict
    return msgspec.structs.replace(verdict, taught=Taught(own_time=verdict.taught.own_time))
