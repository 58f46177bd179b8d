from __future__ import annotations

import os
from decimal import Decimal
from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError

from logdocket.docket import CacheScope, Policy
from logdocket.errors import SettingsError
from logdocket.line import Severity
from logdocket.settings import Settings, strangers, variable
from logdocket.ticket import Source

TOKEN = "a-token-of-this-test"
OTHER = "another-token-of-this-test"

# Every setting: its variable, a value other than the default, and what the value becomes.
CHOICES = [
    ("model_url", "MODEL_URL", "http://models.example", "http://models.example"),
    ("model_key", "MODEL_KEY", "not-a-real-key", SecretStr("not-a-real-key")),
    ("model_name", "MODEL_NAME", "small", "small"),
    ("deadline", "LOGDOCKET_DEADLINE", "1.5", 1.5),
    ("attempt_timeout", "LOGDOCKET_ATTEMPT_TIMEOUT", "0.5", 0.5),
    ("model_output", "LOGDOCKET_MODEL_OUTPUT", "Text", "text"),
    ("model_max_tokens", "LOGDOCKET_MODEL_MAX_TOKENS", "16", 16),
    ("model_concurrency", "LOGDOCKET_MODEL_CONCURRENCY", "1", 1),
    ("max_response", "LOGDOCKET_MAX_RESPONSE", "2048", 2048),
    ("egress", "LOGDOCKET_EGRESS", "OFF", "off"),
    ("model_min_severity", "LOGDOCKET_MODEL_MIN_SEVERITY", "High", Severity.HIGH),
    ("cache_scope", "LOGDOCKET_CACHE_SCOPE", "line", CacheScope.LINE),
    ("budget_tokens", "LOGDOCKET_BUDGET_TOKENS", "0", 0),
    ("budget_usd", "LOGDOCKET_BUDGET_USD", "0.25", Decimal("0.25")),
    ("price_input", "LOGDOCKET_PRICE_INPUT", "0.15", Decimal("0.15")),
    ("price_output", "LOGDOCKET_PRICE_OUTPUT", "0.6", Decimal("0.6")),
    ("breaker_failures", "LOGDOCKET_BREAKER_FAILURES", "1", 1),
    ("breaker_seconds", "LOGDOCKET_BREAKER_SECONDS", "0.5", 0.5),
    ("second_looks", "LOGDOCKET_SECOND_LOOKS", "0", 0),
    ("db", "LOGDOCKET_DB", "other.db", Path("other.db")),
    ("host", "LOGDOCKET_HOST", "::1", "::1"),
    ("port", "LOGDOCKET_PORT", "0", 0),
    ("tokens", "LOGDOCKET_TOKENS", TOKEN, (SecretStr(TOKEN),)),
    ("max_line", "LOGDOCKET_MAX_LINE", "100", 100),
    ("max_body", "LOGDOCKET_MAX_BODY", "101", 101),
    ("max_batch", "LOGDOCKET_MAX_BATCH", "102", 102),
    ("body_timeout", "LOGDOCKET_BODY_TIMEOUT", "0.5", 0.5),
    ("cache_ttl", "LOGDOCKET_CACHE_TTL", "0", 0),
    ("fallback_ttl", "LOGDOCKET_FALLBACK_TTL", "7", 7),
    ("cache_size", "LOGDOCKET_CACHE_SIZE", "1", 1),
    ("keep_text", "LOGDOCKET_KEEP_TEXT", "true", True),
    ("risk", "LOGDOCKET_RISK", "0.25", 0.25),
    (
        "confidence_table",
        "LOGDOCKET_CONFIDENCE_TABLE",
        "table.json",
        Path("table.json"),
    ),
    ("busy_timeout", "LOGDOCKET_BUSY_TIMEOUT", "0", 0.0),
    ("queue", "LOGDOCKET_QUEUE", "false", False),
    ("log_level", "LOGDOCKET_LOG_LEVEL", "WARNING", "warning"),
]

