"""What a model does not take of a request, learnt from its refusals.

Servers differ in the parameters that they accept: newer models of OpenAI refuse `temperature`, others a system role or
a schema. A refusal names the parameter, which is then left out or said otherwise. What made a request succeed is kept
for the model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gec_fair.llm import schemas
from gec_fair.llm.request import Request

CHANGES: Mapping[str, str] = {
    "max_tokens": "max_tokens is sent as max_completion_tokens",
    "top_p": "top_p is not sent",
    "seed": "seed is not sent",
    "temperature": "temperature is not sent",
    "system": "the system message is sent as the beginning of the user's",
    "response_format": "the schema is sent in words",
    "max_completion_tokens": "the largest length of an answer is not sent",
}
"""What can be changed of a request, and how. Where a refusal names several, the first is changed alone.
`max_completion_tokens` is in a request only after `max_tokens` was refused."""
_SIGNS: Mapping[str, str] = {
    "max_tokens": r"max_?tokens|max_completion_tokens",
    "top_p": r"\btop_?p\b|nucleus",
    "seed": r"(?<![a-z])seeds?(?![a-z-])",
    "temperature": r"\btemperature\b",
    "system": r"\bsystem\b.{0,60}\b(roles?|messages?|prompts?|instructions?)\b|\broles?\b.{0,80}\b(system|developer)\b"
    r"|\broles?\b.{0,40}\balternate|\bonly\b.{0,40}\broles?\b|\bdeveloper (role|instruction|message)"
    r"|messages(\.|\[)\d+\]?\.(\w+\.)?role|['\"]system['\"]|\b(first|start|begin)\b.{0,40}\buser\b|\bonly user\b",
    "response_format": r"response_format|schema|json mode|structured.?output|guided|grammar",
    "max_completion_tokens": r"max_completion_tokens",
}
"""How a refusal names it."""
_OUT_OF_RANGE = re.compile(
    r"maximum|minimum|at (most|least)|[<>]=|\bbetween\b|too (large|small|high|low|long|big|many)|exceed|\brange\b"
    r"|context (length|window|size)|(less|greater|more) than"
)
"""A refusal of a value, which the user must change, not of the parameter. A temperature of 0 is ours."""
_LONGEST = ("max_tokens", "max_completion_tokens")
_HAVE_RANGES = (*_LONGEST, "top_p", "temperature")
_NOT_OF_THE_REQUEST = frozenset((401, 403, 408, 429, 503, 504, 529))
"""Statuses of a server that is busy, or does not know who asks."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A server's error: `status`, what it says, and the parameters that it names beside, "" for none. `is_quota`: the
    account has no money left, so that no request will be answered."""

    status: int
    message: str
    names: str = ""
    is_quota: bool = False

    def __str__(self) -> str:
        words = " ".join("".join(sign if sign.isprintable() else " " for sign in self.message).split())
        return f"{self.status}: {words}" if words else f"{self.status}"


def read_refusal(status: int, content: str) -> Refusal:
    """A response's body as a refusal: OpenAI's `error`, FastAPI's `detail`, a `message`, or any text."""
    try:
        payload = json.loads(content)
    except (ValueError, RecursionError):
        return Refusal(status, re.sub(r"<[^<>]*>", " ", content))
    error = (payload.get("error") or payload) if isinstance(payload, dict) else payload
    if not isinstance(error, dict):
        return Refusal(status, _text(error))
    details = error.get("detail") or error.get("errors")
    rows = [row for row in details if isinstance(row, dict)] if isinstance(details, list) else []
    names = [error.get("param"), *(_place(row) for row in rows)]
    message = _text(error.get("message") or error.get("msg") or details or content)
    if isinstance(metadata := error.get("metadata"), dict) and isinstance(raw := metadata.get("raw"), str):
        inner = read_refusal(status, raw)  # OpenRouter's, of the server behind it
        message, names = f"{message}: {inner.message}", [*names, inner.names]
    is_quota = "insufficient_quota" in (error.get("code"), error.get("type"))
    return Refusal(status, message, " ".join(str(name) for name in names if name), is_quota)


def _text(value: Any) -> str:
    """A message as words; of FastAPI's details where each fault is and what it is, without the input."""
    if isinstance(value, list):
        return "; ".join(_text(row) for row in value)
    if isinstance(value, dict) and "msg" in value:
        return ": ".join(filter(None, (_place(value), str(value["msg"]))))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _place(detail: Mapping[str, Any]) -> str:
    place = detail.get("loc")
    return ".".join(map(str, place)) if isinstance(place, list) else ""


@dataclass(frozen=True, slots=True)
class Dialect:
    """`changes`: the keys of CHANGES that requests to a model need."""

    changes: frozenset[str] = frozenset()

    def learn(self, refusal: Refusal, request: Request) -> Dialect | None:
        """The dialect with one more change, which the refusal asks for; None where it names nothing that can be
        changed."""
        if refusal.status in _NOT_OF_THE_REQUEST:
            return None
        body, message = self.body(request), refusal.message.casefold()
        is_range = bool(_OUT_OF_RANGE.search(message))
        for text in (refusal.names.casefold(), message):
            for name, sign in _SIGNS.items():
                is_value = is_range and name in _HAVE_RANGES and body.get(name) != 0
                if not is_value and _holds(body, name) and re.search(sign, text):
                    return Dialect(self.changes | {name})
        return None

    def simplest(self, refusal: Refusal, request: Request) -> Dialect | None:
        """The dialect with all changes but those of the largest length, for a refusal in words that `learn` does not
        know. None for a value out of range, and where nothing is left to change."""
        body = self.body(request)
        changes = {name for name in CHANGES if name not in _LONGEST and _holds(body, name)}
        is_range = _OUT_OF_RANGE.search(refusal.message.casefold())
        return Dialect(self.changes | changes) if changes and not is_range else None

    def body(self, request: Request) -> dict[str, Any]:
        """The request as the model takes it."""
        body = request.body()
        if request.schema is not None and "response_format" in self.changes:
            body["messages"].append({"role": "system", "content": schemas.in_words(request.schema)})
        elif request.schema is not None:
            form = {"name": request.schema.__name__, "schema": schemas.strict(request.schema), "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        if "max_tokens" in self.changes and "max_tokens" in body:
            body["max_completion_tokens"] = body.pop("max_tokens")
        if "system" in self.changes:
            body["messages"] = _without_system(body["messages"])
        return {name: value for name, value in body.items() if name not in self.changes}


def _holds(body: Mapping[str, Any], name: str) -> bool:
    """Whether a request has what the change is about."""
    return name in body or any(message["role"] == name for message in body["messages"])


def _without_system(messages: list[dict[str, str]]) -> list[dict[str, str]]:
    """System messages as a part of the user's message behind them, else of the last one."""
    merged: list[dict[str, str]] = []
    waiting: list[str] = []
    for message in messages:
        if message["role"] == "system":
            waiting.append(message["content"])
        elif message["role"] == "user":
            merged.append({"role": "user", "content": "\n\n".join([*waiting, message["content"]])})
            waiting = []
        else:
            merged.append(message)
    if waiting and merged and merged[-1]["role"] == "user":
        waiting.insert(0, merged.pop()["content"])
    return [*merged, {"role": "user", "content": "\n\n".join(waiting)}] if waiting else merged
