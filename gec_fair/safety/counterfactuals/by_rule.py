"""Counterfactuals by term tables and the rule perturber (§4): a text that names a subgroup, once more for every other
subgroup of its category. Labels stay; what cannot be said of another subgroup is dropped, with the reason.

    Muslims pray in a mosque .     → Jews pray in a synagogue .   atheists: no counterpart of a place
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Literal

from gec_fair.config.options import check_range
from gec_fair.edits import Edit, Edits, Rewriting, edited_places
from gec_fair.english.labels import NOUNS, SINGULAR_NOUNS
from gec_fair.english.letters import capitalise
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.people.sure import Change, sure_of
from gec_fair.people.terms.axes import GENDER, RACE
from gec_fair.people.terms.lexicon import PerturbableWord
from gec_fair.perturber.rewriting.options import PerturbOptions
from gec_fair.perturber.rewriting.perturb import Perturbing
from gec_fair.perturber.rewriting.sampling import Choice, Draft
from gec_fair.perturber.rewriting.segments import rewrite
from gec_fair.perturber.rewriting.signs import signs_of
from gec_fair.perturber.rewriting.surface import articles, genitives
from gec_fair.perturber.words.parsed_text import ParsedText
from gec_fair.safety.counterfactuals import associations
from gec_fair.safety.counterfactuals.identities import Identities, Mention, load, places_of
from gec_fair.safety.counterfactuals.leftovers import Leftover, is_of_itself, is_repeated, leftover
from gec_fair.safety.counterfactuals.mentions import gendered_nouns
from gec_fair.safety.data.groups import Slice

if TYPE_CHECKING:
    from spacy.tokens import Doc

Reason = Literal[
    "no mention",
    "no counterpart",
    "both named",
    "pronoun",
    "slur",
    "new slur",
    "custom",
    "partner",
    "contrast",
    "unsure who",
    "no answer",
    "unchanged",
    "incongruous",
]
GENDERS = {
    Slice("Gender Identity", name): attribute
    for name, attribute in (("Male", "man"), ("Female", "woman"), ("NonCisgender", "non-binary"))
}
"""Whose pronouns, nouns and names the rule perturber knows: Table 2's."""
MALE, FEMALE, NEITHER = GENDERS
_NO_PERSON = frozenset("faith place places book feast fast dress dresses rite symbol figure".split())
_FREE = word_list("identity_words_of_either_case")
_AT_ONCE = 512  # texts that are parsed together
_TITLES = frozenset({"mx", "mx."})
_BEFORE_A_NOUN = frozenset({"DT", "PDT", "PRP$", "WP$", "POS", "CD", "JJ", "JJR", "JJS"})
_THEY = word_list("they_words")


@dataclass(frozen=True, slots=True)
class Counterfactual:
    """A text's rewriting for another subgroup, or the reason why there is none. `associations`: what it says that goes
    with the subgroup of the text (`associations.tsv`), and may make no sense of this one."""

    target: Slice
    rewriting: Rewriting | None
    reason: Reason | None = None
    associations: tuple[str, ...] = ()
    sure: float | None = None
    """The probability that it is clean; None if a chat model wrote it."""

    @property
    def text(self) -> str | None:
        """The rewritten text; None without a rewriting."""
        return None if self.rewriting is None else self.rewriting.after.text


