"""Answers that must be of a form: asked for as JSON Schema where the server knows it, in words where it does not, read
by pydantic, and asked for once more where they do not fit."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from gec_fair.llm.request import Message

_IN_WORDS = "Answer with one JSON object of this form and nothing else: {form}"
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
    """A schema as an instruction, for servers that take none. Small models copy a JSON Schema in place of filling it,
    and fill a form."""
    return _IN_WORDS.format(form=_form_of(schema))


def once_more(schema: type[BaseModel], text: str, fault: str) -> tuple[Message, Message]:
    """What is said behind an answer that does not fit."""
    return ("assistant", text[:_MOST_SHOWN]), ("user", _AGAIN.format(fault=fault, form=_form_of(schema)))


def _form_of(schema: type[BaseModel]) -> str:
    json_schema = schema.model_json_schema()
    return _form(json_schema, json_schema.get("$defs", {}))


def _form(part: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    """A part of a JSON Schema as what is to be filled: `{"label": "good" or "bad", "sure": <number from 0 to 1>}`."""
    part = definitions[part["$ref"].rpartition("/")[2]] if "$ref" in part else part
    if "enum" in part:
        return " or ".join(json.dumps(value, ensure_ascii=False) for value in part["enum"])
    if part["type"] == "object":
        fields = (f'"{name}": {_form(field, definitions)}' for name, field in part["properties"].items())
        return f"{{{', '.join(fields)}}}"
    if part["type"] == "array":
        return f"[{_form(part['items'], definitions)}, …]"
    if part["type"] == "string":
        return '"…"'
    limits = [f" {word} {part[key]}" for key, word in (("minimum", "from"), ("maximum", "to")) if key in part]
    return f"<{part['type']}{''.join(limits)}>"


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
