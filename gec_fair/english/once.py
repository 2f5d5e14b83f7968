"""Answers about a text that are looked for once and stay with it (`Doc.user_data`)."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

if TYPE_CHECKING:
    from spacy.tokens import Doc

P = ParamSpec("P")
R = TypeVar("R")


def once_a_text(function: Callable[Concatenate[Doc, P], R]) -> Callable[Concatenate[Doc, P], R]:
    """Keep what a function says of a text, by its other arguments, which must be hashable and by position."""
    key = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def answer(doc: Doc, /, *arguments: P.args, **options: P.kwargs) -> R:
        known: dict[object, R] = doc.user_data.setdefault(key, {})
        if arguments not in known:
            known[arguments] = function(doc, *arguments, **options)
        return known[arguments]

    return answer


@once_a_text
def texts(doc: Doc) -> list[str]:
    """The words of a text."""
    return [token.text for token in doc]


@once_a_text
def lowers(doc: Doc) -> list[str]:
    """The words of a text in lower case, as spaCy has them."""
    return [token.lower_ for token in doc]
