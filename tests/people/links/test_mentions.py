"""Which words are names, persons and pronouns, and which of them are one by words and syntax."""

from __future__ import annotations

import pytest

from gec_fair.english.lexicons.paradigms import Form, Gender
from gec_fair.people.links import lexical, parse
from gec_fair.people.links.entities import entities, relatives
from gec_fair.people.links.lexical import FEMININE, MASCULINE
from gec_fair.people.links.mentions import Nominal, nominals
from tests.english.docs import doc


def _nominals(table: str) -> tuple[parse.Parse, list[Nominal]]:
    parsed = parse.read(doc(table))
    return parsed, nominals(parsed, lexical.load())


def _entities(table: str) -> list[list[str]]:
    read, mentions = _nominals(table)
    return [[" ".join(read.words[m.start : m.end]) for m in e.mentions] for e in entities(read, mentions)]


PHRASES = [
    (
        "a title is part of the mention and settles the gender",
        "Mrs. NNP ROOT 0\nAda NNP flat 0\nLovelace NNP flat 0",
        [("Mrs. Ada Lovelace", "name", FEMININE)],
    ),
    ("a frequent first name settles the gender", "Mary NNP nsubj 1\nleft VBD ROOT 1", [("Mary", "name", FEMININE)]),
    ("one that is a surname too does not", "Ross NNP nsubj 1\nleft VBD ROOT 1", [("Ross", "name", None)]),
    (
        "a noun and a title before a name are two phrases",
        "his PRP$ nmod:poss 1\naunt NN nsubj 3\nPolly NNP flat 1\nleft VBD ROOT 3",
        [("his", "pronoun", MASCULINE), ("his aunt", "noun", FEMININE), ("Polly", "name", FEMININE)],
    ),
    (
        "a capitalised word in a name's place is a name",
        "then RB advmod 2\nRees NNS nsubj 2\nleft VBD ROOT 2",
        [("Rees", "name", None)],
    ),
    (
        "determiners and possessors belong to the phrase",
        "My PRP$ nmod:poss 2\nold JJ amod 2\nfriend NN nsubj 3\nleft VBD ROOT 3",
        [("My old friend", "noun", None)],
    ),
    ("things are left out", "The DT det 1\ntable NN nsubj 2\nfell VBD ROOT 2", []),
    ("plurals are left out", "The DT det 1\nteachers NNS nsubj 2\nleft VBD ROOT 2", []),
    ("somebody may be anybody", "Somebody NN nsubj 1\nleft VBD ROOT 1", [("Somebody", "indefinite", None)]),
    ("queens are feminine", "the DT det 1\nqueen NN ROOT 1", [("the queen", "noun", FEMININE)]),
]


@pytest.mark.parametrize(("table", "expected"), [row[1:] for row in PHRASES], ids=[row[0] for row in PHRASES])
def test_nominals(table: str, expected: list[tuple[str, str, Gender | None]]) -> None:
    read, mentions = _nominals(table)
    assert [(" ".join(read.words[m.start : m.end]), m.kind, m.gender) for m in mentions] == expected


@pytest.mark.parametrize("label", ["nmod:poss", "poss"])
def test_her_is_a_possessor_where_the_parse_says_so(label: str) -> None:
    _, mentions = _nominals(f"I PRP nsubj 1\nsaw VBD ROOT 1\nher PRP$ {label} 3\nbook NN obj 1")
    assert [(m.form, m.role) for m in mentions] == [(Form.DETERMINER, "possessor")]
    _, mentions = _nominals("I PRP nsubj 1\nsaw VBD ROOT 1\nher PRP obj 1")
    assert [(m.form, m.role) for m in mentions] == [(Form.ACCUSATIVE, "object")]


ONE = [
    (
        "a surname is the last person of that name",
        "Ada NNP nsubj 2\nLovelace NNP flat 0\nwrote VBD ROOT 2\n. . punct 2\nLovelace NNP nsubj 5\nslept VBD conj 2",
        [["Ada Lovelace", "Lovelace"]],
    ),
    (
        "people of one family are two",
        "Ada NNP nsubj 5\nByron NNP flat 0\nand CC cc 3\nGeorge NNP conj 0\nByron NNP flat 3\nmet VBD ROOT 5",
        [["Ada Byron"], ["George Byron"]],
    ),
    (
        "a noun and the name right after it",
        "my PRP$ nmod:poss 1\nfriend NN nsubj 3\nBob NNP appos 1\nleft VBD ROOT 3",
        [["my friend", "Bob"]],
    ),
    (
        "a predicate is its subject",
        "Jason NNP nsubj 3\nis VBZ cop 3\nmy PRP$ nmod:poss 3\nfriend NN ROOT 3",
        [["Jason", "my friend"]],
    ),
    (
        "the same in ClearNLP labels",
        "Jason NNP nsubj 1\nbe VBZ ROOT 1\nmy PRP$ poss 3\nfriend NN attr 1",
        [["Jason", "my friend"]],
    ),
    (
        "but not when it is denied",
        "Jason NNP nsubj 4\nis VBZ cop 4\nnot RB advmod 4\nmy PRP$ nmod:poss 4\nfriend NN ROOT 4",
        [["Jason"], ["my friend"]],
    ),
    (
        "a girl called Kate",
        "a DT det 1\ngirl NN nsubj 4\ncall VBN acl 1\nKate NNP xcomp 2\nleft VBD ROOT 4",
        [["a girl", "Kate"]],
    ),
    (
        "a queen ... the queen",
        "a DT det 1\nqueen NN nsubj 2\ncame VBD ROOT 2\nand CC cc 6\nthe DT det 5\nqueen NN nsubj 6\nleft VBD conj 2",
        [["a queen", "the queen"]],
    ),
    (
        "a queen ... a queen are two",
        "a DT det 1\nqueen NN nsubj 2\ncame VBD ROOT 2\nand CC cc 6\na DT det 5\nqueen NN nsubj 6\nleft VBD conj 2",
        [["a queen"], ["a queen"]],
    ),
]


@pytest.mark.parametrize(("table", "expected"), [row[1:] for row in ONE], ids=[row[0] for row in ONE])
def test_entities(table: str, expected: list[list[str]]) -> None:
    assert _entities(table) == expected


def test_a_bare_surname_may_be_a_relative_of_the_other_gender() -> None:
    """*John Hendrix wrote . Hendrix slept .* and then *she*: offered for her, and not among his mentions."""
    table = "John NNP nsubj 2\nHendrix NNP flat 0\nwrote VBD ROOT 2\n. . punct 2\nHendrix NNP nsubj 5\nslept VBD conj 2"
    read, mentions = _nominals(table)
    (entity,) = relatives(entities(read, mentions))
    assert (entity.gender, [m.head for m in entity.mentions], entity.relative) == (FEMININE, [4], True)
