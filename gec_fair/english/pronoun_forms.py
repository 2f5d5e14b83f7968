"""Which form *her* and *his* have, read off the pipeline's word vectors, the tags and the frames of the verb before.

    She packed her/determiner few things and he helped her/accusative pack .       so that Tom can have his/independent
    cleaned

The parser answers this as well, but it has seen a few hundred *her* of each kind. The reader was trained on as many
sentences as wanted: *him* and *his*, *them* and *their*, … turned into *her*; *mine* and *my*, … turned into *his*.
Trained by `training/pronoun_forms/train.py`; how well it reads: docs/concepts/english-pipeline.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gec_fair.english import two_layers
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.paradigms import Form
from gec_fair.english.two_layers import Rows

if TYPE_CHECKING:
    from spacy.tokens import Doc

WEIGHTS = Path(__file__).with_name("pronoun_forms.npz")
WIDTH = 96
"""Of the embedded pipeline's word vectors."""
BEFORE, AFTER = 2, 3
"""Words whose vectors are looked at."""
FORMS = (Form.DETERMINER, Form.ACCUSATIVE, Form.INDEPENDENT)
_TAGS = tuple("NN NNS NNP NNPS JJ JJR JJS VB VBD VBG VBN VBP VBZ RB RBR IN TO DT CC CD PRP PRP$ MD RP . , : $ ``".split())
_FRAMES = (
    "verbs_of_giving",
    "verbs_of_state",
    "verbs_of_perception",
    "verbs_with_a_bare_infinitive",
    "verbs_of_naming",
)


def can_read(doc: Doc) -> bool:
    """Whether the doc has the vectors that the weights were trained on."""
    return bool(doc.tensor.shape == (len(doc), WIDTH))


def read(doc: Doc, at: int) -> Form:
    """The form of the *her* or *his* at a place; the doc is one that `can_read` accepts."""
    row = two_layers.load(WEIGHTS).probabilities(features(doc, [at]))[0]
    other = Form.ACCUSATIVE if doc[at].lower_ == "her" else Form.INDEPENDENT
    return Form.DETERMINER if row[FORMS.index(Form.DETERMINER)] >= row[FORMS.index(other)] else other


def features(doc: Doc, places: Sequence[int]) -> Rows:
    """One row for each place: the vectors of six words, the tags of six, and whether the verb before has a frame in
    which something that is not possessed follows *her*."""
    vectors = np.zeros((len(doc) + BEFORE + AFTER, WIDTH), dtype=np.float32)
    vectors[BEFORE : len(doc) + BEFORE] = doc.tensor
    around = np.array(places)[:, None] + np.arange(BEFORE + 1 + AFTER)
    words, tags = [token.lower_ for token in doc], [token.tag_ for token in doc]
    signs = [_signs(words, tags, at) for at in places]
    return np.concatenate([vectors[around].reshape(len(places), -1), np.array(signs, dtype=np.float32)], axis=1)


def _signs(words: Sequence[str], tags: Sequence[str], at: int) -> list[float]:
    row = [float(words[at] == "his"), float(at == 0)]
    for place in (*range(at - BEFORE, at), *range(at + 1, at + AFTER + 2)):
        row += _tag(tags[place]) if 0 <= place < len(tags) else _tag("")
    for before in (1, 2):
        row += _verb(words[at - before]) if at >= before else _verb("")
    return row


@cache
def _tag(tag: str) -> list[float]:
    return [float(tag == known) for known in _TAGS] + [float(not tag)]


@lru_cache(maxsize=20_000)
def _verb(word: str) -> list[float]:
    from lemminflect import getLemma

    lemmas = {word, *getLemma(word, "VERB", lemmatize_oov=False)} if word.isalpha() else set()
    return [float(not lemmas.isdisjoint(frame)) for frame in map(word_list, _FRAMES)]
