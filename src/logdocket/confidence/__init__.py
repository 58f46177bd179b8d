"""How often a ticket read this way was right: one table of counts, never a claim.

A cell stands for what can be observed about a ticket: how the severity, the service and the time
were found, and whether a model's answer bears that out. It holds how many labelled cases were read
that way and how many of those had every field right. The confidence is the mean of a Beta
posterior: the cell's own frequency, with its parent's value counting like a few labels more, so
that a cell of one label does not say much by itself. A cell without labels backs off to its parent
(the time let go first, then the service), and where no parent has labels either the answer is the
prior, one half.
"""

from logdocket.confidence.bound import shown, upper_bound
from logdocket.confidence.signals import READ, Agreement, Signals, signals
from logdocket.confidence.table import PARENT_WEIGHT, PRIOR, Confidence, Table, fit, shipped

__all__ = [
    "PARENT_WEIGHT",
    "PRIOR",
    "READ",
    "Agreement",
    "Confidence",
    "Signals",
    "Table",
    "fit",
    "shipped",
    "shown",
    "signals",
    "upper_bound",
]
