"""Singular-they CDA (Lund et al. 2023, §3.2): rewrite he/she where the text itself shows that one person is meant.

    Each person should save energy to protect his own life .    person ~ his: a singular antecedent
    He forgot his hat .                                          he ~ his, and *his* possesses a singular noun
    She is a linguist .                                          a singular noun predicated of the pronoun

The gate is asked once for each coreference cluster; clusters that do not pass keep their pronouns. With the gate
open every he/she is rewritten (Sun et al. 2021, Vanmassenhove et al. 2021). Gendered nouns stay: *my father … their
hat* is what the method is for. Neopronouns are planned here too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gec_fair.augmentation.planning.swap import AgreementChange, PronounChange, Swap, Swaps
from gec_fair.corpus.outcome import Discarded, Left
from gec_fair.english import agreement, inflect
from gec_fair.english.clauses import is_subject
from gec_fair.english.labels import NOUNS, PAST_FORMS, POSSESSIVES, SINGULAR_NOUNS, SUBJECTS
from gec_fair.english.lexicons.paradigms import Form, Paradigm, forms_of, pronoun_tokens
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.once import texts
from gec_fair.english.pronouns import is_name, paired_pronouns
from gec_fair.people.people import NonPersons, people_in

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from gec_fair.people.links import Cluster

PRONOUNS = pronoun_tokens()
_PREPOSITIONS = frozenset({"prep", "agent"})
_NOMINAL = NOUNS | {"PRP", "CD"}
_PERFECT = word_list("perfect_participles")
_PERFECT_OR_PASSIVE = word_list("perfect_or_passive_participles")
_EVER = frozenset({"ever", "never"})
_AFTER_A_PASSIVE = word_list("words_after_a_passive_participle")
_WAS = frozenset(["was", "wasnt", "wasn't", "wasn’t"])


def plan(doc: Doc, clusters: Sequence[Cluster], to: Paradigm, *, gate: bool = True, non_persons: NonPersons) -> Swaps:
    """The swaps for one text; `agreement_unsure`, with the verb, when one cannot be inflected. The text is left as a
    `thing` where all that would be swapped belongs to `non_persons`, by the `gate` where no group passes it, and as a
    `pair` where it has *he or she* alone."""
    swaps: list[Swap] = []
    everyone = groups(doc, clusters)
    chosen = _passing(everyone) if gate else everyone
    pronouns = [token for group in chosen for token in group.pronouns]
    if not pronouns:
        refused = min((token.i for group in everyone for token in group.pronouns), default=None)
        return _leave(doc) if refused is None else Left("gate", doc[refused].text)
    persons = [token for token in pronouns if token.i not in non_persons.places]
    if not persons:
        return Left("thing", f"{min(pronouns).text} ~ {non_persons.word}")
    for token in persons:
        new = pronoun_swaps(token, to)
        if isinstance(new, Discarded):
            return new
        swaps += new
    changed = {swap.start for swap in swaps}
    for subject in persons if to.plural_agreement else ():
        is_nominative = any(form is Form.NOMINATIVE for _, form in forms_of(subject.lower_))
        verb = agreement.left_behind(subject, changed) if is_nominative else None
        if verb is not None:
            return Discarded("agreement_unsure", f"{subject.text} … {verb.text}")
    # one swap a place: a verb may agree by two ways (a relative clause and its own subject)
    return sorted({swap.start: swap for swap in swaps}.values(), key=lambda swap: swap.start)


def _leave(doc: Doc) -> Swaps:
    """A text whose pronouns all belong to a pair of both genders or are surnames, or that has none."""
    words = texts(doc)
    pronouns = [token for token in doc if token.lower_ in PRONOUNS]
    if not pronouns:
        return []
    pair = next((token.text for token in pronouns if not is_name(words, token.i)), None)
    return Left("doubt", pronouns[0].text) if pair is None else Left("pair", pair)


def _passing(groups: Sequence[Group]) -> list[Group]:
    """The groups that pass the gate, and those that must be the same person: *his name is Mohamed, but he …*. Pronouns
    of the same gender without a mention of their own belong to the person before them, or to one without a mention."""
    passing = [group for group in groups if shows_one_person(group)]
    rest = [group for group in groups if not group.heads and group not in passing]
    return passing + [group for group in rest if any(_continues(group, before) for before in passing)]


def _continues(group: Group, before: Group) -> bool:
    pronoun, earlier = group.pronouns[0], before.pronouns[0]
    alike = {gender for gender, _ in forms_of(pronoun.lower_)} & {gender for gender, _ in forms_of(earlier.lower_)}
    return bool(alike) and (not before.heads or earlier < pronoun)


@dataclass(frozen=True, slots=True)
class Group:
    """The he/she pronouns of a cluster, and the heads of its other mentions."""

    pronouns: tuple[Token, ...]
    heads: tuple[Token, ...] = ()


def groups(doc: Doc, clusters: Sequence[Cluster]) -> list[Group]:
    """Every he/she pronoun in exactly one group; one that no cluster holds is its own group."""
    words = texts(doc)
    gendered = {t.i for t in doc if t.lower_ in PRONOUNS and not is_name(words, t.i)} - paired_pronouns(doc)
    groups: list[Group] = []
    for cluster in clusters:
        mine = [m.head for m in cluster if m.head in gendered and m.end - m.start == 1]
        if mine:
            pronouns = tuple(doc[i] for i in mine)
            heads = [doc[m.head] for m in cluster if m.head not in mine]
            groups.append(Group(pronouns, (*heads, *_binders(pronouns))))
            gendered.difference_update(mine)
    lone = [(doc[i],) for i in sorted(gendered)]
    return groups + [Group(pronouns, _binders(pronouns)) for pronouns in lone]


def _binders(pronouns: Sequence[Token]) -> tuple[Token, ...]:
    """The nouns that bind reflexives: a reflexive is its clause's subject (*my brother taught himself*)."""
    reflexives = [t for t in pronouns if any(form is Form.REFLEXIVE for _, form in forms_of(t.lower_))]
    subjects = [child for token in reflexives for child in _verb_above(token).children if child.dep_ in SUBJECTS]
    return tuple(subject for subject in subjects if subject.lower_ not in PRONOUNS)


