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
.She     glued to a full stop       She → They          .They
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from gec_fair.augment.gendered import Gendered, gendered_words
from gec_fair.augment.spelling import is_slip, same_slip
from gec_fair.augment.swap import (
    AgreementChange,
    ArticleChange,
    Change,
    NameChange,
    NounChange,
    PronounChange,
    Swap,
    recased,
)
from gec_fair.edits import Edit, Meeting
from gec_fair.english import inflect
from gec_fair.english.letters import capitalised, like
from gec_fair.english.lexicon import Lexicon
from gec_fair.english.paradigms import Form, Gender, forms_of, pronoun_tokens
from gec_fair.english.pronouns import likely_form

REASONS = ("source_only_gendered", "counterpart_mismatch", "agreement_unsure", "correction_lost")

_CLOSED_SINGULAR = frozenset({"is", "was", "has", "does"})


@dataclass(frozen=True, slots=True)
class Side:
    """A gendered word of the target: `swap` is None where the plan leaves it (another cluster's pronoun)."""

    item: Gendered
    swap: Swap | None


@dataclass(frozen=True, slots=True)
class Decider:
    """Answers `edits.carry` for one plan over one pair.

    `source` and `target` are all words of both sides; `nominals`: nouns and names are swapped too (fm), so they must
    be explained on the source; `strict`: no misspellings; `mirror`: agreement errors that would vanish are mirrored.
    """

    swaps: tuple[Swap, ...]
    source: tuple[str, ...]
    target: tuple[str, ...]
    lexicon: Lexicon
    nominals: bool
    strict: bool = False
    mirror: bool = False

    def __call__(self, meeting: Meeting) -> tuple[Edit, ...] | str:
        """Edits of the correction's source words, or one of `REASONS`."""
        if not meeting.source:
            return ()
        swaps = self._inside(meeting)
        here = gendered_words(meeting.source, self.lexicon, nominals=self.nominals)
        if not here and not swaps:
            return ()
        there = self._target_side(meeting, swaps)
        pairs = _match(here, there)
        if self.strict and any(_misspelt(item, side) for item, side in pairs):
            return "counterpart_mismatch"
        swapped = [(item, side.swap) for item, side in pairs if side is not None and side.swap is not None]
        found = [_realised(item, swap) for item, swap in swapped]
        if any(_became_alike(edit, item, swap, meeting) for edit, (item, swap) in zip(found, swapped, strict=True)):
            return "correction_lost"
        lone = self._unpaired([item for item, side in pairs if side is None], meeting)
        if lone is None:
            return "counterpart_mismatch" if there else "source_only_gendered"
        found += lone
        used = {i for item in here for i in range(item.start, item.end)} | {e.start for e in lone}
        if not self.strict:
            matched = {id(side) for _, side in pairs}
            found += _slips(meeting.source, used, [s for s in there if id(s) not in matched])
        agreement = self._agreement(meeting.source, used, swaps)
        if isinstance(agreement, str):
            return agreement
        found += agreement
        found += _articles(meeting.source, meeting.target, swaps, meeting.target_start)
        return tuple(sorted(e for e in found if tuple(meeting.source[e.start : e.end]) != e.replacement))

    def _unpaired(self, items: Sequence[Gendered], meeting: Meeting) -> list[Edit] | None:
        """Gendered source words without a counterpart; None if the plan does not explain one of them."""
        found: list[Edit] = []
        for item in items:
            change = self._explained(item, meeting)
            if change is None:
                return None
            found.append(_realised(item, change))
            agreeing = meeting.source[item.end : item.end + 1]
            if _takes_plural(change) and agreeing and inflect.is_singular(agreeing[0]):
                new = inflect.plural_form(agreeing[0], lemma="be")
                found.append(Edit(item.end, item.end + 1, (new or agreeing[0],)))
        return found

    def _explained(self, item: Gendered, meeting: Meeting) -> Swap | None:
        """The swap that a source word gets although no word of the target stands for it."""
        if item.kind == "noun":
            return _swap(NounChange(item.words, item.to)) if item.certain else None
        if item.kind == "name":
            return self._same_name(item)
        form = likely_form(item.words[0], self.source[meeting.source_start + item.end :][:1])
        gender = next(iter(_genders(item)))
        if self.nominals:
            only = next((s.change.only for s in self.swaps if isinstance(s.change, PronounChange)), None)
            return _swap(PronounChange(form, None, only))
        alike = [
            s
            for s in self.swaps
            if isinstance(s.change, PronounChange) and gender in {g for g, _ in forms_of(self.target[s.start].lower())}
        ]
        total = sum(gender in {g for g, _ in forms_of(word.lower())} for word in self.target)
        if not alike or len(alike) != total:
            return None
        assert isinstance(alike[0].change, PronounChange)
        return _swap(PronounChange(form, alike[0].change.to))

    def _same_name(self, item: Gendered) -> Swap | None:
        """The counterpart that the name has elsewhere in the text."""
        for swap in self.swaps:
            if isinstance(swap.change, NameChange) and item.words[0] in swap.change.mapping:
                return _swap(NameChange(item.words[0], swap.change.mapping))
        return None

    def _inside(self, meeting: Meeting) -> list[Swap]:
        start, end = meeting.target_start, meeting.target_start + len(meeting.target)
        return [s for s in self.swaps if start <= s.start and s.end <= end]

    def _target_side(self, meeting: Meeting, swaps: Sequence[Swap]) -> list[Side]:
        """Gendered words of the target, planned and unplanned, in order."""
        first = meeting.target_start
        planned = [
            Side(_planned_item(s, meeting.target, first), s)
            for s in swaps
            if isinstance(s.change, PronounChange | NounChange | NameChange)
        ]
        taken = {i for side in planned for i in range(side.item.start, side.item.end)}
        left = [
            Side(item, None)
            for item in gendered_words(meeting.target, self.lexicon, nominals=self.nominals)
            if not taken.intersection(range(item.start, item.end))
        ]
        return sorted(planned + left, key=lambda side: side.item.start)

    def _agreement(self, source: Sequence[str], used: set[int], swaps: Sequence[Swap]) -> list[Edit] | str:
        verbs = [s for s in swaps if isinstance(s.change, AgreementChange)]
        free = [i for i in range(len(source)) if i not in used and source[i][-1:].isalpha()]
        if not verbs:
            return []
        found: list[Edit] = []
        for swap, at in _match_verbs(verbs, source, free):
            if at is None:
                continue
            free.remove(at)
            new = self._verb(source[at], swap)
            if new is None:
                return "agreement_unsure"
            if new == "":
                return "correction_lost"
            found.append(Edit(at, at + 1, (new,)))
        if any(source[i].lower() in _CLOSED_SINGULAR for i in free) and len(found) < len(verbs):
            return "agreement_unsure"
        return found

    def _verb(self, word: str, swap: Swap) -> str | None:
        """The source verb's new form; "" where its agreement error would vanish, None where the verb is unknown."""
        assert isinstance(swap.change, AgreementChange)
        if inflect.is_singular(word):
            return swap.change.realise(word)
        if not swap.silent and word.lower() != "be" and inflect.is_plain(word):
            mirrored = inflect.singular_form(word)
            return mirrored if self.mirror else ""
        return word


