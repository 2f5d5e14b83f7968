"""Values that no message, record or signature shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

HIDDEN = "…"
_NAMED = re.compile(r"(?:^|[-_.])(?:api-?key|key|token|secret|password|passwd|pwd|credentials?)$", re.IGNORECASE)
"""How a name ends: `--api-key`, `OPENAI_API_KEY`, and not `--tokenizer`, `--max-tokens`, `--key-field`."""


def is_secret(name: str) -> bool:
    """Whether an option or a variable is called a key, token, secret or password."""
    return bool(_NAMED.search(name))


def hidden(text: str, values: Iterable[str]) -> str:
    """The text without these values, the longest first, for one may be a part of another."""
    for value in sorted(filter(None, values), key=len, reverse=True):
        text = text.replace(value, HIDDEN)
    return text


def shown(words: Sequence[str]) -> Iterator[str]:
    """A command's words without what stands behind such names: `--key K`, `--key=K`, `KEY=K`."""
    behind = False
    for word in words:
        name, equals, _ = word.partition("=")
        secret = is_secret(name)
        yield HIDDEN if behind else f"{name}={HIDDEN}" if secret and equals else word
        behind = secret and not equals and name.startswith("-")
