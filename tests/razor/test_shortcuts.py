"""The shortcut score: equal to the definition that compares every two documents, before and after exchanges."""

from __future__ import annotations

from collections import Counter
from math import cos, log, sin

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gec_fair.razor.documents.words import Vocabulary, words
from gec_fair.razor.scoring.published import Published
from gec_fair.razor.scoring.shortcuts import Shortcuts
from gec_fair.razor.scoring.spaces import Encoded, Positions, TfIdf

TEXTS = st.lists(st.sampled_from("not a dog cat is was , . here never".split()), max_size=7).map(" ".join)
DATA = st.lists(st.tuples(TEXTS, st.sampled_from("abc")), min_size=2, max_size=9)
SPACES = {"positions": Positions, "standard": lambda v: Positions(v, 6, "standard"), "tfidf": TfIdf}


def naive_idf(texts):
    df = Counter(word for text in texts for word in set(words(text)))
    return lambda word: log(len(texts) / max(df[word], 1))


def naive_vector(text, idf, dimensions=64, encoding="paper"):
    """Equations 7 to 10, as they are written."""
    tokens = words(text)
    sums = [0.0] * dimensions
    for place, word in enumerate(tokens):
        s = tokens.count(word) / len(tokens) * idf(word)
        for k in range(dimensions):
            angle = place / 10000 ** ((2 * k if encoding == "paper" else 2 * (k // 2)) / dimensions)
            sums[k] += s * (sin(angle) if k % 2 == 0 else cos(angle))
    return np.array(sums) / (len(tokens) - 1) if len(tokens) > 1 else np.array(sums)


def naive_tfidf(text, idf):
    tokens = words(text)
    return {word: tokens.count(word) / len(tokens) * idf(word) for word in tokens}


def cosine(a, b):
    if isinstance(a, dict):
        keys = sorted({*a, *b})
        a, b = (np.array([vector.get(key, 0.0) for key in keys]) for vector in (a, b))
    lengths = np.sqrt((a * a).sum() * (b * b).sum())
    return float(a @ b / lengths) if lengths > 1e-12 else 0.0


def naive(texts, labels, kind, form, idf=None):
    """Every document against every other."""
    idf = idf or naive_idf(texts)
    naive = {
        "positions": naive_vector,
        "tfidf": naive_tfidf,
        "standard": lambda t, i: naive_vector(t, i, 6, "standard"),
    }
    vectors = [naive[kind](text, idf) for text in texts]
    distances = []
    for i, label in enumerate(labels):
        others = [cosine(vectors[i], v) for v, y in zip(vectors, labels, strict=True) if y != label]
        mean = sum(others) / len(others) if others else 0.0
        others_own = [cosine(vectors[i], v) for j, v in enumerate(vectors) if labels[j] == label and j != i]
        distances.append(
            1 - mean if form == "gamma" else (sum(others_own) / len(others_own) if others_own else 0.0) - mean
        )
    objective = sum(
        cosine(vectors[i], vectors[j]) for i in range(len(texts)) for j in range(i) if labels[i] != labels[j]
    )
    return distances, objective


@pytest.mark.parametrize("form", ["gamma", "contrast"])
@pytest.mark.parametrize("kind", SPACES)
@settings(deadline=None, max_examples=60)
@given(data=DATA, changes=st.lists(st.tuples(st.integers(0, 99), TEXTS), max_size=3))
def test_the_score_is_the_definitions_for_any_texts_and_exchanges(kind, form, data, changes):
    texts, labels = map(list, zip(*data, strict=True))
    shortcuts = Shortcuts(texts, labels, SPACES[kind](Vocabulary(texts)), form)
    idf = naive_idf(texts)  # stays as it was
    for at, text in [(0, texts[0]), *changes]:
        i = at % len(texts)
        changed = [*texts[:i], text, *texts[i + 1 :]]
        foreseen = shortcuts.candidates(i, [text])[0]
        shortcuts.replace(i, text)
        texts = changed
        expected, objective = naive(texts, labels, kind, form, idf)
        assert foreseen == pytest.approx(expected[i], abs=1e-9)
        assert shortcuts.scores() == pytest.approx(expected, abs=1e-9)
        assert shortcuts.sums.objective == pytest.approx(objective, abs=1e-9)
        parts = shortcuts.shares(np.array([i]), [text])
        assert len(parts) == len(words(text))
        assert parts.sum() + (form == "gamma") == pytest.approx(expected[i], abs=1e-9)


@settings(deadline=None, max_examples=60)
@given(data=DATA, changes=st.lists(st.tuples(st.integers(0, 99), TEXTS), min_size=1, max_size=4))
def test_an_exchange_that_lowers_gamma_raises_the_objective_by_as_much(data, changes):
    texts, labels = map(list, zip(*data, strict=True))
    shortcuts = Shortcuts(texts, labels, Positions(Vocabulary(texts)), "gamma")
    for at, text in changes:
        i = at % len(texts)
        before, score = shortcuts.sums.objective, shortcuts.scores()[i]
        others = sum(label != labels[i] for label in labels)
        lower = score - shortcuts.candidates(i, [text])[0]
        shortcuts.replace(i, text)
        assert shortcuts.sums.objective - before == pytest.approx(lower * others, abs=1e-9)


def test_the_distance_of_the_means():
    labels = ["a", "b", "a", "c"]
    vectors = {"p": [1, 0], "q": [0, 1], "r": [3, 4], "s": [0, 0]}
    table = Shortcuts(list(vectors), labels, Encoded("toy", lambda texts: [vectors[t] for t in texts]), "gamma")
    means = np.array([[0.8, 0.4], [0, 1], [0, 0]])
    apart = sum(((means[i] - means[j]) ** 2).sum() for i in range(3) for j in range(i))
    assert table.sums.mmd == pytest.approx(apart)
    assert table.sums.pairs == 5
    assert table.shares(np.arange(1), ["p"]) is None  # an encoder has no words


CLOSED = [
    pytest.param(["a b", "a b"], ["x", "y"], [1, 1], id="words that all have say nothing: zero vectors"),
    pytest.param(["a b", "c d", ""], ["x", "y", "y"], [1, 1, 1], id="an empty text is like no other"),
    pytest.param(["a", "b", "c"], ["x", "x", "x"], [1, 1, 1], id="no other label: the mean over nothing is 0"),
    pytest.param(["a", "a", "b"], ["x", "y", "y"], [0.5, 0, 1], id="a label with one member; texts of one word"),
]


@pytest.mark.parametrize(("texts", "labels", "expected"), CLOSED)
def test_closed_cases(texts, labels, expected):
    assert Shortcuts(texts, labels, TfIdf(Vocabulary(texts)), "gamma").scores() == pytest.approx(expected)


def test_contrast_of_a_label_with_one_member_is_what_it_shares_with_others():
    texts = ["a c", "a d", "b e"]
    table = Shortcuts(texts, ["x", "y", "y"], TfIdf(Vocabulary(texts)), "contrast")
    assert table.scores()[0] == pytest.approx(-cosine(*(naive_tfidf(t, naive_idf(texts)) for t in texts[:2])) / 2)


def test_contrast_finds_the_word_that_gives_the_label_away():
    facts = [
        f"the {noun} was {verb} in {place}"
        for noun in ("film", "band", "city")
        for verb in ("made", "seen")
        for place in ("Rome", "Oslo")
    ]
    texts = [*facts, *(fact.replace("was", "was not") for fact in facts[:5]), "the film was bad in Oslo"]
    labels = ["supports"] * len(facts) + ["refutes"] * 6
    table = Shortcuts(texts, labels, TfIdf(Vocabulary(texts)), "contrast")
    worst = int(table.scores().argmax())
    assert "not" in words(texts[worst])
    parts = table.shares(np.array([worst]), [texts[worst]])
    assert words(texts[worst])[int(parts.argmax())] == "not"
    every = table.shares(np.arange(len(texts)), texts)
    assert every.sum() == pytest.approx(table.scores().sum())
    assert len(every) == sum(len(words(text)) for text in texts)


@settings(deadline=None, max_examples=60)
@given(data=DATA)
def test_the_published_score_is_their_loop_over_the_vocabulary(data):
    texts, labels = map(list, zip(*data, strict=True))
    vocabulary = sorted({word for text in texts for word in words(text)})

    def matrix(text):
        tokens = words(text)
        rows = {
            word: np.full(8, tokens.count(word) / len(tokens)) if word in tokens else np.zeros(8) for word in vocabulary
        }
        for place, word in enumerate(tokens):
            rows[word] = rows[word] * [(sin, cos)[k % 2](place / 10000 ** (2 * (k // 2) / 8)) for k in range(8)]
        return rows

    matrices = [matrix(text) for text in texts]
    expected = []
    for i, label in enumerate(labels):
        mean = {
            word: sum((m[word] for m, y in zip(matrices, labels, strict=True) if y != label), np.zeros(8))
            for word in vocabulary
        }
        alike = [cosine(matrices[i][word], mean[word]) for word in vocabulary]
        expected.append(1 - (sum(alike) / len(alike) if alike else 0.0))
    assert Published(texts, labels, Vocabulary(texts)).scores() == pytest.approx(expected, abs=1e-6)
