"""Signs that a rewriting would leave a person half rewritten, or say what nobody of the new gender or age does. It is
then not made.

    men met a guy , and he left     guy → women       *he* stays
    fathers are many ; a father …   fathers → parents
    the men and their masculinity   men → women
    children, the little ones       children → seniors
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from gec_fair.edits import Edit
from gec_fair.english import persons
from gec_fair.english.labels import NOUNS, POSSESSIVES, PROPER_NOUNS
from gec_fair.english.lexicons.word_lists import ordered_words, word_list
from gec_fair.english.persons import Kind
from gec_fair.english.thing_names import is_word
from gec_fair.perturber.rewriting.sampling import Choice
from gec_fair.perturber.words.axes import AGE
from gec_fair.perturber.words.lexicon import is_of_a_race
from gec_fair.perturber.words.names import without_accents
from gec_fair.perturber.words.parsed_text import ParsedText
from gec_fair.perturber.words.perturbable import PerturbableWord

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

    from gec_fair.perturber.words.lexicon import Demographics

_BODILY = word_list("bound_to_a_gender")
_TITLES = word_list("titles_of_one_gender_alone")
_AGES = word_list("says_another_age")
_STAGES = word_list("stages_of_life")
_OF_CHILDREN = word_list("bound_to_childhood")
_OF_ADULTS = word_list("bound_to_adulthood")
_PARENTS = word_list("parents_of_children")
_BABIES = word_list("babies_and_toddlers")
_SCHOOL = frozenset(["school", "schools"])
_PLURAL = frozenset(["NNS", "NNPS"])
_SUBJECTS = ("nsubj", "nsubj:pass")
_JOINING = frozenset(["and", "or", "/", "&"])
_COMPARED = word_list("compared_ages")
_SHORTEST_PART = 4
"""Letters of a name that is looked for within other words."""
_HAVING_CHILDREN = word_list("verbs_of_having_children")
_MONTHS_AND_WEEKS = word_list("units_shorter_than_a_year")
_BORN = word_list("before_another_name")
_COUNTRIES = ordered_words("peoples_and_countries")
_COUNTRY_OF = dict(zip(_COUNTRIES[::2], _COUNTRIES[1::2], strict=True))
_SHARED = 4
"""Letters that other peoples share with their country: *Swedish, Sweden*."""
_SHORT = 120
"""Words of a text that counts as about the same people throughout."""
_NEAR = 40
"""Words before a pronoun in which its person is looked for."""
_LIKELY = 0.5
_ENDS = frozenset([".", "!", "?", ";", "\n"])


def is_half(text: ParsedText, attribute: str, changed: Sequence[Edit]) -> bool:
    """Whether words of the gender `attribute` that `changed` leaves alone are likely of the same people."""
    edited = {i for edit in changed for i in range(edit.start, edit.end)}
    words = [word for word in text.gendered if word.attribute == attribute]
    return (
        _leaves_a_pronoun(text.doc, words, edited)
        or _leaves_the_next_subject(text.doc, words, edited)
        or _renames_a_surname(text.doc, words, edited)
        or _leaves_its_person(text, words, edited)
        or _leaves_a_noun(text.doc, words, edited)
        or _leaves_a_title(text.doc, edited)
        or _changes_two_names(text.doc, words, edited)
        or _is_bodily(text.doc, edited)
    )


def is_of_another_age(text: ParsedText, choice: Choice, changed: Sequence[Edit]) -> bool:
    """Whether the text says another age of the same people, or sets one against theirs (*children … the little ones,
    the oldest*), or says what nobody of the old or new age does (*when she was born, his widow*)."""
    doc = text.doc
    edited = frozenset(i for edit in changed for i in range(edit.start, edit.end))
    near = {token.lower_ for i in edited for token in _sentence(doc, i)}
    around = {token.lower_ for token in doc} if len(doc) <= _SHORT else near
    if _says_another_age(doc, edited) or _leaves_an_age(text, edited) or _is_in_a_compound(doc, choice, edited):
        return True
    terms = {doc[i].lower_ for i in edited if choice.word.kind == "term"}
    if any(token.i not in edited and token.lower_ in terms for token in doc if token.tag_ in NOUNS):
        return True
    if any(child.lower_ in _COMPARED for i in edited for child in doc[i].children if child.i not in edited):
        return True
    if choice.word.kind == "age" and "born" in around:
        return True
    if choice.target == "child":
        return not near.isdisjoint(_OF_ADULTS)
    if choice.word.attribute != "child":
        return False
    if any(doc[i].dep_ == "obj" and doc[i].head.lemma_ in _HAVING_CHILDREN for i in edited):
        return True
    words = {doc[i].lower_ for i in edited}
    is_little = not words.isdisjoint(_BABIES) or choice.target not in ("young", "adult")
    is_at_school = any(not _SCHOOL.isdisjoint(token.lower_ for token in doc[max(0, i - 1) : i + 3]) for i in edited)
    return is_at_school or not near.isdisjoint(_OF_CHILDREN) or (is_little and not around.isdisjoint(_PARENTS))


def is_of_another_people(text: ParsedText, choice: Choice, changed: Sequence[Edit], tables: Demographics) -> bool:
    """Whether the text says the old race or ethnicity of the same people elsewhere (*Polish activists … a Polish
    consciousness; the Scotsman Billy Connolly*), or gives them another name (*Carl Laemmle, born Karl Lämmle*)."""
    doc = text.doc
    edited = frozenset(i for edit in changed for i in range(edit.start, edit.end))
    alike = [word for word in text.words if word.axis == choice.word.axis and word.attribute == choice.word.attribute]
    near = {token.i for i in edited for token in _sentence(doc, i)}
    if choice.word.kind == "term":
        words = {doc[i].lower_.removesuffix("s") for i in edited if doc[i].is_alpha}
        names = (doc[i] for i in text.chains.chain_of(choice.word) - edited if doc[i].tag_ in PROPER_NOUNS)
        is_said_again = any(
            token.lower_.removesuffix("s") in words or (token.i in near and _is_the_country(token, words))
            for token in doc
            if token.i not in edited
        )
        is_colour = choice.word.term is not None and is_of_a_race(choice.word.term)  # a black man in a black coat
        return (is_said_again and not is_colour) or any(
            (origin := tables.surnames.get(without_accents(name.lower_))) is not None
            and origin.attribute == choice.word.attribute
            for name in names
        )
    if any(word.kind == "term" and word.start not in edited and word.start in near for word in alike):
        return True
    return any(i and doc[i - 1].lower_ in _BORN for i in edited)


def _is_the_country(token: Token, peoples: Collection[str]) -> bool:
    """*Sweden* of the Swedish, *Poland* of the Polish; not *Police*."""
    name = token.lower_
    return token.tag_ in PROPER_NOUNS and any(
        _COUNTRY_OF.get(people) == name
        or (len(people) > _SHARED and name[:_SHARED] == people[:_SHARED] and not is_word(name))
        for people in peoples
    )


def repeats_a_word(doc: Doc, changed: Sequence[Edit]) -> bool:
    """Whether *and* or *or* would join a new word to the same word: *women and girls → women and women*."""
    new = {i: edit.replacement[-1].lower() for edit in changed if edit.replacement for i in range(edit.start, edit.end)}
    return any(
        token.lower_ in _JOINING
        and 0 < token.i < len(doc) - 1
        and not new.keys().isdisjoint((token.i - 1, token.i + 1))
        and new.get(token.i - 1, doc[token.i - 1].lower_) == new.get(token.i + 1, doc[token.i + 1].lower_)
        for token in doc
    )


def is_in_another_word(doc: Doc, changed: Sequence[Edit]) -> bool:
    """Whether a name that changes is also part of an address or of a compound, which stays: *AboutSantos.com,
    iNick*."""
    edited = {i for edit in changed for i in range(edit.start, edit.end)}
    names = [doc[i] for i in edited if doc[i].tag_ in PROPER_NOUNS and len(doc[i]) >= _SHORTEST_PART]
    left = [token for token in doc if token.i not in edited and len(token) > _SHORTEST_PART]
    return any(
        name.text in token.text or (not token.is_alpha and name.lower_ in token.lower_)
        for token in left
        if not (token.is_lower and token.is_alpha) and not token.is_title
        for name in names
    )


def _is_in_a_compound(doc: Doc, choice: Choice, edited: Collection[int]) -> bool:
    """*Ring girls, a country girl, the Wesley boys*: a trade, a kind or a family."""
    noun = doc[choice.word.end - 1]
    parts = (child for child in noun.children if child.dep_ == "compound" and child.i not in edited)
    return choice.word.kind == "term" and any(part.tag_ in NOUNS for part in parts)


def _says_another_age(doc: Doc, edited: Collection[int]) -> bool:
    """A word for an age anywhere, in one or two tokens, which stays; or what somebody was (*as a teenager*)."""
    for token in doc:
        two = f"{token.lower_} {token.nbor().lower_}" if token.i + 1 < len(doc) else ""
        was = token.i > 1 and token.nbor(-2).lower_ == "as" and token.lower_ in _STAGES
        if token.i not in edited and (
            token.lower_ in _AGES or (two in _AGES and token.i + 1 not in edited) or was or _is_an_age_in_months(token)
        ):
            return True
    return False


def _is_an_age_in_months(token: Token) -> bool:
    """*four months old, at the age of six weeks*"""
    if token.lower_ not in _MONTHS_AND_WEEKS or token.i < 1 or token.nbor(-1).tag_ != "CD":
        return False
    before = [word.lower_ for word in token.doc[max(0, token.i - 3) : token.i - 1]]
    is_old = token.i + 1 < len(token.doc) and token.nbor().lower_ == "old"
    return is_old or before == ["age", "of"]


def _leaves_an_age(text: ParsedText, edited: frozenset[int]) -> bool:
    """Words for an age of several people, or of one that may be the same; and numbers of nobody near (*at age 17*; not
    *the driver, 52, … a 17-year-old*)."""
    doc = text.doc
    left = [word for word in text.words if word.axis == AGE and word.start not in edited]
    lemmas = {doc[word.end - 1].lemma_.lower() for word in text.words if word.axis == AGE and word.start in edited}
    return any(
        (
            word.kind == "term"
            and (
                _is_plural(doc, word)
                or doc[word.end - 1].lemma_.lower() in lemmas
                or not edited.isdisjoint(text.chains.chain_of(word))
            )
        )
        or (word.kind == "age" and not _is_apposed(doc, word))
        for word in left
    )


def _is_plural(doc: Doc, word: PerturbableWord) -> bool:
    last = doc[word.end - 1]
    return last.tag_ in _PLURAL or (last.dep_ == "amod" and last.head.tag_ in _PLURAL)


def _is_apposed(doc: Doc, age: PerturbableWord) -> bool:
    before = doc[age.start - 1].text if age.start else ""
    after = doc[age.end].text if age.end < len(doc) else ""
    return before in (",", "(") or after == "-" or "-" in doc[age.start].text


def _leaves_a_pronoun(doc: Doc, words: Sequence[PerturbableWord], edited: Collection[int]) -> bool:
    """*her* stays, and the woman that was named last before it has changed."""
    people: list[Token] = []
    for word in words:
        token = doc[word.end - 1]
        if word.kind != "pronoun":
            people += [token] if _is_one(token) else []
        elif word.start not in edited:
            near = (one for one in reversed(people) if token.i - one.i < _NEAR and not _are_apart(one, token))
            if (last := next(near, None)) is not None and last.i in edited:
                return True
    return False


def _is_one(noun: Token) -> bool:
    """*A lady, one of the ladies*"""
    if noun.tag_ not in _PLURAL:
        return True
    before = [token.lower_ for token in noun.doc[max(0, noun.i - 5) : noun.i]]
    return ("one", "of") in pairwise(before)


def _leaves_the_next_subject(doc: Doc, words: Sequence[PerturbableWord], edited: Collection[int]) -> bool:
    """*He was the son of Edwin Marlow. His mother …*: a pronoun at the beginning of a sentence is likely of the
    subject before it."""
    for word in words:
        token = doc[word.start]
        if word.kind == "pronoun" and word.start not in edited and token.is_sent_start and token.i:
            last = doc[token.i - 1].sent
            if any(child.i in edited for child in last.root.children if child.dep_ in _SUBJECTS):
                return True
    return False


def _renames_a_surname(doc: Doc, words: Sequence[PerturbableWord], edited: Collection[int]) -> bool:
    """*Clinton had signed a treaty*: whether a word that may be a first name is more likely a surname."""
    if any(word.kind == "pronoun" and word.start in edited for word in words):
        return False
    names = [doc[word.start] for word in words if word.kind == "name" and word.start in edited]
    alone = [token.i for token in names if sum(one.tag_ in PROPER_NOUNS for one in _with_neighbours(token)) < 2]
    surname = persons.probabilities(doc, alone, Kind.SURNAME) or {}
    first = persons.probabilities(doc, alone, Kind.FIRST_NAME) or {}
    return any(surname.get(i, 0.0) >= _LIKELY > first[i] for i in alone if i in first)


def _with_neighbours(token: Token) -> Span:
    return token.doc[max(0, token.i - 1) : token.i + 2]


def _are_apart(person: Token, pronoun: Token) -> bool:
    """*Bob laughed at him*: nobody is both subject and object of a verb."""
    return pronoun.dep_ not in POSSESSIVES and (person.head == pronoun.head or person.head == pronoun.head.head)


def _leaves_its_person(text: ParsedText, words: Sequence[PerturbableWord], edited: Collection[int]) -> bool:
    """Pronouns alone change, and a person that may be theirs does not: *Emme went on. She lost.*"""
    changed = [word for word in words if word.start in edited]
    if not changed or any(word.kind != "pronoun" for word in changed):
        return False
    doc, first = text.doc, changed[0].start
    away = {word.start for word in text.gendered} - {word.start for word in words}
    before = [token for token in doc[max(0, first - _NEAR) : first] if token.i not in away]
    names = [token.i for token in before if token.tag_ in PROPER_NOUNS]
    likely = persons.probabilities(doc, names, Kind.FIRST_NAME) or {}
    listed = text.finder.demographics.origins
    nouns = {word.start for word in words if word.kind != "pronoun" and _is_one(doc[word.end - 1])}
    return any(
        token.i in nouns
        or likely.get(token.i, 0.0) >= _LIKELY
        or (token.i in likely and without_accents(token.lower_) in listed)
        for token in before
    )


def _leaves_a_noun(doc: Doc, words: Sequence[PerturbableWord], edited: Collection[int]) -> bool:
    """*an Australian woman … an Australian woman, fathers … a father*: the noun stands elsewhere as it was, and nothing
    tells the two apart (*the tall man met the short man*)."""
    nouns = [doc[word.end - 1] for word in words if word.kind == "noun"]
    changed = [noun for noun in nouns if noun.i in edited]
    left = [noun for noun in nouns if noun.i not in edited]
    return any(
        one.lemma_.lower() == second.lemma_.lower() and not _are_told_apart(one, second)
        for one in changed
        for second in left
    )


def _are_told_apart(one: Token, second: Token) -> bool:
    if (one.tag_ in _PLURAL) != (second.tag_ in _PLURAL):
        return False
    names = any(token.tag_ in PROPER_NOUNS for token in (one, second))
    return names or one.head == second.head or _qualities(one) != _qualities(second)


def _qualities(noun: Token) -> set[str]:
    return {child.lower_ for child in noun.children if child.dep_ in {"amod", "compound", "nummod"} | POSSESSIVES}


def _leaves_a_title(doc: Doc, edited: Collection[int]) -> bool:
    """*Sheikh Hassan*"""
    return any(i and i - 1 not in edited and doc[i - 1].lower_ in _TITLES for i in edited)


def _changes_two_names(doc: Doc, words: Sequence[PerturbableWord], edited: Collection[int]) -> bool:
    """*Tom Noonan, known as Sammy Barnathan*: one person has one surname."""
    firsts = [word.end for word in words if word.kind == "name" and word.start in edited]
    lasts = {doc[end].text for end in firsts if end < len(doc) and doc[end].tag_ in PROPER_NOUNS and end not in edited}
    return len(lasts) > 1


def _is_bodily(doc: Doc, edited: Collection[int]) -> bool:
    """A word of the same sentence that only one gender is spoken of with."""
    return any(not _BODILY.isdisjoint(token.lower_ for token in _sentence(doc, i)) for i in edited)


def _sentence(doc: Doc, at: int) -> list[Token]:
    first = next((i + 1 for i in range(at - 1, -1, -1) if doc[i].text in _ENDS), 0)
    last = next((i for i in range(at, len(doc)) if doc[i].text in _ENDS), len(doc))
    return list(doc[first:last])
