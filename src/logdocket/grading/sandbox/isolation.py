"""What keeps an answer apart from the machine, as far as that is permitted."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

import msgspec

from logdocket.grading.sandbox import net
from logdocket.grading.sandbox.sandbox import Sandbox

__all__ = ["Isolation"]

_PATIENCE: Final = 10.0
"""Seconds that one try may take."""

_SENTENCES: Final = {
    ("network", "namespace"): "It had no network but a loopback of its own, shared with its model.",
    ("network", "proxies"): (
        "It had the machine's network: only proxies that refuse and the offline switches of "
        "package managers stood in its way."
    ),
    ("processes", "namespace"): "Its processes saw no others, and none outlived its command.",
    ("processes", "tree"): (
        "Its processes could see others of the machine; those that it started were followed and "
        "ended."
    ),
    ("files", "read-only"): (
        "It could write to its copy, a home and a temporary folder of its own; all else was "
        "read-only, and places where secrets are kept were covered."
    ),
    ("files", "plain"): "It could write wherever its user can.",
    ("user", "own"): "It ran as an unprivileged user of its own.",
    ("user", "mapped"): "It ran with the files of the user who graded, in a user namespace.",
    ("user", "same"): "It ran as the user who graded.",
}


class Isolation(msgspec.Struct, frozen=True):
    """The doors that are closed.

    ``user``: "own" is a uid of its own, which takes a grader who is root; "mapped" the grader's
    user in a namespace; "same" simply the grader's user.
    """

    network: Literal["namespace", "proxies"]
    processes: Literal["namespace", "tree"]
    files: Literal["read-only", "plain"]
    user: Literal["own", "mapped", "same"]

    @classmethod
    def none(cls) -> Isolation:
        """Where nothing is permitted."""
        return cls("proxies", "tree", "plain", "same")

    @classmethod
    def detect(cls) -> Isolation:
        """The most that is permitted here, found by trying it: a fraction of a second."""
        found = next(filter(_works, _wanted()), cls.none())
        network = msgspec.structs.replace(found, network="namespace")
        return network if found.user != "same" and _has_network(network) else found

    def sentences(self) -> tuple[str, ...]:
        """What could not be done, and what could, one sentence for each door."""
        return tuple(
            _SENTENCES[field, getattr(self, field)]
            for field in ("network", "processes", "files", "user")
        )


def _wanted() -> Iterator[Isolation]:
    """What is worth a try, the best first."""
    root = os.geteuid() == 0
    users: tuple[Literal["own", "mapped"], ...] = ("own", "mapped") if root else ("mapped",)
    for user in users:
        yield Isolation("proxies", "namespace", "read-only", user)
        yield Isolation("proxies", "tree", "read-only", user)
        yield Isolation("proxies", "namespace", "plain", user)
    if root:
        yield Isolation("proxies", "tree", "plain", "own")


def _works(isolation: Isolation) -> bool:
    with tempfile.TemporaryDirectory(prefix="logdocket-try-") as made:
        try:
            sandbox = Sandbox(Path(made), isolation)
            ended = sandbox.run("echo works > it", env={}, seconds=_PATIENCE)
        except OSError:
            return False
        return ended.ok and sandbox.reachable and (sandbox.checkout / "it").is_file()


def _has_network(isolation: Isolation) -> bool:
    argv = [*net.network_prefix(isolation), sys.executable, "-I", "-S", net.__file__]
    try:
        done = subprocess.run(argv, capture_output=True, timeout=_PATIENCE, check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0
