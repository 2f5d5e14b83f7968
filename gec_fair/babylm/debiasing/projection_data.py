"""What a projection is found from: sentences of a text with and without words of an attribute, and a model's vectors of
them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count, islice
from pathlib import Path
from typing import Any

import numpy as np

from gec_fair.augmentation.options import Options
from gec_fair.augmentation.rewriter import Rewriter
from gec_fair.babylm.corpora.build import sentences
from gec_fair.babylm.debiasing.methods import Inlp, SentDebias
from gec_fair.babylm.debiasing.projection import Matrix, Nullspace, away_from, inlp, sent_debias
from gec_fair.data.stream_sample import Sample, keys
from gec_fair.english.lexicons import topics
from gec_fair.english.running_text.spacy_tokens import tokens
from gec_fair.errors import InputError

_BATCH = 4096  # sentences
_HELD, _TEST = 0.21, 0.30  # of the states (Meade et al. 2022): the first judges classifiers, the second is left alone
_FEWEST = 10  # sentences of a kind, chosen by hand: of 9, classifiers are judged on two
_WITHOUT = ("neutral", "without")
MALE, FEMALE = ("gender", "male"), ("gender", "female")
Kind = Callable[[set[topics.Topic]], "str | None"]


def direction(model: Any, text: Path, options: SentDebias, *, seed: int) -> Matrix:
    """(width, width): the projection away from what differs between sentences with their gender swapped or not (names
    stay). InputError where the text has no sentence with a gendered word."""
    drawn: Sample[str] = Sample(options.sentences)
    table, genders = topics.read_shipped(), {MALE, FEMALE}
    for first, batch in _batch(sentences(text)):
        held = [n for n, sentence in enumerate(batch) if genders & table.find([w.lower() for w in tokens(sentence)])]
        drawn.offer(keys(first, len(batch), seed)[held], [batch[n] for n in held])
    rows = _gender_views(drawn.items())
    if not rows:
        raise InputError(f"{text}: no sentence in it has a gendered word; give more text")
    longest = _find_fitting(model, [view for row in rows for view in row])
    if not (rows := [row for row in rows if longest.issuperset(row)]):
        raise InputError(
            f"{text}: all sentences with a gendered word are longer than the model's {model.longest} pieces"
        )
    return away_from(sent_debias([model.vectors(list(view)) for view in zip(*rows, strict=True)]))


def _gender_views(texts: Sequence[str]) -> list[tuple[str, ...]]:
    swapped = Rewriter(Options("fm", names="keep"))(texts)
    return [(old, new) for old, new in zip(texts, swapped, strict=True) if old != new]


def gender(text_topics: set[topics.Topic]) -> str | None:
    """The gender of a sentence whose gendered words have only one; else None."""
    kinds = {MALE: "male", FEMALE: "female"}.items()
    names = [name for topic, name in kinds if topic in text_topics]
    return "neutral" if not names else names[0] if len(names) == 1 else None


def race(text_topics: set[topics.Topic]) -> str | None:
    """Whether there is a word of ethnicity."""
    return _with("ethnicity", text_topics)


def religion(text_topics: set[topics.Topic]) -> str | None:
    """Whether there is a word of religion."""
    return _with("religion", text_topics)


def _with(category: str, text_topics: set[topics.Topic]) -> str:
    return "with" if category in {name for name, _ in text_topics} else "without"


KINDS: Mapping[str, Kind] = {"gender": gender, "race": race, "religion": religion}
"""Axis → the kind of a sentence, for INLP."""


def nullspace(model: Any, text: Path, kind: Kind, options: Inlp, *, seed: int) -> Nullspace:
    """INLP's projection. Sentences are in lower case and cut at random behind the attribute's word, as Meade et al. had
    them. InputError where a kind has fewer than ten."""
    drawn: dict[str, Sample[tuple[int, str]]] = {}
    table = topics.read_shipped()
    for first, batch in _batch(sentences(text)):
        places: dict[str, list[int]] = {}
        for n, sentence in enumerate(batch):
            name = kind(table.find([word.lower() for word in tokens(sentence)]))
            if name is not None and len(sentence.split()) >= options.shortest:
                places.setdefault(name, []).append(n)
        batch_keys = keys(first, len(batch), seed)
        for name, numbers in places.items():
            sample = drawn.setdefault(name, Sample(options.sentences))
            sample.offer(batch_keys[numbers], [(first + n, batch[n]) for n in numbers])
    classes = {
        name: [_cut(sentence, kind, name, [seed, number]) for number, sentence in sample.items()]
        for name, sample in sorted(drawn.items())
    }
    fits = _find_fitting(model, [text for texts in classes.values() for text in texts])
    classes = {name: [text for text in texts if text in fits] for name, texts in classes.items()}
    if len(classes) < 2 or min(map(len, classes.values())) < _FEWEST:
        sizes = ", ".join(f"{len(texts)} {name}" for name, texts in classes.items()) or "none"
        raise InputError(
            f"{text}: has too few sentences of each kind ({sizes}) that the model reads whole; give more text"
        )
    size = min(map(len, classes.values()))
    named = [(text, name) for name, texts in classes.items() for text in texts[:size]]
    order = np.random.Generator(np.random.PCG64(seed)).permutation(len(named)).tolist()
    states = model.vectors([named[n][0] for n in order], unit=False)  # as they are: an SVM's penalty knows their scale
    labels = [named[n][1] for n in order]
    test, held_out = round(_TEST * len(order)), round(_HELD * len(order))
    held, rest = slice(test, test + held_out), slice(test + held_out, None)
    return inlp((states[rest], labels[rest]), (states[held], labels[held]), classifiers=options.classifiers)


def _cut(sentence: str, kind: Kind, name: str, seed: Sequence[int]) -> str:
    """In lower case, up to a place at random, not before it is of its kind; of neutral ones not before four words."""
    words, table = sentence.lower().split(), topics.read_shipped()
    least = min(4, len(words))
    if name not in _WITHOUT:
        length = len(words)
        least = next((n for n in range(1, length) if kind(table.find(tokens(" ".join(words[:n])))) == name), length)
    return " ".join(words[: int(np.random.Generator(np.random.PCG64(seed)).integers(least, len(words) + 1))])


def _find_fitting(model: Any, texts: Sequence[str]) -> set[str]:
    """Those that the model can read whole."""
    lengths = model.tokenizer(list(texts), return_attention_mask=False)["input_ids"] if texts else []
    return {text for text, ids in zip(texts, lengths, strict=True) if len(ids) <= model.longest}


def _batch(lines: Iterable[str]) -> Iterable[tuple[int, list[str]]]:
    """So many lines each time, behind the number of the first."""
    waiting = iter(lines)
    for first in count(0, _BATCH):
        if not (batch := list(islice(waiting, _BATCH))):
            return
        yield first, batch
