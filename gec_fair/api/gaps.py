"""Measure the gap between both sides of an evaluation set: `gf.gap`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_fair.api.loading import load_evalset, load_system
from gec_fair.api.outputs import SIDES, answer, prose_notes, read_outputs
from gec_fair.config.options import part
from gec_fair.data.keywords import keywords
from gec_fair.evaluate.options import GapOptions, ScoreOptions
from gec_fair.evaluate.scoring.errant import make_annotator
from gec_fair.report.numbers import format_cell, format_number
from gec_fair.report.results import Result
from gec_fair.report.table import Column, Part, Record, Table, right
from gec_fair.stats.estimate import Kind, describe_ends

if TYPE_CHECKING:
    from gec_fair.evaluate.gap.loaded_set import Both, LoadedSet
    from gec_fair.gec.systems.protocol import System

_COUNTS = tuple(right(key, partial(format_cell, key=key), key.upper()) for key in ("tp", "fp", "fn"))
"""Whole numbers of one seed, means of several."""


@dataclass(frozen=True, slots=True, repr=False)
class Gap(Result):
    """How much worse a system corrects the rewritten side of a set than the original, in points of F0.5.

    `delta` is F0.5 of the rewritten side minus F0.5 of the original: below zero the system serves *they* worse than
    *he*. `low` and `high` are its 95 % interval, `p` its two-sided p-value. All four are None for a system without a
    correct edit; for fewer than ten sentences only `delta` is known, and resamples that are all alike have no interval.
    Of several seeds figures are means. `explicit_bias` is the number of sentences with explicit bias. `report` has
    everything, as JSON.
    """

    report: Mapping[str, Any] = field(repr=False)
    delta: float | None
    low: float | None
    high: float | None
    p: float | None
    original: float
    augmented: float
    explicit_bias: float
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """The report that `gec-fair gap --json` prints."""
        return dict(self.report)

    def tables(self) -> Sequence[Table]:
        """Both sides' scores and the gap; then the gap by what was swapped."""
        records: list[Record] = [
            {"side": side, **{key: self.report[name][key] for key in ("p", "r", "f0.5", "tp", "fp", "fn")}}
            for side, name in (("original", "orig"), ("augmented", "aug"))
        ]
        low, high = self.report["ci95"]
        gap: Record = {"side": "gap", "f0.5": self.report["delta"], "low": low, "high": high, "p_value": self.p}
        no_interval = "–" if self.delta is None else describe_ends((None, None), self.p)
        columns = (
            Column("side"),
            *_COUNTS,
            *(right(key, "{:.2f}", key.upper(), unknown="–") for key in ("p", "r", "f0.5")),
            right("low", "[{low:+.2f}, {high:+.2f}]", "95 % interval", unknown=no_interval),
            right("p_value", "{:.4f}", "p-value", unknown="–"),
        )
        return [Table("gap", f"Gap on {self.report['set']}", [*records, gap], columns=columns)]

    def parts(self) -> list[Part]:
        """Both sides, the gap over all pairs and over parts of them, twins, explicit bias, and the signature."""
        results = self.report
        lines: list[Part] = [_sides(results)]
        for note in self.notes:
            lines += ["", note]
        if results["delta"] is not None:
            lines += _gap_lines(results)
        twins, bias = results["twins"], results["bias"]
        sides = f"{twins['orig']} on the original side alone, {twins['aug']} on the augmented side alone"
        lines += [""] if results["delta"] is None else []
        mcnemar = "too few for a test" if twins["p"] is None else f"McNemar p = {twins['p']:.4f}"
        lines.append(f"twins: {twins['both']} of {twins['twins']} found on both sides, {sides}, {mcnemar}")
        sentences, unreflexive = (
            format_number("count", bias[name]) for name in ("sentences", "sentences_without_reflexive")
        )
        cases = ((name.replace("_", " "), n) for name, n in bias["cases"].items() if name != "two_sd" and n)
        kinds = ", ".join(f"{name} {format_number('count', n)}" for name, n in cases) or "none"
        lines.append(f"explicit bias: {sentences} sentences ({unreflexive} without reflexives); cases: {kinds}")
        for case in results["biased"]:
            seed = f"seed {case['seed']}, " if results["seeds"] > 1 else ""
            kind = case["kind"].replace("_", " ")
            lines.append(f"  {seed}sentence {case['sentence']}: {kind}  {case['old']} → {case['new'] or '(nothing)'}")
        return [*lines, "", results["signature"]]

    @property
    def notes(self) -> list[str]:
        """Sentences to read beside the figures: why the system has no gap, and which texts were read as prose."""
        no_gap = [f"The system {self.report['no_gap']}."] if "no_gap" in self.report else []
        return no_gap + prose_notes(self.signature)


