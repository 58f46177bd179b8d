"""Random faults that are the same on every run."""

from __future__ import annotations

import bisect
import hashlib
import itertools
from collections.abc import Callable, Iterable, Mapping

from logdocket.testing.fault import Fault
from logdocket.testing.seen import Act, Seen

__all__ = ["chaos"]


def chaos(
    seed: int,
    faults: Mapping[Fault, float] | Iterable[Fault] = tuple(Fault),
    *,
    seconds: float | None = None,
) -> Callable[[Seen], Act]:
    """A script that picks a fault for each request, by weight, from its body and number alone.

    ``faults`` are equally likely, or as their weights say; ``seconds`` goes into every act. Raises
    ValueError when no weight is above 0, or one is below.
    """
    weights = dict(faults) if isinstance(faults, Mapping) else dict.fromkeys(faults, 1.0)
    if not weights or min(weights.values()) < 0 or sum(weights.values()) <= 0:
        raise ValueError("chaos needs a fault with a weight above 0, and none below 0")
    acts = [Act(fault, seconds=seconds) for fault in weights]
    sums = list(itertools.accumulate(weights.values()))

    def choose(seen: Seen) -> Act:
        told = f"{seed} {seen.number} ".encode() + seen.body
        chance = int.from_bytes(hashlib.blake2b(told, digest_size=8).digest()) / 2**64
        # A product of floats may round up to the whole sum.
        return acts[min(bisect.bisect(sums, chance * sums[-1]), len(acts) - 1)]

    return choose
