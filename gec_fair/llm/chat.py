"""Ask a chat model one question with one instruction, many at a time; what it has answered before is not asked again.

`OPENAI_API_KEY` and `OPENAI_BASE_URL` are read by the openai package, never by us, and never logged.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from gec_fair.corpus.secrets import hidden, is_secret
from gec_fair.errors import GecFairError, MissingResource
from gec_fair.extras import require

if TYPE_CHECKING:
    from openai import OpenAI

_AT_ONCE = 8


class Answers(Protocol):
    """Answers by key, wherever they are kept; several threads may use it at once (`evaluate.store.Store`)."""

    def get(self, keys: Sequence[bytes]) -> dict[bytes, str]: ...

    def put(self, values: Mapping[bytes, str]) -> None: ...


class Chat:
    """`model` as the server names it. Temperature 0, seed 0. `fault` is raised where the server refuses or gives no
    answer. `kept`: where answers are looked for and kept, under the server's address and all that it is asked."""

    def __init__(self, model: str, fault: type[GecFairError], kept: Answers | None = None) -> None:
        require("openai:…", "llm", "openai")
        self.model, self.fault, self.kept = model, fault, kept

    @property
    def name(self) -> str:
        return f"openai:{self.model}"

    @property
    def server(self) -> str:
        """`:server:…` where it is not OpenAI's own, without the name and password that may stand in its address."""
        place = urlsplit(os.environ.get("OPENAI_BASE_URL", ""))
        return f":server:{place.hostname}:{place.port or ''}{place.path.rstrip('/')}" if place.hostname else ""

    def __call__(
        self, instructions: str, questions: Sequence[str], *, usable: Callable[[str], bool] = bool
    ) -> list[str]:
        """One answer for each question, in order; each distinct question is asked once. A `usable` answer is kept as
        soon as it is there, so that a run that was stopped or refused goes on."""
        requests = {question: self._request(instructions, question) for question in questions}
        keys = {question: self._key(request) for question, request in requests.items()}
        there = self.kept.get(list(keys.values())) if self.kept else {}
        found = {question: there[at] for question, at in keys.items() if at in there}

        def ask(question: str) -> str:
            answer = self._answer(requests[question], question)
            if self.kept and usable(answer):
                self.kept.put({keys[question]: answer})
            return answer

        if waiting := [question for question in keys if question not in found]:
            _ = self._client  # made once, before the threads
            with ThreadPoolExecutor(_AT_ONCE) as pool:
                found.update(zip(waiting, pool.map(ask, waiting), strict=True))
        return [found[question] for question in questions]

    def hidden(self, text: str) -> str:
        """For a message: without the keys, which a server may repeat, and the password of its address."""
        keys = [value.strip() for name, value in os.environ.items() if name.startswith("OPENAI_") and is_secret(name)]
        return hidden(text, [*keys, urlsplit(os.environ.get("OPENAI_BASE_URL", "")).password or ""])

    @cached_property
    def _client(self) -> OpenAI:
        from openai import OpenAI, OpenAIError

        try:
            return OpenAI(max_retries=4)
        except OpenAIError as wrong:
            raise MissingResource(f"{self.name}: no access ({wrong}); set OPENAI_API_KEY, and OPENAI_BASE_URL for a "
                                  "server of your own") from wrong  # fmt: skip

    def _request(self, instructions: str, question: str) -> dict[str, Any]:
        messages = [{"role": "system", "content": instructions}, {"role": "user", "content": question}]
        return {"model": self.model, "messages": messages, "temperature": 0, "seed": 0}

    def _key(self, request: Mapping[str, Any]) -> bytes:
        return hashlib.sha256(json.dumps([self.server, request], sort_keys=True).encode()).digest()

    def _answer(self, request: Mapping[str, Any], question: str) -> str:
        from openai import APIConnectionError, OpenAIError

        try:
            done = self._client.chat.completions.create(**request)
            answer = done.choices[0].message.content
        except APIConnectionError as wrong:
            place = urlsplit(str(self._client.base_url))
            address = f"{place.scheme}://{place.netloc.rpartition('@')[2]}{place.path}"
            raise self.fault(self.hidden(f"{self.name}: no answer from {address} ({wrong.__cause__ or wrong}); check "
                                         "OPENAI_BASE_URL, whether the server runs, and the network; then the same "
                                         "command goes on")) from wrong  # fmt: skip
        except OpenAIError as wrong:
            told = self.hidden(f"{self.name}: the server refused ({wrong})")
            raise self.fault(f"{told}; check OPENAI_API_KEY and the model's name, or wait; then the same command goes "
                             "on") from wrong  # fmt: skip
        except (AttributeError, IndexError, TypeError, ValueError) as wrong:
            raise self.fault(f"{self.name}: the server's answer is no chat completion; check OPENAI_BASE_URL "
                             "(it ends in /v1 with most servers)") from wrong  # fmt: skip
        if answer is None or not answer.strip():
            raise self.fault(f"{self.name}: no answer to {question!r}; leave the text out, or change the prompt")
        return " ".join(answer.split())
