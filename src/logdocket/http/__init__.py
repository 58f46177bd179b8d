"""The service over HTTP."""

from logdocket.http.app import create_app
from logdocket.http.guard import Guard
from logdocket.http.listen import listen
from logdocket.http.logs import set_up_log
from logdocket.http.roles import Role, Token
from logdocket.http.server import run

__all__ = ["Guard", "Role", "Token", "create_app", "listen", "run", "set_up_log"]
