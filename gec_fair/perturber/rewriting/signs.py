"""Signs that a rewriting would leave a person half rewritten, or say what is not said of the new person.

gender   men met a guy , and he left           guy → women, and *he* stays
race     Polish activists , a Polish school    activists of another people
age      children , the little ones            children → seniors
         when she was born , at seven          seven → 72
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from gec_fair.augmentation.planning.noun_swaps import half_swapped
from gec_fair.edits import Edit, edited_places
from gec_fair.english.inflect import is_word
from gec_fair.english.labels import NOUNS, PLURAL_NOUNS, POSSESSIVES, PROPER_NOUNS
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.once import texts
from gec_fair.people import reader
from gec_fair.people.animals import may_be_an_animals
from gec_fair.people.first_names import UNISEX
from gec_fair.people.reader import LIKELY, Kind
from gec_fair.people.terms.axes import AGE, GENDER, RACE, WITHOUT_A_STATE, is_unstated
from gec_fair.people.terms.lexicon import COUNTRY_OF, Demographics, PerturbableWord, is_of_a_race, is_of_a_state
from gec_fair.people.terms.names import without_accents
from gec_fair.people.terms.sentences import sentence_around
from gec_fair.perturber.rewriting.sampling import Choice
from gec_fair.perturber.words.parsed_text import ParsedText

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_BODILY = word_list("bound_to_a_gender")
_TITLES = word_list("titles_of_one_gender_alone")
_RANKS = word_list("masculine_titles") | word_list("feminine_titles") | {"earl"}
_REFLEXIVES = word_list("singular_reflexives")
_BORN = word_list("before_another_name")
_COLOURS = word_list("colours_of_people_and_things")
_AGES = word_list("says_another_age")
_STAGES = word_list("stages_of_life")
_OF_CHILDREN = word_list("bound_to_childhood")
_OF_ADULTS = word_list("bound_to_adulthood")
_OF_YOUTH = word_list("bound_to_youth")
_OF_OLD_AGE = word_list("bound_to_old_age")
_PARENTS = word_list("parents_of_children")
_BABIES = word_list("babies_and_toddlers")
_OF_A_SCHOOL = word_list("seniors_of_a_school")
_MAKES_SMALL = word_list("makes_an_age_small")
_COMPARED = word_list("compared_ages")
_HAVING_CHILDREN = word_list("verbs_of_having_children")
_MONTHS_AND_WEEKS = word_list("units_shorter_than_a_year")
_CHILDREN = frozenset(["child", "children", "kid", "kids"])
_CARERS = _PARENTS | {"women", "woman", "family", "families", "wife", "wives"}
_YOUNG = frozenset(["child", "young", "adult"])
_SUBJECTS = ("nsubj", "nsubj:pass")
_BY_THEIR_NAMES = frozenset(["asian", "hispanic"])
"""Whose names few others bear: one in the same sentence is likely of the same person."""
_NEAR = 40
"""Words before a pronoun in which its person is looked for."""
_SHORT = 120
"""Words of a text that counts as about the same people throughout."""
_SHARED = 4
"""Letters that other peoples share with their country: *Swedish, Sweden*."""
NAMED = 0.7
"""A word that is so likely a first name must change with its person."""


@dataclass(frozen=True)
class Draft:
    """A text, what is drawn of it, and the edits of the drawn word's chain."""

    text: ParsedText
    choice: Choice
    edits: Sequence[Edit]

    @cached_property
    def edited(self) -> frozenset[int]:
        """The places of the edits."""
        return edited_places(self.edits)

    @cached_property
    def left(self) -> Sequence[Token]:
        """The words that stay."""
        return [token for token in self.text.doc if token.i not in self.edited]

    @cached_property
    def alike(self) -> Sequence[PerturbableWord]:
        """The words of the old attribute, edited or not."""
        axis, attribute = self.choice.word.axis, self.choice.word.attribute
        return [word for word in self.text.words if word.axis == axis and word.attribute == attribute]

    @cached_property
    def near(self) -> Sequence[Token]:
        """The words of the sentences of the edits."""
        return [token for at in self.edited for token in sentence_around(self.text.doc, at)]


