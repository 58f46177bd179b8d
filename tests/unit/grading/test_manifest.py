"""grade.toml: what it may say, and how it is told what is wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from logdocket.errors import BadManifest
from logdocket.grading import manifest
from logdocket.grading.discovery import overlay
from logdocket.grading.manifest import Ledger, Manifest, Service, fields, load

ROOT = Path(__file__).parents[3]


def written(folder: Path, text: str | bytes) -> Path:
    """A manifest of this text."""
    path = folder / "grade.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_a_manifest_says_how_an_answer_is_run(tmp_path: Path) -> None:
    """What it leaves out keeps its default."""
    text = '\ufeff[service]\nstart = "./run {port}"\nanswer_seconds = 5\nenv = { A = "1" }\n'
    told = load(written(tmp_path, text))
    assert told == Manifest(service=Service(start="./run {port}", answer_seconds=5, env={"A": "1"}))


def test_a_set_up_may_be_empty_where_none_is_needed(tmp_path: Path) -> None:
    """That is another thing than not to tell it."""
    assert load(written(tmp_path, '[setup]\ncommand = ""')).setup.command == ""
    assert load(written(tmp_path, "")).setup.command is None


@pytest.mark.parametrize("selector", ["kind=call", "kind=ticket,source=cache", "a.b=x y"])
def test_selectors_are_keys_with_values(tmp_path: Path, selector: str) -> None:
    """One, or several that all have to hold."""
    told = load(written(tmp_path, f'[ledger]\nurl = "/l"\ncall = "{selector}"'))
    assert told.ledger == Ledger(url="/l", call=selector)


WRONG = [
    ('[service]\nstrat = "x"', "unknown key `strat` in [service]: did you mean `start`?"),
    ('[test]\nzz = "x"', "unknown key `zz` in [test]: there are command, seconds"),
    ('[servce]\nstart = "x"', "unknown table [servce]: did you mean `service`?"),
    ('service = "x"', "`service` is a table: write [service] above its keys"),
    ("[service]\nstart = 3", 'service.start is a number, and has to be a text: put it in "quotes"'),
    ('[test]\nseconds = "9"', "test.seconds is a text, and has to be a number"),
    ("[test]\nseconds = true", "test.seconds is true or false, and has to be a number"),
    ("[test]\nseconds = 2020-01-01", "test.seconds is a date or time, and has to be a number"),
    ("[test]\nseconds = 0", "test.seconds is 0: give seconds above 0, 86400 at most"),
    ("[test]\nseconds = -1", "test.seconds is -1: give seconds above 0, 86400 at most"),
    ("[test]\nseconds = nan", "test.seconds is nan: give seconds above 0, 86400 at most"),
    ("[test]\nseconds = inf", "test.seconds is inf: give seconds above 0, 86400 at most"),
    ('[test]\ncommand = " "', "test.command is empty: leave it out to have it looked for"),
    ('[test]\ncommand = "a\\u0000b"', "test.command holds a NUL character: take it out"),
    ('[service]\npath = "extract"', "service.path is 'extract': a path begins with /"),
    ('[ledger]\nurl = "http://x/l"', "ledger.url is 'http://x/l': a path begins with /"),
    ('[ledger]\nurl = "/l"\nfile = "l"', "[ledger] has url and file: keep one of them"),
    (
        '[ledger]\ncall = "call"',
        "ledger.call is 'call': write key=value, several set apart by commas",
    ),
    (
        '[ledger]\nhit = "a=b,c"',
        "ledger.hit is 'a=b,c': write key=value, several set apart by commas",
    ),
    (
        "[service.env]\nA = 1",
        "service.env is a table, and has to be a table of texts: put numbers in quotes",
    ),
    ('[service.env]\n"A B" = "1"', "service.env: 'A B' cannot be a variable's name"),
    ('[model]\nkey_env = "A="', "model.key_env: 'A=' cannot be a variable's name"),
    (
        '[runbook]\nfiles = "README.md"',
        'runbook.files is a text, and has to be a list of texts: ["README.md"]',
    ),
]


@pytest.mark.parametrize(("text", "said"), WRONG)
def test_what_is_wrong_is_told_in_one_line_with_its_mend(
    tmp_path: Path, text: str, said: str
) -> None:
    """File, key, and what to write."""
    with pytest.raises(BadManifest) as caught:
        load(written(tmp_path, text))
    assert str(caught.value) == f"grade.toml: {said}"


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"[service]\n# \xe9", r"grade\.toml is not UTF-8 \(byte 12\): save it so"),
        (b"a = ", r"grade\.toml is no TOML: .*"),
        (b"[a]\n[a]", r"grade\.toml is no TOML: .*"),
        (b"a = " + b"[" * 100_000, r"grade\.toml is no TOML: .*"),
        (b"#" * 2_000_000, r"grade\.toml is longer than 1048576 bytes: .*"),
    ],
)
def test_what_is_no_manifest_is_refused(tmp_path: Path, raw: bytes, said: str) -> None:
    """In one line too."""
    with pytest.raises(BadManifest) as caught:
        load(written(tmp_path, raw))
    assert re.fullmatch(said, str(caught.value))


@pytest.mark.parametrize("name", ["nowhere.toml", "."])
def test_a_manifest_that_cannot_be_read_is_refused(tmp_path: Path, name: str) -> None:
    """By the system's own words."""
    with pytest.raises(BadManifest, match="cannot be read: "):
        load(tmp_path / name)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("service.strat", "x", "--set: unknown key `strat` in [service]: did you mean `start`?"),
        ("start", "x", "--set start: name a key as service.start is named"),
        (
            "service.start",
            " ",
            "--start: service.start is empty: leave it out to have it looked for",
        ),
        ("test.seconds", "soon", "--set test.seconds=soon: give a number of seconds"),
        ("test.seconds", "-1", "--set: test.seconds is -1: give seconds above 0, 86400 at most"),
        ("service.env.A B", "x", "--set: service.env: 'A B' cannot be a variable's name"),
        ("nothing.x", "x", "--set: unknown table [nothing]: there are " + ", ".join(fields())),
    ],
)
def test_wrong_flags_are_told_by_their_option(key: str, value: str, said: str) -> None:
    """As those of the file are by its name."""
    with pytest.raises(BadManifest) as caught:
        overlay(Manifest(), {key: value})
    assert str(caught.value) == said


