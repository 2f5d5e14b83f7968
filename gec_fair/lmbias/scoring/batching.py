"""Texts as rows of sub-words, with what belongs to the text itself; and a suite's items in parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from transformers import PreTrainedTokenizerBase

from gec_fair.errors import InputError
from gec_fair.progress import Progress

Item = TypeVar("Item")
_FIRST = 8  # items


@dataclass(frozen=True, slots=True)
class Cut:
    """A text's sub-words with the special ones around them. `own`: the places that are the text's; `words`: the number
    of the word that each place belongs to, None for special ones; `starts`, `ends`: its characters, half-open. All of
    one length but `own`; a tokenizer in Python alone tells none of these, and they are empty."""

    ids: tuple[int, ...]
    places: tuple[int, ...]
    words: tuple[int | None, ...]
    ends: tuple[int, ...]
    starts: tuple[int, ...] = ()

    def after(self, character: int) -> Cut:
        """The same with only those sub-words its own that reach beyond a character: what follows a context."""
        if not character:
            return self
        return replace(self, places=tuple(place for place in self.places if self.ends[place] > character))


def cut(
    texts: Sequence[str],
    tokenizer: PreTrainedTokenizerBase,
    *,
    longest: int,
    special: bool = True,
    place: str = "at once",
    marks: bool = False,
) -> list[Cut]:
    """Every text, whole. InputError for one that is longer than the model reads; `place`: where, for the message.
    `marks`: the name of a special token in a text is that token, else it is text."""
    if not texts:
        return []
    encoded = tokenizer(
        list(texts),
        add_special_tokens=special,
        split_special_tokens=not marks,
        return_special_tokens_mask=True,
        return_offsets_mapping=tokenizer.is_fast,
    )
    cuts = []
    for n, text in enumerate(texts):
        ids = tuple(encoded["input_ids"][n])
        if len(ids) > longest:
            raise InputError(
                f"a text of {len(ids):,} sub-words, and the model reads {longest:,} {place}: "
                f"{text[:60]!r}…; leave it out, or give a model that reads more"
            )
        places = tuple(at for at, is_special in enumerate(encoded["special_tokens_mask"][n]) if not is_special)
        words = tuple(encoded.word_ids(n)) if tokenizer.is_fast else ()
        starts, ends = zip(*encoded["offset_mapping"][n], strict=True) if tokenizer.is_fast and ids else ((), ())
        cuts.append(Cut(ids, places, words, ends, starts))
    return cuts


def growing(items: Sequence[Item], most: int, progress: Progress | None = None) -> Iterator[Sequence[Item]]:
    """Parts of a suite, in order: a few items, then twice as many each time, up to `most`. The first are soon through,
    so that a bar is there early; the later ones fill their batches. `progress` hears how many are done."""
    first, size = 0, _FIRST
    while first < len(items):
        yield items[first : first + size]
        first, size = first + size, min(2 * size, most)
        if progress is not None:
            progress(min(first, len(items)), len(items))
