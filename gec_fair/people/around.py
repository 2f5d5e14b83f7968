"""Which form *her* and *his* have, by the words right around: the pipeline's vectors and tags, the frame of the verb
before, and how often each word, pair of words and pattern was beside something possessed.

    She packed her/determiner few things and he helped her/accusative pack .

Two layers, trained on 450,000 places: *him* and *his*, *them* and *their*, … turned into *her*; *mine* and *my*, …
turned into *his* (`training/people/train_around.py`). The reader of people sees the whole text; `forms` mixes both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from gec_fair.english.lexicons.paradigms import Form
from gec_fair.english.pipeline import WIDTH
from gec_fair.errors import refusing_damage
from gec_fair.people.features import FRAMES, Rows, with_our_vectors
from gec_fair.people.links import lexical
from gec_fair.people.links.ranker import softmax
from gec_fair.people.network import read_arrays

if TYPE_CHECKING:
    from spacy.tokens import Doc

WEIGHTS = Path(__file__).with_name("around.npz")
LAYERS = ("hidden", "hidden_bias", "out", "out_bias")
BEFORE, AFTER = 2, 3
"""Words whose vectors are looked at; chosen by hand."""
LEAST = 5
"""Times that a pattern was seen, to be in the table; chosen by hand."""
FORMS = (Form.DETERMINER, Form.ACCUSATIVE, Form.INDEPENDENT)
_TAGS = tuple(
    "NN NNS NNP NNPS JJ JJR JJS VB VBD VBG VBN VBP VBZ RB RBR IN TO DT CC CD PRP PRP$ MD RP . , : $ ``".split()
)
_CLASSES = ("NOUN", "VERB", "ADJ", "ADV")


@dataclass(frozen=True, slots=True, eq=False)
class Patterns:
    """How often words and tags around *her* or *his* went with a possessive. `codes`: sorted checksums of patterns;
    `odds`: logarithms of the odds of a possessive; `times`: logarithms of how often they were seen."""

    codes: NDArray[np.uint32]
    odds: NDArray[np.float16]
    times: NDArray[np.float16]

    def look_up(self, patterns: Sequence[str]) -> list[float]:
        """Odds and times of each pattern; zeros for one that is not known."""
        codes = np.array([code(pattern) for pattern in patterns], dtype=np.uint32)
        places = np.searchsorted(self.codes, codes)
        places[places == len(self.codes)] = 0
        known = self.codes[places] == codes
        return np.stack([self.odds[places] * known, self.times[places] * known], axis=1).ravel().tolist()


def code(pattern: str) -> int:
    """The checksum of a pattern."""
    return crc32(pattern.encode())


@cache
def load(path: Path = WEIGHTS) -> tuple[Patterns, Mapping[str, Rows]]:
    """The table and the layers of a file, read once in a process. MissingResource if it is missing or damaged."""
    with refusing_damage(path):
        arrays = read_arrays(path)
        layers = {name: arrays[name].astype(np.float32) for name in LAYERS}
        return Patterns(arrays["codes"], arrays["odds"], arrays["times"]), layers


def read(doc: Doc, at: int) -> Mapping[Form, float]:
    """The probabilities of the forms of a *her* or *his*."""
    doc = with_our_vectors(doc)
    words, tags, place = _window(doc, at)
    patterns, layers = load()
    row = np.concatenate([features(doc, at), patterns.look_up(patterns_around(words, tags, place))])
    scores = np.maximum(row @ layers["hidden"] + layers["hidden_bias"], 0) @ layers["out"] + layers["out_bias"]
    return dict(zip(FORMS, softmax(scores).tolist(), strict=True))


def _window(doc: Doc, at: int) -> tuple[list[str], list[str], int]:
    """Lower-cased words and tags around a place, and where it is among them."""
    start = max(0, at - BEFORE)
    around = doc[start : at + AFTER + 2]
    return [token.lower_ for token in around], [token.tag_ for token in around], at - start


def patterns_around(words: Sequence[str], tags: Sequence[str], at: int) -> list[str]:
    """The words and tags around a place, lower-cased, in eleven ways, each with the word at the place."""

    def word(step: int) -> str:
        return words[at + step] if 0 <= at + step < len(words) else ""

    def tag(step: int) -> str:
        return tags[at + step] if 0 <= at + step < len(tags) else ""

    ways = (
        (word(1),),
        (word(-1),),
        (word(-1), word(1)),
        (word(1), word(2)),
        (word(-1), tag(1), tag(2)),
        (word(-2), word(-1)),
        (word(1), tag(2)),
        (tag(1), tag(2), tag(3)),
        (word(-1), word(1)[-3:]),
        (word(1), tag(2), tag(-1)),
        (word(-2), word(-1), tag(1)),
    )
    return ["\t".join((words[at], str(number), *way)) for number, way in enumerate(ways)]


def features(doc: Doc, at: int) -> Rows:
    """The vectors of six words, the tags of six, the word classes that the next two words may have, and whether the
    verb before has a frame in which something that is not possessed follows *her*."""
    words, tags, place = _window(doc, at)
    vectors = np.zeros((BEFORE + 1 + AFTER, WIDTH), dtype=np.float32)
    inside = doc.tensor[max(0, at - BEFORE) : at + AFTER + 1]
    first = BEFORE - place
    vectors[first : first + len(inside)] = inside
    signs = np.array(_signs(words, tags, place, is_first=at == 0), dtype=np.float32)
    return np.concatenate([vectors.ravel(), signs])


def _signs(words: Sequence[str], tags: Sequence[str], at: int, *, is_first: bool) -> list[float]:
    row = [float(words[at] == "his"), float(is_first)]
    for place in (*range(at - BEFORE, at), *range(at + 1, at + AFTER + 2)):
        row += _tag(tags[place]) if 0 <= place < len(tags) else _tag("")
    for before in (1, 2):
        row += _verb(words[at - before]) if at >= before else _verb("")
    for after in (1, 2):
        row += _classes(words[at + after]) if at + after < len(words) else _classes("")
    return row


@cache
def _tag(tag: str) -> list[float]:
    return [float(tag == known) for known in _TAGS] + [float(not tag)]


@lru_cache(maxsize=20_000)
def _verb(word: str) -> list[float]:
    from lemminflect import getLemma

    lemmas = {word, *getLemma(word, "VERB", lemmatize_oov=False)} if word.isalpha() else set()
    return [float(not lemmas.isdisjoint(frame)) for frame in FRAMES]


@lru_cache(maxsize=20_000)
def _classes(word: str) -> list[float]:
    from lemminflect import getAllLemmas

    known = getAllLemmas(word) if word.isalpha() else {}
    return [*(float(name in known) for name in _CLASSES), lexical.load().person.get(word, 0.0)]
