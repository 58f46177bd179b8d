"""What became of verdicts: those about groups that were to be decided again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from logdocket.store.review import Verdict, VerdictWord


def with_withdrawals(
    verdicts: Sequence[Verdict], groups: Mapping[int, int] | None = None
) -> list[Verdict]:
    """``verdicts``, oldest first, each with ``withdrawn_by`` as it follows from those after it.

    ``groups`` are the numbers of the groups that they are about, by the numbers of their entries;
    None where all are about one. A group is known by its key as well: tickets may be grouped in
    another way since.
    """
    reopened: dict[bytes | int | None, int] = {}
    told = []
    for one in reversed(verdicts):
        names = _names(one, groups)
        # The first after it: of several, that one withdrew it.
        by = min((reopened[name] for name in names if name in reopened), default=None)
        decides = one.verdict not in (VerdictWord.UNDONE, VerdictWord.REOPENED)
        if decides and by is not None and one.undone_by is None:
            told.append(msgspec.structs.replace(one, withdrawn_by=by))
        else:
            told.append(one)
        if one.verdict is VerdictWord.REOPENED and one.undone_by is None:
            reopened.update(dict.fromkeys(names, one.id))
    return told[::-1]


def _names(one: Verdict, groups: Mapping[int, int] | None) -> list[bytes | int | None]:
    if groups is None:
        return [None]
    number = groups.get(one.id, 0)
    return [one.group, number] if number else [one.group]
