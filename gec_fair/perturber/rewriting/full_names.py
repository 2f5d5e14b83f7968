"""Whole names of another race or ethnicity: a person's first names, and a surname that would give the old one away.

Gunther Uecker, who paints ; Uecker …      hispanic   Pedro Chavez, who paints ; Chavez …
Jim Smith                                  black      Antwan Smith
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gec_fair.edits import Edit
from gec_fair.english.inflect import is_word
from gec_fair.english.labels import NOUNS, PLURAL_NOUNS, PROPER_NOUNS
from gec_fair.english.letters import like_name
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.paradigms import Gender
from gec_fair.people.links.lexical import PARTICLES, TITLES
from gec_fair.people.people import people_in
from gec_fair.people.terms.lexicon import Demographics, PerturbableWord
from gec_fair.people.terms.names import without_accents
from gec_fair.perturber.rewriting.sampling import Choice, pick
from gec_fair.perturber.rewriting.surface import lower_words

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_SHARED = frozenset(["white", "black"])
"""Americans whose surnames are much the same."""
_RARE = 4
"""Letters of a name that cannot be another word. Chosen by hand: *Allred*, not *Ngo*."""
_SUFFIXES = word_list("suffixes_of_names")
_NAME_PREFIXES = word_list("prefixes_of_names")
_FIXED = _SUFFIXES | PARTICLES | TITLES.keys()
"""No parts of a name that change: *Dr. Ludwig van …*"""


@dataclass(frozen=True)
class FullNames:
    """Plans the new names of a person. `first_names`: the lexicon's, lower-case; `seed` decides which are drawn;
    `with_surnames`: whether surnames change too where two groups share most."""

    tables: Demographics
    first_names: Collection[str]
    seed: int = 0
    with_surnames: bool = False

    def rewrite(
        self,
        doc: Doc,
        names: Sequence[PerturbableWord],
        choice: Choice,
        gender: Gender | None,
        country: str = "",
    ) -> list[Edit]:
        """The names of the person that `names` are of, and wherever else the text has the surnames. `gender`: the
        person's, as far as words beside the names say it; `country`: of the people that the text says. Empty where
        nobody of the target has a listed name."""
        new: dict[str, str] = {}
        used = set(lower_words(doc))
        for mention in names:
            genders = self._genders(doc, mention, gender)
            if self._is_mixed(doc, mention, choice):
                return []
            for token, is_surname in self._parts(doc, mention, choice):
                pool = self._pool(choice.target, ("",) if is_surname else genders, country)
                free = [name for name in pool if name.lower() not in used]
                if not free:
                    return []
                name = new.setdefault(token.lower_, pick(free, f"{self.seed}:{token.lower_}:{choice.target}"))
                used.add(name.lower())
                country = country or self.tables.countries.get(name, "")
        starts = {mention.start for mention in names}
        rare = {name for name in new if len(name) >= _RARE and not is_word(name)}  # Allred, whatever its tag
        same = [
            token
            for token in doc
            if token.lower_ in new
            and (token.i in starts or _may_be_of_a_name(token) or (token.lower_ in rare and token.text.istitle()))
        ]
        if self._is_of_two(doc, same, new):
            return []
        return [Edit(token.i, token.i + 1, (_like(token.text, new[token.lower_]),)) for token in same]

    def _is_of_two(self, doc: Doc, places: Sequence[Token], new: Collection[str]) -> bool:
        """*Stoney Jackson and Michael Jackson*: a surname that changes is borne by two whose first names stay."""
        before = [token.i - 1 for token in places if token.i and doc[token.i - 1].tag_ in PROPER_NOUNS]
        first = people_in(doc).first_names_at(before)
        stay = {doc[i].lower_ for i in before if i in first or doc[i].lower_ in self.first_names}
        return len(stay.difference(_FIXED, new)) > 1

    def _genders(self, doc: Doc, mention: PerturbableWord, gender: Gender | None) -> tuple[str, ...]:
        """A name's own gender counts more than a pronoun that may be another's."""
        origin = self.tables.origins.get(without_accents(doc[mention.start].lower_))
        if origin is not None and origin.gender not in ("", "either"):
            return (origin.gender,)
        return (pick(("feminine", "masculine"), doc[mention.start].lower_) if gender is None else gender.value,)

    def _parts(self, doc: Doc, mention: PerturbableWord, choice: Choice) -> Iterator[tuple[Token, bool]]:
        """The tokens that change with a name, and whether each is a surname."""
        run = _name_around(doc, mention.start)
        end = next((token for token in reversed(run) if token.lower_ not in _SUFFIXES), run[-1])
        keeps_surname = {choice.word.attribute, choice.target} <= _SHARED and not self.with_surnames
        is_last = mention.kind == "surname" or (mention.start == end.i and len(run) > 1)
        if is_last and keeps_surname and mention != choice.word:
            return
        yield doc[mention.start], is_last
        if is_last:
            return
        parts = [token for token in run if token.i != mention.start and not self._stays(token, choice.target)]
        first = people_in(doc).first_names_at([token.i for token in parts])
        has_new_surname = end in parts and end.i > mention.start and not keeps_surname
        for token in parts:
            is_middle = has_new_surname and token.i > mention.start
            if token.i < end.i and (is_middle or token.i in first):
                yield token, False
        if has_new_surname:
            yield end, True

    def _is_mixed(self, doc: Doc, mention: PerturbableWord, choice: Choice) -> bool:
        """Whether a name says two origins (*Steven Vikas Chen*), is cut (*Han Lu-min*), or is a thing's (*A. Philip
        Randolph Academies*)."""
        run = _name_around(doc, mention.start)
        if run[-1].i + 1 < len(doc) and doc[run[-1].i + 1].text == "-" and not run[-1].whitespace_:
            return True
        if any(token.lower_ in _NAME_PREFIXES for token in run if token.i != mention.start):
            return True
        for token in run:
            known = self.tables.origin_of(token.lower_)
            attributes = {choice.word.attribute, known.attribute} if known is not None else set()
            if len(attributes) > 1 and not attributes <= _SHARED and token.i != mention.start:
                return True
            if known is None and token.i > mention.start and token.tag_ in PLURAL_NOUNS and is_word(token.lower_):
                return True
            if mention.kind == "surname" and token.i < mention.start and self._is_unlisted(token):
                return True  # Abdul Qadus Khan
        return False

    def _is_unlisted(self, token: Token) -> bool:
        """A part of a name that no table has, and no title or initial."""
        known = self.first_names, self.tables.origins, self.tables.surnames
        lower = without_accents(token.lower_)
        return not (any(lower in names for names in known) or self._stays(token, "") or is_word(token.lower_))

    def _stays(self, token: Token, target: str) -> bool:
        known = self.tables.origin_of(token.lower_)
        is_no_name = token.lower_ in _FIXED or len(token.text.rstrip(".")) < 2
        return is_no_name or (known is not None and known.attribute == target)

    def _pool(self, target: str, genders: Sequence[str], country: str) -> list[str]:
        """The target's names that may be written. Where they are of several countries, those of `country`; most of
        some countries are borne by both genders."""
        names = [name for gender in genders for name in self.tables.by_origin.get((target, gender), ())]
        countries = self.tables.countries
        if not any(name in countries for name in names):
            return names
        either = self.tables.by_origin.get((target, "either"), ()) if genders != ("",) else ()
        listed = [name for name in (*names, *(either if country else ())) if name in countries]
        return [name for name in listed if countries[name] == country] or listed


def _like(model: str, name: str) -> str:
    """*d'Ettorre → Alvarado*: a capital within a name counts as its first letter's."""
    return name if model[1:] != model[1:].lower() and not model.isupper() else like_name(model, name)


def _name_around(doc: Doc, at: int) -> list[Token]:
    """The capitalised nouns beside each other of which one is at `at`, with particles between them (*von, de la*)."""

    def is_part(token: Token) -> bool:
        return token.lower_ in PARTICLES or _may_be_of_a_name(token)

    first = last = at
    while first and is_part(doc[first - 1]):
        first -= 1
    while last + 1 < len(doc) and is_part(doc[last + 1]):
        last += 1
    names = [token.i for token in doc[first : last + 1] if token.i == at or _may_be_of_a_name(token)]
    return list(doc[names[0] : names[-1] + 1])


def _may_be_of_a_name(token: Token) -> bool:
    """Parsers take rare surnames for common nouns: *Gunther Uecker*."""
    return token.tag_ in PROPER_NOUNS or (token.tag_ in NOUNS and token.text.istitle())
