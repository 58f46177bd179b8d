from __future__ import annotations

import json
import shutil
import socket
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from logdocket.bootstrap import build_extractor, build_store
from logdocket.confidence import Table
from logdocket.line import NO_CONTEXT, Line
from logdocket.schema import ticket_schema
from logdocket.settings import Settings
from logdocket.testing import ModelServer
from logdocket.ticket import ReviewReason

from .conftest import Command

TOKENS = ["first-secret-of-this-test", "second-secret-of-this-test"]


def checks(logdocket: Command, *options: str | Path) -> tuple[int, dict[str, list[Any]]]:
    """The exit code, and by name the checks, each as it is in JSON."""
    done = logdocket("doctor", "--json", *options)
    assert done.err == ""
    told = json.loads(done.out)
    assert told["ok"] is (done.code == 0)
    assert told["ok"] is all(check["state"] != "bad" for check in told["checks"])
    found: dict[str, list[Any]] = {"ticket": [told["ticket"]]}
    for check in told["checks"]:
        assert list(check) == ["name", "state", "seen", "mend"]
        assert (check["mend"] is None) is (check["state"] == "ok")
        found.setdefault(check["name"], []).append(check)
    return done.code, found


def new_ledger(path: Path) -> None:
    """An empty ledger at ``path``."""
    build_store(Settings.load(db=path)).close()


def test_a_fresh_folder_is_well(logdocket: Command) -> None:
    """Nothing is set up but what is shipped, and looking makes nothing."""
    code, found = checks(logdocket)
    assert code == 0
    assert list(found) == [
        "ticket",
        "program",
        "settings",
        "listening",
        "ledger",
        "queue",
        "text",
        "model",
        "confidence",
    ]
    assert found["settings"][0]["seen"] == "all as shipped"
    # The port may be in use on the machine that runs this.
    assert found["listening"][0]["seen"].startswith("127.0.0.1:8000, for all on this machine")
    assert (
        found["ledger"][0]["seen"] == "logdocket.db does not exist yet: the first ticket makes it"
    )
    assert list(Path.cwd().iterdir()) == []


def test_the_ticket_is_the_one_that_a_line_would_get(logdocket: Command) -> None:
    """A real one, by the rules, and nothing is entered."""
    new_ledger(Path("logdocket.db"))
    (ticket,) = checks(logdocket)[1]["ticket"]
    jsonschema.validate(ticket, ticket_schema())
    assert ticket["service"] == "checkout"
    assert ticket["review_reasons"] == ["model_not_configured"]
    _, found = checks(logdocket)
    assert found["ledger"][0]["seen"] == "logdocket.db can be written and holds 0 tickets"


def test_people_read_the_same(logdocket: Command) -> None:
    """State, name and what was seen; the mend under it; then the ticket and its reasons."""
    done = logdocket("doctor", "--db", "missing/x.db")
    assert done.code == 1
    folder = Path.cwd() / "missing"
    assert f"bad  ledger      there is no folder {folder}\n{'':17}-> make it, or" in done.out
    assert (
        "A line now:  2026-01-02T15:04:05Z ERROR checkout: payment provider timed out\n" in done.out
    )
    assert '\nits ticket:  {"service":"checkout",' in done.out
    assert "\n  ledger_unavailable: The ledger could not be written" in done.out


