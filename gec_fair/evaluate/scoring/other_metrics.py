"""Cheap companions of F0.5: GLEU as JFLEG reports it (Napoles et al. 2015, 2017), and chrF (Popović 2015; sacreBLEU).

GLEU counts n-grams that the hypothesis shares with a reference, less those that it shares with the source alone. With
several references 500 draws of one for each sentence are averaged; the draws are those of the authors' script.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from itertools import cycle, islice

from gec_fair.edits import rewritten
from gec_fair.evaluate.scoring.texts import Reference, Words
from gec_fair.extras import require

ORDER = 4
DRAWS = 500
NAMES = ("gleu", "chrf")


def targets(gold: Reference) -> list[list[str]]:
    """Every annotator's corrected text of each sentence."""
    return [
        [" ".join(rewritten(edits, words)) for edits in their]
        for words, their in zip(gold.sources, gold.annotators, strict=True)
    ]


def gleu(sources: Sequence[Words], references: Sequence[Sequence[str]], hypotheses: Sequence[Words]) -> float:
    """GLEU in percent. A sentence with fewer references than others has its own again in their place."""
    require("GLEU", "evaluate", "gleu")
    import numpy as np
    from gleu.aggreg import make_drn_accum
    from gleu.count import set_tokenization
    from gleu.score import drn_accum_to_n_accum, n_accum_to_gleu, rindex_to_rhlen
    from gleu.util import make_id_rindex

    set_tokenization("word")
    width = max(len(row) for row in references)
    filled = [tuple(islice(cycle(row), width)) for row in references]
    written = [" ".join(words) for words in hypotheses]
    counts = make_drn_accum(ORDER, [" ".join(words) for words in sources], filled, written)
    lengths = np.array([[len(text.split()) for text in row] for row in filled])
    mine = np.array([len(words) for words in hypotheses])
    draws = make_id_rindex(DRAWS if width > 1 else 1, len(filled), width, fix=True)
    scores = [
        n_accum_to_gleu(drawn_counts, *rindex_to_rhlen(lengths, mine, drawn))
        for drawn in draws
        for drawn_counts in [drn_accum_to_n_accum(counts, drawn)]
    ]
    return 100 * float(np.mean(scores))


def chrf(references: Sequence[Sequence[str]], hypotheses: Sequence[Words]) -> float:
    """chrF2 in percent, several references as sacreBLEU has them (the best for each sentence)."""
    require("chrF", "evaluate", "sacrebleu")
    from sacrebleu.metrics.chrf import CHRF

    width = max(len(row) for row in references)
    columns = [list(column) for column in zip(*(islice(cycle(row), width) for row in references), strict=True)]
    return float(CHRF().corpus_score([" ".join(words) for words in hypotheses], columns).score)


def measured(names: Sequence[str], gold: Reference, hypotheses: Sequence[Words]) -> dict[str, float]:
    """The named companions, two decimals."""
    references = targets(gold)
    scores = {}
    if "gleu" in names:
        scores["gleu"] = gleu(gold.sources, references, hypotheses)
    if "chrf" in names:
        scores["chrf"] = chrf(references, hypotheses)
    return scores


def signature(names: Sequence[str]) -> str:
    """What decides them, to stand after a score's signature."""
    parts = [f"gleu:{version('gleu')}:n{ORDER}:draws{DRAWS}"] if "gleu" in names else []
    parts += [f"chrf:{version('sacrebleu')}"] if "chrf" in names else []
    return "|".join(parts)
