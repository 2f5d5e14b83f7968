"""The reader of people, as `train_reader.py` writes it: a small network that says of each word of a text what it stands
for. Also the module that `benchmarks/people.py` puts in the place of today's readers:

    PEOPLE=out/reader.npz PYTHONPATH=training/people python benchmarks/people.py --only a,b,d --reader reader

It gives probabilities for the kind of each word, for the form of a *her* or *his*, for the gender that the text gives a
person, and for the word before that means the same person.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from features import Pieces, Rows, Seen, see
from network import Network, softmax

from gec_fair.english.paradigms import Form, Gender
from gec_fair.english.persons import KINDS
from gec_fair.english.pronoun_forms import FORMS

if TYPE_CHECKING:
    from spacy.tokens import Doc

LINK = 32
"""Width of the vectors whose product says which words are one person."""
LONGEST = 200
"""Words of a window; longer texts are read in windows of whole sentences."""


GENDERS = (Gender.MASCULINE, Gender.FEMININE, None)
"""None: *it*, or no person."""
_BORDERS = np.cumsum([len(KINDS), len(FORMS), len(GENDERS), LINK, LINK])
_KEY = "gec_fair.people"
NAMES, VECTORS = "pieces.names", "pieces.vectors"
"""Arrays of the file that are no weights."""


@dataclass(frozen=True)
class Reading:
    """Probabilities for the words of a text."""

    kinds: Rows
    """Words × KINDS."""
    forms: Rows
    """Words × FORMS."""
    genders: Rows
    """Words × GENDERS."""
    links: Sequence[tuple[int, Rows]]
    """For each word, the place at which its window begins, and how likely each word of the window is the nearest
    mention before it of the same person; the last number, none."""


@cache
def load(path: Path | None = None) -> tuple[Network, Pieces]:
    """The network of a file and its vectors of sub-words, read once in a process; without a path, of the file that
    PEOPLE names."""
    with np.load(path or os.environ["PEOPLE"], allow_pickle=False) as arrays:
        names = bytes(arrays[NAMES]).decode("utf-8").split("\n")
        pieces = Pieces(names, arrays[VECTORS].astype(np.float32))
        others = set(arrays.files) - {NAMES, VECTORS}
        return Network({name: arrays[name].astype(np.float32) for name in others}), pieces


def read(doc: Doc) -> Reading:
    """The reading of a tagged text; it is kept with the text."""
    reading = doc.user_data.get(_KEY)
    if reading is None:
        reading = doc.user_data[_KEY] = _read(doc)
    return reading


def _read(doc: Doc) -> Reading:
    network, pieces = load()
    seen, words = see(doc, pieces), [token.text for token in doc]
    parts = [answers_of(network, seen.part(start, end), start) for start, end in _windows(words)]
    if not parts:
        empty = np.zeros((0, 0), np.float32)
        return Reading(empty, empty, empty, ())
    kinds, forms, genders, links = zip(*parts, strict=True)
    return Reading(
        np.concatenate(kinds), np.concatenate(forms), np.concatenate(genders), [link for part in links for link in part]
    )


def _windows(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open runs of whole sentences; a sentence that is too long is cut."""
    start = 0
    while len(words) - start > LONGEST:
        ends = [at for at in range(start + 1, start + LONGEST + 1) if words[at - 1] in (".", "!", "?")]
        end = ends[-1] if ends else start + LONGEST
        yield start, end
        start = end
    if start < len(words):
        yield start, len(words)


def answers_of(network: Network, seen: Seen, start: int) -> tuple[Rows, Rows, Rows, list[tuple[int, Rows]]]:
    """What the network says of a window that begins at a place: kinds, forms, genders, links."""
    outputs = network(seen)
    kinds, forms, genders, asks, answers, alone = np.split(outputs, _BORDERS, axis=1)
    scores = asks @ answers.T / LINK**0.5 + alone[:, 0]
    number = len(outputs)
    scores[np.triu_indices(number)] = -np.inf
    links = softmax(np.concatenate([scores, alone[:, 1:]], axis=1))
    return softmax(kinds), softmax(forms), softmax(genders), [(start, row) for row in links]


def kinds(doc: Doc, places: Sequence[int]) -> Rows:
    """As `gec_fair.english.persons.read`."""
    return read(doc).kinds[list(places)] if places else np.zeros((0, len(KINDS)), np.float32)


def form(doc: Doc, at: int) -> Form:
    """As `gec_fair.english.pronoun_forms.read`."""
    row = read(doc).forms[at]
    second = Form.ACCUSATIVE if doc[at].lower_ == "her" else Form.INDEPENDENT
    return Form.DETERMINER if row[FORMS.index(Form.DETERMINER)] >= row[FORMS.index(second)] else second
