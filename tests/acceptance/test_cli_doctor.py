from __future__ import annotations

import json

import pytest
from command import rows, run

SECRETS = {
    "LOGDOCKET_TOKENS": "first-secret-of-this-test,second-secret-of-this-test",
    "MODEL_KEY": "key-of-this-test",
    "MODEL_URL": "http://user-x:word-x@models.example/v1?key=query-x",
}


def test_what_doctor_promises_is_what_extract_gives() -> None:
    """The ticket for its line, before and after the ledger is there."""
    for _ in range(2):
        told = json.loads(run("doctor", "--json").stdout)
        assert told["ok"]
        (row,) = rows(run("extract", lines=told["line"].encode()).stdout)
        assert row | {"source": "fallback"} == told["ticket"]


def test_what_doctor_calls_bad_is_what_extract_cannot_do() -> None:
    """A ticket that is not recorded, for the reason that doctor gave."""
    doctor = run("doctor", "--json", "--db", "missing/t.db")
    told = json.loads(doctor.stdout)
    assert (doctor.returncode, told["ok"]) == (1, False)
    done = run("extract", "--db", "missing/t.db", lines=told["line"].encode())
    assert rows(done.stdout) == [told["ticket"]]
    assert done.returncode == 1


def test_what_doctor_calls_bad_is_what_serve_refuses() -> None:
    """In the same words."""
    world = {"LOGDOCKET_HOST": "0.0.0.0"}
    doctor = run("doctor", environment=world)
    serve = run("serve", environment=world)
    assert (doctor.returncode, serve.returncode) == (1, 2)
    assert serve.stderr.decode().removeprefix("logdocket: ").strip() in doctor.stdout.decode()


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["people", "json"])
def test_no_secret_leaves_it(form: list[str]) -> None:
    """On neither stream, though an address that holds a password is told to be wrong."""
    done = run("doctor", *form, environment=SECRETS)
    assert done.returncode == 1
    said = (done.stdout + done.stderr).decode()
    for secret in ("secret-of-this-test", "key-of-this-test", "user-x", "word-x", "query-x"):
        assert secret not in said


def test_a_wrong_secret_is_not_shown_either() -> None:
    """A token that is too short may be a good one cut short."""
    done = run("doctor", environment={"LOGDOCKET_TOKENS": "short-secret"})
    assert done.returncode == 1
    assert b"LOGDOCKET_TOKENS: token 1" in done.stdout
    assert b"short-secret" not in done.stdout + done.stderr
