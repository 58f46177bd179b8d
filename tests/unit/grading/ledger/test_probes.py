"""Judges sessions that were made up, and small services that keep a ledger, rightly or not."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from service import Service
from tiny_service import Model, Ticket, careful, running

from logdocket.grading.bench import Bench, Session
from logdocket.grading.client import Client
from logdocket.grading.desk import Desk
from logdocket.grading.finding import Finding, Unanswerable, Verdict
from logdocket.grading.ledger import Counts, Entered
from logdocket.grading.manifest import Ledger, Manifest
from logdocket.grading.probes import ledger
from logdocket.grading.probes.ledger import PROBES, Kept
from logdocket.testing import ModelServer


def kept(
    counts: Counts, *, calls: int = 0, spared: int = 0, fell: int = 0, grew: bool = True
) -> Kept:
    """A session, as it was and as the ledger has it."""
    return Kept(calls, spared, fell, Entered("GET /ledger", counts, grew))


HEALTHY = kept(Counts(4, 2, 0), calls=4, spared=2)
FAILING = kept(Counts(9, 0, 3), calls=9, fell=3)


@pytest.mark.parametrize(
    ("found", "verdict", "seen"),
    [
        (ledger.present(HEALTHY), Verdict.PASS, "from GET /ledger"),
        (
            ledger.present(kept(Counts(0, 0, 0), calls=4, spared=2, grew=False)),
            Verdict.FAIL,
            "left nothing",
        ),
        (ledger.kinds(HEALTHY, FAILING), Verdict.PASS, "a call of the model, a cache hit and a"),
        (ledger.agrees(HEALTHY), Verdict.PASS, ""),
        (
            ledger.agrees(kept(Counts(6, 2, 0), calls=4, spared=2)),
            Verdict.FAIL,
            "has 6 calls of the model, where there were 4",
        ),
        (
            ledger.agrees(kept(Counts(4, 3, 0), calls=4, spared=2)),
            Verdict.PARTIAL,
            "has 3 cache hits, where there were 2",
        ),
        (
            ledger.agrees(kept(Counts(None, None, None), calls=4, spared=2)),
            Verdict.FAIL,
            "does not count calls of the model",
        ),
        (ledger.agrees(kept(Counts(5, 2, 0, (4,)), calls=4, spared=2)), Verdict.PASS, ""),
        (ledger.failures(FAILING), Verdict.PASS, ""),
        (
            ledger.failures(kept(Counts(3, 0, 3), calls=9, fell=3)),
            Verdict.FAIL,
            "has 3 calls of the model, where there were 9",
        ),
        (ledger.without_key(kept(Counts(0, 0, 2), fell=2)), Verdict.PASS, ""),
        (ledger.without_key(kept(Counts(2, 0, 2), fell=2)), Verdict.FAIL, "tells of calls"),
        (ledger.without_key(kept(Counts(0, 0, 0), fell=2)), Verdict.FAIL, "of no fallback"),
    ],
)
def test_a_session_is_judged(found: Finding, verdict: Verdict, seen: str) -> None:
    """By its counts alone."""
    assert found.verdict is verdict
    assert seen in found.seen


def test_a_kind_that_leaves_nothing_costs_its_share() -> None:
    """Of those that took place."""
    no_hits = kept(Counts(4, 0, 0), calls=4, spared=2)
    assert ledger.kinds(no_hits, FAILING).share == Fraction(2, 3)
    never = kept(Counts(6, 0, 0), calls=6)
    assert ledger.kinds(never, FAILING).verdict is Verdict.PASS


class Keeper:
    """Answers carefully, remembers good answers, and enters all of it; one attempt to a line."""

    late = 0.0
    """Seconds after which an entry is written."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.remembered: dict[str, Ticket] = {}
        self.writers: list[threading.Timer] = []

    def enter(self, kind: str) -> None:
        """Write an entry."""
        if not self.late:
            self._write(kind)
            return
        self.writers.append(threading.Timer(self.late, self._write, [kind]))
        self.writers[-1].start()

    def _write(self, kind: str) -> None:
        with self.file.open("a") as file:
            file.write(json.dumps({"event": kind}) + "\n")

    def answer(self, line: str, model: Model) -> Ticket:
        """The ticket about a line."""
        if line in self.remembered:
            self.hit()
            return self.remembered[line]
        failed = False

        def ask(line: str) -> Ticket:
            nonlocal failed
            try:
                said = model(line)
            except (OSError, ValueError, LookupError):
                failed = True
                raise
            finally:
                self.call(well=not failed)
            return said

        ticket = careful(line, ask)
        if failed:
            self.enter("fallback")
        else:
            self.remembered[line] = ticket
        return ticket

    def hit(self) -> None:
        """The cache answered."""
        self.enter("cache_hit")

    def call(self, *, well: bool) -> None:
        """The model was called."""
        self.enter("model_call")


