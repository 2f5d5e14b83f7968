"""Outputs of real systems as prose: scored as their tokens are?

    python benchmarks/prose.py BEA [--workers 2] [-o results/prose.json]

BEA has `bea-dev.first2192.m2`, its `.src.txt` and `system_outputs/`. Every output is written as prose in three ways:
by sacremoses (`pip install -r requirements-peers.txt`), by a few substitutions of our own that share nothing with
`gec_fair.english.running_text.prose`, and by these with curly quotes, curly apostrophes and one-sign ellipses. Each is
scored with `tokenise="auto"` beside the tokens. The script fails if P, R or F0.5 moves by more than 0.3 points.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from report import record

import gec_fair as gf
from gec_fair.edits import split_spaces
from gec_fair.english.running_text.prose import tokenise

BAR = 0.3
FIGURES = ("precision", "recall", "f")
_ATTACHED = (
    (r" (n't|'s|'m|'re|'ve|'ll|'d)\b", r"\1"),
    (r" ([.,!?;:%)\]}]+)(?= |$)", r"\1"),
    (r" ([.,!?;:%)\]}]+)(?= |$|[.,!?;:)])", r"\1"),
    (r"(^| )([(\[{$£€#]) ", r"\1\2"),
    (r"(\w) - (\w)", r"\1-\2"),
    (r"(\w) / (\w)", r"\1/\2"),
    (r'" ([^"]*) "', r'"\1"'),
    (r' "([.,!?;:])', r'"\1'),
    (r"\b([Cc])an not\b", r"\1annot"),
    (r"\b([Gg]on|[Ww]an) na\b", r"\1na"),
)
_CURLY = ((r"(\w)'", r"\1’"), (r'"([^"]*)"', r"“\1”"), (r"\.\.\.", "…"))


def by_substitutions(text: str) -> str:
    """Prose as a person types it."""
    for pattern, new in _ATTACHED:
        text = re.sub(pattern, new, text, flags=re.ASCII)
    return text


def curly(text: str) -> str:
    """Prose as word processors and chat models typeset it."""
    text = by_substitutions(text)
    for pattern, new in _CURLY:
        text = re.sub(pattern, new, text)
    return text


def writers() -> dict[str, Callable[[str], str]]:
    """The ways of writing prose."""
    from sacremoses import MosesDetokenizer

    moses = MosesDetokenizer("en")
    return {
        "sacremoses": lambda text: moses.detokenize(text.split(" ")),
        "substitutions": by_substitutions,
        "curly": curly,
    }


def returned(sources: Sequence[str], texts: Sequence[str], written: Sequence[str]) -> float:
    """Of texts as tokens and as prose: the share in percent whose prose gives the same tokens."""
    same = sum(
        tokenise(split_spaces(source).words, prose) == split_spaces(text).words
        for source, text, prose in zip(sources, texts, written, strict=True)
    )
    return 100 * same / len(texts)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("bea", type=Path)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    gold = arguments.bea / "bea-dev.first2192.m2"
    sources = _lines(arguments.bea / "bea-dev.first2192.src.txt")
    ways = writers()
    rows = []
    for path in sorted((arguments.bea / "system_outputs").glob("*.txt")):
        texts = _lines(path)
        outputs = {"tokens": texts, **{name: [way(text) for text in texts] for name, way in ways.items()}}
        scores = gf.score(outputs, gold, workers=arguments.workers, resamples=1)
        for name in ways:
            moved = {figure: getattr(scores[name], figure) - getattr(scores["tokens"], figure) for figure in FIGURES}
            row = {"system": path.name.partition(".")[0], "written by": name, **moved}
            rows.append(
                {**row, "lines returned": returned(sources, texts, outputs[name]), "f tokens": scores["tokens"].f}
            )
            print(*(f"{value:+.2f}" if isinstance(value, float) else value for value in rows[-1].values()), sep="\t")
            assert "hyp:prose" in scores[name].signature, f"{path}, {name}: was not read as prose"
            assert "hyp:prose" not in scores["tokens"].signature, f"{path}: was not read as tokens"
            assert max(map(abs, moved.values())) <= BAR, f"{path}, {name}: moved by more than {BAR}"
    largest = {figure: max(abs(row[figure]) for row in rows) for figure in FIGURES}
    print("largest difference", *(f"{figure} {value:.2f}" for figure, value in largest.items()))
    record(arguments.output, "prose", {"largest": largest, "rows": rows}, ("errant", "sacremoses"))


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


if __name__ == "__main__":
    main()
