"""An answer's own ledger: found, read in whatever form it has, and counted."""

from logdocket.grading.ledger.book import Book, Entered
from logdocket.grading.ledger.kinds import Counts

__all__ = ["Book", "Counts", "Entered"]
