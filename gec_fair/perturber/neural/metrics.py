"""How near rewritings are to people's (Qian et al. 2022, Tables 2 and 8), and how near people's are to each other.

BLEU         mean over examples of sacreBLEU's sentence score, lower-cased
ROUGE-1/2/L  mean over examples of F, in percent
Levenshtein  mean over examples of insertions, deletions and substitutions of words
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations, zip_longest
from statistics import fmean
from typing import Any

from rapidfuzz.distance import Levenshtein

from gec_fair.errors import InputError
from gec_fair.extras import require

_WORDS = re.compile(r"\w+(?:'\w+)?|[^\w\s]")


def words(text: str) -> list[str]:
    """Words and signs, as a Treebank tokenizer has them except contractions, which stay whole."""
    return _WORDS.findall(text)


def against(hypotheses: Sequence[str], references: Sequence[str], *, lsum: bool = False) -> dict[str, float]:
    """`bleu`, `rouge1`, `rouge2`, `rougeL` (percent; `rougeLsum` too with `lsum`) and `levenshtein` (words), means over
    examples. InputError for lists of different lengths, or none."""
    if len(hypotheses) != len(references) or not references:
        raise InputError(
            f"{len(hypotheses)} texts and {len(references)} references; give one for each, and at least one"
        )
    require("BLEU and ROUGE", "perturber", "sacrebleu", "rouge_score")
    from rouge_score.rouge_scorer import RougeScorer
    from sacrebleu.metrics.bleu import BLEU

    kinds = ["rouge1", "rouge2", "rougeL", *(["rougeLsum"] if lsum else [])]
    bleu, rouge = BLEU(lowercase=True, effective_order=True), RougeScorer(kinds)
    pairs = list(zip(hypotheses, references, strict=True))
    scores: list[dict[str, Any]] = [rouge.score(reference, hypothesis) for hypothesis, reference in pairs]
    return {
        "bleu": fmean(bleu.sentence_score(hypothesis, [reference]).score for hypothesis, reference in pairs),
        **{name: 100 * fmean(score[name].fmeasure for score in scores) for name in kinds},
        "levenshtein": fmean(Levenshtein.distance(words(a), words(b)) for a, b in pairs),
    }


def agreement(annotators: Sequence[Sequence[str]]) -> dict[str, float]:
    """Measure how far two or more annotators of the same rows agree (Table 8, appendix D): `full_agree`, the share of
    annotators who wrote what most wrote, 0 where no two agree (with two annotators: the share of equal texts);
    `token_agree`, the same of the words at each place; BLEU, ROUGE and `levenshtein`, as a share of words, of each
    against each other, both ways."""
    rows = list(zip(*annotators, strict=True))
    cut = [[words(text) for text in row] for row in rows]
    pairs = list(permutations(annotators, 2))
    scores = [against(left, right, lsum=True) for left, right in pairs]
    distances = (Levenshtein.normalized_distance(a, b) for row in cut for a, b in combinations(row, 2))
    return {
        "full_agree": 100 * fmean(map(_majority, rows)),
        "token_agree": 100 * fmean(fmean(map(_majority, zip_longest(*row))) if any(row) else 1.0 for row in cut),
        **{
            name: fmean(score[name] for score in scores) for name in ("bleu", "rouge1", "rouge2", "rougeL", "rougeLsum")
        },
        "levenshtein": fmean(distances),
    }


def _majority(annotations: Sequence[object]) -> float:
    """The share of the commonest, where it is given more than once."""
    (_, most), *_ = Counter(annotations).most_common(1)
    return most / len(annotations) if most > 1 else 0.0
