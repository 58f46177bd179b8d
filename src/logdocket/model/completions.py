"""Posts a chat completion, in place of OpenAI's own client.

pydantic-ai makes the request and reads the response; the client between the two only carries them.
OpenAI's walks every field of a request to see whether it needs translation, builds options, and
wraps errors, which takes longer than everything else about a call; and of what it does beside,
such as trying again, nothing may happen here.
"""

from __future__ import annotations

from typing import Any

import httpx2
from openai import NotGiven, Omit
from openai.types.chat import ChatCompletion

__all__ = ["Completions"]


class Completions:
    """Stands where ``AsyncOpenAI().chat`` does, as far as that is used.

    ``url``: the API's base URL; ``query``: parameters that each request carries.
    """

    def __init__(self, http: httpx2.AsyncClient, url: str, key: str, query: dict[str, str]) -> None:
        self.completions = self
        self._http = http
        self._url = httpx2.URL(f"{url}/chat/completions").copy_merge_params(query)
        self._headers = {"Authorization": f"Bearer {key}", "Accept": "application/json"}

    async def create(
        self,
        *,
        stream: bool,
        extra_headers: dict[str, str],
        extra_body: dict[str, Any] | None,
        **given: Any,
    ) -> ChatCompletion:
        """The response, not yet validated.

        Raises:
            httpx2.HTTPError: there was none, or it was none of success.
            ValueError: it was no JSON object.
        """
        # How long it may take is the caller's to bound.
        given.pop("timeout", None)
        body = {
            name: value for name, value in given.items() if not isinstance(value, Omit | NotGiven)
        }
        response = await self._http.post(
            self._url, json=body | (extra_body or {}), headers=self._headers
        )
        response.raise_for_status()
        found = response.json()
        if not isinstance(found, dict):
            raise ValueError("the response is no JSON object")
        return ChatCompletion.construct(**found)
