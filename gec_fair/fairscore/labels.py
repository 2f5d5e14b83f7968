"""Whether an example may have got another label with its rewriting (Qian et al. 2022, appendix J).

John saw his aunt .  /  John saw his uncle .      not_entailment
John saw his uncle . /  John saw his uncle .      entailment: the contrast of aunt and uncle is gone
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gec_fair.edits import diff

_WORDS = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")


def contrast_lost(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether a word of one field became one that another field had already, and that it differed from: the field had
    not the old word too. One field alone has no contrast to lose."""
    old = [[word.lower() for word in _WORDS.findall(field)] for field in before]
    new = [[word.lower() for word in _WORDS.findall(field)] for field in after]
    for at, (here, there) in enumerate(zip(old, new, strict=True)):
        others = set().union(*(words for n, words in enumerate(old) if n != at)) if len(old) > 1 else set()
        for edit in diff(here, there):
            gone, come = set(here[edit.start : edit.end]), set(edit.replacement)
            if (come - gone) & others and not gone & others:
                return True
    return False
