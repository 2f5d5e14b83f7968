"""Score corrected texts with ERRANT: `gf.score`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, Protocol, TypeAlias, overload

from gec_fair.api.outputs import prose_notes, read_words
from gec_fair.config.options import part
from gec_fair.data.columns import (
    Texts,
    is_missing,
    is_table,
    one_or_more,
    read_texts,
    values_of,
    wrong_argument,
)
from gec_fair.data.keywords import Fields, keywords
from gec_fair.edits import words_of
from gec_fair.errors import UsageError
from gec_fair.evaluate.options import ScoreOptions, ScoringOptions
from gec_fair.evaluate.scoring.errant import Annotator, make_annotator
from gec_fair.report.results import Result
from gec_fair.report.table import Column, Record, Table, right
from gec_fair.stats.estimate import describe_ends

if TYPE_CHECKING:
    from gec_fair.evaluate.scoring.resampled import Resampled
    from gec_fair.evaluate.scoring.texts import Reference

References: TypeAlias = Any
"""A file, or for each source one corrected text or several."""


@dataclass(frozen=True, slots=True, repr=False)
class Score(Result):
    """How well one output corrects: `precision`, `recall` and `f` in percent; ERRANT prints shares.

    `f` is F-beta, so F0.5 by default. `intervals` has the ends of the 95 % bootstrap intervals over sentences, by the
    names of `to_dict`; None below ten sentences, without a correct edit, and where all resamples are alike. `types` has
    the same figures by error type, where they were asked for. `signature` is one line with all that decides them.
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
    intervals: Mapping[str, tuple[float | None, float | None]] = field(default_factory=dict)

    @property
    def notes(self) -> list[str]:
        """That the texts were prose, where they were."""
        return prose_notes(self.signature)

    def to_dict(self) -> dict[str, Any]:
        """What `gec-fair score --json` lists for each output, without its name."""
        types = {"types": {name: dict(row) for name, row in self.types.items()}} if self.types else {}
        ends = {"ci95": {name: list(ends) for name, ends in self.intervals.items()}} if self.intervals else {}
        return {**self._figures(), **ends, "sentences": self.sentences, "signature": self.signature, **types}

    def tables(self) -> Sequence[Table]:
        """The figures, over all edits and by type."""
        name = f"f{self.beta:g}"
        low, high = self.intervals.get(name, (None, None))
        ends = {} if low is None else {"low": low, "high": high}
        figures = {"all": {**self._figures(), **ends}, **self.types}
        records: list[Record] = [{"edits": name, **row} for name, row in figures.items()]
        columns = (
            Column("edits"),
            *(right(key, header=key.upper()) for key in ("tp", "fp", "fn")),
            right("precision", "{:.2f}", "P"),
            right("recall", "{:.2f}", "R"),
            right(name, "{:.2f}", f"F{self.beta:g}"),
            *([right("low", "[{low:.2f}, {high:.2f}]", "95 % interval")] if ends else []),
        )
        return [Table("scores", "Scores", records, columns=columns)]

    def _figures(self) -> dict[str, float | int]:
        counts = {"tp": self.tp, "fp": self.fp, "fn": self.fn}
        return {"precision": self.precision, "recall": self.recall, f"f{self.beta:g}": self.f, **counts}


class Scores(dict[str, Score], Result):
    """The scores of several outputs by name. `differences` compares them."""

    __slots__ = ("resampled",)

    def __init__(self, scores: Mapping[str, Score], resampled: Resampled) -> None:
        super().__init__(scores)
        self.resampled = resampled

    def __repr__(self) -> str:
        return str(self)

    def difference(self, first: str | Sequence[str], second: str | Sequence[str]) -> dict[str, Any]:
        """F of the second system minus F of the first, with the 95 % interval and p-value of a paired bootstrap over
        sentences. Several names are the seeds of one system."""
        places = {name: place for place, name in enumerate(self)}
        named = [one_or_more(names) for names in (first, second)]
        if unknown := [name for names in named for name in names if name not in places]:
            raise UsageError(f"no output is called {unknown[0]!r}; there are {', '.join(places)}")
        first_places, second_places = ([places[name] for name in names] for names in named)
        delta = self.resampled.difference(first_places, second_places)
        return {"delta": delta.value, "low": delta.low, "high": delta.high, "p": delta.p}

    @property
    def differences(self) -> list[dict[str, Any]]:
        """That of every output from the first."""
        first, *others = self
        return [{"system": name, "minus": first, **self.difference(first, name)} for name in others]

    @property
    def notes(self) -> list[str]:
        """That texts were prose, and whose."""
        prose = [name for name, score in self.items() if score.notes]
        return [f"{', '.join(prose)}: {next(iter(self[prose[0]].notes))}"] if prose else []

    def to_dict(self) -> dict[str, Any]:
        """The reports by name."""
        return {name: score.to_dict() for name, score in self.items()}

    def tables(self) -> Sequence[Table]:
        """The figures of each output; then the differences."""
        records: list[Record] = []
        for name, score in self.items():
            (table,) = score.tables()
            records.append({"output": name, **{k: v for k, v in table.records[0].items() if k != "edits"}})
        keys = list(dict.fromkeys(column.key for score in self.values() for column in score.tables()[0].columns[1:]))
        columns = {column.key: column for score in self.values() for column in score.tables()[0].columns[1:]}
        scores = Table("scores", "Scores", records, columns=(Column("output"), *(columns[key] for key in keys)))
        return [scores, differences_table(self.differences, next(iter(self.values())).beta)]