def _leaves_a_name(draft: Draft) -> bool:
    """*Adnan El Shukrijumah … her nickname*: a first name that no table has stays beside what has changed. What follows
    a first name that has changed is a middle name, an initial or a surname (*Wendy B. Davidson*)."""
    doc, chain = draft.text.doc, draft.text.chains.chain_of(draft.choice.word)
    names = [
        i
        for i in chain - draft.edited
        if doc[i].tag_ == "NNP" and doc[i].lower_ not in UNISEX and draft.edited.isdisjoint(_name_before(doc, i))
    ]
    return any(chance >= NAMED for chance in reader.probabilities(doc, names, Kind.FIRST_NAME).values())


def _name_before(doc: Doc, at: int) -> range:
    """The parts of a name that stand before one of its parts."""
    first = at
    while first and doc[first - 1].tag_ in PROPER_NOUNS:
        first -= 1
    return range(first, at)


def _is_half_swapped(draft: Draft) -> bool:
    with_names = draft.choice.target != "non-binary"
    return bool(half_swapped(draft.text.doc, draft.edited, draft.text.finder.lexicon, with_names=with_names))


def _changes_a_reflexive_alone(draft: Draft) -> bool:
    """Whom *himself* is about has not changed."""
    return bool(draft.edited) and all(draft.text.doc[i].lower_ in _REFLEXIVES for i in draft.edited)


def _leaves_a_pronoun(draft: Draft) -> bool:
    """*her* stays, and the woman that was named last before it has changed."""
    people: list[Token] = []
    for word in draft.alike:
        token = draft.text.doc[word.end - 1]
        if word.kind != "pronoun":
            people += [token] if _is_one(token) else []
        elif word.start not in draft.edited:
            close = (person for person in reversed(people) if token.i - person.i < _NEAR)
            near = (person for person in close if not _are_apart(person, token))
            if (last := next(near, None)) is not None and last.i in draft.edited:
                return True
    return False


def _are_apart(person: Token, pronoun: Token) -> bool:
    """*Bob laughed at him*: nobody is both subject and object of a verb."""
    return pronoun.dep_ not in POSSESSIVES and (person.head == pronoun.head or person.head == pronoun.head.head)


def _leaves_the_next_subject(draft: Draft) -> bool:
    """*He was the son of Edwin Marlow. His mother …*: a pronoun at the beginning of a sentence is likely of the subject
    before it."""
    left = [word.start for word in draft.alike if word.kind == "pronoun" and word.start not in draft.edited]
    starts = [draft.text.doc[at] for at in left]
    befores = [token.nbor(-1).sent.root for token in starts if token.i and token.is_sent_start]
    return any(child.i in draft.edited for root in befores for child in root.children if child.dep_ in _SUBJECTS)


def _renames_a_surname(draft: Draft) -> bool:
    """*Clinton had signed a treaty*: whether a word that may be a first name is more likely a surname."""
    doc, changed = draft.text.doc, [word for word in draft.alike if word.start in draft.edited]
    if any(word.kind == "pronoun" for word in changed):
        return False
    names = [word.start for word in changed if word.kind == "name"]
    alone = [i for i in names if sum(token.tag_ in PROPER_NOUNS for token in doc[max(0, i - 1) : i + 2]) < 2]
    surname = reader.probabilities(doc, alone, Kind.SURNAME)
    first = reader.probabilities(doc, alone, Kind.FIRST_NAME)
    return any(surname.get(i, 0.0) >= LIKELY > first[i] for i in alone if i in first)


def _leaves_its_person(draft: Draft) -> bool:
    """Pronouns alone change, and a person that may be theirs does not: *Emme went on. She lost.*"""
    changed = [word for word in draft.alike if word.start in draft.edited]
    if not changed or any(word.kind != "pronoun" for word in changed):
        return False
    doc, first = draft.text.doc, changed[0].start
    away = {word.start for word in draft.text.gendered} - {word.start for word in draft.alike}
    before = [token for token in doc[max(0, first - _NEAR) : first] if token.i not in away]
    likely = reader.probabilities(doc, [token.i for token in before if token.tag_ in PROPER_NOUNS], Kind.FIRST_NAME)
    nouns = {word.start for word in draft.alike if word.kind != "pronoun" and _is_one(doc[word.end - 1])}
    return any(
        token.i in nouns
        or likely.get(token.i, 0.0) >= LIKELY
        or (token.i in likely and without_accents(token.lower_) in draft.text.finder.demographics.origins)
        for token in before
    )


