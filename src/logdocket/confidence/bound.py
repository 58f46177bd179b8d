"""How large a share may be, when only some cases were looked at."""

from __future__ import annotations

import math
from typing import Final

_DOUBT: Final = 0.05
"""How often a bound may be wrong: one time in twenty."""
_STEPS: Final = 40
_NOTHING: Final = 1e-17


def shown(wrong: int, total: int, most: float) -> bool:
    """Whether ``wrong`` of ``total`` cases show, in 19 times of 20, a share of at most ``most``.

    This is the one-sided bound of Clopper and Pearson (Biometrika 26, 1934): were the share larger,
    so few wrong ones would come up less than one time in twenty. Without a wrong one, 149 cases
    show 2 %.
    """
    if wrong >= total or most <= 0:
        return False
    return most >= 1 or _at_most(wrong, total, most) <= _DOUBT


def upper_bound(wrong: int, total: int) -> float:
    """The smallest share that ``wrong`` of ``total`` cases show in this way; 1 where none is."""
    if wrong >= total:
        return 1.0
    low, high = wrong / total, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if shown(wrong, total, middle) else (middle, high)
    return high


def _at_most(wrong: int, total: int, share: float) -> float:
    """How likely at most ``wrong`` of ``total`` are, each with the chance ``share``, which is
    between 0 and 1.

    Summed from the largest term down, in as many steps as matter.
    """
    if wrong > total * share:
        # The larger half: far beyond any doubt that is asked about.
        return 1.0
    term = math.exp(
        math.lgamma(total + 1)
        - math.lgamma(wrong + 1)
        - math.lgamma(total - wrong + 1)
        + wrong * math.log(share)
        + (total - wrong) * math.log1p(-share)
    )
    summed = 0.0
    for count in range(wrong, -1, -1):
        summed += term
        if term < summed * _NOTHING:
            break
        term *= count * (1 - share) / ((total - count + 1) * share)
    return summed
