"""Score corrected texts with ERRANT: `gf.score`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, overload

from typing_extensions import Unpack

from gec_fair.api.outputs import make_annotator, read_words
from gec_fair.data.columns import Texts, read_texts, values_of
from gec_fair.edits import spaced
from gec_fair.report.results import Result
from gec_fair.report.table import Column, Record, Table, right

if TYPE_CHECKING:
    from gec_fair.evaluate.scoring.errant import Annotator
    from gec_fair.evaluate.scoring.texts import Reference, Words

References: TypeAlias = Any
"""An M2 file, or for each source one corrected text or several."""


@dataclass(frozen=True, slots=True)
class Score(Result):
    """How well one output corrects: `precision`, `recall` and `f` in percent with two decimals, as ERRANT prints them.

    `f` is F-beta, so F0.5 by default. `types` has the same by error type where they were asked for. `also` has GLEU and
    chrF. `signature` is one line with all that decides the figures.
    """

    precision: float
    recall: float
    f: float
    tp: int
    fp: int
    fn: int
    sentences: int
    signature: str
    beta: float = 0.5
    types: Mapping[str, Mapping[str, float | int]] = field(default_factory=dict)
    also: Mapping[str, float] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The report that `gec-fair score --json` prints."""
        types = {"types": {name: dict(row) for name, row in self.types.items()}} if self.types else {}
        return {**self._figures(), "sentences": self.sentences, "signature": self.signature, **types, **self.also}

    def tables(self) -> Sequence[Table]:
        """The figures, over all edits and by type."""
        figures = {"all": {**self._figures(), **self.also}, **self.types}
        records: list[Record] = [{"edits": name, **row} for name, row in figures.items()]
        columns = (
            Column("edits"),
            *(right(key, header=key.upper()) for key in ("tp", "fp", "fn")),
            right("precision", "{:.2f}", "P"),
            right("recall", "{:.2f}", "R"),
            right(f"f{self.beta:g}", "{:.2f}", f"F{self.beta:g}"),
            *(right(name, "{:.2f}", name.upper()) for name in self.also),
        )
        return [Table("scores", "Scores", records, columns=columns)]

    def _figures(self) -> dict[str, float | int]:
        return {
            "precision": self.precision,
            "recall": self.recall,
            f"f{self.beta:g}": self.f,
            "tp": self.tp,
            "fp": self.fp,
            "fn": self.fn,
        }


class ScoreKeywords(TypedDict, total=False):
    """The options of `score`."""

    measure: Literal["correction", "typed", "spans", "tokens"]
    reference: Literal["human", "errant"]
    annotators: Literal["all", "any"]
    beta: float
    cat: Literal[1, 2, 3] | None
    also: Sequence[Literal["gleu", "chrf"]]
    column: str
    fields: Sequence[str]
    english: str
    workers: int
    no_cache: bool


@overload
def score(
    hypotheses: Mapping[str, Any], references: References, sources: Texts = ..., **options: Unpack[ScoreKeywords]
) -> dict[str, Score]: ...
@overload
def score(
    hypotheses: Texts, references: References, sources: Texts = ..., **options: Unpack[ScoreKeywords]
) -> Score: ...
def score(
    hypotheses: Any,
    references: References,
    sources: Texts = None,
    *,
    measure: Literal["correction", "typed", "spans", "tokens"] = "correction",
    reference: Literal["human", "errant"] = "human",
    annotators: Literal["all", "any"] = "all",
    beta: float = 0.5,
    cat: Literal[1, 2, 3] | None = None,
    also: Sequence[Literal["gleu", "chrf"]] = (),
    column: str = "hypothesis",
    fields: Sequence[str] = ("source", "target"),
    english: str = "embedded",
    workers: int = 1,
    no_cache: bool = False,
) -> Score | dict[str, Score]:
    """Score corrected texts with ERRANT: precision, recall, F0.5, equal to errant_compare to the digit.

    Args:
        hypotheses: The corrected texts, one for each sentence, words between spaces; or a file of them, an M2 file, or
            CSV or JSONL with a `column` of them. A dict of several outputs by name is annotated together.
        references: An M2 file; CSV or JSONL with the columns `fields`; or for each source a corrected text, or a list
            of several annotators' texts.
        sources: The uncorrected texts, or a file of them. Needed where `references` are texts, and checked against an
            M2 file.
        measure: "correction"; "typed" with types; or detection of "spans" or "tokens".
        reference: The M2's "human" edits, or "errant"'s, extracted anew from the corrected texts.
        annotators: "all" refuses an M2 in which a sentence lacks an annotator, "any" scores it by those that it has.
        beta: The weight of recall.
        cat: By error type too: 1 operation (R), 2 category (NOUN), 3 both (R:NOUN).
        also: "gleu", "chrf", or both, beside F.
        column: The name of the hypotheses' column in CSV or JSONL.
        fields: The names of the source's column, and of each annotator's, in CSV or JSONL.
        english: The spaCy pipeline that parses.
        workers: Processes. The figures are the same for any number.
        no_cache: Parse and annotate everything anew, and keep nothing.

    Returns:
        The figures, in percent; for a dict of outputs a dict.

    Raises:
        InputError: Where texts and references are not of the same sentences.
        MissingResource: Without ERRANT (`pip install 'gec-fair[errant]'`).

    Examples:
        >>> import gec_fair as gf
        >>> score = gf.score(["He goes home ."], ["He goes home ."], ["He go home ."])
        >>> score.f, score.tp
        (100.0, 1)

    Source: Bryant, Felice and Briscoe (2017); Dahlmeier and Ng (2012) for the reference of several annotators.
    """
    from gec_fair.evaluate.scoring import other_metrics
    from gec_fair.evaluate.scoring.score import ScoreOptions, judge_outputs
    from gec_fair.evaluate.scoring.texts import check_annotators, is_table, read_columns

    options = ScoreOptions(measure, reference, beta, annotators)
    annotator = make_annotator(english, workers, no_cache)
    if isinstance(references, str | Path) and is_table(Path(references)):
        originals, *texts = zip(*read_columns(Path(references), _two_or_more(fields)), strict=True)
        references, sources = list(zip(*texts, strict=True)), originals if sources is None else sources
    gold, version = _gold(references, sources, annotator)
    if annotators == "all" and isinstance(references, str | Path):  # texts may have more references than others
        check_annotators(gold)
    several = dict(hypotheses) if isinstance(hypotheses, Mapping) else {"": hypotheses}
    outputs = [_output(output, name or "hypotheses", gold, column) for name, output in several.items()]
    judged = judge_outputs(outputs, gold, options, annotator, version=version)
    scores: dict[str, Score] = {}
    for name, output, one in zip(several, outputs, judged, strict=True):
        more = other_metrics.measured(tuple(also), gold, _corrected(output, gold)) if also else {}
        signature = one.signature + (f"|{other_metrics.signature(tuple(also))}" if also else "")
        scores[name] = _score_of(one.as_json(cat), beta, signature, more)
    return scores if isinstance(hypotheses, Mapping) else scores[""]


