"""The two directions of verb agreement, and what stays unknown."""

import pytest

from gec_fair.english.inflect import is_plain, is_singular, plural_form, singular_form, verb_lemma
from gec_fair.english.letters import like

PLURAL = [
    ("is", "are"),
    ("was", "were"),
    ("Has", "Have"),
    ("DOES", "DO"),
    ("goes", "go"),
    ("tries", "try"),
    ("passes", "pass"),
    ("dies", "die"),
    ("lies", "lie"),
    ("leaves", "leave"),
    ("focuses", "focus"),
    ("dares", "dare"),
    ("texts", "text"),
    ("doesn't", "don't"),
    ("wasn’t", "weren’t"),
    ("went", "went"),
    ("can", "can"),
    ("pass", "pass"),
    ("go", "go"),
]


@pytest.mark.parametrize(("singular", "plural"), PLURAL)
def test_what_goes_with_they(singular, plural):
    assert plural_form(singular) == plural


@pytest.mark.parametrize(("word", "lemma", "plural"), [("'s", "be", "'re"), ("'s", "have", "'ve"), ("’S", "be", "’RE")])
def test_a_clitic_is_told_apart_by_its_lemma(word, lemma, plural):
    assert plural_form(word, lemma=lemma) == plural


def test_a_clitic_without_a_lemma_is_unknown():
    assert plural_form("'s") is None


@pytest.mark.parametrize("misspelt", ["liks", "thinkes", "knaws"])
def test_a_misspelt_verb_is_unknown_rather_than_garbage(misspelt):
    assert plural_form(misspelt) is None


@pytest.mark.parametrize(("plain", "singular"), [("go", "goes"), ("are", "is"), ("Try", "Tries"), ("have", "has")])
def test_what_goes_with_he(plain, singular):
    assert singular_form(plain) == singular


def test_words_that_can_and_cannot_agree():
    assert is_singular("goes")
    assert not is_singular("go")
    assert is_plain("go")
    assert not is_plain("went")


def test_every_form_of_be_is_one_lemma():
    assert {verb_lemma(w) for w in ("is", "was", "are", "'s", "Been")} == {"be"}


@pytest.mark.parametrize(
    ("model", "word", "cased"),
    [("He", "they", "They"), ("HE", "they", "THEY"), ("he", "they", "they"), ("A", "an", "An"), ("hE", "they", "they")],
)
def test_a_new_word_is_written_like_the_old_one(model, word, cased):
    assert like(model, word) == cased
