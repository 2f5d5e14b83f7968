"""Answers that must be of a form: asked for as JSON Schema where the server knows it, in words where it does not, read
by pydantic, and asked for once more where they do not fit."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel, ValidationError

from gec_fair.llm.request import Message

_IN_WORDS = "Answer with one JSON object and nothing else. It must fit this JSON Schema: {schema}"
_AGAIN = "That does not fit: {fault}. " + _IN_WORDS
_MOST_SHOWN = 2000  # signs of an answer that is shown again


def strict(schema: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema, with no other keys than its own, as OpenAI's strict mode demands."""
    json_schema = schema.model_json_schema()
    for part in (json_schema, *json_schema.get("$defs", {}).values()):
        if part.get("type") == "object":
            part["additionalProperties"] = False
            part["required"] = list(part.get("properties", {}))
    return json_schema


def in_words(schema: type[BaseModel]) -> str:
    """A schema as an instruction, for servers that take none."""
    return _IN_WORDS.format(schema=json.dumps(schema.model_json_schema(), ensure_ascii=False))


def once_more(schema: type[BaseModel], text: str, fault: str) -> tuple[Message, Message]:
    """What is said behind an answer that does not fit."""
    schema_text = json.dumps(schema.model_json_schema(), ensure_ascii=False)
    return ("assistant", text[:_MOST_SHOWN]), ("user", _AGAIN.format(fault=fault, schema=schema_text))


def read(schema: type[BaseModel], text: str) -> BaseModel | str:
    """The answer as the schema has it, or why it is none. A fence around it, or words before and behind, are passed
    over."""
    inside = text[text.find("{") : text.rfind("}") + 1]
    fault = ""
    for candidate in dict.fromkeys([text.strip(), inside or text.strip()]):
        try:
            return schema.model_validate_json(candidate)
        except ValidationError as wrong:
            first = wrong.errors(include_url=False, include_input=False)[0]
            fault = f"{'.'.join(map(str, first['loc'])) or 'the answer'}: {first['msg']}"
    return fault
