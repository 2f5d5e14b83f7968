"""What a system wrote for a rewritten text, against what it would have written were it blind to gender.

    text   ──the system──▶  corrected
      │ plan                  │ carried
      ▼                       ▼
    text′  ┄┄ blind ┄┄┄┄▶  expected   ⟷   written (what the system made of text′)

The plan is carried across the system's own correction of the original (the square of `edits.carry`, with the correction
undone); what the system wrote otherwise are the differences. All texts are read as `english.contractions` reads them:
*he`s*, *he&#39;s* and *he 's* are the same words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from gec_fair.augmentation.checks import leave_glued, subjects_met
from gec_fair.augmentation.conflicts import Decider
from gec_fair.augmentation.options import Options
from gec_fair.augmentation.planning.planner import Planner
from gec_fair.augmentation.planning.swap import AgreementChange, Plan, PronounChange, SureSwaps, Swap, plan_edits
from gec_fair.augmentation.rewriter import rewrite_plan
from gec_fair.corpus.outcome import Discarded, Left
from gec_fair.edits import (
    Conflict,
    Edits,
    Square,
    carry,
    diff,
    edit_words,
    invert,
    unchanged_positions,
    written_positions,
)
from gec_fair.english import agreement, contractions, inflect
from gec_fair.english.lexicons.paradigms import Form, forms_of
from gec_fair.evaluate.bias import explicit as bias
from gec_fair.evaluate.bias.explicit import Kind, Protected
from gec_fair.evaluate.bias.twin_swaps import swaps_between
from gec_fair.evaluate.scoring.texts import Words
from gec_fair.people.people import people_in

if TYPE_CHECKING:
    from spacy.tokens import Doc

KINDS = ("explicit", "implicit")


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A text (`number` 1-based), its rewriting, the swaps that lead there, and what of the rewriting is the person.

    The words are in the standard form of `contractions`; `sides` are both texts as they are written.
    """

    number: int
    original: Words
    augmented: Words
    sides: tuple[str, str]
    swaps: tuple[Swap, ...]
    protected: Protected

    @property
    def words(self) -> int:
        """How many words were swapped."""
        return sum(max(len(e.replacement), e.end - e.start) for e in plan_edits(self.swaps, self.original))


@dataclass(frozen=True, slots=True)
class Difference:
    """Tokens `start:end` of the expected text, and what the system wrote instead. `bias` names an explicit one where
    it is of a known kind (Table 6)."""

    number: int
    kind: str
    bias: Kind | None
    start: int
    end: int
    expected: Words
    written: Words


@dataclass(frozen=True, slots=True)
class Contrast:
    """A rewritten text and what became of them; `expected` is None where the plan could not be carried."""

    text: Rewritten
    corrected: Words
    written: Words
    expected: Words | None
    conflict: str
    differences: tuple[Difference, ...]


