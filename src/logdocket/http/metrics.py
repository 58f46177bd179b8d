"""Counters for Prometheus: what this service gave, by source and reason, and how requests went.

With several worker processes the counts are summed over all of them, through the directory named
by ``PROMETHEUS_MULTIPROC_DIR`` (prometheus-client's own convention).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from logdocket.docket import Extractor
from logdocket.http.model_metrics import ModelMetrics
from logdocket.store.review import GroupState, QueueCounts, VerdictWord
from logdocket.ticket import Extraction, ReviewReason, Source

_FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
_BUCKETS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 10.0)


class Metrics:
    """The counters of one application."""

    def __init__(self) -> None:
        _forget_the_dead()
        registry = CollectorRegistry()
        self._registry = registry
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        tickets = Counter(
            "logdocket_tickets", "Tickets given, by source.", ["source"], registry=registry
        )
        reasons = Counter(
            "logdocket_review_reasons",
            "Review reasons on the tickets given.",
            ["reason"],
            registry=registry,
        )
        self._by_source = {source: tickets.labels(source.value) for source in Source}
        self._by_reason = {reason: reasons.labels(reason.value) for reason in ReviewReason}
        self._requests = Counter(
            "logdocket_http_requests",
            "Requests answered, by route, method and status.",
            ["route", "method", "status"],
            registry=registry,
        )
        self._durations = Histogram(
            "logdocket_http_request_duration_seconds",
            "Time from a request's arrival to the end of its answer.",
            ["route"],
            buckets=_BUCKETS,
            registry=registry,
        )
        self._rows = Counter(
            "logdocket_batch_rows_refused",
            "Rows of batches that got a problem instead of a ticket, by problem.",
            ["problem"],
            registry=registry,
        )
        self._ledger_up = Gauge(
            "logdocket_ledger_up",
            "1 when the last ticket or readiness check found the ledger writable, else 0.",
            multiprocess_mode="livemin",
            registry=registry,
        )
        verdicts = Counter(
            "logdocket_verdicts",
            "Verdicts entered, by what they say.",
            ["verdict"],
            registry=registry,
        )
        self._by_verdict = {word: verdicts.labels(word.value) for word in VerdictWord}
        groups = Gauge(
            "logdocket_queue_groups",
            "Groups of the review queue, by state.",
            ["state"],
            multiprocess_mode="mostrecent",
            registry=registry,
        )
        self._groups = {state: groups.labels(state.value) for state in GroupState}
        self._waiting = Gauge(
            "logdocket_second_looks_waiting",
            "Tickets that wait for a second look.",
            multiprocess_mode="mostrecent",
            registry=registry,
        )
        self._model = ModelMetrics(registry)
        # Looking a label up costs more than counting.
        self._requests_by: dict[tuple[str, str, int], Counter] = {}
        self._durations_by: dict[str, Histogram] = {}
        self._up: bool | None = None
        self.ledger_up(True)

    def watch(self, extractor: Extractor) -> None:
        """Count the calls that ``extractor`` makes, and look at its breaker when asked."""
        if extractor.attempts is not None:
            self._model.watch(extractor, extractor.attempts.breaker)

    def ticket(self, extraction: Extraction) -> None:
        """Count a ticket that was given."""
        ticket = extraction.ticket
        self._by_source[ticket.source].inc()
        for reason in ticket.review_reasons:
            self._by_reason[reason].inc()
        self.ledger_up(extraction.id is not None)

    def ledger_up(self, up: bool) -> None:
        """Note whether the ledger could be written."""
        if up is not self._up:
            self._up = up
            self._ledger_up.set(1 if up else 0)

    def verdict(self, word: VerdictWord) -> None:
        """Count a verdict that was entered."""
        self._by_verdict[word].inc()

    def groups(self, counts: QueueCounts) -> None:
        """Note how many groups there are."""
        for state, gauge in self._groups.items():
            gauge.set(counts.by_state.get(state, 0))

    def waiting(self, tickets: int) -> None:
        """Note how many tickets wait for a second look."""
        self._waiting.set(tickets)

    def row_refused(self, word: str) -> None:
        """Count a row of a batch that got a problem."""
        self._rows.labels(word).inc()

    def request(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count an answered request; ``status`` 0 is one whose client went away."""
        key = route, method, status
        count = self._requests_by.get(key)
        if count is None:
            count = self._requests_by[key] = self._requests.labels(route, method, str(status))
        count.inc()
        durations = self._durations_by.get(route)
        if durations is None:
            durations = self._durations_by[route] = self._durations.labels(route)
        durations.observe(seconds)

    def exposition(self) -> bytes:
        """All counters in the Prometheus text format."""
        self._model.look()
        if _FOLDER not in os.environ:
            return generate_latest(self._registry)
        summed = CollectorRegistry()
        MultiProcessCollector(summed)  # type: ignore[no-untyped-call]
        return generate_latest(summed)


def _forget_the_dead() -> None:
    """Drop the gauges of workers that have ended; a worker that takes the place of one calls this.

    What they counted stays.
    """
    folder = os.environ.get(_FOLDER)
    if folder is None:
        return
    for path in Path(folder).glob("gauge_live*_*.db"):
        number = path.stem.rpartition("_")[2]
        try:
            os.kill(int(number), 0)
        except ProcessLookupError:
            mark_process_dead(number, folder)  # type: ignore[no-untyped-call]
        except (ValueError, PermissionError):
            continue
