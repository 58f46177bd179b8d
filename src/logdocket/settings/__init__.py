"""Everything an operator may choose, read from the environment and checked once."""

from logdocket.settings.settings import PREFIX, Settings, strangers, variable
from logdocket.settings.tokens import ROLES, NamedToken

__all__ = ["PREFIX", "ROLES", "NamedToken", "Settings", "strangers", "variable"]