def _planned_item(swap: Swap, target: Sequence[str], first: int) -> Gendered:
    start, end = swap.start - first, swap.end - first
    kinds = {PronounChange: "pronoun", NounChange: "noun", NameChange: "name"}
    return Gendered(start, end, kinds[type(swap.change)], tuple(target[start:end]))


def _match(here: Sequence[Gendered], there: Sequence[Side]) -> list[tuple[Gendered, Side | None]]:
    """Pair source items with target items, in order, for the best total fit; None beside an item without a partner.

    Small dynamic programme over (source items, target items); both are rarely more than three.
    """
    best: list[list[tuple[int, tuple[int | None, ...]]]] = [[(0, ())] * (len(there) + 1)]
    for item in here:
        row = [(best[-1][0][0], (*best[-1][0][1], None))]
        for j, side in enumerate(there):
            score, taken = best[-1][j]
            fit = _fit(item, side)
            above, skipped = best[-1][j + 1]
            options = [row[j], (above, (*skipped, None))]
            options += [(score + fit, (*taken, j))] if fit else []
            row.append(max(options, key=lambda o: o[0]))
        best.append(row)
    return [(item, None if j is None else there[j]) for item, j in zip(here, best[-1][-1][1], strict=True)]


def _fit(item: Gendered, side: Side) -> int:
    """How well a source item fits a target item: 4 same word, 3 same form or noun, 1 another one; 0 not at all."""
    other = side.item
    if item.kind != other.kind:
        return 0
    if _lower(item.words) == _lower(other.words):
        return 4
    if item.kind == "pronoun":
        forms = {form for _, form in forms_of(item.words[0].lower())}
        theirs = (
            {side.swap.change.form}
            if side.swap and isinstance(side.swap.change, PronounChange)
            else {form for _, form in forms_of(other.words[0].lower())}
        )
        return 3 if forms & theirs else 1 if _genders(item) & _genders(other) else 0
    if item.kind == "noun":
        own, swapped = _noun_key(item.words), _noun_key(item.to)
        return 3 if _noun_key(other.words) in (own, swapped) else 1
    return 2 if is_slip(item.words[0], other.words[0]) else 0


def _misspelt(item: Gendered, side: Side | None) -> bool:
    """Whether a name was paired with one that is spelt otherwise."""
    return side is not None and item.kind == "name" and _lower(item.words) != _lower(side.item.words)


def _genders(item: Gendered) -> set[Gender]:
    return {gender for gender, _ in forms_of(item.words[0].lower())}


@lru_cache(maxsize=10_000)
def _noun_key(words: tuple[str, ...]) -> tuple[str, ...]:
    """A term without its number."""
    from lemminflect import getLemma

    lower = [w.lower() for w in words]
    found = getLemma(lower[-1], "NOUN", lemmatize_oov=False)
    return (*lower[:-1], found[0] if found else lower[-1])


