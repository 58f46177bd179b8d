"""The kit of a new interview."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from logdocket.errors import GradingError, OutputError
from logdocket.grading.discovery import discover
from logdocket.grading.interview import init
from logdocket.grading.manifest import Manifest, load
from logdocket.grading.probes import PROBES
from logdocket.grading.rubric import Area, points

KIT = [
    "README.md",
    "RUBRIC.md",
    "candidate/BRIEF.md",
    "candidate/fixtures/lines.jsonl",
    "candidate/grade.toml",
    "candidate/ticket.schema.json",
]


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A kit as it is written."""
    folder = tmp_path_factory.mktemp("interview") / "new"
    init(folder, force=False)
    return folder


def rows(kit: Path) -> list[dict[str, object]]:
    """The lines that candidates begin with."""
    text = (kit / "candidate/fixtures/lines.jsonl").read_text(encoding="utf-8")
    return [json.loads(row) for row in text.split("\n") if row]


def test_a_kit_holds_what_an_interview_needs(tmp_path: Path) -> None:
    """The files that are told are those that are there."""
    written = init(tmp_path / "a" / "b", force=False)
    assert [path.relative_to(tmp_path / "a/b").as_posix() for path in written] == KIT
    assert sorted(path for path in (tmp_path / "a/b").rglob("*") if path.is_file()) == written


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    """Unless it is forced; then what is not of the kit stays."""
    (tmp_path / "README.md").write_text("mine")
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(GradingError, match="is not empty: name a new folder, or add --force"):
        init(tmp_path, force=False)
    assert (tmp_path / "README.md").read_text() == "mine"
    init(tmp_path, force=True)
    assert (tmp_path / "README.md").read_text() != "mine"
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    """And the message says what to do."""
    path = tmp_path / "file"
    path.touch()
    with pytest.raises(GradingError, match="is a file: name a new folder"):
        init(path, force=True)


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """With the system's own words."""
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="cannot be written: Not a directory"):
        init(tmp_path / "file" / "under", force=False)


@pytest.mark.parametrize("name", ["RUBRIC.md", "candidate/BRIEF.md"])
def test_rubric_and_brief_tell_the_areas_of_the_grader(kit: Path, name: str) -> None:
    """Their points and full marks, in its own words."""
    text = (kit / name).read_text(encoding="utf-8")
    for area in Area:
        assert f"| {area.heading} | {area.points} | {area.full_marks} |" in text
    assert "<!--" not in text


def test_the_rubric_tells_every_probe_and_its_points(kit: Path) -> None:
    """In the order in which they are asked, area by area."""
    text = (kit / "RUBRIC.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| `([^`]+)` \| (must|should) \| ([0-9.]+) \|", text, re.M)
    worth = points(PROBES)
    assert told == [
        (probe.id, str(probe.level), f"{float(worth[probe.id]):.1f}")
        for area in Area
        for probe in PROBES
        if probe.area is area
    ]


def test_the_rubric_says_of_each_area_what_a_person_judges(kit: Path) -> None:
    """One paragraph for each."""
    text = (kit / "RUBRIC.md").read_text(encoding="utf-8")
    assert text.count("\nA person judges: ") == len(Area)


def test_the_manifest_of_the_kit_can_be_read(kit: Path) -> None:
    """As it is, it tells nothing that would keep a command from being found."""
    told = load(kit / "candidate/grade.toml")
    assert told == Manifest()


def test_every_line_of_the_kit_s_manifest_can_be_taken_out_of_its_comment(
    kit: Path, tmp_path: Path
) -> None:
    """One of the places of the ledger at a time."""
    text = (kit / "candidate/grade.toml").read_text(encoding="utf-8")
    text = re.sub(r"^# (\[model\]|[a-z_]+ = )", r"\1", text, flags=re.M)
    text = text.replace('command = ""\n', "")
    for place in ("url", "file", "command"):
        path = tmp_path / f"{place}.toml"
        before, _, ledger = text.partition("[ledger]\n")
        for other in {"url", "file", "command"} - {place}:
            ledger = re.sub(rf"^{other} = .*\n", "", ledger, flags=re.M)
        path.write_text(f"{before}[ledger]\n{ledger}", encoding="utf-8")
        told = load(path)
        assert getattr(told.ledger, place) is not None
        assert told.replay.output == "out/tickets.jsonl"


def test_the_schema_takes_an_honest_ticket_and_no_other(kit: Path) -> None:
    """Six fields, and whatever else."""
    schema = json.loads((kit / "candidate/ticket.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    ticket = {
        "service": "pay",
        "severity": "high",
        "first_seen": "unknown",
        "evidence": "refused",
        "confidence": 0.5,
        "needs_human": True,
    }
    assert validator.is_valid(ticket)
    assert validator.is_valid(ticket | {"source": "model"})
    for name in ticket:
        assert not validator.is_valid({key: value for key, value in ticket.items() if key != name})
    for change in ({"severity": "bad"}, {"confidence": 2}, {"evidence": " "}, {"needs_human": 1}):
        assert not validator.is_valid(ticket | change)


def test_the_lines_of_the_kit_say_what_is_told_of_them(kit: Path) -> None:
    """Time and level stand in the line as they are told."""
    told = rows(kit)
    assert len({row["id"] for row in told}) == len(told) >= 10
    for row in told:
        assert set(row) == {"id", "line", "says"}
        says = row["says"]
        assert isinstance(says, dict)
        assert set(says) == {"first_seen", "level"}
        assert all(value is None or value in str(row["line"]) for value in says.values())


def test_the_kit_does_not_give_the_answer_away(kit: Path) -> None:
    """No expected tickets: of a line only what it states."""
    words = {"low", "medium", "high", "critical"}
    for row in rows(kit):
        says = row["says"]
        assert isinstance(says, dict)
        assert not words & {str(value) for value in says.values()}


def test_the_kit_names_nobody_and_no_place(kit: Path) -> None:
    """Hosts are made up, addresses those for documents."""
    for name in KIT:
        text = (kit / name).read_text(encoding="utf-8")
        for address in re.findall(r"\b\d+\.\d+\.\d+\.\d+\b", text):
            assert address.startswith(("192.0.2.", "127.0.0.1"))
        assert "@" not in re.sub(r"@\w+\"", "", text)


def test_the_kit_is_no_answer(kit: Path) -> None:
    """The grader finds no command in what candidates get."""
    manifest, _ = discover(kit / "candidate", Manifest())
    assert manifest.service.start is None
    assert manifest.test.command is None
    assert manifest.replay.command is None
