"""The rule perturber: a word's whole chain takes the new attribute, and nothing else in the text does.

    she saw her husband, and he greeted her          her → man
    he  saw his husband, and he greeted him

Pronouns keep their form, verbs agree with *they*, *a* and *an* follow, the case stays.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING

from gec_fair.augmentation.planning import fm, st
from gec_fair.augmentation.planning.name_swaps import Namer
from gec_fair.augmentation.planning.referents import LIKELY, OURS, animals, is_animal
from gec_fair.augmentation.planning.swap import ArticleChange, NameChange
from gec_fair.corpus.outcome import Discarded
from gec_fair.edits import Edit, Edits
from gec_fair.english import agreement, persons
from gec_fair.english.articles import article
from gec_fair.english.labels import COMMON_NOUNS, NOUN_MODIFIERS, NOUNS, PROPER_NOUNS
from gec_fair.english.letters import capitalised, like, like_name
from gec_fair.english.lexicons.lexicon import masculine_plurals
from gec_fair.english.lexicons.word_lists import ordered_words, word_list
from gec_fair.english.paradigms import Form, Gender, paradigm
from gec_fair.english.persons import Kind
from gec_fair.english.pronouns import form_of
from gec_fair.english.unlisted_names import UNISEX
from gec_fair.perturber.rewriting.sampling import Choice
from gec_fair.perturber.words import ages
from gec_fair.perturber.words.axes import is_unstated
from gec_fair.perturber.words.insertable import place
from gec_fair.perturber.words.names import without_accents
from gec_fair.perturber.words.parsed_text import ParsedText
from gec_fair.perturber.words.perturbable import ATTRIBUTE, Finder, PerturbableWord
from gec_fair.perturber.words.readings import is_possessed

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_OPENS = frozenset([".", "!", "?", '"', "“", "``", "‘", "'", ":", "…", "\n"])
_PLURAL = frozenset(["NNS", "NNPS"])
_CHILDREN = frozenset(["child", "children", "kid", "kids"])
_NEAR = 30  # words in which what a pronoun stands for is looked for
_SAYS = word_list("communication_verbs")
_ARTICLES = word_list("indefinite_articles")
_OF_ORDERS = word_list("titles_of_religious_orders")
_MAN = re.compile(r"(?:english|french|irish|scots|welsh|dutch)((?:wo)?m[ae]n)")
_ADULTS = word_list("always_adults")
NAMED = 0.7
"""A word that is so likely a first name must change with its person."""
NEUTRAL_NAMES = ordered_words("neutral_first_names")


@dataclass(frozen=True)
class Rules:
    """Plans rewritings over parsed texts. `seed` decides which name stands for a race or ethnicity."""

    finder: Finder
    seed: int = 0

    def plan(self, text: ParsedText, choice: Choice) -> Edits:
        """The rewriting of one text; empty where nothing can be said otherwise (an unknown verb, a word without a
        counterpart)."""
        by_axis = {"gender": self._swapped, "race": self._race_or_age, "age": self._race_or_age}
        way = self._neutral if choice.target == "non-binary" else by_axis[choice.word.axis]
        if is_unstated(choice.word.attribute):
            way = self._inserted
        doc, chain = text.doc, text.chains.chain_of(choice.word)
        if choice.word.kind == "pronoun" and self._may_be_an_animals(text, choice.word, chain):
            return Edits((), len(doc))
        chain_edits = {(edit.start, edit.end): edit for edit in way(text, chain, choice) or ()}
        changed = [
            edit
            for edit in chain_edits.values()
            if tuple(t.text for t in doc[edit.start : edit.end]) != edit.replacement
        ]
        if choice.word.axis == "gender" and self._is_a_name_left(doc, chain, changed):
            return Edits((), len(doc))
        around = [*articles(doc, changed), *_genitives(doc, changed)]
        edits = sorted(changed + around, key=lambda edit: edit.start)
        return Edits(tuple(_as_low(doc, edit) for edit in edits), len(doc))

    def _is_a_name_left(self, doc: Doc, chain: frozenset[int], changed: Sequence[Edit]) -> bool:
        """*Adnan El Shukrijumah … her nickname*: a first name that no table has stays beside what has changed."""
        edited = {i for edit in changed for i in range(edit.start, edit.end)}
        names = [i for i in chain - edited if doc[i].tag_ == "NNP" and doc[i].lower_ not in UNISEX]
        likely = persons.probabilities(doc, names, Kind.FIRST_NAME) or {}
        return any(chance >= NAMED for chance in likely.values())

    def _may_be_an_animals(self, text: ParsedText, word: PerturbableWord, chain: frozenset[int]) -> bool:
        """*he* in a text about dogs, in which no man is named: an animal was spoken of, or *your dog* follows."""
        nominals = [one for one in text.gendered if one.kind != "pronoun" and one.attribute == word.attribute]
        others = [text.doc[i] for i in chain if form_of(text.doc[i]) is None]
        is_somebody = bool(nominals) or any(map(self.finder.readings.is_person, others))
        if is_somebody or not animals(text.doc):
            return False
        doc, at = text.doc, min(i for i in chain if form_of(text.doc[i]) is not None)
        pets = (token for token in doc[at + 1 : at + _NEAR] if token.i and token.nbor(-1).lower_ in OURS)
        around = (*reversed(doc[max(0, at - _NEAR) : at]), *pets)
        if doc[at].head.lemma_.lower() in _SAYS:
            return False
        names = [token.i for token in around if token.tag_ in PROPER_NOUNS]
        likely = persons.probabilities(doc, names, Kind.FIRST_NAME, Kind.SURNAME, Kind.PERSON) or {}
        for token in around:
            if token.tag_ in NOUNS and (self.finder.readings.is_person(token) or likely.get(token.i, 0.0) >= LIKELY):
                return False
            if is_animal(token):
                return True
        return False

    def _inserted(self, text: ParsedText, chain: frozenset[int], choice: Choice) -> Iterator[Edit]:
        """The attribute before each place of the noun in the chain, or a noun that says both (*people → women*)."""
        doc, axis = text.doc, choice.word.axis
        noun = doc[choice.word.start].lower_
        target = self.finder.demographics.targets[choice.target]
        races = {i for word in text.words if word.axis == "race" for i in range(word.start, word.end)}
        for at in sorted(chain):
            token = doc[at]
            if token.lower_ != noun or token.tag_ not in COMMON_NOUNS or (choice.target == "child" and noun in _ADULTS):
                continue
            said = {"person": target.noun, "people": target.plural}.get(noun)
            if choice.target == "child":
                said = self.finder.demographics.young.get(noun, said)
            if said and (axis == "gender" or choice.target == "child"):
                yield Edit(at, at + 1, _cased(doc, at, at + 1, said.split(), noun=True))
                continue
            start = place(token, axis, races)
            new = target.adjective.split()
            if token.text[:1].isupper() and start == at:
                yield Edit(at, at + 1, _cased(doc, at, at + 1, [*new, token.lower_], noun=True))
            else:
                yield Edit(start, start, tuple(new))

    def _swapped(self, text: ParsedText, chain: frozenset[int], choice: Choice) -> Iterator[Edit]:
        away = next(gender for gender, name in ATTRIBUTE.items() if name != choice.target)
        doc = text.doc
        used = _words(doc)
        meant = {mention.start for mention in text.gendered} & chain
        for swap in fm.swaps(doc, self.finder.lexicon, self._namer, direction=away):
            if swap.start not in meant or isinstance(swap.change, ArticleChange):
                continue
            new = self._free(doc[swap.start].text, swap.new, used) if isinstance(swap.change, NameChange) else swap.new
            yield Edit(swap.start, swap.end, new)

    def _free(self, name: str, new: tuple[str, ...], used: Collection[str]) -> tuple[str, ...]:
        """The counterpart of a name, or where somebody in the text is called so, another's."""
        if new[0].lower() not in used:
            return new
        chance = Random(f"{self.seed}:{name.lower()}")
        drawn = self.finder.lexicon.names.draw(name.title(), chance, proper=True, used=set(used))
        return (like_name(name, drawn),) if drawn is not None else new

    @cached_property
    def _namer(self) -> Namer:
        return Namer(self.finder.lexicon)

    def _neutral(self, text: ParsedText, chain: frozenset[int], choice: Choice) -> list[Edit] | None:
        """None where a verb cannot be made to agree, or a noun has no counterpart: a chain is changed whole or not at
        all."""
        edits: list[Edit] = []
        subjects: list[Token] = []
        doc = text.doc
        for mention in text.gendered:
            if mention.start not in chain or mention.attribute != choice.word.attribute:
                continue
            token = doc[mention.start]
            if form_of(token) is Form.NOMINATIVE:
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
            return [Edit(mention.start, mention.end, (neutral_name(token.text, used=_words(doc)),))]
        noun = self._neutral_noun(doc, mention.start)
        return None if noun is None else [noun]

    def _neutral_noun(self, doc: Doc, at: int) -> Edit | None:
        words = [token.text for token in doc]
        nouns = self.finder.lexicon.nouns
        match = nouns.swap_noun(words, at)
        if match is None:
            return None
        masculine = match.term.words if match.gender is Gender.MASCULINE else match.replacement
        new = self._neutral_word(" ".join(masculine).replace(" - ", "-"), plural=match.plural)
        after = doc[match.end].tag_ if match.end < len(doc) else ""
        title = new == "person" or match.term.words[0] in _OF_ORDERS
        if not new or (title and after.startswith("NNP")):  # *Lady Catherine* does not become *Person Catherine*
            return None
        if new == "non-binary" and doc[at].tag_ == "NN" and not after.startswith("NN"):
            new += " person"
        return Edit(match.start, match.end, _cased(doc, match.start, match.end, new.split(), noun=True))

    def _neutral_word(self, masculine: str, *, plural: bool) -> str:
        table = self.finder.demographics.neutral
        for word, (one, many) in table.items():
            if masculine == word and not plural:
                return one
            if plural and many and masculine in masculine_plurals().get(word, ()):
                return many
        for ending, new in (("man", "person"), ("men", "people")):
            if masculine.endswith(ending) and len(masculine) > len(ending) + 1:
                return masculine.removesuffix(ending) + new
        return ""

    def _race_or_age(self, text: ParsedText, chain: frozenset[int], choice: Choice) -> list[Edit] | None:
        """Race and age: every word of the chain that says the same, and the word itself. One person has one age: all
        that tells it is told anew, and a boy has grown up. None where a number is to say *of age* and nothing more,
        for one of whom months are told, and for *kids under 5*."""
        doc = text.doc
        if choice.word.axis == "age" and (ages.in_months(doc, chain) or ages.is_bounded(doc, choice.word.end)):
            return None
        if choice.target == "child" and any(doc[i].lower_ in _ADULTS for i in chain):
            return None
        edits: list[Edit] = []
        said: list[PerturbableWord] = []
        for mention in text.words:
            same = mention.axis == choice.word.axis and (
                mention.axis == "age" or mention.attribute == choice.word.attribute
            )
            said_again = mention.kind == "age" and ages.number(mention.text(doc)) == ages.number(choice.word.text(doc))
            said_again = said_again or _is_of_the_same_group(doc, mention, choice.word)
            if not same or not (mention.start in chain or mention == choice.word or said_again):
                continue
            if mention.kind == "age" and (choice.target == "adult" or is_unstated(choice.target)):
                return None
            said.append(mention)
        gender = _gender_said(text, chain)
        for mention in said:
            if is_unstated(choice.target):
                removed = self._removed(doc, mention)
                if removed is None:
                    return None
                edits += removed
                continue
            is_number = mention.kind == "age"
            edits += self._age(doc, mention, choice) if is_number else self._term(doc, mention, choice, said, gender)
        if choice.word.axis == "age":
            edits += self._grown(doc, chain - {i for edit in edits for i in range(edit.start, edit.end)}, choice)
        return edits

    def _removed(self, doc: Doc, mention: PerturbableWord) -> list[Edit] | None:
        """*Asian women → women, two seniors → two people*; None for what is said of somebody (*she is Asian*), and for
        names."""
        if mention.term is None:
            return None
        last = doc[mention.end - 1]
        if mention.term.reading in ("adjective", "old"):
            if last.dep_ not in NOUN_MODIFIERS or last.head.i < last.i or _is_in_a_list(doc, mention):
                return None
            following = doc[mention.end].text
            if doc[mention.start].text[:1].isupper() and (mention.start == 0 or doc[mention.start - 1].text in _OPENS):
                return [Edit(mention.start, mention.end + 1, (capitalised(following),))]
            return [Edit(mention.start, mention.end, ())]
        new = "people" if mention.term.plural else "person"
        return [Edit(mention.start, mention.end, _cased(doc, mention.start, mention.end, [new]))]

    def _term(
        self,
        doc: Doc,
        mention: PerturbableWord,
        choice: Choice,
        said: Collection[PerturbableWord],
        gender: Gender | None,
    ) -> Iterator[Edit]:
        """Of one of the words that are `said` of the person: a boy grows up, and is an elderly man if no other word
        says so. `gender`: the person's, as far as the text says it."""
        if mention.term is None:
            name = self._named(mention, doc[mention.start].text, choice.target, _words(doc), gender)
            yield Edit(mention.start, mention.end, (name,))
            return
        target = self.finder.demographics.targets[choice.target]
        grown = self.finder.demographics.grown.get(doc[mention.end - 1].lower_)
        if grown is not None:
            alone = all(doc[one.end - 1].lower_ in self.finder.demographics.grown for one in said)
            new = f"{target.adjective} {grown}" if alone and choice.target != "adult" else grown
            yield Edit(mention.start, mention.end, _cased(doc, mention.start, mention.end, new.split(), noun=True))
            return
        noun = target.plural if mention.term.plural else target.noun
        if gendered := _MAN.fullmatch(doc[mention.end - 1].lower_):  # a Frenchman
            noun = f"{target.adjective} {gendered[1]}"
        new = target.adjective if mention.term.reading in ("adjective", "old") else noun
        young = self.finder.demographics.young.get(doc[mention.end].lower_) if mention.end < len(doc) else None
        is_listed = young is not None and any(child.dep_ in ("cc", "conj") for child in doc[mention.end].children)
        if choice.target == "child" and mention.term.reading != "person" and young is not None and not is_listed:
            yield Edit(mention.start, mention.end + 1, _cased(doc, mention.start, mention.end, [young]))
            return
        if mention.attribute == "child" and mention.term.reading == "person" and is_possessed(doc[mention.end - 1]):
            adjective = "young adult" if choice.target == "young" else target.adjective  # my teenager, her newborn
            new = f"{adjective} {'children' if mention.term.plural else 'child'}"
        yield Edit(mention.start, mention.end, _cased(doc, mention.start, mention.end, new.split()))

    def _age(self, doc: Doc, mention: PerturbableWord, choice: Choice) -> Iterator[Edit]:
        if mention.attribute == choice.target:
            return
        words = [token.text for token in doc]
        glued = not doc[mention.start].whitespace_
        new = ages.rewritten(words, mention.start, mention.end, choice.target, glued=glued)
        yield Edit(mention.start, mention.end, new)
        unit = ages.agreeing(words, mention.end, new[-1])
        if unit:
            yield Edit(mention.end, mention.end + 1, (unit,))

    def _grown(self, doc: Doc, chain: Collection[int], choice: Choice) -> Iterator[Edit]:
        tables = self.finder.demographics
        table = tables.young if choice.target == "child" else tables.grown
        for at in sorted(chain):
            new = table.get(doc[at].lower_)
            if new and doc[at].tag_ in COMMON_NOUNS:
                yield Edit(at, at + 1, _cased(doc, at, at + 1, [new], noun=True))

    def _named(
        self, mention: PerturbableWord, name: str, target: str, used: Collection[str], gender: Gender | None
    ) -> str:
        """A name of the target's, of the same gender, that the text has not; always the same for a name and a text."""
        tables = self.finder.demographics
        known = tables.surnames if mention.kind == "surname" else tables.origins
        origin = known[without_accents(name.lower())]
        genders: tuple[str, ...] = (origin.gender,)
        if origin.gender and (gender is not None or origin.gender == "either"):
            genders = ("feminine", "masculine") if gender is None else (gender.value,)
        names = [name_ for gender in genders for name_ in tables.by_origin.get((target, gender), ())]
        pool = [name_ for name_ in names if name_.lower() not in used]
        if not pool:
            return name
        at = int.from_bytes(sha256(f"{self.seed}:{name.lower()}:{target}".encode()).digest()[:8], "big")
        return like_name(name, pool[at % len(pool)])