def _is_one(noun: Token) -> bool:
    """*A lady, one of the ladies*"""
    if noun.tag_ not in PLURAL_NOUNS:
        return True
    before = [token.lower_ for token in noun.doc[max(0, noun.i - 5) : noun.i]]
    return ("one", "of") in pairwise(before)


def _leaves_a_noun(draft: Draft) -> bool:
    """*an Australian woman … an Australian woman, fathers … a father*: the noun stands elsewhere as it was, and nothing
    tells the two apart (*the tall man met the short man*)."""
    nouns = [draft.text.doc[word.end - 1] for word in draft.alike if word.kind == "noun"]
    changed = [noun for noun in nouns if noun.i in draft.edited]
    left = [noun for noun in nouns if noun.i not in draft.edited]
    return any(
        new.lemma_.lower() == old.lemma_.lower() and not _are_told_apart(new, old) for new in changed for old in left
    )


def _are_told_apart(new: Token, old: Token) -> bool:
    if (new.tag_ in PLURAL_NOUNS) != (old.tag_ in PLURAL_NOUNS):
        return False
    names = any(token.tag_ in PROPER_NOUNS for token in (new, old))
    return names or new.head == old.head or _qualities(new) != _qualities(old)


def _qualities(noun: Token) -> set[str]:
    return {child.lower_ for child in noun.children if child.dep_ in {"amod", "compound", "nummod"} | POSSESSIVES}


def _leaves_a_title(draft: Draft) -> bool:
    """*Sheikh Hassan; his stepfather, the Earl of Leicester; the Baron Strathcona*"""
    doc, edited = draft.text.doc, draft.edited
    titles = (doc[i - 1] for i in edited if i)
    apposed = (one for i in edited for one in (doc[i].head, *doc[i].children) if "appos" in (one.dep_, doc[i].dep_))
    ranks = (doc[word.start] for word in draft.alike if word.kind == "noun" and word.start)
    return (
        any(title.i not in edited and title.lower_ in _TITLES for title in titles)
        or any(rank.i not in edited and rank.lower_ in _RANKS for rank in apposed)
        or any(
            rank.i not in edited and rank.lower_ in _RANKS and rank.text.istitle() and rank.nbor(-1).lower_ == "the"
            for rank in ranks
        )
    )


def _is_bodily(draft: Draft) -> bool:
    """A word of the same sentence that only one gender is spoken of with."""
    return any(token.lower_ in _BODILY for token in draft.near)


def _is_an_animals(draft: Draft) -> bool:
    """*he* in a text about dogs, in which no man is named."""
    text, word = draft.text, draft.choice.word
    is_named = any(one.kind != "pronoun" and one.attribute == word.attribute for one in text.gendered)
    is_person = text.finder.readings.is_person
    is_lone = word.kind == "pronoun" and not is_named
    return is_lone and may_be_an_animals(text.doc, text.chains.chain_of(word), is_person)


def _is_of_another_people(draft: Draft) -> bool:
    """Whether the text says the old race or ethnicity of the same people elsewhere (*Polish activists … a Polish
    consciousness; the Scotsman Billy Connolly*), or gives them another name (*Carl Laemmle, born Karl Lämmle*)."""
    doc, word, term, tables = draft.text.doc, draft.choice.word, draft.choice.word.term, draft.text.finder.demographics
    near = {token.i for token in draft.near}
    others = draft.text.chains.chain_of(word) - draft.edited
    if term is None:
        words = texts(doc)
        return (
            any(one.kind == "term" and one.start not in draft.edited and one.start in near for one in draft.alike)
            or any(_says_a_people(words, i, draft.choice.target, tables) for i in others)
            or any(i and doc[i - 1].lower_ in _BORN for i in draft.edited)
        )
    start = word.start
    if start > 1 and doc[start - 1].text == "(" and doc[start - 2].lower_ in tables.terms:
        return True  # an Indian (Tamil, Bengali) population
    if draft.choice.target in WITHOUT_A_STATE and term.plural and is_of_a_state(term):
        return True  # the Belgians scored; not a Belgian girl
    words_of_term = tuple({token.lower_.removesuffix("s") for token in doc[start : word.end] if token.is_alpha})
    is_said_again = any(
        token.lower_.removesuffix("s") in words_of_term
        or (token.i in near and _is_the_country(token, words_of_term))
        or (token.lower_ in tables.terms and token.lower_.startswith(words_of_term))  # Kurds, Kurdish
        for token in draft.left
    )
    is_colour = any(doc[i].lower_ in _COLOURS for i in draft.edited)  # a black man in a black coat
    names = near - draft.edited if word.attribute in _BY_THEIR_NAMES else others
    origins = (tables.origin_of(doc[i].lower_) for i in names if doc[i].tag_ in PROPER_NOUNS)
    return (is_said_again and not is_colour) or any(
        origin is not None and origin.attribute == word.attribute for origin in origins
    )


