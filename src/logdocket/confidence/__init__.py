"""How often a ticket read this way was right: one table of counts, never a claim.

A cell stands for what can be observed about a ticket: how the severity, the service and the time
were found, and whether a model's answer bears that out. It holds how many labelled cases were read
that way and how many of those had every field right. The confidence is the mean of the Beta
posterior, ``(right + 1) / (total + 2)``. A cell without labels backs off to its parent (the time
let go first, then the service), and where no parent has labels either the answer is the prior, one
half.
"""

from logdocket.confidence.bound import shown, upper_bound
from logdocket.confidence.signals import Agreement, Signals, signals
from logdocket.confidence.table import PRIOR, Confidence, Table, fit, shipped

__all__ = [
    "PRIOR",
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