def _realised(item: Gendered, swap: Swap) -> Edit:
    """The swap's change on the source's own words."""
    change = swap.change
    new: tuple[str, ...] = item.words
    if isinstance(change, PronounChange):
        new = (_pronoun(item.words[0], change),)
    elif isinstance(change, NounChange):
        new = recased(item.words, item.to)
    elif isinstance(change, NameChange):
        new = (_name(item.words[0], change),)
    return Edit(
        item.start,
        item.end,
        (item.before + new[0], *new[1:-1], new[-1] + item.behind)
        if len(new) > 1
        else (item.before + new[0] + item.behind,),
    )


def _became_alike(edit: Edit, item: Gendered, swap: Swap, meeting: Meeting) -> bool:
    """Whether words that the correction told apart (*his* → *her*) are now the same (*their*)."""
    first = meeting.target_start
    old = meeting.target[swap.start - first : swap.end - first]
    return _lower(item.words) != _lower(old) and _lower(edit.replacement) == _lower(swap.new)


def _lower(words: Sequence[str]) -> list[str]:
    return [w.lower() for w in words]


def _swap(change: Change) -> Swap:
    """A swap that stands nowhere in the target."""
    return Swap(0, 0, (), change)


def _takes_plural(swap: Swap) -> bool:
    change = swap.change
    return (
        isinstance(change, PronounChange)
        and change.form is Form.NOMINATIVE
        and change.to is not None
        and change.to.plural_agreement
    )


def _name(word: str, change: NameChange) -> str:
    new = change.mapping.get(word, change.mapping[change.name])
    if word not in change.mapping and word.lower() != change.name.lower():
        new = capitalised(same_slip(word, change.name, new.lower()) or new.lower())
    return new.lower() if word[:1].islower() else new


def _pronoun(word: str, change: PronounChange) -> str:
    same_form = change.realise(word)
    if same_form is not None:
        return same_form
    own = next(form for _, form in sorted(forms_of(word.lower()), key=lambda r: list(Form).index(r[1])))
    return PronounChange(own, change.to, change.only).realise(word) or word


def _slips(source: Sequence[str], used: set[int], open_sides: Sequence[Side]) -> list[Edit]:
    """Misspelt counterparts of target words that no source word was paired with."""
    found: list[Edit] = []
    for side in open_sides:
        if side.swap is None or len(side.item.words) != 1 or len(side.swap.new) != 1:
            continue
        meant = side.item.words[0]
        for i, written in enumerate(source):
            if i not in used and is_slip(written, meant) and not _is_word(written):
                new = same_slip(written, meant, side.swap.new[0].lower())
                if new is not None:
                    used.add(i)
                    found.append(Edit(i, i + 1, (like(written, new),)))
                break
    return found


@lru_cache(maxsize=10_000)
def _is_word(text: str) -> bool:
    from lemminflect import getAllLemmas

    return bool(getAllLemmas(text.lower())) or text.lower() in pronoun_tokens() or text.lower() in _SMALL_WORDS


_SMALL_WORDS = frozenset(
    [
        "the",
        "this",
        "these",
        "those",
        "that",
        "then",
        "than",
        "them",
        "they",
        "there",
        "their",
        "here",
        "hear",
        "hers",
        "were",
        "where",
        "we",
        "me",
        "my",
    ]
)


def _match_verbs(verbs: Sequence[Swap], source: Sequence[str], free: Sequence[int]) -> list[tuple[Swap, int | None]]:
    """Each agreeing verb of the target with its counterpart.

    Third person singular forms come first: the one of the same lemma, then, if the counts agree, all in order (*he is
    go* for *he goes*). A plain form of the same lemma is the counterpart only where no singular form is left.
    """
    left = list(free)
    found: dict[int, int] = {}
    for wanted in (inflect.is_singular, _any):
        for n, swap in enumerate(verbs):
            at = (
                None
                if n in found
                else next((i for i in left if wanted(source[i]) and _same_verb(source[i], swap)), None)
            )
            if at is not None:
                found[n] = at
                left.remove(at)
        open_verbs = [n for n in range(len(verbs)) if n not in found]
        singular = [i for i in left if inflect.is_singular(source[i])]
        if open_verbs and len(open_verbs) == len(singular):
            found.update(zip(open_verbs, singular, strict=True))
            left = [i for i in left if i not in singular]
    return [(swap, found.get(n)) for n, swap in enumerate(verbs)]


def _any(word: str) -> bool:
    return True


def _same_verb(word: str, swap: Swap) -> bool:
    assert isinstance(swap.change, AgreementChange)
    return inflect.verb_lemma(word) == swap.change.lemma


def _articles(source: Sequence[str], target: Sequence[str], swaps: Sequence[Swap], first: int) -> list[Edit]:
    """*a* or *an* that stands on both sides of the correction changes on both."""
    found: list[Edit] = []
    for swap in swaps:
        if isinstance(swap.change, ArticleChange):
            article = target[swap.start - first]
            at = [i for i, word in enumerate(source) if word.lower() == article.lower()]
            if len(at) == 1:
                found.append(Edit(at[0], at[0] + 1, (swap.change.realise(source[at[0]]) or source[at[0]],)))
    return found
