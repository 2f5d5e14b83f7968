"""Score corrected texts, measure gaps, compare systems, find unequal treatment and explicit bias."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, overload

from typing_extensions import Unpack

from gec_fair.api.loading import AnySystem, FunctionSystem, load_system
from gec_fair.data.columns import Pairs, Texts, one_or_more, read_pairs, read_texts, values_of
from gec_fair.edits import spaced
from gec_fair.progress import Progress, unheard
from gec_fair.report.results import Result
from gec_fair.report.table import Column, Record, Table, right

if TYPE_CHECKING:
    from gec_fair.evaluate.bias.corpus import Audit
    from gec_fair.evaluate.bias.counterfactual import Measured, Prepared
    from gec_fair.evaluate.gap.loaded_set import LoadedSet
    from gec_fair.evaluate.scoring.errant import Annotator
    from gec_fair.evaluate.scoring.texts import Reference, Words

SIDES = ("orig", "aug")
_BIAS_COLUMNS = (
    Column("kind", lambda row: f"{row['kind']} {row['name'].replace('_', ' ')}"),
    right("cases", "{:,}", unknown="–"),
    right("pairs", "{:,}", unknown="–"),
    right("exposed_words", "{:,}", "words that could be hit", "–"),
    right("per_1000_words", "{:,.3f}", "per 1,000 of them", "–"),
    right("per_1000_pairs", "{:,.3f}", "per 1,000 pairs", "–"),
)
BiasKind: TypeAlias = Literal["gendered", "pluralised", "reflexive", "deleted", "wrong_gender", "neopronoun"]
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
    annotator = _annotator(english, workers, no_cache)
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
    return _words(hypotheses, name, len(gold))


def _annotator(english: str, workers: int, no_cache: bool) -> Annotator:
    from gec_fair.evaluate.scoring.errant import Annotator
    from gec_fair.runs.cache import cache_directory

    return Annotator(english, None if no_cache else cache_directory() / "errant.sqlite", workers)


def _gold(references: References, sources: Texts, annotator: Annotator) -> tuple[Reference, str]:
    """The reference and its digest: an M2 file, or ERRANT's edits of the corrected texts."""
    from gec_fair.errors import UsageError
    from gec_fair.evaluate.scoring.texts import Reference, check_sources, digest, read_reference
    from gec_fair.runs.digests import short_digest

    if isinstance(references, str | Path):
        gold = read_reference(Path(references))
        if sources is not None:
            path = Path(sources) if isinstance(sources, str | Path) else Path("sources")
            check_sources(path, _words(sources, "sources", len(gold)), gold)
        return gold, digest(Path(references))
    if sources is None:
        raise UsageError("sources is missing; with lists of references give the uncorrected texts too")
    originals = tuple(_words(sources, "sources"))
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


def _words(texts: Texts, name: str, expected: int | None = None) -> list[Words]:
    """The words of each text, in a file or in memory. UsageError for another number than expected."""
    from gec_fair.errors import UsageError
    from gec_fair.evaluate.scoring import texts as files

    if isinstance(texts, str | Path):
        return files.read_texts(Path(texts))
    words = [spaced(text).words for text in read_texts(texts, name)]
    if expected is not None and len(words) != expected:
        raise UsageError(f"{name}: {len(words):,} texts for {expected:,} sentences; give one for each, in order")
    return words


def _corrected(output: Sequence[Any], gold: Reference) -> list[Words]:
    """The texts of an output that may be edits."""
    from gec_fair.edits import Edits, rewritten

    return [
        rewritten(one, source) if isinstance(one, Edits) else one
        for one, source in zip(output, gold.sources, strict=True)
    ]


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

    annotator = _annotator(english, workers, no_cache)
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
        return [_pair(system)]
    if isinstance(system, list):
        return [_pair(one) for one in system]
    sides = [[" ".join(words) for words in reference.sources] for reference in loaded.references]
    return [(_correct(system, sides[0], no_cache), _correct(system, sides[1], no_cache))]


def _pair(output: Any) -> tuple[Texts, Texts]:
    from gec_fair.errors import UsageError

    if not isinstance(output, tuple | list) or len(output) != 2:
        raise UsageError("outputs are (original, augmented): the corrected texts of both sides of the set")
    return output[0], output[1]


