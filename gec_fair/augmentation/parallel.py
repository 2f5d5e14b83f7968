"""The parallel step: plan on the target, carry across the correction, check, and say what became of the pair."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TypeAlias

from gec_fair.augmentation import checks
from gec_fair.augmentation.conflicts import Decider
from gec_fair.augmentation.options import Options
from gec_fair.augmentation.planning.planner import Planner
from gec_fair.augmentation.planning.swap import Plan, SureSwaps, Swap, plan_edits
from gec_fair.corpus.outcome import Augmented, Discarded, Left, Outcome, Sure, Unchanged
from gec_fair.corpus.records import Pair
from gec_fair.edits import (
    Conflict,
    Edit,
    Edits,
    Rewriting,
    Square,
    Tokens,
    carry,
    diff,
    edit_words,
    join_words,
    move,
    split_spaces,
    with_alternatives,
)
from gec_fair.english import contractions
from gec_fair.english.contractions import Text

Place: TypeAlias = Callable[[int], int | None]
"""Where a border of one text is in another; None if it has no place there."""
REASONS = (
    "agreement_unsure",  # a verb that must change is unknown, or it is unclear which source verb stands for it
    "annotators_disagree",  # the annotators' targets would need different sources
    "correction_lost",  # the swap would leave nothing to correct
    "counterpart_mismatch",  # a gendered source word has no counterpart among the target's
    "source_only_gendered",  # a gendered word stands in the source alone
    "straddles_correction",  # a multi-word swap lies half inside a correction
    "unsure_who",  # fewer than --min-sure of such rewritings are clean
)


@dataclass(frozen=True)
class Augmenter:
    """Maps pairs to outcomes, one for each, in order. A pair's outcome does not depend on its company."""

    options: Options

    @cached_property
    def planner(self) -> Planner:
        """Plans the rewriting of the target, with these options."""
        return Planner(self.options)

    def __call__(self, pairs: Sequence[Pair]) -> list[Outcome]:
        """One outcome for each pair, in order."""
        outcomes: list[Outcome] = []
        jobs: list[Job] = []
        for number, pair in enumerate(pairs):
            targets = list(self._targets(number, pair))
            is_candidate = any(self.planner.is_candidate(job.text.words) for job in targets)
            outcomes.append(Unchanged() if is_candidate else self._without_plan(pair, targets))
            jobs += targets if is_candidate else []
        plans = self.planner.plans([job.text.words for job in jobs], [pairs[job.number].id for job in jobs])
        done: dict[int, list[tuple[Job, Plan]]] = {}
        for job, plan in zip(jobs, plans, strict=True):
            done.setdefault(job.number, []).append((job, plan))
        for number, planned in done.items():
            outcomes[number] = self._outcome(pairs[number], planned)
        return outcomes

    def _targets(self, number: int, pair: Pair) -> Iterator[Job]:
        """The targets of a pair: one, or one for each annotator."""
        if not pair.corrections:
            yield Job(number, "", contractions.read(split_spaces(pair.target).words), None)
            return
        source = split_spaces(pair.source).words
        standard = contractions.read(source)
        for who, their in pair.corrections:
            for edits in (their, *their.variants()):
                text = contractions.read(edit_words(edits, source))
                correction: Edits | None = edits
                if not (standard.is_standard and text.is_standard):
                    correction = _move_edits(edits, standard.border, text.border, standard.words, text.words)
                yield Job(number, who, text, correction, edits)

    def _without_plan(self, pair: Pair, targets: Sequence[Job]) -> Outcome:
        """What became of a pair whose targets have no word of the method."""
        known = {word for job in targets for word in job.text.words}
        if new := [word for word in pair.source.split(" ") if word not in known]:
            words = contractions.read(new).words
            if word := self.planner.first_candidate([word for word in words if word not in known]):
                return Left("source", word)
        nouns = self.planner.lexicon.nouns
        left = (
            self.planner.left_without(job.text.words) or checks.leave_glued(job.text.words, self.options, nouns)
            for job in targets
        )
        return next(filter(None, left), Unchanged())

    def _outcome(self, pair: Pair, planned: Sequence[tuple[Job, Plan]]) -> Outcome:
        refused = [plan for _, plan in planned if isinstance(plan, Left)]
        if refused and all(isinstance(plan, Left) or not plan for _, plan in planned):
            return refused[0]
        tokens = split_spaces(pair.source)
        source = contractions.read(tokens.words)
        squares: list[tuple[Job, Edits, Square]] = []
        for job, plan in planned:
            if isinstance(plan, Discarded):
                return plan
            carried = self._carry_over(source, job, () if isinstance(plan, Left) else plan.swaps)
            if isinstance(carried, Discarded):
                return carried
            squares.append((job, *carried))
        if not any(plan for _, plan, _ in squares):
            return Unchanged()
        if any(square.source != squares[0][2].source for _, _, square in squares):
            return Discarded("annotators_disagree")
        surenesses = [plan.sure for _, plan in planned if isinstance(plan, SureSwaps) and plan.sure is not None]
        sure = min(surenesses, key=lambda sure: sure.probability)
        return _augment(pair, tokens, source, squares, sure)

    def _carry_over(self, source: Text, job: Job, swaps: Sequence[Swap]) -> tuple[Edits, Square] | Discarded:
        """The edits of the target and their square; or what hinders it, or is broken by it as far as words alone can
        tell."""
        options, lexicon, target = self.options, self.planner.lexicon, job.text.words
        plan = plan_edits(swaps, target)
        correction = diff(source.words, target) if job.correction is None else job.correction
        decider = Decider(
            tuple(swaps),
            source.words,
            target,
            lexicon,
            nominals=options.method == "fm",
            direction=options.gender,
            strict=options.strict_spelling,
            mirror=options.mirror,
        )
        square = carry(plan, correction, source.words, conflicts=decider)
        if isinstance(square, Conflict):
            return Discarded(square.reason, " ".join(target[slice(*square.span)]))
        if square.lost:
            lost = square.lost[0]
            lost_words = f"{' '.join(source.words[lost.start : lost.end])} → {' '.join(lost.replacement)}"
            return Discarded("correction_lost", lost_words)
        for words, changed, mirrored in ((target, plan, False), (source.words, square.carried, options.mirror)):
            if fault := checks.disagreement(words, changed, mirrored=mirrored):
                return Discarded("agreement_unsure", fault)
            if left := checks.find_glued(swaps, target, words, changed, options, lexicon.nouns):
                return Discarded("counterpart_mismatch", f"a word glued to another stays: {left}")
        if not checks.subjects_met(swaps, correction, square.carried):
            return Discarded("counterpart_mismatch", "the verb has another subject on the source")
        return plan, square