class Swapping:
    """Texts in, counterfactuals out; a text's answer does not depend on its company."""

    def __init__(self, identities: Identities | None = None, min_sure: float = 0.0) -> None:
        self.min_sure = min_sure
        check_range(self, "min_sure", least=0, most=1)
        self._perturbing = Perturbing(PerturbOptions(axes=("gender",)))
        self.identities = identities or load()

    def __call__(self, texts: Sequence[str], sources: Sequence[Slice]) -> Iterator[list[Counterfactual]]:
        """Make of each text one for every other subgroup of what it names."""
        remaining = iter(zip(texts, sources, strict=True))
        while batch := list(islice(remaining, _AT_ONCE)):
            tokens = [self._perturbing.tokens((text,)) for text, _ in batch]
            docs = self._perturbing.parse(tokens)
            clusters = self._perturbing.resolver.clusters(docs)
            for n, (text, source) in enumerate(batch):
                read = ParsedText(n, tokens[n], docs[n], clusters[n], self._perturbing.finder)
                own_mentions = self.identities.find(read.doc, source)
                others = self._others(read.doc, source)
                left = leftover(read, self.identities, source, own_mentions)
                yield [
                    Counterfactual(target, None, "both named")
                    if target in others
                    else self._counterfactual(read, text, source, target, own_mentions, left)
                    for target in self.identities.groups.counterparts(source)
                ]

    def _counterfactual(
        self,
        read: ParsedText,
        text: str,
        source: Slice,
        target: Slice,
        own_mentions: Sequence[Mention],
        left: Leftover | None,
    ) -> Counterfactual:
        edits = left or self._edits(read, source, target, own_mentions)
        if isinstance(edits, str):
            return Counterfactual(target, None, edits)
        covered = edited_places(edits)
        around = (*articles(read.doc, edits), *genitives(read.doc, edits))
        edits += [edit for edit in around if edit.start not in covered]
        changes = Edits(tuple(sorted(edits, key=lambda edit: edit.start)), len(read.doc))
        change = Change.from_edits(read.doc, self._perturbing.finder.lexicon, changes)
        sure = sure_of(change, GENDER if target in GENDERS else RACE).probability
        if sure < self.min_sure:
            return Counterfactual(target, None, "unsure who")
        rewriting = rewrite(read.tokens, changes, (text,))
        if rewriting is not None and is_of_itself(text, rewriting.after.text):
            return Counterfactual(target, None, "contrast")
        marks = associations.find([token.text for token in read.doc], source)
        return Counterfactual(target, rewriting, None, tuple(map(str, marks)), sure)

    def _edits(
        self, read: ParsedText, source: Slice, target: Slice, own_mentions: Sequence[Mention]
    ) -> list[Edit] | Reason:
        """What terms, pronouns, nouns and names become, or why they cannot."""
        edits = self._terms(read, own_mentions, target)
        if isinstance(edits, str):
            return edits
        of_genders = source in GENDERS and target in GENDERS
        if of_genders and (reason := self._add_gender(edits, read, source, target, own_mentions)):
            return reason
        if not edits:
            return "no mention"
        says_nothing = source in GENDERS and target == NEITHER and not _says_neither(own_mentions, edits)
        return "no counterpart" if says_nothing else edits

    def _add_gender(
        self, edits: list[Edit], read: ParsedText, source: Slice, target: Slice, own_mentions: Sequence[Mention]
    ) -> Reason | None:
        """Adds the edits of gendered words to those of the terms; the reason where one of them cannot be made."""
        if source == NEITHER and _their(read.doc, own_mentions):
            return "pronoun"
        covered = self._of_other_groups(read) | edited_places(edits)
        words = self._of_gender(read, source, target, own_mentions)
        if target == NEITHER and any(self._is_part_of_a_name(read.doc, word, covered) for word in words):
            return "no counterpart"
        edits += self._change_gender(read, words, target, covered)
        if not {source, FEMALE if source == NEITHER else source}.isdisjoint(self._genders(read.doc, source, edits)):
            return "no counterpart"
        if any(word.kind == "pronoun" and word.start not in covered for word in words):
            return "pronoun"
        return "contrast" if is_repeated(read.doc, edits) else None

    def _of_other_groups(self, read: ParsedText) -> set[int]:
        """Tokens of terms of other categories: *Diwali* and *a Christian* are no first names; *nun* is for a woman."""
        names = {word.start for word in read.gendered if word.kind == "name"}
        mentions = [m for m in self.identities.mentions(read.doc) if m.said.slice.category != NEITHER.category]
        of_nobody = places_of(mention for mention in mentions if mention.said.slot in _NO_PERSON)
        return of_nobody | (places_of(mentions) & names)

    def _others(self, doc: Doc, source: Slice) -> set[Slice]:
        """Whom else a text names, or tells of what goes with them; *blacks* and *whites* are people here, even where
        the parse is unsure."""
        loose = self.identities.mentions(doc, source, loose=True)
        unsure = (mention for mention in loose if mention.said.slot == "people")
        known = (*self.identities.mentions(doc, source), *unsure)
        return self._genders(doc, source) | {mention.said.slice for mention in known if not mention.said.for_partner}

    def _genders(self, doc: Doc, source: Slice, edits: Sequence[Edit] = ()) -> set[Slice]:
        """The genders that nouns say beside some edits, or words that say another group too: *lesbian, Latina*. Behind
        a word for somebody of neither gender they may be that person's: *a trans woman and her wife*."""
        covered = edited_places(edits)
        nouns = {who for at, who in gendered_nouns(doc) if at not in covered and source != NEITHER}
        is_woman = any(token.lower_ in self.identities.of_women and token.i not in covered for token in doc)
        return nouns | ({FEMALE} if is_woman else set())

    def _terms(self, read: ParsedText, own_mentions: Sequence[Mention], target: Slice) -> list[Edit] | Reason:
        edits: list[Edit] = []
        for mention in own_mentions:
            before = edits[-1].replacement[-1:] if edits and edits[-1].end == mention.start else ()
            edit = self._term(read, mention, target, before)
            if edit is None:
                return "no counterpart"
            edits.append(edit)
        return edits

    def _term(self, read: ParsedText, mention: Mention, target: Slice, before: Sequence[str]) -> Edit | None:
        """`before`: the new word right before it, which is not said twice: *Catholic nuns* become *Buddhist nuns*."""
        doc, start, end = read.doc, mention.start, mention.end
        if target in GENDERS and mention.said.slice == NEITHER and _noun_behind(read, mention) is not None:
            return Edit(start, end, ())  # a trans daughter: a son, a daughter
        slot = "adjective" if _is_modifier(doc, mention) else mention.said.slot
        if slot == "adjective" and mention.said.slot == "person" and doc[end].text != "-":
            return None  # a man tweet: a verb or a compound
        new = self.identities.first.get((target, slot))
        if new is None or (slot == "adjective" and _alone_says_a_gender(read, mention)):
            return None
        cased, is_first = _match_case(doc, mention, new), doc[start].is_sent_start
        if len(cased) > 1 and cased[:1] == before and not is_first:
            cased = cased[1:]
        if is_first and doc[start].text[:1].isupper():
            cased = (capitalise(cased[0]), *cased[1:])
        return Edit(start, end, cased)

    def _is_part_of_a_name(self, doc: Doc, word: PerturbableWord, covered: set[int]) -> bool:
        """*a boy band, Uncle Tom, papa is here*: where *non-binary* would stand in the middle, or before a name."""
        noun = doc[word.start]
        if word.kind != "noun" or word.start in covered:
            return False
        parts = [part for part in (noun, *noun.lefts) if part.lower_ not in self.identities.starting]
        is_compound = any(part.dep_ == "compound" and part.tag_ in NOUNS for part in parts)
        is_bare = noun.tag_ in SINGULAR_NOUNS and (not noun.i or noun.nbor(-1).tag_ not in _BEFORE_A_NOUN)
        return is_compound or is_bare or (noun.text.istitle() and not noun.is_sent_start)

    def _of_gender(
        self, read: ParsedText, source: Slice, target: Slice, own_mentions: Sequence[Mention]
    ) -> list[PerturbableWord]:
        """Words of the source's gender; of somebody who is neither man nor woman, those of the chain that are not of
        the target's: *a trans woman lost her keys*, *a man lost his*."""
        gendered = read.gendered
        if source != NEITHER:
            return [word for word in gendered if word.attribute == GENDERS[source]]
        said = places_of(own_mentions)
        said |= {noun.start for mention in own_mentions if (noun := _noun_behind(read, mention)) is not None}
        return [word for word in gendered if word.attribute != GENDERS[target] and read.chains.chain_of(word) & said]

    def _change_gender(
        self, read: ParsedText, words: Sequence[PerturbableWord], target: Slice, covered: set[int]
    ) -> list[Edit]:
        """Pronouns, nouns and names, chain by chain."""
        edits: dict[tuple[int, int], Edit] = {}
        for word in words:
            if word.start in covered:
                continue
            choice = Choice(word, GENDERS[target])
            changes = self._perturbing.rules.plan(read, choice)
            if signs_of(Draft(read, choice, changes)):
                continue
            for edit in changes:
                span = set(range(edit.start, max(edit.end, edit.start + 1)))
                if not span & covered:
                    edits[edit.start, edit.end] = edit
                    covered |= span
        if target == NEITHER:
            nouns = {word.start for word in words if word.kind == "noun" and read.doc[word.start].tag_ in NOUNS}
            for place, edit in sorted(edits.items()):
                if edit.start in nouns and edit.replacement[0].lower() not in _TITLES:
                    edits[place] = _name(edit)
                    break
        return list(edits.values())


