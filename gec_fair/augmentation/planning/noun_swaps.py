"""Which gendered nouns of a text are swapped, and how.

the actress and her uncle            actor, aunt
Stephen King saw The Mummy again     no noun: a surname, and a title of a work
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from gec_fair.augmentation.planning.swap import ArticleChange, Change, NounChange, Swap, match_case
from gec_fair.english.articles import article
from gec_fair.english.labels import COMMON_NOUNS, PROPER_NOUNS
from gec_fair.english.lexicons.lexicon import Lexicon
from gec_fair.english.lexicons.nouns import TITLE_ONLY, NounMatch, Reading
from gec_fair.english.lexicons.paradigms import Gender, forms_of
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.once import lowers
from gec_fair.english.pronouns import is_half
from gec_fair.people.people import people_in

if TYPE_CHECKING:
    from spacy.tokens import Doc

_ARTICLES = word_list("indefinite_articles")
_RULERS = word_list("titles_of_rulers")
_EITHER = word_list("coordinators_with_nor")
_CALLS = frozenset(["man", "boy", "guys"])
_AND = frozenset(["and", "or", "&"])
_BEHIND_A_CALL = frozenset([",", "!", ".", "?"])
_BEFORE_A_CALL = frozenset(["", ",", ".", "!", "?", '"', "``", "“"])
_BEFORE_A_NOUN = ("DT", "JJ", "NN", "PRP", "CD", "POS", "VB", "WP", "PDT", "WDT", "RB", "UH", "FW")
_PERSONIFIED = {
    gender: {key.split()[0]: [name.split() for name in names if name.split()[0] == key.split()[0]] for key in names}
    for gender, names in (
        (Gender.FEMININE, word_list("personified_as_she")),
        (Gender.MASCULINE, word_list("personified_as_he")),
    )
}
"""By gender and first word."""
_FINITE = ("VBZ", "VBD", "VBP", "MD")


def find_nouns(doc: Doc, words: list[str], lexicon: Lexicon) -> list[NounMatch]:
    """The gendered nouns of a text, in order, as far as they stand for somebody."""
    matches: list[NounMatch] = []
    at = 0
    while at < len(words):
        match = _noun(doc, words, at, lexicon)
        if match is not None:
            matches.append(match)
        at = match.end if match is not None else at + 1
    unsure = [m for m in matches if m.term.kind != "people" and m.term.readings != TITLE_ONLY]
    named = [m for m in unsure if words[m.end - 1][:1].isupper() and (m.start or doc[0].tag_ in PROPER_NOUNS)]
    people = people_in(doc).person_nouns_at([at for m in named for at in range(m.start, m.end)])
    return [m for m in matches if m not in named or not people.isdisjoint(range(m.start, m.end))]


def _noun(doc: Doc, words: list[str], at: int, lexicon: Lexicon) -> NounMatch | None:
    lower = words[at].lower()
    if not lexicon.nouns.may_start(lower) or forms_of(lower):
        return None
    before_name = at + 1 < len(doc) and doc[at + 1].tag_ in PROPER_NOUNS
    match = lexicon.nouns.swap_noun(words, at, before_name=before_name)
    if match is None or is_glued_to_counterpart(words, match):
        return None
    if match.term.words == ("man",) and _is_mankind(doc, words, at):
        return None
    if is_half(words, match.end - 1) or _is_interjection(words, match.start):
        return None
    if _beside_counterpart(words, match):
        return match if _leads_back(match, lexicon) else None
    return match if any(_reads_as(doc, match, reading) for reading in match.term.readings) else None


def _is_interjection(words: Sequence[str], at: int) -> bool:
    """*Man , it is hot ! Come on , man !*: said to anybody; not *man , woman and child*."""
    before, after = words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else ""
    is_apart = before in _BEFORE_A_CALL and after in _BEHIND_A_CALL and len(words) > 1
    around = words[max(0, at - 4) : at + 5]
    return is_apart and words[at].lower() in _CALLS and _AND.isdisjoint(word.lower() for word in around)


def _is_mankind(doc: Doc, words: list[str], at: int) -> bool:
    """*Man has evolved, the worst things man will do*: a bare noun before its verb. With *his* in the text both words
    change."""
    before = doc[at - 1] if at else None
    is_bare = before is None or not (before.tag_.startswith(_BEFORE_A_NOUN) or before.text[:1].isupper())
    is_bare = is_bare or (before is not None and before.tag_ == "NNS" and doc[at].tag_ == "NN")
    is_subject = at + 1 < len(doc) and doc[at + 1].tag_ in _FINITE
    return is_bare and is_subject and not any(forms_of(word.lower()) for word in words)


def _beside_counterpart(words: list[str], match: NounMatch) -> bool:
    """*sons and daughters, the bridesmaid or groomsman*: two words that are each other's counterparts are nouns,
    whatever the tagger says of one of them; swapping only the other would say the same person twice."""
    window = [w.lower() for w in (*words[max(0, match.start - 3) : match.start], *words[match.end : match.end + 3])]
    is_in_window = len(match.term.replacement) == 1 and match.term.replacement[0] in window
    return is_in_window and not _EITHER.isdisjoint(window)


def is_glued_to_counterpart(words: list[str], match: NounMatch) -> bool:
    """*Dear Sir/ Madam, Sir /Madam*: the other half has a slash, and is not in the lexicon."""
    before = words[match.start - 1].lower() if match.start else ""
    after = words[match.end].lower() if match.end < len(words) else ""
    return (*before.rstrip("/").split(), before[-1:]) == (*match.term.replacement, "/") or (
        after[:1],
        *after.lstrip("/").split(),
    ) == ("/", *match.term.replacement)


def _leads_back(match: NounMatch, lexicon: Lexicon) -> bool:
    """Whether the counterpart is swapped too. *Gods and goddesses* would become *gods and gods*, and stays."""
    back = lexicon.nouns.terms.get(match.term.replacement)
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


def noun_swaps(doc: Doc, match: NounMatch) -> Iterator[Swap]:
    """The swap of the noun, and of the article before it."""
    old = tuple(t.text for t in doc[match.start : match.end])
    new = match_case(old, match.term.replacement)
    first, last = _find_difference(old, new)
    change: Change = NounChange(
        match.term.words[first:last], match.term.replacement[first : last + len(new) - len(old)], match.term.plural
    )
    yield Swap(match.start + first, match.start + last, new[first : last + len(new) - len(old)], change)
    if match.start and doc[match.start - 1].lower_ in _ARTICLES:
        written = doc[match.start - 1].lower_
        if article(old[0]) == written != article(new[0]):
            change = ArticleChange()
            yield Swap(match.start - 1, match.start, (change.realise(doc[match.start - 1].text) or "",), change)


def _find_difference(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """The words of a term that change: *mother* in *mother - in - law*. A correction of its hyphens is then no matter.

    Half-open, in `old`; a term whose number of words changes is taken whole.
    """
    if len(old) != len(new):
        return 0, len(old)
    places = [i for i, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]
    return (places[0], places[-1] + 1) if places else (0, len(old))


def half_swapped(doc: Doc, edited: Collection[int], lexicon: Lexicon, *, with_names: bool = True) -> str:
    """A name of which only half would be another gender's; "" for none. `edited`: the places that get new words.

    My niece Will              a noun and the first name behind it, of which one stays
    Mother Nature … his        a name that stays, and a pronoun that may be its own
    """
    genders = {gender for at in edited for gender, _ in forms_of(doc[at].lower_)}
    lower = lowers(doc) if genders else []
    for at, word in enumerate(lower):
        for parts in (parts for gender in genders for parts in _PERSONIFIED[gender].get(word, ())):
            if lower[at : at + len(parts)] == parts and at not in edited:
                return doc[at : at + len(parts)].text
    if not with_names:
        return ""
    borders = sorted({border for at in edited for border in (at, at + 1) if 0 < border < len(doc)})
    places = [at for at in borders if (at in edited) != (at - 1 in edited) and _is_a_name_of(doc, at, lexicon)]
    names, surnames = people_in(doc).first_names_at(places), people_in(doc).surnames_at([at - 1 for at in places])
    halves = (at for at in places if at in names or doc[at - 1].lower_ in _RULERS)  # the Queen Mary: a ship or a queen
    return next((doc[at - 1 : at + 1].text for at in halves if at - 1 not in surnames), "")


def _is_a_name_of(doc: Doc, at: int, lexicon: Lexicon) -> bool:
    """Whether a listed first name of one gender stands right behind a gendered noun."""
    name, noun = doc[at], doc[at - 1]
    if not name.text.istitle() or lexicon.names.gender(name.text) is None:
        return False
    return not forms_of(noun.lower_) and lexicon.nouns.swap_noun([noun.text], 0) is not None