def _gender_said(text: ParsedText, chain: Collection[int]) -> Gender | None:
    """Of a person, by pronouns and nouns; of one of whom nothing is said, that of all others in the text."""
    words = [word for word in text.gendered if word.kind != "name"]
    attributes = {word.attribute for word in words if word.start in chain} or {word.attribute for word in words}
    return next(gender for gender, name in ATTRIBUTE.items() if name in attributes) if len(attributes) == 1 else None


def _is_of_the_same_group(doc: Doc, mention: PerturbableWord, word: PerturbableWord) -> bool:
    """*Black voters … black voters, a baby … the baby, the kids … the children*: what is said again."""
    texts = [one.text(doc).lower() for one in (mention, word)]
    if word.axis == "age" and word.kind == "term":
        return texts[0] == texts[1] or {*texts} <= _CHILDREN
    if texts[0] != texts[1]:
        return False
    lasts = [doc[one.end - 1] for one in (mention, word)]
    return all({last.tag_, last.head.tag_ if last.dep_ in NOUN_MODIFIERS else ""} & _PLURAL for last in lasts)


def _is_in_a_list(doc: Doc, mention: PerturbableWord) -> bool:
    """*a very old man, black and white women, an elderly, frail woman*: words around it need it."""
    around = [doc[i] for i in (mention.start - 1, mention.end) if 0 <= i < len(doc)]
    return any(token.tag_ in ("CC", ",", "RB", "RBR", "HYPH") or token.text in ("-", ",") for token in around)


