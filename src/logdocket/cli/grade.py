"""``logdocket grade``."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Final
from urllib.parse import urlsplit

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from logdocket import __version__
from logdocket.errors import GradingError, OutputError
from logdocket.grading import human
from logdocket.grading.grader import Step, Wish, asked, grade
from logdocket.grading.report import document, encoded, html, junit, markdown, terminal

_HERE: Final = ("127.0.0.1", "localhost")
EXIT_BELOW: Final = 1
_STDOUT: Final = "-"
_LONGEST: Final = 64 * 1024 * 1024
"""Bytes of a report that are read: one has about a hundred thousand."""
_STOPS: Final = {
    signal.SIGINT: "Ctrl-C",
    signal.SIGTERM: "SIGTERM",
    signal.SIGHUP: "the end of its terminal",
}


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What the command line asks for; see the options of the command."""

    folder: Path | None
    url: str | None
    model_port: int | None
    report: Path | None
    manifest: Path | None
    told: Mapping[str, str]
    tell: tuple[str, ...]
    seed: int
    seconds: float
    only: str
    human: Path | None
    ask: bool
    keep: bool


class Outputs(msgspec.Struct, frozen=True, kw_only=True):
    """The files that the report goes to, beside the terminal."""

    json: Path | None
    junit: Path | None
    markdown: Path | None
    html: Path | None
    verdicts: Path | None


_FORMS: Final[Mapping[str, Callable[[document.Report], bytes]]] = {
    "json": encoded.encode,
    "junit": junit.encode,
    "markdown": markdown.encode,
    "html": html.encode,
    "verdicts": lambda report: human.template(report).encode(),
}


def run(wanted: Wanted, outputs: Outputs, *, min_score: float | None, verbose: bool) -> int:
    """Grade, or read a report, fill it in, write and show it; the exit code."""
    _one_of(wanted)
    # Whatever is wrong here is told before minutes were spent on a grading.
    _writable(outputs)
    opinions = human.read(wanted.human) if wanted.human is not None else {}
    if wanted.report is not None:
        report = _read(wanted.report)
    else:
        human.check(opinions, asked(wanted.only), "this grading")
        report = _graded(wanted)
    report = human.apply(report, opinions)
    if wanted.ask:
        report = human.ask(report, _Prompt())
    unwritten = _write(report, outputs)
    if _STDOUT not in map(str, _paths(outputs).values()):
        terminal.show(report, Console(), verbose=verbose)
    if unwritten is not None:
        raise unwritten
    return EXIT_BELOW if min_score is not None and report.score.low < min_score else 0


def _one_of(wanted: Wanted) -> None:
    given = [wanted.folder, wanted.url, wanted.report]
    if sum(one is not None for one in given) != 1:
        raise GradingError("name one of DIR, --url and --report: see logdocket grade --help")
    if wanted.model_port is not None and wanted.url is None:
        raise GradingError("--model-port belongs to --url: a checkout is given its model here")
    if wanted.report is not None and (wanted.only or wanted.manifest or wanted.told or wanted.tell):
        raise GradingError(
            "--report shows what was graded: --only, --manifest, --set and commands "
            "belong to a new grading"
        )


def _paths(outputs: Outputs) -> dict[str, Path]:
    """The files that were asked for, by their form."""
    named = ((form, getattr(outputs, form)) for form in _FORMS)
    return {form: path for form, path in named if path is not None}


def _writable(outputs: Outputs) -> None:
    """Raise what speaks against writing there, as far as it can be told beforehand."""
    taken: set[str] = set()
    for path in map(str, _paths(outputs).values()):
        if path in taken:
            where = "standard output takes" if path == _STDOUT else f"{path} holds"
            raise GradingError(f"{where} one form of the report: send the other elsewhere")
        taken.add(path)
        if path != _STDOUT and (why := _refused(path)) is not None:
            raise OutputError(f"{path} cannot be written: {why}")


def _refused(path: str) -> str | None:
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path):
        return "it is a folder"
    if not os.path.isdir(folder):
        return f"there is no folder {folder}"
    allowed = os.access(path if os.path.exists(path) else folder, os.W_OK)
    return None if allowed else "it is not permitted"


