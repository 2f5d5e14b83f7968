"""A trained reader of people, as `train.py` writes it; also the module that `benchmarks/people.py` puts in the place of
today's readers:

    PEOPLE=out/people PYTHONPATH=training/people python benchmarks/people.py --only a,b,d --reader reader

It says of each word its kind, the form of a *her* or *his*, the gender that the text gives a person, and which word
before it is the same person.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from spacy.tokens import Doc
from windows import Batcher, Window

from gec_fair.english.paradigms import Form
from gec_fair.english.persons import KINDS
from gec_fair.english.pronoun_forms import FORMS

FILES = ("reader.onnx", "tokenizer.json")
AT_ONCE = 16
"""Windows of a batch."""


@dataclass(frozen=True)
class Reading:
    """Probabilities for the words of a text."""

    kinds: NDArray[np.float32]
    """Words × KINDS."""
    forms: NDArray[np.float32]
    """Words × FORMS."""
    genders: NDArray[np.float32]
    """Words × GENDERS."""
    links: Sequence[tuple[int, NDArray[np.float32]]]
    """For each word, the place at which its window begins, and how likely each word of the window is the nearest
    mention before it of the same person; the last number, none."""


class Reader:
    """Reads texts by the files of a folder."""

    def __init__(self, folder: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(str(folder / FILES[0]), options)
        self._batcher = Batcher(folder / FILES[1])

    def read(self, texts: Sequence[Sequence[str]], starts: Sequence[Sequence[int]]) -> list[Reading]:
        """For each text its reading; `starts` are the places at which its sentences begin."""
        windows = [
            (number, window)
            for number, (words, borders) in enumerate(zip(texts, starts, strict=True))
            for window in self._batcher.windows(words, borders)
        ]
        windows.sort(key=lambda one: one[1].end - one[1].start)
        parts: list[list[tuple[Window, list[Any]]]] = [[] for _ in texts]
        for at in range(0, len(windows), AT_ONCE):
            chosen = windows[at : at + AT_ONCE]
            outputs = self._session.run(None, self._batcher.batch([window for _, window in chosen]))
            for row, (number, window) in enumerate(chosen):
                parts[number].append((window, [output[row, : window.end - window.start] for output in outputs]))
        return [_of_text(len(words), part) for words, part in zip(texts, parts, strict=True)]


def _of_text(number: int, parts: Sequence[tuple[Window, list[Any]]]) -> Reading:
    """The windows of one text, in its order."""
    arrays: list[list[NDArray[np.float32]]] = [[], [], []]
    links: list[tuple[int, NDArray[np.float32]]] = []
    for window, outputs in sorted(parts, key=lambda part: part[0].start):
        for array, output in zip(arrays, outputs, strict=False):
            array.append(_softmax(output))
        likely = _softmax(outputs[3])
        size = window.end - window.start
        links += [(window.start, np.append(row[:size], row[-1])) for row in likely]
    assert len(links) == number
    return Reading(*(np.concatenate(array) if array else np.zeros((0, 0), np.float32) for array in arrays), links)


def _softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True), dtype=np.float32)


# in the place of today's readers


@cache
def load() -> Reader:
    return Reader(Path(os.environ["PEOPLE"]))


@lru_cache(maxsize=2000)
def reading_of(words: tuple[str, ...]) -> Reading:
    starts = [0, *(at for at, word in enumerate(words[:-1], 1) if word in (".", "!", "?"))]
    [reading] = load().read([words], [starts])
    return reading


def kinds(doc: Doc, places: Sequence[int]) -> NDArray[np.float32]:
    if not places:
        return np.zeros((0, len(KINDS)), dtype=np.float32)
    return reading_of(tuple(token.text for token in doc)).kinds[list(places)]


def form(doc: Doc, at: int) -> Form:
    """The form that the reader of pronouns gives: of *her* and *his*, which have two each."""
    row = reading_of(tuple(token.text for token in doc)).forms[at]
    second = Form.ACCUSATIVE if doc[at].lower_ == "her" else Form.INDEPENDENT
    return Form.DETERMINER if row[FORMS.index(Form.DETERMINER)] >= row[FORMS.index(second)] else second
