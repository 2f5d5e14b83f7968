"""Augment pairs in memory, or whole corpora from files: `gf.augment`, `gf.augment_corpus`, `gf.mix`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from html import escape
from itertools import islice
from operator import length_hint
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast, get_args, overload

from typing_extensions import Unpack

from gec_fair.api.rewriting import Method, RewriteOptions, check_options
from gec_fair.data.columns import Pairs, check_arguments, is_lazy, one_or_more, read_pairs
from gec_fair.edits import Edit, Rewriting
from gec_fair.edits.explain import explain, mark
from gec_fair.errors import UsageError
from gec_fair.progress import counted
from gec_fair.report.results import Items, Style

if TYPE_CHECKING:
    from gec_fair.augmentation.mix import Mixed
    from gec_fair.augmentation.parallel import Augmenter as Step
    from gec_fair.corpus.outcome import Outcome
    from gec_fair.corpus.run import Engine, Finished, Progress

OutcomeName = Literal["augmented", "left", "unchanged", "discarded", "malformed"]
_BATCH = 256
_MAX_WORDS = 10_000


class AugmentOptions(RewriteOptions, total=False):
    """The options of `gec-fair augment`, as keywords."""

    mirror: bool
    """Mirror agreement errors that would vanish (he say → they says) instead of discarding the pair."""
    strict_spelling: bool
    """Discard pairs with a misspelt counterpart instead of making the same slip in the new word."""


class PairEdits(NamedTuple):
    """The edits of an augmented pair, over the words of each original side; empty where nothing changed."""

    source: tuple[Edit, ...] = ()
    target: tuple[Edit, ...] = ()


_NO_EDITS = PairEdits()


@dataclass(frozen=True, slots=True)
class Augmentation:
    """What became of one pair.

    `outcome` is `augmented`, `left` (it has a word of the method, which stays by choice), `unchanged` (it has no such
    word), `discarded` (it cannot be rewritten safely) or `malformed` (not a pair of texts). `reason` says why a pair
    was left or discarded or is malformed, from a closed list; `detail` shows where. `source` and `target` are the new
    pair where it was augmented, else the pair as given. `sure` is the probability that an augmented pair is clean.
    """

    outcome: OutcomeName
    source: str
    target: str
    original: tuple[str, str]
    reason: str = ""
    detail: str = ""
    edits: PairEdits = _NO_EDITS
    rewritings: tuple[Rewriting | None, Rewriting | None] = field(default=(None, None), repr=False)
    sure: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain data; edits as (start, end, replacement) over words."""
        return {
            "outcome": self.outcome,
            "reason": self.reason,
            "detail": self.detail,
            "source": self.source,
            "target": self.target,
            "original_source": self.original[0],
            "original_target": self.original[1],
            "source_edits": [(edit.start, edit.end, " ".join(edit.replacement)) for edit in self.edits.source],
            "sure": self.sure,
            "target_edits": [(edit.start, edit.end, " ".join(edit.replacement)) for edit in self.edits.target],
        }

    def cells(self, style: Style = "line") -> dict[str, str]:
        """A row of a table, the edits marked."""
        show = escape if style == "html" else str
        source, target = (
            mark(rewriting.pieces(), style=style) if rewriting else show(str(text))
            for rewriting, text in zip(self.rewritings, (self.source, self.target), strict=True)
        )
        return {"outcome": self.outcome, "reason": show(self.reason), "source": source, "target": target}

    def _repr_html_(self) -> str:
        return Augmentations([self])._repr_html_()

    def __str__(self) -> str:
        sides = [explain(one.edits, one.before.words) for one in self.rewritings if one]
        return "\n".join([f"{self.outcome} {self.reason}".strip(), *sides])


class Augmentations(Items[Augmentation]):
    """A list of results, one for each pair, in order. It is shown as a table with the edits marked."""

    @property
    def counts(self) -> dict[str, int]:
        """How many pairs have each outcome."""
        names: tuple[OutcomeName, ...] = get_args(OutcomeName)
        return {name: sum(pair.outcome == name for pair in self) for name in names}