@pytest.mark.parametrize("one", ["url", "file", "command"])
def test_a_ledger_on_the_command_line_takes_the_place_of_the_file_s(one: str) -> None:
    """Though another kind of place was told there; what tells the entries apart stays."""
    told = Manifest(ledger=Ledger(url="/old", call="a=b"))
    assert overlay(told, {f"ledger.{one}": "/new"}).ledger == Ledger(call="a=b", **{one: "/new"})


def test_our_own_manifest_can_be_read() -> None:
    """It tells all that would else be guessed."""
    told = load(ROOT / manifest.NAME)
    assert None not in (
        told.setup.command,
        told.service.start,
        told.test.command,
        told.replay.command,
        told.ledger.url,
    )


def test_every_key_is_documented_with_its_default() -> None:
    """In the order of the tables, and no others."""
    text = (ROOT / "docs" / "interview.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z_]+\.[a-z_]+)` \| ([^|]+) \|", text, re.M)
    assert [key for key, _ in rows] == [
        f"{table}.{key}" for table in fields() for key in fields()[table]
    ]
    for key, told in rows:
        table, _, name = key.partition(".")
        default = getattr(getattr(Manifest(), table), name)
        shown = f"{default:g}" if isinstance(default, float) else f"`{default}`"
        if default in (None, {}, ()):
            assert told in ("found", "none", "by its words")
        else:
            assert told.removeprefix("found, else ") == shown
