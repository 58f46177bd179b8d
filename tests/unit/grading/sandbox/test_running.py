"""A command that runs, and is ended."""

from __future__ import annotations

import time
from collections.abc import Callable

from logdocket.grading.sandbox import End, Running, Sandbox

Make = Callable[..., Sandbox]


def until_written(running: Running, sandbox: Sandbox) -> None:
    """Wait until the command has made the file ``up``."""
    until = time.monotonic() + 10
    while not (sandbox.checkout / "up").exists():
        assert time.monotonic() < until
        assert running.alive, running.ended
        time.sleep(0.01)


def test_a_polite_command_has_time_to_say_goodbye(make: Make) -> None:
    """It is asked to end before it is made to."""
    sandbox = make()
    command = "trap 'echo goodbye; exit 7' TERM; echo up > up; while :; do sleep 0.05; done"
    with sandbox.start(command, env={}) as running:
        until_written(running, sandbox)
        assert running.ended is None
        ended = running.stop()
    assert (ended.end, ended.code, ended.out) == (End.STOPPED, 7, b"goodbye\n")
    assert not running.alive
    assert running.ended is ended


def test_leaving_it_ends_it(make: Make) -> None:
    """However one leaves."""
    with make().start("sleep 60", env={}) as running:
        assert running.alive
    assert not running.alive
    assert running.ended is not None
    assert running.ended.end is End.STOPPED


def test_a_command_that_ends_by_itself_was_not_stopped(make: Make) -> None:
    """Stopping it afterwards tells how it ended."""
    with make().start("echo up; exit 4", env={}) as running:
        until = time.monotonic() + 10
        while running.alive and time.monotonic() < until:
            time.sleep(0.01)
        ended = running.stop()
    assert (ended.end, ended.code, ended.out) == (End.EXITED, 4, b"up\n")


def test_what_a_command_leaves_behind_ends_with_it(make: Make) -> None:
    """Even where it holds the streams open."""
    ended = make().run("sleep 60 & echo begun", env={}, seconds=20)
    assert ended.ok, ended
    assert ended.out == b"begun\n"
    assert ended.seconds < 5
