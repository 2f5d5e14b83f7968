"""Find unequal treatment of texts and their rewritings: `gf.counterfactual`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_fair.api.loading import load_evalset, load_system
from gec_fair.api.outputs import SIDES, check_sides, correct, prose_notes, read_words, refuse_prose
from gec_fair.augmentation.options import options_of
from gec_fair.data.columns import Texts
from gec_fair.data.keywords import keywords
from gec_fair.errors import UsageError
from gec_fair.evaluate.options import CounterfactualOptions
from gec_fair.report.results import Result
from gec_fair.report.table import Column, Part, Record, Table, right
from gec_fair.stats.estimate import FEW

if TYPE_CHECKING:
    from gec_fair.evaluate.bias.counterfactual import Measured
    from gec_fair.evaluate.evalsets.catalogue import EvalSet
    from gec_fair.evaluate.options import HypText
    from gec_fair.evaluate.scoring.hypotheses import HypothesisOptions
    from gec_fair.evaluate.scoring.texts import Words


@dataclass(frozen=True, slots=True, repr=False)
class Counterfactual(Result):
    """How differently a system treats texts and their rewritings: rates per 1,000 swapped words.

    `explicit` and `implicit` are the rates with their intervals; `differences` has every difference. `report` has
    everything, as JSON.
    """

    report: Mapping[str, Any] = field(repr=False)
    explicit: Mapping[str, Any]
    implicit: Mapping[str, Any]
    measured: Measured = field(repr=False)

    @property
    def signature(self) -> str:
        """One line with all that decides the figures."""
        return self.measured.signature

    @property
    def differences(self) -> Sequence[Mapping[str, Any]]:
        """Every difference, with both texts around it."""
        return self.report["differences"]  # type: ignore[no-any-return]

    @property
    def notes(self) -> list[str]:
        """Why the rates say nothing, and that the system's texts were prose, where it is so."""
        compared = len(self.measured.contrasts)
        if not compared:
            nothing = ["no text was compared: the rates are unknown"]
        elif not self.measured.has_corrections:
            nothing = ["the system changes no text: the rates say nothing"]
        else:
            nothing = ["too few texts to say whether a rate is chance"] if compared < FEW else []
        return [*nothing, *prose_notes(self.signature)]

    def parts(self, show: int = 20) -> list[Part]:
        """What was compared, the rates, the first `show` texts with differences, the notes, and the signature."""
        from gec_fair.edits import diff
        from gec_fair.edits.explain import explain

        measured = self.measured
        skipped, conflicts = sum(measured.skipped.values()), sum(measured.conflicts.values())
        reasons = Counter(measured.skipped) + Counter(measured.conflicts)
        why = _counts(reasons)
        lines: list[Part] = [
            f"{measured.texts} texts, {len(measured.pairs) + skipped} with something to swap, "
            f"{len(measured.contrasts)} compared",
            f"left out: {skipped} could not be rewritten, {conflicts} could not be carried{f' ({why})' if why else ''}",
            *([f"left by choice: {_counts(measured.left)}"] if measured.left else []),
            "",
            *self.tables(),
        ]
        different = [pair for pair in measured.contrasts if pair.differences]
        for pair in different[:show]:
            assert pair.expected is not None
            kinds = (d.bias.name.lower().replace("_", " ") if d.bias else d.kind for d in pair.differences)
            lines += [
                "",
                f"{pair.text.number}  {', '.join(kinds)}",
                f"  system   {' '.join(pair.corrected)}",
                f"  expected {explain(diff(pair.expected, pair.written), pair.expected)}",
            ]
        if len(different) > show:
            lines += ["", f"… and {len(different) - show} more texts; -o FILE writes every difference"]
        return [*lines, *(part for note in self.notes for part in ("", note)), "", self.signature]

    def to_dict(self) -> dict[str, Any]:
        """The report that `gec-fair counterfactual --json` prints."""
        return dict(self.report)

    def tables(self) -> Sequence[Table]:
        """The rates, with their 95 % intervals; fewer than ten texts with a difference have none."""
        records: list[Record] = [
            {"difference": kind, "count": row["count"], "rate": row["per_1000"], "low": row["ci95"][0]}
            | {"high": row["ci95"][1]}
            for kind, row in (("explicit", self.explicit), ("implicit", self.implicit))
        ]
        columns = (
            Column("difference"),
            right("count"),
            right("rate", "{:.2f}", f"per 1,000 of {self.measured.words} swapped words", "–"),
            Column("low", "[{low:.2f}, {high:.2f}]", "95 % interval", unknown="–"),
        )
        return [Table("rates", "Differences in treatment", records, columns=columns)]


