"""A line with everything masked that cannot change what a ticket says of it.

Lines of one template may share an answer, so a mask must be sound before it is wide. There are two
widths. In :attr:`Cut.text` is masked what says which one and never how bad: times, ids, addresses
with their ports, process and thread ids, numbers after nouns of identity (``task 5``), and numbers
in paths. In :attr:`Cut.wide` all other numbers are masked as well, and given beside it; whether
they may differ is for the answers to prove.

Kept in both are status and exit codes, counts of failures, percentages, ratios, versions, words,
quoted words, names of hosts and services; and always, byte for byte, the spans that bear out the
severity and the service.
"""

from logdocket.reading.template.cut import Cut, Place, cut, template

__all__ = ["Cut", "Place", "cut", "template"]
