"""Fields of an item that hold sentences. An empty sentence is likelier than any other, so none is ever scored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gec_fair.data.columns import is_blank


def read_text(row: Any, name: str) -> str:
    """The text of a field. KeyError if the row does not have it, TypeError for a value that is not text and for a row
    that is not an object, ValueError for a text that is empty, or holds only white space and invisible signs."""
    text = check_row(row)[name]
    if not isinstance(text, str):
        raise TypeError(f"{name} is {text!r}, and a text is wanted")
    if is_blank(text):
        raise ValueError(f"{name} is empty")
    return text


def check_row(row: Any) -> Mapping[str, Any]:
    """The row. TypeError if it is not an object."""
    if not isinstance(row, Mapping):
        raise TypeError(f"{row!r} stands where fields are wanted")
    return row


def refuse_equal(texts: Mapping[str, str]) -> None:
    """Raises ValueError for two texts, by the names of their fields, that differ in white space at most."""
    first: dict[str, str] = {}
    for name, text in texts.items():
        if (same_name := first.setdefault(" ".join(text.split()), name)) != name:
            raise ValueError(f"{same_name} and {name} are the same")


def describe_fault(fault: Exception) -> str:
    """What is wrong with an item, in words: of a KeyError which field is missing."""
    return f"no {fault}" if isinstance(fault, KeyError) else str(fault)
