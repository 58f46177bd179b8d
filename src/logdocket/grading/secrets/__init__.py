"""Secrets that were committed, in the tree or anywhere in the history; never their values."""

from logdocket.grading.secrets.history import Searched, searched
from logdocket.grading.secrets.leak import Leak
from logdocket.grading.secrets.search import Search

__all__ = ["Leak", "Search", "Searched", "searched"]