def _says_a_people(words: Sequence[str], at: int, target: str, tables: Demographics) -> bool:
    """*the Palestinian leader Mahmoud Abbas*: of a people that is not the new one."""
    terms = [term for term in tables.starting(words, at) if term.axis == RACE]
    return words[at][0].isupper() and any(term.attribute != target and not is_of_a_race(term) for term in terms)


def _is_the_country(token: Token, peoples: Collection[str]) -> bool:
    """*Sweden* of the Swedish, *Poland* of the Polish; not *Police*."""
    name = token.lower_
    return token.tag_ in PROPER_NOUNS and any(
        COUNTRY_OF.get(people) == name
        or (len(people) > _SHARED and name[:_SHARED] == people[:_SHARED] and not is_word(name))
        for people in peoples
    )


def _says_another_age(draft: Draft) -> bool:
    """A word for an age anywhere, in one or two tokens, which stays; or what somebody was (*as a teenager*)."""
    for token in draft.left:
        after = token.nbor() if token.i + 1 < len(draft.text.doc) else None
        two = f"{token.lower_} {after.lower_}" if after is not None and after.i not in draft.edited else ""
        was = token.i > 1 and token.nbor(-2).lower_ == "as" and token.lower_ in _STAGES
        if token.lower_ in _AGES or two in _AGES or was or _is_an_age_in_months(token):
            return True
    return False


def _is_an_age_in_months(token: Token) -> bool:
    """*four months old, at the age of six weeks*"""
    if token.lower_ not in _MONTHS_AND_WEEKS or token.i < 1 or token.nbor(-1).tag_ != "CD":
        return False
    before = [word.lower_ for word in token.doc[max(0, token.i - 3) : token.i - 1]]
    is_old = token.i + 1 < len(token.doc) and token.nbor().lower_ == "old"
    return is_old or before == ["age", "of"]


def _leaves_an_age(draft: Draft) -> bool:
    """Words for an age of several people, or of one that may be the same; and numbers of nobody near (*at age 17*; not
    *the driver, 52, … a 17-year-old*)."""
    doc, chains = draft.text.doc, draft.text.chains
    ages = [word for word in draft.text.words if word.axis == AGE]
    changed = [word for word in ages if word.start in draft.edited]
    lemmas = {doc[word.end - 1].lemma_.lower() for word in changed}
    attributes = {word.attribute for word in changed if word.kind == "term"}

    def may_be_the_same(word: PerturbableWord) -> bool:
        last = doc[word.end - 1]
        is_known = word.attribute in attributes and "the" in [
            token.lower_ for token in doc[word.start - 2 : word.start]
        ]
        is_plural = {last.tag_, last.head.tag_ if last.dep_ == "amod" else ""} & PLURAL_NOUNS
        return (
            bool(is_plural) or last.lemma_.lower() in lemmas or is_known or bool(draft.edited & chains.chain_of(word))
        )

    return any(
        (word.kind == "term" and may_be_the_same(word)) or (word.kind == "age" and not _is_apposed(doc, word))
        for word in ages
        if word.start not in draft.edited
    )


def _is_apposed(doc: Doc, age: PerturbableWord) -> bool:
    """*the driver, 52, left; Ann (34)*"""
    before = doc[age.start - 1].text if age.start else ""
    after = doc[age.end].text if age.end < len(doc) else ""
    return before in (",", "(") or after == "-" or "-" in doc[age.start].text


