from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from logdocket.grading import checkout
from logdocket.grading.bench import Bench
from logdocket.grading.finding import Finding, Verdict
from logdocket.grading.manifest import Manifest, Runbook
from logdocket.grading.order import ask
from logdocket.grading.probes.communication import PROBES
from logdocket.grading.rubric import Area, points
from logdocket.grading.sandbox import Isolation, Limits, Sandbox

WHOLE = """# Tickets

One log line in, one support ticket out, by a service that needs nothing but Python. It asks a
model about each line and checks what the model says against the line before it believes any of it.

    make serve
    make test
    make replay

## Trade-offs

I chose one file of SQLite over a server: nothing to run, one machine.

## Limits

- A restart forgets the cache.
- Stack traces are not joined.

## Next

Calibrate the confidence by labelled lines.
"""
MAKEFILE = "serve:\n\t./s\ntest:\n\t./t\nreplay:\n\t./r\n"


def found(root: Path, files: dict[str, str], *told: str) -> dict[str, Finding]:
    """What the probes find in a checkout of ``files``, by the last part of their ids."""
    folder = root / "answer"
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    folder.mkdir(exist_ok=True)
    (root / "copy").mkdir()
    checkout.copy(folder, root / "copy")
    sandbox = Sandbox(root / "copy", Isolation.none(), Limits())
    bench = Bench(Manifest(runbook=Runbook(files=told)), seed=1, sandbox=sandbox)
    asked = ask(PROBES, bench, until=float("inf"))
    return {one.id.rpartition("/")[2]: one.finding for one in asked}


def test_a_whole_runbook_earns_what_a_program_can_judge(tmp_path: Path) -> None:
    """The rest is for a person, with what was found."""
    findings = found(tmp_path, {"README.md": WHOLE, "Makefile": MAKEFILE})
    verdicts = {name: finding.verdict for name, finding in findings.items()}
    argued = ("trade-offs-argued", "limits-argued", "next-step-argued")
    assert verdicts == dict.fromkeys(
        ("present", "commands", "trade-offs", "limits", "next-step"), Verdict.PASS
    ) | dict.fromkeys(argued, Verdict.NEEDS_HUMAN)
    assert findings["commands"].seen == (
        "Shown: start `make serve`, test `make test`, replay `make replay`."
    )
    assert findings["limits-argued"].quotes == (
        "README.md:16: Limits: A restart forgets the cache.",
        "README.md:17: Limits: Stack traces are not joined.",
    )


def test_a_program_judges_nine_points_and_a_person_six() -> None:
    """Of the fifteen of the area."""
    worth = points(PROBES)
    assert {probe.area for probe in PROBES} == {Area.COMMUNICATION}
    assert sum(value for name, value in worth.items() if name.endswith("-argued")) == 6
    assert sum(worth.values()) == Area.COMMUNICATION.points


def test_what_is_not_named_cannot_be_argued(tmp_path: Path) -> None:
    """Each topic by itself."""
    text = WHOLE.partition("## Limits")[0]
    findings = found(tmp_path, {"README.md": text, "Makefile": MAKEFILE})
    assert findings["trade-offs"].verdict is Verdict.PASS
    assert findings["limits"].seen == "No passage of the runbook names its limits."
    assert findings["limits-argued"].verdict is Verdict.SKIPPED
    assert findings["next-step-argued"].open == 0


def test_each_command_earns_a_third(tmp_path: Path) -> None:
    """Those that are missing are named."""
    text = WHOLE.replace("    make replay\n", "")
    findings = found(tmp_path, {"README.md": text, "Makefile": MAKEFILE})
    assert findings["commands"].share == Fraction(2, 3)
    assert findings["commands"].seen.endswith("Not shown: replay.")


@pytest.mark.parametrize(
    ("files", "told", "seen"),
    [
        ({}, (), "There is no runbook and no README."),
        ({"README.md": "# Tickets\n"}, (), "README.md: fewer than 40 words."),
        (
            {"README.md": WHOLE},
            ("OPS.md",),
            "There is no runbook and no README. OPS.md is not there.",
        ),
    ],
)
def test_without_a_runbook_all_is_lost(
    tmp_path: Path, files: dict[str, str], told: tuple[str, ...], seen: str
) -> None:
    """Once: what rests on it is skipped."""
    findings = found(tmp_path, files, *told)
    assert findings.pop("present").seen == seen
    assert {finding.verdict for finding in findings.values()} == {Verdict.SKIPPED}


def test_the_runbook_may_stand_in_several_files(tmp_path: Path) -> None:
    """A section in one of them counts before a sentence in another."""
    files = {"README.md": WHOLE.partition("## Trade-offs")[0] + "It cannot read minds of men.\n"}
    files["docs/runbook.md"] = "## Trade-offs" + WHOLE.partition("## Trade-offs")[2]
    findings = found(tmp_path, files | {"Makefile": MAKEFILE})
    assert findings["limits"].quotes[0] == "docs/runbook.md:7: Limits: A restart forgets the cache."


def test_the_brief_copied_names_nothing(tmp_path: Path) -> None:
    """It is the exercise's, not the answer's."""
    brief = Path(checkout.__file__).parent / "kit/candidate/BRIEF.md"
    findings = found(tmp_path, {"README.md": brief.read_text(encoding="utf-8")})
    assert findings["trade-offs"].verdict is Verdict.FAIL
    assert findings["limits"].verdict is Verdict.FAIL
    assert findings["next-step"].verdict is Verdict.FAIL
