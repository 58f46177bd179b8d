"""The kit of a new interview: what candidates get, and what interviewers go by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from logdocket.errors import GradingError, OutputError
from logdocket.grading.probes import PROBES
from logdocket.grading.rubric import Area, Probe, points

__all__ = ["init"]

_HERE: Final = Path(__file__).parent
_KIT: Final = _HERE / "kit"
_SCHEMA: Final = "ticket.schema.json"
_PERSON: Final[Mapping[Area, str]] = {
    Area.CORRECTNESS: "Whether the severity of a line without a level is sensible, and whether the "
    "evidence is the part that a colleague would quote.",
    Area.REPRODUCIBILITY: "Whether the tests would catch a fault that matters, or only run.",
    Area.FAILURE: "Whether a ticket written without the model helps whoever reads it.",
    Area.COMMUNICATION: "Whether the trade-offs are argued, the limits are the true ones, and the "
    "next thing to do is the right one: the report quotes them, and you say what they are worth.",
}
"""What only a person judges."""


def init(folder: Path, *, force: bool) -> list[Path]:
    """Write the kit into ``folder``; the files written, sorted.

    With ``force``, also into a folder that holds something: files of the same names are replaced.
    Raises GradingError where the folder cannot take it, OutputError where it cannot be written.
    """
    try:
        if folder.exists() and not folder.is_dir():
            raise GradingError(f"{folder} is a file: name a new folder for the kit")
        if not force and folder.is_dir() and any(folder.iterdir()):
            raise GradingError(f"{folder} is not empty: name a new folder, or add --force")
        return [_write(folder / name, text) for name, text in sorted(_files().items())]
    except OSError as error:
        raise OutputError(f"{folder} cannot be written: {error.strerror}") from error


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


def _files() -> dict[str, str]:
    """The text of each file of the kit, by its path in it."""
    found = {
        path.relative_to(_KIT).as_posix(): path.read_text(encoding="utf-8")
        for path in _KIT.rglob("*")
        if path.is_file()
    }
    found[f"candidate/{_SCHEMA}"] = (_HERE / _SCHEMA).read_text(encoding="utf-8")
    filled = {"<!-- areas -->": _areas(), "<!-- details -->": _details(PROBES)}
    for name in ("candidate/BRIEF.md", "RUBRIC.md"):
        for mark, text in filled.items():
            found[name] = found[name].replace(mark, text)
    return found


def _areas() -> str:
    """The areas as a table."""
    rows = [f"| {area.heading} | {area.points} | {area.full_marks} |" for area in Area]
    return "\n".join(["| area | points | full marks |", "|---|---|---|", *rows])


def _details(probes: Iterable[Probe]) -> str:
    """What is asked in each area, and what is left to a person."""
    probes = tuple(probes)
    worth = points(probes)
    parts = []
    for area in Area:
        rows = [
            f"| `{probe.id}` | {probe.level} | {float(worth[probe.id]):.1f} "
            f"| {_cell(probe.expected)} |"
            for probe in probes
            if probe.area is area
        ]
        table = "\n".join(
            ["| probe | level | points | a right answer |", "|---|---|---|---|", *rows]
        )
        parts.append(
            f"## {area.heading}: {area.points} points\n\nFull marks: {area.full_marks}\n\n"
            f"A person judges: {_PERSON[area]}\n\n{table}"
        )
    return "\n\n".join(parts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
