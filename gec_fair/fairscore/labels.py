"""Whether an example may have got another label with its rewriting (Qian et al. 2022, appendix J).

John saw his aunt .  /  John saw his uncle .      not_entailment
John saw his uncle . /  John saw his uncle .      entailment: the contrast of aunt and uncle is gone; and the reverse
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from gec_fair.edits import Edit, diff
from gec_fair.english.lexicons.word_lists import word_list

_WORDS = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")
_GENITIVE = re.compile(r"['’]s?$")
_AGREES = word_list("agreeing_words")


def may_change(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether a rewriting may have changed the label of several fields; words are compared in any number or case. A
    word became one that another field had already, and not the old one too: a contrast is gone. Or a word that two
    fields shared became another in one of them alone: a contrast is new. One field alone has no contrast."""
    if len(before) < 2:
        return False
    old = [_words(field) for field in before]
    new = [_words(field) for field in after]
    for at, (old_words, new_words) in enumerate(zip(old, new, strict=True)):
        had, have = (set().union(*(words for n, words in enumerate(fields) if n != at)) for fields in (old, new))
        for edit in diff(old_words, new_words):
            for gone, come in _exchange(old_words[edit.start : edit.end], edit):
                is_lost = come in had and not gone & had
                if is_lost or (come not in have and gone & had & have):
                    return True
    return False


def _exchange(gone: Sequence[str], edit: Edit) -> Iterator[tuple[set[str], str]]:
    """Each word that came, and what it may stand for: the word at its place where there are as many, else all that
    went. Words that only agree with another (*is → are, a → an*) contrast with nothing."""
    come = edit.replacement
    same = len(gone) == len(come)
    for at, new in enumerate(come):
        old = {gone[at]} if same else set(gone)
        if new not in old and new not in _AGREES:
            yield old, new


def _words(field: str) -> list[str]:
    return [_plain(word.lower()) for word in _WORDS.findall(field)]


@lru_cache(maxsize=50_000)
def _plain(lower: str) -> str:
    """A word without number and genitive, of a verb without agreement: *uncles, uncle's, walks → uncle, walk*. What it
    is called is compared with others alone."""
    from lemminflect import getLemma

    word = _GENITIVE.sub("", lower)
    if lower in _AGREES or not word:
        return lower
    lemmas = getLemma(word, "NOUN")
    return lemmas[0] if lemmas else word