def _is_in_a_compound(draft: Draft) -> bool:
    """*Ring girls, a country girl, the Wesley boys*: a trade, a kind or a family."""
    parts = (child for child in draft.text.doc[draft.choice.word.end - 1].children if child.dep_ == "compound")
    return draft.choice.word.kind == "term" and any(part.tag_ in NOUNS and part.i not in draft.edited for part in parts)


def _is_said_with_others(draft: Draft) -> bool:
    """*women and children, families with kids*: named for those who look after them."""
    doc, noun = draft.text.doc, draft.text.doc[draft.choice.word.end - 1]
    if draft.choice.word.attribute != "child" or draft.choice.word.kind != "term" or noun.tag_ not in NOUNS:
        return False
    if noun.dep_ in POSSESSIVES and noun.head.lower_ in _PARENTS:
        return True  # the child's parents
    before = [token.lower_ for token in doc[max(0, noun.i - 3) : noun.i]]
    if before[:2] == ["one", "of"] and len(before) > 2 and doc[noun.i - 1].tag_ == "CD":
        return True  # one of seven children
    after = doc[noun.i + 1 : noun.i + 3]
    if len(after) == 2 and after[0].lower_ == "of" and after[1].tag_ in PROPER_NOUNS:
        return True  # the ninth child of John Tyler
    cases = {child.lower_ for child in noun.children if child.i < noun.i}
    others = [noun.head, *noun.head.children] if noun.dep_ == "conj" else []
    others += [child for child in noun.children if child.dep_ == "conj"]
    return ("with" in cases and noun.head.tag_ in NOUNS) or any(noun.lower_ in _CARERS for noun in others)


def _is_of_a_stage(draft: Draft) -> bool:
    """Whether the words around say what nobody of the old or new age does: *when she was born, his widow*."""
    doc, edited, word, target = draft.text.doc, draft.edited, draft.choice.word, draft.choice.target
    near = {token.lower_ for token in draft.near}
    around = {token.lower_ for token in doc} if len(doc) <= _SHORT else near
    terms = {doc[i].lemma_.lower() for i in edited if word.kind == "term"}
    if terms & _CHILDREN:
        terms |= _CHILDREN
    before = {token.lower_ for token in doc[max(0, word.start - 2) : word.start]}
    is_young = word.attribute in _YOUNG
    if (
        any(token.lemma_.lower() in terms for token in draft.left if token.tag_ in NOUNS)
        or any(child.lower_ in _COMPARED for i in edited for child in doc[i].children if child.i not in edited)
        or (word.kind == "age" and "born" in around)
        or (word.attribute == "senior" and doc[word.end - 1].lemma_ == "senior" and near & _OF_A_SCHOOL)
        or (is_young != (target in _YOUNG) and near & (_OF_YOUTH if is_young else _OF_OLD_AGE))
        or (word.attribute in ("child", "young") and target != "child" and before & _MAKES_SMALL)
    ):
        return True
    if target == "child":
        return bool(near & _OF_ADULTS)
    if word.attribute != "child":
        return False
    is_little = any(doc[i].lower_ in _BABIES for i in edited) or target not in ("young", "adult")
    has_a_child = any(doc[i].dep_ == "obj" and doc[i].head.lemma_ in _HAVING_CHILDREN for i in edited)
    return has_a_child or bool(near & _OF_CHILDREN) or (is_little and bool(around & _PARENTS))


SIGNS: Mapping[str, Sequence[Callable[[Draft], bool]]] = {
    GENDER: (
        _is_an_animals,
        _changes_a_reflexive_alone,
        _is_half_swapped,
        _leaves_a_pronoun,
        _leaves_the_next_subject,
        _leaves_a_noun,
        _leaves_a_title,
        _leaves_its_person,
        _leaves_a_name,
        _renames_a_surname,
        _is_bodily,
    ),
    RACE: (_is_of_another_people,),
    AGE: (_says_another_age, _leaves_an_age, _is_in_a_compound, _is_said_with_others, _is_of_a_stage),
}


def has_a_sign(draft: Draft) -> bool:
    """Whether a sign of its axis is against a draft; of an age that is not stated there is none."""
    if not draft.edits or (
        draft.choice.word.axis == AGE and (is_unstated(draft.choice.word.attribute) or is_unstated(draft.choice.target))
    ):
        return False
    return any(sign(draft) for sign in SIGNS.get(draft.choice.word.axis, ()))
