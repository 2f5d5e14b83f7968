"""FM-CDA (Lund et al. 2023, §3.1): swap feminine and masculine pronouns, nouns and first names, both ways.

She told her brother that Michael is an actor .
He  told his sister  that Kristyn is an actress .
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from gec_fair.augmentation.planning.referents import ALL_PERSONS, NonPersons
from gec_fair.augmentation.planning.swap import (
    ArticleChange,
    Change,
    NameChange,
    NounChange,
    PronounChange,
    Swap,
    recased,
)
from gec_fair.corpus.outcome import Discarded
from gec_fair.english import persons
from gec_fair.english.first_names import first_names
from gec_fair.english.labels import COMMON_NOUNS, PROPER_NOUNS
from gec_fair.english.letters import like_name
from gec_fair.english.lexicons.lexicon import Lexicon, NounMatch, Reading
from gec_fair.english.lexicons.word_lists import ordered_words, word_list
from gec_fair.english.paradigms import Gender, forms_of
from gec_fair.english.persons import Kind
from gec_fair.english.pronouns import form_of, is_half
from gec_fair.english.thing_names import thing_names
from gec_fair.english.unlisted_names import unlisted_names

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

DIRECTIONS: Mapping[str, Gender | None] = {"both": None, "m2f": Gender.MASCULINE, "f2m": Gender.FEMININE}
NAMES = ("fixed", "draw", "keep")
UNLIKELY = 0.05
"""A capitalised noun (*Earl Grey tea, the Sir Hotel*) that the reader takes for a person with less probability is part
of the name of something else."""
_ARTICLES = word_list("indefinite_articles")
_EITHER = word_list("coordinators_with_nor")
_ACRONYMS = word_list("nouns_that_are_acronyms_too")
_IN_TITLES = frozenset(["person", "kinship", "relationship", "fantasy"])
_BEFORE_A_PERSON = word_list("capitals_before_a_person")
_BEFORE_A_NOUN = ("DT", "JJ", "NN", "PRP", "CD", "POS", "VB", "WP", "PDT", "WDT", "RB", "UH", "FW")
_FINITE = ("VBZ", "VBD", "VBP", "MD")
_SHORT = 3
"""Letters of *of* and *and*, which have no capital in a headline either."""
_ELEVEN = re.compile(r"1[18](\d{3})*(?!\d)")
_VOWELS = "aeiou"
# spelling and sound disagree; only words that the noun lexicon can bring into this place matter
_CONSONANT_SOUND = ordered_words("consonant_sound_beginnings")
_VOWEL_SOUND = ordered_words("vowel_sound_beginnings")


@dataclass(frozen=True, slots=True)
class Namer:
    """How first names are swapped: `fixed` by the lexicon, `draw` anew for each text, or `keep`."""

    lexicon: Lexicon
    mode: str = "fixed"
    seed: int = 0

    def mapping(self, names: Mapping[str, Gender | None], text_id: str) -> dict[str, str]:
        """Counterparts of the names of one text, in their own case; one name maps alike throughout the text. A name
        that the lexicon does not list needs its gender, and gets one of its initial that the text does not have."""
        if self.mode == "keep":
            return {}
        listed = [name for name in names if name.lower() in self.lexicon.names.entries]
        mapping = self._fixed(listed) if self.mode == "fixed" else self._drawn(listed, f"{self.seed}:{text_id}")
        used = {name.lower() for name in (*names, *mapping.values())}
        for name, gender in names.items():
            if gender is None or name in mapping or name in listed:
                continue
            chance = Random(name.lower() if self.mode == "fixed" else f"{self.seed}:{text_id}:{name.lower()}")
            new = self.lexicon.names.draw_for(name, gender, chance, used=used)
            if new is not None:
                mapping[name] = new
                used.add(new.lower())
        return mapping

    def _fixed(self, names: Sequence[str]) -> dict[str, str]:
        counterparts = {name: self.lexicon.names.counterpart(name, proper=True) for name in names}
        return {name: new for name, new in counterparts.items() if new is not None}

    def _drawn(self, names: Sequence[str], seed: str) -> dict[str, str]:
        chance = Random(seed)
        used = {name.lower() for name in names}
        drawn: dict[str, str] = {}
        for name in dict.fromkeys(name.lower() for name in names):
            new = self.lexicon.names.draw(name.title(), chance, proper=True, used=used)
            if new is not None:
                drawn[name] = new
                used.add(new.lower())
        return {name: like_name(name, drawn[name.lower()]) for name in names if name.lower() in drawn}


def plan(
    doc: Doc,
    lexicon: Lexicon,
    namer: Namer,
    *,
    text_id: str = "",
    direction: Gender | None = None,
    non_persons: NonPersons = ALL_PERSONS,
) -> list[Swap] | Discarded:
    """The swaps for one text; `direction` is the gender that is swapped away, None for both. `not_a_person` where all
    that would be swapped belongs to `non_persons`."""
    planned = swaps(doc, lexicon, namer, text_id=text_id, direction=direction)
    remaining = [swap for swap in planned if swap.start not in non_persons.places]
    return remaining if remaining or not planned else Discarded("not_a_person", non_persons.word)


def swaps(
    doc: Doc, lexicon: Lexicon, namer: Namer, *, text_id: str = "", direction: Gender | None = None
) -> list[Swap]:
    """The swaps for one text, whoever its words belong to."""
    words = [token.text for token in doc]
    matches = _nouns(doc, words, lexicon)
    inside = {at for match in matches for at in range(match.start, match.end)}
    planned = [
        swap
        for at, word in enumerate(words)
        if forms_of(word.lower())
        and not _is_half_of_a_pair(words, at)
        and not is_half(words, at)
        and not _is_in_a_work(words, at, lexicon)
        for swap in _pronoun(doc[at], direction)
    ]
    for match in matches:
        if direction in (None, match.gender):
            planned += _noun_swaps(doc, match)
    if namer.mode != "keep":
        names = {token: lexicon.names.gender(token.text) for token in first_names(doc, lexicon, skip=inside)}
        names |= unlisted_names(doc, lexicon, skip=inside)
        swapped = {token: gender for token, gender in names.items() if direction in (None, gender)}
        planned += _name_swaps(swapped, namer, text_id)
    return sorted(planned, key=lambda s: s.start)


def _is_half_of_a_pair(words: Sequence[str], at: int) -> bool:
    """*him- or herself*: the first half is no word that can be swapped, so both stay."""
    return at > 1 and words[at - 2].endswith("-") and bool(forms_of(words[at - 2][:-1].lower()))


def _nouns(doc: Doc, words: list[str], lexicon: Lexicon) -> list[NounMatch]:
    """The gendered nouns of a text, in order, as far as they stand for somebody."""
    matches: list[NounMatch] = []
    impersonal = thing_names(doc, lexicon)
    at = 0
    while at < len(words):
        match = _noun(doc, words, at, lexicon)
        if match is not None and not (match.start in impersonal and match.end - 1 in impersonal):
            matches.append(match)
        at = match.end if match is not None else at + 1
    named = [match.end - 1 for match in matches if words[match.end - 1][:1].isupper()]
    likely = persons.probabilities(doc, named, Kind.PERSON, Kind.FIRST_NAME, Kind.SURNAME) or {}
    return [match for match in matches if likely.get(match.end - 1, 1.0) >= UNLIKELY]


def _pronoun(token: Token, direction: Gender | None) -> list[Swap]:
    form = form_of(token)
    assert form is not None
    change = PronounChange(form, only=direction)
    new = change.realise(token.text)
    if new is None or (new == token.text and direction is not None):
        return []
    return [Swap(token.i, token.i + 1, (new,), change)]


def _noun(doc: Doc, words: list[str], at: int, lexicon: Lexicon) -> NounMatch | None:
    lower = words[at].lower()
    if not lexicon.nouns.may_start(lower) or forms_of(lower):
        return None
    before_name = at + 1 < len(doc) and doc[at + 1].tag_ in PROPER_NOUNS
    match = lexicon.nouns.swap_noun(words, at, before_name=before_name)
    if match is None or _is_surname(doc, words, match, lexicon) or _is_abbreviation(words, at):
        return None
    if _is_glued_to_counterpart(words, match):
        return None
    if match.term.words == ("man",) and _is_mankind(doc, words, at):
        return None
    if is_half(words, match.end - 1) or (match.kind in _IN_TITLES and _is_in_a_work(words, match.start, lexicon)):
        return None
    if _beside_counterpart(words, match):
        return match if _leads_back(match, lexicon) else None
    return match if any(_reads_as(doc, match, reading) for reading in match.readings) else None


def _is_surname(doc: Doc, words: list[str], match: NounMatch, lexicon: Lexicon) -> bool:
    """*Stephen King, Morgan A. Abbot*: a capitalised noun right behind a first name or an initial; but *Mary Queen of
    Scots* and *Prince/first name King*."""
    word = words[match.start]
    if match.end - match.start > 1 or not match.start or not word[:1].isupper() or match.plural:
        return False
    before, after = doc[match.start - 1], words[match.end] if match.end < len(words) else ""
    if after.lower() == "of" or word.isupper() != before.text.isupper():
        return False
    is_initial = len(before.text.rstrip(".")) == 1 and before.text[:1].isupper() and before.text not in ("I", "A")
    return is_initial or (
        before.text[:1].isupper() and lexicon.names.is_name(before.text, proper=before.tag_ in PROPER_NOUNS)
    )


def _is_mankind(doc: Doc, words: list[str], at: int) -> bool:
    """*Man has evolved, the worst things man will do*: a bare noun before its verb. With *his* in the text both words
    change."""
    before = doc[at - 1] if at else None
    is_bare = before is None or not (before.tag_.startswith(_BEFORE_A_NOUN) or before.text[:1].isupper())
    is_bare = is_bare or (before is not None and before.tag_ == "NNS" and doc[at].tag_ == "NN")
    is_subject = at + 1 < len(doc) and doc[at + 1].tag_ in _FINITE
    return is_bare and is_subject and not any(forms_of(word.lower()) for word in words)


def _is_in_a_work(words: list[str], at: int, lexicon: Lexicon) -> bool:
    """*the play Three Men on a Horse, the magazine Her World*: a capital within a sentence, beside another one that is
    nobody's name. A headline has capitals everywhere."""
    if not words[at].istitle() or _begins(words, at):
        return False
    before, after = words[at - 1], words[at + 1] if at + 1 < len(words) else ""
    is_title = _is_title_word(before, _begins(words, at - 1)) or _is_title_word(after, is_first=False)
    if not is_title or any(lexicon.names.is_name(word, proper=True) for word in (before, after) if word[:1].isupper()):
        return False
    return any(word.islower() and len(word) > _SHORT for word in words)


