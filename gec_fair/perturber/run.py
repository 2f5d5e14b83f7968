"""Perturb a whole corpus, line by line or in chunks, in a run directory (`corpus.run`): the same bytes however it is
run.

OUT/rewritten.txt (every line or chunk, changed or not)  ledger.jsonl (what was changed, word by word)  manifest.json
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from heapq import nsmallest
from operator import itemgetter
from pathlib import Path
from random import Random
from typing import Any

from gec_fair.config.corpora import Reading, Running
from gec_fair.config.options import part
from gec_fair.corpus.formats.inputs import resolve
from gec_fair.corpus.formats.readers import blocks
from gec_fair.corpus.ledger import read_ledger
from gec_fair.corpus.outcome import Augmented, Discarded, Outcome, Unchanged
from gec_fair.corpus.records import Pair
from gec_fair.corpus.run import Finished, run
from gec_fair.corpus.step import Step
from gec_fair.errors import UsageError
from gec_fair.people.terms.axes import SHIPPED, Axes
from gec_fair.perturber.registry import load_perturber
from gec_fair.perturber.rewriting.options import RULES, PerturbCorpusOptions, PerturbOptions
from gec_fair.perturber.rewriting.perturb import Perturbed, Perturber, Perturbing
from gec_fair.perturber.rewriting.sampling import axis_weights
from gec_fair.report.papers import read_printed
from gec_fair.report.table import Column, Part, Record, Table, right
from gec_fair.version import __version__

COUNTED = 2_000
"""Texts from all over a corpus in which candidate words are counted for `sampling` axes; of chunks as many as have
`_WORDS`."""
_WORDS = 128_000
_TABLES = frozenset({".csv", ".tsv", ".json", ".jsonl", ".parquet"})
_TO = " → "
_TABLE_14 = 128  # words of BabyLM's chunks


@dataclass(frozen=True)
class PerturbStep:
    """The step: a text's outcome does not depend on its company."""

    perturbing: Perturber

    def __call__(self, pairs: Sequence[Pair]) -> list[Outcome]:
        """One outcome for each pair, in order; only the sources are perturbed."""
        perturbed = self.perturbing([(pair.source,) for pair in pairs], [pair.id for pair in pairs])
        return [_outcome(pair, result) for pair, result in zip(pairs, perturbed, strict=True)]


def perturb_corpus(inputs: Sequence[str | Path], out: str | Path, options: PerturbCorpusOptions) -> Finished:
    """Perturb plain-text files into the directory `out`; a killed run resumes with the same call. Raises as
    `corpus.run` does; UsageError for tables."""
    for name in inputs:
        if not _TABLES.isdisjoint(Path(name).suffixes):
            raise UsageError(
                f"{name}: is a table, and its keys and labels would be perturbed like its texts; give the "
                "texts as plain text, a line each"
            )
    reading = Reading(format="text", limit=options.limit, tokens=options.tokens or None)
    chosen = part(options, PerturbOptions)
    if chosen.sampling == "axes" and not chosen.weights:
        chosen = replace(chosen, weights=_weights(inputs, reading, chosen))
    return run(
        inputs,
        out,
        partial(_step, chosen),
        as_row(chosen),
        job="perturb",
        versions=versions(chosen),
        reading=reading,
        running=part(options, Running),
    )


