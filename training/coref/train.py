"""Train the embedded pronoun ranker: one seeded command, about three minutes on one core.

    GEC_FAIR_DATA=../shared/data python training/coref/train.py              # writes gec_fair/people/links/ranker.npz
    python training/coref/train.py --english en_core_web_sm -o other.npz     # for another parser

Run it again whenever the English model changes: the rows that the trees see are made from its parses. The two stages
are stacked: the second is trained on what first stages think of texts that they were not trained on.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from boost import Groups, Recipe, train
from data import Sample, gap_sample, labelled_samples, parsed, read_gap, read_gum, read_litbank
from spacy.language import Language

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from gec_fair.english import pipeline  # noqa: E402
from gec_fair.people.links import chains  # noqa: E402
from gec_fair.people.links.embedded import COLUMNS, RANKER, softmaxes  # noqa: E402
from gec_fair.people.links.lexical import FEMININE  # noqa: E402
from gec_fair.people.links.ranker import Ranker, Trees  # noqa: E402

GAP_FILES = ("coref/gap-development.tsv", "coref/gap-validation.tsv")
LITBANK = "coref/litbank-conll.tar.gz"
GUM_FILES = tuple(f"ud/en_gum-ud-{part}.nonNC.conllu" for part in ("train", "dev", "test"))
ATTRIBUTION = (
    "Trained on GAP development and validation (Webster et al. 2018, Apache-2.0), LitBank coreference (Bamman et al. "
    "2020, CC BY 4.0) and the freely licensed genres of GUM (Zeldes 2017, annotations CC BY 4.0). No text of theirs is "
    "stored here."
)


RECIPE = Recipe(trees=150, depth=6, shrink=0.06, rows=0.6, features=0.2, leaf_weight=8.0, ridge=10.0)


@dataclass(frozen=True, slots=True)
class Options:
    """`gap_weight`: what a GAP pronoun counts, since it has one judged pronoun a text where the others have many.
    `feminine_weight`: what *she* counts more than *he*, since LitBank and GUM have 1.8 *he* to a *she* and feminine
    texts are harder: both genders are to be served alike. `parts`: into how many parts the texts are cut to train the
    second stage. `none_penalty`: subtracted from the score of "no referent"; 0 is the calibrated softmax."""

    first: Recipe = RECIPE
    second: Recipe = RECIPE
    gap_weight: float = 5.0
    feminine_weight: float = 1.6
    parts: int = 2
    none_penalty: float = 0.0
    seed: int = 0


def gap_samples(nlp: Language, data: Path, files: Sequence[str] = GAP_FILES) -> list[Sample]:
    examples = [example for file in files for example in read_gap(data / file)]
    docs = nlp.pipe((example.text for example in examples), batch_size=64)
    samples = (gap_sample(doc, example) for doc, example in zip(docs, examples, strict=True))
    return [one for one in samples if one is not None]


def litbank_samples(nlp: Language, data: Path, seed: int) -> list[Sample]:
    return _labelled(nlp, "litbank", read_litbank(data / LITBANK), seed)


def gum_samples(nlp: Language, data: Path, seed: int) -> list[Sample]:
    return _labelled(nlp, "gum", [document for file in GUM_FILES for document in read_gum(data / file)], seed)


def _labelled(nlp: Language, source: str, documents: list, seed: int) -> list[Sample]:  # type: ignore[type-arg]
    docs = parsed(nlp, documents)
    pairs = enumerate(zip(docs, documents, strict=True))
    return [one for number, (doc, labels) in pairs for one in labelled_samples(source, number, doc, labels, seed)]


def fit(samples: Sequence[Sample], options: Options, about: str = "{}") -> Ranker:
    """Both stages on these texts."""
    first = train(_groups(samples, None, options), options.first, options.seed)
    part = np.random.default_rng(options.seed).permutation(len(samples)) % options.parts
    beliefs: list[list[list[float]]] = [[] for _ in samples]
    for number in range(options.parts):
        rest = [one for one, mine in zip(samples, part, strict=True) if mine != number]
        stranger = train(_groups(rest, None, options), options.first, options.seed)
        for place in np.flatnonzero(part == number):
            beliefs[place] = _believe(stranger, samples[place])
    rows = [chains.second_stage(one.text, belief) for one, belief in zip(samples, beliefs, strict=True)]
    second = train(_groups(samples, rows, options), options.second, options.seed)
    return Ranker(first, second, options.none_penalty, COLUMNS, about)


def _believe(trees: Trees, one: Sample) -> list[list[float]]:
    return softmaxes(trees.score(np.concatenate(one.rows)), one.rows, 0.0)


def _groups(samples: Sequence[Sample], more: list | None, options: Options) -> Groups:  # type: ignore[type-arg]
    rows, sizes, right, weight = [], [0], [], []
    for place, one in enumerate(samples):
        for pronoun, mine in one.right.items():
            own_rows = one.rows[pronoun]
            rows.append(own_rows if more is None else np.concatenate([own_rows, more[place][pronoun]], axis=1))
            sizes.append(len(own_rows))
            right.extend(mine)
            gender = options.feminine_weight if one.text.pronouns[pronoun].gender == FEMININE else 1.0
            weight.append(gender * (options.gap_weight if one.source == "gap" else 1.0))
    return Groups(np.concatenate(rows), np.cumsum(sizes), np.array(right), np.array(weight))


def about(nlp: Language, options: Options, samples: Sequence[Sample]) -> str:
    pronouns = {
        source: sum(len(one.right) for one in samples if one.source == source) for source in ("gap", "litbank", "gum")
    }
    facts = {
        "version": 1,
        "attribution": ATTRIBUTION,
        "pronouns": pronouns,
        "english": pipeline.version(nlp),
        "options": asdict(options),
    }
    return json.dumps(facts, indent=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--english", default="embedded", help="spaCy pipeline: embedded, a name or a path")
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("GEC_FAIR_DATA", ROOT.parent / "shared/data")))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path, default=RANKER)
    args = parser.parse_args()
    options, started = Options(seed=args.seed), time.perf_counter()
    nlp = pipeline.load(args.english)
    samples = [
        *gap_samples(nlp, args.data),
        *litbank_samples(nlp, args.data, args.seed),
        *gum_samples(nlp, args.data, args.seed),
    ]
    print(f"{len(samples)} texts read in {time.perf_counter() - started:.0f} s", file=sys.stderr)
    fit(samples, options, about(nlp, options, samples)).save(args.output)
    print(f"{args.output} written after {time.perf_counter() - started:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
