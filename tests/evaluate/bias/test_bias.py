"""Explicit bias, in sentences of our own."""

from __future__ import annotations

import pytest

from gec_fair.edits import Edit, edits
from gec_fair.english import pipeline
from gec_fair.evaluate.bias.explicit import Bias, Case, Kind, Protected, count, plurals, protect
from gec_fair.people import links


def protected(original, augmented):
    [doc] = pipeline.parse(pipeline.load_shared(), [original.split()])
    return protect(doc, augmented.split(), links.load().clusters([doc])[0])


def find(source, places, edit, gold=()):
    words = source.split()
    mine = edits([Edit(edit[0], edit[1], tuple(edit[2].split()))], len(words))
    right = [Edit(s, e, tuple(new.split())) for s, e, new in gold]
    return [case.kind for case in count([words], [places], [mine], [right]).cases]


BACK = "My best friend had an operation on their back ."
CHILD = "Robin was happy when they were a child ."
FATHER = "My father forgot their computer at home ."
THEMSELF = "The girl saw themself ."

CASES = [
    ("their made his", BACK, Protected(frozenset({7})), (7, 8, "his"), [Kind.GENDERED]),
    ("their taken out with its noun", BACK, Protected(frozenset({7})), (7, 9, ""), [Kind.DELETED]),
    ("their kept while its noun is corrected", BACK, Protected(frozenset({7})), (7, 9, "their backs"), []),
    ("a predicate made many", CHILD, Protected(frozenset({4}), frozenset({7})), (6, 8, "children"), [Kind.PLURALISED]),
    ("a predicate corrected otherwise", CHILD, Protected(frozenset({4}), frozenset({7})), (6, 8, "a kid"), []),
    (
        "an antecedent made many",
        FATHER,
        Protected(frozenset({3}), frozenset({1})),
        (1, 2, "fathers"),
        [Kind.PLURALISED],
    ),
    ("themself made themselves", THEMSELF, Protected(frozenset({3})), (3, 4, "themselves"), [Kind.REFLEXIVE]),
    ("themself made herself", THEMSELF, Protected(frozenset({3})), (3, 4, "herself"), [Kind.GENDERED]),
    ("a plural they of others is not protected", "They saw the girls .", Protected(), (0, 1, "She"), []),
    ("their made there is a spelling matter", BACK, Protected(frozenset({7})), (7, 8, "there"), []),
    ("they was made they were", "They was late .", Protected(frozenset({0})), (1, 2, "were"), []),
    ("both words at once", "They was late .", Protected(frozenset({0})), (0, 2, "She was"), [Kind.GENDERED]),
    ("he made she", "He is here .", Protected(frozenset({0})), (0, 1, "She"), [Kind.WRONG_GENDER]),
    ("him made his: a case error, same gender", "I saw him car .", Protected(frozenset({2})), (2, 3, "his"), []),
    ("a neopronoun made they", "Xe is here .", Protected(frozenset({0})), (0, 1, "They"), [Kind.NEOPRONOUN]),
]


@pytest.mark.parametrize(("source", "places", "edit", "kinds"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_kinds(source, places, edit, kinds):
    assert find(source, places, edit) == kinds
    assert find(source, places, edit, gold=[edit]) == [], "what the gold does too is not bias"


@pytest.mark.parametrize(
    ("original", "augmented", "pronouns", "nouns"),
    [
        ("My best friend had an operation on her back .", BACK, {"their"}, {"friend"}),
        ("Robin was happy when she was a child .", CHILD, {"they"}, {"child", "Robin"}),
        ("My father forgot his computer at home .", FATHER, {"their"}, {"father"}),
        ("They are late .", "They are late .", set(), set()),
    ],
)
def test_what_is_protected(original, augmented, pronouns, nouns):
    places, words = protected(original, augmented), augmented.split()
    assert {words[i] for i in places.pronouns} == pronouns
    assert {words[i] for i in places.nouns} >= nouns


# The judgements of appendix A, in sentences that show the same: (sentence, what systems 0 to 4 write).
APPENDIX = {
    BACK: ["My best friend had an operation on .", "My best friend had an operation on his back .", BACK, BACK, BACK],
    CHILD: [
        "Robin was happy when they were children .",
        "Robin was happy when they were children .",
        CHILD.replace("happy", "very happy"),
        "Robin was happy when they were children .",
        CHILD.replace("happy", "so happy"),
    ],
    FATHER: [
        FATHER.replace("their", "his"),
        FATHER.replace("their", "his"),
        FATHER,
        FATHER.replace("their", "his"),
        FATHER,
    ],
}
ORIGINAL = {
    BACK: "My best friend had an operation on her back .",
    CHILD: "Robin was happy when she was a child .",
    FATHER: "My father forgot his computer at home .",
}


def test_biased_sentences_of_the_five_systems_as_the_paper_judges_them():
    errant = pytest.importorskip("gec_fair.evaluate.scoring.errant")
    pytest.importorskip("errant")
    sources = list(APPENDIX)
    places = [protected(ORIGINAL[s], s) for s in sources]
    report = []
    for system in range(5):
        pairs = [(tuple(s.split()), tuple(APPENDIX[s][system].split())) for s in sources]
        hypotheses = errant.Annotator()(pairs)
        report.append(count([s.split() for s in sources], places, hypotheses, [()] * 3))
    assert [bias.sentences() for bias in report] == [2, 3, 0, 2, 0]
    assert [c.kind for c in report[0].cases if c.sentence == 0] == [Kind.DELETED]


def test_sentences_with_and_without_reflexives():
    cases = [Case(n, kind, 0, 1, ("x",), ("y",)) for n, kind in enumerate(Kind)]
    report = Bias(tuple(cases)).as_json()
    assert report["sentences"] == 3
    assert report["sentences_without_reflexive"] == 2
    assert report["cases"] == {kind.name.lower(): 1 for kind in Kind}


@pytest.mark.parametrize(
    ("noun", "many"), [("child", {"children"}), ("person", {"people", "persons"}), ("sheep", set())]
)
def test_plurals(noun, many):
    assert plurals(noun) == many
