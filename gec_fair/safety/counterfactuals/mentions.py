"""Whom texts name, by the term tables, where a data set does not tell.

    The nuns fed a trans kid        Religion: Christianity, Gender Identity: Female, Gender Identity: NonCisgender

Nouns name women and men; pronouns, first names and titles (*Mrs*) do not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gec_fair.augmentation.planning.noun_swaps import find_nouns
from gec_fair.english.lexicons import lexicon
from gec_fair.english.lexicons.paradigms import Gender
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.people.people import people_in
from gec_fair.progress import Progress
from gec_fair.safety.counterfactuals.identities import Identities, places_of
from gec_fair.safety.data.groups import Slice
from gec_fair.safety.data.texts import Text, refuse_endless

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from gec_fair.english.lexicons.nouns import NounMatch

_GENDERS = {
    Gender.FEMININE: Slice("Gender Identity", "Female"),
    Gender.MASCULINE: Slice("Gender Identity", "Male"),
}
_ADDRESSES = word_list("addresses_to_anybody")
_VOCATIVE = frozenset({"vocative", "discourse", "intj"})
_CATEGORIES = frozenset(who.category for who in _GENDERS.values())
_NO_GROUP = frozenset({"title", "quality"})
"""Kinds of gendered words that name nobody: *Mrs*, *motherly*."""


def find_named(
    texts: Sequence[Text], identities: Identities, progress: Progress = lambda done, total: None
) -> list[Text]:
    """Texts that tell nobody, with every subgroup that a word of theirs names; words that may say something else
    (*black*, *straight*, *Chinese*) where the parse says that they are of people. Others stay as they
    are. InputError for a text that is too long to be parsed."""
    from gec_fair.english import pipeline

    unknown = [text for text in texts if not text.slices]
    refuse_endless(unknown)
    named_texts = {}
    docs = pipeline.parse_texts(pipeline.load_shared("embedded"), [text.text for text in unknown])
    for n, (text, doc) in enumerate(zip(unknown, docs, strict=True), 1):
        named_texts[text.id] = replace(text, slices=tuple(sorted(slices_of(doc, identities))))
        progress(n, len(unknown))
    return [named_texts.get(text.id, text) for text in texts]


def slices_of(doc: Doc, identities: Identities) -> set[Slice]:
    """The subgroups that a parsed text names."""
    mentions = [
        mention
        for mention in identities.mentions(doc)
        if mention.end > mention.start + 1 or not _is_said_to_anybody(doc, mention.start)
    ]
    covered = places_of(mention for mention in mentions if mention.said.slice.category in _CATEGORIES)
    slices = {mention.said.slice for mention in mentions if mention.said.names and not mention.shared}
    for at, who in gendered_nouns(doc):
        if at not in covered and who.name in identities.groups.subgroups.get(who.category, ()):
            slices.add(who)
    return slices


def gendered_nouns(doc: Doc) -> Iterator[tuple[int, Slice]]:
    """The last token of each noun for a woman or a man; no animal, no name of a thing."""
    known = lexicon.load()
    animals = people_in(doc).non_persons(known).places
    for match in find_nouns(doc, [token.text for token in doc], known):
        last = match.end - 1
        if last in animals or _is_said_to_anybody(doc, last):
            continue
        if match.term.kind not in _NO_GROUP and not _may_be_anybody(match):
            yield last, _GENDERS[match.term.gender]


def _is_said_to_anybody(doc: Doc, at: int) -> bool:
    """*Man, it is hot; you guys; come on, dude*: said to anybody."""
    if doc[at].lower_ not in _ADDRESSES:
        return False
    before = doc[at - 1] if at else None
    after = doc[at + 1] if at + 1 < len(doc) else None
    if before is None or doc[at].is_sent_start:
        return after is not None and after.text in (",", "!")
    return before.text == "," or before.lower_ == "you" or doc[at].dep_ in _VOCATIVE


def _may_be_anybody(match: NounMatch) -> bool:
    """*landlord, actor, host*: masculine trades that are said of women too; not *policeman*."""
    is_man = match.term.words[-1].endswith(("man", "men"))
    return match.term.gender is Gender.MASCULINE and match.term.kind == "profession" and not is_man