def _sides(output: tuple[Texts, Texts], loaded: LoadedSet) -> Any:
    """The words of both sides, from files or in memory."""
    if all(isinstance(side, str | Path) for side in output):
        return loaded.read(Path(output[0]), Path(output[1]))
    return tuple(
        _words(texts, f"the {side} side's output", len(loaded)) for texts, side in zip(output, SIDES, strict=True)
    )


def _correct(system: AnySystem, texts: Sequence[str], no_cache: bool, progress: Progress | None = None) -> list[str]:
    """The corrected texts; those of a function are not cached."""
    from gec_fair.gec.systems.run import correct, outputs_cache

    loaded = load_system(system)
    cache = None if no_cache or isinstance(loaded, FunctionSystem) else outputs_cache()
    return correct(loaded, texts, cache=cache, progress=progress)


@dataclass(frozen=True, slots=True)
class Comparison(Result):
    """Every gap of several systems, and the differences of gaps between any two. `report` has everything, as JSON."""

    report: Mapping[str, Any] = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """The report that `gec-fair compare --json` prints."""
        return dict(self.report)

    def tables(self) -> Sequence[Table]:
        """The paper's tables, as far as the systems and sets fill them."""
        from gec_fair.evaluate.report.tables import tables

        return tables(self.report)

    def write(self, folder: str | Path) -> list[Path]:
        """Write report.html, results.json and every table as Markdown, CSV, JSON and LaTeX. Returns the files."""
        from gec_fair.evaluate.gap import results
        from gec_fair.evaluate.report import page

        page.check()
        results.write(self.report, Path(folder))
        return page.write(dict(self.report), Path(folder))


def compare(
    systems: Mapping[str, Any] | str | Path,
    evalsets: str | Path | Sequence[str | Path] = (),
    *,
    output: str | Path | None = None,
    full: str | Path | None = None,
    reference: Literal["human", "errant"] = "human",
    annotators: Literal["all", "any"] = "all",
    resamples: int = 10_000,
    seed: int = 0,
    english: str = "embedded",
    workers: int = 1,
    no_cache: bool = False,
    progress: Callable[[str], AbstractContextManager[Progress]] = unheard,
) -> Comparison:
    """Compare systems: every gap on every set, with intervals, and the differences between any two of them.

    Args:
        systems: By name a system: its name for `load_system`, a function from texts to corrected texts, or outputs by
            set: {"they-probe": (original, augmented)}, where a list of outputs is the seeds. Or a folder with
            SYSTEM/SEED/SET/{orig,aug}.txt.
        evalsets: Names or folders of evaluation sets; () for all that are here.
        output: A folder for the systems' outputs (runs/); None keeps none.
        full: For a folder: the M2 reference of its SYSTEM/SEED/full.txt.
        reference: The sets' "human" edits, or "errant"'s, extracted anew.
        annotators: "all" refuses a set in which a sentence lacks an annotator, "any" scores it by those that it has.
        resamples: Of the bootstrap.
        seed: Of the bootstrap.
        english: The spaCy pipeline that parses.
        workers: Processes. The figures are the same for any number.
        no_cache: Ask systems and ERRANT anew, and keep nothing.
        progress: For a title a context with a function that hears (done, of how many).

    Returns:
        The comparison: tables, the report as a dict, and `write(folder)` for the page.

    Raises:
        InputError: Where outputs and set have different numbers of sentences.
        MissingResource: For a set that is not here, or without the extra `[evaluate]`.

    Examples:
        >>> import gec_fair as gf
        >>> systems = {"copy": "identity", "lower": lambda texts: [text.lower() for text in texts]}
        >>> comparison = gf.compare(systems, ["they-probe"], resamples=100)
        >>> [row["system"] for row in comparison.report["rows"]]
        ['copy', 'lower']

    Source: Lund, Omelianchuk and Samokhin (2023), Tables 1 to 8.
    """
    from tempfile import TemporaryDirectory

    from gec_fair.errors import UsageError

    sets = [str(name) for name in one_or_more(evalsets)]
    about = (reference, annotators, resamples, seed)
    annotator = _annotator(english, workers, no_cache)
    if isinstance(systems, str | Path):
        return _compare_runs(Path(systems), sets, None, full, about, annotator)
    if not isinstance(systems, Mapping):
        raise UsageError("systems: give each system a name, as in {'copy': 'identity', 'mine': my_function}")
    with TemporaryDirectory() as temporary:
        runs = Path(output or temporary) / "runs"
        written = _write_runs(systems, sets, runs, no_cache, progress)
        return _compare_runs(runs, sets, written, full, about, annotator)


