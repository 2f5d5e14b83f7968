"""Ask a chat model one question with one instruction, many at a time.

`OPENAI_API_KEY` and `OPENAI_BASE_URL` are read by the openai package, never by us, and never logged.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from gec_fair.errors import GecFairError, MissingResource
from gec_fair.extras import require

if TYPE_CHECKING:
    from openai import OpenAI

_AT_ONCE = 8


class Chat:
    """`model` as the server names it. Temperature 0, seed 0. `fault` is raised where the server refuses or gives no
    answer."""

    def __init__(self, model: str, fault: type[GecFairError]) -> None:
        require("openai:…", "llm", "openai")
        self.model, self.fault = model, fault

    @property
    def name(self) -> str:
        return f"openai:{self.model}"

    @property
    def server(self) -> str:
        """`:server:…` where it is not OpenAI's own, without the name and password that may stand in its address."""
        place = urlsplit(os.environ.get("OPENAI_BASE_URL", ""))
        return f":server:{place.hostname}:{place.port or ''}{place.path.rstrip('/')}" if place.hostname else ""

    def __call__(self, instructions: str, questions: Sequence[str]) -> list[str]:
        """One answer for each question, in order."""
        _ = self._client  # made once, before the threads
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            return list(pool.map(lambda question: self._answer(instructions, question), questions))

    @cached_property
    def _client(self) -> OpenAI:
        from openai import OpenAI, OpenAIError

        try:
            return OpenAI(max_retries=4)
        except OpenAIError as wrong:
            raise MissingResource(f"{self.name}: no access ({wrong}); set OPENAI_API_KEY, and OPENAI_BASE_URL for a "
                                  "server of your own") from wrong  # fmt: skip

    def _answer(self, instructions: str, question: str) -> str:
        from openai import OpenAIError

        try:
            done = self._client.chat.completions.create(
                model=self.model,
                messages=[{"role": "system", "content": instructions}, {"role": "user", "content": question}],
                temperature=0,
                seed=0,
            )
            answer = done.choices[0].message.content
        except OpenAIError as wrong:
            raise self.fault(f"{self.name}: the server refused ({wrong}); the same command goes on") from wrong
        except (AttributeError, IndexError, TypeError, ValueError) as wrong:
            raise self.fault(f"{self.name}: the server's answer is no chat completion; check OPENAI_BASE_URL "
                             "(it ends in /v1 with most servers)") from wrong  # fmt: skip
        if answer is None or not answer.strip():
            raise self.fault(f"{self.name}: no answer to {question!r}; leave the text out, or change the prompt")
        return " ".join(answer.split())
