"""Pictures of the pages for the README: ``python tests/support/pictures.py OUT_DIR``.

A ledger of thirty days is made with a clock of its own: lines of invented services, a model server
that has a bad day, people who decide. A service shows it, and a browser takes its pictures.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, Literal, NamedTuple

import chromium
from playwright.sync_api import Browser, Page
from service import Service

from logdocket.bootstrap import build_model, microseconds
from logdocket.confidence import shipped
from logdocket.docket import Ask, Extractor, ReviewDesk
from logdocket.line import NO_CONTEXT, Line
from logdocket.settings import Settings
from logdocket.store import GroupQuery, GroupState, SqliteStore, VerdictWord
from logdocket.testing import Fault, ModelServer, chaos

_TOKEN: Final = "an-invented-token-for-pictures"
_DAYS: Final = 30
_BAD_DAY: Final = 8
"""So many days ago the model misbehaved the whole day."""
_PAUSE: Final = 0.05
"""Seconds for which the breaker stays open: a day goes by faster here."""
_MINUTE: Final = 60_000_000
_DAY: Final = 1_440 * _MINUTE

_USUAL: Final = (
    "{iso} ERROR payments: card network timed out after 30s, order {id}",
    "{iso} WARN checkout: retrying the capture of order {id}, attempt 3",
    '{{"ts":"{iso}","level":"warn","service":"mailer","msg":"queue is 92% full"}}',
    '{{"ts":"{iso}","level":"error","service":"search","msg":"shard 7 lost its lease"}}',
    "{iso} FATAL ledger-sync: replica is 412 s behind its primary",
    "{iso} ERROR auth: signing key expires in 2 days",
    "{iso} WARN inventory: stock of item {id} is below its mark",
    'level=error ts={iso} service=billing msg="invoice {id} has no recipient"',
)
"""Lines of every day, most of which their template answers for."""
_ODD: Final = (
    "{iso} CRITICAL payments: settlement file {id} is empty, 0 of 214 rows",
    "{iso} ERROR gateway: upstream web-2.example closed the connection before its answer",
    "kernel: Out of memory: killed process {id} (report-worker)",
    "{day} {clock} web-1.example backup: volume /srv/archive is read-only",
    "{iso} \x1b[31mFATAL\x1b[0m scheduler: shard 7 has no owner",
    "db-1.example: too many connections, 20 of 20 in use",
    '{{"ts":"{iso}","level":"error","msg":"certificate of web-3.example ends in 6 days"}}',
    "{iso} WARN search: reindex took 41 min, 3 times its usual",
    "the nightly export stopped half way, trying again in 15 min",
    "{iso} ERROR mailer: relay at 192.0.2.25 refused 118 messages",
    "{iso} WARN thumbnails: 7 of 9 workers idle, jobs waiting",
    "cron: rotate-logs ended with status 1",
    "2 replicas of orders disagree about row {id}",
)
"""Lines that came today, while the model was not at its best."""


class Clock:
    """The time in the ledger that is made, in µs since 1970 UTC."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        """A moment later than all before."""
        self.now += 1
        return self.now


class Picture(NamedTuple):
    """One picture: what is shown, how, and what is done before."""

    name: str
    where: str
    theme: Literal["dark", "light"]
    size: tuple[int, int]


PICTURES: Final = (
    Picture("queue", "/", "light", (1280, 830)),
    Picture("ticket", "/ui/group/{ticket}?correct=1", "dark", (1280, 1080)),
    Picture("ledger", "/ui/ledger", "light", (1280, 1080)),
    Picture("phone", "/", "dark", (390, 844)),
)


class Making:
    """Makes the ledger, day by day."""

    def __init__(self, settings: Settings, model: ModelServer) -> None:
        self._chance = random.Random(17)
        self._clock = Clock()
        self._model = model
        self._store = SqliteStore(settings.db, clock=self._clock)
        self._desk = ReviewDesk(self._store, clock=self._clock, max_line=settings.max_line)
        self._extractor = Extractor(
            settings.policy(), shipped(), self._store, self._clock, build_model(settings)
        )

    async def run(self) -> None:
        """All days up to now."""
        await self._extractor.open()
        try:
            today = microseconds() // _DAY * _DAY
            for back in range(_DAYS - 1, 0, -1):
                await self._usual_day(today - back * _DAY, back)
            await self._this_day(microseconds())
        finally:
            await self._extractor.close()
            self._store.close()

    async def _usual_day(self, start: int, back: int) -> None:
        weekend = datetime.fromtimestamp(start / 1e6, UTC).weekday() >= 5
        bad = back == _BAD_DAY
        for hour in range(7, 22):
            self._clock.now = start + hour * 60 * _MINUTE
            self._model.script = chaos(back, _BAD if bad else _GOOD)
            await asyncio.sleep(_PAUSE)
            many = self._chance.randint(2, 4) if weekend else self._chance.randint(5, 11)
            await self._send(self._chance.choices(_USUAL, k=many), fresh=bad or hour % 5 == 0)
        self._clock.now = start + 22 * 60 * _MINUTE
        self._settle("on-call" if back % 2 else "rev-a")

    async def _this_day(self, now: int) -> None:
        """The hours before now: what is still open when the pictures are taken."""
        self._model.script = chaos(3, _GOOD)
        self._clock.now = now - 300 * _MINUTE
        await self._send(self._chance.choices(_USUAL, k=14), fresh=False)
        self._settle("rev-a")
        self._model.script = chaos(5, _BAD)
        for place, line in enumerate(_ODD):
            times = (1, 3, 1, 2, 7, 1, 12, 1, 4, 2, 1, 5, 1)[place]
            for turn in range(times):
                left = (len(_ODD) - place) * 19 - turn
                self._clock.now = max(self._clock.now, now - left * _MINUTE)
                await asyncio.sleep(_PAUSE)
                await self._send([line], fresh=False)
        self._clock.now = max(self._clock.now, now - 6 * _MINUTE)
        self._put_off("on-call")
        self._model.script = Fault.HTTP_503
        await asyncio.sleep(_PAUSE)
        await self._send(
            ["{iso} CRITICAL payments: the till at counter 4 takes no cards"], fresh=False
        )

    async def _send(self, lines: Sequence[str], *, fresh: bool) -> None:
        """``fresh``: with words that no line had before, so that no template answers."""
        for line in lines:
            moment = datetime.fromtimestamp(self._clock.now / 1e6, UTC) - timedelta(seconds=2)
            text = line.format(
                iso=f"{moment:%Y-%m-%dT%H:%M:%SZ}",
                day=f"{moment:%d/%m/%Y}",
                clock=f"{moment:%H:%M:%S}",
                id=self._chance.randint(10**9, 10**10),
            )
            if fresh:
                text += f" (by {self._chance.choice(_NAMES)}-{self._chance.choice(_NAMES)})"
            self._clock.now += self._chance.randint(2, 50) * 1_000_000
            await self._extractor.extract(Line(text), NO_CONTEXT)

    def _put_off(self, who: str) -> None:
        """Somebody puts off the mildest of all that is open."""
        *_, mildest = self._desk.page(GroupQuery(states=(GroupState.OPEN,))).groups
        until = self._clock.now + _DAY
        ask = Ask(
            group=mildest.id, version=mildest.version, verdict=VerdictWord.SNOOZED, until=until
        )
        self._desk.decide([ask], who)

    def _settle(self, who: str) -> None:
        """Somebody decides about all that is open."""
        for group in self._desk.page(GroupQuery(states=(GroupState.OPEN,), limit=200)).groups:
            self._clock.now += 40_000_000
            word = self._chance.choices(
                (VerdictWord.RIGHT, VerdictWord.NOT_A_PROBLEM), weights=(4, 1)
            )[0]
            self._desk.decide([Ask(group=group.id, version=group.version, verdict=word)], who)


_NAMES: Final = "amber birch cedar dune ember fjord grove heath islet juniper".split()
_GOOD: Final = {Fault.GOOD: 96, Fault.INVENTED_EVIDENCE: 2, Fault.HTTP_503: 2}
_BAD: Final = {
    Fault.GOOD: 30,
    Fault.HTTP_503: 25,
    Fault.HTTP_429: 15,
    Fault.RESET: 10,
    Fault.INVENTED_EVIDENCE: 12,
    Fault.BAD_JSON: 8,
}


def settings_for(db: Path, model: ModelServer) -> dict[str, str]:
    """What the ledger is made with, and what the service that shows it is set to."""
    return {
        "db": str(db),
        "model_url": model.url,
        "model_key": "any-word",
        "model_name": "small-model",
        "keep_text": "true",
        "deadline": "5",
        "breaker_failures": "6",
        "breaker_seconds": str(_PAUSE),
        "price_input": "0.4",
        "price_output": "1.6",
        "budget_tokens": "40000",
        "budget_usd": "0.05",
        "second_looks": "0",
    }


def take(browser: Browser, service: Service, folder: Path) -> Iterator[Path]:
    """Take the pictures; gives the files."""
    for picture in PICTURES:
        width, height = picture.size
        with chromium.fresh(
            browser,
            service,
            viewport={"width": width, "height": height},
            color_scheme=picture.theme,
            reduced_motion="reduce",
            is_mobile=width < 500,
            has_touch=width < 500,
        ) as context:
            page = context.new_page()
            _sign_in(page)
            page.goto(picture.where.format(ticket=_telling(service)))
            page.wait_for_load_state("load")
            while page.get_by_text("being counted").count():
                page.reload()
            file = folder / f"{picture.name}.png"
            page.screenshot(path=file, animations="disabled")
            yield file


def _sign_in(page: Page) -> None:
    page.goto("/ui/sign-in")
    page.get_by_label("Token").fill(_TOKEN)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("list", name="Tickets").wait_for()


def _telling(service: Service) -> int:
    """The open ticket about which the model was asked most often."""
    headers = {"Authorization": f"Bearer {_TOKEN}"}
    groups = service.http.get("/queue", headers=headers).json()["groups"]
    details = [service.http.get(f"/queue/{one['id']}", headers=headers).json() for one in groups]
    return int(max(details, key=lambda one: len(one["calls"]))["group"]["id"])


def main() -> None:
    """Make the ledger, show it, take the pictures."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as held:
        home = Path(held.enter_context(tempfile.TemporaryDirectory()))
        model = held.enter_context(ModelServer())
        chosen = settings_for(home / "service.db", model)
        began = time.monotonic()
        asyncio.run(Making(Settings(**chosen), model).run())
        sys.stdout.write(f"made in {time.monotonic() - began:.0f} s\n")
        tokens = f"on-call:admin:{_TOKEN}"
        service = held.enter_context(Service(home, tokens=tokens, **chosen))
        with chromium.started() as browser:
            for file in take(browser, service, folder):
                sys.stdout.write(f"{file}: {file.stat().st_size // 1024} KiB\n")


if __name__ == "__main__":
    main()
