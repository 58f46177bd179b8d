"""Makes the models that a client asks, of the libraries that speak their APIs.

Imported only where a model is set up, for those libraries take a second or two to load. They read
the environment for keys, addresses and headers of their own; here they find none of it.
"""

from __future__ import annotations

import contextlib
import os
import threading
import urllib.request
import warnings
from collections.abc import Callable, Iterator
from typing import Any, Final

import httpx2
from openai import AsyncOpenAI
from pydantic_ai.exceptions import UserError
from pydantic_ai.messages import InstructionPart, ModelMessage, ModelRequest, UserPromptPart
from pydantic_ai.models import Model, ModelRequestParameters, infer_model
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers import infer_provider_class
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
from pydantic_ai.tools import ToolDefinition

from logdocket.errors import BadModel
from logdocket.model.address import NATIVE, Address
from logdocket.model.completions import Completions
from logdocket.model.lanes import Lanes
from logdocket.model.prompt import ANSWER_SCHEMA, TOOL, instructions
from logdocket.model.wire import Wire

__all__ = ["build", "first_mode", "http_client", "prompt"]

_IDLE: Final = 4.0
"""Seconds that an idle connection is kept: uvicorn, under many servers, closes after 5."""

_AMBIENT: Final = (
    *(f"{provider.upper()}_" for provider in NATIVE),
    *"AZURE_ DASHSCOPE_ GEMINI_ GCLOUD_ GOOGLE_ OPENAI_".split(),
)
"""How the names of variables begin that the libraries read."""

_LOCK: Final = threading.Lock()

_PARAMETERS: Final[dict[str, ModelRequestParameters]] = {
    "schema": ModelRequestParameters(
        output_mode="native",
        output_object=OutputObjectDefinition(ANSWER_SCHEMA, name="ticket", strict=True),
        instruction_parts=[InstructionPart(content=instructions("schema"))],
    ),
    "tool": ModelRequestParameters(
        output_mode="tool",
        output_tools=[
            ToolDefinition(
                name=TOOL,
                description="File the ticket for the log line.",
                parameters_json_schema=ANSWER_SCHEMA,
                kind="output",
            )
        ],
        allow_text_output=False,
        instruction_parts=[InstructionPart(content=instructions("tool"))],
    ),
    "text": ModelRequestParameters(
        instruction_parts=[InstructionPart(content=instructions("text"))],
    ),
}
"""What constrains the output, for each mode."""


def prompt(text: str, mode: str) -> tuple[list[ModelMessage], ModelRequestParameters]:
    """A user's message of ``text``, and the instructions and output that go with it."""
    return [ModelRequest(parts=[UserPromptPart(text)])], _PARAMETERS[mode]


def http_client(
    address: Address, largest: int, transport: httpx2.AsyncBaseTransport | None
) -> httpx2.AsyncClient:
    """A client over ``transport``, or over the network: without a bound in time, which is the
    caller's, on connections, which is the caller's too, and without following redirects.

    Raises:
        BadModel: the environment names a proxy or certificates that cannot be used.
    """
    inner = transport or Lanes(_pools(_proxy(address)), _IDLE)
    return httpx2.AsyncClient(
        transport=Wire(inner, largest), timeout=None, follow_redirects=False, trust_env=False
    )


def _pools(proxy: str | None) -> Callable[[], httpx2.AsyncBaseTransport]:
    """What makes pools of connections, whose number is bounded by that of the requests alone."""
    try:
        # Loaded once: that takes longer than a call.
        trusted = httpx2.create_ssl_context()
    except OSError:
        raise BadModel(
            "the certificates that SSL_CERT_FILE or SSL_CERT_DIR names cannot be read: mend it, or "
            "unset it"
        ) from None
    limits = httpx2.Limits(
        max_connections=None, max_keepalive_connections=None, keepalive_expiry=_IDLE
    )

    def make() -> httpx2.AsyncBaseTransport:
        try:
            return httpx2.AsyncHTTPTransport(verify=trusted, retries=0, proxy=proxy, limits=limits)
        except (ImportError, ValueError, httpx2.InvalidURL):
            # The address may hold a password: it is not shown.
            raise BadModel(
                "the proxy that the environment names for MODEL_URL cannot be used: give one that "
                "begins with http://, or name the host in NO_PROXY"
            ) from None

    return make


