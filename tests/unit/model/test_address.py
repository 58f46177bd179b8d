from __future__ import annotations

import pytest

from logdocket.errors import BadModel
from logdocket.model.address import Address, split_name

URLS = {
    "http://127.0.0.1:8080/v1": "http://127.0.0.1:8080/v1",
    "http://127.0.0.1:8080/v1/": "http://127.0.0.1:8080/v1",
    " https://gateway.example/v1/chat/completions ": "https://gateway.example/v1",
    "https://gateway.example/v1/chat/completions/": "https://gateway.example/v1",
    "https://gateway.example/v1/responses": "https://gateway.example/v1",
    "https://gateway.example": "https://gateway.example",
    "https://gateway.example/openai/?api-version=1": "https://gateway.example/openai",
}


@pytest.mark.parametrize(("given", "base"), URLS.items())
def test_an_address_is_taken_as_people_paste_it(given: str, base: str) -> None:
    """From a curl command as well as from a settings page."""
    assert Address.of(given, None).base_url == base


def test_a_query_is_kept_apart() -> None:
    """It belongs behind the path that the client adds."""
    assert Address.of("https://a.example/v1?api-version=1&x=2", None).query == {
        "api-version": "1",
        "x": "2",
    }


@pytest.mark.parametrize(
    "url",
    [
        "gateway.example/v1",
        "ftp://a.example",
        "http://",
        "https://[::1",
        "http://a.example:x",
        "/v1",
    ],
)
def test_what_is_no_url_is_refused(url: str) -> None:
    """With the setting to mend."""
    with pytest.raises(BadModel, match=r"MODEL_URL"):
        Address.of(url, None)


def test_a_password_in_the_url_is_refused_and_not_repeated() -> None:
    """It would end up in logs, and override the key."""
    with pytest.raises(BadModel, match=r"MODEL_KEY") as caught:
        Address.of("https://me:hidden-word@a.example/v1", None)
    assert "hidden-word" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "provider", "identity"),
    [
        ("http://127.0.0.1:8080/v1", None, "m@127.0.0.1:8080"),
        ("https://gateway.example/team-7/v1?key=hidden", None, "m@gateway.example"),
        ("http://[::1]:9/v1", None, "m@[::1]:9"),
        (None, "anthropic", "anthropic:m"),
        ("http://127.0.0.1:9", "anthropic", "anthropic:m@127.0.0.1:9"),
    ],
)
def test_a_model_is_known_by_its_host_and_name(
    url: str | None, provider: str | None, identity: str
) -> None:
    """Path and query may hold what is nobody's business."""
    assert Address.of(url, provider).identity("m") == identity


@pytest.mark.parametrize(
    ("url", "loopback"),
    [
        ("http://127.0.0.1/v1", True),
        ("http://127.8.8.8/v1", True),
        ("http://[::1]/v1", True),
        ("http://localhost:1/v1", True),
        ("http://api.localhost/v1", True),
        ("http://192.0.2.1/v1", False),
        ("http://localhost.example/v1", False),
    ],
)
def test_this_machine_is_told_from_others(url: str, loopback: bool) -> None:
    """No proxy stands before it."""
    assert Address.of(url, None).loopback is loopback


def test_a_provider_is_part_of_the_name_where_no_url_is_set() -> None:
    """The first colon parts them."""
    assert split_name("anthropic:large:x", has_url=False) == ("anthropic", "large:x")


def test_behind_a_url_names_have_colons_of_their_own() -> None:
    """``mistral:7b`` is a tag of a local server, and no provider."""
    assert split_name("mistral:7b", has_url=True) == (None, "mistral:7b")
    assert split_name("m", has_url=True) == (None, "m")
    assert split_name("anthropic:large-x", has_url=True) == ("anthropic", "large-x")


@pytest.mark.parametrize(
    ("name", "mend"),
    [
        ("gpt-4o", "MODEL_URL"),
        ("openai:", "provider:model"),
        ("groq:llama", r"MODEL_URL=https://api\.groq\.com/openai/v1"),
        ("bedrock:m", "more than a key"),
        ("nobody:m", "no known provider"),
    ],
)
def test_a_name_that_tells_no_address_is_refused(name: str, mend: str) -> None:
    """With what to set instead."""
    with pytest.raises(BadModel, match=mend):
        split_name(name, has_url=False)


def test_a_provider_that_is_not_spoken_is_refused_at_an_address_too() -> None:
    """However the client is made."""
    with pytest.raises(BadModel, match="groq"):
        Address.of("http://127.0.0.1:1", "groq")
    with pytest.raises(BadModel, match="MODEL_URL"):
        Address.of(None, None)