def test_choices_are_told(logdocket: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the environment and from options."""
    monkeypatch.setenv("LOGDOCKET_RISK", "0.1")
    _, found = checks(logdocket, "--db", "x.db")
    assert found["settings"][0]["seen"] == "db=x.db, risk=0.1"


def test_the_threshold_is_told(logdocket: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """It follows from the table in use and the risk."""
    Path("own.json").write_bytes(Table({"level/logger/read": (500, 500)}).to_json())
    monkeypatch.setenv("LOGDOCKET_CONFIDENCE_TABLE", "own.json")
    (check,) = checks(logdocket)[1]["confidence"]
    assert check["seen"] == "by own.json, a ticket needs 0.998 or more for a risk of 0.02"


def test_a_risk_that_no_threshold_meets_is_found(
    logdocket: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every ticket goes to a person then, and its owner should know."""
    monkeypatch.setenv("LOGDOCKET_RISK", "0")
    code, found = checks(logdocket)
    assert code == 0
    (check,) = found["confidence"]
    assert check["state"] == "warn"
    assert "no threshold meets a risk of 0: every ticket goes to a person" in check["seen"]


def test_a_table_that_is_none_is_found(logdocket: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it there are no tickets."""
    Path("own.json").write_text("{}")
    monkeypatch.setenv("LOGDOCKET_CONFIDENCE_TABLE", "own.json")
    code, found = checks(logdocket)
    assert code == 1
    (check,) = found["confidence"]
    assert check["state"] == "bad"
    assert check["seen"].startswith("LOGDOCKET_CONFIDENCE_TABLE=own.json: is no table")
    assert found["ticket"] == [None]


def test_a_misspelt_variable_is_found(logdocket: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a warning: what it was meant for is at its default."""
    monkeypatch.setenv("LOGDOCKET_PROT", "80")
    code, found = checks(logdocket)
    assert code == 0
    (check,) = found["settings"]
    assert check["state"] == "warn"
    assert check["seen"] == "LOGDOCKET_PROT is no setting and has no effect"


def test_a_value_equal_to_the_default_is_no_change(
    logdocket: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is as shipped, whoever says so."""
    monkeypatch.setenv("LOGDOCKET_PORT", "8000")
    _, found = checks(logdocket, "--db", "logdocket.db")
    assert found["settings"][0]["seen"] == "all as shipped"


def test_a_secret_counts_as_a_choice(logdocket: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """That it is given is told, and no more."""
    monkeypatch.setenv("LOGDOCKET_TOKENS", ",".join(TOKENS))
    monkeypatch.setenv("MODEL_NAME", "small")
    _, found = checks(logdocket)
    assert found["settings"][0]["seen"] == "model_name=small, tokens=(given)"


def test_a_port_in_use_is_a_warning(logdocket: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may well be the service that is asked about."""
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        port = str(other.getsockname()[1])
        monkeypatch.setenv("LOGDOCKET_PORT", port)
        code, found = checks(logdocket)
    (check,) = found["listening"]
    assert (code, check["state"]) == (0, "warn")
    assert check["seen"].endswith(": something listens there already, perhaps this service")


def test_an_address_that_is_not_here_is_bad(
    logdocket: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service would not start."""
    monkeypatch.setenv("LOGDOCKET_HOST", "192.0.2.1")
    monkeypatch.setenv("LOGDOCKET_TOKENS", TOKENS[0])
    code, found = checks(logdocket)
    (check,) = found["listening"]
    assert (code, check["state"]) == (1, "bad")
    assert "name an address of this machine with --host" in check["seen"]


def test_one_of_a_kind_is_told_as_one(logdocket: Command) -> None:
    """One ticket, one entry."""
    new_ledger(Path("logdocket.db"))
    store = build_store(Settings.load())
    extractor = build_extractor(Settings.load(), store)
    extractor.finish(extractor.begin([(Line("one error"), NO_CONTEXT)]))
    store.close()
    assert "can be written and holds 1 ticket\n" in logdocket("doctor").out
    assert logdocket("ledger", "verify").out.startswith("ok: 1 entry, head ")
    assert logdocket("ledger", "summary").out.startswith("1 ticket, 0.0% from the cache\n")


def test_the_queue_is_told(logdocket: Command) -> None:
    """How many groups are open, and how far it follows the ledger."""
    assert checks(logdocket)[1]["queue"][0]["seen"] == "the service keeps it up"
    store = build_store(Settings.load())
    extractor = build_extractor(Settings.load(), store)
    extractor.finish(extractor.begin([(Line("one error"), NO_CONTEXT)]))
    store.close()
    told = "the service keeps it up; {} open; it follows the ledger up to entry {} of 1"
    assert checks(logdocket)[1]["queue"][0]["seen"] == told.format("0 groups are", 0)
    logdocket("queue", "list")
    assert checks(logdocket)[1]["queue"][0]["seen"] == told.format("1 group is", 1)


def test_a_queue_that_no_service_keeps_up_is_told(
    logdocket: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what does it instead."""
    monkeypatch.setenv("LOGDOCKET_QUEUE", "false")
    (check,) = checks(logdocket)[1]["queue"]
    assert check["seen"].startswith("no service keeps it up (LOGDOCKET_QUEUE); `logdocket queue")


@pytest.mark.parametrize(
    ("keep", "said"), [("true", "each line is kept"), ("false", "no line is kept: ")]
)
def test_whether_the_text_of_lines_is_kept_is_told(
    logdocket: Command, monkeypatch: pytest.MonkeyPatch, keep: str, said: str
) -> None:
    """What verdicts answer, and whether there are second looks, hangs on it."""
    monkeypatch.setenv("LOGDOCKET_KEEP_TEXT", keep)
    (check,) = checks(logdocket)[1]["text"]
    assert said in check["seen"]


def test_a_wrong_setting_is_bad(logdocket: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """And then nothing else can be told."""
    monkeypatch.setenv("LOGDOCKET_PORT", "http")
    code, found = checks(logdocket)
    assert code == 1
    assert found["settings"][0]["seen"] == "LOGDOCKET_PORT=http: give a whole number"
    assert found["ticket"] == [None]


def test_listening_to_strangers_without_tokens_is_bad(
    logdocket: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service would refuse to start."""
    monkeypatch.setenv("LOGDOCKET_HOST", "0.0.0.0")
    code, found = checks(logdocket)
    assert code == 1
    assert found["listening"][0]["state"] == "bad"
    assert "set LOGDOCKET_TOKENS, or listen on 127.0.0.1" in found["listening"][0]["seen"]


@pytest.mark.parametrize(
    ("host", "tokens", "seen"),
    [
        ("::1", [], "[::1]:8000, for all on this machine"),
        ("0.0.0.0", TOKENS[:1], "0.0.0.0:8000, for bearers of 1 token"),
        ("127.0.0.1", TOKENS, "127.0.0.1:8000, for bearers of 2 tokens"),
    ],
)
def test_who_may_call_is_told(
    host: str,
    tokens: list[str],
    seen: str,
    logdocket: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By the number of tokens, not by the tokens."""
    monkeypatch.setenv("LOGDOCKET_HOST", host)
    monkeypatch.setenv("LOGDOCKET_TOKENS", ",".join(tokens))
    code, found = checks(logdocket)
    assert code == 0
    assert found["listening"][0]["seen"].startswith(seen)


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_no_secret_is_printed(
    form: list[str], logdocket: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No token, no key, and no name, password or key in a model's address."""
    monkeypatch.setenv("LOGDOCKET_TOKENS", ",".join(TOKENS))
    monkeypatch.setenv("MODEL_KEY", "key-of-this-test")
    monkeypatch.setenv(
        "MODEL_URL", "http://models.example:1/k/path-secret-of-this-test/v1?api_key=query-x#frag-x"
    )
    printed = logdocket("doctor", *form).out
    assert "http://models.example:1/k/" in printed
    for secret in (*TOKENS, "key-of-this-test", "path-secret-of-this-test", "query-x", "frag-x"):
        assert secret not in printed


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_name_and_a_password_in_an_address_are_refused_and_not_printed(
    form: list[str], logdocket: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key has a setting of its own, which nothing prints."""
    monkeypatch.setenv("MODEL_KEY", "key-of-this-test")
    monkeypatch.setenv("MODEL_URL", "http://user-x:word-x@models.example:1/v1")
    told = logdocket("doctor", *form)
    assert told.code == 1
    assert "put the key into MODEL_KEY" in told.out
    assert "user-x" not in told.out
    assert "word-x" not in told.out


@pytest.mark.parametrize(
    ("variables", "seen", "reason"),
    [
        ({"MODEL_NAME": "small"}, "MODEL_NAME=small alone", ReviewReason.MODEL_NOT_CONFIGURED),
        ({"MODEL_URL": "http://models.example"}, "without a key", ReviewReason.MISSING_KEY),
        (
            {"MODEL_URL": "http://models.example", "LOGDOCKET_EGRESS": "off"},
            "may leave",
            ReviewReason.EGRESS_OFF,
        ),
    ],
)
def test_a_model_that_would_not_be_called_is_a_warning(
    variables: dict[str, str],
    seen: str,
    reason: ReviewReason,
    logdocket: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With the reason that every ticket will carry."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    code, found = checks(logdocket)
    assert (code, found["model"][0]["state"]) == (0, "warn")
    assert seen in found["model"][0]["seen"]
    assert reason in found["ticket"][0]["review_reasons"]


def test_a_model_that_would_be_called_is_not_called_by_looking(
    logdocket: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only its bounds are told."""
    with ModelServer() as server:
        monkeypatch.setenv("MODEL_URL", server.url)
        monkeypatch.setenv("MODEL_KEY", "key-of-this-test")
        monkeypatch.setenv("LOGDOCKET_BUDGET_TOKENS", "100000")
        code, found = checks(logdocket)
    assert (code, found["model"][0]["state"]) == (0, "ok")
    seen = found["model"][0]["seen"]
    assert seen.endswith("within 20 s; 100,000 tokens a day, no bound in USD")
    assert found["ticket"][0]["review_reasons"] == ["model_unreachable"]
    assert server.count == 0


def test_the_severity_from_which_a_model_is_asked_is_told(
    logdocket: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else one would wonder why it never is."""
    for name, value in {
        "MODEL_URL": "http://127.0.0.1:9/v1",
        "MODEL_KEY": "key-of-this-test",
        "LOGDOCKET_MODEL_MIN_SEVERITY": "critical",
    }.items():
        monkeypatch.setenv(name, value)
    code, found = checks(logdocket)
    assert code == 0
    assert found["model"][0]["seen"].endswith("not about lines that state less than critical")


def test_a_budget_without_room_for_one_call_is_a_warning(
    logdocket: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No call would ever be made."""
    monkeypatch.setenv("MODEL_URL", "http://models.example/v1")
    monkeypatch.setenv("MODEL_KEY", "key-of-this-test")
    monkeypatch.setenv("LOGDOCKET_BUDGET_TOKENS", "100")
    code, found = checks(logdocket)
    assert (code, found["model"][0]["state"]) == (0, "warn")
    assert "100 tokens a day" in found["model"][0]["seen"]
    assert "budget_exhausted" in found["model"][0]["mend"]


@pytest.mark.parametrize(
    ("variables", "wrong"),
    [
        ({"MODEL_NAME": "nobody:small"}, "nobody"),
        ({"MODEL_URL": "http://models.example", "LOGDOCKET_BUDGET_USD": "1"}, "price"),
        ({"MODEL_URL": "http://models.example", "LOGDOCKET_PRICE_INPUT": "1"}, "set both"),
    ],
)
def test_a_model_that_cannot_be_called_is_bad(
    variables: dict[str, str], wrong: str, logdocket: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service would not start."""
    monkeypatch.setenv("MODEL_KEY", "key-of-this-test")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    code, found = checks(logdocket)
    assert (code, found["model"][0]["state"]) == (1, "bad")
    assert wrong in found["model"][0]["seen"]


def test_a_locked_ledger_is_bad(logdocket: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ticket would go out with the reason."""
    monkeypatch.setenv("LOGDOCKET_BUSY_TIMEOUT", "0.1")
    new_ledger(Path("t.db"))
    with closing(sqlite3.connect("t.db")) as other:
        other.execute("BEGIN IMMEDIATE")
        code, found = checks(logdocket, "--db", "t.db")
    assert code == 1
    assert "is locked" in found["ledger"][0]["seen"]
    assert found["ledger"][0]["mend"] == "until then tickets go out with ledger_unavailable"
    assert "ledger_unavailable" in found["ticket"][0]["review_reasons"]
    assert checks(logdocket, "--db", "t.db")[0] == 0


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("garbage.db", "is not a database"),
        ("folder", "is not a file"),
        ("missing/t.db", "there is no folder"),
        ("garbage.db/t.db", "there is no folder"),
        ("nowhere.db", "cannot be opened"),
    ],
)
def test_a_file_that_cannot_be_a_ledger_is_bad(name: str, seen: str, logdocket: Command) -> None:
    """A ticket would go out with the reason."""
    Path("garbage.db").write_bytes(b"no pages of a database " * 1_000)
    Path("folder").mkdir()
    Path("nowhere.db").symlink_to("missing/t.db")
    code, found = checks(logdocket, "--db", name)
    assert code == 1
    assert seen in found["ledger"][0]["seen"]
    assert "ledger_unavailable" in found["ticket"][0]["review_reasons"]


@pytest.mark.parametrize(
    ("statement", "seen"),
    [
        ("PRAGMA user_version = 99", "has schema 99"),
        ("PRAGMA application_id = 7", "is a database of another program"),
    ],
)
def test_a_ledger_that_is_not_ours_to_write_gives_no_ticket(
    statement: str, seen: str, logdocket: Command
) -> None:
    """No command would start that writes to it."""
    new_ledger(Path("t.db"))
    with closing(sqlite3.connect("t.db")) as other:
        other.execute(statement)
    before = Path("t.db").read_bytes()
    code, found = checks(logdocket, "--db", "t.db")
    assert code == 1
    assert seen in found["ledger"][0]["seen"]
    assert found["ticket"] == [None]
    assert Path("t.db").read_bytes() == before


def test_little_space_is_a_warning(logdocket: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the ledger cannot grow."""
    new_ledger(Path("t.db"))
    real = shutil.disk_usage(".")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: real._replace(free=5 << 20))
    code, found = checks(logdocket, "--db", "t.db")
    assert (code, found["disk"][0]["state"]) == (0, "warn")
    assert found["disk"][0]["seen"] == "5 MiB are free beside t.db"


def test_a_name_with_control_characters_keeps_to_its_line(logdocket: Command) -> None:
    """What is printed cannot move a cursor."""
    done = logdocket("doctor", "--db", "a\nb\x1b[2J.db")
    assert "\x1b" not in done.out
    assert "db=a\\nb\\x1b[2J.db" in done.out
