"""The shipped resolver: sentences and the clusters that a reader sees in them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from spacy.language import Language
from spacy.tokens import Doc

from gec_fair.english import pipeline
from gec_fair.people import links
from gec_fair.people.links import Cluster, Coref
from tests.english.docs import doc
from tests.speed import measure_fastest


@pytest.fixture(scope="module")
def nlp() -> Language:
    return pipeline.load()


@pytest.fixture(scope="module")
def resolver() -> Coref:
    return links.load()


def _words(doc: Doc, clusters: list[Cluster]) -> list[list[str]]:
    return [[doc[m.start : m.end].text for m in cluster] for cluster in clusters]


UD = """
If IN mark 3
my PRP$ nmod:poss 2
mom NN nsubj 3
cooks VBZ advcl 6
, , punct 3
I PRP nsubj 6
help VBP ROOT 6
her PRP obj 6
. . punct 6
"""
CLEARNLP = UD.replace("nmod:poss", "poss").replace("obj 6", "dobj 6")
UD_OBLIQUE = """
Tom NNP nsubj 1
said VBD ROOT 1
that IN mark 5
Ann NNP nsubj 5
had VBD aux 5
talked VBN ccomp 1
to IN case 7
him PRP obl 5
"""
CLEARNLP_OBLIQUE = UD_OBLIQUE.replace("to IN case 7", "to IN prep 5").replace("him PRP obl 5", "him PRP pobj 6")


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (UD, [["my mom", "her"]]),
        (CLEARNLP, [["my mom", "her"]]),
        (UD_OBLIQUE, [["Tom", "him"]]),
        (CLEARNLP_OBLIQUE, [["Tom", "him"]]),
    ],
    ids=["UD", "ClearNLP", "UD oblique", "ClearNLP oblique"],
)
def test_hand_made_parses_of_both_schemes(resolver: Coref, table: str, expected: list[list[str]]) -> None:
    parsed = doc(table)
    assert _words(parsed, resolver.clusters([parsed])[0]) == expected


SENTENCES = [
    ("Michael closed the door and knew that he had made a mistake .", [["Michael", "he"]], "a subject, a clause below"),
    ("My teacher shows us how to behave and he teaches us a lot .", [["My teacher", "he"]], "a coordinated clause"),
    ("Our team has a coach and he gives professional advice to us .", [["a coach", "he"]], "an object, a new sentence"),
    ("My father took me between his knees .", [["My father", "his"]], "a possessive in the same clause"),
    ("When he was 18 , John played his first game .", [["he", "John", "his"]], "the pronoun comes first"),
    ("I talked to my boss about her new house .", [["my boss", "her"]], "the speaker is not a candidate"),
    ("He got so mad that he left .", [["He", "he"]], "no nominal: a cluster of pronouns alone"),
    ("I saw him .", [], "nobody to refer to, and one pronoun is not a cluster"),
    ("The table was old and it broke .", [], "no he or she"),
    ("His mother called .", [], "a possessor is not what it possesses"),
    ("The queen said that he was tired .", [], "a queen is not he"),
    ("Mary was at home . He left and he cried .", [["He", "he"]], "Mary is not he"),
    ("John called me and I saw her yesterday .", [], "nor John she"),
    ("Each person should protect his own life .", [["Each person", "his"]], "quantified antecedents count"),
]


@pytest.mark.parametrize(("text", "expected", "why"), SENTENCES, ids=[row[2] for row in SENTENCES])
def test_clusters(nlp: Language, resolver: Coref, text: str, expected: list[list[str]], why: str) -> None:
    parsed = next(pipeline.parse(nlp, [text.split()]))
    assert _words(parsed, resolver.clusters([parsed])[0]) == expected, why


def test_a_cluster_never_mixes_he_and_she(nlp: Language, resolver: Coref) -> None:
    texts = ["Penny was sad . He cried and she slept .", "The doctor said that he knew her and that she knew him ."]
    for parsed in pipeline.parse(nlp, (text.split() for text in texts)):
        for cluster in resolver.clusters([parsed])[0]:
            forms = {parsed[m.head].lower_ for m in cluster if m.end == m.start + 1}
            assert not (forms & {"he", "him", "his"} and forms & {"she", "her", "hers"})


def test_the_answer_does_not_depend_on_the_company(nlp: Language, resolver: Coref) -> None:
    docs = list(pipeline.parse(nlp, (row[0].split() for row in SENTENCES)))
    assert resolver.clusters(docs) == [resolver.clusters([one])[0] for one in docs]


@pytest.mark.parametrize("text", ["", "he", "her her her", "He's", " ".join(["she"] * 300)])
def test_odd_texts_do_not_break_it(nlp: Language, resolver: Coref, text: str) -> None:
    resolver.clusters([next(pipeline.parse(nlp, [text.split()])), Doc(nlp.vocab, words=text.split())])


def test_mentions_lie_inside_the_text_and_clusters_are_sorted(nlp: Language, resolver: Coref) -> None:
    for parsed in _story(nlp, 3):
        for cluster in resolver.clusters([parsed])[0]:
            assert list(cluster) == sorted(set(cluster))
            assert all(0 <= m.start <= m.head < m.end <= len(parsed) for m in cluster)


@pytest.mark.slow
def test_five_thousand_words_a_second(nlp: Language, resolver: Coref) -> None:
    docs = list(_story(nlp, 60))
    assert sum(map(len, docs)) / measure_fastest(lambda: resolver.clusters(docs)) > 5000


@pytest.mark.slow
def test_the_cost_of_a_long_text_is_bounded(nlp: Language, resolver: Coref) -> None:
    (long,) = pipeline.parse(nlp, [" ".join(row[0] for row in SENTENCES * 40).split()])
    assert measure_fastest(lambda: resolver.clusters([long])) < len(long) / 1000


def _story(nlp: Language, number: int) -> Iterator[Doc]:
    text = " ".join(row[0] for row in SENTENCES)
    return pipeline.parse(nlp, [text.split()] * number)
