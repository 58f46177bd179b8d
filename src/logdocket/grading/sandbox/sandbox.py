"""A folder with a copy of an answer, and the commands that run in it."""

from __future__ import annotations

import os
import random
import stat
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from logdocket.grading.sandbox.ended import Ended
from logdocket.grading.sandbox.environment import configure, environment
from logdocket.grading.sandbox.limits import Limits
from logdocket.grading.sandbox.net import unshare
from logdocket.grading.sandbox.running import Running
from logdocket.grading.sandbox.secret import covered

if TYPE_CHECKING:
    from logdocket.grading.sandbox.isolation import Isolation

__all__ = ["CHECKOUT", "Sandbox"]

CHECKOUT: Final = "checkout"
"""The name of the copy in the folder of a sandbox."""
_PRIVATE: Final = ("/tmp", "/var/tmp")
"""Places that a command has to itself."""
_UIDS: Final = range(61184, 65520)
"""Users that systems keep for services that come and go, per systemd's uid ranges."""
_USER: Final = 1000
"""Who a command seems to be in a user namespace."""
_SHARED: Final = 256 * 1024 * 1024
"""Bytes of shared memory."""


class Sandbox:
    """Commands in ``root``/checkout, with a home and a temporary folder beside it.

    A command that cannot be started ends with exit code 126, and says why.
    """

    def __init__(self, root: Path, isolation: Isolation, limits: Limits | None = None) -> None:
        self.root = root.resolve()
        self.isolation = isolation
        self.limits = limits or Limits()
        self.checkout = self.root / CHECKOUT
        self._home = self.root / "home"
        self._tmp = self.root / "tmp"
        for folder in (self.checkout, self._home, self._tmp):
            folder.mkdir(exist_ok=True)
        self._uid = self._owner() if isolation.user == "own" else None

    def run(
        self, command: str, *, env: Mapping[str, str], seconds: float, network: bool = False
    ) -> Ended:
        """How ``sh -c command`` ended in the checkout, and all that it started with it.

        ``seconds`` after its start it is ended; ``network`` lets it use the network that the
        caller has, as the set-up may.
        """
        if network and not any(self._home.iterdir()):
            configure(self._home)
            if self._uid is not None:
                _give(self._home, self._uid)
        with self._begin(command, env, network=network) as running:
            return running.wait(seconds)

    def start(self, command: str, *, env: Mapping[str, str]) -> Running:
        """``sh -c command``, which was started in the checkout."""
        return self._begin(command, env, network=False)

    def _begin(self, command: str, env: Mapping[str, str], *, network: bool) -> Running:
        return Running(self._prefix(), self._order(command, env, network), self.limits.output)

    def _prefix(self) -> list[str]:
        """What opens the namespaces, before the first process."""
        alone = self.isolation.processes == "namespace"
        closed = self.isolation.files == "read-only"
        mapped = self.isolation.user == "mapped"
        if not (alone or closed or mapped):
            return []
        words = unshare(mapped, alone=False)
        if alone:
            words += ["--pid", "--ipc", "--fork", "--kill-child"]
        return [*words, "--mount"]

    def _order(self, command: str, env: Mapping[str, str], network: bool) -> dict[str, Any]:
        refuse = self.isolation.network == "proxies"
        readonly = self.isolation.files == "read-only"
        limits = self.limits
        inside = environment(
            env,
            home=self._home,
            temporary=self._tmp,
            mark=uuid.uuid4().hex,
            network=network,
            refuse=refuse,
        )
        return {
            "command": command,
            "env": inside,
            "cwd": str(self.checkout),
            "alone": self.isolation.processes == "namespace",
            "files": readonly,
            # The last of them stands in for every private place.
            "own": [str(self.checkout), str(self._home), str(self._tmp)],
            "private": _PRIVATE,
            "kept": list(_interpreters(inside["PATH"])),
            "covered": covered() if readonly else [],
            "uid": self._uid,
            **self._doors(inside["PATH"]),
            "mapped": self.isolation.user == "mapped",
            "as": _USER,
            "limits": {
                "RLIMIT_DATA": limits.memory,
                "RLIMIT_FSIZE": limits.file,
                "RLIMIT_CORE": 0,
            },
            "processes": limits.processes,
            "memory": limits.total_memory,
            "disk": limits.disk,
            "shm": _SHARED,
        }

    def _owner(self) -> int:
        """The user of the commands, to whom the copy belongs from now on."""
        owner = self._home.lstat().st_uid
        if owner in _UIDS:
            return owner
        uid = random.SystemRandom().choice(_UIDS)
        self.root.chmod(0o755)
        for folder in (self._tmp, self.checkout, self._home):
            _give(folder, uid)
        return uid

    @property
    def reachable(self) -> bool:
        """Whether commands get at the interpreters that PATH leads to."""
        readonly = self.isolation.files == "read-only"
        return readonly or not self._doors(os.environ.get("PATH", os.defpath))["closed"]

    def _doors(self, path: str) -> dict[str, list[str]]:
        """The folders that only their owner may enter, on the way to what a command needs: each is
        to be replaced by one that shows nothing but that.
        """
        if self._uid is None:
            return {"closed": [], "shown": []}
        needed = (*path.split(os.pathsep), str(self.root))
        # What lies in a private place is shown there anyway.
        places = (Path(place) for place in needed if not place.startswith(_PRIVATE))
        ways = [way for place in places if (way := _door(place)) is not None]
        return {
            "closed": sorted({str(outer) for outer, _ in ways}),
            "shown": sorted({str(inner) for _, inner in ways}),
        }


def _give(folder: Path, uid: int) -> None:
    """Make ``uid`` the owner of ``folder`` and of all in it."""
    for at, folders, names in os.walk(folder):
        for name in (*folders, *names):
            os.lchown(os.path.join(at, name), uid, uid)
    # Last, as it tells that all of it was done.
    os.lchown(folder, uid, uid)


def _door(place: Path) -> tuple[Path, Path] | None:
    """The outermost folder on the way to ``place`` that not everybody may enter, and what lies
    behind the innermost; None where all may be entered, or nothing is there.
    """
    try:
        inside = place.resolve(strict=True)
        way = [*reversed(inside.parents), inside]
        closed = [at for at, one in enumerate(way) if not one.stat().st_mode & stat.S_IXOTH]
    except OSError:
        return None
    if not closed or closed[-1] + 1 >= len(way):
        return None
    return way[closed[0]], way[closed[-1] + 1]


def _interpreters(path: str) -> Iterator[str]:
    """What PATH leads to in places that a command would not see, each with its libraries."""
    for part in dict.fromkeys(path.split(os.pathsep)):
        if any(part.startswith(f"{place}/") for place in _PRIVATE):
            folder = Path(part)
            yield str(folder.parent if folder.name == "bin" else folder)
