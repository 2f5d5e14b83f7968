"""What a comparison found, as plain JSON: the one thing that reports are made from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gec_fair.edits import Edit, edits
from gec_fair.edits.explain import explain
from gec_fair.evaluate import RESULTS
from gec_fair.evaluate.bias.explicit import Case
from gec_fair.evaluate.evalsets import catalogue
from gec_fair.evaluate.gap import significance, twins
from gec_fair.evaluate.gap.compare import NOT_COMPARABLE, Compared, Output, Row
from gec_fair.evaluate.gap.gap import over_seeds, short
from gec_fair.evaluate.gap.loaded_set import SIDES, LoadedSet
from gec_fair.evaluate.gap.twins import TwinOutcome
from gec_fair.evaluate.scoring.score import PROSE, Score
from gec_fair.runs.atomic import write_json
from gec_fair.runs.digests import file_digest
from gec_fair.stats.estimate import FEW, TOO_FEW
from gec_fair.version import __version__


def as_json(
    compared: Compared, outputs: Sequence[Output], runs: str, *, trained_on: Mapping[str, Sequence[str]] | None = None
) -> dict[str, Any]:
    """Percent and points with two decimals; sentences with their edits marked, as HTML and as a line. `trained_on`:
    the data of those systems that are the paper's (`compare.RunsFile`)."""
    return {
        "gec-fair": __version__,
        "runs": runs,
        "sets": {name: _set(name, loaded) for name, loaded in compared.sets.items()},
        "rows": [_row(row, compared.sets[row.gap.set.name]) for row in compared.rows],
        "differences": [
            {"set": pair.set, "first": pair.first, "second": pair.second}
            | {**significance.points(pair.delta), "p_holm": pair.holm}
            for pair in compared.differences
        ],
        "full": {system: {"of": compared.part, **_full(scores)} for system, scores in compared.full.items()},
        "trained_on": {system: list(parts) for system, parts in (trained_on or {}).items()},
        "notes": _notes(compared),
        "inputs": {
            f"{o.system}/{o.seed}/{o.set}/{side}.txt": file_digest(path)["sha256"]
            for o in outputs
            for side, path in zip(SIDES, (o.orig, o.aug), strict=True)
        },
    }


def write(results: Mapping[str, Any], out: Path) -> Path:
    """`results.json`, whole or not at all."""
    write_json(out / RESULTS, results)
    return out / RESULTS


def _notes(compared: Compared) -> list[str]:
    development = [name for name in compared.sets if catalogue.read_known().get(name, {}).get("development")]
    notes = [f"{', '.join(development)}: for development only, not for reporting"] if development else []
    notes += [f"{row.system}, {row.gap.set.name}: {row.gap.no_gap}" for row in compared.rows if row.gap.no_gap]
    few = [name for name, loaded in compared.sets.items() if len(loaded) < FEW]
    notes += [f"{', '.join(few)}: {TOO_FEW} whether a gap is chance"] if few else []
    prose = [f"{row.system}, {row.gap.set.name}" for row in compared.rows if PROSE in row.gap.signature]
    notes += [f"{'; '.join(prose)}: prose, tokenised by alignment to the source"] if prose else []
    return notes + ([f"{NOT_COMPARABLE}"] if compared.full else [])


def _set(name: str, loaded: LoadedSet) -> dict[str, Any]:
    entry = catalogue.read_known().get(name, {})
    kinds: Counter[str] = Counter(swap.kind for swaps in loaded.swaps for swap in swaps)
    return {
        "kind": loaded.set.kind,
        "sentences": len(loaded),
        "about": entry.get("about", "your own set"),
        "swapped": dict(kinds.most_common()),
        "edits": {side: _kinds(gold) for side, gold in zip(SIDES, loaded.gold, strict=True)},
        "twins": sum(twin.orig is not None and twin.aug is not None for twin in loaded.twins),
        "sha256": {side: file_digest(r.path)["sha256"] for side, r in zip(SIDES, loaded.references, strict=True)},
    }


def _kinds(gold: Iterable[Iterable[Iterable[Edit]]]) -> dict[str, int]:
    counts = Counter(edit.kind for annotators in gold for their in annotators for edit in their)
    return dict(counts.most_common())


def _row(row: Row, loaded: LoadedSet) -> dict[str, Any]:
    gap = row.gap
    majority = twins.majority([result.twins for result in gap.seeds])
    return {
        "system": row.system,
        **{key: value for key, value in gap.as_json().items() if key != "biased"},  # `cases` has the same and more
        "seeds": list(row.seeds),
        "deltas": [100 * delta for delta in gap.deltas],
        "twins_by_type": twins.as_json(twins.by_type(majority)),
        "one_sided": [_one_sided(twin, loaded) for twin in majority if twin.orig != twin.aug],
        "cases": [
            {"seed": seed, **_case(case, loaded)}
            for seed, result in zip(row.seeds, gap.seeds, strict=True)
            for case in result.bias.cases
        ],
    }


def _one_sided(outcome: TwinOutcome, loaded: LoadedSet) -> dict[str, Any]:
    twin, side = outcome.twin, 0 if outcome.orig else 1
    sentences = (reference.sources[twin.sentence] for reference in loaded.references)
    marked = [marks(words, edit) for words, edit in zip(sentences, (twin.orig, twin.aug), strict=True) if edit]
    return {
        "sentence": twin.sentence + 1,
        "found": SIDES[side],
        "type": twin.kind,
        "orig": marked[0],
        "aug": marked[1],
    }


def _case(case: Case, loaded: LoadedSet) -> dict[str, Any]:
    words = loaded.references[1].sources[case.sentence]
    return {
        "sentence": case.sentence + 1,
        "kind": case.kind.name.lower(),
        "old": " ".join(case.old),
        "new": " ".join(case.new),
        "start": case.start,
        "end": case.end,
        "source": " ".join(words),
        **marks(words, Edit(case.start, case.end, case.new)),
    }


def marks(words: Sequence[str], edit: Edit) -> dict[str, str]:
    """The sentence with one edit shown: `line` for text, `html` for pages."""
    change = edits([edit], len(words))
    return {style: explain(change, words, style=style) for style in ("line", "html")}


def _full(scores: Sequence[Score]) -> Mapping[str, Any]:
    figures = [short(score) for score in scores]
    values = [seed_scores["f0.5"] for seed_scores in figures]
    return {"seeds": len(scores), "signature": scores[0].signature, **over_seeds(figures), "f0.5 by seed": values}