def differences_table(differences: Sequence[Mapping[str, Any]], beta: float = 0.5) -> Table:
    """Differences of F between systems, with the interval and p-value of the paired bootstrap."""

    def ends(record: Record) -> str | None:
        is_known = record["delta"] is not None
        return describe_ends((record["low"], record["high"]), record["p"]) if is_known else None

    columns = (
        Column("system", header=f"F{beta:g} of"),
        Column("minus", header=f"minus F{beta:g} of"),
        right("delta", "{:+.2f}", "difference", unknown="–"),
        right("low", ends, "95 % interval", unknown="–"),
        right("p", "{:.4f}", unknown="–"),
    )
    return Table("differences", "Differences between systems (paired bootstrap)", list(differences), columns=columns)


class _Score(Protocol[Fields]):
    @overload
    def __call__(
        self, hypotheses: Mapping[str, Any], references: References, *args: Fields.args, **kwargs: Fields.kwargs
    ) -> Scores: ...
    @overload
    def __call__(
        self, hypotheses: Texts, references: References, *args: Fields.args, **kwargs: Fields.kwargs
    ) -> Score: ...


def _declare_types(function: Callable[Concatenate[Any, References, Fields], Any]) -> _Score[Fields]:
    return function  # type: ignore[return-value]


@_declare_types
@keywords(ScoringOptions)
def score(hypotheses: Any, references: References, options: ScoringOptions) -> Any:
    """Score corrected texts with ERRANT: precision, recall, F0.5, equal to errant_compare to the digit.

    Args:
        hypotheses: The corrected texts, one for each sentence; or a file of them, an M2 file, or a table (CSV, TSV,
            JSONL, a data frame, a list of dicts) with a `column` of them. A table with the sources beside them is put
            into the order of the reference. A dict of several outputs by name is annotated together.
        references: An M2 file; CSV, TSV or JSONL with the columns `fields`; TSV without a header, each line a source
            and its corrected texts; a file with one corrected text a line; or for each source a corrected text, or a
            list of several annotators' texts.

    Returns:
        The figures, in percent, with intervals; for a dict of outputs a dict, which compares them too.

    Raises:
        InputError: Where files of texts and references are not of the same sentences.
        UsageError: The same for texts in memory; if an argument is neither texts nor a file, or if there are no texts.
        MissingResource: Without ERRANT (`pip install 'gec-fair[errant]'`).

    Examples:
        >>> import gec_fair as gf
        >>> score = gf.score(["He goes home ."], ["He goes home ."], ["He go home ."])
        >>> score.f, score.tp
        (100.0, 1)
        >>> gf.score(["He goes home."], ["He goes home ."], ["He go home ."]).f  # prose
        100.0

    Source: Bryant, Felice and Briscoe (2017); Dahlmeier and Ng (2012) for the reference of several annotators.
    """
    from gec_fair.evaluate.scoring.hypotheses import HypothesisOptions, read_hypotheses
    from gec_fair.evaluate.scoring.resampled import resample_scores
    from gec_fair.evaluate.scoring.score import judge_outputs
    from gec_fair.evaluate.scoring.texts import check_annotators, has_m2

    beta, fields = options.beta, options.fields
    if len(fields) < 2:
        raise UsageError("fields are the source's column and one for each annotator, such as ('source', 'target')")
    reading = HypothesisOptions(options.tokenise, options.column, fields[0])
    annotator = make_annotator(options)
    several = dict(hypotheses) if isinstance(hypotheses, Mapping) else {"": hypotheses}
    if not several:
        raise UsageError("hypotheses: an empty dict; give each output a name, as in {'mine': texts}")
    gold, version = _gold(references, options.sources, fields, annotator, as_tokens=options.tokenise == "tokens")
    if options.annotators == "all" and isinstance(references, str | Path) and has_m2(Path(references)):
        check_annotators(gold)  # elsewhere a text may have more references than others
    outputs = [read_hypotheses(texts, gold, reading, name=name or "hypotheses") for name, texts in several.items()]
    judged = judge_outputs(outputs, gold, part(options, ScoreOptions), annotator, version=version)
    sentences = [result.scored.sentences for result in judged]
    resampled = resample_scores(sentences, beta=beta, resamples=options.resamples, seed=options.seed)
    scores: dict[str, Score] = {}
    names = ("precision", "recall", f"f{beta:g}")
    for place, (name, result) in enumerate(zip(several, judged, strict=True)):
        signature = f"{result.signature}|bootstrap:{options.resamples}:seed{options.seed}"
        ends = [resampled.interval(place, figure) for figure in range(3)]
        intervals = dict(zip(names, ((end.low, end.high) for end in ends), strict=True))
        report: Mapping[str, Any] = result.as_json(options.cat)
        figures = {key: report[key] for key in ("precision", "recall", "tp", "fp", "fn", "sentences")}
        f, types = report[names[2]], report.get("types", {})
        scores[name] = Score(**figures, f=f, signature=signature, beta=beta, types=types, intervals=intervals)
    return Scores(scores, resampled) if isinstance(hypotheses, Mapping) else scores[""]


