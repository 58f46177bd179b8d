"""The store on SQLite: one file, one hash chain, any number of processes."""

from logdocket.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