def _verb_above(token: Token) -> Token:
    """The head of a token; ClearNLP has *himself* below the preposition in *he whispered to himself*."""
    head = token.head
    while head.dep_ in _PREPOSITIONS:
        head = head.head
    return head


def shows_one_person(group: Group) -> bool:
    """The gate: a singular mention, a possessed singular noun, or a singular noun predicate."""
    return any(map(_is_singular, group.heads)) or any(
        _possesses_one(pronoun) or _is_called_one(pronoun) for pronoun in group.pronouns
    )


def needs_clusters(doc: Doc) -> bool:
    """Whether the gate can depend on who is who: not without a singular noun, nor if every pronoun passes alone."""
    if not any(token.tag_ in SINGULAR_NOUNS for token in doc):
        return False
    return not all(map(shows_one_person, groups(doc, ())))


def pronoun_swaps(token: Token, to: Paradigm) -> list[Swap] | Discarded:
    """The swaps of one pronoun and of the verb that agrees with it, or why there are none."""
    form = people_in(token.doc).form_of(token)
    assert form is not None
    change = PronounChange(form, to)
    new = change.realise(token.text)
    assert new is not None
    swaps = [Swap(token.i, token.i + 1, (new,), change, subject=token.i)]
    if not to.plural_agreement:
        return swaps
    for verb in agreement.agreeing(token, nominative=form is Form.NOMINATIVE):
        swap = _verb_swap(verb, token.i)
        if swap is None:
            return Discarded("agreement_unsure", f"{token.text} … {verb.text}")
        swaps.append(swap)
    return swaps


def _verb_swap(verb: Token, subject: int) -> Swap | None:
    misspelt = verb.tag_ == "VBP" and verb.lower_.endswith("s") and not verb.lower_.endswith("ss")  # *she studys*
    shows = misspelt or verb.tag_ in ("VBZ", "NNS") or verb.lower_ in _WAS
    change = AgreementChange(_clitic_lemma(verb) or inflect.verb_lemma(verb.text))
    new = change.realise(verb.text) if shows else verb.text
    return None if new is None else Swap(verb.i, verb.i + 1, (new,), change, silent=new == verb.text, subject=subject)


def _clitic_lemma(verb: Token) -> str:
    """*'s* is *has* before *been, got, gone* and the like, and as auxiliary of a participle (*he 's lost his key*). It
    is *has* before *left, won, forgotten* too, unless a word of the passive follows (*she 's left alone*), and *is* in
    all other places (*he 's tall*, *he 's going*, *he 's called Tom*)."""
    if verb.lower_ not in inflect.IS_OR_HAS:
        return ""
    between = agreement.ADVERBS | PRONOUNS  # *he's never been*, *how's she been*
    words = [*(token.lower_ for token in verb.doc[verb.i + 1 :] if token.lower_ not in between), "", ""]
    is_perfect = words[0] in _PERFECT or (words[0] in _PERFECT_OR_PASSIVE and words[1] not in _AFTER_A_PASSIVE)
    following = [token for token in verb.doc[verb.i + 1 : verb.i + 3] if token.lower_ in _EVER or token.tag_ == "VBN"]
    is_perfect = is_perfect or (len(following) == 2 and words[1] not in _AFTER_A_PASSIVE)  # *he 's never opened it*
    return "have" if is_perfect or (verb.dep_ == "aux" and verb.head.tag_ in PAST_FORMS) else "be"


def _is_singular(token: Token) -> bool:
    """A singular common or proper noun that is not coordinated (*Michael and Kate* are two). *His name is Michael, but
    he is late* coordinates clauses."""
    return token.tag_ in SINGULAR_NOUNS and not any(
        child.dep_ == "conj" and child.tag_ in _NOMINAL for child in token.children
    )


def _possesses_one(token: Token) -> bool:
    is_possessor = token.dep_ in POSSESSIVES and token.head.tag_ in SINGULAR_NOUNS
    form = people_in(token.doc).form_of(token) if is_possessor else Form.ACCUSATIVE
    return form is not Form.ACCUSATIVE  # *it made her cry* is parsed like *her book*


def _is_called_one(token: Token) -> bool:
    """*she is a linguist*: under UD the noun is the head, under ClearNLP an `attr` of the copula."""
    if not is_subject(token):
        return False
    head = token.head
    if head.tag_ in SINGULAR_NOUNS:
        labels = {child.dep_ for child in head.children}
        return "cop" in labels and "case" not in labels  # *he is from Lyon* says nothing of him
    return any(child.dep_ == "attr" and child.tag_ in SINGULAR_NOUNS for child in head.children)
