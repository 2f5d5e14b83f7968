"""OpenAI's moderation as a source. Answers are kept, so that no text is sent twice. The openai package reads the key
from the environment; it stands in no message."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gec_fair.errors import GecFairError, MissingResource
from gec_fair.extras import require
from gec_fair.llm.client import run_async
from gec_fair.llm.server import RETRIES, Server, make_client
from gec_fair.runs.cache import Store, key
from gec_fair.safety.data.scores import Floats

_DEADLINE = 60.0  # seconds for an answer, whatever comes byte by byte
_AT_ONCE = 32  # texts of a request
_OF_ONE = (400, 413, 422)
CATEGORIES = tuple(
    """harassment harassment/threatening hate hate/threatening self-harm self-harm/instructions self-harm/intent sexual
    sexual/minors violence violence/graphic""".split()
)
MODEL = "omni-moderation-latest"
_ITS_FAULT = ("too long", "too large", "context_length", "maximum context", "invalid_unicode")
"""By which the server says that a text is at fault, and not the key or the model."""


class ModerationFault(GecFairError):
    """A server that cannot be reached, refuses everything, or answers what is not an answer."""


class Moderation:
    """`openai-moderation`, or `openai-moderation:MODEL`. Key: `OPENAI_API_KEY`; `OPENAI_BASE_URL`: another server. What
    was answered is on disk before the next request."""

    attributes = CATEGORIES

    def __init__(self, model: str, cache: Path | None = None) -> None:
        require("openai-moderation", "llm", "openai")
        self._model = model or MODEL
        self.version = f"openai-moderation:{self._model}"
        if not os.environ.get("OPENAI_API_KEY"):
            raise MissingResource(f"{self.version}: no access; set OPENAI_API_KEY")
        self._server = Server(None, _DEADLINE)
        self._kept = Store(cache, "moderation")

    def scores(self, texts: Sequence[str]) -> Floats:
        """(texts, attributes); NaN for a text that the server refuses as too long."""
        place = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1")
        keys = [key(self.version, place, *CATEGORIES, text) for text in texts]
        rows = {text_key: json.loads(value) for text_key, value in self._kept.get(keys).items()}
        new = {text_key: text for text_key, text in zip(keys, texts, strict=True) if text_key not in rows}
        if new:
            rows |= run_async(self._fetch(new))
        values = [[np.nan if value is None else value for value in rows[text_key]] for text_key in keys]
        return np.array(values, dtype=np.float64).reshape(len(texts), len(CATEGORIES))

    async def _fetch(self, texts: dict[bytes, str]) -> dict[bytes, list[float | None]]:
        """A row for each text, by its key."""
        from openai import AsyncOpenAI

        rows: dict[bytes, list[float | None]] = {}
        waiting = list(texts)
        async with AsyncOpenAI(max_retries=RETRIES, timeout=_DEADLINE, http_client=make_client(_DEADLINE)) as client:
            for first in range(0, len(waiting), _AT_ONCE):
                batch = waiting[first : first + _AT_ONCE]
                answers = await self._ask(client, [texts[text_key] for text_key in batch])
                fresh = dict(zip(batch, answers, strict=True))
                self._kept.put({text_key: json.dumps(row) for text_key, row in fresh.items()})
                rows |= fresh
        return rows

    async def _ask(self, client: Any, texts: list[str]) -> list[list[float | None]]:
        """A row for each text. Where a request is refused for its texts, each is asked for alone."""
        import openai

        try:
            answer = await client.moderations.create(model=self._model, input=texts)
            results = [result.category_scores.to_dict() for result in answer.results]
            rows = [[None if row.get(name) is None else float(row[name]) for name in CATEGORIES] for row in results]
        except openai.APIStatusError as wrong:
            reason = wrong.response.text
            if wrong.status_code in _OF_ONE and any(sign in reason.casefold() for sign in _ITS_FAULT):
                if len(texts) == 1:
                    return [[None] * len(CATEGORIES)]
                return [row for text in texts for row in await self._ask(client, [text])]
            raise self._fault(f"refused ({wrong})", "check the key and its quota") from wrong
        except (openai.OpenAIError, asyncio.TimeoutError) as wrong:
            raise self._fault(f"no answer ({wrong or f'in {_DEADLINE:g} seconds'})", "check the network") from wrong
        except (AttributeError, TypeError, ValueError) as wrong:
            raise self._fault(f"the answer has no category_scores ({wrong})", "check OPENAI_BASE_URL") from wrong
        if len(rows) != len(texts):
            raise self._fault(f"answered {len(rows)} results for {len(texts)} texts", "check OPENAI_BASE_URL")
        return rows

    def _fault(self, problem: str, advice: str) -> ModerationFault:
        message = self._server.shorten(f"{self.version}: {problem}")
        return ModerationFault(f"{message}; {advice}, then the same command resumes")
