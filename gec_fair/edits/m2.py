"""The M2 format: a tokenised sentence and every annotator's edits.

    S He go home .
    A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0

`noop` says that an annotator found nothing to correct. An edit whose replacement equals its span changes nothing
(BEA marks detected errors without a correction `UNK` so) and is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gec_fair.edits.edit import Edit, Edits, edits
from gec_fair.edits.tokens import Tokens, spaced

_NOOP = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||"


@dataclass(frozen=True, slots=True)
class Annotated:
    """A sentence with its annotators in the order of their first edits: (annotator id, edits)."""

    source: Tokens
    annotators: tuple[tuple[str, Edits], ...]


def blocks(lines: Iterable[str]) -> Iterator[list[str]]:
    """The lines of each sentence; blank lines separate sentences."""
    block: list[str] = []
    for line in lines:
        stripped = line.rstrip("\n")
        if stripped:
            block.append(stripped)
        elif block:
            yield block
            block = []
    if block:
        yield block


def parse(block: Sequence[str]) -> Annotated:
    """One sentence. Raises ValueError, saying what is wrong, for anything that is not M2."""
    if not block[0].startswith("S "):
        raise ValueError("expected a line 'S token token …'")
    source = spaced(block[0][2:])
    edits_by_annotator: dict[str, list[Edit]] = {}
    for line in block[1:]:
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
        one, two = next((a, b) for a, b in pairwise(ordered) if b.start < a.end)
        spans = f"{one.start}:{one.end} and {two.start}:{two.end}"
        raise ValueError(f"edits {spans} of annotator {who} overlap") from None


def render(source: Tokens, annotators: Sequence[tuple[str, Edits]]) -> str:
    """The sentence as M2, ending in a blank line."""
    lines = ["S " + source.text]
    for who, their in annotators:
        lines += [_render_edit(edit, who) for edit in their] or [_NOOP + who]
    return "\n".join(lines) + "\n\n"


def _parse_edit(line: str, length: int) -> tuple[str, Edit | None]:
    parts = line.removeprefix("A ").split("|||")
    if not line.startswith("A ") or len(parts) != 6:
        raise ValueError("expected 'A start end|||type|||replacement|||REQUIRED|||-NONE-|||annotator'")
    span, kind, replacement, _, _, who = parts
    try:
        start, end = (int(n) for n in span.split())
    except ValueError as fault:
        raise ValueError(f"expected two token offsets, found {span!r}") from fault
    if kind == "noop":
        return who, None
    if not 0 <= start <= end <= length:
        raise ValueError(f"edit {start}:{end} lies outside the sentence of {length} tokens")
    words = tuple(w for w in replacement.split(" ") if w) if replacement != "-NONE-" else ()
    return who, Edit(start, end, words, kind)


def _render_edit(edit: Edit, who: str) -> str:
    return f"A {edit.start} {edit.end}|||{edit.kind}|||{' '.join(edit.replacement)}|||REQUIRED|||-NONE-|||{who}"