@dataclass(frozen=True)
class Experiment:
    """Rewrites texts, and compares what a system did with them. `options` say which rewriting."""

    options: Options

    @cached_property
    def planner(self) -> Planner:
        """Plans the rewriting of the texts, with these options."""
        return Planner(self.options)

    def of_texts(self, texts: Sequence[Words]) -> tuple[list[Rewritten], dict[str, int], dict[str, int]]:
        """Texts that have something to swap, rewritten; and by reason how many could not be rewritten, and how many
        have a word of the method that stays by choice."""
        read = [contractions.read(words) for words in texts]
        chosen = [n for n, text in enumerate(read) if self.planner.is_candidate(text.words)]
        nouns = self.planner.lexicon.nouns
        plans: dict[int, Plan | None] = {
            n: self.planner.left_without(text.words) or leave_glued(text.words, self.options, nouns)
            for n, text in enumerate(read)
        }
        planned = self.planner.plans([read[n].words for n in chosen], [str(n + 1) for n in chosen])
        plans |= dict(zip(chosen, planned, strict=True))
        swapped: list[tuple[int, SureSwaps, Words, tuple[str, str]]] = []
        skipped: Counter[str] = Counter()
        left: Counter[str] = Counter()
        for n, plan in plans.items():
            if isinstance(plan, Left):
                left[plan.reason] += 1
            elif isinstance(plan, Discarded):
                skipped[plan.reason] += 1
            elif plan and (edits := plan_edits(plan, read[n].words)):
                new = rewrite_plan(read[n], plan.swaps, edits, self.options, nouns)
                if isinstance(new, Discarded):
                    skipped[new.reason] += 1
                    continue
                sides = " ".join(texts[n]), " ".join(edit_words(new, texts[n]))
                swapped.append((n, plan, edit_words(edits, read[n].words), sides))
        protected = self._protect([(read[n].words, new) for n, _, new, _ in swapped])
        done = [
            Rewritten(n + 1, read[n].words, new, sides, _with_silent(plan, plan, read[n].words), places)
            for (n, plan, new, sides), places in zip(swapped, protected, strict=True)
        ]
        return done, dict(skipped), dict(left)

    def of_twins(self, originals: Sequence[Words], augmented: Sequence[Words]) -> list[Rewritten]:
        """The twins of a set that differ, their plans read back. Verbs that agree without showing it come from the
        parse: the system may make them show."""
        sides = [(n, a, b) for n, (a, b) in enumerate(zip(originals, augmented, strict=True), start=1) if a != b]
        pairs = [(contractions.read(a).words, contractions.read(b).words) for _, a, b in sides]
        plans = self.planner.plans([a for a, _ in pairs], [str(n) for n, _, _ in sides])
        return [
            Rewritten(n, a, b, (" ".join(original), " ".join(new)), _with_silent(swaps_between(a, b), plan, a), places)
            for (n, original, new), (a, b), plan, places in zip(sides, pairs, plans, self._protect(pairs), strict=True)
        ]

    def compare_all(
        self, texts: Sequence[Rewritten], corrected: Sequence[Words], written: Sequence[Words]
    ) -> list[Contrast]:
        """`compare` for each, with what *her* and *his* are in corrected texts that brought one in."""
        candidates = [
            n for n, (t, words) in enumerate(zip(texts, corrected, strict=True)) if _new_form(t.original, words)
        ]
        docs = self.planner.parse([corrected[n] for n in candidates])
        forms = {
            n: {t.i: form for t in doc if (form := people_in(doc).form_of(t)) is not None}
            for n, doc in zip(candidates, docs, strict=True)
        }
        return [
            self.compare(text, mine, theirs, forms.get(n, {}))
            for n, (text, mine, theirs) in enumerate(zip(texts, corrected, written, strict=True))
        ]

    def compare(
        self, text: Rewritten, corrected: Words, written: Words, forms: Mapping[int, Form] = MappingProxyType({})
    ) -> Contrast:
        """Carry the plan across the correction of the original; list what the system wrote otherwise. `forms`: of
        pronouns in `corrected`, by place."""
        square = self._square(text, corrected, forms)
        if isinstance(square, Conflict):
            return Contrast(text, corrected, written, None, square.reason, ())
        places, image = _persons(text, square)
        differences = tuple(_differences(text, square.source, written, places, image))
        return Contrast(text, corrected, written, square.source, "", differences)

    def _square(self, text: Rewritten, corrected: Words, forms: Mapping[int, Form]) -> Square | Conflict:
        decider = Decider(
            text.swaps,
            corrected,
            text.original,
            self.planner.lexicon,
            nominals=self.options.method == "fm",
            may_vanish=True,
            forms=forms,
        )
        back = invert(diff(text.original, corrected), text.original)
        square = carry(plan_edits(text.swaps, text.original), back, corrected, conflicts=decider)
        if isinstance(square, Square) and not subjects_met(text.swaps, back, square.carried):
            return Conflict("counterpart_mismatch", (0, len(text.original)))  # the verb has another subject now
        if isinstance(square, Square) and _new_verb(square, back, corrected):
            return Conflict("agreement_unsure", (0, len(text.original)))
        return square

    def _protect(self, pairs: Sequence[tuple[Words, Words]]) -> list[Protected]:
        from gec_fair.english import pipeline
        from gec_fair.people import links

        docs: list[Doc] = list(pipeline.parse(pipeline.load_shared(self.options.english), [a for a, _ in pairs]))
        clusters = links.load(self.options.coref).clusters(docs)
        return [bias.protect(doc, new, cluster) for doc, (_, new), cluster in zip(docs, pairs, clusters, strict=True)]


