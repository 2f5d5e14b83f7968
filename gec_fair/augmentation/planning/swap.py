"""A plan is made of swaps: a span of the target and the *change* that is made there.

The change, not the word, is what crosses to the source: where the target's *was* becomes *were*, the source's *is*
becomes *are*. A change therefore knows how to realise itself on any word that can bear it, in that word's own case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from gec_fair.corpus.outcome import Discarded, Left, Sure
from gec_fair.edits import Edit, Edits
from gec_fair.english import inflect
from gec_fair.english.letters import like
from gec_fair.english.lexicons.lexicon import Lexicon
from gec_fair.english.lexicons.paradigms import Form, Gender, Paradigm, forms_of, paradigm
from gec_fair.english.possessives import leaves_s_out, mark_behind, new_mark
from gec_fair.people.sure import Change as Changed
from gec_fair.people.sure import sure_of

if TYPE_CHECKING:
    from spacy.tokens import Doc


@dataclass(frozen=True, slots=True)
class PronounChange:
    """A he/she pronoun of one form; `to` is the new paradigm, None for the other gender's.

    With `only` a word of the other gender stays as it is (one-way swapping).
    """

    form: Form
    to: Paradigm | None = None
    only: Gender | None = None

    @property
    def takes_plural(self) -> bool:
        """Whether it makes a subject whose verb changes: *he* → *they*."""
        return self.form is Form.NOMINATIVE and self.to is not None and self.to.plural_agreement

    def realise(self, word: str) -> str | None:
        """The new pronoun in the word's case; None for a word that has no reading of this form."""
        genders = [gender for gender, form in forms_of(word.lower()) if form is self.form]
        if not genders:
            return None
        if self.only is not None and genders[0] is not self.only:
            return word
        target = self.to or paradigm(genders[0].opposite.value)
        return like(word, target.form(self.form))


@dataclass(frozen=True, slots=True)
class AgreementChange:
    """A verb that agreed with he/she and now agrees with *they*. `lemma` tells *'s* = *is* from *'s* = *has*."""

    lemma: str

    def realise(self, word: str) -> str | None:
        """The form that goes with *they*; a form that shows no agreement as it is; None for an unknown verb."""
        return inflect.plural_form(word, lemma=self.lemma)


@dataclass(frozen=True, slots=True)
class NounChange:
    """A gendered noun or multi-word term, by its lower-cased words."""

    words: tuple[str, ...]
    to: tuple[str, ...]
    is_plural: bool = False


@dataclass(frozen=True, slots=True)
class NameChange:
    """A first name; `mapping` is the text's own, so that the source maps as the target does. `gender`: of whom the name
    is now, by the table or by the text; None for a name that both may bear."""

    name: str
    mapping: Mapping[str, str]
    gender: Gender | None = None


@dataclass(frozen=True, slots=True)
class ArticleChange:
    """*a* ⇄ *an* before a swapped noun."""

    def realise(self, word: str) -> str | None:
        """The other article in the case of `word`; None if it is not an article."""
        return {"a": like(word, "an"), "an": like(word, "a")}.get(word.lower())


@dataclass(frozen=True, slots=True)
class PossessiveChange:
    """*'* ⇄ *'s* behind a swapped noun or name: *James ' brother, Jennifer 's sister*."""

    old: str
    new: str
    is_plural: bool = False
    is_bare: bool = False

    def realise(self, mark: str) -> str:
        """The mark behind the new word in the writer's way, where the old one has `mark`."""
        return new_mark(mark, self.old, self.new, is_plural=self.is_plural, is_bare=self.is_bare)


Change: TypeAlias = PronounChange | AgreementChange | NounChange | NameChange | ArticleChange | PossessiveChange


@dataclass(frozen=True, slots=True)
class Swap:
    """Tokens `start:end` of the target become `new`. `subject` is the place of
    the pronoun that a verb agrees with (a pronoun's own). A `silent` swap leaves the target's words and matters on the
    source only: the target's *went* stays, the *goes* that stands for it in the source does not."""

    start: int
    end: int
    new: tuple[str, ...]
    change: Change
    silent: bool = False
    subject: int | None = None


def possessive_swaps(doc: Doc, swaps: Iterable[Swap]) -> Iterator[Swap]:
    """The swaps of the possessive marks behind swapped nouns and names."""
    for swap in swaps:
        if not isinstance(swap.change, NounChange | NameChange):
            continue
        is_plural = isinstance(swap.change, NounChange) and swap.change.is_plural
        mark = mark_behind(doc, swap.end, is_plural=is_plural)
        if mark:
            is_bare = swap.new[-1].lower().endswith("s") and leaves_s_out(doc)
            change = PossessiveChange(doc[swap.end - 1].text, swap.new[-1], is_plural, is_bare)
            yield Swap(swap.end, swap.end + 1, (change.realise(mark),), change)


Swaps: TypeAlias = list[Swap] | Left | Discarded
"""The swaps of a text, sorted, or why there are none; an empty list where the text has no word of the method."""


@dataclass(frozen=True, slots=True)
class SureSwaps:
    """The swaps of a text, and how sure they are; without swaps, None."""

    swaps: tuple[Swap, ...] = ()
    sure: Sure | None = None

    @classmethod
    def from_swaps(cls, doc: Doc, swaps: Sequence[Swap], lexicon: Lexicon, method: str) -> SureSwaps:
        """Those of a tagged text."""

        def places(kind: type) -> list[int]:
            return [swap.end - 1 for swap in swaps if isinstance(swap.change, kind)]

        change = Changed(doc, lexicon, places(NameChange), places(NounChange), places(PronounChange))
        return cls(tuple(swaps), sure_of(change, method) if swaps else None)

    def __iter__(self) -> Iterator[Swap]:
        return iter(self.swaps)

    def __len__(self) -> int:
        return len(self.swaps)


Plan: TypeAlias = SureSwaps | Left | Discarded


def plan_edits(swaps: Iterable[Swap], words: Sequence[str]) -> Edits:
    """The swaps that show, as edits over the target."""
    replaced = [
        Edit(s.start, s.end, s.new)
        for s in sorted(swaps, key=lambda s: s.start)
        if not s.silent and tuple(words[s.start : s.end]) != s.new
    ]
    return Edits(tuple(replaced), len(words))


def match_case(old: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
    """Lower-case new words in the case of the old ones; surplus new words follow the last old one.

    A capital that merely begins a sentence (*Mother in law* → *Father in law*) stays with the first word.
    """
    return tuple(like(old[min(i, len(old) - 1)], word) for i, word in enumerate(new))