def _weights(inputs: Sequence[str | Path], reading: Reading, options: PerturbOptions) -> dict[str, float]:
    """The weights of the axes by the candidate words of some texts; read through once, for a corpus begins with what
    it began with: its children's books, its dialogues."""
    chance = Random(0)  # the same texts for every seed of the drawing
    rows = (
        (chance.random(), replace(block, first=n, rows=[row]))
        for block in blocks(resolve(inputs, "text"), reading)
        for n, row in enumerate(block.rows, block.first)
    )
    number = min(COUNTED, -(-_WORDS // (reading.tokens or 1)))
    records = [record for _, block in nsmallest(number, rows, key=itemgetter(0)) for record in block.records()]
    texts = [(record.source,) for record in records if isinstance(record, Pair)]
    return axis_weights(Counter(Perturbing(options).candidates(texts)))


def astray(directory: Path) -> int:
    """How many texts of a finished run a model changed beyond what it was asked for."""
    return sum(entry["outcome"] == "augmented" and "detail" in entry for entry in read_ledger(directory))


ALL = "all"


def statistics(counts: Mapping[str, int], axes: Axes = SHIPPED) -> list[tuple[str, str, int]]:
    """Count a run's changes: (axis, target attribute, texts), commonest first, each axis and any change with its total
    (BabyLM Table 14 in form). `axes`: of the run, by `axes_of`."""
    targets: Counter[tuple[str, str]] = Counter()
    for kind, number in counts.items():
        targets[axis_of(kind, axes), kind.partition(_TO)[2]] += number
    rows = [("any", ALL, targets.total())]
    for axis in axes.names:
        targets_of_axis = [
            (target_axis, target, number)
            for (target_axis, target), number in targets.most_common()
            if target_axis == axis
        ]
        rows += (
            [(axis, ALL, sum(number for *_, number in targets_of_axis)), *targets_of_axis] if targets_of_axis else []
        )
    return rows


def axis_of(kind: str, axes: Axes = SHIPPED) -> str:
    """The axis of a run's reason: `woman → man` is of gender."""
    return axes.axis_of(kind.partition(_TO)[2])


def axes_of(options: Mapping[str, object]) -> Axes:
    """The axes of a run, from the options of its manifest; a user's tables are not needed any more."""
    users = options.get("user_axes")
    return SHIPPED.extend((axis, name) for name, axis in users.items()) if isinstance(users, Mapping) else SHIPPED


def versions(options: PerturbOptions) -> dict[str, str]:
    """What else decides the bytes."""
    from gec_fair.english import pipeline
    from gec_fair.english.lexicons import lexicon
    from gec_fair.people import links, people

    shares = {
        "gec-fair": __version__,
        "lexicon": lexicon.version(options.lexicon or None),
        "english": pipeline.version_of(options.english),
        "coref": links.version(options.coref),
        "people": people.version(),
    }
    return shares if options.perturber == RULES else {**shares, "perturber": load_perturber(options).version}


def as_row(options: PerturbOptions) -> dict[str, object]:
    """The options as the manifest has them."""
    known, ours = options.known_axes, SHIPPED
    return {
        **asdict(options),
        "lexicon": Path(options.lexicon).name,
        "user_axes": {name: axis for axis, names in known.attributes.items() for name in names if not ours.has(name)},
        "axes": list(options.axes),
        "targets": list(options.targets),
        "weights": dict(options.weights),
        "english": Path(options.english).name,
        "perturber": options.perturber.partition(":")[0],
    }


def _step(options: PerturbOptions) -> Step:
    step = PerturbStep(load_perturber(options))
    step.perturbing.load()
    return step


def _outcome(pair: Pair, perturbed: Perturbed) -> Outcome:
    rewriting = perturbed.rewriting
    words = rewriting.before.words if rewriting else ()
    strays = "; ".join(
        f"{' '.join(words[e.start : e.end]) or '∅'}{_TO}{' '.join(e.replacement) or '∅'}" for e in perturbed.strays
    )
    if perturbed.refused is not None:
        return Discarded(perturbed.refused, strays or (perturbed.sure.doubt if perturbed.sure else ""))
    if perturbed.drawn is None:
        return Unchanged()
    kind = f"{perturbed.drawn.source}{_TO}{perturbed.drawn.target}"
    new = replace(pair, source=perturbed.fields[0])
    return Augmented(new, rewriting, kind=kind, detail=f"astray: {strays}" if strays else "", sure=perturbed.sure)


def parts(finished: Finished, options: PerturbCorpusOptions) -> list[Part]:
    """What became of the texts, for people: counts, and a table of rewritings beside the paper's, where they are
    comparable."""
    manifest, directory = finished.manifest, finished.directory
    counts = manifest.counts
    share = 100 * counts["augmented"] / max(1, counts["lines"])
    lines: list[Part] = [f"{directory}: {counts['augmented']:,} of {counts['lines']:,} texts perturbed ({share:.1f} %)"]
    for reason, number in manifest.reasons.get("discarded", {}).items():
        lines.append(f"{number:,} left as they were: {reason.replace('_', ' ')}")
    if options.perturber != RULES and (number := astray(directory)):
        lines.append(f"{number:,} changed beyond the drawn word and its chain; see detail in ledger.jsonl")
    theirs = read_printed("babylm").get("table_14", {}) if options.tokens == _TABLE_14 else {}
    rows = statistics(manifest.reasons.get("augmented", {}), axes_of(manifest.identity.options))
    return [*lines, _tabulate(rows, counts["lines"], theirs)]


def _tabulate(rows: Iterable[tuple[str, str, int]], texts: int, theirs: Mapping[str, Any]) -> Table:
    """How many texts were perturbed, by axis and target; `theirs`: the paper's shares, where they are comparable."""
    records: list[Record] = []
    for axis, target, number in rows:
        overall = theirs.get("overall", {}).get("any_change" if axis == "any" else axis)
        share = {"axis": axis, "to": target, "texts": number, "share": 100 * number / max(1, texts)}
        records.append({**share, "paper": theirs.get(axis, {}).get(target) or overall})
    columns = (Column("axis"), Column("to"), right("texts", "{:,}"), right("share", "{:.1f}", "%"))
    paper = (right("paper", header="BabyLM, Table 14"),) if theirs else ()
    return Table("perturbed", "What texts became", records, columns=(*columns, *paper))