@overload
def augment(
    pairs: Iterator[Any],
    method: Method,
    *,
    source: str = ...,
    target: str = ...,
    max_words: int = ...,
    limit: int | None = ...,
    **options: Unpack[AugmentOptions],
) -> Iterator[Augmentation]: ...
@overload
def augment(
    pairs: Pairs,
    method: Method,
    *,
    source: str = ...,
    target: str = ...,
    max_words: int = ...,
    limit: int | None = ...,
    **options: Unpack[AugmentOptions],
) -> Augmentations: ...
@check_arguments
def augment(
    pairs: Pairs,
    method: Method,
    *,
    source: str = "source",
    target: str = "target",
    max_words: int = _MAX_WORDS,
    limit: int | None = None,
    **options: Unpack[AugmentOptions],
) -> Augmentations | Iterator[Augmentation]:
    """Augment parallel GEC data: rewrite source and target together, so that the correction stays the same.

    Args:
        pairs: (source, target) tuples, dicts, a `DataFrame`, an Arrow `Table`, a 🤗 `Dataset`, or a dict of columns.
            Words stand between spaces, as in GEC corpora.
        method: "fm" swaps feminine and masculine words (FM-CDA), "st" rewrites he and she to singular they (St-CDA),
            "neo" to a neopronoun.
        source: The name of the source column.
        target: The name of the target column.
        max_words: A pair with a longer text is malformed.
        limit: Read this many pairs at most.
        **options: The options of the method; see `AugmentOptions`.

    Returns:
        One result for each pair, in order: a list, or a generator where `pairs` is an iterator. A result does not
        depend on the other pairs.

    Raises:
        UsageError: For an unknown option, and for data without such columns.
        MissingResource: For a pipeline or resolver that is not installed.

    Examples:
        >>> import gec_fair as gf
        >>> (pair,) = gf.augment([("He say hi to Anna 's friend .", "He says hi to Anna 's friend .")], "fm")
        >>> pair.outcome, pair.source
        ('augmented', "She say hi to Adam 's friend .")

    Source: Lund, Omelianchuk and Samokhin (2023), §3.1 and §3.2.

    """
    results = _augment(pairs, _step(method, options), source, target, max_words, limit)
    if is_lazy(pairs):
        return results
    total = length_hint(pairs.get(source) if isinstance(pairs, Mapping) else pairs)
    return Augmentations(counted(results, f"augment {method}", total=min(total, limit or total) or None))


def _step(method: Method, options: AugmentOptions) -> Step:
    from gec_fair.augmentation.parallel import Augmenter as Step

    return Step(check_options(method, options))


def _augment(
    pairs: Pairs, step: Step, source: str, target: str, max_words: int, limit: int | None
) -> Iterator[Augmentation]:
    numbered = enumerate(islice(read_pairs(pairs, source=source, target=target), limit), 1)
    while batch := list(islice(numbered, _BATCH)):
        yield from _results(step, [(f"pairs:{number}", pair) for number, pair in batch], max_words)


def _results(
    step: Step, named: Sequence[tuple[str, tuple[object, object]]], max_words: int = _MAX_WORDS
) -> Iterator[Augmentation]:
    """Of pairs with their names, which decide what is drawn for them."""
    from gec_fair.corpus.formats.parsing import Layout, parse_fields
    from gec_fair.corpus.outcome import Malformed

    layout = Layout("jsonl", max_words)
    rows = []
    for name, (source, target) in named:
        file, _, number = name.rpartition(":")
        rows.append(parse_fields({"source": source, "target": target}, layout, file, int(number)))
    outcomes = iter(step([row for row in rows if not isinstance(row, Malformed)]))
    for (_, original), row in zip(named, rows, strict=True):
        yield _result(original, row if isinstance(row, Malformed) else next(outcomes))


def _result(original: Any, outcome: Outcome) -> Augmentation:
    from gec_fair.corpus.outcome import Augmented, Unchanged, name_of

    source, target = original
    if isinstance(outcome, Augmented):
        rewritings = (outcome.source, outcome.target)
        edits = PairEdits(*(tuple(one.edits) if one else () for one in rewritings))
        source, target = outcome.pair.source, outcome.pair.target
        sure = outcome.sure.probability if outcome.sure else None
        return Augmentation("augmented", source, target, original, edits=edits, rewritings=rewritings, sure=sure)
    if isinstance(outcome, Unchanged):
        return Augmentation("unchanged", source, target, original)
    name = cast(OutcomeName, name_of(outcome))
    return Augmentation(name, source, target, original, outcome.reason, outcome.detail)


class Augmenter:
    """`augment` as a value, for `Dataset.map`: `dataset.map(gf.Augmenter("st"), batched=True, num_proc=4)`.

    Called with a batch, a dict of columns, it returns four new columns of the same length: `source_augmented` and
    `target_augmented` (the pair as given where it was not augmented), `outcome` and `reason`. It can be pickled, so it
    works in several processes. With names="draw" a pair's names are drawn by its text, not by its place.

    Examples:
        >>> import gec_fair as gf
        >>> columns = gf.Augmenter("st")({"source": ["Anna lose her keys ."], "target": ["Anna loses her keys ."]})
        >>> columns["target_augmented"], columns["outcome"]
        (['Anna loses their keys .'], ['augmented'])

    Source: Lund, Omelianchuk and Samokhin (2023), §3.
    """

    def __init__(
        self,
        method: Method,
        *,
        source: str = "source",
        target: str = "target",
        **options: Unpack[AugmentOptions],
    ) -> None:
        self.method, self.source, self.target, self.options = method, source, target, options
        check_options(method, options)

    @cached_property
    def _augmenter(self) -> Step:
        return _step(self.method, self.options)

    def __getstate__(self) -> dict[str, Any]:
        """Without the loaded models."""
        return {name: value for name, value in vars(self).items() if name != "_augmenter"}

    def __call__(self, batch: Any) -> dict[str, list[Any]]:
        """The new columns for a batch."""
        if isinstance(batch, Mapping) and isinstance(batch.get(self.source), str):
            raise UsageError("one row, not a batch; call map with batched=True")
        pairs = list(read_pairs(batch, source=self.source, target=self.target))
        results = list(_results(self._augmenter, [(f"pairs:{_number(pair)}", pair) for pair in pairs]))
        return {
            "source_augmented": [result.source for result in results],
            "target_augmented": [result.target for result in results],
            "outcome": [result.outcome for result in results],
            "reason": [result.reason for result in results],
        }


