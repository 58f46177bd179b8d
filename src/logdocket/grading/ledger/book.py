"""Finds an answer's ledger, and tells what a session entered there."""

from __future__ import annotations

import shlex
import time
import uuid
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias
from urllib.parse import quote, urlsplit

import msgspec

from logdocket.grading import manifest
from logdocket.grading.bench import Bench, Session
from logdocket.grading.finding import NotJudged, Unanswerable
from logdocket.grading.ledger.database import MAGIC, of_sqlite
from logdocket.grading.ledger.files import named_ledger, read
from logdocket.grading.ledger.form import Page, Record, fresh, page
from logdocket.grading.ledger.kinds import Counts, counted

__all__ = ["Book", "Entered"]

_URLS: Final = ("/ledger", "/ledger.json", "/api/ledger", "/v1/ledger", "/ledger/summary")
"""Where a ledger is looked for that nobody told of."""
_METRICS: Final = "/metrics"
"""The last place: other things are counted there, too."""
_PAGES: Final = 500
_SECONDS: Final = 10.0
"""How long one reading may take."""
_GUESS_SECONDS: Final = 2.0
"""How long it may take where nobody says that there is a ledger."""
_KEPT: Final = "/%~:@!$&'()*+,;=-._"
"""Characters of an address that stay as they are."""
_LONGEST: Final = 8_000
"""Characters of an address that servers commonly take."""
_Turn: TypeAlias = Callable[[], Page | None]


class Entered(msgspec.Struct, frozen=True):
    """What came into the ledger: ``origin`` is where that was read, as a report says it, and
    ``grew`` whether anything came.
    """

    origin: str
    counts: Counts
    grew: bool


class Book:
    """The ledger of the answer that ``session`` runs, as it is when this is made and later on.

    It is where the manifest says; where that says nothing, it is the first place that is read as a
    ledger and grows.
    """

    def __init__(self, bench: Bench, session: Session) -> None:
        self._bench = bench
        self._session = session
        self._told = bench.manifest.ledger
        self._before = self._read(self._places())

    def since(self) -> Entered:
        """What came since this was made; raises Unanswerable where no ledger can be read."""
        now = self._read(self._places())
        if not now:
            raise Unanswerable(self._missing())
        found = [self._entered(origin, page) for origin, page in now.items()]
        # The first of the best: a sample that was committed beside it does not grow.
        return max(found, key=lambda entered: (bool(entered.counts.known), entered.grew))

    def _entered(self, origin: str, after: Page) -> Entered:
        new = fresh(self._before.get(origin, Page()), after)
        grew = bool(new.records) or any(new.sums.values())
        return Entered(origin, counted(new, self._told), grew)

    def _read(self, places: Mapping[str, _Turn]) -> dict[str, Page]:
        found = ((origin, turn()) for origin, turn in places.items())
        return {origin: page for origin, page in found if page is not None}

    def _missing(self) -> str:
        told = self._told.url or self._told.file or self._told.command
        where = f"no ledger could be read at {told!r:.80}" if told else "no ledger was found"
        return f"{where}: put ledger.url, ledger.file or ledger.command into grade.toml"

    def _places(self) -> Mapping[str, _Turn]:
        """Where it is by the manifest, else where it may be."""
        told = self._told
        if (url := told.url) is not None:
            return {f"GET {url[:80]}": lambda: self._of_url(url, _SECONDS)}
        if (file := told.file) is not None:
            return {f"the file {file[:80]}": lambda: self._of_file(file)}
        if (command := told.command) is not None:
            return {"what ledger.command prints": lambda: self._of_command(command)}
        return self._guessed()

    def _guessed(self) -> Mapping[str, _Turn]:
        places: dict[str, _Turn] = {
            f"GET {url}": lambda url=url: self._of_url(url, _GUESS_SECONDS)  # type: ignore[misc]
            for url in _URLS
        }
        try:
            files = named_ledger(self._bench.checkout)
        except NotJudged:
            files = []
        for file in files:
            places[f"the file {file}"] = lambda file=file: self._of_file(file)  # type: ignore[misc]
        places[f"GET {_METRICS}"] = self._of_metrics
        return places

    # The ways to it.

    def _of_url(self, url: str, seconds: float) -> Page | None:
        """All pages from ``url`` on, as far as they can be read in time."""
        until = time.monotonic() + seconds
        first: Page | None = None
        last: Page | None = None
        records: list[Record] = []
        seen: set[str] = set()
        at = _address(url, None)
        while at is not None and at not in seen and len(seen) < _PAGES:
            seen.add(at)
            left = until - time.monotonic()
            reply = self._session.client.get(at, seconds=left) if left > 0 else None
            found = page(reply.body) if reply is not None and reply.ok else None
            # A service that does not know the parameter gives the same page again.
            if found is None or (last is not None and found.records == last.records):
                break
            first, last = first or found, found
            records += found.records
            at = _address(url, found.next) if found.next and found.records else None
        return first and msgspec.structs.replace(first, records=tuple(records))

    def _of_metrics(self) -> Page | None:
        """Counters, if at least two of the three kinds are among them."""
        found = self._of_url(_METRICS, _GUESS_SECONDS)
        counts = counted(found, manifest.Ledger()) if found is not None and found.sums else None
        if counts is None:
            return None
        told = (counts.calls, counts.hits, counts.fallbacks)
        return found if sum(number is not None for number in told) > 1 else None

    def _of_file(self, name: str) -> Page | None:
        content = read(self._bench.checkout, name)
        if content is None:
            return None
        if content.startswith(MAGIC):
            return of_sqlite(content, read(self._bench.checkout, f"{name}-wal"))
        return page(content)

    def _of_command(self, command: str) -> Page | None:
        ended = self._bench.run(command, seconds=_SECONDS)
        if ended.ok and ended.cut:
            return self._of_long_command(command)
        return page(ended.out) if ended.ok else None

    def _of_long_command(self, command: str) -> Page | None:
        """What a command prints of which the sandbox keeps the two ends alone."""
        root = self._bench.sandbox.root
        name = f"tmp/ledger-{uuid.uuid4().hex}"
        into = f"( {command}\n) > {shlex.quote(str(root / name))}"
        ended = self._bench.run(into, seconds=_SECONDS)
        content = read(root, name) if ended.ok else None
        (root / name).unlink(missing_ok=True)
        return None if content is None else page(content)


def _address(url: str, told: str | None) -> str | None:
    """A path of the service: ``url``, or the page after it whose ``next`` is ``told``; None where
    that is none. It begins with one slash, so that it leads nowhere else.
    """
    if told is not None and not told.startswith(("/", "http://", "https://")):
        url += f"{'&' if '?' in url else '?'}{told.lstrip('?')}"
        told = None
    try:
        parts = urlsplit(url if told is None else told)
        path = "/" + quote(parts.path, safe=_KEPT, errors="replace").lstrip("/")
        query = quote(parts.query, safe=f"{_KEPT}?", errors="replace")
    except ValueError:
        return None
    address = f"{path}?{query}" if query else path
    return address if len(address) <= _LONGEST else None
