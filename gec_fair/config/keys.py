"""What may stand in a settings file: the fields of its dataclasses, with the text that stands below each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields, is_dataclass
from typing import get_args, get_type_hints

import yaml

from gec_fair.config.options import default_of, meanings_of


@dataclass(frozen=True, slots=True)
class Key:
    """`default` as YAML; "" where the key must be given, or holds others."""

    name: str
    default: str
    meaning: str


def keys(options: type, prefix: str = "", value: object = None) -> Iterator[Key]:
    """The keys of a settings file that is read into `options`, those of nested ones with their path. Their defaults are
    those of `made`, if it is given."""
    kinds, meanings = get_type_hints(options), meanings_of(options)
    for field in fields(options):
        default = default_of(field) if value is None else getattr(value, field.name)
        kind = next((part for part in (kinds[field.name], *get_args(kinds[field.name])) if is_dataclass(part)), None)
        default_text = "" if default is MISSING or is_dataclass(default) else _yaml(default)
        yield Key(prefix + field.name, default_text, meanings.get(field.name, ""))
        if isinstance(kind, type):
            yield from keys(kind, f"{prefix}{field.name}.", default if is_dataclass(default) else None)


def _yaml(value: object) -> str:
    text: str = yaml.safe_dump([*value] if isinstance(value, tuple) else value, default_flow_style=True)
    return text.split("\n")[0]
