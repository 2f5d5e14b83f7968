"""A model behind any server that speaks OpenAI's chat protocol, as a GEC system.

`OPENAI_API_KEY` and `OPENAI_BASE_URL` are read by the openai package, never by us, and never logged.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from gec_fair.errors import InputError, MissingResource
from gec_fair.extras import require
from gec_fair.gec.systems import SystemFault

if TYPE_CHECKING:
    from openai import OpenAI

PROMPT = Path(__file__).with_name("prompt.txt")
_AT_ONCE = 8


class OpenAIChat:
    """`model` as the server names it; `prompt`: a file with the instructions. Temperature 0, seed 0."""

    def __init__(self, model: str, *, prompt: Path = PROMPT) -> None:
        require("openai:…", "llm", "openai")
        try:
            self.instructions = prompt.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as fault:
            raise InputError(f"{prompt}: cannot be read as UTF-8 text; check --prompt") from fault
        self.model = model

    @property
    def version(self) -> str:
        digest = hashlib.sha256(self.instructions.encode()).hexdigest()[:8]
        server = urlsplit(os.environ.get("OPENAI_BASE_URL", ""))  # without the name and password that may stand in it
        place = f":server:{server.hostname}:{server.port or ''}{server.path.rstrip('/')}" if server.hostname else ""
        return f"openai:{self.model}:prompt:{digest}{place}"

    def __call__(self, texts: Sequence[str]) -> list[str]:
        _ = self._client  # made once, before the threads
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            return list(pool.map(self._answer, texts))

    @cached_property
    def _client(self) -> OpenAI:
        from openai import OpenAI, OpenAIError

        try:
            return OpenAI(max_retries=4)
        except OpenAIError as fault:
            raise MissingResource(f"{self.version}: no access ({fault}); set OPENAI_API_KEY, and OPENAI_BASE_URL for a "
                                  "server of your own") from fault  # fmt: skip

    def _answer(self, text: str) -> str:
        from openai import OpenAIError

        if not text.strip():
            return text
        try:
            done = self._client.chat.completions.create(
                model=self.model,
                messages=[{"role": "system", "content": self.instructions}, {"role": "user", "content": text}],
                temperature=0,
                seed=0,
            )
            answer = done.choices[0].message.content
        except OpenAIError as fault:
            raise SystemFault(f"{self.version}: the server refused ({fault}); the same command goes on") from fault
        except (AttributeError, IndexError, TypeError, ValueError) as fault:
            raise SystemFault(f"{self.version}: the server's answer is no chat completion; check OPENAI_BASE_URL "
                              "(it ends in /v1 with most servers)") from fault  # fmt: skip
        if answer is None or not answer.strip():
            raise SystemFault(f"{self.version}: no answer to {text!r}; leave the text out, or change the prompt")
        return " ".join(answer.split())
