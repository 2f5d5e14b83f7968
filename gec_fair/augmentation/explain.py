"""One pair, explained: parse, clusters, edits, alignment and outcome, for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gec_fair.augmentation.parallel import Augmenter
from gec_fair.corpus.outcome import Augmented, Discarded
from gec_fair.corpus.records import Pair
from gec_fair.edits import diff, spaced
from gec_fair.edits.explain import explain

if TYPE_CHECKING:
    from spacy.tokens import Doc


def explain_pair(pair: Pair, augmenter: Augmenter, *, style: str = "line") -> str:
    """Everything that led to the outcome; `style` is that of `edits.explain`."""
    planner = augmenter.planner
    target = spaced(pair.target).words
    [doc] = planner.parse([target])
    lines = [f"pair       {pair.id}", f"source     {pair.source}", f"target     {pair.target}"]
    lines.append(
        f"correction {explain(diff(spaced(pair.source).words, target), spaced(pair.source).words, style=style)}"
    )
    lines += ["parse      " + row for row in _parse_rows(doc)]
    if augmenter.options.method != "fm" and augmenter.options.gate == "coref":
        [clusters] = planner.resolver.clusters([doc])
        lines += [f"cluster    {' ~ '.join(doc[m.start : m.end].text for m in cluster)}" for cluster in clusters]
    outcome = augmenter([pair])[0]
    if isinstance(outcome, Augmented):
        sides = (("source", outcome.source), ("target", outcome.target))
        lines += [f"{name:10} {explain(side.edits, side.before.words, style=style)}" for name, side in sides if side]
    detail = f": {outcome.reason} {outcome.detail}".rstrip() if isinstance(outcome, Discarded) else ""
    return "\n".join([*lines, f"outcome    {type(outcome).__name__.lower()}{detail}"]) + "\n"


def _parse_rows(doc: Doc) -> list[str]:
    """Words with tag, label and head; only the tag where the text was not parsed."""
    if not doc.has_annotation("DEP"):
        return [" ".join(f"{t.text}/{t.tag_}" for t in doc)]
    return [f"{t.i:3} {t.text:16} {t.tag_:5} {t.dep_:12} ← {t.head.text if t.head.i != t.i else '·'}" for t in doc]
