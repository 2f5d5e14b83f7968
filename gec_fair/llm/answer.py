"""What came back: an answer, or the reason why there is none."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TypeAlias

from pydantic import BaseModel

REASONS: Mapping[str, str] = {
    "cut": "the answer was cut at its largest length",
    "empty": "the answer is empty",
    "failed": "the server failed at this request, however often it was sent",
    "filtered": "the server's filter kept the answer back",
    "refused": "the server refuses this request",
    "unfit": "the answer is not what was asked for, and was not when asked again",
}
"""Why one request has no answer. A fault of all requests is raised as an error."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """As the server counted them."""

    prompt: int = 0
    completion: int = 0

    def __add__(self, more: Tokens) -> Tokens:
        return Tokens(self.prompt + more.prompt, self.completion + more.completion)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server said, as it is cached. `finish`: why it stopped, in the protocol's words. `changes`: how the
    request was changed, because the server refused it as it was (`dialect.CHANGES`)."""

    text: str
    finish: str
    prompt: int
    completion: int
    changes: tuple[str, ...] = ()
    cached: bool = False

    @property
    def tokens(self) -> Tokens:
        """The tokens of the prompt and of the answer."""
        return Tokens(self.prompt, self.completion)

    def dumps(self) -> str:
        """The reply as a line of JSON, as the cache has it."""
        row = asdict(self)
        del row["cached"]
        return json.dumps(row, ensure_ascii=False)

    @staticmethod
    def loads(line: str) -> Reply:
        """A reply from the cache."""
        row = json.loads(line)
        return Reply(**{**row, "changes": tuple(row.get("changes", ()))}, cached=True)


@dataclass(frozen=True, slots=True)
class Answer:
    """`value`: of a request with a schema, the answer as that. `cached`: it comes from the cache; `tokens` are of when
    it was asked for."""

    text: str
    value: BaseModel | None = None
    tokens: Tokens = Tokens()
    cached: bool = False


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """`reason` is one of REASONS; `detail` says more, without keys."""

    reason: str
    detail: str = ""
    tokens: Tokens = Tokens()
    cached: bool = False


Outcome: TypeAlias = Answer | NoAnswer