def _compare_runs(
    runs: Path,
    sets: Sequence[str],
    written: set[tuple[str, str]] | None,
    full: str | Path | None,
    options: tuple[str, str, int, int],
    annotator: Annotator,
) -> Comparison:
    """Of a folder; `written`: the folders of systems, and the sets, that count; None for all."""
    from gec_fair.errors import InputError
    from gec_fair.evaluate.gap import compare as comparing
    from gec_fair.evaluate.gap import results
    from gec_fair.evaluate.scoring.score import ScoreOptions

    reference, annotators, resamples, seed = options
    about = comparing.read_run_record(runs) if written is None else comparing.RunsFile()
    full_outputs = comparing.full_outputs(runs)
    gold = Path(full) if full else Path(about.full) if about.full and full_outputs else None
    if gold is not None and not full_outputs:
        raise InputError(f"{runs}: no SYSTEM/SEED/full.txt in it; leave full out")
    outputs = [
        output
        for output in comparing.discover(runs, sets or about.sets)
        if written is None or (output.system, output.set) in written
    ]
    measured = comparing.compare(
        outputs,
        ScoreOptions(reference=reference, annotators=annotators),
        annotator,
        full=(gold, full_outputs) if gold is not None else None,
        resamples=resamples,
        seed=seed,
    )
    return Comparison(results.as_json(measured, outputs, runs.name, trained_on=about.trained_on))


def _write_runs(
    systems: Mapping[str, Any],
    sets: Sequence[str],
    runs: Path,
    no_cache: bool,
    progress: Callable[[str], AbstractContextManager[Progress]],
) -> set[tuple[str, str]]:
    """The outputs of each system, as files in the layout that comparisons read. Returns (folder of the system, name of
    the set) of each pair of files."""
    from gec_fair.errors import MissingResource, UsageError
    from gec_fair.evaluate.evalsets import catalogue
    from gec_fair.evaluate.scoring.texts import read_sources
    from gec_fair.gec.systems.registry import folder_name, visible_name
    from gec_fair.runs.atomic import write_text

    if not systems:
        raise UsageError("systems names none; give {name: system}")
    folders = {folder_name(name): name for name in systems}
    if len(folders) < len(systems):
        raise UsageError(
            f"{', '.join(map(visible_name, systems))}: two of them would be called alike ({', '.join(folders)}); "
            "run them apart"
        )
    written = set()
    for folder, name in folders.items():
        system = systems[name]
        by_set: Mapping[str, Any] | None = system if isinstance(system, Mapping) else None
        places = sets or by_set or catalogue.present()
        if not places:
            raise MissingResource("no evaluation set is here; `gec-fair evalset list` names them, `fetch` gets them")
        loaded = load_system(system) if by_set is None else None
        for evalset in map(catalogue.find, places):
            if loaded is not None:
                texts = []
                for side, path in (("orig", evalset.orig.source), ("aug", evalset.aug.source)):
                    with progress(f"{visible_name(name)} {evalset.name} {side}") as update:
                        texts.append(_correct(loaded, read_sources(path), no_cache, update))
                outputs: list[Any] = [texts]
            elif by_set is not None and evalset.name in by_set:
                output = by_set[evalset.name]
                outputs = [_pair(one) for one in output] if isinstance(output, list) else [_pair(output)]
            else:
                continue
            for number, output in enumerate(outputs):
                for side, part in zip(SIDES, output, strict=True):
                    words = _words(part, f"{name}, {evalset.name}, {side}")
                    path = runs / folder / str(number) / evalset.name / f"{side}.txt"
                    write_text(path, "".join(f"{' '.join(text)}\n" for text in words))
            written.add((folder, evalset.name))
    return written


@dataclass(frozen=True, slots=True)
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

    def to_dict(self) -> dict[str, Any]:
        """The report that `gec-fair counterfactual --json` prints."""
        return dict(self.report)

    def tables(self) -> Sequence[Table]:
        """The rates, with their 95 % intervals."""
        records: list[Record] = [
            {"difference": kind, "count": row["count"], "rate": row["per_1000"], "low": row["ci95"][0]}
            | {"high": row["ci95"][1]}
            for kind, row in (("explicit", self.explicit), ("implicit", self.implicit))
        ]
        columns = (
            Column("difference"),
            right("count"),
            right("rate", "{:.2f}", "per 1,000 swapped words"),
            Column("low", "[{low:.2f}, {high:.2f}]", "95 % interval"),
        )
        return [Table("rates", "Differences in treatment", records, columns=columns)]