def _number(pair: tuple[object, object]) -> int:
    """The same for the same pair, wherever it stands."""
    return int.from_bytes(sha256("\t".join(map(str, pair)).encode(errors="replace")).digest()[:6], "big")


@check_arguments
def augment_corpus(
    inputs: str | Path | Sequence[str | Path],
    output: str | Path,
    method: Method,
    *,
    fields: tuple[str, str] | None = None,
    format: Literal["tsv", "csv", "parallel", "m2", "jsonl", "parquet"] | None = None,
    workers: int = 1,
    engine: Engine = "local",
    max_words: int = _MAX_WORDS,
    chunk: int = 512,
    limit: int | None = None,
    strict: bool = False,
    overwrite: bool = False,
    reannotate: bool = False,
    progress: Progress | None = None,
    **options: Unpack[AugmentOptions],
) -> Finished:
    """Augment files into the folder `output`, as `gec-fair augment` does; a killed run resumes with the same call.

    Args:
        inputs: One or more TSV, CSV, `.src` and `.tgt`, M2, JSONL or Parquet files, also compressed.
        output: The folder of pairs.tsv, ledger.jsonl and manifest.json.
        method: "fm", "st" or "neo"; see `augment`.
        fields: The names of the source and target columns or fields.
        format: What the inputs are, where their names do not say it.
        workers: Processes. The bytes are the same for any number.
        engine: "local", or "ray" for Ray Data.
        max_words: A pair with a longer text is malformed.
        chunk: Lines a block; it decides only time.
        limit: Stop after this many lines.
        strict: Raise MalformedLine at the first malformed line.
        overwrite: Throw away what lies in the folder.
        reannotate: M2: extract the edits anew with ERRANT.
        progress: Called with the number of lines done, and of all where it is known.
        **options: The options of the method; see `AugmentOptions`.

    Returns:
        The folder and its manifest, with the counts.

    Raises:
        InputError, UsageError, ResumeError, MissingResource: The message says what to do.

    Examples:
        >>> import gec_fair as gf
        >>> finished = gf.augment_corpus(["pairs.tsv"], "out/mf", "fm")
        >>> finished.manifest.counts["augmented"]
        1

    Source: Lund, Omelianchuk and Samokhin (2023), §3.
    """
    from gec_fair.augmentation import run
    from gec_fair.corpus.formats.readers import Reading

    reading = Reading(fields=fields, format=format, limit=limit, max_words=max_words)
    return run.augment_corpus(
        one_or_more(inputs, "inputs"),
        output,
        check_options(method, options),
        reading=reading,
        workers=workers,
        engine=engine,
        chunk=chunk,
        strict=strict,
        overwrite=overwrite,
        reannotate=reannotate,
        progress=progress,
    )


@check_arguments
def mix(
    original: str | Path,
    output: str | Path,
    *,
    st: str | Path,
    mf: str | Path,
    per_kind: int = 50_000,
    seed: int = 0,
    surest: bool = False,
    strict: bool = False,
    overwrite: bool = False,
) -> Mixed:
    """Mix original and augmented pairs into the training data of systems 1 to 4, as `gec-fair mix` does.

    1 is the original data, 2 original and singular they (ST), 3 original and swapped gender (MF), 4 all three.

    Args:
        original: The parallel corpus, TSV, also compressed.
        output: The folder of system1/train.tsv to system4/train.tsv.
        st: The folder of a run of `augment_corpus` with the method "st" or "neo".
        mf: The folder of a run with the method "fm".
        per_kind: Augmented pairs drawn from each run; 50,000 in the paper.
        seed: Decides the draw and the order of the lines.
        surest: Take the surest pairs of each run: as many with a changed name, with a changed noun and with pronouns
            alone as their shares of the run.
        strict: Raise InputError at a malformed line instead of skipping it.
        overwrite: Throw away another mix in the folder.

    Returns:
        The folder, how many pairs of each kind each system has, and warnings.

    Raises:
        InputError, UsageError, ResumeError: The message says what to do.

    Examples:
        >>> import gec_fair as gf
        >>> runs = {name: gf.augment_corpus(["pairs.tsv"], f"out/{name}", name).directory for name in ("st", "fm")}
        >>> mixed = gf.mix("pairs.tsv", "out/mix", st=runs["st"], mf=runs["fm"])
        >>> mixed.systems["system3"]
        {'orig': 1, 'mf': 1}

    Source: Lund, Omelianchuk and Samokhin (2023), §4.4.
    """
    from gec_fair.augmentation.mix import MixOptions
    from gec_fair.augmentation.mix import mix as make

    options = MixOptions(per_kind, seed, surest)
    return make(Path(original), Path(st), Path(mf), Path(output), options, overwrite=overwrite, strict=strict)
