"""Gender: a man's words become a woman's or the other way (FM-CDA's swaps), or neutral (*they, spouse, Taylor*)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from gec_fair.augmentation.planning import st
from gec_fair.augmentation.planning.swap import ArticleChange, NameChange
from gec_fair.corpus.outcome import Discarded
from gec_fair.edits import Edit
from gec_fair.english import agreement
from gec_fair.english.labels import POSSESSIVES, PROPER_NOUNS, SINGULAR_NOUNS
from gec_fair.english.letters import like_name
from gec_fair.english.lexicons.nouns import masculine_plurals
from gec_fair.english.lexicons.paradigms import Form, Gender, paradigm
from gec_fair.english.lexicons.word_lists import ordered_words, word_list
from gec_fair.english.once import texts
from gec_fair.people.people import people_in
from gec_fair.people.terms.lexicon import PerturbableWord
from gec_fair.perturber.rewriting.sampling import Choice, pick
from gec_fair.perturber.rewriting.surface import lower_words, match_case
from gec_fair.perturber.words.parsed_text import ParsedText
from gec_fair.perturber.words.perturbable import Finder

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_KINSHIP = "kinship"
_OF_A_NOUN = ("det", "amod", "nummod", "nmod:poss", "compound")
_ARGUMENTS = ("nsubj", "nsubj:pass", "obj", "obl", "nmod", "nmod:poss")
_KNOWN = word_list("determiners_of_a_known_person")
_OF_ORDERS = frozenset(["father", "mother", "brother", "sister"])
NEUTRAL_NAMES = ordered_words("neutral_first_names")


@dataclass(frozen=True)
class Genders:
    """Plans the new words of a chain. `seed` decides which name is drawn where the usual one is in use."""

    finder: Finder
    seed: int = 0

    def swap(self, text: ParsedText, chain: frozenset[int], choice: Choice) -> list[Edit]:
        """The other gender's words for all words of the chain that say one."""
        doc, used = text.doc, lower_words(text.doc)
        meant = {mention.start for mention in text.gendered if mention.attribute != choice.target} & chain
        edits: list[Edit] = []
        for swap in text.swaps:
            if swap.start in meant and not isinstance(swap.change, ArticleChange):
                is_name = isinstance(swap.change, NameChange)
                new = self._free(doc[swap.start].text, swap.new, used) if is_name else swap.new
                edits.append(Edit(swap.start, swap.end, new))
        edits += self._middle_names(doc, chain, edits)
        return [*edits, *_same_names(doc, chain, edits)]

    def _middle_names(self, doc: Doc, chain: frozenset[int], edits: Sequence[Edit]) -> Iterator[Edit]:
        """*William Henry Harrison*: a name between a first name that changes and a surname, though it is a surname in
        other places."""
        names, edited = self.finder.lexicon.names, {edit.start for edit in edits}
        for edit in edits:
            at = edit.start + 1
            parts = doc[edit.start : edit.start + 3]
            is_whole = len(parts) == 3 and all(token.tag_ in PROPER_NOUNS and token.i in chain for token in parts)
            if not is_whole or at in edited or names.gender(doc[at].text) != names.gender(doc[edit.start].text):
                continue
            new = names.counterpart(doc[at].text, proper=True)
            if new is not None:
                yield Edit(at, at + 1, self._free(doc[at].text, (new,), lower_words(doc)))

    def _free(self, name: str, new: tuple[str, ...], used: Collection[str]) -> tuple[str, ...]:
        """The counterpart of a name, or where somebody in the text is called so, another's."""
        if new[0].lower() not in used:
            return new
        chance = Random(f"{self.seed}:{name.lower()}")
        another = self.finder.lexicon.names.draw(name.title(), chance, proper=True, used=set(used))
        return (like_name(name, another),) if another is not None else new

    def neutralise(self, text: ParsedText, chain: frozenset[int], choice: Choice) -> list[Edit] | None:
        """None where a verb cannot be made to agree, or a noun has no counterpart: a chain is changed whole or not at
        all."""
        edits: list[Edit] = []
        subjects: list[Token] = []
        doc = text.doc
        for mention in text.gendered:
            if mention.start not in chain or mention.attribute != choice.word.attribute:
                continue
            token = doc[mention.start]
            if people_in(doc).form_of(token) is Form.NOMINATIVE:
                subjects.append(token)
            new = self._neutral_edits(doc, mention)
            if new is None:
                return None
            edits += new
        changed = {edit.start for edit in edits}
        return None if any(agreement.left_behind(subject, changed) is not None for subject in subjects) else edits

    def _neutral_edits(self, doc: Doc, mention: PerturbableWord) -> list[Edit] | None:
        token = doc[mention.start]
        if mention.kind == "pronoun":
            swaps = st.pronoun_swaps(token, paradigm("they"))
            if isinstance(swaps, Discarded):
                return None
            return [Edit(swap.start, swap.end, swap.new) for swap in swaps]
        if mention.kind == "name":
            return [Edit(mention.start, mention.end, (neutral_name(token.text, used=lower_words(doc)),))]
        noun = self._neutral_noun(doc, mention.start)
        return None if noun is None else [noun]

    def _neutral_noun(self, doc: Doc, at: int) -> Edit | None:
        match = self.finder.lexicon.nouns.swap_noun(texts(doc), at)
        if match is None:
            return None
        masculine = match.term.words if match.term.gender is Gender.MASCULINE else match.term.replacement
        new = self._neutral_word(" ".join(masculine).replace(" - ", "-"), plural=match.term.plural)
        after = doc[match.end].tag_ if match.end < len(doc) else ""
        title = new == "person" or match.term.words[0] in _OF_ORDERS
        if new in ("people", "person") and _says_a_kind(doc, match.end):
            return None  # women's basketball is not people's basketball
        if not new or (title and after.startswith("NNP")):  # *Lady Catherine* does not become *Person Catherine*
            return None
        if match.term.kind == _KINSHIP and _is_called(doc[match.end - 1]):
            return None  # *after dad died* does not become *after parent died*
        if new == "non-binary" and doc[at].tag_ == "NN" and not after.startswith("NN"):
            new += " person"
        return Edit(match.start, match.end, match_case(doc, match.start, match.end, new.split(), noun=True))

    def _neutral_word(self, masculine: str, *, plural: bool) -> str:
        table = self.finder.demographics.neutral
        for word, (single, many) in table.items():
            if masculine == word and not plural:
                return single
            if plural and many and masculine in masculine_plurals().get(word, ()):
                return many
        for ending, new in (("man", "person"), ("men", "people")):
            if masculine.endswith(ending) and len(masculine) > len(ending) + 1:
                return masculine.removesuffix(ending) + new
        return ""


