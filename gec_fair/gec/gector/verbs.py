"""Verb forms for the tags `$TRANSFORM_VERB_f_g`: *go* as VB becomes *goes* as VBZ (Omelianchuk et al. 2020, §3).

Forms come from lemminflect, or from the official `verb-form-vocab.txt`, whose lines are `go_goes:VB_VBZ`. *be*, *have*
and *do* have none: without them the tags' frequencies rank as in the official vocabulary (docs/how-to/gector.md).
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import permutations
from pathlib import Path

from gec_fair.data.text_files import read_lines
from gec_fair.errors import InputError

FORMS = ("VB", "VBZ", "VBG", "VBD", "VBN")
"""An ambiguous pair (*walk* → *walked*) is read as the last that fits: VBN, as in the official vocabulary."""
LEMMINFLECT = "lemminflect"
_SUPPLETIVE = frozenset(["be", "have", "do"])


class VerbForms:
    """Which forms of one verb two words are, and what a word becomes in another form."""

    def __init__(self, lines: Iterable[tuple[str, str, str, str]], *, source: str = "") -> None:
        """Lines of word, other word, form of the word, form of the other, and where they are from: LEMMINFLECT, or a
        file. As in the original, the first line decides what a word becomes, the last what a pair of words is."""
        self.source = source
        self._forms: dict[tuple[str, str], str] = {}
        self._becomes: dict[tuple[str, str], str] = {}
        for word, becomes, form, target in lines:
            change = f"{form}_{target}"
            if (word, change) not in self._becomes:
                self._becomes[word, change] = becomes
                self._forms[word, becomes] = change

    def __len__(self) -> int:
        return len(self._becomes)

    def between(self, word: str, target: str) -> str | None:
        """`VB_VBZ` for *go* and *goes*; None if they are not two forms of one verb."""
        return self._forms.get((word, target))

    def become(self, word: str, change: str) -> str | None:
        """*goes* for *go* and `VB_VBZ`; None for a word that has no such form."""
        return self._becomes.get((word, change))

    def lines(self) -> Iterator[str]:
        """The table as the official file writes it."""
        for (word, change), target in self._becomes.items():
            yield f"{word}_{target}:{change}"


def verb_forms(path: Path | None = None) -> VerbForms:
    """lemminflect's forms, or those of a file. InputError, with file and line, for a file that is not of that form."""
    if path is None:
        return _load_lemminflect()
    return _load_file(path, path.resolve(), path.stat().st_mtime_ns if path.is_file() else 0)


@lru_cache(maxsize=1)
def _load_lemminflect() -> VerbForms:
    return VerbForms(_read_lemminflect(), source=LEMMINFLECT)


@lru_cache(maxsize=1)
def _load_file(path: Path, *version: object) -> VerbForms:
    """`version`: what tells this content from another under the same name."""
    forms = VerbForms(_read(path), source=str(path))
    if not len(forms):
        raise InputError(f"{path}: is empty; give a verb-form-vocab.txt")
    return forms


def _read_lemminflect() -> Iterator[tuple[str, str, str, str]]:
    """Straight from lemminflect's table, whose rows are lemma, part of speech, VBD, VBN (empty: as VBD), VBG, VBZ."""
    from lemminflect import config

    with gzip.open(config.inflection_lu_fn, "rt", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split(",") for line in file]
    for lemma, kind, *inflected in rows:
        if kind != "verb" or lemma in _SUPPLETIVE or len(inflected) != 4:
            continue
        past, participle, gerund, third = (tuple(filter(None, cell.split("/"))) for cell in inflected)
        words = dict(zip(FORMS, ((lemma,), third, gerund, past, participle or past), strict=True))
        for form, target_form in permutations(FORMS, 2):
            for word in words[form]:
                yield from ((word, target, form, target_form) for target in words[target_form] if word != target)


def _read(path: Path) -> Iterator[tuple[str, str, str, str]]:
    for number, line in enumerate(read_lines(path), 1):
        words, colon, forms = line.rpartition(":")
        word, _, target_word = words.partition("_")
        form, _, target = forms.partition("_")
        if not (colon and word and target_word and form in FORMS and target in FORMS):
            raise InputError(f"{path}:{number}: expected a line such as go_goes:VB_VBZ, found {line[:60]!r}")
        yield word, target_word, form, target
