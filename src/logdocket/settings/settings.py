"""Everything an operator may choose, read from the environment and checked once.

``MODEL_URL``, ``MODEL_KEY`` and ``MODEL_NAME`` are read bare, as other tools read them; all else is
``LOGDOCKET_*``. A variable that is empty counts as unset, and no file is read. Secrets are held so
that printing the settings, or an error about them, does not show them.
"""

from __future__ import annotations

import ipaddress
import os
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import NoDecode, SettingsConfigDict

from logdocket.docket import Caps, Policy
from logdocket.errors import SettingsError
from logdocket.settings.model import ModelSettings
from logdocket.settings.tokens import NamedToken, named_tokens

PREFIX: Final = "LOGDOCKET_"
_SECRET: Final = frozenset({"tokens", "model_key", "model_url"})
_BARE: Final = frozenset({"model_url", "model_key", "model_name"})
_LONGEST_SHOWN: Final = 40
_MENDS: Final = {
    "int_parsing": "give a whole number",
    "int_parsing_size": "give a smaller number",
    "float_parsing": "give a number",
    "decimal_parsing": "give a number",
    "finite_number": "give a number",
    "bool_parsing": "give true or false",
    "greater_than": "give more than {gt}",
    "greater_than_equal": "give at least {ge}",
    "less_than_equal": "give at most {le}",
    "literal_error": "give {expected}",
    "enum": "give {expected}",
    "extra_forbidden": "there is no such setting",
}
"""What to do, by pydantic's type of error and its context."""


class Settings(ModelSettings):
    """An operator's choices; each field's description says what it does and in which unit.

    Keyword arguments win over the environment. Raises SettingsError through :meth:`load`, and
    pydantic's ValidationError when built directly.
    """

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_ignore_empty=True,
        frozen=True,
        extra="forbid",
        hide_input_in_errors=True,
        validate_default=False,
    )

    db: Path = Field(default=Path("logdocket.db"), description="Path of the SQLite database.")
    host: str = Field(default="127.0.0.1", description="Address to listen on.")
    port: int = Field(
        default=8000, ge=0, le=65535, description="Port to listen on; 0 takes a free one."
    )
    tokens: Annotated[tuple[SecretStr, ...], NoDecode] = Field(
        default=(),
        description="Bearer tokens of 16 or more printable ASCII characters, comma-separated; "
        "needed to listen beyond loopback. `NAME:ROLE+ROLE:TOKEN` gives one a name and some of the "
        "roles `read`, `extract`, `review` and `admin`; a bare one may do all.",
    )
    max_line: int = Field(default=65_536, ge=1, description="Longest line accepted, in bytes.")
    max_body: int = Field(
        default=1_048_576,
        ge=1,
        description="Longest body of `POST /extract`, in bytes after decompression.",
    )
    max_batch: int = Field(
        default=1_073_741_824,
        ge=1,
        description="Longest body of `POST /extract/batch`, in bytes after decompression.",
    )
    body_timeout: float = Field(
        default=10.0,
        gt=0,
        le=86_400,
        description="Seconds a request body, or the next piece of a batch, may take.",
    )
    cache_ttl: int = Field(default=86_400, ge=0, description="Seconds that a ticket is reused.")
    fallback_ttl: int = Field(
        default=60, ge=0, description="Seconds that a fallback's ticket is reused."
    )
    cache_size: int = Field(default=10_000, ge=1, description="Tickets remembered in memory.")
    keep_text: bool = Field(default=False, description="Store each line's text beside its ticket.")
    risk: float = Field(
        default=0.02,
        ge=0,
        le=1,
        description="Share of wrong tickets that may pass without a person.",
    )
    confidence_table: Path | None = Field(
        default=None,
        description="Path of a table of confidence that `logdocket calibrate` wrote. Unset, the "
        "one that comes with Logdocket.",
    )
    busy_timeout: float = Field(
        default=2.0,
        ge=0,
        le=3_600,
        description="Seconds to wait for a locked database before going without.",
    )
    queue: bool = Field(
        default=True,
        description="Whether the service keeps the review queue up to date in the background.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="Least severe message of the service's own log."
    )

    @field_validator("tokens", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(token.strip() for token in value.split(",") if token.strip())
        return value

    @field_validator("tokens")
    @classmethod
    def _are_tokens(cls, value: tuple[SecretStr, ...]) -> tuple[SecretStr, ...]:
        named_tokens(token.get_secret_value() for token in value)
        return value

    @field_validator("log_level", mode="before")
    @classmethod
    def _lower(cls, value: object) -> object:
        return value.lower() if isinstance(value, str) else value

    @classmethod
    def load(cls, **choices: Any) -> Settings:
        """The settings from the environment, with ``choices`` that are not None winning.

        Raises:
            SettingsError: names each setting that is wrong, and why, on one line.
        """
        try:
            return cls(**{name: value for name, value in choices.items() if value is not None})
        except ValidationError as error:
            raise SettingsError("; ".join(map(_told, error.errors()))) from None

    def named_tokens(self) -> tuple[NamedToken, ...]:
        """The tokens with name and roles of each; a bare one is ``token-N`` and may do all."""
        return named_tokens(token.get_secret_value() for token in self.tokens)

    def policy(self) -> Policy:
        """What the docket needs to know of these, but for the model."""
        return Policy(
            risk=self.risk,
            cache_ttl=self.cache_ttl,
            fallback_ttl=self.fallback_ttl,
            remembered=self.cache_size,
            keep_text=self.keep_text,
            caps=Caps(self.budget_tokens, self.budget_nano_usd),
            cache_scope=self.cache_scope,
            min_severity=self.model_min_severity,
        )

    def check_listen(self, given: str = f"{PREFIX}HOST=") -> None:
        """Refuse to listen where strangers may reach, unless tokens guard the service.

        ``given`` is where the host was told, as it stands before it in the message.

        Raises:
            SettingsError: the address is not loopback and there are no tokens.
        """
        if not self.tokens and not _is_loopback(self.host):
            raise SettingsError(
                f"{given}{self.host} is no loopback address, and without {PREFIX}TOKENS no other "
                f"is listened on: set {PREFIX}TOKENS, or listen on 127.0.0.1"
            )


def variable(name: str) -> str:
    """The environment variable that sets the field ``name``."""
    return name.upper() if name.lower() in _BARE else PREFIX + name.upper()


def strangers() -> list[str]:
    """Names in the environment that look like ours and are no setting: most likely misspelt."""
    known = {variable(name) for name in Settings.model_fields}
    return sorted(name for name in os.environ if name.startswith(PREFIX) and name not in known)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _told(error: Any) -> str:
    """What is wrong with one setting, with its value unless that is a secret."""
    name = str(error["loc"][0]).lower() if error["loc"] else "settings"
    given, shown = error.get("input"), ""
    if name not in _SECRET and isinstance(given, str | int | float):
        told = str(given)[:_LONGEST_SHOWN]
        shown = f"={told if told.isprintable() else ascii(told)}"
    message = str(error["msg"]).removeprefix("Value error, ")
    mend = _MENDS.get(error["type"], f"{message[:1].lower()}{message[1:]}")
    return f"{variable(name)}{shown}: {mend.format(**error.get('ctx', {}))}"
