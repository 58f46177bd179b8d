"""The command line."""

from logdocket.cli.app import main

__all__ = ["main"]
