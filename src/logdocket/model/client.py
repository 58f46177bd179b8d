"""Asks the model: one request for one permit, and a plain account of how it ended.

This is the border: nothing that a library above the wire raises passes it. How a call ended is
judged by what the wire saw, and what it cost by the body that came.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from logdocket.calls import CallStatus, Spend, Usage
from logdocket.errors import BadModel, UnaccountedCall
from logdocket.line import Answer
from logdocket.model import verdict
from logdocket.model.address import Address
from logdocket.model.answer import parse
from logdocket.model.exchange import CURRENT, Exchange, Failure, Permit
from logdocket.model.prices import Prices
from logdocket.model.prompt import Question, most_tokens, user_message
from logdocket.model.usage import reported

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.settings import ModelSettings

__all__ = ["Client", "Permit", "Reply"]

_MODES: Final = ("schema", "tool", "text")

_LONGEST: Final = 131_072
"""Characters of an answer that are looked at; reading them takes the event loop's time."""


class Reply(msgspec.Struct, frozen=True):
    """How a call ended; OK means that a ``text`` came, not that it is any good.

    ``usage``: what the provider reported, however the call ended.
    ``http``: the status of the response, if one came.
    ``retry_after``: seconds from now until the API wants to be asked again, if it said so.
    ``ms``: how long it took. ``sent``: whether any byte of the request may have left.
    ``detail``: a few words for our own log, which hold no secret and no text of the line.
    """

    status: CallStatus
    text: str | None = None
    usage: Usage | None = None
    http: int | None = None
    retry_after: float | None = None
    ms: int = 0
    sent: bool = False
    detail: str = ""


