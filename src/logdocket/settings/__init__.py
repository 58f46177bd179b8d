"""Everything an operator may choose, read from the environment and checked once."""

from logdocket.settings.settings import PREFIX, Settings, strangers, variable

__all__ = ["PREFIX", "Settings", "strangers", "variable"]
