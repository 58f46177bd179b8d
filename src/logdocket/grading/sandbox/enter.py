"""The first process of a command: it closes the doors, starts the command, watches, ends all.

It is run as a file by a bare interpreter (``-I -S``), so it knows the standard library alone and
starts within a few milliseconds. Where process namespaces are permitted it is process 1 of one,
and its end is the end of all in it; elsewhere it adopts every orphan that the command leaves.

Standard input holds one line of JSON, the order; then ``stop SECONDS`` ends the command politely.
The end of standard input is the end of whoever wanted the command, and ends everything at once.
The descriptor named on the command line gets one line of JSON: how it ended.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Iterator
from typing import Any, Final, NoReturn

_TICK: Final = 0.25
"""Seconds between two looks at what the command takes."""
_SPARE: Final = 64 * 1024 * 1024
"""Bytes that stay free on the disk, whoever filled it."""
_PATIENCE: Final = 5.0
"""Seconds in which every process has to be gone once all were killed."""
_FILES: Final = 4096
"""Descriptors that one process may have open."""
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")

# From Linux's <linux/mount.h>, <linux/prctl.h>, <linux/capability.h> and <linux/sched.h>.
_NOSUID, _NODEV, _NOEXEC, _BIND, _REC, _PRIVATE = 2, 4, 8, 4096, 16384, 1 << 18
_MOUNT_SETATTR, _AT_FDCWD, _AT_RECURSIVE, _RDONLY = 442, -100, 0x8000, 1
_CAPBSET_DROP, _SET_SUBREAPER, _NO_NEW_PRIVS, _LAST_CAP = 24, 36, 38, 63
_NEWUSER: Final = 0x10000000

_libc: Final = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    """Do what the order says, and tell how it ended."""
    status = int(sys.argv[1])
    os.set_inheritable(status, False)
    order = json.loads(_line())
    try:
        if not order["alone"]:
            _check(_libc.prctl(_SET_SUBREAPER, 1, 0, 0, 0), "prctl")
        if order["files"]:
            _close_files(order)
        elif order["alone"]:
            _own_proc()
        told = _Watch(order, _start(order, status)).until_ended()
    except OSError as error:
        told = {"failed": str(error)}
    os.write(status, json.dumps(told).encode() + b"\n")


def _line() -> bytes:
    read = bytearray()
    while not read.endswith(b"\n"):
        more = os.read(0, 65536)
        if not more:
            sys.exit(1)
        read += more
    return bytes(read)


def _check(result: int, what: str) -> None:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


# Files.


def _close_files(order: dict[str, Any]) -> None:
    """Leave the command its own folders to write to, and hide what is not its business."""
    shown = [*order["kept"], *order["shown"]]
    kept = [(path, os.open(path, os.O_PATH)) for path in shown if os.path.isdir(path)]
    _check(_libc.mount(None, b"/", None, _REC | _PRIVATE, None), "mount /")
    _writable("/", recursive=True, yes=False)
    for path in order["own"]:
        _bind(path, path)
        _writable(path)
    own = [(path, os.open(path, os.O_PATH)) for path in order["own"]]
    if order["alone"]:
        _own_proc()
    for place in order["private"]:
        if os.path.isdir(place) and not os.path.islink(place):
            # By its descriptor: its path lies in the place itself as a rule.
            _bind(f"/proc/self/fd/{own[-1][1]}", place)
    for place in order["closed"]:
        _mount("none", place, "tmpfs", _NOSUID | _NODEV, "mode=755,size=64k")
    hidden = tuple(f"{place}/" for place in (*order["private"], *order["closed"]))
    for path, opened in [*kept, *own]:
        if path.startswith(hidden):
            os.makedirs(path, exist_ok=True)
            _bind(f"/proc/self/fd/{opened}", path)
        os.close(opened)
    for place in order["closed"]:
        _writable(place, yes=False)
    if os.path.isdir("/dev/shm"):
        _mount("shm", "/dev/shm", "tmpfs", _NOSUID | _NODEV, f"mode=1777,size={order['shm']}")
    for path in order["covered"]:
        _cover(path)


def _own_proc() -> None:
    _mount("proc", "/proc", "proc", _NOSUID | _NODEV | _NOEXEC)


def _cover(path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        if os.path.isdir(path):
            _mount("none", path, "tmpfs", _NOSUID | _NODEV | _NOEXEC | _RDONLY, "mode=755,size=4k")
        elif os.path.exists(path):
            _bind("/dev/null", path)


def _mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    done = _libc.mount(
        os.fsencode(source),
        os.fsencode(target),
        kind.encode(),
        ctypes.c_ulong(flags),
        data.encode(),
    )
    _check(done, f"mount {kind}")


def _bind(source: str, target: str) -> None:
    done = _libc.mount(os.fsencode(source), os.fsencode(target), None, ctypes.c_ulong(_BIND), None)
    _check(done, "bind")


def _writable(path: str, *, recursive: bool = False, yes: bool = True) -> None:
    # struct mount_attr: set, clear, propagation, user namespace.
    change = (ctypes.c_uint64 * 4)(0 if yes else _RDONLY, _RDONLY if yes else 0, 0, 0)
    flags = _AT_RECURSIVE if recursive else 0
    done = _libc.syscall(
        ctypes.c_long(_MOUNT_SETATTR),
        ctypes.c_int(_AT_FDCWD),
        os.fsencode(path),
        ctypes.c_uint(flags),
        ctypes.byref(change),
        ctypes.c_size_t(ctypes.sizeof(change)),
    )
    _check(done, "mount_setattr")


# The command.


def _start(order: dict[str, Any], status: int) -> int:
    """The process of the command."""
    child = os.fork()
    if child:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        os.close(null)
        return child
    try:
        _become(order)
    except OSError as error:
        os.write(status, json.dumps({"failed": str(error)}).encode() + b"\n")
    os._exit(126)


def _become(order: dict[str, Any]) -> NoReturn:
    os.setsid()
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("900")
    for name, most in order["limits"].items():
        _limit(getattr(resource, name), most)
    processes = order["processes"] * 2
    if order["uid"] is not None:
        _limit(resource.RLIMIT_NPROC, processes)
        _drop(order["uid"])
    elif order["mapped"]:
        _leave_root(order["as"])
        _limit(resource.RLIMIT_NPROC, processes)
    else:
        _limit(resource.RLIMIT_NPROC, processes + _mine())
    _limit(resource.RLIMIT_NOFILE, _FILES)
    _check(_libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    os.chdir(order["cwd"])
    for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    os.umask(0o022)
    os.execve("/bin/sh", ["sh", "-c", order["command"]], order["env"])


def _limit(kind: int, most: int) -> None:
    hard = resource.getrlimit(kind)[1]
    least = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (least, least))


def _mine() -> int:
    """The threads of this user, who shares the bound with the command."""
    found, me = 0, os.getuid()
    for pid in _pids():
        with contextlib.suppress(OSError):
            if os.stat(f"/proc/{pid}").st_uid == me:
                found += len(os.listdir(f"/proc/{pid}/task"))
    return found


def _drop(uid: int) -> None:
    """Become ``uid``, with no right of root left: the kernel takes them with the user."""
    for capability in range(_LAST_CAP + 1):
        _libc.prctl(_CAPBSET_DROP, capability, 0, 0, 0)
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def _leave_root(uid: int) -> None:
    """Be root no longer, in a user namespace of its own that has no say over the mounts."""
    _check(_libc.unshare(ctypes.c_int(_NEWUSER)), "unshare")
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} 0 1"), ("gid_map", f"{uid} 0 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


# The watch.


def _pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _stat(pid: int) -> tuple[str, int] | None:
    """State and parent of a process; None if it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        return fields[0].decode(), int(fields[1])
    except (OSError, IndexError, ValueError):
        return None


