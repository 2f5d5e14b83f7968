"""The M2 format: a tokenised sentence and every annotator's edits.

    S He go home .
    A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0

`noop` says that an annotator found nothing to correct. An edit whose replacement equals its span changes nothing
(BEA marks detected errors without a correction `UNK` so) and is kept. `||` separates replacements that are equally
right, as in CoNLL-2014: `goes||went`; one that deletes is empty or `-NONE-`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import AnyStr

from gec_fair.edits.edit import Edit, Edits, edits
from gec_fair.edits.tokens import Tokens, split_spaces

_ALTERNATIVE = "||"
_NONE = "-NONE-"
_NOOP = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||"


@dataclass(frozen=True, slots=True)
class Annotated:
    """A sentence with its annotators in the order of their first edits: (annotator id, edits)."""

    source: Tokens
    annotators: tuple[tuple[str, Edits], ...]


def blocks(lines: Iterable[AnyStr]) -> Iterator[list[AnyStr]]:
    """The lines of each sentence: up to a blank line, or up to the next `S ` where the blank line is missing."""
    block: list[AnyStr] = []
    for line in lines:
        is_blank = not line.strip()
        if block and (is_blank or line[:2] in ("S ", b"S ")):
            yield block
            block = []
        if not is_blank:
            block.append(line)
    if block:
        yield block


def parse(block: Sequence[str]) -> Annotated:
    """One sentence, its lines with or without ends. ValueError, saying what is wrong, for anything that is not M2."""
    first, *others = (line.rstrip("\r\n") for line in block)
    if not first.startswith("S "):
        raise ValueError("expected a line 'S token token …'")
    if "\r" in first:
        raise ValueError("a carriage return stands in the sentence; if lines end so, run tr '\\r' '\\n' < FILE > NEW")
    source = split_spaces(first[2:])
    edits_by_annotator: dict[str, list[Edit]] = {}
    for line in others:
        annotator, edit = _parse_edit(line, len(source))
        edits_by_annotator.setdefault(annotator, [])
        if edit is not None:
            edits_by_annotator[annotator].append(edit)
    annotators = edits_by_annotator or {"0": []}
    return Annotated(source, tuple((who, _disjoint(who, their, len(source))) for who, their in annotators.items()))


def _disjoint(who: str, their: Sequence[Edit], length: int) -> Edits:
    try:
        return edits(their, length)
    except ValueError:
        ordered = sorted(their, key=lambda e: (e.start, e.end))
        left, right = next((a, b) for a, b in pairwise(ordered) if b.start < a.end)
        spans = f"{left.start}:{left.end} and {right.start}:{right.end}"
        raise ValueError(f"edits {spans} of annotator {who} overlap") from None


def render(source: Tokens, annotators: Sequence[tuple[str, Edits]]) -> str:
    """The sentence as M2, ending in a blank line."""
    lines = ["S " + source.text]
    for who, their in annotators:
        lines += [_render_edit(edit, who) for edit in their] or [_NOOP + who]
    return "\n".join(lines) + "\n\n"


def _parse_edit(line: str, length: int) -> tuple[str, Edit | None]:
    # from the right first: in `the|||||REQUIRED` the replacement is `the||`, *the* or nothing
    head, *tail = line.removeprefix("A ").rsplit("|||", 3)
    parts = [*head.split("|||", 2), *tail]
    if not line.startswith("A ") or len(parts) != 6 or "|||" in parts[2]:
        raise ValueError("expected 'A start end|||type|||replacement|||REQUIRED|||-NONE-|||annotator'")
    span, kind, _, _, _, who = map(str.strip, parts)
    try:
        start, end = (int(n) for n in span.split())
    except ValueError as fault:
        raise ValueError(f"expected two token offsets, found {span!r}") from fault
    if kind == "noop":
        return who, None
    if not 0 <= start <= end <= length:
        raise ValueError(f"edit {start}:{end} lies outside the sentence of {length} tokens")
    return who, edit_of(start, end, parts[2].strip(" \t\r"), kind)  # a no-break space at its end belongs to a word


def edit_of(start: int, end: int, replacement: str, kind: str) -> Edit:
    """An edit whose replacement is written as in M2, with its alternatives."""
    words, *alternatives = dict.fromkeys(_words(choice) for choice in replacement.split(_ALTERNATIVE))
    return Edit(start, end, words, kind, tuple(alternatives))


def replacement_of(edit: Edit) -> str:
    """The replacement and its alternatives as M2 writes them."""
    if not edit.alternatives:
        return " ".join(edit.replacement)
    return _ALTERNATIVE.join(" ".join(variant.replacement) or _NONE for variant in edit.variants())


def _words(replacement: str) -> tuple[str, ...]:
    words = tuple(word for word in replacement.split(" ") if word)
    return () if words == (_NONE,) else words


def _render_edit(edit: Edit, who: str) -> str:
    return f"A {edit.start} {edit.end}|||{edit.kind}|||{replacement_of(edit)}|||REQUIRED|||-NONE-|||{who}"
