"""Whether the line in hand bears out what is said of it.

A ticket that comes from storage and an answer that comes from a model are believed only where they
quote the line, and where the quotes carry something. Nothing is mended: what is not borne out is
named, in words that a model can be told.
"""

from logdocket.grounding.answer import Ungroundeds, check
from logdocket.grounding.name import bare_name
from logdocket.grounding.stored import violations
from logdocket.grounding.ungrounded import LONGEST_EVIDENCE, Ungrounded

__all__ = [
    "LONGEST_EVIDENCE",
    "Ungrounded",
    "Ungroundeds",
    "bare_name",
    "check",
    "violations",
]
