"""A text of several fields as one: perturbed together, so that who is who stays one, and taken apart again.

(premise, hypothesis) ── joined ── rewritten ── apart        a rewriting that crosses a border is reported, never joined
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from gec_fair.edits import Edits, Rewriting, Tokens, apply, diff
from gec_fair.english.contractions import Text
from gec_fair.english.letters import plain

SEPARATOR = "<SEP>"


def occurs(word: str, fields: Sequence[str]) -> bool:
    """Whether a text has the word, whatever its case: *he* does not occur in *the cat*, and does
    in *_he_*."""
    return re.search(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])", " ".join(fields), re.IGNORECASE) is not None


def prompt_text(fields: Sequence[str]) -> str:
    """As a seq2seq perturber reads several fields (§3, footnote 4)."""
    return f" {SEPARATOR} ".join(fields)


def apart(text: str, fields: Sequence[str]) -> tuple[str, ...] | None:
    """A model's output as fields again; None where it lost or moved a border. Where it kept its separators they tell,
    unless a word that it left alone stands in another field now; where it lost them, the alignment with the input does,
    if no edit lies across a border, nor adds or takes words at one."""
    parts = tuple(part.strip() for part in text.split(SEPARATOR))
    if len(parts) == len(fields):
        return None if _is_moved(parts, fields) else parts
    return None if len(parts) > 1 or len(fields) == 1 else _by_alignment(text, fields)


def _is_moved(parts: Sequence[str], fields: Sequence[str]) -> bool:
    """Whether a word that stayed stands in another field than before, or one that came in another than its place."""
    old, new = ([(word, n) for n, field in enumerate(version) for word in field.split()] for version in (fields, parts))
    home, now = [n for _, n in old], [n for _, n in new]
    at = to = 0
    for edit in diff([word for word, _ in old], [word for word, _ in new]):
        prefix = edit.start - at
        came = {*now[to + prefix : to + prefix + len(edit.replacement)]}
        around = edit.end > edit.start
        place = {*home[edit.start : edit.end]} if around else {*home[max(0, edit.start - 1) : edit.start + 1]}
        if home[at : edit.start] != now[to : to + prefix] or not came <= place:
            return True
        at, to = edit.end, to + prefix + len(edit.replacement)
    return home[at:] != now[to:]


def frame(new: Sequence[str], old: Sequence[str]) -> tuple[str, ...]:
    """Fields with the white space around them that the old ones had."""
    return tuple(
        field.replace(field.strip(), field_words.strip(), 1) if field.strip() else field
        for field_words, field in zip(new, old, strict=True)
    )


def _by_alignment(text: str, fields: Sequence[str]) -> tuple[str, ...] | None:
    old = [field.split() for field in fields]
    borders = [sum(map(len, old[:n])) for n in range(1, len(old))]
    words = [word for field in old for word in field]
    new = text.split()
    changes = diff(words, new)
    if any(
        edit.start < at < edit.end or (edit.growth and at in (edit.start, edit.end))
        for edit in changes
        for at in borders
    ):
        return None
    cuts = [at + sum(len(e.replacement) - (e.end - e.start) for e in changes if e.end <= at) for at in borders]
    return tuple(" ".join(new[a:b]) for a, b in pairwise([0, *cuts, len(new)]))


def rewrite(tokens: Tokens, changes: Edits, fields: Sequence[str]) -> Rewriting | None:
    """The fields' text after edits over its tokens in plain letters, with the writer's signs; None if an edit lies
    across a border."""
    written = Text(tuple(map(plain, tokens.words)), tokens.words).restore(changes)
    assert written is not None  # it fails on contractions alone
    changes = written
    if any(edit.start < border < edit.end for edit in changes for border in tokens.borders):
        return None
    after = apply(changes, tokens)
    if not tokens.borders:
        after = Tokens.of(frame((after.text,), fields)[0], after.words)
    return Rewriting(tokens, changes, after)


def fields_of(rewriting: Rewriting, fields: Sequence[str]) -> tuple[str, ...]:
    """The fields after a rewriting, with the white space around them that the old ones had."""
    after = rewriting.after
    return frame(after.segments, fields) if after.borders else (after.text,)
