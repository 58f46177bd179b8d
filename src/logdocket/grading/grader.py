"""The order of a grading: copy, find out how, set up, ask, report."""

from __future__ import annotations

import contextlib
import datetime
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from logdocket.errors import BadManifest, GradingError
from logdocket.grading import checkout, folder, manifest
from logdocket.grading.bench import log
from logdocket.grading.discovery import discover, overlay
from logdocket.grading.finding import Answered, Finding, Verdict
from logdocket.grading.job import Began, Done, Event, Job, Said, decoded, encoded
from logdocket.grading.manifest import Manifest
from logdocket.grading.order import OVER, chosen
from logdocket.grading.plain import is_plain
from logdocket.grading.probes import PROBES
from logdocket.grading.report.document import Fact, Log, Report, Times
from logdocket.grading.report.score import assemble
from logdocket.grading.sandbox import Isolation, Limits, Sandbox, network_prefix

__all__ = ["Step", "Wish", "asked", "grade"]

_GRACE: Final = 20.0
"""Seconds beyond the time for the whole after which the asking process is killed."""


class Step(msgspec.Struct, frozen=True):
    """What the grading is at: ``what`` as a person reads it, ``done`` of ``of`` probes asked."""

    what: str
    done: int = 0
    of: int = 0


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be graded: a ``folder``, or a service that runs at ``port`` of loopback.

    ``told`` are keys of grade.toml that win over the file (``service.start``); ``manifest_file`` a
    file in place of the one in the folder. ``seconds`` bounds all but the set-up; ``only`` is the
    prefix of the probes that are asked; ``keep`` leaves the copy there and tells where it is.
    ``model_port`` is where a service that runs already looks for its model.
    """

    folder: Path | None = None
    port: int | None = None
    model_port: int | None = None
    told: Mapping[str, str] = {}
    manifest_file: Path | None = None
    seed: int = 1
    seconds: float = 1800.0
    only: str = ""
    keep: bool = False


def grade(wish: Wish, version: str, watch: Callable[[Step], object] = lambda step: None) -> Report:
    """The report about what ``wish`` names; ``version`` is the grader's own.

    Raises GradingError when there is nothing to grade, and BadManifest for a wrong grade.toml.
    """
    asked(wish.only)
    began, clock = datetime.datetime.now(datetime.UTC), time.monotonic()
    with _job(wish, watch) as (job, facts, setup):
        answered, logs = _asked(job, watch)
    seconds = {one.id: round(one.seconds, 3) for one in answered}
    return assemble(
        PROBES,
        answered,
        grader=f"logdocket {version}",
        candidate=_name(wish),
        seed=wish.seed,
        facts=facts,
        sandbox=job.isolation.sentences() if job.root else (),
        times=Times(
            began.isoformat(timespec="seconds"), round(time.monotonic() - clock, 3), seconds
        ),
        logs=(*setup, *logs, *_traces(answered)),
    )


def asked(only: str) -> tuple[str, ...]:
    """The ids of the probes that are asked where only those are wanted whose id begins so.

    Raises GradingError where there is none.
    """
    ids = tuple(probe.id for probe in chosen(PROBES, only))
    if not ids:
        raise GradingError(
            f"no probe's id begins with {only!r:.80}: give an area or more of an id, "
            "such as failure/timeout"
        )
    return ids


def _name(wish: Wish) -> str:
    return f"http://127.0.0.1:{wish.port}" if wish.folder is None else wish.folder.resolve().name


def _traces(answered: list[Answered]) -> Iterator[Log]:
    return (Log(one.id, "", "the grader failed", "", one.trace) for one in answered if one.trace)


# Before the asking.


@contextlib.contextmanager
def _job(
    wish: Wish, watch: Callable[[Step], object]
) -> Iterator[tuple[Job, tuple[Fact, ...], tuple[Log, ...]]]:
    """The job, what it goes by, and what the set-up wrote; the copy goes when it is left."""
    if wish.folder is None:
        yield _running(wish)
        return
    if not wish.folder.is_dir():
        raise GradingError(f"{wish.folder} is no folder: name a checkout of the answer")
    with folder.working(wish.keep, lambda said: watch(Step(said))) as root:
        yield _copied(wish, root, watch)


def _running(wish: Wish) -> tuple[Job, tuple[Fact, ...], tuple[Log, ...]]:
    if wish.port is None:
        raise GradingError("nothing to grade: name a folder, or --url of a service that runs")
    told = manifest.load(wish.manifest_file) if wish.manifest_file else Manifest()
    job = Job(
        overlay(told, wish.told),
        wish.seed,
        wish.seconds,
        Isolation.none(),
        Limits(),
        port=wish.port,
        model_port=wish.model_port,
        only=wish.only,
    )
    return job, (), ()


def _copied(
    wish: Wish, root: Path, watch: Callable[[Step], object]
) -> tuple[Job, tuple[Fact, ...], tuple[Log, ...]]:
    assert wish.folder is not None
    watch(Step("Copying the checkout"))
    copy = checkout.copy(wish.folder, root)
    file = wish.manifest_file or copy / manifest.NAME
    if not wish.manifest_file and file.is_symlink() and not is_plain(copy, manifest.NAME):
        raise BadManifest(
            f"{manifest.NAME} leads out of the checkout, or to no file: make it a file of its own"
        )
    told = manifest.load(file) if wish.manifest_file or file.is_file() else Manifest()
    told = overlay(told, wish.told)
    if all(entry.name == ".git" for entry in copy.iterdir()):
        raise GradingError(f"{wish.folder} holds nothing: name a checkout of the answer")
    known, facts = discover(copy, told, flags=wish.told)
    isolation, limits = Isolation.detect(), Limits()
    broken: str | None = None
    logs: tuple[Log, ...] = ()
    if known.setup.command is not None:
        watch(Step("Setting it up"))
        sandbox = Sandbox(root, isolation, limits)
        ended = sandbox.run(known.setup.command, env={}, seconds=known.setup.seconds, network=True)
        logs = (log("setup", known.setup.command, ended),)
        broken = None if ended.ok else f"the set-up failed: {ended.said}"
    job = Job(
        known, wish.seed, wish.seconds, isolation, limits, root=root, broken=broken, only=wish.only
    )
    return job, facts, logs


# The asking.


def _asked(job: Job, watch: Callable[[Step], object]) -> tuple[list[Answered], tuple[Log, ...]]:
    """What each probe found; those that the asking process did not come to are skipped."""
    probes = chosen(PROBES, job.only)
    answered: dict[str, Answered] = {}
    logs: tuple[Log, ...] = ()
    # Closed here: who asks must have ended before its copy is removed.
    with contextlib.closing(_events(job)) as events:
        for event in events:
            match event:
                case Began(id=name):
                    watch(Step(name, len(answered), len(probes)))
                case Done(answered=one):
                    answered[one.id] = one
                case Said(logs=said):
                    logs = said
    lost = Answered("", Finding(Verdict.SKIPPED, OVER))
    return [answered.get(p.id, msgspec.structs.replace(lost, id=p.id)) for p in probes], logs


def _events(job: Job) -> Generator[Event]:
    """What the asking process tells, until it ends or its time is over."""
    prefix = network_prefix(job.isolation) if job.root else []
    worker = subprocess.Popen(
        [*prefix, sys.executable, "-m", "logdocket.grading.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert worker.stdin is not None
    assert worker.stdout is not None
    killer = threading.Timer(job.seconds + _GRACE, worker.kill)
    killer.daemon = True
    try:
        killer.start()
        worker.stdin.write(encoded(job))
        worker.stdin.flush()
        for line in worker.stdout:
            yield decoded(line, Event)
        code = worker.wait()
        if code not in (0, -signal.SIGKILL):
            raise GradingError(f"the process that asks failed with exit code {code}: see above")
    finally:
        killer.cancel()
        worker.kill()
        worker.stdin.close()
        worker.stdout.close()
        worker.wait()