def _score_of(report: Mapping[str, Any], beta: float, signature: str, also: Mapping[str, float]) -> Score:
    figures = {name: report[name] for name in ("precision", "recall", "tp", "fp", "fn", "sentences")}
    types = report.get("types", {})
    return Score(**figures, f=report[f"f{beta:g}"], signature=signature, beta=beta, types=types, also=also)


def _two_or_more(fields: Sequence[str]) -> Sequence[str]:
    from gec_fair.errors import UsageError

    if isinstance(fields, str) or len(fields) < 2:
        raise UsageError("fields are the source's column and one for each annotator, such as ('source', 'target')")
    return fields


def _output(hypotheses: Any, name: str, gold: Reference, column: str) -> Sequence[Any]:
    """The words of each text; of an M2 file its edits."""
    from gec_fair.evaluate.scoring.score import read_output
    from gec_fair.evaluate.scoring.texts import check_count, is_table, read_columns

    if isinstance(hypotheses, str | Path) and is_table(path := Path(hypotheses)):
        texts = [spaced(text).words for (text,) in read_columns(path, [column])]
        check_count(path, texts, gold)
        return texts
    if isinstance(hypotheses, str | Path):
        return read_output(Path(hypotheses), gold)
    return read_words(hypotheses, name, len(gold))


def _gold(references: References, sources: Texts, annotator: Annotator) -> tuple[Reference, str]:
    """The reference and its digest: an M2 file, or ERRANT's edits of the corrected texts."""
    from gec_fair.errors import UsageError
    from gec_fair.evaluate.scoring.texts import Reference, check_sources, digest, read_reference
    from gec_fair.runs.digests import short_digest

    if isinstance(references, str | Path):
        gold = read_reference(Path(references))
        if sources is not None:
            path = Path(sources) if isinstance(sources, str | Path) else Path("sources")
            check_sources(path, read_words(sources, "sources", len(gold)), gold)
        return gold, digest(Path(references))
    if sources is None:
        raise UsageError("sources is missing; with lists of references give the uncorrected texts too")
    originals = tuple(read_words(sources, "sources"))
    texts = [[one] if isinstance(one, str) else list(one) for one in values_of(references)]
    if len(texts) != len(originals):
        raise UsageError(f"references: {len(texts):,} for {len(originals):,} sources; give one for each, in order")
    pairs = [
        (source, spaced(text).words)
        for source, row in zip(originals, texts, strict=True)
        for text in read_texts(row, "references")
    ]
    new_edits = iter(annotator(pairs))
    edits = tuple(tuple(next(new_edits) for _ in row) for row in texts)
    names = tuple(frozenset(map(str, range(len(row)))) for row in texts)
    version = short_digest([[" ".join(words) for words in originals], texts])
    return Reference(Path("references"), originals, edits, names), version


def _corrected(output: Sequence[Any], gold: Reference) -> list[Words]:
    """The texts of an output that may be edits."""
    from gec_fair.edits import Edits, rewritten

    return [
        rewritten(one, source) if isinstance(one, Edits) else one
        for one, source in zip(output, gold.sources, strict=True)
    ]