def _is_title_word(word: str, is_first: bool) -> bool:
    return word.istitle() and len(word) > 1 and not is_first and word.lower() not in _BEFORE_A_PERSON


def _begins(words: list[str], at: int) -> bool:
    return at == 0 or (not words[at - 1][-1:].isalnum() and words[at - 1] not in (",", "-", "'s", "’s"))


def _is_abbreviation(words: list[str], at: int) -> bool:
    """*BF or Battle Field*: a noun in capitals that means something else, in a text that is not all in capitals."""
    return words[at] in _ACRONYMS and any(word.islower() and len(word) > 1 for word in words)


def _beside_counterpart(words: list[str], match: NounMatch) -> bool:
    """*sons and daughters, the bridesmaid or groomsman*: two words that are each other's counterparts are nouns,
    whatever the tagger says of one of them; swapping only the other would say the same person twice."""
    window = [w.lower() for w in (*words[max(0, match.start - 3) : match.start], *words[match.end : match.end + 3])]
    is_in_window = len(match.replacement) == 1 and match.replacement[0] in window
    return is_in_window and not _EITHER.isdisjoint(window)


def _is_glued_to_counterpart(words: list[str], match: NounMatch) -> bool:
    """*Dear Sir/ Madam, Sir /Madam*: the other half has a slash, and is no word of the lexicon."""
    before = words[match.start - 1].lower() if match.start else ""
    after = words[match.end].lower() if match.end < len(words) else ""
    return (*before.rstrip("/").split(), before[-1:]) == (*match.replacement, "/") or (
        after[:1],
        *after.lstrip("/").split(),
    ) == ("/", *match.replacement)