def _read(path: Path) -> document.Report:
    try:
        with path.open("rb") as file:
            data = file.read(_LONGEST + 1)
    except OSError as error:
        raise GradingError(f"{path} cannot be read: {error.strerror}") from error
    if len(data) > _LONGEST:
        raise GradingError(f"{path} is longer than any report: give what --json wrote")
    return encoded.decode(data)


def _graded(wanted: Wanted) -> document.Report:
    wish = Wish(
        folder=wanted.folder,
        port=None if wanted.url is None else _port(wanted.url),
        model_port=wanted.model_port,
        told={**wanted.told, **dict(_pair(text) for text in wanted.tell)},
        manifest_file=wanted.manifest,
        seed=wanted.seed,
        seconds=wanted.seconds,
        only=wanted.only,
        keep=wanted.keep,
    )
    with _stopped_in_order(), _Shown() as shown:
        return grade(wish, __version__, shown.step)


@contextlib.contextmanager
def _stopped_in_order() -> Iterator[None]:
    """Signals end what was started and remove the copy; then they are told, and the exit code is
    a shell's for them.
    """
    before = {number: signal.getsignal(number) for number in _STOPS}
    came: list[int] = []

    def stop(number: int, frame: FrameType | None) -> None:
        # What is tidied up now takes a moment, and must not be cut short.
        for each in before:
            signal.signal(each, signal.SIG_IGN)
        came.append(number)
        raise SystemExit(128 + number)

    for number, handler in before.items():
        # A job in the background of a script is told to ignore Ctrl-C, and goes on doing so.
        if handler is not signal.SIG_IGN:
            signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for one in came:
            print(f"logdocket: ended by {_STOPS[signal.Signals(one)]}", file=sys.stderr)


def _port(url: str) -> int:
    """The port of a service on this machine; raises GradingError for any other address."""
    try:
        parts = urlsplit(url if "//" in url else f"http://{url}")
        host, port = parts.hostname, parts.port or 80
    except ValueError as error:
        raise GradingError(f"--url {url} is no address: {error}") from error
    if parts.scheme != "http" or host not in _HERE or parts.path not in ("", "/"):
        raise GradingError(
            f"--url {url} is not a service on this machine: give http://127.0.0.1:PORT, "
            "and the path of its endpoint by --set service.path=/extract"
        )
    return port


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise GradingError(f"--set {text} is no KEY=VALUE, such as ledger.file=ledger.jsonl")
    return key, value


def _write(report: document.Report, outputs: Outputs) -> OutputError | None:
    """Write every file that was asked for; the first that could not be, when all were tried."""
    failed = None
    for form, path in _paths(outputs).items():
        if str(path) == _STDOUT:
            sys.stdout.flush()
            sys.stdout.buffer.write(_FORMS[form](report))
            continue
        try:
            path.write_bytes(_FORMS[form](report))
        except OSError as error:
            failed = failed or OutputError(f"{path} cannot be written: {error.strerror}")
    return failed


class _Prompt:
    """Asks a person; who goes away leaves the rest open, and does not lose the grading."""

    def __init__(self) -> None:
        self._gone = False

    def __call__(self, text: str) -> str:
        if not self._gone:
            try:
                return str(typer.prompt(text, default="", show_default=False, err=True))
            except typer.Abort:
                self._gone = True
                print("\nThe rest is left open.", file=sys.stderr)
        return ""


class _Shown:
    """Shows how far the grading is: a bar on a terminal, else a line for each step."""

    def __init__(self) -> None:
        self._bar: Progress | None = None
        if sys.stderr.isatty():
            self._bar = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self._bar.add_task("", total=None)

    def __enter__(self) -> _Shown:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def step(self, step: Step) -> None:
        """Show what the grading is at."""
        if self._bar is None:
            count = f"[{step.done + 1}/{step.of}] " if step.of else ""
            print(f"{count}{step.what}", file=sys.stderr)
            return
        self._bar.update(
            self._task,
            description=step.what,
            completed=step.done,
            total=step.of or None,
        )
