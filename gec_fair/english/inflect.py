"""The two directions of English verb agreement: *goes* ⇄ *go*, *was* ⇄ *were*; nothing else in English agrees.

Closed-class forms stand in a table; open-class verbs go through lemminflect. A word that neither knows is left to
the caller as None: a guess would be garbage in a training corpus.
"""

from __future__ import annotations

from functools import lru_cache

from gec_fair.english.letters import like
from gec_fair.english.lexicons.agreement import load_agreement
from gec_fair.english.lexicons.word_lists import word_list

_AGREEMENT = load_agreement()
_PLURAL = {forms.singular: forms.plural for forms in _AGREEMENT}
"""Third person singular → every other person. 's is *is* or *has*: its function decides by the lemma."""
_SINGULAR = {plural: singular for singular, plural in _PLURAL.items()}
_BARE_CLITIC = "s"
"""*hes*, which tokenizers cut after *he*: *is* or *has* without its apostrophe."""
IS_OR_HAS = word_list("contracted_is_or_has") | {_BARE_CLITIC}
_CLOSED_SINGULAR = frozenset(forms.singular for forms in _AGREEMENT if forms.is_auxiliary) | IS_OR_HAS
_CLITIC = {"be": "'re", "have": "'ve"}
_CONTRACTED_PLURAL = frozenset(["'re", "'ve"])
_CONTRACTED_HAVE = frozenset(["'d", "'ve", "’d", "’ve"])
_COPULA = word_list("copula_forms")
_FUNCTION_WORDS = word_list("definite_determiners") | word_list("indefinite_determiners")


def plural_form(word: str, *, lemma: str = "") -> str | None:
    """The form that *they* takes instead of a third person singular one, in the case of `word`.

    `lemma` (`be` or `have`) is needed for *'s* alone. A form that does not show agreement (*went*, *can*, *go*)
    comes back as it is; None when the verb is unknown.
    """
    lower = word.lower()
    if lower in IS_OR_HAS:
        clitic = _CLITIC.get(lemma)
        if clitic is None:
            return None
        clitic = lower[0] + clitic[1:] if lower != _BARE_CLITIC else clitic[1:]
        return clitic.upper() if word.isupper() else clitic
    if lower in _PLURAL:
        return like(word, _PLURAL[lower])
    if not lower.endswith("s") or lower.endswith("ss"):
        return word
    base = _base(lower)
    return None if base is None else like(word, base)


def singular_form(word: str) -> str | None:
    """The third person singular form of a verb in its plain form, in the case of `word`; None when unknown."""
    lower = word.lower()
    if lower in _SINGULAR:
        return like(word, _SINGULAR[lower])
    form = _third_person(lower)
    return None if form is None else like(word, form)


def is_singular(word: str) -> bool:
    """Whether the word can be a verb form that agrees with *he* and not with *they*."""
    lower = word.lower()
    return lower in _PLURAL or lower in IS_OR_HAS or (lower.endswith("s") and _base(lower) is not None)


def is_closed_singular(word: str) -> bool:
    """Whether the word is a form of *be, have, do* that agrees with *he*, contracted and negated ones included."""
    return word.lower() in _CLOSED_SINGULAR


def is_plain(word: str) -> bool:
    """Whether the word can be a verb form that agrees with *they* and not with *he* (*go*, *are*, *were*)."""
    lower = word.lower()
    return lower in _SINGULAR or lower in _CONTRACTED_PLURAL or _third_person(lower) is not None


def verb_lemma(word: str) -> str:
    """The verb's lemma: `be` for all forms of the copula, `have` for *'d* and *'ve*; an unknown word itself."""
    lower = word.lower()
    if lower in _COPULA:
        return "be"
    return "have" if lower in _CONTRACTED_HAVE else _lemma(lower)


def load() -> None:
    """Read lemminflect's tables now, half a second, rather than with the first verb."""
    _lemma("sings")
    _third_person("sing")


@lru_cache(maxsize=50_000)
def _lemma(lower: str) -> str:
    from lemminflect import getLemma

    lemmas = getLemma(lower, "VERB", lemmatize_oov=False)
    return lemmas[0] if lemmas else lower


@lru_cache(maxsize=50_000)
def _base(lower: str) -> str | None:
    """The plain form of an open-class third person singular; None when no known word inflects so."""
    from lemminflect import getAllLemmas, getInflection, getLemma

    for lemma in getLemma(lower, "VERB", lemmatize_oov=False):
        if lower in getInflection(lemma, "VBZ", inflect_oov=False):
            return str(lemma)
    for lemma in getLemma(lower, "NOUN", lemmatize_oov=False):  # a noun used as a verb: *texts*, *messages*
        if lemma != lower and getAllLemmas(lemma):
            return str(lemma)
    return None


@lru_cache(maxsize=50_000)
def _third_person(lower: str) -> str | None:
    from lemminflect import getInflection, getLemma

    if lower not in getLemma(lower, "VERB", lemmatize_oov=False):
        return None  # not a plain form
    forms = getInflection(lower, "VBZ", inflect_oov=False)
    return str(forms[0]) if forms else None


@lru_cache(maxsize=20_000)
def is_word(word: str) -> bool:
    """Whether a lower-cased word is one of the language, and not only a name."""
    from lemminflect import getAllLemmas

    return bool(getAllLemmas(word)) or word in _FUNCTION_WORDS
