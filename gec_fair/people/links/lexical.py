"""What words alone say about a referent: its gender, and how likely it is a person."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gec_fair.english.lexicons import lexicon
from gec_fair.english.lexicons.paradigms import Form, Gender, forms_of
from gec_fair.english.lexicons.tables import read_table
from gec_fair.english.lexicons.word_lists import ordered_words, word_list

PERSON_NOUNS = Path(__file__).with_name("person_nouns.tsv")
FREQUENT = 0.01  # of a hundred people: *Selina*, not *Gemma* (docs/concepts/coreference.md, What we tried)
FEMININE, MASCULINE = Gender.FEMININE, Gender.MASCULINE
AMBIGUOUS = word_list("ambiguous_possessives")


def _first_reading(word: str) -> tuple[Gender, Form]:
    """*her* is an accusative and *his* a determiner, until the parse says otherwise."""
    return min(forms_of(word), key=lambda reading: [*Form].index(reading[1]))


PRONOUNS = {word: _first_reading(word) for word in ordered_words("resolved_pronouns")}
"""Lower-cased word → (gender, form)."""
INDEFINITE = word_list("indefinite_pronouns")
TITLES = {
    **dict.fromkeys(ordered_words("masculine_titles"), MASCULINE),
    **dict.fromkeys(ordered_words("feminine_titles"), FEMININE),
    **dict.fromkeys(ordered_words("titles_of_any_gender")),
}
"""Lower-cased title → its gender, None where it has none."""
NO_PERSON = word_list("impersonal_name_words")
PARTICLES = word_list("name_particles")
COMMUNICATION = word_list("communication_verbs")
NAMING = frozenset(["name", "call", "nickname", "dub"])
PLACING = word_list("before_a_place")
AGENTIVE = ordered_words("agentive_endings")


@dataclass(frozen=True, slots=True)
class Lexical:
    """Lower-cased tables. `names` and `nouns` give genders; those of the names in `gendered` can be relied on, the
    others are first names that are rare, or surnames too. `person` and `animal` are shares of a noun's readings."""

    names: dict[str, Gender]
    gendered: frozenset[str]
    nouns: dict[str, Gender]
    person: dict[str, float]
    animal: dict[str, float]


@cache
def load() -> Lexical:
    """The package's lexicons as this room needs them; about 20 ms, once."""
    shipped = lexicon.load()
    entries = shipped.names.entries
    names = {word: name.gender for word, name in entries.items()}
    gendered = frozenset(word for word, name in entries.items() if (name.share or 0.0) >= FREQUENT and not name.surname)
    nouns = {words[0]: term.gender for words, term in shipped.nouns.terms.items() if len(words) == 1}
    rows = read_table(PERSON_NOUNS, ("noun", "person", "animal"))
    person = {row.cells[0]: float(row.cells[1]) for row in rows}
    animal = {row.cells[0]: float(row.cells[2]) for row in rows if row.cells[2] != "0.00"}
    return Lexical(names, gendered, nouns, person, animal)


def noun_gender(lexical: Lexical, lemma: str) -> Gender | None:
    """The gender that a noun has by definition: *queen*, *salesman*, *step-sister*."""
    noun = lexical.nouns.get(lemma)
    if (noun is None and lemma.endswith(("man", "woman"))) or "-" in lemma:
        term = lexicon.load().nouns.compound(lemma)
        noun = term.gender if term else None
    return noun


def personhood(lexical: Lexical, lemma: str) -> float:
    """0 to 1: how likely a common noun names a person, by WordNet, else by its ending."""
    known = lexical.person.get(lemma)
    if known is not None:
        return known
    last = lemma.rpartition("-")[2]
    if last != lemma and last in lexical.person:
        return lexical.person[last]
    if noun_gender(lexical, lemma):
        return 1.0
    return 0.6 if lemma.endswith(AGENTIVE) and len(lemma) > 5 else 0.0  # by hand: *bassist*, not *exist*
