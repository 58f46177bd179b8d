"""Fills what the manifest leaves open, and says of each key where its value comes from."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from logdocket.grading.discovery import code, docs, make, node, others, python
from logdocket.grading.discovery.files import Files
from logdocket.grading.discovery.hint import Hint
from logdocket.grading.discovery.overlay import flag
from logdocket.grading.discovery.port import opened
from logdocket.grading.manifest import LEDGERS, NAME, Manifest
from logdocket.grading.report.document import Fact

__all__ = ["discover"]

_SOURCES: Final[tuple[Callable[[Files], Iterator[Hint]], ...]] = (
    docs.told,
    make.told,
    node.told,
    python.told,
    others.told,
    others.container,
    code.told,
)
"""Who is asked, in this order; of equal ranks the first wins."""
_COMMANDS: Final = ("service.start", "test.command", "replay.command")
_LEDGER: Final = tuple(f"ledger.{key}" for key in LEDGERS)
_SOUGHT: Final = ("service.path", "service.field", *_COMMANDS)
_MORE: Final = 6
"""Parts of which a set-up is put together at most: one for each language."""


def discover(
    checkout: Path, told: Manifest, *, flags: Mapping[str, str] | None = None
) -> tuple[Manifest, tuple[Fact, ...]]:
    """``told`` with what it leaves open filled in, and what is gone by.

    ``flags`` are the keys of ``told`` that the command line gave. What nobody tells stays None,
    and its fact says how to mend that.
    """
    files = Files(checkout)
    hints = list(itertools.chain.from_iterable(source(files) for source in _SOURCES))
    filling = _Filling(told, flags or {})
    for key in _SOUGHT:
        hint = _best(hints, key)
        if hint is not None and key == "service.start":
            hint = msgspec.structs.replace(hint, value=opened(hint.value, files))
        filling.take(key, hint)
    filling.setup(hints)
    filling.ledger(hints)
    filling.runbook(docs.runbooks(files))
    return filling.done()


def _best(hints: Iterable[Hint], key: str) -> Hint | None:
    return min(
        (hint for hint in hints if hint.key == key), key=lambda hint: hint.rank, default=None
    )


class _Filling:
    """A manifest that is being filled, and the facts about it."""

    def __init__(self, told: Manifest, flags: Mapping[str, str]) -> None:
        self._plain = msgspec.structs.asdict(Manifest())
        self._tables: dict[str, Any] = dict(msgspec.structs.asdict(told))
        self._flags = flags
        self._facts: dict[str, Fact] = {}
        for table, struct in self._tables.items():
            for key, value in msgspec.structs.asdict(struct).items():
                if value != getattr(self._plain[table], key):
                    self._fact(
                        f"{table}.{key}", value, self._teller(f"{table}.{key}"), guessed=False
                    )

    def _teller(self, key: str) -> str:
        given = any(one == key or one.startswith(f"{key}.") for one in self._flags)
        return flag(key) if given else NAME

    def _fact(self, key: str, value: Any, origin: str, *, guessed: bool) -> None:
        self._facts[key] = Fact(key, _shown(value), origin, guessed)

    def _get(self, key: str) -> Any:
        table, _, name = key.partition(".")
        return getattr(self._tables[table], name)

    def _put(self, key: str, value: Any) -> None:
        table, _, name = key.partition(".")
        self._tables[table] = msgspec.structs.replace(self._tables[table], **{name: value})

    def take(self, key: str, hint: Hint | None) -> None:
        """Fill ``key``, unless it is told, with what was found."""
        if key in self._facts or self._teller(key) != NAME:
            self._facts.setdefault(key, Fact(key, _shown(self._get(key)), self._teller(key), False))
        elif hint is not None:
            self._put(key, hint.value)
            self._fact(key, hint.value, hint.origin, guessed=True)
        elif self._get(key) is None:
            self._fact(key, f"not found: put {key} into {NAME}", "nowhere", guessed=True)
        else:
            self._fact(key, self._get(key), "default", guessed=True)

    def setup(self, hints: list[Hint]) -> None:
        """Fill the set-up; what it installs into a ``.venv`` comes first where commands run."""
        key = "setup.command"
        guessed = key not in self._facts
        if not guessed:
            if not self._get(key).strip():
                self._put(key, None)
                self._fact(key, "none needed", self._teller(key), guessed=False)
        else:
            parts = _setups(hints)
            if parts:
                value = " && ".join(part.value for part in parts)
                self.take(key, Hint(key, value, ", ".join(part.origin for part in parts)))
            else:
                self._fact(key, "none: no dependencies were found", "default", guessed=True)
        if ".venv" in (self._get(key) or ""):
            for command in _COMMANDS:
                fact = self._facts[command]
                if self._get(command) is not None and (guessed or fact.guessed):
                    self._put(command, python.with_venv(self._get(command)))
                    self._fact(command, self._get(command), fact.origin, guessed=fact.guessed)

    def ledger(self, hints: list[Hint]) -> None:
        """Fill where the ledger is, from one place: its path, else its file, else its command."""
        if any(key in self._facts for key in _LEDGER):
            return
        best = [hint for key in _LEDGER if (hint := _best(hints, key)) is not None]
        if best:
            chosen = min(best, key=lambda hint: hint.rank)
            self.take(chosen.key, chosen)
        else:
            mend = f"not found: put url, file or command under [ledger] of {NAME}"
            self._fact("ledger.url", mend, "nowhere", guessed=True)

    def runbook(self, found: tuple[str, ...]) -> None:
        """Fill the files that tell how to run it."""
        if "runbook.files" in self._facts:
            return
        if found:
            self._put("runbook.files", found)
            self._fact("runbook.files", found, "their names", guessed=True)
        else:
            mend = f"not found: put runbook.files into {NAME}"
            self._fact("runbook.files", mend, "nowhere", guessed=True)

    def done(self) -> tuple[Manifest, tuple[Fact, ...]]:
        """The manifest, and the facts in the order of its keys."""
        order = [
            f"{table}.{key}"
            for table, struct in self._plain.items()
            for key in struct.__struct_fields__
        ]
        facts = sorted(self._facts.values(), key=lambda fact: order.index(fact.key))
        return Manifest(**self._tables), tuple(facts)


def _setups(hints: list[Hint]) -> list[Hint]:
    """What sets it up: one command that does it all, else one for each language."""
    found = [hint for hint in hints if hint.key == "setup.command"]
    whole = [hint for hint in found if _whole(hint)]
    if whole:
        return [min(whole, key=lambda hint: hint.rank)]
    return found[:_MORE]


def _whole(hint: Hint) -> bool:
    """Whether it is a command of the answer's own, and not of a package manager."""
    return " make " in f" {hint.value}" or hint.value.startswith(("./", "sh ", "bash "))


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={inner}" for name, inner in value.items())
    if isinstance(value, float):
        return f"{value:g}"
    return ", ".join(value) if isinstance(value, list | tuple) else str(value)