def _proxy(address: Address) -> str | None:
    """The proxy that the environment names for this address, as other programs read it.

    How a machine reaches the network is the operator's wish; it changes nothing that is asked.
    """
    if address.loopback or urllib.request.proxy_bypass(address.host):
        return None
    named = urllib.request.getproxies()
    return named.get(address.scheme) or named.get("all")


def build(address: Address, name: str, key: str, http: httpx2.AsyncClient) -> Model:
    """The model ``name`` at ``address``, asked through ``http``.

    Raises:
        BadModel: the library for it is not installed, or does not take what was set.
    """
    # Such as that a model takes no temperature: it is told of each request, and the model is asked
    # all the same.
    warnings.filterwarnings("ignore", category=Warning, module=r"pydantic_ai\.")
    with _bare_environment():
        if address.provider is None:
            return _compatible(address, name, key, http)
        return _native(address, address.provider, name, key, http)


def _compatible(address: Address, name: str, key: str, http: httpx2.AsyncClient) -> Model:
    """A model behind any API that speaks OpenAI's chat completions."""
    client = AsyncOpenAI(
        api_key=key,
        base_url=address.base_url,
        default_query=address.query,
        max_retries=0,
        timeout=None,
        http_client=http,
    )
    assert address.base_url is not None, "what is compatible is so at an address"
    posting = Completions(http, address.base_url, key, address.query)
    client.chat = posting  # type: ignore[misc, assignment]
    return OpenAIChatModel(
        name,
        provider=OpenAICompatibleProvider(address.host, openai_client=client),
        profile=OpenAIModelProfile(
            # What it can do is found out by asking it.
            supports_json_schema_output=True,
            supports_tools=True,
            supports_forced_tool_choice=True,
            # The schema is sent as it stands.
            json_schema_transformer=None,
            # OpenAI alone has renamed max_tokens; the other servers know it by that name.
            openai_chat_supports_max_completion_tokens=address.host == "api.openai.com",
        ),
    )


def _native(
    address: Address, provider: str, name: str, key: str, http: httpx2.AsyncClient
) -> Model:
    extra = NATIVE[provider]
    kind = "openai-chat" if provider == "openai" else provider
    where = {} if address.base_url is None else {"base_url": address.base_url}
    try:
        # Every class behind a name in NATIVE takes these.
        kind_of_provider: Any = infer_provider_class(kind)
        made = kind_of_provider(api_key=key, http_client=http, **where)
        if hasattr(made.client, "max_retries"):
            made.client.max_retries = 0
        return infer_model(f"{kind}:{name}", lambda _: made)
    except ImportError:
        raise BadModel(
            f"MODEL_NAME={provider}:{name} needs what is not installed: "
            f"pip install 'logdocket{f'[{extra}]' if extra else ''}'"
        ) from None
    except (UserError, TypeError, ValueError) as error:
        raise BadModel(f"MODEL_NAME={provider}:{name} cannot be set up: {error}") from None


def first_mode(model: Model) -> str:
    """The strictest mode that ``model`` is known to take."""
    profile = model.profile
    if profile.get("supports_json_schema_output", False):
        return "schema"
    return "tool" if profile.get("supports_forced_tool_choice", True) else "text"


@contextlib.contextmanager
def _bare_environment() -> Iterator[None]:
    """Hide the variables that the libraries would read, for as long as they are set up."""
    with _LOCK:
        hidden = {name: os.environ[name] for name in os.environ if name.startswith(_AMBIENT)}
        for name in hidden:
            del os.environ[name]
        try:
            yield
        finally:
            os.environ.update(hidden)
