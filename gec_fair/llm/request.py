"""What a chat model is asked, whole: all of it decides the answer, so all of it is the cache's key."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import BaseModel

Role = Literal["system", "user", "assistant"]
Message = tuple[Role, str]


@dataclass(frozen=True, slots=True)
class Request:
    """`schema`: what the answer must be, as a pydantic model; None is text. `draw`: the same question asked once more
    is another request, with another seed."""

    model: str
    messages: tuple[Message, ...]
    temperature: float = 0.0
    top_p: float = 1.0
    max_tokens: int | None = None
    schema: type[BaseModel] | None = None
    seed: int = 0
    draw: int = 0

    def body(self) -> dict[str, Any]:
        """As OpenAI's chat protocol has it; without the schema, which a server may not know."""
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [
                {"role": role, "content": content.encode("utf-8", "replace").decode()}
                for role, content in self.messages
            ],
            "temperature": self.temperature,
            "seed": self.seed + self.draw,
        }
        if self.top_p != 1:
            body["top_p"] = self.top_p
        if self.max_tokens is not None:
            body["max_tokens"] = self.max_tokens
        return body

    def key(self, server: str) -> bytes:
        """sha256 of the server and all that it is asked."""
        schema = self.schema.model_json_schema() if self.schema else None
        parts = [server, self.body(), self.draw, schema]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode("utf-8", "surrogatepass")).digest()

    def with_messages(self, *messages: Message) -> Request:
        """With more messages behind."""
        return replace(self, messages=(*self.messages, *messages))
