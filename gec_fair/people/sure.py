"""How sure a rewriting is of whom it means: the probability that a reader finds it clean.

    Ada lost her keys .            Ada is surely a first name, and *her* surely a possessive
    Leo in 2005 - Abundance        Leo is alone, and nothing says who he is

It is a logistic regression on what the reader of people says of the words that change and of those that stay, and on
the text. Each input is a doubt: none raises the probability. `training/people/fit_sure.py` fits it on rewritings that
were read; its reliability: docs/concepts/people.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, log, log1p
from pathlib import Path
from typing import TYPE_CHECKING

from gec_fair.corpus.outcome import Sure
from gec_fair.edits import Edit, edited_places
from gec_fair.english.inflect import is_word
from gec_fair.english.labels import COMMON_NOUNS, FINITE_VERBS, PROPER_NOUNS
from gec_fair.english.lexicons.lexicon import Lexicon
from gec_fair.english.lexicons.paradigms import Gender, forms_of
from gec_fair.english.lexicons.tables import read_table
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.once import lowers
from gec_fair.errors import refusing_damage
from gec_fair.people import forms, reader
from gec_fair.people.first_names import likelihoods
from gec_fair.people.reader import KINDS, LIKELY, SOMEBODY

if TYPE_CHECKING:
    from spacy.tokens import Doc

WEIGHTS = Path(__file__).with_name("sure.tsv")
_SOMEBODY = [KINDS.index(kind) for kind in SOMEBODY]
_ANIMALS = word_list("animals_called_he_or_she") | word_list("words_of_keeping_animals")
_FAR = 40
"""Words from a change to what counts of its text. The texts that were read are shorter than this, most of them."""
_LEAST = 1e-4
"""The least probability that counts as one."""
_MARKS = frozenset('"“”:;') | {"``", "''"}


@dataclass(frozen=True)
class Change:
    """A tagged text, and the places of its words that change."""

    doc: Doc
    lexicon: Lexicon
    names: Sequence[int] = ()
    nouns: Sequence[int] = ()
    pronouns: Sequence[int] = ()
    signs: Sequence[str] = ()
    """What else is known of it: inputs, named by what they say."""
    genders: frozenset[Gender] = frozenset()
    """Of the words that change, where one alone is swapped away; words of the other may stay then."""

    @classmethod
    def from_edits(cls, doc: Doc, lexicon: Lexicon, edits: Iterable[Edit], signs: Sequence[str] = ()) -> Change:
        """What edits change of a tagged text; a proper noun counts as a name."""
        words = [doc[at] for at in sorted(edited_places(edits))]
        names = [word.i for word in words if word.tag_ in PROPER_NOUNS]
        pronouns = [word.i for word in words if word.i not in names and forms_of(word.lower_)]
        nouns = [word.i for word in words if word.tag_ in COMMON_NOUNS and word.i not in pronouns]
        said = {gender for at in pronouns for gender, _ in forms_of(doc[at].lower_)}
        said |= {gender for word in words if (gender := lexicon.nouns.gender(word.lower_)) is not None}
        return cls(doc, lexicon, names, nouns, pronouns, signs, frozenset(said) if len(said) == 1 else frozenset())


DOUBTS: Mapping[str, str] = {
    "name": "a name may not be a first name",
    "alone": "a name stands alone",
    "followed": "a surname stays",
    "surname": "a name is a surname too",
    "unlisted": "no table has a name",
    "noun": "a noun may not stand for a person",
    "form": "her or his may be another form",
    "animal": "there are animals",
    "pronouns": "no name and no noun changes",
    "names left": "another name may be a first name",
    "nouns left": "a gendered noun stays",
    "antecedent": "he or she may be somebody whose name stays",
    "capitals": "many words have a capital",
    "verb": "there is no sentence",
    "marks": "there are quotation marks or colons",
    "words": "the text is long",
    "unknown": "many words are unknown",
    "changes": "many words change",
}
"""The inputs beside the signs, and how `explain` says that one lowers the probability."""
PERTURBED = frozenset(["gender", "race", "age"])
"""Methods whose texts are always read: there it helps."""
_READ = ("name", "alone", "followed", "noun", "names left", "nouns left", "antecedent")
"""Those for which the text is read."""


def inputs_of(change: Change, *, is_read: bool = False) -> dict[str, float]:
    """What counts of a change, by the names of `DOUBTS`. Unless `is_read`, what the reader says is 0 where no name
    changes and every *her* and *his* is clear: such texts are not read, to save time."""
    doc, names, pronouns = change.doc, change.names, change.pronouns
    changed = {*names, *change.nouns, *pronouns}
    lower = lowers(doc)
    near = _near(doc, changed)
    tokens = [doc[at] for at in near]
    words, written = [token.text for token in tokens if token.is_alpha], {lower[at] for at in near}
    unclear = [at for at in pronouns if len(forms_of(lower[at])) > 1]
    form = _most(_surprise(max(forms.probabilities(doc, at).values())) for at in unclear)
    is_read = is_read or bool(names) or form > _surprise(forms.CERTAIN)
    listed = change.lexicon.names
    return {
        **(_of_reading(change, changed, near, lower) if is_read else dict.fromkeys(_READ, 0.0)),
        "form": form,
        "surname": _most(listed.is_surname(doc[at].text) for at in names),
        "unlisted": _most(lower[at] not in listed.entries for at in names),
        "animal": float(bool(pronouns) and not _ANIMALS.isdisjoint(written)),
        "pronouns": float(not names and not change.nouns),
        "capitals": sum(word[0].isupper() for word in words) / max(1, len(words)),
        "verb": float(not any(token.tag_ in FINITE_VERBS for token in tokens)),
        "marks": float(not _MARKS.isdisjoint(written)),
        "words": log1p(len(near)),
        "unknown": sum(not is_word(word.lower()) for word in words) / max(1, len(words)),
        "changes": log1p(len(changed)),
        **dict.fromkeys(change.signs, 1.0),
    }


def _near(doc: Doc, changed: Collection[int]) -> Sequence[int]:
    """The places that count: of a chunk of a corpus, those around its changes."""
    places = {at for place in changed for at in range(max(0, place - _FAR), min(len(doc), place + _FAR + 1))}
    return sorted(places) or range(len(doc))


def _of_reading(
    change: Change, changed: Collection[int], near: Sequence[int], lower: Sequence[str]
) -> dict[str, float]:
    """The inputs for which the text is read."""
    doc, names, pronouns = change.doc, change.names, change.pronouns
    reading = reader.read(doc)
    somebody = reading.kinds[:, _SOMEBODY].sum(axis=1).tolist()
    left = [at for at in near if at not in changed]
    capitals = [at for at in left if doc[at].text[:1].isupper()]
    first_names = likelihoods(doc, [*names, *capitals])
    gendered = change.lexicon.nouns
    genders = change.genders or frozenset(Gender)
    nouns = [at for at in left if gendered.gender(lower[at]) in genders]
    nominals = [at for at in left if not forms_of(lower[at])]
    links = [reading.links[at] for at in pronouns]

    def is_part(at: int) -> bool:
        return 0 <= at < len(doc) and doc[at].is_alpha and doc[at].text[:1].isupper() and somebody[at] > LIKELY

    return {
        "name": _most(_surprise(first_names[at]) for at in names),
        "alone": _most(not is_part(at - 1) and not is_part(at + 1) for at in names),
        "followed": _most(is_part(at + 1) for at in names),
        "noun": _most(_surprise(somebody[at]) for at in change.nouns),
        "names left": _most(first_names[at] for at in capitals),
        "nouns left": _most(somebody[at] for at in nouns),
        "antecedent": _most(
            sum(row[at - start] for at in nominals if 0 <= at - start < len(row) - 1) for start, row in links
        ),
    }


def _most(numbers: Iterable[float]) -> float:
    return max(map(float, numbers), default=0.0)


def _surprise(probability: float) -> float:
    return -log(max(probability, _LEAST))


@cache
def weights() -> Mapping[str, Mapping[str, tuple[float, float]]]:
    """By method and input: the weight, and the value that neither raises nor lowers the probability."""
    table: dict[str, dict[str, tuple[float, float]]] = {}
    with refusing_damage(WEIGHTS):
        for row in read_table(WEIGHTS, ("method", "input", "weight", "middle")):
            method, name, weight, middle = row.cells
            table.setdefault(method, {})[name] = (float(weight), float(middle))
    return table


def sure_of(change: Change, method: str) -> Sure:
    """How sure a change is."""
    inputs = {"always": 1.0, **inputs_of(change, is_read=method in PERTURBED)}
    parts = {name: weight * (inputs.get(name, 0.0) - middle) for name, (weight, middle) in weights()[method].items()}
    total = sum(parts.values())
    present = [name for name in parts if name != "always" and inputs.get(name)]
    doubt = min(present, key=parts.__getitem__, default="words")
    kind = "name" if change.names else "noun" if change.nouns else "pronoun" if change.pronouns else "word"
    return Sure(round(1 / (1 + exp(-total)), 3), DOUBTS.get(doubt, doubt), kind)
