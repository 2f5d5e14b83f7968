"""A text, the edits that rewrite it, and the text that comes of it: what every rewriting of the package gives.

rewriting = Rewriting.of(spaced("she lost her keys"), edits([Edit(0, 1, ("he",)), Edit(2, 3, ("his",))], 4))
rewriting.after.text        "he lost his keys"
list(rewriting.pieces())    [("she", "he"), (" lost ", " lost "), ("her", "his"), (" keys", " keys")]
restore(rewriting.after.text, rewriting.undo()) == rewriting.before.text
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Prefix

from gec_fair.edits.algebra import apply, compose, edit_words
from gec_fair.edits.diff import diff
from gec_fair.edits.edit import Edit, Edits
from gec_fair.edits.tokens import Tokens, split_spaces

_SPACE = re.compile(r"([ \t\n\r\f\v]+)")


@dataclass(frozen=True, slots=True)
class Undo:
    """At character `start` of a rewritten text stands `new`, where the original had `old`. Whole words."""

    start: int
    new: str
    old: str


@dataclass(frozen=True, slots=True)
class Rewriting:
    """`edits` lead from the words of `before` to those of `after`; white space may differ anywhere.

    Raises ValueError if they lead elsewhere.
    """

    before: Tokens
    edits: Edits
    after: Tokens

    def __post_init__(self) -> None:
        if edit_words(self.edits, self.before.words) != self.after.words:
            raise ValueError(f"the edits do not lead from {self.before.text!r} to {self.after.text!r}")

    @classmethod
    def of(cls, before: Tokens, edits: Edits) -> Rewriting:
        """The edits, applied."""
        return cls(before, edits, apply(edits, before))

    @classmethod
    def between(cls, before: str, after: str) -> Rewriting:
        """The edits between two texts, found by comparing them; each exchanged word is a separate edit."""
        old, new = split_spaces(before), split_spaces(after)
        changes = diff(old.words, new.words)
        return cls(
            old, Edits(tuple(part for edit in changes for part in _words_of(edit, old.words)), changes.length), new
        )

    def then(self, following: Rewriting) -> Rewriting:
        """Both, one after the other, as one. Raises ValueError unless `following` starts from this one's words."""
        both = compose(self.edits, following.edits)
        changed = [e for e in both if self.before.words[e.start : e.end] != e.replacement]
        return Rewriting(self.before, Edits(tuple(changed), both.length), following.after)

    def replacements(self) -> Iterator[tuple[str, str]]:
        """The old and the new words of each edit; "" for none."""
        for edit in self.edits:
            yield " ".join(self.before.words[edit.start : edit.end]), " ".join(edit.replacement)

    def pieces(self) -> Iterator[tuple[str, str]]:
        """The text in pieces, before and after. All first parts together are the old text, all second parts the new."""
        yield from _nonempty(self.before.lead, self.after.lead)
        at = to = 0
        for edit in (*self.edits, Edit(len(self.before), len(self.before), ())):
            while at < edit.start:
                yield self.before.words[at], self.after.words[to]
                yield from _nonempty(self.before.after[at], self.after.after[to])
                at, to = at + 1, to + 1
            old = _text(self.before, at, edit.end)
            new = _text(self.after, to, to + len(edit.replacement))
            space = _common_space(old, new)
            yield from _nonempty(old[: len(old) - space], new[: len(new) - space])
            yield from _nonempty(old[len(old) - space :], new[len(new) - space :])
            at, to = edit.end, to + len(edit.replacement)

    def undo(self) -> list[Undo]:
        """What to put back, in order, to have the old text byte for byte (`restore`)."""
        changes: list[Undo] = []
        at, old, new = 0, "", ""
        for before, after in (*self.pieces(), (" ", " ")):
            if before != after:
                old, new = old + before, new + after
                continue
            for part in _SPACE.split(before):
                if _SPACE.fullmatch(part):
                    changes += [Undo(at, new, old)] if old != new else []
                    at, old, new = at + len(new) + len(part), "", ""
                else:
                    old, new = old + part, new + part
        return changes


def restore(text: str, undo: Iterable[Undo]) -> str:
    """The original of a rewritten text. Raises ValueError if the text is another one."""
    parts: list[str] = []
    at = 0
    for change in undo:
        end = change.start + len(change.new)
        if text[change.start : end] != change.new:
            raise ValueError(f"{change.new!r} is not at character {change.start}")
        parts += [text[at : change.start], change.old]
        at = end
    return "".join([*parts, text[at:]])


def pieces_of(text: str, undo: Sequence[Undo]) -> Iterator[tuple[str, str]]:
    """A rewritten text in pieces, before and after, as `Rewriting.pieces` gives them."""
    at = 0
    for change in undo:
        yield from _nonempty(text[at : change.start], text[at : change.start])
        yield from _trim(change.old, change.new)
        at = change.start + len(change.new)
    yield from _nonempty(text[at:], text[at:])


def _trim(old: str, new: str) -> Iterator[tuple[str, str]]:
    """A change without the whole words that both texts begin or end with."""
    start = _common_words(old, new)
    end = _common_words(old[start:][::-1], new[start:][::-1])
    yield from _nonempty(old[:start], new[:start])
    yield old[start : len(old) - end], new[start : len(new) - end]
    yield from _nonempty(old[len(old) - end :], new[len(new) - end :])


def _common_words(old: str, new: str) -> int:
    """The length of what both begin with, up to the end of a word."""
    size = Prefix.similarity(old, new)
    while size and not all(size == len(text) or text[size].isspace() for text in (old, new)):
        size -= 1
    return size


def _words_of(edit: Edit, before: Sequence[str]) -> list[Edit]:
    if edit.growth:
        return [edit]
    words = enumerate(edit.replacement, edit.start)
    return [Edit(start, start + 1, (word,)) for start, word in words if word != before[start]]


def _text(tokens: Tokens, start: int, end: int) -> str:
    return "".join(word + gap for word, gap in zip(tokens.words[start:end], tokens.after[start:end], strict=True))


def _common_space(old: str, new: str) -> int:
    """How many characters of white space both end in."""
    size = 0
    while size < min(len(old), len(new)) and old[-1 - size] == new[-1 - size] and old[-1 - size].isspace():
        size += 1
    return size


def _nonempty(old: str, new: str) -> Iterator[tuple[str, str]]:
    if old or new:
        yield old, new