class _Watch:
    """Looks at what the command takes, and ends it."""

    def __init__(self, order: dict[str, Any], child: int) -> None:
        self._order = order
        self._child = child
        self._code: int | None = None
        self._free = self._left()
        self._wake, write = os.pipe()
        for end in (self._wake, write):
            os.set_blocking(end, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(write, warn_on_full_buffer=False)

    def until_ended(self) -> dict[str, Any]:
        """How the command ended, once nothing of it is left."""
        poll = select.poll()
        for readable in (0, self._wake):
            poll.register(readable, select.POLLIN)
        due, end = time.monotonic() + _TICK, None
        while self._reap() is None:
            ready = [number for number, _ in poll.poll(max(0.0, due - time.monotonic()) * 1000)]
            if self._wake in ready:
                os.read(self._wake, 4096)
            if 0 in ready:
                self._stop(os.read(0, 256))
                break
            if time.monotonic() >= due:
                end, due = self._taken(), time.monotonic() + _TICK
                if end is not None:
                    break
        left = self._kill()
        return {"code": self._code, "end": end, "left": left}

    def _reap(self) -> int | None:
        """The exit code of the command, None while it runs."""
        with contextlib.suppress(ChildProcessError):
            while (found := os.waitpid(-1, os.WNOHANG))[0]:
                if found[0] == self._child:
                    self._code = os.waitstatus_to_exitcode(found[1])
        return self._code

    def _members(self) -> Iterator[int]:
        """Every process that the command started, and itself."""
        known = {pid: found for pid in _pids() if (found := _stat(pid)) is not None}
        children: dict[int, list[int]] = {}
        for pid, (_, parent) in known.items():
            children.setdefault(parent, []).append(pid)
        me = os.getpid()
        if self._order["alone"]:
            yield from (pid for pid, (state, _) in known.items() if pid != me and state != "Z")
            return
        below = list(children.get(me, ()))
        while below:
            pid = below.pop()
            below += children.get(pid, ())
            if known[pid][0] != "Z":
                yield pid

    def _signal(self, number: int) -> bool:
        """Whether there was a process to signal."""
        found = False
        if self._order["alone"]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(-1, number)
        for pid in self._members():
            found = True
            if not self._order["alone"]:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, number)
        return found

    def _stop(self, said: bytes) -> None:
        words = said.split()
        if not words:
            return
        self._signal(signal.SIGTERM)
        self._signal(signal.SIGCONT)
        until = time.monotonic() + float(words[1])
        while time.monotonic() < until and any(True for _ in self._members()):
            time.sleep(0.01)
            self._reap()

    def _kill(self) -> bool:
        """Whether something is left when everything was killed, again and again."""
        until = time.monotonic() + _PATIENCE
        while self._signal(signal.SIGKILL):
            self._reap()
            if time.monotonic() > until:
                return True
            time.sleep(0.002)
        self._reap()
        return False

    # What it takes.

    def _taken(self) -> str | None:
        """Which bound was passed, None if all are kept."""
        members = list(self._members())
        if len(members) > self._order["processes"]:
            return "PROCESSES"
        if sum(map(_held, members)) > self._order["memory"]:
            return "MEMORY"
        return "DISK" if self._filled() else None

    def _left(self) -> int:
        space = os.statvfs(self._order["own"][0])
        return space.f_bavail * space.f_frsize

    def _filled(self) -> bool:
        free = self._left()
        if free < _SPARE < self._free:
            return True
        if self._free - free <= self._order["disk"]:
            return False
        # Somebody else may have filled it.
        self._free = free
        return bool(sum(map(_size, self._order["own"])) > self._order["disk"])


def _held(pid: int) -> int:
    """Bytes of memory that a process holds and that are no file's."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            fields = file.read().split()
        return max(0, int(fields[1]) - int(fields[2])) * _PAGE
    except (OSError, IndexError):
        return 0


def _size(folder: str) -> int:
    """Bytes on the disk below ``folder``."""
    total = 0
    for at, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(at, name)).st_blocks * 512
    return total


if __name__ == "__main__":
    main()
