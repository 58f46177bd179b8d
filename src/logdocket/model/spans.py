"""Spans of OpenTelemetry's GenAI kind around calls, where an SDK for it is installed.

Neither prompt nor answer stands in them, and no error's message, for those may quote either.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable

from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.instrumented import InstrumentationSettings, InstrumentedModel
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

__all__ = ["with_spans"]


class CallFailed(Exception):
    """What a span may say of an error: its kind."""


class _Hushed(WrapperModel):
    """A model whose errors say nothing but their kind."""

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """The response; raises CallFailed."""
        failed = ""
        try:
            return await super().request(messages, model_settings, model_request_parameters)
        except Exception as error:  # noqa: BLE001 - raised again, without what it quotes
            failed = type(error).__name__
        raise CallFailed(failed)


def with_spans(model: Model) -> Callable[[], Model]:
    """What gives ``model`` for a call: in spans while a provider of OpenTelemetry's SDK is set,
    which may be later than now, else as it is. Spans that go nowhere take time all the same.
    """
    wanted = ("opentelemetry", "opentelemetry.sdk")
    if any(importlib.util.find_spec(name) is None for name in wanted):
        return lambda: model
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import get_tracer_provider

    spanned = InstrumentedModel(_Hushed(model), InstrumentationSettings(include_content=False))
    return lambda: spanned if isinstance(get_tracer_provider(), TracerProvider) else model
