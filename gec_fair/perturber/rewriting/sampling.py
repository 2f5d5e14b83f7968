"""Which word of a text is rewritten, and to what (Qian et al. 2022, Algorithm 1).

uniform   of all (word, target attribute) pairs of the text one is drawn; a word that stands in it often is one word
          (K is a set), and of its places one is drawn then
axes      footnote 2, which the paper does not spell out: an axis is drawn first, with a weight that is inverse to its
          share of the data set's candidate words, so that each axis with a candidate has an equal expected share;
          then a word of it and a target, uniformly
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING, TypeVar

from gec_fair.edits import Edit, edited_places
from gec_fair.people.terms.axes import Axes, default_attribute
from gec_fair.people.terms.lexicon import PerturbableWord
from gec_fair.people.terms.sentences import sentence_around
from gec_fair.perturber.words.parsed_text import ParsedText

if TYPE_CHECKING:
    from spacy.tokens import Token

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Choice:
    """A word and what it becomes."""

    word: PerturbableWord
    target: str


@dataclass(frozen=True)
class Draft:
    """A text, what is drawn of it, and the edits of the drawn word's chain."""

    text: ParsedText
    choice: Choice
    edits: Iterable[Edit]

    @cached_property
    def edited(self) -> frozenset[int]:
        """The places of the edits."""
        return edited_places(self.edits)

    @cached_property
    def left(self) -> Sequence[Token]:
        """The words that stay."""
        return [token for token in self.text.doc if token.i not in self.edited]

    @cached_property
    def alike(self) -> Sequence[PerturbableWord]:
        """The words of the old attribute, edited or not."""
        axis, attribute = self.choice.word.axis, self.choice.word.attribute
        return [word for word in self.text.words if word.axis == axis and word.attribute == attribute]

    @cached_property
    def near(self) -> Sequence[Token]:
        """The words of the sentences of the edits."""
        return [token for at in self.edited for token in sentence_around(self.text.doc, at)]


def choices(
    text: ParsedText,
    axes: Sequence[str] | None = None,
    *,
    words: Iterable[PerturbableWord] | None = None,
    removes: bool = False,
) -> dict[tuple[str, str], list[Choice]]:
    """The set K of a text: its (word, target) pairs, each with all the places of the word. *He* is *he*. `axes`: all by
    default. `words`: those of the text that are meant, by default the perturbable ones. `removes`: what is said may
    also go, of every axis but gender."""
    known = text.finder.demographics.axes
    pairs: dict[tuple[str, str], list[Choice]] = {}
    for word in text.words if words is None else words:
        removed = (default_attribute(word.axis),) if removes and word.kind == "term" else ()
        for target in (*known.targets(word.attribute), *removed) if axes is None or word.axis in axes else ():
            pairs.setdefault((word.text(text.doc).lower(), target), []).append(Choice(word, target))
    return pairs


def draw_choices(
    text: ParsedText,
    seed: int,
    text_id: str,
    *,
    axes: Sequence[str] | None = None,
    weights: Mapping[str, float] | None = None,
    words: Iterable[PerturbableWord] | None = None,
    removes: bool = False,
) -> Iterator[Choice]:
    """Choices without repetition, in the order in which they are tried; seeded by the text's id. `weights` of the axes
    draw by axis first; None draws uniformly over pairs. `words` and `removes` as in `choices`."""
    chance, known = Random(f"{seed}:{text_id}"), text.finder.demographics.axes
    left = choices(text, axes, words=words, removes=removes)
    while left:
        pair = chance.choice(list(left) if weights is None else _of_axis(left, known, weights, chance))
        places = left[pair]
        yield places.pop(chance.randrange(len(places)))
        if not places:
            del left[pair]


def _of_axis(
    left: Iterable[tuple[str, str]], axes: Axes, weights: Mapping[str, float], chance: Random
) -> list[tuple[str, str]]:
    axes_left = sorted({axes.axis_of(target) for _, target in left})
    rarest = max(weights.values(), default=1.0)  # of an axis that was not seen when they were counted
    (axis,) = chance.choices(axes_left, [weights.get(name, rarest) for name in axes_left])
    return [(word, target) for word, target in left if axes.axis_of(target) == axis]


def pick(pool: Sequence[Item], key: str) -> Item:
    """An item of the pool, always the same for a key."""
    return pool[int.from_bytes(sha256(key.encode()).digest()[:8], "big") % len(pool)]


def axis_weights(counts: Mapping[str, int]) -> dict[str, float]:
    """Inverse to how many candidate words of a data set are of each axis; axes without any have none."""
    return {axis: 1 / number for axis, number in counts.items() if number}