def _reference_texts(row: object, number: int) -> list[str]:
    """The corrected texts of one source: a string, or those of several annotators."""
    name = f"references: row {number}"
    if is_missing(row) or isinstance(row, bytes) or not isinstance(row, Iterable):
        raise wrong_argument(name, row, "a corrected text, or a list of several annotators' texts")
    texts = list(read_texts([row] if isinstance(row, str) else row, name))
    if not texts:
        raise UsageError(f"{name} has no text; give at least one corrected text for each source")
    return texts


def _gold(
    references: References, sources: Texts, fields: Sequence[str], annotator: Annotator, *, as_tokens: bool
) -> tuple[Reference, str]:
    """The reference and its digest: an M2 file, or ERRANT's edits of the corrected texts, which may be prose unless
    they are said to be tokens."""
    from gec_fair.evaluate.scoring.hypotheses import read_as
    from gec_fair.evaluate.scoring.texts import Reference, check_sources, digest, has_m2, read_reference
    from gec_fair.runs.digests import short_digest

    if isinstance(references, str | Path) and has_m2(path := Path(references)):
        gold = read_reference(path)
        if sources is not None:
            name = Path(sources) if isinstance(sources, str | Path) else Path("sources")
            check_sources(name, read_words(sources, "sources", len(gold)), gold)
        return gold, digest(path)
    name, originals, texts = _read_corrected(references, sources, fields)
    words = [(source, words_of(text)) for source, row in zip(originals, texts, strict=True) for text in row]
    every = [source for source, _ in words]
    read = read_as([text for _, text in words], every, "tokens" if as_tokens else "auto", str(name)).words(every)
    new_edits = iter(annotator(list(zip(every, read, strict=True))))
    edits = tuple(tuple(next(new_edits) for _ in row) for row in texts)
    names = tuple(frozenset(map(str, range(len(row)))) for row in texts)
    version = short_digest([[" ".join(words) for words in originals], texts])
    return Reference(name, originals, edits, names), version


def _read_corrected(
    references: References, sources: Texts, fields: Sequence[str]
) -> tuple[Path, tuple[tuple[str, ...], ...], list[list[str]]]:
    """The name of the references, the sources, and for each of them its corrected texts."""
    from gec_fair.evaluate.scoring.hypotheses import in_order_of
    from gec_fair.evaluate.scoring.texts import read_parallel

    name, its_sources = Path("references"), None
    if isinstance(references, str | Path):
        name = Path(references)
        references, its_sources = read_parallel(name, fields)
        sources = its_sources if sources is None else sources
    if sources is None:
        raise UsageError(f"{name}: corrected texts, but sources is missing; give the uncorrected texts too (--src)")
    originals = tuple(read_words(sources, "sources"))
    if references is None or isinstance(references, int | float) or is_table(references):
        raise wrong_argument("references", references, "a file, or for each source a corrected text or several")
    texts = [_reference_texts(row, number) for number, row in enumerate(values_of(references), 1)]
    if len(texts) != len(originals):
        raise UsageError(f"{name}: {len(texts):,} for {len(originals):,} sources; give one for each, in order")
    if not originals:
        raise UsageError("sources: no text; give at least one sentence")
    if its_sources is not None:
        rows = zip(texts, its_sources, strict=True)
        placed = [(f"{name}: sentence {number}", row, source) for number, (row, source) in enumerate(rows, 1)]
        texts = in_order_of(originals, placed, "the sources")
    return name, originals, texts
