"""What happens where a swap falls inside a correction: the reviewed table (Lund et al. 2023, end of §3.1 and §3.2).

source word                         target word         what the source gets
----------------------------------  ------------------  ----------------------------------------------------
he       the same form              he → they           they: the same change on its own word
his      other gender, same form    her → their         their; if nothing is left to correct: correction_lost
him      another form               he → they           them: its own form of the same change (case error kept)
sisters  same noun, other number    sister → brother    brothers
Micheal  one slip away, no word     Michael → Kristyn   the same slip (unless strict)
is       same lemma or copula       was → were          are
likes    same lemma, no visible     liked               like: the subject it agrees with has changed
like     same lemma, plain form     likes → like        nothing to correct any more: correction_lost, or, when
                                                        mirrored, likes (*he like* → *they likes*)
–        nothing gendered here      any                 left alone
he       –                          no counterpart      they, where every *he* of the target became *they* (fm: always);
                                                        otherwise source_only_gendered or counterpart_mismatch
she is   –                          no counterpart      they are
is       –                          they, right before  are: *he [has] visited*
.She     glued to a full stop       She → They          .They
rose     same word, a capital       Rose → Ryan         ryan
'        behind James               ' → 's              's, behind the new word; an error (ladies 's) stays
guise    a noun or name misspelt    guys → gals         counterpart_mismatch, unless it is one slip away
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gec_fair.augmentation.checks import is_glued, is_written_onto
from gec_fair.augmentation.counterpart import Side, became_alike, genders, match, misspelt, realise, slips
from gec_fair.augmentation.planning.gendered import Gendered, find_gendered
from gec_fair.augmentation.planning.spelling import near
from gec_fair.augmentation.planning.swap import (
    AgreementChange,
    ArticleChange,
    Change,
    NameChange,
    NounChange,
    PossessiveChange,
    PronounChange,
    Swap,
)
from gec_fair.augmentation.planning.verbs import agreement_edits
from gec_fair.edits import Edit, Meeting
from gec_fair.english import inflect
from gec_fair.english.agreement import before_adverbs
from gec_fair.english.lexicons.lexicon import Lexicon
from gec_fair.english.lexicons.paradigms import Form, Gender, forms_of
from gec_fair.english.possessives import is_mark
from gec_fair.english.pronouns import likely_form

_FEW = 2  # chosen by hand, as the next
_LONG = 5


@dataclass(frozen=True, slots=True)
class Decider:
    """Answers `edits.carry` for one plan over one pair.

    `source` and `target` are all words of both sides; `nominals`: nouns and names are swapped too (fm), so they must
    be explained on the source; `direction`: the one gender that is swapped; `strict`: no misspellings; `mirror`:
    agreement errors that would vanish are mirrored; `may_vanish`: they may, and so may any correction (where the
    correction is a system's and nothing is trained on it). `forms`: what *her* and *his* are at these places of the
    source, where somebody has looked.
    """

    swaps: tuple[Swap, ...]
    source: tuple[str, ...]
    target: tuple[str, ...]
    lexicon: Lexicon
    nominals: bool
    direction: Gender | None = None
    strict: bool = False
    mirror: bool = False
    may_vanish: bool = False
    forms: Mapping[int, Form] = field(default_factory=dict)

    def __call__(self, meeting: Meeting) -> tuple[Edit, ...] | str:
        """Edits of the correction's source words, or one of `parallel.REASONS`."""
        if not meeting.source:
            return ()
        start, end = meeting.target_start, meeting.target_start + len(meeting.target)
        swaps = [swap for swap in self.swaps if start <= swap.start and swap.end <= end]
        items = find_gendered(meeting.source, self.lexicon, nominals=self.nominals)
        subjects, owner = [-1] * self._is_behind_subject(meeting), self._owner(meeting)
        if not (items or swaps or subjects or owner):
            return ()
        items = sorted([*items, *_same_words(meeting, items, swaps)], key=lambda item: item.start)
        places = {at for item in items for at in range(item.start, item.end)}
        sides = self._target_side(meeting, swaps)
        pairs = match(items, sides)
        swapped = [(realise(item, side.swap), item, side) for item, side in pairs if side and side.swap]
        lone = self._refuse(pairs, swapped) or self._swap_lone(meeting, pairs, sides, places)
        if isinstance(lone, str):
            return lone
        edits = [*(edit for edit, _, _ in swapped), *lone]
        agreement = agreement_edits(
            meeting.source,
            places | {edit.start for edit in edits},
            swaps,
            before=self._before(meeting),
            mirror=self.mirror,
            subjects=[*subjects, *(item.start for _, item, side in swapped if _takes_plural(side.swap))],
            may_vanish=self.may_vanish,
        )
        if isinstance(agreement, str):
            return agreement
        edits += agreement
        edits += _possessives(meeting.source, items, edits, owner)
        edits += _articles(meeting.source, meeting.target, swaps, meeting.target_start)
        return tuple(sorted(e for e in edits if tuple(meeting.source[e.start : e.end]) != e.replacement))

    def _refuse(
        self, pairs: Sequence[tuple[Gendered, Side | None]], swapped: Sequence[tuple[Edit, Gendered, Side]]
    ) -> str:
        """Why the source's words cannot follow their counterparts; "" if they can."""
        if self.strict and any(misspelt(item, side) for item, side in pairs):
            return "counterpart_mismatch"
        if not self.may_vanish and any(became_alike(edit, item, side) for edit, item, side in swapped):
            return "correction_lost"
        is_wrong = any(_is_wrong_name(item, edit, self.lexicon) for edit, item, _ in swapped)
        return "counterpart_mismatch" if is_wrong else ""

    def _swap_lone(
        self, meeting: Meeting, pairs: Sequence[tuple[Gendered, Side | None]], sides: Sequence[Side], places: set[int]
    ) -> list[Edit] | str:
        """Words of the source without a counterpart, and misspelt words for those of the target that have none; or why
        there are none. `places` are those of the source's gendered words."""
        edits = self._pair_words([item for item, side in pairs if side is None], meeting)
        if edits is None:
            return "counterpart_mismatch" if sides else "source_only_gendered"
        used, matched = places | {edit.start for edit in edits}, {id(side) for _, side in pairs}
        unmatched = [side for side in sides if id(side) not in matched and side.swap is not None]
        edits += [] if self.strict else slips(meeting.source, used, unmatched)
        free = [word for at, word in enumerate(meeting.source) if at not in used]
        if any(_stands_for(free, side) or _is_written_onto_another(meeting.source, side) for side in unmatched):
            return "counterpart_mismatch"
        return edits

    def _pair_words(self, items: Sequence[Gendered], meeting: Meeting) -> list[Edit] | None:
        """Gendered source words without a counterpart; None if the plan does not explain one of them."""
        edits: list[Edit] = []
        for item in items:
            change = self._explain_swap(item, meeting)
            if change is None:
                return None
            edits.append(realise(item, change))
            if _takes_plural(change) and (at := _verb_beside(item, meeting.source)) is not None:
                new = inflect.plural_form(meeting.source[at], lemma="be")
                edits.append(Edit(at, at + 1, (new or meeting.source[at],)))
        return edits

    def _explain_swap(self, item: Gendered, meeting: Meeting) -> Swap | None:
        """The swap that a source word gets although no word of the target stands for it."""
        if item.kind == "noun":
            if self.direction not in (None, item.gender):
                return _swap(NounChange(item.words, ()))
            return _swap(NounChange(item.words, item.to)) if item.certain else None
        if item.kind == "name":  # the counterpart that it has elsewhere in the text
            mappings = (swap.change.mapping for swap in self.swaps if isinstance(swap.change, NameChange))
            mapping = next((mapping for mapping in mappings if item.words[0] in mapping), None)
            return None if mapping is None else _swap(NameChange(item.words[0], mapping))
        form = self.forms.get(meeting.source_start + item.start)
        if form is None:
            form = likely_form(item.words[0], tuple(self.source[meeting.source_start + item.end :][:2]))
        gender = next(iter(genders(item)))
        if self.nominals:
            return _swap(PronounChange(form, None, self.direction))
        alike = {at for at, word in enumerate(self.target) if gender in {g for g, _ in forms_of(word.lower())}}
        changes = [s.change for s in self.swaps if s.start in alike and isinstance(s.change, PronounChange)]
        return _swap(PronounChange(form, changes[0].to)) if changes and len(changes) == len(alike) else None

    def _before(self, meeting: Meeting) -> str:
        return self.source[meeting.source_start - 1] if meeting.source_start else ""

    def _is_behind_subject(self, meeting: Meeting) -> bool:
        """Whether the correction begins right behind a subject whose verbs change, on both sides.

        Adverbs are skipped, and a verb that the correction has moved: *he never [has] gone*, for *he [had] never gone*.
        """
        source = before_adverbs(self.source, meeting.source_start)
        target = before_adverbs(self.target, meeting.target_start)
        subjects = {swap.start: swap.subject for swap in self.swaps if isinstance(swap.change, AgreementChange)}
        subject = subjects.get(target)
        target = target if subject is None else subject
        is_subject = any(_takes_plural(swap) and swap.start == target for swap in self.swaps)
        return is_subject and source >= 0 and self.source[source].lower() == self.target[target].lower()

    def _owner(self, meeting: Meeting) -> PossessiveChange | None:
        """What happens to a mark that begins the correction, behind a word that changes: *Marcus [' sister]*."""
        if not is_mark(meeting.source[0]):
            return None
        for swap in self.swaps:
            if isinstance(swap.change, PossessiveChange) and swap.start == meeting.target_start:
                return swap.change
            if isinstance(swap.change, NounChange | NameChange) and swap.end == meeting.target_start:
                is_plural = isinstance(swap.change, NounChange) and swap.change.is_plural
                return PossessiveChange(self._before(meeting), swap.new[-1], is_plural)
        return None

    def _target_side(self, meeting: Meeting, swaps: Sequence[Swap]) -> list[Side]:
        """Gendered words of the target, planned and unplanned, in order."""
        first = meeting.target_start
        nominals = [s for s in swaps if isinstance(s.change, PronounChange | NounChange | NameChange)]
        planned = [Side(_planned_item(s, meeting.target, first), s) for s in nominals]
        occupied = {i for side in planned for i in range(side.item.start, side.item.end)}
        items = find_gendered(meeting.target, self.lexicon, nominals=self.nominals)
        left = [Side(item, None) for item in items if not occupied.intersection(range(item.start, item.end))]
        return sorted(planned + left, key=lambda side: side.item.start)


def _verb_beside(item: Gendered, source: Sequence[str]) -> int | None:
    """The verb behind a pronoun that the correction removes, or before it in an inversion (*hardly ever is he*)."""
    if item.end < len(source) and inflect.is_singular(source[item.end]):
        return item.end
    return item.start - 1 if item.start and inflect.is_closed_singular(source[item.start - 1]) else None


def _same_words(meeting: Meeting, items: Sequence[Gendered], swaps: Sequence[Swap]) -> list[Gendered]:
    """*rose* for *Rose*, *miss Smith* for *Miss Smith*: a word of the source that is gendered only with the capital
    that the correction gives it."""
    used = {at for item in items for at in range(item.start, item.end)}
    same: list[Gendered] = []
    for swap in swaps:
        if not isinstance(swap.change, NameChange | NounChange) or swap.end - swap.start > 1 or len(swap.new) > 1:
            continue
        word = meeting.target[swap.start - meeting.target_start].lower()
        places = [at for at, written in enumerate(meeting.source) if written.lower() == word]
        if len(places) == 1 == sum(written.lower() == word for written in meeting.target) and not used & {*places}:
            kind = "name" if isinstance(swap.change, NameChange) else "noun"
            written = meeting.source[places[0]]
            same.append(Gendered(places[0], places[0] + 1, kind, (written,), to=(swap.new[0].lower(),)))
            used.add(places[0])
    return same


def _stands_for(free: Sequence[str], side: Side) -> bool:
    """Whether one of a few free source words is a target word misspelt, or has it glued to something (*Hes*).

    In a longer correction nearness says nothing of a short word: some function word is always near a pronoun.
    """
    meant = side.item.words[0].lower()
    if side.item.kind != "pronoun" and len(meant) >= _LONG and any(_is_misspelt(word.lower(), meant) for word in free):
        return True
    return 0 < len(free) <= _FEW and any(near(word.lower(), meant) or is_glued(word.lower(), meant) for word in free)


def _is_misspelt(word: str, meant: str) -> bool:
    """*grandmohters* for *grandmothers*, *exgirlfriend* for *girlfriend*"""
    return (word[0] == meant[0] and near(word, meant)) or (word != meant and word.endswith(meant))


def _is_written_onto_another(source: Sequence[str], side: Side) -> bool:
    meant = side.item.words[0].lower()
    return any(is_written_onto(word.lower(), meant) for word in source)


def _is_wrong_name(item: Gendered, edit: Edit, lexicon: Lexicon) -> bool:
    """Whether a slip carried over made another name: *Anna* for *Anne* would give *Antonia* for *Antonio*."""
    new = edit.replacement[0]
    slipped = item.kind == "name" and lexicon.names.counterpart(item.words[0], proper=True) != new
    gender = lexicon.names.gender(new)
    return slipped and gender is not None and gender is lexicon.names.gender(item.words[0])


def _planned_item(swap: Swap, target: Sequence[str], first: int) -> Gendered:
    start, end = swap.start - first, swap.end - first
    kinds = {PronounChange: "pronoun", NounChange: "noun", NameChange: "name"}
    return Gendered(start, end, kinds[type(swap.change)], tuple(target[start:end]))


def _takes_plural(swap: Swap | None) -> bool:
    return swap is not None and isinstance(swap.change, PronounChange) and swap.change.takes_plural


def _swap(change: Change) -> Swap:
    """A swap that is not in the target."""
    return Swap(0, 0, (), change)


def _articles(source: Sequence[str], target: Sequence[str], swaps: Sequence[Swap], first: int) -> list[Edit]:
    """*a* or *an* that stands on both sides of the correction changes on both."""
    edits: list[Edit] = []
    for swap in swaps:
        if isinstance(swap.change, ArticleChange):
            article = target[swap.start - first]
            at = [i for i, word in enumerate(source) if word.lower() == article.lower()]
            if len(at) == 1:
                edits.append(Edit(at[0], at[0] + 1, (swap.change.realise(source[at[0]]) or source[at[0]],)))
    return edits


def _possessives(
    source: Sequence[str], items: Sequence[Gendered], edits: Sequence[Edit], owner: PossessiveChange | None
) -> list[Edit]:
    """The marks behind the source's new nouns and names; `owner`: of the word before the correction."""
    many = {item.end for item in items if item.is_plural}
    new = {
        edit.end: PossessiveChange(source[edit.end - 1], edit.replacement[-1], edit.end in many)
        for edit in edits
        if edit.end > edit.start and edit.replacement
    }
    new |= {} if owner is None else {0: owner}
    lone = [at for at, word in enumerate(source) if is_mark(word) and len(word) == 1]
    is_quoted = bool(lone) and (len(lone) % 2 == 0 or lone[0] not in new)
    marks = [at for at in new if at < len(source) and is_mark(source[at]) and not (at in lone and is_quoted)]
    return [Edit(at, at + 1, (new[at].realise(source[at]),)) for at in marks]