class Client:
    """One model, set up to be asked.

    ``base_url``: of an API that speaks OpenAI's chat completions; ``provider``: one whose own API
    is spoken, at its own address unless ``base_url`` says another. ``key`` goes to it alone.
    ``output``: how its output is constrained: ``schema``, ``tool`` or ``text`` (not at all); or
    ``auto``, which begins with the first that the model is known to take, and keeps to ``text``
    once the API refused that.
    ``max_output``: tokens that an answer may have. ``largest_response``: bytes that a response may.
    ``per_million``: US dollars for a million tokens in, and out, where known prices do not do.
    ``transport``: takes the place of the network. ``record``: is given each exchange as it ends.
    ``clock``: monotonic seconds.

    The proxies that the environment names are used (``HTTPS_PROXY``, ``HTTP_PROXY``,
    ``ALL_PROXY``, ``NO_PROXY``), never for this machine itself; nothing else of it matters.

    Loads the libraries that speak to providers, which takes a second or two.

    Raises:
        BadModel: the model cannot be set up; the message names the setting and the mend.
    """

    def __init__(
        self,
        *,
        base_url: str | None,
        provider: str | None,
        name: str,
        key: str,
        output: str = "auto",
        max_output: int = 400,
        largest_response: int = 1_000_000,
        per_million: tuple[float, float] | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
        record: Callable[[Exchange], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        address = Address.of(base_url, provider)
        _check_key(key)
        try:
            from pydantic_ai.direct import model_request

            from logdocket.model import providers, spans
        except ImportError as error:
            raise BadModel(
                f"a model needs {error.name}, which is not installed: pip install 'logdocket'"
            ) from None
        self.identity = address.identity(name)
        self.output = output
        self.max_output = max_output
        self._record = record
        self._clock = clock
        self._http = providers.http_client(address, largest_response, transport)
        model = providers.build(address, name, key, self._http)
        self.mode = providers.first_mode(model) if output == "auto" else output
        self._model = spans.with_spans(model)
        self._prices = Prices(
            name=name, provider=provider, base_url=model.base_url, per_million=per_million
        )
        self._settings: ModelSettings = {"max_tokens": max_output, "temperature": 0.0}
        if provider is not None:
            # Thoughts would use up the tokens of the answer. Of a model at an address of its own
            # it is not known whether it takes such a setting.
            self._settings["thinking"] = False
        self._prompt = providers.prompt
        self._request = model_request

    @property
    def priced(self) -> bool:
        """Whether it is known what a token costs."""
        return self._prices.known

    def price(self, usage: Usage) -> int | None:
        """What ``usage`` costs in billionths of a US dollar; None where that is unknown."""
        return self._prices.nano_usd(usage)

    def most(self, question: Question, wrong: Sequence[str] = ()) -> Spend:
        """The most that one call can cost; no money where no price is known."""
        tokens = most_tokens(question, wrong, self.max_output)
        price = self.price(Usage(tokens - self.max_output, self.max_output))
        return Spend(tokens, price or 0)

    async def ask(
        self,
        question: Question,
        wrong: Sequence[str],
        permit: Permit,
        seconds: float,
        mode: str | None = None,
    ) -> Reply:
        """How one call ended, within ``seconds`` from the first look-up to the last byte.

        ``wrong``: what was wrong with the answer before, in sentences. ``mode``: how its output is
        constrained, as it was entered; what :attr:`mode` is now where that is None.

        Raises:
            UnaccountedCall: the permit was used before.
        """
        if permit.used:
            raise UnaccountedCall(f"call {permit.call} was made already")
        exchange = Exchange(call=permit.call)
        mode, began = mode or self.mode, self._clock()
        token = CURRENT.set((permit, exchange))
        response = None
        try:
            async with asyncio.timeout(seconds) as bound:
                response = await self._ask(question, wrong, mode)
        except TimeoutError:
            if bound.expired():
                exchange.failure, exchange.why = Failure.LATE, "TimeoutError"
        except UnaccountedCall:
            raise
        except Exception as error:  # noqa: BLE001 - the exchange tells what happened, and this why
            exchange.why = exchange.why or type(error).__name__
        finally:
            CURRENT.reset(token)
            exchange.ms = round((self._clock() - began) * 1000)
            if self._record is not None:
                self._record(exchange)
        status, text = _judged(exchange, response, mode)
        if status is CallStatus.NOT_SUPPORTED and self.output == "auto":
            self.mode = "text"
        return Reply(
            status=status,
            text=text,
            usage=reported(exchange.body),
            http=exchange.status,
            retry_after=verdict.retry_after(exchange),
            ms=exchange.ms,
            sent=exchange.sent,
            detail=verdict.detail(exchange),
        )

    async def close(self) -> None:
        """Close every connection."""
        await self._http.aclose()

    async def _ask(self, question: Question, wrong: Sequence[str], mode: str) -> ModelResponse:
        messages, parameters = self._prompt(user_message(question, wrong), mode)
        return await self._request(
            self._model(),
            messages,
            model_settings=self._settings,
            model_request_parameters=parameters,
            instrument=False,
        )


def _judged(
    exchange: Exchange, response: ModelResponse | None, mode: str
) -> tuple[CallStatus, str | None]:
    """How a call ended, and its text if one came."""
    status = verdict.status_of(exchange, mode)
    if status is not None:
        return status, None
    if exchange.status is None:
        # A library refused before anything was sent: it knows of the model what we do not.
        return (CallStatus.NOT_SUPPORTED if mode != "text" else CallStatus.REJECTED), None
    if response is None:
        return CallStatus.UNREADABLE, None
    text = _text(response)
    if len(text) > _LONGEST:
        return CallStatus.TOO_LARGE, None
    if response.finish_reason == "content_filter":
        return CallStatus.REFUSED, None
    if response.finish_reason == "length" and not isinstance(parse(text), Answer):
        return CallStatus.CUT_SHORT, None
    return CallStatus.OK, text


def _text(response: Any) -> str:
    """What the model wrote: the arguments of its calls of tools, else its text."""
    calls = [part for part in response.parts if part.part_kind == "tool-call"]
    if calls:
        # As it was written, where the API passes that on: what is wrong with it must show.
        written = [c.args if isinstance(c.args, str) else c.args_as_json_str() for c in calls]
        return "\n".join(written)
    return "\n".join(part.content for part in response.parts if part.part_kind == "text")


def _check_key(key: str) -> None:
    if not key:
        raise BadModel("a model is set up without a key: set MODEL_KEY")
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise BadModel("MODEL_KEY holds a character that no HTTP header can carry")