def _is_modifier(doc: Doc, mention: Mention) -> bool:
    """*woman-friendly, women drivers*: a noun for people before another, where a phrase of two words cannot stand."""
    last = doc[mention.end - 1]
    if mention.said.slot not in ("person", "people") or mention.end >= len(doc):
        return False
    after = doc[mention.end]
    tags = ("NNS",) if mention.said.slot == "people" else ("NN", "NNS")  # Muslims pray: a verb that is taken for a noun
    return after.text == "-" or (last.dep_ == "compound" and last.head == after and after.tag_ in tags)


def _alone_says_a_gender(read: ParsedText, mention: Mention) -> bool:
    """*a Latina nurse*: an adjective that would take the gender along; not *a Latina mother*."""
    is_gendered = any(mention.start <= word.start < mention.end for word in read.gendered)
    return is_gendered and mention.said.slice not in GENDERS and _noun_behind(read, mention) is None


def _noun_behind(read: ParsedText, mention: Mention) -> PerturbableWord | None:
    """The gendered noun right behind an adjective: *a trans daughter*."""
    if mention.said.slot != "adjective":
        return None
    return next((word for word in read.gendered if word.start == mention.end and word.kind == "noun"), None)


def _says_neither(own_mentions: Sequence[Mention], edits: Sequence[Edit]) -> bool:
    """By a term, or by a *they*; of *Mary sings* another name would tell nothing."""
    words = {word.lower() for edit in edits for word in edit.replacement}
    return bool(own_mentions) or "non-binary" in words or bool(words & _THEY)


