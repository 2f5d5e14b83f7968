"""Augment pairs in memory, or whole corpora from files: `gf.augment`, `gf.augment_corpus`, `gf.mix`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from html import escape
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast, get_args

from gec_fair.augmentation.options import AugmentOptions, MixRunOptions, Options, PairOptions
from gec_fair.config.options import part
from gec_fair.data.columns import Pairs, one_or_more, read_pairs
from gec_fair.data.keywords import keywords, many
from gec_fair.edits import Edit, Rewriting
from gec_fair.edits.explain import explain, mark
from gec_fair.errors import UsageError
from gec_fair.report.results import Items, Style

if TYPE_CHECKING:
    from gec_fair.augmentation.mix import Mixed
    from gec_fair.augmentation.parallel import Augmenter as Step
    from gec_fair.corpus.outcome import Outcome
    from gec_fair.corpus.run import Finished

OutcomeName = Literal["augmented", "left", "unchanged", "discarded", "malformed"]
_BATCH = 256


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
        sides = [explain(rewriting.edits, rewriting.before.words) for rewriting in self.rewritings if rewriting]
        return "\n".join([f"{self.outcome} {self.reason}".strip(), *sides])


class Augmentations(Items[Augmentation]):
    """A list of results, one for each pair, in order. It is shown as a table with the edits marked."""

    @property
    def counts(self) -> dict[str, int]:
        """How many pairs have each outcome."""
        names: tuple[OutcomeName, ...] = get_args(OutcomeName)
        return {name: sum(pair.outcome == name for pair in self) for name in names}


@many(PairOptions, Augmentations)
def augment(pairs: Pairs, options: PairOptions) -> Iterator[Augmentation]:
    """Augment parallel GEC data: rewrite source and target together, so that the correction stays the same.

    Args:
        pairs: (source, target) tuples, dicts, a `DataFrame`, an Arrow `Table`, a 🤗 `Dataset`, or a dict of columns.
            Words stand between spaces, as in GEC corpora.

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
    return _augment(pairs, _step(options), options)


def _step(options: PairOptions) -> Step:
    from gec_fair.augmentation.parallel import Augmenter as Step

    return Step(part(options, Options))


def _augment(pairs: Pairs, step: Step, options: PairOptions) -> Iterator[Augmentation]:
    columns = {"source": options.source, "target": options.target}
    numbered = enumerate(islice(read_pairs(pairs, **columns), options.limit), 1)
    while batch := list(islice(numbered, _BATCH)):
        yield from _results(step, [(f"pairs:{number}", pair) for number, pair in batch], options.max_words)


def _results(step: Step, named: Sequence[tuple[str, tuple[object, object]]], max_words: int) -> Iterator[Augmentation]:
    """Augment pairs by name; the name decides what is drawn for its pair."""
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
        edits = PairEdits(*(tuple(rewriting.edits) if rewriting else () for rewriting in rewritings))
        source, target = outcome.pair.source, outcome.pair.target
        sure = outcome.sure.probability if outcome.sure else None
        return Augmentation("augmented", source, target, original, edits=edits, rewritings=rewritings, sure=sure)
    if isinstance(outcome, Unchanged):
        return Augmentation("unchanged", source, target, original)
    name = cast(OutcomeName, name_of(outcome))
    return Augmentation(name, source, target, original, outcome.reason, outcome.detail)


@dataclass(frozen=True, eq=False)
class Augmenter(PairOptions):
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

    def __post_init__(self) -> None:
        PairOptions.__post_init__(self)
        if self.limit is not None:
            raise UsageError("limit is for gf.augment; take fewer rows of the data set: dataset.select(range(100))")

    @cached_property
    def _augmenter(self) -> Step:
        return _step(self)

    def __getstate__(self) -> dict[str, Any]:
        """Without the loaded models."""
        return {name: value for name, value in vars(self).items() if name != "_augmenter"}

    def __call__(self, batch: Any) -> dict[str, list[Any]]:
        """The new columns for a batch."""
        if isinstance(batch, Mapping) and isinstance(batch.get(self.source), str):
            raise UsageError("one row, not a batch; call map with batched=True")
        pairs = list(read_pairs(batch, source=self.source, target=self.target))
        results = list(_results(self._augmenter, [(f"pairs:{_number(pair)}", pair) for pair in pairs], self.max_words))
        return {
            "source_augmented": [result.source for result in results],
            "target_augmented": [result.target for result in results],
            "outcome": [result.outcome for result in results],
            "reason": [result.reason for result in results],
        }


def _number(pair: tuple[object, object]) -> int:
    """The same for the same pair, wherever it stands."""
    return int.from_bytes(sha256("\t".join(map(str, pair)).encode(errors="replace")).digest()[:6], "big")


@keywords(AugmentOptions)
def augment_corpus(inputs: str | Path | Sequence[str | Path], output: str | Path, options: AugmentOptions) -> Finished:
    """Augment files into the folder `output`, as `gec-fair augment` does; a killed run resumes with the same call.

    Args:
        inputs: One or more TSV, CSV, `.src` and `.tgt`, M2, JSONL or Parquet files, also compressed.
        output: The folder of pairs.tsv, ledger.jsonl and manifest.json.

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

    return run.augment_corpus(one_or_more(inputs, "inputs"), output, options)


@keywords(MixRunOptions)
def mix(original: str | Path, output: str | Path, options: MixRunOptions) -> Mixed:
    """Mix original and augmented pairs into the training data of systems 1 to 4, as `gec-fair mix` does.

    1 is the original data, 2 original and singular they (ST), 3 original and swapped gender (MF), 4 all three.

    Args:
        original: The parallel corpus, TSV, also compressed.
        output: The folder of system1/train.tsv to system4/train.tsv.

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
    from gec_fair.augmentation.mix import mix as make

    return make(Path(original), Path(output), options)
