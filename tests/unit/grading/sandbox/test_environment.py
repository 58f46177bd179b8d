"""Which variables a command has."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from logdocket.grading.sandbox.environment import MARK, configure, environment


def given(
    *, network: bool = False, refuse: bool = False, told: dict[str, str] | None = None
) -> dict[str, str]:
    """The environment of a command."""
    return environment(
        told or {},
        home=Path("/home-of-its-own"),
        temporary=Path("/temporary"),
        mark="m",
        network=network,
        refuse=refuse,
    )


def test_it_is_told_that_it_is_offline() -> None:
    """So that nothing waits for a network that is not there."""
    found = given()
    assert found["PIP_NO_INDEX"] == "1"
    assert found["GOPROXY"] == "off"
    assert (found["HOME"], found["TMPDIR"], found[MARK]) == ("/home-of-its-own", "/temporary", "m")
    assert "https_proxy" not in found


def test_without_a_namespace_proxies_refuse() -> None:
    """All but loopback."""
    found = given(refuse=True)
    assert found["HTTPS_PROXY"] == found["https_proxy"] == "http://127.0.0.1:9"
    assert "127.0.0.1" in found["NO_PROXY"]


@pytest.mark.parametrize(
    ("name", "value", "let"),
    [
        ("PIP_CERT", "/etc/ssl/ca.pem", True),
        ("UV_DEFAULT_INDEX", "http://packages.example/simple", True),
        ("npm_config_registry", "http://packages.example", True),
        ("HTTPS_PROXY", "http://proxy.example:3128", True),
        ("REQUESTS_CA_BUNDLE", "/etc/ssl/ca.pem", True),
        ("PIP_EXTRA", "http://name:word@packages.example/simple", False),
        ("HTTPS_PROXY", "http://name:word@proxy.example:3128", False),
        ("UV_PUBLISH_TOKEN", "made-up", False),
        ("UV_INDEX_MINE_PASSWORD", "made-up", False),
        ("npm_config__auth", "made-up", False),
        ("CARGO_REGISTRIES_MINE_CREDENTIAL_PROVIDER", "made-up", False),
        ("CARGO_HOME", "/elsewhere", False),
        ("AWS_PROFILE", "made-up", False),
    ],
)
def test_a_set_up_has_what_leads_to_packages(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, let: bool
) -> None:
    """But nothing that is a secret, nor leads to the real home."""
    monkeypatch.setenv(name, value)
    assert (given(network=True).get(name) == value) is let
    assert given().get(name) != value


def test_what_is_told_wins() -> None:
    """The manifest may set a language, but not the mark."""
    found = given(told={"LANG": "C", MARK: "other"})
    assert (found["LANG"], found[MARK]) == ("C", "m")


def test_only_absolute_places_are_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies in the checkout is no tool of the machine."""
    monkeypatch.setenv("PATH", "bin:.::/usr/bin:/bin")
    assert given()["PATH"] == "/usr/bin:/bin"


def test_packages_of_the_grader_are_not_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the place of its virtual environment stands the interpreter beneath."""
    (tmp_path / "venv" / "bin").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "venv")
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "venv"))
    monkeypatch.setattr(sys, "base_prefix", "/base")
    monkeypatch.setenv("PATH", f"{tmp_path}/venv/bin:/usr/bin:{tmp_path}/link/bin/:/bin")
    assert given()["PATH"] == "/base/bin:/usr/bin:/base/bin:/bin"


def test_where_packages_come_from_is_copied_without_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Line by line where that leaves a file that can be read."""
    real, home = tmp_path / "real", tmp_path / "home"
    for name, text in {
        ".npmrc": "registry=http://packages.example\n//packages.example/:_authToken=made-up\n",
        ".config/pip/pip.conf": "[global]\ntimeout = 5\nindex = http://me:word@packages.example\n",
        ".config/uv/uv.toml": 'index = "http://me:word@packages.example"\n',
        ".cargo/config.toml": "[net]\nretry = 1\n",
    }.items():
        (real / name).parent.mkdir(parents=True, exist_ok=True)
        (real / name).write_text(text)
    monkeypatch.setenv("HOME", str(real))
    configure(home)
    found = {
        str(path.relative_to(home)): path.read_text() for path in home.rglob("*") if path.is_file()
    }
    assert found == {
        ".npmrc": "registry=http://packages.example\n",
        ".config/pip/pip.conf": "[global]\ntimeout = 5\n",
        ".cargo/config.toml": "[net]\nretry = 1\n",
    }