@keywords(GapOptions)
def gap(system: Any, evalset: str | Path, options: GapOptions) -> Gap:
    """Measure whether a system corrects a text with *they* as well as the same text with *he* or *she*.

    Args:
        system: A name, a function from texts to corrected texts, or outputs: (original, augmented), each a list of
            texts, a file, or a table with the columns `hypothesis` and `source`; a list of such outputs is the seeds
            of one system.
        evalset: The name of an evaluation set, such as "they-probe", or a folder.

    Returns:
        The gap with its interval and p-value, both sides' scores, explicit bias.

    Raises:
        InputError: Where outputs and set have different numbers of sentences (UsageError for texts in memory).
        MissingResource: For a set that is not here (`gec-fair evalset fetch`), or without the extra `[evaluate]`.

    Examples:
        >>> import gec_fair as gf
        >>> gap = gf.gap("identity", "they-probe", resamples=100)
        >>> gap.delta, gap.report["no_gap"]
        (None, 'makes no edit: its gap says nothing')

    Source: Lund, Omelianchuk and Samokhin (2023), §4.2 and Table 6.
    """
    from gec_fair.evaluate.gap.gap import measure_texts
    from gec_fair.evaluate.gap.loaded_set import open_set
    from gec_fair.evaluate.scoring.hypotheses import HypothesisOptions

    reading = HypothesisOptions(options.tokenise)
    outputs = read_outputs(system, prose=options.prose)
    annotator = make_annotator(options)
    loaded = open_set(load_evalset(evalset), part(options, ScoreOptions), annotator)
    if outputs is None:
        texts = [_answers(load_system(system, prose=options.prose), loaded, options)]
    else:
        texts = [loaded.read(*sides, reading) for sides in outputs]
    measured = measure_texts(loaded, texts, annotator, resamples=options.resamples, seed=options.seed)
    report: Mapping[str, Any] = measured.as_json()
    low, high = report["ci95"]
    original, augmented = (report[side]["f0.5"] for side in SIDES)
    biased = report["bias"]["sentences"]
    return Gap(report, report["delta"], low, high, report["p"], original, augmented, biased, report["signature"])


def _gap_lines(results: Mapping[str, Any]) -> list[Part]:
    """The gap, and over parts of the pairs."""
    spread = f" ± {results['two_sd']:.2f} (2 s.d. over {results['seeds']} seeds)" if "two_sd" in results else ""
    lines: list[Part] = ["", Kind.TWO_SD.note] if spread else []
    name = "" if results["ci95"][0] is None else "95 % interval "
    p = "" if results["p"] is None else f"  p = {results['p']:.4f}"
    ends = describe_ends(results["ci95"], results["p"])
    lines += ["", f"gap {results['delta']:+.2f}{spread}  {name}{ends}{p}"]
    for split in results["splits"]:
        ends = describe_ends(split["ci95"], split["p"])
        delta = "     –" if split["delta"] is None else f"{split['delta']:+6.2f} {ends}"
        lines.append(f"  {split['name']:22} {split['pairs']:5} pairs  {delta}")
    return lines


def _sides(results: Mapping[str, Any]) -> Table:
    """Both sides of a set; ± is 2 s.d. over seeds."""
    scores = ("p", "r", "f0.5")
    records = []
    for side in ("orig", "aug"):
        row = results[side]
        spread = {f"{key} two_sd": row["two_sd"][key] for key in scores} if "two_sd" in row else {}
        records.append({"side": side, **{key: row[key] for key in ("tp", "fp", "fn", *scores)}, **spread})
    columns = (
        Column("side"),
        *_COUNTS,
        *(right(key, (f"{{:.2f}} ± {{{key} two_sd:.2f}}", "{:.2f}"), key.upper(), unknown="–") for key in scores),
    )
    return Table("sides", "Both sides", records, columns=columns)


def _answers(system: System, loaded: LoadedSet, options: GapOptions) -> Both:
    """What a system makes of both sides."""
    sides = []
    for reference, side in zip(loaded.references, SIDES, strict=True):
        with options.progress(f"{loaded.set.name} {side}") as update:
            sides.append(answer(system, reference.sources, options.tokenise, options.no_cache, update))
    return sides[0], sides[1]
