"""How good the rules are: their tickets held against labelled lines."""

from logdocket.evaluation.examined import Examined, examine
from logdocket.evaluation.scoring import FIELDS, Field, Outcome, Scored, score
from logdocket.evaluation.sets import Row, read_set, rows_of, shipped_sets, system

__all__ = [
    "FIELDS",
    "Examined",
    "Field",
    "Outcome",
    "Row",
    "Scored",
    "examine",
    "read_set",
    "rows_of",
    "score",
    "shipped_sets",
    "system",
]
