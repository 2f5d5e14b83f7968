"""Find the edits between two word sequences: least Levenshtein distance, neighbours merged into one edit."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from gec_fair.edits.edit import Edit, Edits


def diff(before: Sequence[str], after: Sequence[str]) -> Edits:
    """The differing segments of two texts (Lund et al. 2023, §3.1), each as one edit.

    Neighbouring insertions, deletions and substitutions form one segment, so between two edits there is always
    a word that both texts share. Quadratic at worst, bit-parallel in fact.
    """
    edits: list[Edit] = []
    start = end = left = right = 0
    for op in Levenshtein.opcodes(before, after):
        if op.tag == "equal":
            if end > start or right > left:
                edits.append(Edit(start, end, tuple(after[left:right])))
            start = end = op.src_end
            left = right = op.dest_end
        else:
            end, right = op.src_end, op.dest_end
    if end > start or right > left:
        edits.append(Edit(start, end, tuple(after[left:right])))
    return Edits(tuple(edits), len(before))
