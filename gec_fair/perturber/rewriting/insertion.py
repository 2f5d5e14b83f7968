"""An attribute before a noun that says none (*women → middle-aged women*), and one that is taken away again."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from gec_fair.edits import Edit
from gec_fair.english.labels import COMMON_NOUNS, NOUN_MODIFIERS, PROPER_NOUNS
from gec_fair.english.letters import capitalise
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.people.terms.axes import GENDER, RACE
from gec_fair.people.terms.lexicon import Demographics, PerturbableWord
from gec_fair.perturber.rewriting.sampling import Choice
from gec_fair.perturber.rewriting.surface import OPENS, match_case
from gec_fair.perturber.words.insertable import place
from gec_fair.perturber.words.parsed_text import ParsedText

if TYPE_CHECKING:
    from spacy.tokens import Doc

_ADULTS = word_list("always_adults")
_GENDERED = ("man", "men", "woman", "women")


def insert(text: ParsedText, chain: Collection[int], choice: Choice, tables: Demographics) -> Iterator[Edit]:
    """The attribute before each place of the noun in the chain, or a noun that says both (*people → women*)."""
    doc, axis = text.doc, choice.word.axis
    noun = doc[choice.word.start].lower_
    target = tables.targets[choice.target]
    races = {i for word in text.words if word.axis == RACE for i in range(word.start, word.end)}
    for at in sorted(chain):
        token = doc[at]
        if token.lower_ != noun or token.tag_ not in COMMON_NOUNS or (choice.target == "child" and noun in _ADULTS):
            continue
        said = {"person": target.noun, "people": target.plural}.get(noun)
        if choice.target == "child":
            said = tables.young.get(noun, said)
        if said and (axis == GENDER or choice.target == "child"):
            yield Edit(at, at + 1, match_case(doc, at, at + 1, said.split(), noun=True))
            continue
        start = place(token, axis, races)
        new = target.adjective.split()
        if token.text[:1].isupper() and start == at:
            yield Edit(at, at + 1, match_case(doc, at, at + 1, [*new, token.lower_], noun=True))
        else:
            yield Edit(start, start, tuple(new))


def remove(doc: Doc, mention: PerturbableWord) -> list[Edit] | None:
    """*Asian women → women, two seniors → two people*; None for what is said of somebody (*she is Asian*), for
    names, and for *the young Peter Lee*."""
    if mention.term is None:
        return None
    last = doc[mention.end - 1]
    if mention.term.reading in ("adjective", "old"):
        if last.dep_ not in NOUN_MODIFIERS or last.head.i < last.i or _is_in_a_list(doc, mention):
            return None
        following = doc[mention.end].text
        if last.head.tag_ in PROPER_NOUNS and mention.start and doc[mention.start - 1].dep_ == "det":
            return None  # the young Peter Lee
        if doc[mention.start].text[:1].isupper() and (mention.start == 0 or doc[mention.start - 1].text in OPENS):
            return [Edit(mention.start, mention.end + 1, (capitalise(following),))]
        return [Edit(mention.start, mention.end, ())]
    is_group = mention.term.reading == "people"  # the French
    if is_group or last.lower_.endswith(_GENDERED) or "conj" in (last.dep_, *(child.dep_ for child in last.children)):
        return None
    new = "people" if mention.term.plural else "person"
    return [Edit(mention.start, mention.end, match_case(doc, mention.start, mention.end, [new]))]


def _is_in_a_list(doc: Doc, mention: PerturbableWord) -> bool:
    """*a very old man, black and white women, an elderly, frail woman*: words around it need it."""
    around = [doc[i] for i in (mention.start - 1, mention.end) if 0 <= i < len(doc)]
    return any(token.tag_ in ("CC", ",", "RB", "RBR", "HYPH") or token.text in ("-", ",") for token in around)
