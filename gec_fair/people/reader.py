"""The reader of people: a small network that says of each word of a text what it stands for.

    Ada/first-name Lovelace/surname read her/possessive Alice/object in Austin/place .

It gives probabilities for the kind of each word, for the form of a *her* or *his*, for the gender that the text gives a
person, and for the word before that means the same person. Trained by `training/people/train_reader.py` on what a
larger model says; how well it reads: docs/concepts/people.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gec_fair.english.lexicons.paradigms import Gender
from gec_fair.english.once import once_a_text, texts
from gec_fair.errors import refusing_damage
from gec_fair.people import around
from gec_fair.people.around import FORMS
from gec_fair.people.features import Pieces, Rows, see
from gec_fair.people.links.ranker import softmax
from gec_fair.people.network import LONGEST, Network, read_arrays

if TYPE_CHECKING:
    from spacy.tokens import Doc

WEIGHTS = Path(__file__).with_name("reader.npz")
LINK = 32
"""Width of the vectors whose product says which words are one person."""
OVERLAP = 60
"""Words of a window that are read for the sake of those behind them, at most."""


class Kind(Enum):
    """What a noun or name stands for."""

    FIRST_NAME = "first name"
    SURNAME = "surname"  # or any other part of a person's name
    PERSON = "person"  # a title or common noun for a person
    GROUP = "group"
    PLACE = "place"
    OBJECT = "object"  # a work, a thing, an event, a time, an idea
    NOTHING = "nothing"  # not a noun or name at all


KINDS = tuple(Kind)
SOMEBODY = (Kind.FIRST_NAME, Kind.SURNAME, Kind.PERSON)
IMPERSONAL = (Kind.GROUP, Kind.PLACE, Kind.OBJECT)
GENDERS = (Gender.MASCULINE, Gender.FEMININE, None)
"""None: *it*, or no person."""
_BORDERS = (len(KINDS), len(KINDS) + len(FORMS), len(KINDS) + len(FORMS) + len(GENDERS))
LIKELY = 0.5  # more likely than not
NAMES, VECTORS = "pieces.names", "pieces.vectors"
"""Arrays of the file that are no weights."""


@dataclass(frozen=True, eq=False)
class Reading:
    """Probabilities for the words of a text. `windows`: where each begins, where its own words begin (those before are
    of the window before it), and the network's logits."""

    windows: Sequence[tuple[int, int, Rows]]

    @cached_property
    def kinds(self) -> Rows:
        """Words × KINDS."""
        return self._part(0)

    @cached_property
    def forms(self) -> Rows:
        """Words × FORMS."""
        return self._part(1)

    @cached_property
    def genders(self) -> Rows:
        """Words × GENDERS."""
        return self._part(2)

    @cached_property
    def links(self) -> Sequence[tuple[int, Rows]]:
        """For each word, the place at which its window begins, and how likely each word of the window is the nearest
        mention before it of the same person; the last number, none."""
        links: list[tuple[int, Rows]] = []
        for start, new, logits in self.windows:
            asks, answers, alone = np.split(logits[:, _BORDERS[2] :], [LINK, 2 * LINK], axis=1)
            scores = asks @ answers.T / LINK**0.5 + alone[:, 0]
            scores[np.triu_indices(len(logits))] = -np.inf
            links += [(start, row) for row in softmax(np.concatenate([scores, alone[:, 1:]], axis=1))[new - start :]]
        return links

    def _part(self, number: int) -> Rows:
        first, last = (0, *_BORDERS)[number : number + 2]
        parts = [softmax(logits[new - start :, first:last]) for start, new, logits in self.windows]
        return np.concatenate(parts) if parts else np.zeros((0, last - first), np.float32)


@cache
def load(path: Path = WEIGHTS) -> tuple[Network, Pieces]:
    """The network of a file and its vectors of sub-words, read once in a process. MissingResource if the file is
    missing or damaged."""
    with refusing_damage(path):
        arrays = read_arrays(path)
        pieces = Pieces(bytes(arrays.pop(NAMES)).decode("utf-8").split("\n"), arrays.pop(VECTORS).astype(np.float32))
        return Network({name: array.astype(np.float32) for name, array in arrays.items()}), pieces


@cache
def version() -> str:
    """What names the weights in a manifest: `sha256:` and sixteen digits."""
    with refusing_damage(WEIGHTS.parent):
        content = WEIGHTS.read_bytes() + around.WEIGHTS.read_bytes()
    return f"sha256:{sha256(content).hexdigest()[:16]}"


@once_a_text
def read(doc: Doc) -> Reading:
    """The reading of a tagged text."""
    if not len(doc):
        return Reading(())
    network, pieces = load()
    seen = see(doc, pieces)
    windows = _windows(texts(doc))
    return Reading([(start, new, network(seen.part(start, end))) for start, new, end in windows])


def _windows(words: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Start and end of each window, and between them where its own words begin; those before are of the one before it.
    Windows begin and end with sentences, unless one is too long."""
    start = new = 0
    borders = [at + 1 for at, word in enumerate(words) if word in (".", "!", "?")]
    while len(words) - start > LONGEST:
        end = max((at for at in borders if new < at <= start + LONGEST), default=start + LONGEST)
        yield start, new, end
        start, new = min((at for at in borders if end - OVERLAP <= at <= end), default=end), end
    if new < len(words):
        yield start, new, len(words)


def places_of(doc: Doc, places: Sequence[int], *kinds: Kind, least: float = LIKELY) -> frozenset[int]:
    """Those of these places whose word is of one of the kinds with at least this probability."""
    if not places:
        return frozenset()
    rows = read(doc).kinds[np.array(places)]
    likely = rows[:, [KINDS.index(kind) for kind in kinds]].sum(axis=1)
    return frozenset(at for at, p in zip(places, likely.tolist(), strict=True) if p >= least)
