from __future__ import annotations

import pytest

from logdocket.errors import SettingsError
from logdocket.http import Role
from logdocket.settings import ROLES, NamedToken, Settings

SECRET = "an-invented-token-one"
OTHER = "an-invented-token-two"


def named(entries: str) -> tuple[NamedToken, ...]:
    """The tokens of the setting."""
    return Settings.load(tokens=entries).named_tokens()


def test_a_bare_token_may_do_all_and_is_called_by_its_place() -> None:
    """As before there were roles."""
    assert named(f"{SECRET}, {OTHER}") == (
        NamedToken("token-1", ("admin",), SECRET),
        NamedToken("token-2", ("admin",), OTHER),
    )


def test_a_token_may_have_a_name_and_roles() -> None:
    """Beside bare ones."""
    assert named(f"on-call:read+extract:{SECRET},{OTHER}") == (
        NamedToken("on-call", ("read", "extract"), SECRET),
        NamedToken("token-2", ("admin",), OTHER),
    )


@pytest.mark.parametrize("secret", ["with:one-colon-in-it", "http://not-a-name:but-long"])
def test_a_bare_token_may_hold_a_colon(secret: str) -> None:
    """Those that were set before go on."""
    assert named(secret) == (NamedToken("token-1", ("admin",), secret),)


def test_a_secret_may_hold_colons() -> None:
    """Only the first two part it."""
    assert named("rev-a:review:a:b:c:d:e:f:g:h:i") == (
        NamedToken("rev-a", ("review",), "a:b:c:d:e:f:g:h:i"),
    )


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        (f"rev-a:write:{SECRET}", "token 1 has an unknown role: give NAME:ROLE"),
        (f"rev-a::{SECRET}", "token 1 has an unknown role"),
        (f"rev-a:read+:{SECRET}", "token 1 has an unknown role"),
        (f":read:{SECRET}", "token 1 has no good name"),
        (f"rev a:read:{SECRET}", "token 1 has no good name"),
        (f"rev\u00e9:read:{SECRET}", "token 1 has no good name"),
        (f".a:read:{SECRET}", "token 1 has no good name"),
        (f"{'a' * 65}:read:{SECRET}", "token 1 has no good name"),
        (f"{OTHER},rev-a:read:too-short", "token 2 is too short"),
        (f"a:read:{SECRET},a:review:{OTHER}", "token 2 has the name of token 1"),
        (f"token-2:read:{SECRET},{OTHER}", "token 2 has the name of token 1"),
        (f"a:read:{SECRET},b:review:{SECRET}", "token 2 has the secret of token 1"),
    ],
)
def test_what_is_no_token_is_refused(entries: str, told: str) -> None:
    """By its place, and never with its secret."""
    with pytest.raises(SettingsError) as caught:
        named(entries)
    assert str(caught.value).startswith(f"LOGDOCKET_TOKENS: {told}")
    for secret in (SECRET, OTHER, "too-short"):
        assert secret not in str(caught.value)


def test_the_roles_are_those_of_the_service() -> None:
    """Two layers name them, and mean the same."""
    assert tuple(Role) == ROLES


def test_a_token_prints_without_its_secret() -> None:
    """Wherever it may end up."""
    (token,) = named(f"rev-a:review+extract:{SECRET}")
    assert repr(token) == "NamedToken('rev-a', review+extract)"