def counterfactual(
    system: Any,
    texts: Texts = None,
    *,
    evalset: str | Path | None = None,
    transform: Literal["st", "fm", "neo"] = "st",
    paradigm: str = "xe",
    gate: Literal["coref", "none"] = "coref",
    resamples: int = 10_000,
    seed: int = 0,
    no_cache: bool = False,
    progress: Progress | None = None,
) -> Counterfactual:
    """Find unequal treatment on any text, without a reference.

    What the system made of a text is carried over to its rewriting: that is what it should have written there. A
    difference at a swapped word, or at a noun of that person, is explicit, any other implicit.

    Args:
        system: A name for `load_system`, or a function from texts to corrected texts. With `evalset` also outputs:
            (original, augmented), each a list of texts or a file.
        texts: Tokenised texts, or a file with one a line.
        evalset: Instead of `texts` the name or folder of an evaluation set: its twins.
        transform: The rewriting: singular they, the other gender, or a neopronoun.
        paradigm: For "neo": xe, ze, fae, …
        gate: For "st" and "neo": only where the text shows one person, or every he and she.
        resamples: Of the bootstrap.
        seed: Of the bootstrap.
        no_cache: Ask the system anew for every text, and keep nothing.
        progress: Called with the number of texts corrected, and of all.

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
    from gec_fair.errors import UsageError
    from gec_fair.evaluate.bias.counterfactual import from_set, measure
    from gec_fair.evaluate.evalsets.catalogue import find

    if (texts is None) == (evalset is None):
        raise UsageError("give either texts or evalset")
    if evalset is not None:
        prepared = from_set(find(str(evalset)))
    else:
        prepared = _rewritten(_sources(texts), transform, paradigm, gate)
    if isinstance(system, tuple):
        if evalset is None:
            raise UsageError("outputs are of an evaluation set; name it with evalset")
        name, answer = _name_of(system[1]), _answers(system, prepared, str(evalset))
    else:
        loaded = load_system(system)
        name, answer = loaded.version, lambda sentences: _correct(loaded, sentences, no_cache, progress)
    measured = measure(prepared, answer, name=name, resamples=resamples, seed=seed)
    report: Mapping[str, Any] = measured.as_json()
    return Counterfactual(report, report["explicit"], report["implicit"], measured)


def _sources(texts: Texts) -> list[Words]:
    """The words of each text; of an M2 file of its sources. InputError for an empty file."""
    from gec_fair.evaluate.scoring.texts import read_sources

    if isinstance(texts, str | Path):
        return _words(read_sources(Path(texts)), "texts")
    return _words(texts, "texts")


def _rewritten(texts: Sequence[Words], transform: str, paradigm: str, gate: str) -> Prepared:
    from gec_fair.augmentation.options import Options
    from gec_fair.evaluate.bias.counterfactual import from_texts

    gate = "coref" if transform == "fm" else gate
    return from_texts(texts, Options(transform, gate=gate, paradigm=paradigm if transform == "neo" else ""))


def _name_of(output: Any) -> str:
    return Path(output).name if isinstance(output, str | Path) else "outputs"


def _answers(outputs: Any, prepared: Prepared, name: str) -> Callable[[list[str]], list[str]]:
    """A system that has answered already."""
    from gec_fair.evaluate.scoring.texts import check_lines

    sides = [_words(output, f"the {side} side's output") for output, side in zip(outputs, SIDES, strict=True)]
    for output, words in zip(outputs, sides, strict=True):
        check_lines(Path(_name_of(output)), len(words), prepared.texts, name)
    return lambda _: [" ".join(words[text.number - 1]) for words in sides for text in prepared.rewritten]


@dataclass(frozen=True, slots=True)
class PairAudit(Result):
    """Which corrections of a parallel corpus are explicit bias. `kinds` has counts and rates by kind, `corrections` are
    the most frequent first, `dropped` pairs were filtered out, `complaints` are about malformed lines."""

    pairs: int
    malformed: int
    dropped: int
    kinds: Sequence[Mapping[str, Any]]
    corrections: Sequence[Mapping[str, Any]]
    complaints: Sequence[str] = ()

    def to_dict(self) -> dict[str, Any]:
        """Counts and rates by kind, and every correction with its count."""
        names = ("pairs", "malformed", "dropped", "kinds", "corrections")
        return {name: getattr(self, name) for name in names}

    def tables(self) -> Sequence[Table]:
        """By kind; then the corrections, the most frequent first."""
        return [
            Table("kinds", f"Explicit bias in {self.pairs:,} pairs", list(self.kinds), columns=_BIAS_COLUMNS),
            Table("corrections", "Corrections", list(self.corrections)),
        ]


def audit(pairs: Pairs, *, source: str = "source", target: str = "target") -> PairAudit:
    """Count corrections in parallel data that are explicit bias: they → he, a child → children, themself → themselves.

    Args:
        pairs: (source, target) tuples, dicts, a `DataFrame`, an Arrow `Table`, a 🤗 `Dataset`, or a dict of columns.
        source: The name of the source column.
        target: The name of the target column.

    Returns:
        Counts and rates by kind, and every correction. `audit_corpus` does the same for files.

    Raises:
        UsageError: For data without such columns, and for a value that is not a string.

    Examples:
        >>> import gec_fair as gf
        >>> audit = gf.audit([("They lost themself .", "They lost themselves .")])
        >>> [row["name"] for row in audit.kinds if row["cases"]]
        ['reflexive']

    Source: Lund, Omelianchuk and Samokhin (2023), §4.3: the kinds of Table 6.
    """
    from gec_fair.corpus.records import Pair
    from gec_fair.errors import UsageError
    from gec_fair.evaluate.bias.corpus import audit_pairs

    rows = []
    for number, (one, second) in enumerate(read_pairs(pairs, source=source, target=target), 1):
        if not isinstance(one, str) or not isinstance(second, str):
            raise UsageError(f"pairs: number {number} is not two strings; remove it")
        rows.append(Pair("pairs", number, one, second))
    return _pair_audit(audit_pairs(rows))


def audit_corpus(
    inputs: str | Path | Sequence[str | Path],
    output: str | Path | None = None,
    *,
    drop: Sequence[BiasKind] = ("gendered", "pluralised", "reflexive", "neopronoun"),
    fields: tuple[str, str] | None = None,
    format: Literal["tsv", "csv", "parallel", "m2", "jsonl", "parquet"] | None = None,
    limit: int | None = None,
    strict: bool = False,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> PairAudit:
    """Count corrections that are explicit bias in parallel files, as `gec-fair audit-pairs` does, and filter them out.

    Args:
        inputs: One or more TSV, CSV, `.src,.tgt`, M2, JSONL or Parquet files, also compressed.
        output: A folder for the corpus without such pairs (cleaned.tsv, or .m2, .jsonl), the cases (cases.jsonl),
            malformed lines (malformed.jsonl) and the counts (audit.json); None to count alone.
        drop: The kinds that are filtered out.
        fields: The names of the source and target columns or fields.
        format: What the inputs are, where their names do not say it.
        limit: Read this many lines at most.
        strict: Raise MalformedLine at the first malformed line.
        overwrite: Write into a folder that is not empty.
        progress: Called with the number of pairs done, and 0.

    Returns:
        Counts and rates by kind, every correction, and the malformed lines.

    Raises:
        InputError, UsageError: The message says what to do.

    Examples:
        >>> import gec_fair as gf
        >>> audit = gf.audit_corpus(["pairs.tsv"])
        >>> audit.pairs, audit.malformed
        (1, 0)

    Source: Lund, Omelianchuk and Samokhin (2023), §4.3: the kinds of Table 6.
    """
    from gec_fair.corpus.formats.readers import Reading
    from gec_fair.errors import UsageError
    from gec_fair.evaluate.bias.corpus import audit
    from gec_fair.evaluate.bias.explicit import Kind

    names = [kind.name.lower() for kind in Kind]
    for name in drop:
        if name not in names:
            raise UsageError(f"drop: {name!r} is not a kind of bias; there are {', '.join(names)}")
    return _pair_audit(
        audit(
            one_or_more(inputs),
            out=None if output is None else Path(output),
            drop=[Kind[name.upper()] for name in drop],
            reading=Reading(fields, format, limit),
            overwrite=overwrite,
            strict=strict,
            progress=None if progress is None else lambda done, _: progress(done, 0),
        )
    )


def _pair_audit(audit: Audit) -> PairAudit:
    report: dict[str, Any] = audit.as_json()
    complaints = [str(complaint) for complaint in audit.complaints]
    return PairAudit(**report, complaints=complaints)
