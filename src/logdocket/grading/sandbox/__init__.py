"""Where an answer's commands run: bounded, watched, and ended with all that they started."""

from logdocket.grading.sandbox.ended import End, Ended
from logdocket.grading.sandbox.isolation import Isolation
from logdocket.grading.sandbox.limits import Limits
from logdocket.grading.sandbox.net import network_prefix, raise_loopback
from logdocket.grading.sandbox.running import Running
from logdocket.grading.sandbox.sandbox import CHECKOUT, Sandbox

__all__ = [
    "CHECKOUT",
    "End",
    "Ended",
    "Isolation",
    "Limits",
    "Running",
    "Sandbox",
    "network_prefix",
    "raise_loopback",
]
