"""Where the model is: the address of an API, or a provider whose own API is spoken."""

from __future__ import annotations

import ipaddress
from typing import Final
from urllib.parse import parse_qsl, urlsplit

import msgspec

from logdocket.errors import BadModel

__all__ = ["NATIVE", "Address", "split_name"]

NATIVE: Final[dict[str, str | None]] = {
    "alibaba": None,
    "anthropic": "anthropic",
    "cerebras": None,
    "crusoe": None,
    "deepseek": None,
    "fireworks": None,
    "google": "google",
    "mistral": "mistral",
    "moonshotai": None,
    "nebius": None,
    "openai": None,
    "openrouter": None,
    "ovhcloud": None,
    "sambanova": None,
    "together": None,
    "vercel": None,
    "zai": None,
}
"""Providers whose API is spoken by name, and the extra that each needs beside ``model``."""

_SPOKEN_AT_A_URL: Final = ("anthropic", "google")
"""Those that are spoken at MODEL_URL too: no other server names its models so."""

_ELSEWHERE: Final[dict[str, str]] = {
    "cohere": "https://api.cohere.ai/compatibility/v1",
    "github": "https://models.github.ai/inference",
    "groq": "https://api.groq.com/openai/v1",
    "huggingface": "https://router.huggingface.co/v1",
    "meta": "https://api.meta.ai/v1",
    "xai": "https://api.x.ai/v1",
}
"""Providers whose library takes no HTTP client of ours, or speaks another API than the one that
is tested here, and where they speak OpenAI's chat completions."""

_REFUSED: Final = ("azure", "bedrock", "bedrock-mantle", "gateway", "google-cloud", "snowflake")
_PASTED: Final = ("/chat/completions", "/completions", "/responses")


class Address(msgspec.Struct, frozen=True, kw_only=True):
    """``provider`` (None for any API that speaks as OpenAI's does), or the ``base_url``, or both.

    ``base_url`` has no slash at its end, no query and no user; ``query`` is what stood there.
    """

    provider: str | None
    base_url: str | None
    scheme: str = "https"
    host: str = ""
    port: int | None = None
    query: dict[str, str] = {}

    @classmethod
    def of(cls, base_url: str | None, provider: str | None) -> Address:
        """The address that the settings name; raises BadModel where they name none."""
        if provider is not None and provider not in NATIVE:
            raise BadModel(_why_not(provider))
        if base_url is None:
            if provider is None:
                raise BadModel("no model is set up: set MODEL_URL, or MODEL_NAME=provider:model")
            return cls(provider=provider, base_url=None)
        try:
            parts = urlsplit(base_url.strip())
            host, port = parts.hostname, parts.port
        except ValueError:
            host, port = None, None
        if not host or parts.scheme not in ("http", "https"):
            raise BadModel("MODEL_URL is no URL that begins with http:// or https://")
        if "@" in parts.netloc:
            raise BadModel("MODEL_URL holds a user or a password: put the key into MODEL_KEY")
        path = parts.path.rstrip("/")
        for pasted in _PASTED:
            path = path.removesuffix(pasted)
        return cls(
            provider=provider,
            base_url=f"{parts.scheme}://{parts.netloc}{path}",
            scheme=parts.scheme,
            host=host,
            port=port,
            query=dict(parse_qsl(parts.query)),
        )

    @property
    def loopback(self) -> bool:
        """Whether it is this machine."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost" or self.host.endswith(".localhost")

    def identity(self, name: str) -> str:
        """The model ``name`` here, as it is entered and kept: no key, no path, no query."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        at = host if self.port is None else f"{host}:{self.port}"
        if self.provider is None:
            return f"{name}@{at}"
        return f"{self.provider}:{name}" + (f"@{at}" if at else "")


def split_name(name: str, has_url: bool) -> tuple[str | None, str]:
    """The provider that MODEL_NAME names, if any, and the model's own name.

    With a MODEL_URL nearly every name is the server's own business, such as ``llama3:8b``; without
    one the name must be ``provider:model``, which raises BadModel where it is not.
    """
    provider, colon, model = name.partition(":")
    if has_url:
        return (provider, model) if colon and provider in _SPOKEN_AT_A_URL else (None, name)
    if not colon or not model:
        raise BadModel(
            f"MODEL_NAME={name} names no provider: set MODEL_URL to the API's address, or "
            f"MODEL_NAME=provider:model with one of {', '.join(NATIVE)}"
        )
    if provider not in NATIVE:
        raise BadModel(_why_not(provider))
    return provider, model


def _why_not(provider: str) -> str:
    if (url := _ELSEWHERE.get(provider)) is not None:
        return (
            f"MODEL_NAME={provider}:… is not spoken by name: set MODEL_URL={url} and MODEL_NAME "
            "to the model alone"
        )
    if provider in _REFUSED:
        return (
            f"MODEL_NAME={provider}:… is not spoken, for it takes more than a key: set MODEL_URL "
            "to an address where it speaks OpenAI's API"
        )
    return f"MODEL_NAME={provider}:… is no known provider: use one of {', '.join(NATIVE)}"