def _leads_back(match: NounMatch, lexicon: Lexicon) -> bool:
    """Whether the counterpart is swapped too. *Gods and goddesses* would become *gods and gods*, and stays."""
    back = lexicon.nouns.terms.get(match.replacement)
    return back is not None and lexicon.nouns.terms.get(back.replacement) is not None


def _reads_as(doc: Doc, match: NounMatch, reading: Reading) -> bool:
    """Whether the tagger gives the matched words the reading in which they are gendered."""
    token = doc[match.end - 1]
    if reading is Reading.ANY:
        return True
    if reading is Reading.NOUN:
        return not token.tag_.startswith(("VB", "RB", "MD"))  # rare nouns (*heir*) are tagged JJ at times
    if reading is Reading.COMMON:
        return token.tag_ in COMMON_NOUNS
    if reading is Reading.ADJECTIVE:
        return token.tag_.startswith("JJ")
    is_verb = token.text.islower() and token.tag_.startswith("VB")  # I miss London
    return not is_verb and match.end < len(doc) and doc[match.end].tag_ in PROPER_NOUNS  # before a name


def _noun_swaps(doc: Doc, match: NounMatch) -> Iterator[Swap]:
    old = tuple(t.text for t in doc[match.start : match.end])
    new = recased(old, match.replacement)
    first, last = _differing(old, new)
    change: Change = NounChange(match.term.words[first:last], match.replacement[first : last + len(new) - len(old)])
    yield Swap(match.start + first, match.start + last, new[first : last + len(new) - len(old)], change)
    if match.start and doc[match.start - 1].lower_ in _ARTICLES:
        written = doc[match.start - 1].lower_
        if article(old[0]) == written != article(new[0]):
            change = ArticleChange()
            yield Swap(match.start - 1, match.start, (change.realise(doc[match.start - 1].text) or "",), change)


def _differing(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """The words of a term that change: *mother* in *mother - in - law*. A correction of its hyphens is then no matter.

    Half-open, in `old`; a term whose number of words changes is taken whole.
    """
    if len(old) != len(new):
        return 0, len(old)
    places = [i for i, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]
    return (places[0], places[-1] + 1) if places else (0, len(old))


def article(word: str) -> str:
    """*a* or *an* before the word, or a number: *an 8-year-old, an 11th, an 18 - wheeler*."""
    lower = word.lower()
    if lower[:1].isdigit():
        return "an" if lower[0] == "8" or _ELEVEN.match(lower) else "a"
    if lower.startswith(_VOWEL_SOUND):
        return "an"
    return "an" if lower[:1] in _VOWELS and not lower.startswith(_CONSONANT_SOUND) else "a"


def _name_swaps(names: Mapping[Token, Gender | None], namer: Namer, text_id: str) -> Iterator[Swap]:
    mapping = namer.mapping({token.text: gender for token, gender in names.items()}, text_id)
    for token in names:
        if token.text in mapping:
            yield Swap(token.i, token.i + 1, (mapping[token.text],), NameChange(token.text, mapping))