def _counts(reasons: Mapping[str, int]) -> str:
    return ", ".join(f"{reason} {n}" for reason, n in reasons.items())


@keywords(CounterfactualOptions)
def counterfactual(system: Any, options: CounterfactualOptions) -> Counterfactual:
    """Find unequal treatment on any text, without a reference.

    What the system made of a text is carried over to its rewriting: that is what it should have written there. A
    difference at a swapped word, or at a noun of that person, is explicit, any other implicit.

    Args:
        system: A name for `load_system`, or a function from texts to corrected texts. With `evalset` also outputs:
            (original, augmented), each a list of texts, a file, or a table with the columns `hypothesis` and `source`.

    Returns:
        The rates with their intervals, and every difference.

    Raises:
        SystemFault: For a system that does not answer text for text.

    Examples:
        >>> import gec_fair as gf
        >>> gf.counterfactual("identity", ["She lost her keys ."], resamples=100).explicit["count"]
        0

    Source: the idea of counterfactual evaluation without gold, by the square of docs/reference/architecture.md.
    """
    from gec_fair.evaluate.bias.counterfactual import from_set, from_texts, measure
    from gec_fair.evaluate.scoring.hypotheses import HypothesisOptions
    from gec_fair.gec.systems.protocol import writes_prose
    from gec_fair.runs.digests import short_digest

    if (options.texts is None) == (options.evalset is None):
        raise UsageError("give either texts or evalset")
    if options.evalset is not None and (options.transform, options.paradigm, options.gate) != ("st", "", "coref"):
        raise UsageError("transform, paradigm and gate are for texts; a set has its rewriting already")
    evalset = None if options.evalset is None else load_evalset(options.evalset)
    if evalset is not None:
        prepared = from_set(evalset)
    else:
        rewriting = options_of(options.transform, options.paradigm, gate=options.gate)
        prepared = from_texts(_sources(options.texts), rewriting)
    reading = HypothesisOptions(options.tokenise)
    if isinstance(system, tuple):
        if evalset is None:
            raise UsageError("outputs are of an evaluation set; name it with evalset")
        refuse_prose(options.prose)
        sides = _read_sides(check_sides(system), evalset, reading)
        file = Path(system[-1]).name if isinstance(system[-1], str | Path) else "outputs"
        name = f"{file} #{short_digest(sides)}"
        is_prose = any(is_prose for _, is_prose in sides)

        def answer(sentences: list[str]) -> list[str]:
            return [" ".join(words[text.number - 1]) for words, _ in sides for text in prepared.rewritten]

        text: HypText = "tokens"
    else:
        loaded = load_system(system, prose=options.prose)
        name, is_prose, text = loaded.version, writes_prose(loaded), "tokens" if writes_prose(loaded) else reading.text

        def answer(sentences: list[str]) -> list[str]:
            with options.progress("texts") as progress:
                return correct(loaded, sentences, options.no_cache, progress)

    bootstrap = {"resamples": options.resamples, "seed": options.seed}
    measured = measure(prepared, answer, name=name, text=text, is_prose=is_prose, **bootstrap)
    report: Mapping[str, Any] = measured.as_json()
    return Counterfactual(report, report["explicit"], report["implicit"], measured)


def _sources(texts: Texts) -> list[Words]:
    """The words of each text; of an M2 file of its sources. InputError for an empty file."""
    from gec_fair.evaluate.scoring.texts import read_sources

    if isinstance(texts, str | Path):
        return read_words(read_sources(Path(texts)), "texts")
    return read_words(texts, "texts")


def _read_sides(
    outputs: tuple[Any, Any], evalset: EvalSet, reading: HypothesisOptions
) -> list[tuple[list[Words], bool]]:
    """The words of both sides' outputs, and whether they were prose."""
    from gec_fair.evaluate.evalsets.catalogue import read_twins
    from gec_fair.evaluate.scoring.hypotheses import read_hypotheses

    sides = []
    for output, reference, side in zip(outputs, read_twins(evalset), SIDES, strict=True):
        hypotheses = read_hypotheses(output, reference, reading, name=f"the {side} side's output")
        sides.append((hypotheses.words(reference.sources), hypotheses.is_prose))
    return sides
