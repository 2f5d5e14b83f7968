"""Which verbs agree with he/she, under UD and under ClearNLP labels."""

import pytest

from gec_fair.english.agreement import agreeing, left_behind
from tests.english.docs import doc

CASES = [
    ("the head itself", "He PRP nsubj 1\nknows VBZ ROOT 1", "He", ["knows"]),
    ("UD: copula below the noun", "She PRP nsubj 3\nis VBZ cop 3\na DT det 3\nlinguist NN ROOT 3", "She", ["is"]),
    ("ClearNLP: copula above the noun", "She PRP nsubj 1\nis VBZ ROOT 1\na DT det 3\nnurse NN attr 1", "She", ["is"]),
    ("an inverted question", "does VBZ aux 2\nhe PRP nsubj 2\nknow VB ROOT 2", "he", ["does"]),
    ("the first of two auxiliaries", "he PRP nsubj 3\nhas VBZ aux 3\nbeen VBN aux 3\ngoing VBG ROOT 3", "he", ["has"]),
    ("UD passive", "he PRP nsubj:pass 2\nwas VBD aux:pass 2\nseen VBN ROOT 2", "he", ["was"]),
    ("ClearNLP passive", "he PRP nsubjpass 2\nwas VBD auxpass 2\nseen VBN ROOT 2", "he", ["was"]),
    ("modals are finite too", "he PRP nsubj 2\nwill MD aux 2\ngo VB ROOT 2", "he", ["will"]),
    (
        "a conjunct that shares the subject",
        "he PRP nsubj 1\nsings VBZ ROOT 1\nand CC cc 3\ndances VBZ conj 1",
        "he",
        ["sings", "dances"],
    ),
    (
        "not a conjunct with its own subject",
        "he PRP nsubj 1\nsings VBZ ROOT 1\nand CC cc 4\nAnna NNP nsubj 4\ndances VBZ conj 1",
        "he",
        ["sings"],
    ),
    (
        "a participle that shares the auxiliary is not finite",
        "he PRP nsubj 2\nhas VBZ aux 2\neaten VBN ROOT 2\nand CC cc 4\ndrunk VBN conj 2",
        "he",
        ["has"],
    ),
    (
        "UD: a verb beside a noun predicate",
        "he PRP nsubj 3\nis VBZ cop 3\na DT det 3\ncook NN ROOT 3\nand CC cc 5\nworks VBZ conj 3",
        "he",
        ["is", "works"],
    ),
    (
        "a relative clause on the pronoun, UD",
        "she PRP nsubj 3\nwho WP nsubj 2\nknows VBZ acl:relcl 0\nwins VBZ ROOT 3",
        "she",
        ["knows", "wins"],
    ),
    (
        "a relative clause on an object pronoun, ClearNLP",
        "ask VB ROOT 0\nhim PRP dobj 0\nwho WP nsubj 3\nknows VBZ relcl 1",
        "him",
        ["knows"],
    ),
    (
        "the object of the relative clause does not agree",
        "him PRP ROOT 0\nwho WP obj 3\nAnna NNP nsubj 3\nknows VBZ acl:relcl 0",
        "him",
        [],
    ),
    (
        "UD: the copula of the outer clause is not the inner subject's",
        "point NN nsubj:outer 5\nis VBZ cop 5\nthat IN mark 5\nhe PRP nsubj 5\nwas VBD cop 5\nlate JJ ROOT 5",
        "he",
        ["was"],
    ),
    (
        "a verb hung on the infinitive before it",
        "she PRP nsubj 1\nlikes VBZ ROOT 1\nto TO mark 3\nplay VB xcomp 1\nand CC cc 5\nsings VBZ conj 3",
        "she",
        ["likes", "sings"],
    ),
    (
        "a verb hung on the object before it",
        "he PRP nsubj 1\ntakes VBZ ROOT 1\nbike NN obj 1\nand CC cc 4\nrides VBZ conj 2",
        "he",
        ["takes", "rides"],
    ),
    (
        "not one of a clause with another subject",
        "he PRP nsubj 1\nthinks VBZ ROOT 1\nshe PRP nsubj 3\nsings VBZ ccomp 1\nand CC cc 5\nplays VBZ conj 3",
        "he",
        ["thinks"],
    ),
    ("an inversion that the parser missed", "so RB advmod 2\ndoes VBZ ROOT 1\nhe PRP obj 1", "he", ["does"]),
    ("a subject that the parser missed", "he PRP dep 2\nstill RB advmod 2\nhas VBZ ROOT 2", "he", ["has"]),
    ("a possessive has no verb", "his PRP$ nmod:poss 1\ndog NN nsubj 2\nbarks VBZ ROOT 2", "his", []),
    (
        "a row of clauses whose last is the head, ClearNLP",
        "he PRP nsubj 1\ngoes VBZ ccomp 4\nout RP prt 1\n, , punct 4\nruns VBZ ROOT 4\nand CC cc 4\nrests VBZ conj 4",
        "he",
        ["goes", "runs", "rests"],
    ),
    (
        "not a clause behind what is said, ClearNLP",
        "he PRP nsubj 1\nsleeps VBZ ccomp 4\n, , punct 4\nAnna NNP nsubj 4\nsays VBZ ROOT 4",
        "he",
        ["sleeps"],
    ),
    (
        "a verb taken for the object of the relative clause, ClearNLP",
        "he PRP ROOT 0\nwho WP nsubj 2\nwaits VBZ relcl 0\nwins NNS dobj 2",
        "he",
        ["waits", "wins"],
    ),
    (
        "a far relative clause, ClearNLP",
        "he PRP nsubj 1\nlaughs VBZ ROOT 1\nlast RB advmod 1\nwho WP nsubj 4\nwaits VBZ relcl 1",
        "he",
        ["laughs", "waits"],
    ),
    ("a predicate has no verb, UD", "the DT det 1\nwinner NN nsubj 3\nis VBZ cop 3\nhe PRP ROOT 3", "he", []),
    ("a predicate has no verb, ClearNLP", "the DT det 1\nwinner NN nsubj 2\nis VBZ ROOT 2\nhe PRP attr 2", "he", []),
    ("an infinitive does not agree", "him PRP nsubj 2\nto TO aux 2\ngo VB ROOT 2", "him", []),
]


@pytest.mark.parametrize(("table", "subject", "verbs"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_agreeing_verbs(table, subject, verbs):
    parsed = doc(table)
    token = next(t for t in parsed if t.text == subject)
    assert [t.text for t in agreeing(token)] == verbs


@pytest.mark.parametrize("above", ["2", "0"], ids=["UD", "ClearNLP: the conjunction is below the first"])
def test_the_verb_of_neither_nor_is_unsure(above):
    parsed = doc(f"Mary NNP nsubj 3\nnor CC cc {above}\nhe PRP conj 0\nknows VBZ ROOT 3")
    assert left_behind(parsed[2], set()).text == "knows"
