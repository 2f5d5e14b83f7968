"""Which form *her* and *his* have, read off the pipeline's word vectors, the tags and words around, and the frames of
the verb before.

    She packed her/determiner few things and he helped her/accusative pack .       so that Tom can have his/independent
    cleaned

The parser answers this as well, but it has seen a few hundred *her* of each kind. The reader was trained on 450,000
places: *him* and *his*, *them* and *their*, … turned into *her*; *mine* and *my*, … turned into *his*. Two layers read
the vectors and how often each word, pair of words and pattern around was beside something possessed.
Trained by `training/pronoun_forms/train.py`; how well it reads: docs/concepts/english-pipeline.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from gec_fair.english import two_layers
from gec_fair.english.coref import lexical
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.paradigms import Form
from gec_fair.english.pipeline import WIDTH
from gec_fair.english.two_layers import Rows

if TYPE_CHECKING:
    from spacy.tokens import Doc

WEIGHTS = Path(__file__).with_name("pronoun_forms.npz")
BEFORE, AFTER = 2, 3
"""Words whose vectors are looked at."""
LEAST = 5
"""Times that a pattern was seen, to be in the table."""
FORMS = (Form.DETERMINER, Form.ACCUSATIVE, Form.INDEPENDENT)
_TAGS = tuple(
    "NN NNS NNP NNPS JJ JJR JJS VB VBD VBG VBN VBP VBZ RB RBR IN TO DT CC CD PRP PRP$ MD RP . , : $ ``".split()
)
_FRAMES = (
    word_list("verbs_of_giving"),
    word_list("verbs_of_state"),
    word_list("verbs_of_perception"),
    word_list("verbs_with_a_bare_infinitive"),
    word_list("verbs_of_naming"),
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
def patterns() -> Patterns:
    """The shipped table, read once."""
    with np.load(WEIGHTS, allow_pickle=False) as arrays:
        return Patterns(arrays["codes"], arrays["odds"], arrays["times"])


def version() -> str:
    """What names the weights in a manifest: `sha256:` and sixteen digits."""
    return two_layers.version(WEIGHTS)


def read(doc: Doc, at: int) -> Form:
    """The form of the *her* or *his* at a place; the doc has the vectors of the package's pipeline."""
    words, tags, place = _window(doc, at)
    seen = np.array([patterns().look_up(patterns_around(words, tags, place))], dtype=np.float32)
    rows = np.concatenate([features(doc, [at]), seen], axis=1)
    [row] = two_layers.load(WEIGHTS).probabilities(rows)
    second = Form.ACCUSATIVE if words[place] == "her" else Form.INDEPENDENT
    return Form.DETERMINER if row[FORMS.index(Form.DETERMINER)] >= row[FORMS.index(second)] else second


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


def features(doc: Doc, places: Sequence[int]) -> Rows:
    """One row for each place: the vectors of six words, the tags of six, the word classes that the next two words may
    have, and whether the verb before has a frame in which something that is not possessed follows *her*."""
    return np.stack([_row(doc, at) for at in places])


def _row(doc: Doc, at: int) -> Rows:
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
    return [float(not lemmas.isdisjoint(frame)) for frame in _FRAMES]


@lru_cache(maxsize=20_000)
def _classes(word: str) -> list[float]:
    from lemminflect import getAllLemmas

    known = getAllLemmas(word) if word.isalpha() else {}
    return [*(float(name in known) for name in _CLASSES), lexical.load().person.get(word, 0.0)]
