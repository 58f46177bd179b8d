"""A model server that misbehaves on demand, for tests of whatever calls a model.

::

    with ModelServer([Fault.RESET, Fault.GOOD]) as server:
        ...  # call server.url
        assert server.count == 2
"""

from logdocket.testing.chaos import chaos
from logdocket.testing.fault import Fault
from logdocket.testing.ports import closed_port
from logdocket.testing.seen import Act, Answers, Script, Seen
from logdocket.testing.server import ModelServer

__all__ = ["Act", "Answers", "Fault", "ModelServer", "Script", "Seen", "chaos", "closed_port"]