WRONG = [
    ("LOGDOCKET_DEADLINE", "0", "give at least 0.1"),
    ("LOGDOCKET_DEADLINE", "inf", "give at most 3600"),
    ("LOGDOCKET_ATTEMPT_TIMEOUT", "nan", "give "),
    ("LOGDOCKET_MODEL_OUTPUT", "xml", "give 'auto', 'schema', 'tool' or 'text'"),
    ("LOGDOCKET_EGRESS", "on", "give 'redacted' or 'off'"),
    (
        "LOGDOCKET_MODEL_MIN_SEVERITY",
        "warn",
        "give 'low', 'medium', 'high' or 'critical'",
    ),
    ("LOGDOCKET_CACHE_SCOPE", "all", "give 'template' or 'line'"),
    ("LOGDOCKET_BUDGET_TOKENS", "-1", "give at least 0"),
    ("LOGDOCKET_BUDGET_TOKENS", "1e6", "give a whole number"),
    ("MODEL_NAME", " ", "is no name: give 1 to 256 printable characters"),
    ("LOGDOCKET_BUDGET_TOKENS", "1000000000000001", "give at most 1000000000000000"),
    ("LOGDOCKET_PRICE_OUTPUT", "10001", "give at most 10000"),
    ("LOGDOCKET_BUDGET_USD", "ten", "give a number"),
    ("LOGDOCKET_BUDGET_USD", "inf", "give a number"),
    ("LOGDOCKET_BUDGET_USD", "nan", "give a number"),
    ("LOGDOCKET_PRICE_INPUT", "-0.1", "give at least 0"),
    ("LOGDOCKET_BREAKER_FAILURES", "0", "give at least 1"),
    ("LOGDOCKET_PORT", "http", "give a whole number"),
    ("LOGDOCKET_PORT", "80.5", "give a whole number"),
    ("LOGDOCKET_PORT", "-1", "give at least 0"),
    ("LOGDOCKET_PORT", "65536", "give at most 65535"),
    ("LOGDOCKET_MAX_LINE", "0", "give at least 1"),
    ("LOGDOCKET_MAX_BODY", "1MB", "give a whole number"),
    ("LOGDOCKET_MAX_BATCH", "0", "give at least 1"),
    ("LOGDOCKET_BODY_TIMEOUT", "0", "give more than 0"),
    ("LOGDOCKET_BODY_TIMEOUT", "inf", "give at most 86400"),
    ("LOGDOCKET_CACHE_TTL", "-1", "give at least 0"),
    ("LOGDOCKET_FALLBACK_TTL", "a minute", "give a whole number"),
    ("LOGDOCKET_CACHE_SIZE", "0", "give at least 1"),
    ("LOGDOCKET_KEEP_TEXT", "perhaps", "give true or false"),
    ("LOGDOCKET_RISK", "2%", "give a number"),
    ("LOGDOCKET_RISK", "1.01", "give at most 1"),
    ("LOGDOCKET_RISK", "nan", "give at "),
    ("LOGDOCKET_BUSY_TIMEOUT", "nan", "give at "),
    ("LOGDOCKET_BUSY_TIMEOUT", "inf", "give at most 3600"),
    ("LOGDOCKET_SECOND_LOOKS", "-1", "give at least 0"),
    ("LOGDOCKET_QUEUE", "maybe", "give true or false"),
    ("LOGDOCKET_LOG_LEVEL", "loud", "give 'debug', 'info', 'warning' or 'error'"),
]


def test_the_table_of_choices_names_every_setting() -> None:
    """So the tests that follow leave none out."""
    assert [name for name, *_ in CHOICES] == list(Settings.model_fields)
    assert {name: variable(name) for name in Settings.model_fields} == {
        name: named for name, named, *_ in CHOICES
    }


