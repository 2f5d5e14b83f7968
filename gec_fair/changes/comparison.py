"""The changes between texts that lie side by side: both sides of an evaluation set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gec_fair.changes.change import AUGMENTED, UNCHANGED, Change, Rewritten, Side
from gec_fair.edits import Rewriting, edit_words
from gec_fair.errors import InputError
from gec_fair.evaluate.evalsets.catalogue import EvalSet
from gec_fair.evaluate.scoring.texts import Reference, read_reference


def compare_sides(evalset: EvalSet) -> Rewritten:
    """The twins of an evaluation set: source and target of each sentence."""
    title = f"{evalset.name}: {evalset.orig.source.name} → {evalset.aug.source.name}"
    return Rewritten(title, lambda: _twins(evalset))


def change_between(file: str, line: int, sides: Sequence[tuple[str, str, str]], **fields: Any) -> Change:
    """`sides`: name, text before and after."""
    outcome = UNCHANGED if all(before == after for _, before, after in sides) else AUGMENTED
    rewritten_sides = tuple(Side.of(Rewriting.between(before, after), name) for name, before, after in sides)
    return Change(file, line, outcome, sides=rewritten_sides, **fields)


def _twins(evalset: EvalSet) -> Iterator[Change]:
    orig, aug = (read_reference(side.m2) for side in (evalset.orig, evalset.aug))
    if len(orig) != len(aug):
        raise InputError(f"{evalset.aug.m2}: {len(aug)} sentences, but {evalset.orig.m2} has {len(orig)}")
    twins = zip(zip(*_texts(orig), strict=True), zip(*_texts(aug), strict=True), strict=True)
    for line, ((source, target), (source_twin, target_twin)) in enumerate(twins, 1):
        sides = [("source", source, source_twin), ("target", target, target_twin)]
        yield change_between(evalset.orig.source.name, line, sides, axis="gender")


def _texts(side: Reference) -> tuple[list[str], list[str]]:
    """Sources, and what the first annotator made of them."""
    targets = [edit_words(their[0], words) for their, words in zip(side.annotators, side.sources, strict=True)]
    return [" ".join(words) for words in side.sources], [" ".join(words) for words in targets]
