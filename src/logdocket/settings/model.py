"""What an operator may choose about the model: where it is, how long, how much, what may leave."""

from __future__ import annotations

from decimal import Decimal
from typing import Final, Literal
from urllib.parse import urlsplit

from pydantic import AliasChoices, Field, SecretStr, field_validator
from pydantic_settings import BaseSettings

from logdocket.docket import CacheScope
from logdocket.line import Severity

_NANO: Final = 1_000_000_000
_URL: Final = "give an http or https URL such as http://127.0.0.1:11434/v1"
_LONGEST: Final = 256


class ModelSettings(BaseSettings):
    """The part of the settings that is about the model."""

    model_url: str | None = Field(
        default=None,
        validation_alias=AliasChoices("model_url", "MODEL_URL"),
        description="Base URL of an OpenAI-compatible API, such as `http://127.0.0.1:11434/v1`. "
        "Unset, no model is called, unless `MODEL_NAME` names a provider.",
    )
    model_key: SecretStr | None = Field(
        default=None,
        validation_alias=AliasChoices("model_key", "MODEL_KEY"),
        description="The model's key, never printed or stored. Without one no call is made; for a "
        "model that wants none, any word will do.",
    )
    model_name: str | None = Field(
        default=None,
        validation_alias=AliasChoices("model_name", "MODEL_NAME"),
        description="The model's name; `default` if unset. `provider:model` for a provider's own "
        "API, without `MODEL_URL`.",
    )
    deadline: float = Field(
        default=20.0,
        ge=0.1,
        le=3_600,
        description="Seconds that a line may take, all attempts and the ledger included.",
    )
    attempt_timeout: float | None = Field(
        default=None,
        gt=0,
        le=3_600,
        description="Seconds that one attempt may take. Unset, the first gets six tenths of what "
        "the deadline leaves, the retry all of it.",
    )
    model_output: Literal["auto", "schema", "tool", "text"] = Field(
        default="auto",
        description="How the answer is constrained: by JSON Schema, by a tool call, or by asking. "
        "`auto` begins with the schema and asks from the first 400 on that says so.",
    )
    model_max_tokens: int = Field(
        default=512, ge=16, le=1_000_000, description="Most tokens that an answer may have."
    )
    model_concurrency: int = Field(
        default=256,
        ge=1,
        le=10_000,
        description="Calls at once in each process; other lines wait within their deadline.",
    )
    max_response: int = Field(
        default=1_048_576,
        ge=1_024,
        description="Longest response of the model, in bytes after decompression.",
    )
    egress: Literal["redacted", "off"] = Field(
        default="redacted",
        description="What may leave: the line without its secrets, or nothing, so that no model "
        "is called.",
    )
    model_min_severity: Severity | None = Field(
        default=None,
        description="Least severity, as the line states it, for which a model is asked: `low`, "
        "`medium`, `high` or `critical`. Unset, it is asked about all lines; about those that "
        "state none it always is.",
    )
    cache_scope: CacheScope = Field(
        default=CacheScope.TEMPLATE,
        description="Which lines share a model's answer: those of one `template`, or only the same "
        "`line`.",
    )
    budget_tokens: int | None = Field(
        default=None,
        ge=0,
        le=1_000_000_000_000_000,
        description="Tokens that a UTC day may cost, over all processes. Unset, no bound.",
    )
    budget_usd: Decimal | None = Field(
        default=None,
        ge=0,
        le=1_000_000_000,
        description="US dollars that a UTC day may cost, over all processes. Unset, no bound.",
    )
    price_input: Decimal | None = Field(
        default=None,
        ge=0,
        le=10_000,
        description="US dollars for a million tokens sent, where the price list that comes with "
        "Logdocket does not know the model.",
    )
    price_output: Decimal | None = Field(
        default=None,
        ge=0,
        le=10_000,
        description="US dollars for a million tokens answered; set together with the one above.",
    )
    breaker_failures: int = Field(
        default=5,
        ge=1,
        description="Failures in a row after which the model is left alone for a while.",
    )
    breaker_seconds: float = Field(
        default=30.0, gt=0, le=86_400, description="Seconds until it is tried again, by one call."
    )

    second_looks: int = Field(
        default=30,
        ge=0,
        le=6_000,
        description="Lines a minute that each process asks the model about once more in the "
        "background, where a ticket fell back for the model's fault and its text is kept; 0 for "
        "none.",
    )

    @field_validator("model_url")
    @classmethod
    def _is_url(cls, value: str | None) -> str | None:
        # The value may hold a key: it is not shown.
        if value is None:
            return value
        try:
            parts = urlsplit(value)
            port = parts.port
        except ValueError:
            raise ValueError(_URL) from None
        if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
            raise ValueError(_URL)
        if any(char.isspace() or not char.isprintable() for char in value.strip()):
            raise ValueError("holds a space or a control character: give a URL without")
        return value

    @field_validator("model_name")
    @classmethod
    def _is_name(cls, value: str | None) -> str | None:
        # It stands in every entry of a call, and in tables.
        if value is not None and not (value.isprintable() and 0 < len(value.strip()) <= _LONGEST):
            raise ValueError(f"is no name: give 1 to {_LONGEST} printable characters")
        return value

    @field_validator("egress", "model_output", "model_min_severity", "cache_scope", mode="before")
    @classmethod
    def _lower_word(cls, value: object) -> object:
        return value.lower() if isinstance(value, str) else value

    @property
    def budget_nano_usd(self) -> int | None:
        """The day's money in billionths of a US dollar."""
        return None if self.budget_usd is None else int(self.budget_usd * _NANO)

    @property
    def prices(self) -> tuple[float, float] | None:
        """US dollars for a million tokens sent and answered, where the operator gave both."""
        if self.price_input is None or self.price_output is None:
            return None
        return float(self.price_input), float(self.price_output)

    @property
    def names_model(self) -> bool:
        """Whether a model is set up: by an address, or by a provider's name."""
        return self.model_url is not None or ":" in (self.model_name or "")
