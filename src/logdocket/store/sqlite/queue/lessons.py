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
        self._reopened: dict[int, bytes] = {}
        self._corrected: dict[int, bytes] = {}

    def take(self, verdicts: Iterable[Verdict]) -> None:
        """Take in further verdicts, oldest first; hold ``lock``."""
        for verdict in verdicts:
            self.upto = verdict.id
            if verdict.undoes is not None:
                for kept in (self._taught, self._reopened, self._corrected):
                    kept.pop(verdict.undoes, None)
            elif verdict.verdict is VerdictWord.REOPENED:
                self._reopened[verdict.id] = verdict.group
            elif verdict.verdict is VerdictWord.CORRECTED:
                self._corrected[verdict.id] = verdict.group
            if verdict.taught is not None and verdict.after is not None:
                self._taught[verdict.id] = verdict

    def standing(self, groups: dict[int, int]) -> list[Verdict]:
        """Those that stand and answer other lines, oldest first; hold ``lock``. ``groups`` are the
        numbers of the groups that verdicts are about, as far as they are known.

        Of those about one line, or one template, only the newest answers. None answers once its
        group is to be decided again; and none but the last correction of a group, and what came
        after it, answers for a template: what they say otherwise is known to be wrong.
        """
        lines: dict[bytes, int] = {}
        templates: dict[bytes, int] = {}
        reopened, corrected = _last(self._reopened, groups), _last(self._corrected, groups)
        for id, verdict in self._taught.items():
            taught = verdict.taught
            names = (verdict.group, groups.get(id))
            if taught is None or any(reopened.get(name, 0) > id for name in names):
                continue
            lines[verdict.line_hash] = id
            later = any(corrected.get(name, 0) > id for name in names)
            if taught.template is not None and not later:
                templates[taught.template] = id
        answers = {*lines.values(), *templates.values()}
        return [
            _without_template(verdict)
            if verdict.taught is not None and templates.get(verdict.taught.template or b"") != id
            else verdict
            for id, verdict in self._taught.items()
            if id in answers
        ]


def _last(verdicts: dict[int, bytes], groups: dict[int, int]) -> dict[bytes | int | None, int]:
    """The last of ``verdicts`` about each group, by its key when that was entered and by its number
    now: tickets may be grouped in another way since."""
    last: dict[bytes | int | None, int] = {}
    for id, key in verdicts.items():
        last[key] = id
        if id in groups:
            last[groups[id]] = id
    return last


def _without_template(verdict: Verdict) -> Verdict:
    if verdict.taught is None or verdict.taught.template is None:
        return verdict
    return msgspec.structs.replace(verdict, taught=Taught(own_time=verdict.taught.own_time))
