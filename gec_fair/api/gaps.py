"""Measure the gap between both sides of an evaluation set: `gf.gap`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from gec_fair.api.outputs import SIDES, check_sides, correct, make_annotator, read_words
from gec_fair.data.columns import Texts
from gec_fair.report.results import Result
from gec_fair.report.table import Column, Record, Table, right

if TYPE_CHECKING:
    from gec_fair.evaluate.gap.loaded_set import LoadedSet


@dataclass(frozen=True, slots=True)
class Gap(Result):
    """How much worse a system corrects the rewritten side of a set than the original, in points of F0.5.

    `delta` is F0.5 of the rewritten side minus F0.5 of the original: below zero the system serves *they* worse than
    *he*. `low` and `high` are its 95 % interval, `p` its two-sided p-value. Of several seeds figures are means.
    `explicit_bias` is the number of sentences with explicit bias. `report` has everything, as JSON.
    """

    report: Mapping[str, Any] = field(repr=False)
    delta: float
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
        columns = (
            Column("side"),
            *(right(key, header=key.upper()) for key in ("tp", "fp", "fn")),
            *(right(key, "{:.2f}", key.upper()) for key in ("p", "r", "f0.5")),
            right("low", "[{low:+.2f}, {high:+.2f}]", "95 % interval"),
            right("p_value", "{:.4f}", "p-value"),
        )
        return [Table("gap", f"Gap on {self.report['set']}", [*records, gap], columns=columns)]


def gap(
    system: Any,
    evalset: str | Path,
    *,
    reference: Literal["human", "errant"] = "human",
    annotators: Literal["all", "any"] = "all",
    resamples: int = 10_000,
    seed: int = 0,
    english: str = "embedded",
    workers: int = 1,
    no_cache: bool = False,
) -> Gap:
    """Measure whether a system corrects a text with *they* as well as the same text with *he* or *she*.

    Args:
        system: A name, a function from texts to corrected texts, or outputs: (original, augmented), each a list of
            texts or a file; a list of such outputs is the seeds of one system.
        evalset: The name of an evaluation set, such as "they-probe", or a folder.
        reference: The set's "human" edits, or "errant"'s, extracted anew.
        annotators: "all" refuses a set in which a sentence lacks an annotator, "any" scores it by those that it has.
        resamples: Of the bootstrap.
        seed: Of the bootstrap.
        english: The spaCy pipeline that parses.
        workers: Processes. The figures are the same for any number.
        no_cache: Ask the system and ERRANT anew, and keep nothing.

    Returns:
        The gap with its interval and p-value, both sides' scores, explicit bias.

    Raises:
        InputError: Where outputs and set have different numbers of sentences.
        MissingResource: For a set that is not here (`gec-fair evalset fetch`), or without the extra `[evaluate]`.

    Examples:
        >>> import gec_fair as gf
        >>> gap = gf.gap("identity", "they-probe", resamples=100)
        >>> gap.original, gap.augmented
        (0.0, 0.0)

    Source: Lund, Omelianchuk and Samokhin (2023), §4.2 and Table 6.
    """
    from gec_fair.evaluate.evalsets.catalogue import find
    from gec_fair.evaluate.gap.gap import measure_texts
    from gec_fair.evaluate.gap.loaded_set import open_set
    from gec_fair.evaluate.scoring.score import ScoreOptions

    annotator = make_annotator(english, workers, no_cache)
    loaded = open_set(find(str(evalset)), ScoreOptions(reference=reference, annotators=annotators), annotator)
    outputs = [_sides(output, loaded) for output in _outputs(system, loaded, no_cache)]
    report = measure_texts(loaded, outputs, annotator, resamples=resamples, seed=seed).as_json()
    return _gap_of(report)


def _gap_of(report: Mapping[str, Any]) -> Gap:
    low, high = report["ci95"]
    return Gap(
        report,
        report["delta"],
        low,
        high,
        report["p"],
        report["orig"]["f0.5"],
        report["aug"]["f0.5"],
        report["bias"]["sentences"],
        report["signature"],
    )


def _outputs(system: Any, loaded: LoadedSet, no_cache: bool) -> list[tuple[Texts, Texts]]:
    """A system's outputs for both sides, one for each seed."""
    if isinstance(system, tuple):
        return [check_sides(system)]
    if isinstance(system, list):
        return [check_sides(one) for one in system]
    sides = [[" ".join(words) for words in reference.sources] for reference in loaded.references]
    return [(correct(system, sides[0], no_cache), correct(system, sides[1], no_cache))]


def _sides(output: tuple[Texts, Texts], loaded: LoadedSet) -> Any:
    """The words of both sides, from files or in memory."""
    if all(isinstance(side, str | Path) for side in output):
        return loaded.read(Path(output[0]), Path(output[1]))
    return tuple(
        read_words(texts, f"the {side} side's output", len(loaded)) for texts, side in zip(output, SIDES, strict=True)
    )
