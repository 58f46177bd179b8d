from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from logdocket.grading import checkout
from logdocket.grading.bench import Bench
from logdocket.grading.finding import Finding, Verdict
from logdocket.grading.manifest import Manifest, Replay, Test
from logdocket.grading.order import ask, chosen
from logdocket.grading.probes.reproducibility import PROBES
from logdocket.grading.rubric import Area
from logdocket.grading.sandbox import Isolation, Limits, Sandbox


def found(
    root: Path, prefix: str, *, test: str | None = None, replay: Replay | None = None, **files: str
) -> dict[str, Finding]:
    """What the probes under ``prefix`` find when the commands are run in a checkout."""
    folder = root / "answer"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    (root / "copy").mkdir()
    checkout.copy(folder, root / "copy")
    sandbox = Sandbox(root / "copy", Isolation.none(), Limits())
    manifest = Manifest(test=Test(command=test, seconds=20), replay=replay or Replay())
    bench = Bench(manifest, seed=1, sandbox=sandbox)
    asked = ask(chosen(PROBES, f"reproducibility/{prefix}"), bench, until=float("inf"))
    return {one.id.rpartition("/")[2]: one.finding for one in asked}


def test_all_of_them_belong_to_the_area() -> None:
    """And none rests on the service, which may not start at all."""
    assert {probe.area for probe in PROBES} == {Area.REPRODUCIBILITY}
    assert {need.partition("/")[0] for probe in PROBES for need in probe.needs} == {
        "reproducibility"
    }


def test_tests_that_need_a_key_are_told_apart(tmp_path: Path) -> None:
    """They are run again, with a model and a key."""
    findings = found(tmp_path, "tests", test='test -n "$MODEL_KEY$MODEL_URL" && echo "2 tests ok"')
    assert findings["known"].seen == "It runs 2 tests."
    assert findings["offline-no-key"].seen == (
        "Without a key: exit code 1; with a key and a model they pass."
    )


def test_tests_that_pass_are_run_once(tmp_path: Path) -> None:
    """By whatever command."""
    command = "echo run >> runs; test $(wc -l < runs) -eq 1 && echo 1 test"
    findings = found(tmp_path, "tests", test=command)
    assert {finding.verdict for finding in findings.values()} == {Verdict.PASS}


def test_without_a_command_nothing_is_known_of_tests(tmp_path: Path) -> None:
    """The second probe is skipped for the first."""
    findings = found(tmp_path, "tests")
    assert findings["known"].seen == "No command that runs the tests was told or found."
    assert findings["offline-no-key"].verdict is Verdict.SKIPPED


def test_a_steady_replay_passes_everywhere(tmp_path: Path) -> None:
    """With three runs here and two elsewhere."""
    command = "echo run >> runs; cat tickets; test $(wc -l < runs) -le 5"
    findings = found(tmp_path, "replay", replay=Replay(command=command), tickets='{"a": 1}\n')
    assert [finding.verdict for finding in findings.values()] == [Verdict.PASS] * 3
    assert "another time zone, a Turkish locale, another hash seed" in findings["elsewhere"].seen


def test_an_order_by_hashes_is_seen_in_every_grading(tmp_path: Path) -> None:
    """Python would draw another seed each time, and two of them may agree."""
    script = "print(*{'one', 'two', 'three'}, sep='\\n')\n"
    replay = Replay(command="python3 replay.py")
    findings = found(tmp_path, "replay", replay=replay, **{"replay.py": script})
    assert findings["identical"].seen == (
        "Two replays are not the same: they are the same lines in another order."
    )


def test_a_replay_that_remembers_is_not_identical(tmp_path: Path) -> None:
    """The field that differs is named; what rests on it is skipped."""
    command = 'echo "{\\"cached\\": $(ls -A | grep -c seen)}"; touch seen'
    findings = found(tmp_path, "replay", replay=Replay(command=command))
    assert findings["identical"].seen == "Two replays are not the same: they differ in `cached`."
    assert findings["elsewhere"].verdict is Verdict.SKIPPED


@pytest.mark.parametrize(
    ("command", "place"),
    [
        ('echo "{\\"zone\\": \\"$TZ\\"}"', "another time zone"),
        ('echo "{\\"zone\\": \\"$LC_ALL\\"}" | sed s/C//', "a Turkish locale"),
        ('echo "{\\"zone\\": \\"$(umask)\\"}"', "another umask"),
    ],
)
def test_a_replay_that_depends_on_its_place_is_found(
    tmp_path: Path, command: str, place: str
) -> None:
    """And the place is named; the share of the others is earned."""
    finding = found(tmp_path, "replay", replay=Replay(command=command))["elsewhere"]
    assert finding.seen == f"Under {place} it gives other bytes: they differ in `zone`."
    assert finding.share == pytest.approx(4 / 5)


@pytest.mark.parametrize(
    ("command", "seen"),
    [
        ("cat tickets > out", "Exit code 0, and there is output."),
        ("cat tickets", "The file was not written."),
        ("touch out; cp /dev/null out", "Nothing was printed."),
    ],
)
def test_a_written_output_counts_if_this_run_wrote_it(
    tmp_path: Path, command: str, seen: str
) -> None:
    """A file that was there before says nothing."""
    replay = Replay(command=command, output="out")
    findings = found(tmp_path, "replay/runs", replay=replay, tickets="a\n", out="old\n")
    assert findings["runs"].seen == seen


def test_an_output_outside_of_the_checkout_is_not_read(tmp_path: Path) -> None:
    """Whatever the manifest says."""
    replay = Replay(command="date +%N > ../../outside", output="../../outside")
    assert found(tmp_path, "replay/runs", replay=replay)["runs"].verdict is Verdict.FAIL


def test_dependencies_and_secrets_are_looked_up_in_the_checkout(tmp_path: Path) -> None:
    """A lock file that is not committed does not pin."""
    folder = tmp_path / "answer"
    folder.mkdir()
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    (folder / "package.json").write_text('{"dependencies": {"lefty": "^1.0.0"}}')
    subprocess.run(["git", "add", "."], cwd=folder, check=True)
    folder.rename(tmp_path / "staged")
    findings = {
        **found_in(tmp_path / "staged", tmp_path / "copy", "dependencies"),
        **found_in(tmp_path / "staged", tmp_path / "again", "secrets"),
    }
    assert findings["pinned"].seen == "Node: 1 dependency declared, none of them pinned."
    assert findings["none-committed"].seen == "None was found in the files and their history."


def found_in(folder: Path, root: Path, prefix: str) -> dict[str, Finding]:
    """What the probes under ``prefix`` find in a copy of ``folder``, where a set-up locked."""
    root.mkdir()
    copy = checkout.copy(folder, root)
    (copy / "package-lock.json").write_text('"lefty"')
    bench = Bench(Manifest(), seed=1, sandbox=Sandbox(root, Isolation.none(), Limits()))
    asked = ask(chosen(PROBES, f"reproducibility/{prefix}"), bench, until=float("inf"))
    return {one.id.rpartition("/")[2]: one.finding for one in asked}
