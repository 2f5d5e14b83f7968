"""One-edit misspellings: recognise one, and make the same slip in another word.

    Micheal : Michael  (two letters swapped)     →   Krsityn : Kristyn
    grils   : girls                              →   bosy    : boys

The writer's misspelling is a correction that the pair teaches; a swap must not mend it.
"""

from __future__ import annotations

from rapidfuzz.distance import OSA

_SHORTEST = 3  # letters, chosen by hand: *hre* for *her*, not *hi* for *he*


def is_slip(written: str, meant: str) -> bool:
    """Whether `written` is one insertion, deletion, substitution or swap of neighbours away from `meant`."""
    if min(len(written), len(meant)) < _SHORTEST:
        return False
    return OSA.distance(written.lower(), meant.lower(), score_cutoff=1) == 1


def near(written: str, meant: str) -> bool:
    """Whether one word may be the other misspelt: one edit, two in words past three letters; first or last kept."""
    if written == meant or len(meant) < 2 or not written.isalpha():
        return False
    most = 1 if len(meant) <= _SHORTEST else 2
    return OSA.distance(written, meant, score_cutoff=most) <= most and (
        written[0] == meant[0] or written[-1] == meant[-1]
    )


def same_slip(written: str, meant: str, word: str) -> str | None:
    """`word` with the slip that turned `meant` into `written`, at the same distance from the nearer end.

    None where that would give `word` itself back, or a word too short to bear it. Case is the caller's.
    """
    a, b = meant.lower(), written.lower()
    left = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    from_end = len(a) - left
    at = left if left <= len(a) // 2 else len(word) - from_end
    if not 0 <= at <= len(word):
        return None
    slipped = _slip(a, b, left, word, at)
    return slipped if slipped not in (None, word) and len(slipped or "") >= _SHORTEST else None


def _slip(a: str, b: str, left: int, word: str, at: int) -> str | None:
    if len(b) > len(a):
        return word[:at] + b[left] + word[at:]
    if at >= len(word):
        return None
    if len(b) < len(a):
        return word[:at] + word[at + 1 :]
    if a[left : left + 2] == b[left : left + 2][::-1] and a[left + 2 :] == b[left + 2 :]:
        return word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :] if at + 1 < len(word) else None
    return word[:at] + b[left] + word[at + 1 :]
