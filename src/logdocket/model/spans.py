"""Spans of OpenTelemetry's GenAI kind around calls, where an SDK for it is installed.

Neither prompt nor answer stands in them, and no error's message, for those may quote either.
"""

from __future__ import annotations

import importlib.util

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


def with_spans(model: Model) -> Model:
    """``model`` in spans where OpenTelemetry's SDK is installed, else as it is."""
    if importlib.util.find_spec("opentelemetry") is None:
        return model
    if importlib.util.find_spec("opentelemetry.sdk") is None:
        return model
    return InstrumentedModel(_Hushed(model), InstrumentationSettings(include_content=False))