@pytest.mark.parametrize(("name", "variable", "value", "becomes"), CHOICES)
def test_a_setting_comes_from_its_variable(
    name: str, variable: str, value: str, becomes: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And no other setting changes with it."""
    monkeypatch.setenv(variable, value)
    chosen, shipped = Settings.load(), Settings.model_construct()
    assert getattr(chosen, name) == becomes != getattr(shipped, name)
    others = set(Settings.model_fields) - {name}
    assert [other for other in others if getattr(chosen, other) != getattr(shipped, other)] == []


@pytest.mark.parametrize(("name", "variable", "value", "becomes"), CHOICES)
def test_an_empty_variable_counts_as_unset(
    name: str, variable: str, value: str, becomes: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a file of variables leaves those that nobody filled in."""
    monkeypatch.setenv(variable, "")
    assert getattr(Settings.load(), name) == getattr(Settings.model_construct(), name)


@pytest.mark.parametrize(("variable", "value", "mend"), WRONG)
def test_a_wrong_value_is_told_in_one_line(
    variable: str, value: str, mend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which variable, what it holds, and what to give instead."""
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError) as caught:
        Settings.load()
    message = str(caught.value)
    assert message.startswith(f"{variable}={value}: {mend}")
    assert "\n" not in message


@pytest.mark.parametrize("name", ["a\nb", "a\udcffb", "\x1b[31m", "m" * 257])
def test_a_name_that_no_table_can_show_is_none(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stands in every entry of a call; what is told of it can be shown."""
    monkeypatch.setenv("MODEL_NAME", name)
    with pytest.raises(SettingsError, match=r"^MODEL_NAME=.{1,60}: is no name") as caught:
        Settings.load()
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("url", ["http://a b/v1", "http://model.example/v1\n/x", "http://a\x00/"])
def test_a_url_holds_no_space(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be told with each call that there is no connection."""
    monkeypatch.setattr(os, "environ", {**os.environ, "MODEL_URL": url})
    with pytest.raises(SettingsError, match=r"^MODEL_URL: holds a space"):
        Settings.load()


def test_every_wrong_value_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has to mend one to hear of the next."""
    monkeypatch.setenv("LOGDOCKET_PORT", "x")
    monkeypatch.setenv("LOGDOCKET_RISK", "7")
    with pytest.raises(SettingsError, match=r"LOGDOCKET_PORT=x: .*; LOGDOCKET_RISK=7: "):
        Settings.load()


def test_a_long_wrong_value_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """A message stays readable whatever was pasted into the variable."""
    monkeypatch.setenv("LOGDOCKET_PORT", "9" * 10_000)
    with pytest.raises(SettingsError) as caught:
        Settings.load()
    assert len(str(caught.value)) < 200


def test_a_choice_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """And a choice that was not made, None, does not."""
    monkeypatch.setenv("LOGDOCKET_PORT", "1234")
    monkeypatch.setenv("LOGDOCKET_DB", "environment.db")
    settings = Settings.load(db=Path("chosen.db"), port=None)
    assert (settings.db, settings.port) == (Path("chosen.db"), 1234)


def test_a_choice_wins_over_a_wrong_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    """What has no effect need not be right."""
    monkeypatch.setenv("LOGDOCKET_PORT", "http")
    assert Settings.load(port=8080).port == 8080


def test_the_database_is_in_the_current_folder() -> None:
    """Unless someone says otherwise."""
    assert Settings.load().db == Path("logdocket.db")


def test_no_file_is_read(tmp_path: Path) -> None:
    """What a folder happens to hold decides nothing."""
    for name in (".env", "logdocket.env", ".env.local"):
        (tmp_path / name).write_text("LOGDOCKET_PORT=1\nMODEL_NAME=small\n")
    assert Settings.load() == Settings.model_construct()


def test_unknown_choices_are_refused() -> None:
    """A misspelt keyword is not dropped."""
    with pytest.raises(SettingsError, match="LOGDOCKET_DATABASE"):
        Settings.load(database="x.db")


def test_settings_do_not_change() -> None:
    """Whoever holds them holds what was checked."""
    settings = Settings.load()
    with pytest.raises(ValidationError, match="frozen"):
        settings.port = 1  # type: ignore[misc]


def test_tokens_are_a_list_with_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blanks around them and empty places count for nothing."""
    monkeypatch.setenv("LOGDOCKET_TOKENS", f" {TOKEN}, ,{OTHER} ,")
    assert [token.get_secret_value() for token in Settings.load().tokens] == [TOKEN, OTHER]


@pytest.mark.parametrize("token", ["fifteen-letters", "sixteen-letterŝ", "sixteen\tletters."])
def test_a_token_that_is_easily_guessed_or_mistyped_is_refused(
    token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message says which one it is, and not what it is."""
    monkeypatch.setenv("LOGDOCKET_TOKENS", f"{TOKEN},{token}")
    with pytest.raises(SettingsError, match=r"^LOGDOCKET_TOKENS: token 2 .* 16 ") as caught:
        Settings.load()
    assert token not in str(caught.value)
    assert TOKEN not in str(caught.value)


def test_secrets_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither by the settings, nor by an error about them, nor by what caused it."""
    monkeypatch.setenv("LOGDOCKET_TOKENS", TOKEN)
    monkeypatch.setenv("MODEL_KEY", OTHER)
    settings = Settings.load()
    with pytest.raises(ValidationError) as caught:
        Settings(tokens="a-secret")
    shown = f"{settings} {settings!r} {settings.model_dump()} {settings.model_dump_json()}"
    assert TOKEN not in shown
    assert OTHER not in shown
    assert "a-secret" not in f"{caught.value} {caught.value!r}"


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.1", "::1", "localhost"])
def test_this_machine_may_be_served_without_tokens(host: str) -> None:
    """Loopback reaches nobody else."""
    Settings.load(host=host).check_listen()


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "web-1.example", "*", "127.1"])
def test_other_machines_are_served_with_tokens_alone(host: str) -> None:
    """Whatever might be reachable from outside counts as such."""
    with pytest.raises(SettingsError, match=r"set LOGDOCKET_TOKENS, or listen on 127\.0\.0\.1"):
        Settings.load(host=host).check_listen()
    Settings.load(host=host, tokens=TOKEN).check_listen()


def test_the_policy_is_the_settings_own() -> None:
    """Each value reaches the docket under its own name."""
    settings = Settings.load(risk=0.1, cache_ttl=100, fallback_ttl=7, cache_size=3, keep_text=True)
    assert settings.policy() == Policy(
        risk=0.1, cache_ttl=100, fallback_ttl=7, remembered=3, keep_text=True
    )
    assert settings.policy().ttl(Source.FALLBACK) == 7_000_000


def test_names_that_are_no_setting_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that looks like ours and has no effect is most likely misspelt."""
    for name in ("LOGDOCKET_PROT", "LOGDOCKET_MODEL_URL", "LOGDOCKET_", "LOGDOCKET_PORT"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("MODEL_TEMPERATURE", "1")
    assert strangers() == ["LOGDOCKET_", "LOGDOCKET_MODEL_URL", "LOGDOCKET_PROT"]
