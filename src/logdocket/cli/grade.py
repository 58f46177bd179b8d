"""``logdocket grade``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from logdocket import __version__
from logdocket.errors import GradingError, OutputError
from logdocket.grading import human
from logdocket.grading.grader import Step, Wish, grade
from logdocket.grading.report import document, encoded, html, junit, markdown, terminal

_HERE: Final = ("127.0.0.1", "localhost")
EXIT_BELOW: Final = 1


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
    opinions = human.read(wanted.human) if wanted.human is not None else {}
    report = _read(wanted.report) if wanted.report is not None else _graded(wanted)
    report = human.apply(report, opinions)
    if wanted.ask:
        report = human.ask(report, lambda text: typer.prompt(text, default="", err=True))
    on_stdout = _write(report, outputs)
    if not on_stdout:
        terminal.show(report, Console(), verbose=verbose)
    return EXIT_BELOW if min_score is not None and report.score.low < min_score else 0


def _one_of(wanted: Wanted) -> None:
    given = [wanted.folder, wanted.url, wanted.report]
    if sum(one is not None for one in given) != 1:
        raise GradingError("name one of DIR, --url and --report: see logdocket grade --help")
    if wanted.model_port is not None and wanted.url is None:
        raise GradingError("--model-port belongs to --url: a checkout is given its model here")


def _read(path: Path) -> document.Report:
    try:
        return encoded.decode(path.read_bytes())
    except OSError as error:
        raise GradingError(f"{path} cannot be read: {error.strerror}") from error


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
    with _Shown() as shown:
        return grade(wish, __version__, shown.step)


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


def _write(report: document.Report, outputs: Outputs) -> bool:
    """Write every file that was asked for; whether one of them is standard output."""
    on_stdout = False
    for form, encode in _FORMS.items():
        path: Path | None = getattr(outputs, form)
        if path is None:
            continue
        if str(path) == "-":
            sys.stdout.flush()
            sys.stdout.buffer.write(encode(report))
            on_stdout = True
            continue
        try:
            path.write_bytes(encode(report))
        except OSError as error:
            raise OutputError(f"{path} cannot be written: {error.strerror}") from error
    return on_stdout


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
