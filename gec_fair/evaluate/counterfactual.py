"""Bias without gold: what a system did to the rewritten text, against what it would have done were it blind to gender.

    text   ──the system──▶  corrected
      │ plan                  │ carried
      ▼                       ▼
    text′  ┄┄ blind ┄┄┄┄▶  expected   ⟷   written (what the system made of text′)

The plan is carried across the system's own correction of the original; where the expected and the written text differ,
the system has treated the two texts unlike. A difference that touches a swapped word, or a noun of that person, is
explicit; any other (an error corrected for *he* alone) is implicit. No reference is needed, on any text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from gec_fair import __version__
from gec_fair.augment.closing import subjects_met
from gec_fair.augment.meet import Decider
from gec_fair.augment.options import Options
from gec_fair.augment.planner import Planner
from gec_fair.augment.run import versions
from gec_fair.augment.swap import AgreementChange, PronounChange, Swap, plan_edits
from gec_fair.corpus.outcome import Discarded
from gec_fair.edits import Conflict, Edit, Edits, Square, carry, diff, invert, rewritten, spaced
from gec_fair.english import agreement, inflect
from gec_fair.english.paradigms import Form, forms_of
from gec_fair.english.pronouns import form_of
from gec_fair.evaluate import bias, significance
from gec_fair.evaluate.bias import Kind, Protected
from gec_fair.evaluate.evalsets import EvalSet
from gec_fair.evaluate.opened import read_twins
from gec_fair.evaluate.readback import swaps_between
from gec_fair.evaluate.texts import Words

if TYPE_CHECKING:
    from spacy.tokens import Doc

PER = 1000
_OF_KIND = {  # a set has its rewriting; what is asked of the planner is which words it looks at
    "st": Options("st", gate="none"),
    "mf": Options("fm"),
    "neo": Options("neo", gate="none", paradigm="xe"),
}
KINDS = ("explicit", "implicit")


@dataclass(frozen=True, slots=True)
class Twins:
    """A text (`number` 1-based), its twin, the swaps that lead there, and what of the twin is the person."""

    number: int
    original: Words
    augmented: Words
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
class Compared:
    """One pair of twins and what became of them; `expected` is None where the plan could not be carried."""

    twins: Twins
    corrected: Words
    written: Words
    expected: Words | None
    conflict: str
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Rate:
    """Differences per 1,000 swapped words, with the interval of a bootstrap over texts."""

    count: int
    rate: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Measured:
    """Everything that was found, and one line that says how."""

    pairs: tuple[Compared, ...]
    texts: int
    skipped: Mapping[str, int]
    rates: Mapping[str, Rate]
    signature: str

    @property
    def compared(self) -> list[Compared]:
        return [pair for pair in self.pairs if pair.expected is not None]

    @property
    def conflicts(self) -> Mapping[str, int]:
        return dict(Counter(pair.conflict for pair in self.pairs if pair.conflict).most_common())

    @property
    def words(self) -> int:
        return sum(pair.twins.words for pair in self.compared)

    @property
    def differences(self) -> list[Difference]:
        return [each for pair in self.compared for each in pair.differences]

    def as_json(self) -> dict[str, object]:
        """Counts, rates per 1,000 swapped words with their 95 % intervals, and every difference."""
        kinds = Counter(each.bias.name.lower() for each in self.differences if each.bias is not None)
        return {
            "texts": self.texts,
            "pairs": len(self.pairs),
            "skipped": dict(self.skipped),
            "conflicts": dict(self.conflicts),
            "compared": len(self.compared),
            "swapped_words": self.words,
            **{
                kind: {"count": r.count, "per_1000": round(r.rate, 2), "ci95": [round(r.low, 2), round(r.high, 2)]}
                for kind, r in self.rates.items()
            },
            "explicit_kinds": dict(kinds),
            "differences": [difference_json(pair, each) for pair in self.compared for each in pair.differences],
            "signature": self.signature,
        }


def difference_json(pair: Compared, each: Difference) -> dict[str, object]:
    assert pair.expected is not None
    return {
        "text": each.number, "kind": each.kind, "bias": each.bias.name.lower() if each.bias else None,
        "start": each.start, "end": each.end, "expected": " ".join(each.expected), "written": " ".join(each.written),
        "original": " ".join(pair.twins.original), "augmented": " ".join(pair.twins.augmented),
        "corrected": " ".join(pair.corrected), "expected_text": " ".join(pair.expected),
        "written_text": " ".join(pair.written),
    }  # fmt: skip


@dataclass(frozen=True)
class Experiment:
    """Makes twins, and compares what a system did with them. `options` say which rewriting."""

    options: Options

    @cached_property
    def planner(self) -> Planner:
        return Planner(self.options)

    def twins_of(self, texts: Sequence[Words]) -> tuple[list[Twins], dict[str, int]]:
        """Texts that have something to swap, rewritten; and how many of the others were discarded, by reason."""
        chosen = [n for n, words in enumerate(texts) if self.planner.is_candidate(words)]
        plans = self.planner.plans([texts[n] for n in chosen], [str(n + 1) for n in chosen])
        found: list[tuple[int, Words, list[Swap]]] = []
        skipped: Counter[str] = Counter()
        for n, plan in zip(chosen, plans, strict=True):
            if isinstance(plan, Discarded):
                skipped[plan.reason] += 1
            elif plan_edits(plan, texts[n]):
                found.append((n + 1, texts[n], plan))
        pairs = [(words, rewritten(plan_edits(plan, words), words)) for _, words, plan in found]
        kept = [
            Twins(number, words, new, _with_silent(plan, plan, words), protected)
            for (number, words, plan), (_, new), protected in zip(found, pairs, self._protected(pairs), strict=True)
        ]
        return kept, dict(skipped)

    def twins_in(self, originals: Sequence[Words], augmented: Sequence[Words]) -> list[Twins]:
        """The twins of a set that differ, their plans read back. Verbs that agree without showing it come from the
        parse: the system may make them show."""
        pairs = [(n, a, b) for n, (a, b) in enumerate(zip(originals, augmented, strict=True), start=1) if a != b]
        plans = self.planner.plans([a for _, a, _ in pairs], [str(n) for n, _, _ in pairs])
        protected = self._protected([(a, b) for _, a, b in pairs])
        return [
            Twins(n, a, b, _with_silent(swaps_between(a, b), plan, a), places)
            for (n, a, b), plan, places in zip(pairs, plans, protected, strict=True)
        ]

    def compare_all(
        self, twins: Sequence[Twins], corrected: Sequence[Words], written: Sequence[Words]
    ) -> list[Compared]:
        """`compare` for each, with what *her* and *his* are in corrected texts that brought one in."""
        asked = [n for n, (t, words) in enumerate(zip(twins, corrected, strict=True)) if _new_form(t.original, words)]
        docs = self.planner.parse([corrected[n] for n in asked])
        forms = {n: {t.i: form for t in doc if (form := form_of(t)) is not None}
                 for n, doc in zip(asked, docs, strict=True)}  # fmt: skip
        return [
            self.compare(each, mine, theirs, forms.get(n, {}))
            for n, (each, mine, theirs) in enumerate(zip(twins, corrected, written, strict=True))
        ]

    def compare(
        self, twins: Twins, corrected: Words, written: Words, forms: Mapping[int, Form] = MappingProxyType({})
    ) -> Compared:
        """Carry the plan across the correction of the original; list what the system wrote otherwise. `forms`: of
        pronouns in `corrected`, by place."""
        square = self._square(twins, corrected, forms)
        if isinstance(square, Conflict):
            return Compared(twins, corrected, written, None, square.reason, ())
        places, image = _persons(twins, square)
        found = tuple(_differences(twins, square.source, written, places, image))
        return Compared(twins, corrected, written, square.source, "", found)

    def _square(self, twins: Twins, corrected: Words, forms: Mapping[int, Form]) -> Square | Conflict:
        decider = Decider(
            twins.swaps, corrected, twins.original, self.planner.lexicon, nominals=self.options.method == "fm",
            may_vanish=True, forms=forms,
        )  # fmt: skip
        back = invert(diff(twins.original, corrected), twins.original)
        square = carry(plan_edits(twins.swaps, twins.original), back, corrected, meet=decider)
        if isinstance(square, Square) and not subjects_met(twins.swaps, back, square.carried):
            return Conflict("counterpart_mismatch", (0, len(twins.original)))  # the verb has another subject now
        if isinstance(square, Square) and _new_verb(square, back, corrected):
            return Conflict("agreement_unsure", (0, len(twins.original)))
        return square

    def _protected(self, pairs: Sequence[tuple[Words, Words]]) -> list[Protected]:
        from gec_fair.english import coref, pipeline

        docs: list[Doc] = list(pipeline.parse(pipeline.shared(self.options.english), [a for a, _ in pairs]))
        clusters = coref.load(self.options.coref).clusters(docs)
        return [bias.protect(doc, new, each) for doc, (_, new), each in zip(docs, pairs, clusters, strict=True)]


@dataclass(frozen=True, slots=True)
class Prepared:
    """Twins to try systems on, of `texts` that were looked at; `skipped`: those that could not be rewritten, by reason;
    `what` they are, for signatures."""

    experiment: Experiment
    twins: tuple[Twins, ...]
    texts: int
    skipped: Mapping[str, int]
    what: str


def from_texts(texts: Sequence[Words], options: Options) -> Prepared:
    """Any texts, rewritten as the options say."""
    experiment = Experiment(options)
    twins, skipped = experiment.twins_of(texts)
    what = f"transform:{options.method}" + (f"|paradigm:{options.paradigm}" if options.paradigm else "")
    return Prepared(experiment, tuple(twins), len(texts), skipped, what)


def from_set(evalset: EvalSet) -> Prepared:
    """The twins of an evaluation set."""
    orig, aug = read_twins(evalset)
    experiment = Experiment(_OF_KIND[evalset.kind])
    return Prepared(experiment, tuple(experiment.twins_in(orig, aug)), len(orig), {}, f"set:{evalset.name}")


def measure(
    prepared: Prepared,
    correct: Callable[[list[str]], Sequence[str]],
    *,
    name: str = "",
    resamples: int = significance.RESAMPLES,
    seed: int = 0,
) -> Measured:
    """Run the system over both versions of the twins, compare, and count. `name` stands in the signature."""
    twins, experiment = prepared.twins, prepared.experiment
    half = len(twins)
    given = [" ".join(t.original) for t in twins] + [" ".join(t.augmented) for t in twins]
    answers = [spaced(text).words for text in correct(given)]
    pairs = tuple(experiment.compare_all(twins, answers[:half], answers[half:]))
    models = [f"{key}:{value}" for key, value in versions(experiment.options).items() if key != "gec-fair"]
    signature = "|".join([f"counterfactual|system:{name}", prepared.what, *models,
                          f"bootstrap:{resamples}:seed{seed}", f"gec-fair:{__version__}"])  # fmt: skip
    return Measured(pairs, prepared.texts, prepared.skipped, rates(pairs, resamples=resamples, seed=seed), signature)


def rates(pairs: Sequence[Compared], *, resamples: int, seed: int) -> dict[str, Rate]:
    """Differences per 1,000 swapped words by kind; texts are drawn with replacement."""
    rows = [
        (sum(d.kind == "explicit" for d in p.differences), sum(d.kind == "implicit" for d in p.differences),
         p.twins.words)
        for p in pairs
        if p.expected is not None
    ]  # fmt: skip
    counts = np.array(rows, dtype=np.int64).reshape(len(rows), 3)
    if not counts[:, 2].sum():
        return {kind: Rate(0, 0.0, 0.0, 0.0) for kind in KINDS}
    drawn = significance.resample(counts, resamples=resamples, seed=seed).astype(float)
    found = {}
    for n, kind in enumerate(KINDS):
        total = int(counts[:, n].sum())
        shares = PER * drawn[:, n] / np.maximum(drawn[:, 2], 1)
        low, high = np.quantile(shares, [0.025, 0.975])
        found[kind] = Rate(total, PER * total / int(counts[:, 2].sum()), float(low), float(high))
    return found


def _new_verb(square: Square, back: Edits, corrected: Words) -> bool:
    """Whether the system brought in a verb that agrees with *he* beside a pronoun that is *they* now (*is singing* →
    *sings*): the plan knows nothing of it."""
    brought = {i for edit in back for i in range(edit.start, edit.end)} - {edit.start for edit in square.carried}
    subjects = [edit.start for edit in square.carried if [w.lower() for w in edit.replacement] == ["they"]]
    return any(
        at in brought and inflect.is_singular(corrected[at]) for i in subjects for at in agreement.beside(corrected, i)
    )


def _new_form(original: Words, corrected: Words) -> bool:
    """Whether the correction brought in a pronoun of two forms."""
    return any(len(forms_of(word.lower())) > 1 for edit in diff(original, corrected) for word in edit.replacement)


def _persons(twins: Twins, square: Square) -> tuple[Protected, frozenset[int]]:
    """What of the expected text is the person, for `bias`; and all places of it that the plan made."""
    image: set[int] = set()
    shift = 0
    for edit in square.carried:
        image.update(range(edit.start + shift, edit.start + shift + len(edit.replacement)))
        shift += edit.growth
    places = _places(square)
    pronouns = image & {places[i] for i in twins.protected.pronouns if i in places}
    pronouns |= {i for i in image if _is_pronoun(square.source[i])}
    nouns = frozenset(places[i] for i in twins.protected.nouns if i in places)
    return Protected(frozenset(pronouns), nouns), frozenset(image) | nouns


def _is_pronoun(word: str) -> bool:
    return word.lower() in bias.they_forms() | bias.neopronouns() or bool(forms_of(word.lower()))


def _places(square: Square) -> dict[int, int]:
    """Place in the twin → place in the expected text, of words outside every correction."""
    found: dict[int, int] = {}
    at = shift = 0
    for edit in (*square.correction, Edit(len(square.source), len(square.source), ())):
        found.update((i + shift, i) for i in range(at, edit.start))
        at = edit.end
        shift += edit.growth
    return found


def _differences(
    twins: Twins, expected: Words, written: Words, places: Protected, image: frozenset[int]
) -> Iterator[Difference]:
    """A difference is explicit where it touches the person, or writes one of the person's pronouns where none was
    expected."""
    person = {twins.augmented[i].lower() for i in twins.protected.pronouns}
    for edit in diff(expected, written):
        old = expected[edit.start : edit.end]
        brought = {word.lower() for word in edit.replacement} - {word.lower() for word in old}
        touched = not image.isdisjoint(range(edit.start, edit.end))
        kinds = list(bias.kinds(edit, expected, places)) if touched else []
        kind = KINDS[0] if touched or person & brought else KINDS[1]
        yield Difference(twins.number, kind, kinds[0] if kinds else None, edit.start, edit.end, old, edit.replacement)


def _with_silent(swaps: Iterable[Swap], plan: Sequence[Swap] | Discarded, words: Words) -> tuple[Swap, ...]:
    """The swaps, and the verbs that agree with one of the pronouns without showing it: the system may make them show.

    The parse names them in the plan; a plain verb beside its pronoun (*he go*), which a tagger takes for an
    infinitive, is found by the words.
    """
    mine = list(swaps)
    taken = {i for s in mine for i in range(s.start, s.end)}
    if not isinstance(plan, Discarded):
        mine += [replace(s, silent=True) for s in plan if s.silent and s.subject in taken and s.start not in taken]
    known = {s.start for s in mine}
    for swap in [s for s in mine if isinstance(s.change, PronounChange) and s.change.takes_plural]:
        for at in agreement.beside(words, swap.start):
            if at not in known and inflect.is_plain(words[at]):
                change = AgreementChange(inflect.verb_lemma(words[at]))
                mine.append(Swap(at, at + 1, (words[at],), change, silent=True, subject=swap.start))
                known.add(at)
    return tuple(sorted(mine, key=lambda s: s.start))
