"""How near rewritings are to people's (Qian et al. 2022, Tables 2 and 8), and how near people's are to each other.

BLEU         mean over examples of sacreBLEU's sentence score, lower-cased
ROUGE-1/2/L  mean over examples of F, in percent
Levenshtein  mean over examples of insertions, deletions and substitutions of words
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from rapidfuzz.distance import Levenshtein

from gec_fair.errors import InputError
from gec_fair.extras import require

_WORDS = re.compile(r"\w+(?:'\w+)?|[^\w\s]")


def words(text: str) -> list[str]:
    """Words and signs, as a Treebank tokenizer has them but for contractions, which stay whole."""
    return _WORDS.findall(text)


def against(hypotheses: Sequence[str], references: Sequence[str]) -> dict[str, float]:
    """`bleu`, `rouge1`, `rouge2`, `rougeL` (percent) and `levenshtein` (words), means over examples. InputError for
    lists of different lengths, or none."""
    if len(hypotheses) != len(references) or not references:
        raise InputError(
            f"{len(hypotheses)} texts and {len(references)} references; give one for each, and at least one"
        )
    require("BLEU and ROUGE", "perturber", "sacrebleu", "rouge_score")
    from rouge_score.rouge_scorer import RougeScorer
    from sacrebleu.metrics.bleu import BLEU

    bleu, rouge = BLEU(lowercase=True, effective_order=True), RougeScorer(["rouge1", "rouge2", "rougeL"])
    pairs = list(zip(hypotheses, references, strict=True))
    told: list[dict[str, Any]] = [rouge.score(reference, hypothesis) for hypothesis, reference in pairs]
    return {
        "bleu": fmean(bleu.sentence_score(hypothesis, [reference]).score for hypothesis, reference in pairs),
        **{name: 100 * fmean(each[name].fmeasure for each in told) for name in ("rouge1", "rouge2", "rougeL")},
        "levenshtein": fmean(Levenshtein.distance(words(a), words(b)) for a, b in pairs),
    }


def agreement(first: Sequence[str], second: Sequence[str]) -> dict[str, float]:
    """Of two annotators (Table 8): `full_agree`, the share of equal texts; `token_agree`, the share of equal words at
    equal places; BLEU and ROUGE of one against the other; `levenshtein` as a share of words."""
    told = against(first, second)
    cut = [(words(a), words(b)) for a, b in zip(first, second, strict=True)]
    return {
        "full_agree": 100 * fmean(a == b for a, b in zip(first, second, strict=True)),
        "token_agree": 100 * fmean(_agree(a, b) for a, b in cut),
        **{name: told[name] for name in ("bleu", "rouge1", "rouge2", "rougeL")},
        "levenshtein": fmean(Levenshtein.normalized_distance(a, b) for a, b in cut),
    }


def _agree(a: Sequence[str], b: Sequence[str]) -> float:
    longest = max(len(a), len(b))
    return sum(x == y for x, y in zip(a, b, strict=False)) / longest if longest else 1.0
