"""Values that no message, record or signature shows."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import pairwise
from os.path import isfile  # False for a word that is too long for a name, where pathlib raises

HIDDEN = "…"
_NAMED = re.compile(r"(?:^|[-_.])(?:api-?key|key|token|secret|password|passwd|pwd|credentials?)$", re.IGNORECASE)
"""How a name ends: `--api-key`, `OPENAI_API_KEY`, and not `--tokenizer`, `--max-tokens`, `--key-field`."""

_OPTION = re.compile(r"-{1,2}|-[a-z]|--[a-z][\w-]*", re.IGNORECASE | re.ASCII)
_NUMBER = re.compile(r"-?\d*\.?\d+(e-?\d+)?", re.ASCII)
_SHORT = 6
"""Signs of a number that is not a key."""


def is_secret(name: str) -> bool:
    """Whether an option or a variable is called a key, token, secret or password."""
    return bool(_NAMED.search(name))


def hidden(text: str, values: Iterable[str]) -> str:
    """The text without these values, the longest first, for one may be a part of another."""
    for value in sorted(filter(None, values), key=len, reverse=True):
        text = text.replace(value, HIDDEN)
    return text


def hide_secrets(words: Sequence[str], contents: Sequence[str] = ()) -> str:
    """What may be seen of a command: its program, names of options, files that are there and short numbers. Any other
    word may be a key, whatever it stands behind. `#` and a digest of all words, and of its files' `contents`, tell two
    commands apart."""
    shown_words = [shlex.quote(words[0])]
    for before, word in pairwise(words):
        name, equals, value = word.partition("=")
        if _OPTION.fullmatch(name):
            shown_words.append(f"{name}={_plain(value, name)}" if equals else name)
        else:
            shown_words.append(_plain(word, before))
    return f"{' '.join(shown_words)} #{sha256(' '.join((shlex.join(words), *contents)).encode()).hexdigest()[:8]}"


def _plain(word: str, before: str) -> str:
    """A word that can be no key, `…` for another and behind a name that is one's."""
    number = len(word) <= _SHORT and _NUMBER.fullmatch(word)
    return shlex.quote(word) if (number or isfile(word)) and not is_secret(before) else HIDDEN
