"""Synthetic log lines whose every field is known, and what an honest model says of each."""

from __future__ import annotations

from logdocket.grading.lines.family import Family
from logdocket.grading.lines.line import LEVELS, SEVERITIES, Line, honest
from logdocket.grading.lines.maker import Lines
from logdocket.grading.lines.odd import DELIMITERS, NONSENSE, ORDERS, TIMELESS
from logdocket.grading.lines.shapes import ACCENTS, SHAPES, Shape

__all__ = [
    "ACCENTS",
    "DELIMITERS",
    "LEVELS",
    "NONSENSE",
    "ORDERS",
    "SEVERITIES",
    "SHAPES",
    "TIMELESS",
    "Family",
    "Line",
    "Lines",
    "Shape",
    "honest",
]