def _as_low(doc: Doc, edit: Edit) -> Edit:
    """In a text that has no capitals the new words have none either: *an asian man* in lower-cased reviews."""
    if any(not token.is_lower and token.is_alpha for token in doc):
        return edit
    return replace(edit, replacement=tuple(word.lower() for word in edit.replacement))


def _words(doc: Doc) -> frozenset[str]:
    return frozenset(token.lower_ for token in doc)


def neutral_name(name: str, *, used: Collection[str] = ()) -> str:
    """A name for all genders that is none of the lower-cased words `taken`; with the same initial if there is one."""
    free = [name_ for name_ in NEUTRAL_NAMES if name_.lower() not in used and name_.lower() != name.lower()]
    pool = [name_ for name_ in free if name_[0] == name[:1].upper()] or free or [name]
    at = int.from_bytes(sha256(name.lower().encode()).digest()[:8], "big")
    return like_name(name, pool[at % len(pool)])


def _cased(doc: Doc, start: int, end: int, new: Sequence[str], *, noun: bool = False) -> tuple[str, ...]:
    """The new words with a capital where the old ones have one that a sentence's beginning gave them (or a title's:
    *Mr*; a `noun`'s anywhere: *Mother*), or all in capitals as they are. A word with a capital of its own (*Asian*)
    keeps it, and gives none away."""
    old = doc[start].text
    letters = "".join(token.text for token in doc[start:end] if token.text.isalpha())
    if len(letters) > 1 and letters.isupper():
        return tuple(word.upper() for word in new)
    begins = start == 0 or doc[start - 1].text in _OPENS
    title = end < len(doc) and doc[end].tag_ == "NNP"
    return (capitalised(new[0]) if old[:1].isupper() and (noun or begins or title) else new[0], *new[1:])


def articles(doc: Doc, changed: Sequence[Edit]) -> Iterator[Edit]:
    """*a* or *an* before what has changed."""
    for edit in changed:
        before = doc[edit.start - 1] if edit.start else None
        after = doc[edit.end].text if edit.end < len(doc) else ""
        if before is None or before.lower_ not in _ARTICLES or not (edit.replacement or after):
            continue
        right = article((*edit.replacement, after)[0])
        if right != before.lower_ and article(doc[edit.start].text) == before.lower_:
            yield Edit(before.i, before.i + 1, (like(before.text, right),))


def _genitives(doc: Doc, changed: Sequence[Edit]) -> Iterator[Edit]:
    """*the boys' room, the children's room*: the mark behind a new word, by its ending."""
    for edit in changed:
        mark = doc[edit.end] if edit.end < len(doc) else None
        if mark is None or mark.tag_ != "POS" or not edit.replacement:
            continue
        last = doc[edit.end - 1]
        bare = edit.replacement[-1].lower().endswith("s") and (last.tag_.endswith("S") or len(mark.text) == 1)
        new = mark.text[0] + ("" if bare else "S" if last.is_upper else "s")
        if new != mark.text:
            yield Edit(mark.i, mark.i + 1, (new,))