def _name(edit: Edit) -> Edit:
    """*The girl* becomes *the non-binary child*: *the child* alone may be any."""
    first, *others = edit.replacement
    words = ("Non-binary", first.lower()) if first[:1].isupper() else ("non-binary", first)
    return Edit(edit.start, edit.end, (*words, *others))


def _their(doc: Doc, own_mentions: Sequence[Mention]) -> bool:
    """*A non-binary person lost their keys*: *their* would stay."""
    is_one = any(mention.said.slot == "person" or _is_of_one(doc, mention) for mention in own_mentions)
    return is_one and any(token.lower_ in _THEY for token in doc)


def _is_of_one(doc: Doc, mention: Mention) -> bool:
    """*a transgender teacher lost their job*: an adjective of a singular noun."""
    head = doc[mention.end - 1].head
    return mention.said.slot == "adjective" and head.i >= mention.end and head.tag_ in SINGULAR_NOUNS


def _match_case(doc: Doc, mention: Mention, new: Sequence[str]) -> tuple[str, ...]:
    """As the writer writes: *muslims* becomes *jews*, *MUSLIMS* becomes *JEWS*, *Gay* at a sentence's beginning becomes
    *Straight*; what stands as the table has it, or as it may in a text with capitals, becomes what the table has."""
    old, has_capitals = [token.text for token in doc[mention.start : mention.end]], doc.text != doc.text.lower()
    words = zip(old, mention.said.written, strict=True)
    if all(word == written or (has_capitals and word.lower() in _FREE) for word, written in words):
        return tuple(new)
    letters = "".join(old)
    if letters.isupper() and len(letters) > 1:
        return tuple(word.upper() for word in new)
    if letters.islower():
        return tuple(word.lower() for word in new)
    return (capitalise(new[0]), *new[1:]) if old[0][:1].isupper() else tuple(new)