@dataclass(frozen=True, slots=True)
class Job:
    """One target of pair `number`, its contractions in one form; `correction` is the annotator's, between texts in that
    form, None where it must be found by diffing. `annotation`: the same between the pair's own words. Where an edit has
    alternatives, its annotator has a job for each behind the one of first replacements."""

    number: int
    annotator: str
    text: Text
    correction: Edits | None
    annotation: Edits | None = None


def _augment(
    pair: Pair, tokens: Tokens, source: Text, squares: Sequence[tuple[Job, Edits, Square]], sure: Sure
) -> Augmented | Discarded:
    unwritable = Discarded("agreement_unsure", "a contraction cannot be written as the text writes it")
    job, plan, square = squares[0]
    carried, planned = source.restore(square.carried), job.text.restore(plan)
    if carried is None or planned is None:
        return unwritable
    sources = Rewriting.of(tokens, carried)
    original = (
        split_spaces(pair.target) if job.annotation is None else join_words(edit_words(job.annotation, tokens.words))
    )
    targets = Rewriting.of(original, planned)
    corrections: dict[str, list[Edits]] = {}
    for its_job, its_plan, its_square in squares:
        if its_job.annotation is None:
            continue
        correction: Edits | None = its_square.correction
        if not (source.is_standard and its_job.text.is_standard):
            its_planned = its_job.text.restore(its_plan)
            if its_planned is None:
                return unwritable
            new_target = edit_words(its_planned, its_job.text.written)
            places = partial(move, carried), partial(move, its_planned)
            correction = _move_edits(its_job.annotation, *places, sources.after.words, new_target)
        if correction is None:
            return unwritable
        corrections.setdefault(its_job.annotator, []).append(correction)
    merged = tuple((who, with_alternatives(variants)) for who, variants in corrections.items())
    new = replace(pair, source=sources.after.text, target=targets.after.text, corrections=merged)
    return Augmented(new, sources, targets, sure=sure)


def _move_edits(
    annotation: Edits, source_place: Place, target_place: Place, source: Sequence[str], target: tuple[str, ...]
) -> Edits | None:
    """An annotator's edits between two other texts, by where their borders are on both sides; None where one has no
    place there, or the edits do not lead from one text to the other."""
    moved: list[Edit] = []
    shift = 0
    for edit in annotation:
        at = edit.start + shift
        start, end = source_place(edit.start), source_place(edit.end)
        first, last = target_place(at), target_place(at + len(edit.replacement))
        if start is None or end is None or first is None or last is None:
            return None
        moved.append(Edit(start, end, target[first:last], edit.kind))
        shift += edit.growth
    correction = Edits(tuple(moved), len(source))
    return correction if edit_words(correction, source) == target else None
