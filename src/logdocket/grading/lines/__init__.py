"""Synthetic log lines whose every field is known, and what an honest model says of each."""

from __future__ import annotations

from logdocket.grading.lines.family import Family
from logdocket.grading.lines.line import LEVELS, SEVERITIES, Line, honest
from logdocket.grading.lines.maker import Lines

__all__ = ["LEVELS", "SEVERITIES", "Family", "Line", "Lines", "honest"]