class Late(Keeper):
    """Enters a moment after the answer."""

    late = 0.15


class Lies(Keeper):
    """Enters a call that was not made."""

    def hit(self) -> None:
        """A call, too."""
        super().hit()
        self.enter("model_call")


class Forgets(Keeper):
    """Enters no call that failed."""

    def call(self, *, well: bool) -> None:
        """Only if it went well."""
        if well:
            super().call(well=well)


class Mute(Keeper):
    """Enters nothing."""

    def enter(self, kind: str) -> None:
        """Nothing."""


class Beside(Bench):
    """A bench whose service is a Keeper in a thread, and has no ledger before its first entry."""

    def __init__(self, keeper: type[Keeper], folder: Path) -> None:
        super().__init__(Manifest(ledger=Ledger(file="ledger.jsonl")), seed=3)
        self.keeper = keeper
        self.folder = folder

    @property
    def checkout(self) -> Path:
        """Where the ledger is."""
        return self.folder

    @contextlib.contextmanager
    def session(self, *, key: bool = True) -> Iterator[Session]:
        """The service and its model."""
        desk = Desk()
        keeper = self.keeper(self.folder / "ledger.jsonl")
        with ModelServer(desk.act) as server:
            url = f"http://127.0.0.1:{server.port}/v1"
            with running(keeper.answer, url) as port:
                client = Client(port, self.manifest.service)
                try:
                    yield Session(client, server, desk, None)
                finally:
                    client.close()
                    for writer in keeper.writers:
                        writer.join()


@pytest.mark.parametrize(
    ("keeper", "wrong"),
    [
        (Keeper, []),
        (Late, []),
        (Lies, ["agrees"]),
        (Forgets, ["failures"]),
        (Mute, ["present", "kinds", "agrees", "failures"]),
    ],
)
def test_a_fault_fails_what_is_meant_for_it(
    keeper: type[Keeper], wrong: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nothing else."""
    monkeypatch.setattr(ledger, "_SETTLE", 0.4)
    bench = Beside(keeper, tmp_path)
    asked = [probe for probe in PROBES if probe.id != "failure/ledger/no-key"]
    found = {probe.id.rpartition("/")[2]: _verdict(probe.run, bench) for probe in asked}
    assert [name for name, verdict in found.items() if verdict is not Verdict.PASS] == wrong


def _verdict(run: Callable[[Bench], Finding], bench: Bench) -> Verdict:
    try:
        return run(bench).verdict
    except Unanswerable:
        return Verdict.FAIL


class Ours(Bench):
    """A bench whose service is this project's own, of which nobody told where its ledger is."""

    def __init__(self, folder: Path) -> None:
        super().__init__(Manifest(), seed=3)
        self.folder = folder

    @contextlib.contextmanager
    def session(self, *, key: bool = True) -> Iterator[Session]:
        """The service as a process, and its model."""
        desk = Desk()
        folder = self.folder / str(key)
        folder.mkdir(exist_ok=True)
        with ModelServer(desk.act) as server:
            settings: dict[str, Any] = {"model_url": f"http://127.0.0.1:{server.port}/v1"}
            if key:
                settings["model_key"] = "any-word"
            with Service(folder, **settings) as service:
                client = Client(service.port, self.manifest.service)
                try:
                    yield Session(client, server, desk, None)
                finally:
                    client.close()


@pytest.mark.timeout(90)
def test_the_ledger_of_this_project_is_read_without_a_word(tmp_path: Path) -> None:
    """Its kinds are known by their words, and it agrees with what the model saw."""
    bench = Ours(tmp_path)
    found = {probe.id: probe.run(bench) for probe in PROBES}
    assert {id: f.seen for id, f in found.items() if f.verdict is not Verdict.PASS} == {}
    assert bench.once(ledger.observe_healthy).entered.origin == "GET /ledger"
