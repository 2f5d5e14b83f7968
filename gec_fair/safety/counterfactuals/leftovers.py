"""What a rewriting by terms would leave behind, or make nonsense: then it is not made, and the reason is counted.

slur        a slur stays a slur of the group
custom      The Chinese students spoke Chinese      a language, dish, dress, rite or place would stay,
He never takes off his kippah           or be another gender's
partner     He is straight, he has a girlfriend     whose partner it is would stay
contrast    I'm Catholic, my wife is Protestant     two words would become one
Trans women are women                   Men are men
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Literal

from gec_fair.edits import Edit, edited_places
from gec_fair.english.labels import NOUNS, PROPER_NOUNS
from gec_fair.english.lexicons import slurs
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.safety.counterfactuals.identities import Identities, Mention, find_determiner, places_of
from gec_fair.safety.counterfactuals.identity_terms import NEVER_WRITTEN, SLUR
from gec_fair.safety.data.groups import Slice

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from gec_fair.perturber.words.parsed_text import ParsedText

Leftover = Literal["slur", "custom", "partner", "contrast"]
_ORIENTATION = "Sexual Orientation"
_INDEFINITE = word_list("indefinite_determiners")
_PARTNERS = word_list("partners")
_COLOURS = word_list("colours_of_people_and_things")
_WORDS = word_list("nouns_for_words")
_JOINS = word_list("coordinators_with_nor") | {",", "/"}
_GENDER = "Gender Identity"
_OF_ONE_GENDER = word_list("dress_and_rites_of_one_gender")
_PEOPLE = word_list("nouns_for_people")
_PLACES = frozenset({"place", "places", "book"})
_DRESS = frozenset({"dress", "dresses"})
"""What women of one religion wear has no counterpart but what men of another do: *he wears a hijab*."""
_NEAR = 12  # tokens between two words that are set against each other; chosen by hand: about a clause
_OF_ITSELF = re.compile(
    r"\b(?P<who>\w[\w'’ -]{0,60}?\w)(?: (?:is|are|was|were|means?|(?:and|or|nor)(?: (?:the|an?))?)|,| ?/)"
    r"(?: (?:not|really|always|just))?(?: (?:an?|the))? (?P=who)\b",
    re.IGNORECASE,
)


def leftover(
    read: ParsedText, identities: Identities, source: Slice, own_mentions: Sequence[Mention]
) -> Leftover | None:
    """Why a text cannot be said of another subgroup than `source` by exchanging `own_mentions`; None if it can."""
    doc = read.doc
    strict = list(identities.mentions(doc, source))
    if any(mention.said.slot == SLUR for mention in strict) or any(slurs.find([token.text for token in doc])):
        return "slur"
    covered = places_of(own_mentions)
    if (
        any(mention.said.slice == source and mention.said.slot in NEVER_WRITTEN for mention in strict)
        or (source.category == _GENDER and any(token.lower_ in _OF_ONE_GENDER for token in doc))
        or any(_is_in_a_name(doc, mention, identities) for mention in own_mentions)
        or (read.gendered and any(mention.said.slot in _DRESS for mention in own_mentions))
        or _is_term_left(doc, identities, source, covered)
    ):
        return "custom"
    if source.category == _ORIENTATION and _is_partner_left(doc, strict, covered):
        return "partner"
    return "contrast" if _is_contrast(doc, own_mentions) else None


def is_of_itself(before: str, after: str) -> bool:
    """Whether a rewriting says of a group that it is itself, or names it twice (*Men are men*), and the text did not,
    from the same word on."""
    old = [(match[0].lower(), _words_before(before, match)) for match in _OF_ITSELF.finditer(before)]
    texts, places = {text for text, _ in old}, {place for _, place in old}
    return any(
        match[0].lower() not in texts and _words_before(after, match) not in places
        for match in _OF_ITSELF.finditer(after)
    )


def _words_before(text: str, match: re.Match[str]) -> int:
    return len(text[: match.start()].split())


def is_repeated(doc: Doc, edits: Sequence[Edit]) -> bool:
    """*Actresses earn less than actors*: a new noun that the text has already, of somebody else who is not *a man*."""
    covered = edited_places(edits)
    new = {edit.replacement[0].lower() for edit in edits if len(edit.replacement) == 1}
    return any(
        token.lower_ in new
        and token.i not in covered
        and token.tag_ in NOUNS
        and find_determiner(doc, token.i) not in _INDEFINITE
        for token in doc
    )


def _is_in_a_name(doc: Doc, mention: Mention, identities: Identities) -> bool:
    """*First Baptist Church, the Black Knight of Norroway, old man Lee, the word lesbian*; not *Gay Latinos*."""
    around = doc[max(0, mention.start - 2) : mention.end + 3]
    is_one = mention.said.slot in ("person", "woman")
    has_left = find_determiner(doc, mention.start) or any(left.i < mention.start for left in doc[mention.end - 1].lefts)
    if (is_one and not has_left) or any(token.lower_ in _WORDS for token in around):
        return True
    after = doc[mention.end] if mention.end < len(doc) else None
    if after is not None and after.tag_ in PROPER_NOUNS and after.text.istitle():
        known = {said.slot for said in identities.starting.get(after.lower_, ())}
        return after.lower_ not in _PEOPLE and known.isdisjoint(("adjective", "person", "people", "woman", "women"))
    before = mention.start - (2 if mention.start and doc[mention.start - 1].tag_ == "POS" else 1)
    is_place = mention.said.slot in _PLACES and doc[mention.start].text.istitle()
    return is_place and before >= 0 and doc[before].tag_ in PROPER_NOUNS


def _is_term_left(doc: Doc, identities: Identities, source: Slice, covered: set[int]) -> bool:
    """*African languages, racist towards whites*: a word for the people that is said of something else there, or not
    understood; a colour may stay."""
    return any(
        mention.said.slice == source
        and (mention.said.names or mention.said.reading is not None)
        and (mention.said.slot == "people" or doc[mention.start].lower_ not in _COLOURS)
        and mention.start not in covered
        for mention in identities.mentions(doc, source, loose=True)
    )


def _is_partner_left(doc: Doc, strict: Sequence[Mention], covered: set[int]) -> bool:
    of_others = places_of(mention for mention in strict if mention.said.for_partner)
    return any(token.lower_ in _PARTNERS and token.i not in covered | of_others for token in doc)


def _is_contrast(doc: Doc, own_mentions: Sequence[Mention]) -> bool:
    """Two words of one slot near each other, in one sentence, that differ: they would become the same."""
    for left, right in combinations(own_mentions, 2):
        between = right.start - left.end
        is_near = between <= _NEAR and doc[left.start].sent == doc[right.start].sent
        is_same = left.said.slot == right.said.slot or (between == 1 and doc[left.end].lower_ in _JOINS)
        if is_near and is_same and left.said.words != right.said.words:
            return True
    return False
