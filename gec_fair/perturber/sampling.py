"""Which word of a text is rewritten, and to what (Qian et al. 2022, Algorithm 1).

uniform   of all (word, target attribute) pairs of the text one is drawn
axes      footnote 2, which the paper does not spell out: an axis is drawn first, with a weight that is inverse to its
          share of the data set's candidate words, so that each axis with a candidate has an equal expected share;
          then a word of it and a target, uniformly
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from gec_fair.perturber.axes import AXES, targets
from gec_fair.perturber.words import Found


@dataclass(frozen=True, slots=True)
class Choice:
    """A word and what it becomes."""

    word: Found
    target: str


def choices(found: Iterable[Found], axes: Sequence[str] = tuple(AXES)) -> list[Choice]:
    """All pairs K of a text."""
    return [Choice(word, target) for word in found if word.axis in axes for target in targets(word.attribute)]


def drawn(found: Sequence[Found], seed: int, text_id: str, *, axes: Sequence[str] = tuple(AXES),
          weights: Mapping[str, float] | None = None) -> Iterator[Choice]:  # fmt: skip
    """Choices without repetition, in the order in which they are tried; seeded by the text's id. `weights` of the axes
    draw by axis first; None draws uniformly over pairs."""
    chance = Random(f"{seed}:{text_id}")
    left = choices(found, axes)
    while left:
        some = left if weights is None else _of_axis(left, weights, chance)
        choice = chance.choice(some)
        yield choice
        left.remove(choice)


def _of_axis(left: Sequence[Choice], weights: Mapping[str, float], chance: Random) -> list[Choice]:
    here = sorted({choice.word.axis for choice in left})
    rarest = max(weights.values(), default=1.0)  # of an axis that was not seen when they were counted
    (axis,) = chance.choices(here, [weights.get(name, rarest) for name in here])
    return [choice for choice in left if choice.word.axis == axis]


def axis_weights(counts: Mapping[str, int]) -> dict[str, float]:
    """Inverse to how many candidate words of a data set are of each axis; axes without any have none."""
    return {axis: 1 / number for axis, number in counts.items() if number}
