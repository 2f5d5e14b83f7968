"""What led to an outcome, for a terminal: of a pair parse, clusters, edits and alignment, of plain text the edits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from gec_fair.augmentation.parallel import Augmenter
from gec_fair.augmentation.rewriter import Rewriter
from gec_fair.corpus.outcome import Augmented, Discarded, Left, Outcome, name_of
from gec_fair.corpus.records import Pair
from gec_fair.edits import diff, split_spaces
from gec_fair.edits.explain import explain

if TYPE_CHECKING:
    from spacy.tokens import Doc

WHY_LEFT: Mapping[str, str] = {
    "direction": "{} has the gender that stays; --direction both swaps it too",
    "doubt": "{} is not read as a pronoun, a first name or a gendered noun of a person here, or not surely; no option "
    "rewrites it",
    "gate": "the text does not show that {} is one person; --gate none rewrites every he and she",
    "language": "{} shows that the text is not English; no option rewrites it",
    "neo": "{} is a neopronoun, and the text has no he or she; no option rewrites it",
    "neutral": "somebody of the text is nonbinary or goes by neutral pronouns, and {} may be their name; no option "
    "rewrites it",
    "pair": "{} is one of a pair that names both genders, such as he or she; no option rewrites it",
    "source": "{} is in the source alone, and the correction takes it away; no option rewrites it",
    "they": "{} is a form of they, and the text has no he or she; no option rewrites it",
    "thing": "{} is an animal, a ship, a country, a deity or saint, or in the name of a thing; --animals rewrites the "
    "first three",
}
"""Why a word stays, and which option rewrites it, by the reason; `{}` is the word."""


def explain_pair(pair: Pair, augmenter: Augmenter, *, style: str = "line") -> str:
    """Everything that led to the outcome; `style` is that of `edits.explain`."""
    planner = augmenter.planner
    source, target = split_spaces(pair.source).words, split_spaces(pair.target).words
    [doc] = planner.parse([target])
    lines = [f"pair       {pair.id}", f"source     {pair.source}", f"target     {pair.target}"]
    lines.append(f"correction {explain(diff(source, target), source, style=style)}")
    lines += ["parse      " + row for row in _parse_rows(doc)]
    if augmenter.options.method != "fm" and augmenter.options.gate == "coref":
        [clusters] = planner.resolver.clusters([doc])
        lines += [f"cluster    {' ~ '.join(doc[m.start : m.end].text for m in cluster)}" for cluster in clusters]
    outcome = augmenter([pair])[0]
    if isinstance(outcome, Augmented):
        sides = (("source", outcome.source), ("target", outcome.target))
        lines += [f"{name:10} {explain(side.edits, side.before.words, style=style)}" for name, side in sides if side]
    return "\n".join([*lines, *_outcome_rows(outcome)]) + "\n"


def explain_texts(texts: Iterable[str], rewriter: Rewriter, *, style: str = "line") -> Iterator[str]:
    """The outcome of each line of plain text; `style` is that of `edits.explain`. Lazy."""
    for number, (text, outcome) in enumerate(rewriter.outcomes(texts), 1):
        rewriting = outcome.source if isinstance(outcome, Augmented) else None
        new = explain(rewriting.edits, rewriting.before.words, style=style) if rewriting else text
        yield "\n".join([f"line       {number}", f"text       {new}", *_outcome_rows(outcome)]) + "\n"


def _outcome_rows(outcome: Outcome) -> Iterator[str]:
    name = name_of(outcome)
    if isinstance(outcome, Augmented) and outcome.target is None:
        name = "rewritten"
    if isinstance(outcome, Left | Discarded):
        yield f"outcome    {name}: {outcome.reason} {outcome.detail}".rstrip()
    else:
        yield f"outcome    {name}"
    if isinstance(outcome, Augmented) and outcome.sure is not None:
        yield f"sure       {outcome.sure.probability:.3f}; lowered most because {outcome.sure.doubt}"
    if isinstance(outcome, Left):
        yield f"why        {WHY_LEFT[outcome.reason].format(outcome.detail)}"


def _parse_rows(doc: Doc) -> list[str]:
    """Words with tag, label and head; only the tag where the text was not parsed."""
    if not doc.has_annotation("DEP"):
        return [" ".join(f"{t.text}/{t.tag_}" for t in doc)]
    return [f"{t.i:3} {t.text:16} {t.tag_:5} {t.dep_:12} ← {t.head.text if t.head.i != t.i else '·'}" for t in doc]
