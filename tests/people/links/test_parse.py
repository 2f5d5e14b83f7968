"""UD and ClearNLP parses of one sentence are the same small tree."""

from __future__ import annotations

import pytest

from gec_fair.people.links import parse
from tests.english.docs import doc

SAME = [
    (
        "a preposition is a child of its object",
        "He PRP nsubj 1\nlooked VBD ROOT 1\nat IN case 3\nher PRP obl 1",
        "He PRP nsubj 1\nlooked VBD ROOT 1\nat IN prep 1\nher PRP pobj 2",
    ),
    (
        "two prepositions are both passed over",
        "He PRP nsubj 1\ngot VBD ROOT 1\nout IN case 4\nof IN case 4\nit PRP obl 1",
        "He PRP nsubj 1\ngot VBD ROOT 1\nout IN prep 1\nof IN prep 2\nit PRP pobj 3",
    ),
    (
        "a predicate noun is the head of its clause",
        "Ann NNP nsubj 3\nis VBZ cop 3\na DT det 3\ndoctor NN ROOT 3\n. . punct 3",
        "Ann NNP nsubj 1\nis VBZ ROOT 1\na DT det 3\ndoctor NN attr 1\n. . punct 1",
    ),
    (
        "an object of a noun's preposition is a modifier",
        "friends NNS nsubj 3\nof IN case 2\nAnn NNP nmod 0\ncame VBD ROOT 3",
        "friends NNS nsubj 3\nof IN prep 0\nAnn NNP pobj 1\ncame VBD ROOT 3",
    ),
    (
        "possessors, passives and relatives are renamed",
        "her PRP$ nmod:poss 1\nbook NN nsubj:pass 3\nwas VBD aux:pass 3\nread VBN ROOT 3\n"
        "by IN case 5\nhim PRP obl:agent 3",
        "her PRP$ poss 1\nbook NN nsubjpass 3\nwas VBD auxpass 3\nread VBN ROOT 3\nby IN agent 3\nhim PRP pobj 4",
    ),
    (
        "the subject of a small clause is the object of the verb above",
        "It PRP nsubj 1\nmade VBD ROOT 1\nher PRP obj 1\ncry VB xcomp 1",
        "It PRP nsubj 1\nmade VBD ROOT 1\nher PRP nsubj 3\ncry VB ccomp 1",
    ),
    (
        "so it is of an adjective",
        "It PRP nsubj 1\nmade VBD ROOT 1\nher PRP obj 1\nhappy JJ xcomp 1",
        "It PRP nsubj 1\nmade VBD ROOT 1\nher PRP nsubj 3\nhappy JJ ccomp 1",
    ),
    (
        "so it is of a participle, and a noun",
        "I PRP nsubj 1\nwant VBP ROOT 1\nthe DT det 3\nwork NN obj 1\ndone VBN xcomp 1",
        "I PRP nsubj 1\nwant VBP ROOT 1\nthe DT det 3\nwork NN nsubjpass 4\ndone VBN ccomp 1\n",
    ),
    (
        "and of an infinitive with *to*",
        "We PRP nsubj 1\nwant VBP ROOT 1\nhim PRP obj 1\nto TO aux 4\nread VB xcomp 1\nher PRP obj 4",
        "We PRP nsubj 1\nwant VBP ROOT 1\nhim PRP nsubj 4\nto TO aux 4\nread VB ccomp 1\nher PRP dobj 4",
    ),
    (
        "but not of a finite clause",
        "I PRP nsubj 1\nthink VBP ROOT 1\nAnn NNP nsubj 3\nleft VBD ccomp 1\nhim PRP obj 3",
        "I PRP nsubj 1\nthink VBP ROOT 1\nAnn NNP nsubj 3\nleft VBD ccomp 1\nhim PRP dobj 3",
    ),
    (
        "nor of one with an auxiliary",
        "I PRP nsubj 1\nknow VBP ROOT 1\nAnn NNP nsubj 4\nwill MD aux 4\nmeet VB ccomp 1\nhim PRP obj 4",
        "I PRP nsubj 1\nknow VBP ROOT 1\nAnn NNP nsubj 4\nwill MD aux 4\nmeet VB ccomp 1\nhim PRP dobj 4",
    ),
    (
        "nor behind a subordinator",
        "I PRP nsubj 1\nask VBP ROOT 1\nthat IN mark 4\nAnn NNP nsubj 4\nmeet VB ccomp 1\nhim PRP obj 4",
        "I PRP nsubj 1\nask VBP ROOT 1\nthat IN mark 4\nAnn NNP nsubj 4\nmeet VB ccomp 1\nhim PRP dobj 4",
    ),
    (
        "nor of *he*, which is never an object",
        "I PRP nsubj 1\nknow VBP ROOT 1\nhe PRP nsubj 3\nlike VB ccomp 1\nher PRP obj 3",
        "I PRP nsubj 1\nknow VBP ROOT 1\nhe PRP nsubj 3\nlike VB ccomp 1\nher PRP dobj 3",
    ),
    (
        "the second of two predicates is joined to the first",
        "Ann NNP nsubj 2\nis VBZ cop 2\nkind JJ ROOT 2\na DT det 4\ndoctor NN conj 2",
        "Ann NNP nsubj 1\nis VBZ ROOT 1\nkind JJ acomp 1\na DT det 4\ndoctor NN attr 1",
    ),
]


@pytest.mark.parametrize(("ud", "clearnlp"), [row[1:] for row in SAME], ids=[row[0] for row in SAME])
def test_both_schemes_give_one_tree(ud: str, clearnlp: str) -> None:
    one, two = (parse.read(doc(table)) for table in (ud, clearnlp.replace("is VBZ ROOT", "be VBZ ROOT")))
    watched = [token for token, label in enumerate(one.dep) if label not in ("case", "punct")]
    assert [(one.head[t], one.dep[t]) for t in watched] == [(two.head[t], two.dep[t]) for t in watched]
    assert [one.clause[t] for t in watched] == [two.clause[t] for t in watched]


def test_clauses_are_counted_from_the_root() -> None:
    table = "Ann NNP nsubj 1\nsaid VBD ROOT 1\nthat IN mark 4\nBob NNP nsubj 4\nleft VBD ccomp 1\nher PRP obj 4"
    parsed = parse.read(doc(table))
    assert parsed.clause == [1, 1, 4, 4, 4, 4]
    assert parsed.depth == [0, 0, 1, 1, 1, 1]


def test_an_unparsed_text_and_an_empty_one_are_read_too() -> None:
    import spacy

    nlp = spacy.blank("en")
    assert len(parse.read(nlp.make_doc("Ann said he left .")).words) == 5
    assert len(parse.read(nlp.make_doc("")).words) == 0
