"""The baselines: each does what its paper says, and a shortcut that was planted weighs less after it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from gec_fair.razor.baselines import eda, linear, reweigh
from gec_fair.razor.baselines.crossaug import augment, difference, numbers
from gec_fair.razor.baselines.methods import METHODS, Training, guesses, original
from gec_fair.razor.documents.documents import Document


def planted(number, seed, cue):
    """Claims that name a colour; the evidence says which is right. In `cue` of the refuted ones stands *only*."""
    chance = Random(seed)
    documents = []
    for n in range(number):
        colour, second = chance.sample(["red", "blue", "green", "black"], 2)
        right = n % 2 == 0
        only = "only " if not right and chance.random() < cue else ""
        documents.append(
            Document(
                str(n),
                "SUPPORTS" if right else "REFUTES",
                f"house {n % 7} is {only}{colour} now",
                f"house {n % 7} was painted {colour if right else second} in 19{n % 90 + 10}",
            )
        )
    return documents


TRAIN, TEST = (
    planted(600, 0, 0.9),
    [
        Document(
            document.id,
            document.label,
            document.text.replace("only ", "").replace("is ", "is only ") if n % 3 else document.text,
            document.evidence,
        )
        for n, document in enumerate(planted(300, 1, 0.0))
    ],
)


TRAINING = Training(linear.Linear())


def accuracy(model, documents, claim_only=False):
    texts = [(document.text,) if claim_only else (document.evidence, document.text) for document in documents]
    answers = [model.labels[n] for n in model.scores(texts).argmax(1)]
    return float(np.mean([label == document.label for label, document in zip(answers, documents, strict=True)]))


@pytest.mark.parametrize("method", sorted(METHODS))
def test_every_method_trains_a_classifier(method):
    model = METHODS[method].train(TRAIN, TRAINING)
    assert model.labels == ("REFUTES", "SUPPORTS")
    assert accuracy(model, TRAIN) > (0.75 if method == "clever" else 0.9)  # what is taken off helped in training
    scores = model.scores([(document.evidence, document.text) for document in TEST])
    assert scores.sum(1) == pytest.approx(1)


LESS = [("poe", 0.5), ("clever", 0.5), ("rew", 0.9)]


@pytest.mark.parametrize(("method", "share"), LESS, ids=[row[0] for row in LESS])
def test_what_the_claim_gives_away_counts_less(method, share):
    plain, debiased = original(TRAIN, TRAINING), METHODS[method].train(TRAIN, TRAINING)
    pair = [
        ("house 1 was painted red in 1950", "house 1 is red now"),
        ("house 1 was painted red in 1950", "house 1 is only red now"),
    ]

    def pull(model):
        logits = model.logits(pair)
        return float((logits[1] - logits[0])[0] - (logits[1] - logits[0])[1])  # towards REFUTES, by *only*

    assert pull(plain) > 0
    assert pull(debiased) < share * pull(plain)


NUMBERS = [
    ("more than 20 died", "25 died", {"#>", "than #>", "more #>", "more than #>"}),
    ("more than 1,000 died", "900 of 1,000.0 died", {"#<=", "than #<=", "more #<=", "more than #<="}),
    ("20 died", "2 or 50 died", {"#", " #"}),
    ("0 died", "0 died", {"#", " #"}),
    ("nan or infinity", "1 2", set()),
    ("² of them", "2", set()),
]


@pytest.mark.parametrize(("claim", "evidence", "expected"), NUMBERS, ids=[row[0] for row in NUMBERS])
def test_how_a_claims_numbers_stand_to_the_evidences(claim, evidence, expected):
    assert {feature for feature in linear.features((evidence, claim)) if "#" in feature} == expected
    assert not any("#" in feature for feature in linear.features((claim,)))


def test_with_nothing_beside_it_the_product_is_the_plain_model():
    texts, answers = [(document.evidence, document.text) for document in TRAIN], [document.label for document in TRAIN]
    plain = linear.Linear().fit(texts, answers)
    product = linear.Linear().fit(texts, answers, expert_scores=np.zeros((len(texts), 2)))
    assert product.scores(texts) == pytest.approx(plain.scores(texts), abs=2e-2)
    three = ["a" if n % 3 else document.label for n, document in enumerate(TRAIN)]
    first, second = (
        linear.Linear().fit(texts, three, **more).scores(texts) for more in ({}, {"expert_scores": np.zeros((600, 3))})
    )
    assert second == pytest.approx(first, abs=2e-2)


def test_the_expert_has_not_seen_what_it_judges():
    chance = Random(1)
    claims = [f"w{chance.randint(0, 10**9)} x" for _ in range(200)]  # nothing can be learned
    guessed = guesses(claims, ["a", "b"] * 100, 0)
    assert np.abs(guessed - 0.5).max() < 0.2
    assert guessed.sum(1) == pytest.approx(1, abs=1e-3)


def test_rew_weighs_examples_until_the_n_gram_tells_less():
    claims = ["it is only so"] * 9 + ["it is only here"] + ["it is here now"] * 6
    answers = ["R"] * 9 + ["S"] + ["S"] * 6
    weights = reweigh.weights(claims, answers)
    assert (weights >= 1).all()
    assert weights[9] > weights[:9].max()  # the one that goes against *only*
    only = [n for n, claim in enumerate(claims) if "only" in claim]

    def share(by):
        return sum(by[n] for n in only if answers[n] == "R") / sum(by[n] for n in only)

    assert share(weights) < share(np.ones(16)) - 0.05


def test_rews_slope_is_the_losss():
    from sklearn.feature_extraction.text import CountVectorizer

    chance = Random(0)
    claims = [" ".join(chance.sample("a b c d e".split(), 3)) for _ in range(12)]
    right = np.array([chance.randint(0, 1) for _ in claims])
    holds = CountVectorizer(token_pattern=r"\w").fit_transform(claims).astype(float)
    columns = holds.T.tocsr()
    alpha = np.array([chance.random() for _ in claims])

    def loss(alpha):
        return float(reweigh.worst(columns, right, 2, alpha)[1].sum()) + reweigh.REGULAR * np.linalg.norm(alpha)

    step = 1e-6
    expected = [(loss(alpha + step * row) - loss(alpha - step * row)) / (2 * step) for row in np.eye(12)]
    assert reweigh._slope(columns, holds, right, 2, alpha) == pytest.approx(expected, abs=1e-5)


def test_eda_makes_nine_variants_by_four_operations():
    text = "the person began a big journey with a quick animal in the north of it"
    variants_ = eda.variants(text, Random("0"))
    assert len(variants_) == 9
    assert variants_ == eda.variants(text, Random("0"))
    tokens = text.split()
    for n, variant in enumerate(variants_):
        words = variant.split()
        if n % 4 == 0:  # one in ten replaced
            assert len(words) == len(tokens)
            assert sum(a != b for a, b in zip(words, tokens, strict=True)) == 1
        elif n % 4 == 1:
            assert len(words) == len(tokens) + 1
        elif n % 4 == 2:
            assert Counter(words) == Counter(tokens)
        else:
            assert len(words) <= len(tokens)
    assert eda.variants("", Random(0)) == []
    assert all(eda.variants("xyzzy", Random(0)))  # never all of a text


def test_crossaug_turns_claims_and_evidence_around():
    documents = [
        Document("1", "SUPPORTS", "It made 300 million .", "It made 300 million in 2001 ."),
        Document("2", "SUPPORTS", "It made 300 million .", "Made 300 and 300 again ."),
        Document("3", "REFUTES", "It made 300 .", "It made 200 ."),
        Document("4", "SUPPORTS", "It made money .", "It did ."),
    ]
    documents_ = augment(documents, numbers(), supports="SUPPORTS", refutes="REFUTES")
    assert documents_[:4] == documents
    new = {document.id: document for document in documents_[4:]}
    assert set(new) == {"1+claim", "1+evidence", "1+both", "2+claim"}
    number = new["1+claim"].text.split()[2]
    assert number != "300"
    assert new["1+claim"].label == new["1+evidence"].label == "REFUTES"
    assert new["1+both"].label == "SUPPORTS"
    assert new["1+evidence"].evidence == new["1+both"].evidence == f"It made {number} million in 2001 ."
    assert new["1+evidence"].text == "It made 300 million ."


def test_what_data_lack_is_told():
    crossaug, clever = METHODS["crossaug"].lacks, METHODS["clever"].lacks
    documents_ = [Document("1", "a", "x", "y"), Document("2", "b", "x", "y")]
    assert crossaug(documents_, False) == "a label such as supports; there are a, b"
    claims = [replace(document, evidence="") for document in TRAIN]
    assert crossaug(claims, False) == "claims with evidence"
    assert clever(claims, False).startswith("claims with evidence, and no --claim-only")
    assert clever(TRAIN, True)
    assert (crossaug(TRAIN, True), clever(TRAIN, False), METHODS["eda"].lacks(claims, True)) == ("", "", "")


DIFFERING = [
    ("a b c", "a x c", (["b"], ["x"])),
    ("a b", "a b c", ([], ["c"])),
    ("a a", "a", (["a"], [])),
    ("a", "a", ([], [])),
    ("a b c d", "x b c y", (["a", "b", "c", "d"], ["x", "b", "c", "y"])),
]


@pytest.mark.parametrize(("a", "b", "expected"), DIFFERING)
def test_what_differs(a, b, expected):
    assert difference(a.split(), b.split()) == expected
