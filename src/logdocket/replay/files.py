"""The files beside a fixture: compared byte for byte, or written anew."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from itertools import islice
from pathlib import Path
from typing import Final

from logdocket.errors import FixtureError
from logdocket.replay.pipeline import Replayed, replay

_SHOWN: Final = 60
"""Lines of difference shown for each file."""

_WINDOW: Final = 300
"""Lines compared from the first difference on: enough to fill what is shown, whatever the size."""

_AROUND: Final = 2
"""Equal lines shown around a difference."""

_GENERATED: Final = (".expected.jsonl", ".ledger.jsonl")
_ESCAPES: Final = {code: f"\\x{code:02x}" for code in (*range(32), 127)}


def expected_path(fixture: Path) -> Path:
    """Where the tickets of ``fixture`` are kept."""
    return _beside(fixture, _GENERATED[0])


def ledger_path(fixture: Path) -> Path:
    """Where the ledger of ``fixture`` is kept."""
    return _beside(fixture, _GENERATED[1])


def check(fixture: Path) -> str:
    """How a replay differs from the files beside ``fixture``; empty when every byte is the same.

    A unified diff in plain ASCII, the files as ``-`` and the replay as ``+``, cut after 60 lines.

    Raises:
        FixtureError: the fixture, or a file beside it, is missing or unreadable.
        LedgerUnavailable: the temporary folder cannot hold a ledger.
    """
    differences = []
    for path, now in _generate(fixture):
        try:
            recorded = path.read_bytes()
        except OSError as error:
            raise FixtureError(
                f"{path} cannot be read ({error.strerror}): "
                f"write it with `logdocket replay --update {fixture}`"
            ) from error
        if recorded != now:
            lines = _difference(recorded.split(b"\n"), now.split(b"\n"))
            differences.append(f"--- {path}\n+++ replay of {fixture}\n" + "\n".join(lines) + "\n")
    return "".join(differences)


def update(fixture: Path) -> list[Path]:
    """Write the files beside ``fixture`` anew, each whole or not at all; gives what changed.

    Raises:
        FixtureError: the fixture is unreadable, or a file cannot be written.
        LedgerUnavailable: the temporary folder cannot hold a ledger.
    """
    changed = []
    for path, now in _generate(fixture):
        try:
            if path.exists() and path.read_bytes() == now:
                continue
            _write({path: now})
        except OSError as error:
            raise FixtureError(
                f"{path} cannot be written ({error.strerror}): see that its folder can be written"
            ) from error
        changed.append(path)
    return changed


def see_that_it_is_free(fixture: Path, *, force: bool) -> None:
    """Raise FixtureError where ``fixture`` cannot be written, or is not to be replaced."""
    paths = [fixture, expected_path(fixture), ledger_path(fixture)]
    there = [path for path in paths if os.path.lexists(path)]
    if there and not force:
        raise FixtureError(f"{there[0]} is there already: name another, or replace it with --force")
    if any(path.is_dir() for path in there):
        raise FixtureError(f"{fixture} or a file beside it is a folder: name another")
    folder = fixture.parent
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        raise FixtureError(f"{fixture} cannot be written: name a folder that can be written")


def keep(fixture: Path, content: bytes, replayed: Replayed) -> None:
    """Write ``fixture`` and the files beside it, all or none; raises FixtureError."""
    contents = {
        expected_path(fixture): replayed.tickets,
        ledger_path(fixture): replayed.ledger,
        fixture: content,
    }
    try:
        _write(contents)
    except OSError as error:
        raise FixtureError(
            f"{fixture} cannot be written ({error.strerror}): see that its folder can be written"
        ) from error


def _generate(fixture: Path) -> list[tuple[Path, bytes]]:
    paths = expected_path(fixture), ledger_path(fixture)
    replayed = replay(fixture)
    return list(zip(paths, (replayed.tickets, replayed.ledger), strict=True))


def _beside(fixture: Path, suffix: str) -> Path:
    if fixture.name.endswith(_GENERATED):
        raise FixtureError(f"{fixture} is generated: replay the fixture that it belongs to")
    return fixture.with_name(fixture.stem + suffix)


def _write(contents: Mapping[Path, bytes]) -> None:
    """Write each file beside its place, and put them there once all of them are whole."""
    staged: list[tuple[str, Path]] = []
    try:
        for path, content in contents.items():
            number, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
            staged.append((name, path))
            with os.fdopen(number, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(name, path.stat().st_mode & 0o7777 if path.exists() else 0o644)
        for name, path in staged:
            os.replace(name, path)
    except BaseException:
        for name, _ in staged:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(name)
        raise


def _difference(old: list[bytes], new: list[bytes]) -> list[str]:
    """Hunks of a unified diff, from the first difference on, in a bounded number of lines."""
    first = next(
        (place for place, (was, is_) in enumerate(zip(old, new, strict=False)) if was != is_),
        min(len(old), len(new)),
    )
    begin = max(first - _AROUND, 0)
    hunks = _hunks(old[begin : first + _WINDOW], new[begin : first + _WINDOW], begin)
    shown = list(islice(hunks, _SHOWN + 1))
    if len(shown) > _SHOWN or first + _WINDOW < max(len(old), len(new)):
        shown[_SHOWN:] = [f"... cut here: {len(old)} lines in the file, {len(new)} in the replay"]
    return shown


def _hunks(old: list[bytes], new: list[bytes], begin: int) -> Iterator[str]:
    for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(_AROUND):
        (_, a, _, c, _), (_, _, b, _, d) = group[0], group[-1]
        yield f"@@ -{begin + a + 1},{b - a} +{begin + c + 1},{d - c} @@"
        for word, a, b, c, d in group:
            if word == "equal":
                yield from (f" {_shown(line)}" for line in old[a:b])
            else:
                yield from (f"-{_shown(line)}" for line in old[a:b])
                yield from (f"+{_shown(line)}" for line in new[c:d])


def _shown(line: bytes) -> str:
    """``line`` for any terminal: no control characters, and nothing but ASCII."""
    text = line.decode("utf-8", "backslashreplace").translate(_ESCAPES)
    return text.encode("ascii", "backslashreplace").decode("ascii")