def _same_names(doc: Doc, chain: frozenset[int], edits: Sequence[Edit]) -> Iterator[Edit]:
    """*Queen Victoria lamented … Victoria lived*: a new name wherever the person has the old one."""
    new = {doc[edit.start].text: edit.replacement for edit in edits if edit.end == edit.start + 1}
    edited = {edit.start for edit in edits}
    for i in chain - edited:
        if doc[i].tag_ in PROPER_NOUNS and doc[i].text in new:
            yield Edit(i, i + 1, new[doc[i].text])


def _is_called(noun: Token) -> bool:
    """Whether a word for kin stands like a name: *dad died*; not *his dad, a dad, dads*."""
    is_bare = not any(child.i < noun.i and child.dep_ in _OF_A_NOUN for child in noun.children)
    return is_bare and noun.tag_ in SINGULAR_NOUNS and noun.dep_ in _ARGUMENTS


def neutral_name(name: str, *, used: Collection[str] = ()) -> str:
    """A name for all genders that is none of the lower-cased words `used`; with the same initial if there is one."""
    free = [neutral for neutral in NEUTRAL_NAMES if neutral.lower() not in used and neutral.lower() != name.lower()]
    pool = [neutral for neutral in free if neutral[0] == name[:1].upper()] or free or [name]
    return like_name(name, pick(pool, name.lower()))


def _says_a_kind(doc: Doc, end: int) -> bool:
    """*women's basketball, woman's clothes*: a genitive of nobody that is known."""
    if end >= len(doc) or doc[end].text not in ("'s", "’s", "'", "’"):
        return False
    are_many = doc[end - 1].tag_ == "NNS"
    return not any(
        child.dep_ in POSSESSIVES or (child.lower_ in _KNOWN - ({"the"} if are_many else set()))
        for child in doc[end - 1].children
    )