def _new_verb(square: Square, back: Edits, corrected: Words) -> bool:
    """Whether the system brought in a verb that agrees with *he* beside a pronoun that is *they* now (*is singing* →
    *sings*): the plan knows nothing of it."""
    brought = {i for edit in back for i in range(edit.start, edit.end)} - {edit.start for edit in square.carried}
    subjects = [edit.start for edit in square.carried if [w.lower() for w in edit.replacement] == ["they"]]
    return any(
        at in brought and inflect.is_singular(corrected[at])
        for i in subjects
        for at in agreement.coordinated_places(corrected, i)
    )


def _new_form(original: Words, corrected: Words) -> bool:
    """Whether the correction brought in a pronoun of two forms."""
    return any(len(forms_of(word.lower())) > 1 for edit in diff(original, corrected) for word in edit.replacement)


def _persons(text: Rewritten, square: Square) -> tuple[Protected, frozenset[int]]:
    """What of the expected text is the person, for `bias`; and all places of it that the plan made."""
    image = written_positions(square.carried)
    places = {
        new: old for old, new in unchanged_positions(square.correction).items()
    }  # in text′ → in the expected text
    pronouns = image & {places[i] for i in text.protected.pronouns if i in places}
    others = bias.they_forms() | bias.neopronouns()
    lower = {i: square.source[i].lower() for i in image}
    pronouns |= {i for i, word in lower.items() if word in others or forms_of(word)}
    nouns = frozenset(places[i] for i in text.protected.nouns if i in places)
    return Protected(frozenset(pronouns), nouns), frozenset(image) | nouns


def _differences(
    text: Rewritten, expected: Words, written: Words, places: Protected, image: frozenset[int]
) -> Iterator[Difference]:
    """A difference is explicit where it touches the person, or writes one of the person's pronouns if none was
    expected."""
    person = {text.augmented[i].lower() for i in text.protected.pronouns}
    for edit in diff(expected, written):
        old = expected[edit.start : edit.end]
        brought = {word.lower() for word in edit.replacement} - {word.lower() for word in old}
        touched = not image.isdisjoint(range(edit.start, edit.end))
        kinds = list(bias.kinds(edit, expected, places)) if touched else []
        kind = KINDS[0] if touched or person & brought else KINDS[1]
        yield Difference(text.number, kind, kinds[0] if kinds else None, edit.start, edit.end, old, edit.replacement)


def _with_silent(swaps: Iterable[Swap], plan: Plan, words: Words) -> tuple[Swap, ...]:
    """The swaps, and the verbs that agree with one of the pronouns without showing it: the system may make them show.

    The parse names them in the plan; a plain verb beside its pronoun (*he go*), which a tagger takes for an
    infinitive, is found by the words.
    """
    mine = list(swaps)
    rewritten_positions = {i for s in mine for i in range(s.start, s.end)}
    if not isinstance(plan, Left | Discarded):
        mine += [
            replace(s, silent=True)
            for s in plan
            if s.silent and s.subject in rewritten_positions and s.start not in rewritten_positions
        ]
    known = {s.start for s in mine}
    for swap in [s for s in mine if isinstance(s.change, PronounChange) and s.change.takes_plural]:
        for at in agreement.coordinated_places(words, swap.start):
            if at not in known and inflect.is_plain(words[at]):
                change = AgreementChange(inflect.verb_lemma(words[at]))
                mine.append(Swap(at, at + 1, (words[at],), change, silent=True, subject=swap.start))
                known.add(at)
    return tuple(sorted(mine, key=lambda s: s.start))
