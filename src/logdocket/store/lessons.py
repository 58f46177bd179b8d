"""What answers about some lines prove for others of the same template.

A template's wide form has a slot for each of its ordinary numbers and paths of files. That one does
not matter is nothing that anybody may assume: it is proved by fresh answers that were the same for
two of its values, and only for numbers about as large.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence
from typing import Final

import msgspec

LONG: Final = "<num>"
"""An id so long that it is masked anyway."""

_NUMBER: Final = re.compile(r"[+-]?[\d.,]+\Z")

_BOUNDS: Final = (2, 4, 6, 8)
"""The most digits of a number of each magnitude but the last."""


class Sharing(enum.StrEnum):
    """Among which lines an answer is shared."""

    WIDE = "wide"
    """All of the wide form whose numbers are proved not to matter."""
    SPLIT = "split"
    """Only those whose template is the same with every number: some number did matter."""
    DROPPED = "dropped"
    """None."""


class Slot(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """What is known about one number: ``only`` its one value so far, None once two have proved the
    same; ``seen`` the magnitudes of all, in order.
    """

    only: str | None
    seen: tuple[int, ...]

    def covers(self, number: str) -> bool:
        """Whether the answer is known not to depend on this value."""
        if self.only is not None:
            return number == self.only
        size = magnitude(number)
        return size in self.seen or _between(size, self.seen)

    def with_(self, number: str) -> Slot:
        """The same after the same answer for ``number``."""
        seen = tuple(sorted({*self.seen, magnitude(number)}))
        return Slot(self.only if number == self.only else None, seen)


def magnitude(number: str) -> int:
    """How large a number is: 0 for zero, else from 1 on by two digits before the point; negative
    for a number below zero. What is no number, such as a path, has no size: it is 1.
    """
    if number == LONG:
        return len(_BOUNDS) + 1
    if _NUMBER.match(number) is None:
        return 1
    digits = number.lstrip("+-")
    if not digits.strip("0.,"):
        return 0
    whole = len(digits.partition(".")[0].lstrip("0"))
    size = 1 + sum(whole > most for most in _BOUNDS)
    return -size if number.startswith("-") else size


def _between(size: int, seen: Sequence[int]) -> bool:
    """Whether a smaller and a larger one of the same sign are among ``seen``."""
    alike = [abs(other) for other in seen if other * size > 0]
    return bool(alike) and min(alike) < abs(size) < max(alike)


HALF: Final = 16
"""Bytes that stand for a template, and as many for its wide form."""


class Lesson(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What a fresh answer tells about the template of its line.

    ``wide`` and ``narrow``: 16 bytes that stand for the template's wide form, and for the template
    itself, under one configuration. ``numbers``: the values of the wide form's slots. ``says``: 16
    bytes that are equal for equal answers; None for one that is disputed, which nobody may share.
    ``place``: where its evidence stands, for lines of the wide form; kept as it is.
    """

    wide: bytes
    narrow: bytes
    numbers: tuple[str, ...] = ()
    says: bytes | None
    place: tuple[int, ...] = ()

    @classmethod
    def of_doubt(cls, template: bytes) -> Lesson:
        """What is learnt where an answer turned out to be wrong: nobody else may share it."""
        return cls(wide=template[:HALF], narrow=template[HALF:], says=None)


class Known(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What the store knows about one template: its newest answer is that of entry ``ticket``."""

    key: bytes
    sharing: Sharing
    ticket: int
    says: bytes
    place: tuple[int, ...]
    slots: tuple[Slot, ...]

    def covers(self, numbers: Sequence[str]) -> bool:
        """Whether the answer holds for a line with these numbers."""
        return len(numbers) == len(self.slots) and all(
            slot.covers(number) for slot, number in zip(self.slots, numbers, strict=True)
        )


def learn(
    wide: Known | None, narrow: Known | None, lesson: Lesson, ticket: int
) -> tuple[Known, Known | None]:
    """What is known about the wide form and the template after ``lesson``, which entry ``ticket``
    taught. The second is None where nothing is kept about the template itself.
    """
    wide = _learn_wide(wide, lesson, ticket)
    if wide.sharing is Sharing.WIDE:
        return wide, None
    return wide, _learn_narrow(narrow, lesson, ticket)


def _learn_wide(known: Known | None, lesson: Lesson, ticket: int) -> Known:
    slots = tuple(Slot(number, (magnitude(number),)) for number in lesson.numbers)
    if known is None:
        sharing = Sharing.SPLIT if lesson.says is None else Sharing.WIDE
        return _known(lesson.wide, sharing, lesson, ticket, slots)
    if known.sharing is not Sharing.WIDE:
        return known
    if lesson.says != known.says or len(slots) != len(known.slots):
        return msgspec.structs.replace(known, sharing=Sharing.SPLIT)
    extended = tuple(
        slot.with_(number) for slot, number in zip(known.slots, lesson.numbers, strict=True)
    )
    return _known(lesson.wide, Sharing.WIDE, lesson, ticket, extended)


def _learn_narrow(known: Known | None, lesson: Lesson, ticket: int) -> Known:
    if known is not None and (known.sharing is Sharing.DROPPED or lesson.says != known.says):
        return msgspec.structs.replace(known, sharing=Sharing.DROPPED)
    sharing = Sharing.DROPPED if lesson.says is None else Sharing.SPLIT
    return _known(lesson.narrow, sharing, lesson, ticket, ())


def _known(
    key: bytes, sharing: Sharing, lesson: Lesson, ticket: int, slots: tuple[Slot, ...]
) -> Known:
    return Known(
        key=key,
        sharing=sharing,
        ticket=ticket,
        says=lesson.says or bytes(16),
        place=lesson.place,
        slots=slots,
    )
