"""One way of writing words, whatever the tokeniser and the keyboard did, and back again.

    He doesn't know .       He doesn 't know .       He doesn ’ t know .       →  He does n't know .
    He doesnt know .       hes here .                                          →  He does nt know .   he s here .
    He's here , she ' s not .     he`s     he&#39;s     Ｈｅ’ｓ                  →  He 's here , she 's not .
    The actress' dress                                                         →  The actress ' dress

The parser and the tables know `does n't`, `he 's` and plain letters. A text is read in that form. What is changed there
is written as the text writes it: *doesn 't* becomes *don 't*, and *he`s* becomes *they`re*.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest

from gec_fair.edits import Edit, Edits
from gec_fair.english.letters import APOSTROPHES, OPENING_MARKS, dress, is_plain, plain, plain_with_places
from gec_fair.english.lexicons.agreement import load_agreement
from gec_fair.english.lexicons.paradigms import unmistakable_neopronouns
from gec_fair.english.lexicons.word_lists import word_list

_MARK = f"[{APOSTROPHES}]"
_LETTER = r"[^\W\d_]"
_NEGATED = re.compile(rf"([a-z]+)n{_MARK}t", re.IGNORECASE)
_CLITIC = re.compile(rf"({_LETTER}+(?:-{_LETTER}+)*){_MARK}(?:s|re|ve|ll|d|m)", re.IGNORECASE)
_BARE = re.compile(rf"({_LETTER}+[sxz]){_MARK}", re.IGNORECASE)
_HAS_MARK = re.compile(_MARK)
_WHITE = re.compile(r"(\s+)")
_PARTS = word_list("parts_of_contractions")
"""What follows an apostrophe in a separate token, or a stem that ends in *n*."""
_STEMS = word_list("stems_of_contractions")
"""Words that a lone apostrophe and any clitic may follow: *he ' ll*; *said ' ll* is a quotation."""
_MOST = 4
"""Tokens of one contraction."""
_SUBJECTS = word_list("fused_pronoun_and_verb")
FUSED = {word: 3 if word.startswith("she") else 2 for word in _SUBJECTS} | {
    forms.singular: len(forms.singular) - 2 for forms in load_agreement() if forms.singular.endswith("nt")
}
"""Contractions without an apostrophe (*hes*, *doesnt*), and where they are cut."""


@dataclass(frozen=True, slots=True)
class Contraction:
    """Words `start:end` stand for the words from `at` on, which are cut otherwise.

    A word of the text alone stands for words with `gaps` between them (*he's*; a space that does not end a word), and
    white space `around`. Several words stand for two: `cuts` say where the text cuts these, `split` where the standard
    form does, both counted from the apostrophe, and `mark` is the text's.
    """

    start: int
    end: int
    at: int
    gaps: tuple[str, ...] = ("",)
    around: tuple[str, str] = ("", "")
    mark: str = ""
    cuts: tuple[int, ...] = ()
    split: int = 0

    @property
    def size(self) -> int:
        """The number of words in the standard form."""
        return len(self.gaps) + 1

    def write(self, words: Sequence[str]) -> tuple[str, ...] | None:
        """The words as the text cuts them; None for words that cannot be cut so."""
        text = "".join(word + gap for word, gap in zip(words, (*self.gaps, ""), strict=True))
        if self.end - self.start == 1:
            return (self.around[0] + text + self.around[1],)
        place = text.find("'")
        if place < 0:
            return None
        text = text[:place] + self.mark + text[place + 1 :]
        borders = [0, *(place + cut for cut in self.cuts), len(text)]
        pieces = tuple(text[a:b] for a, b in pairwise(borders))
        return pieces if all(pieces) else None


@dataclass(frozen=True, slots=True)
class Text:
    """The words of a text in the standard form, and `written`, its own. `contractions` are those that the text cuts
    otherwise, in order."""

    words: tuple[str, ...]
    written: tuple[str, ...]
    contractions: tuple[Contraction, ...] = ()

    @property
    def is_standard(self) -> bool:
        """Whether the text itself has the standard form."""
        return self.words == self.written

    def border(self, place: int) -> int | None:
        """The border before one of the text's words as a border of `words`; None where it is inside one of these."""
        shift = 0
        for contraction in self.contractions:
            if contraction.start < place < contraction.end:
                is_split = contraction.cuts[place - contraction.start - 1] == contraction.split
                return contraction.at + 1 if is_split else None
            if contraction.end <= place:
                shift += contraction.size - (contraction.end - contraction.start)
        return place + shift

    def restore(self, edits: Edits) -> Edits | None:
        """Edits of `words` as edits of the text's own words; None where one cannot be written as the text writes."""
        if self.is_standard:
            return edits
        restored: list[Edit] = []
        changed: dict[Contraction, list[str]] = {}
        for edit in edits:
            touched = [c for c in self.contractions if edit.start < c.at + c.size and c.at < edit.end]
            if not touched:
                shift = sum(c.size - (c.end - c.start) for c in self.contractions if c.at < edit.start)
                start, end = edit.start - shift, edit.end - shift
                restored.append(Edit(start, end, self._dress(start, end, edit.replacement)))
                continue
            if len(touched) > 1 or (edit.end - edit.start, len(edit.replacement)) != (1, 1):
                return None
            (inside,) = touched
            words = changed.setdefault(inside, list(self.words[inside.at : inside.at + inside.size]))
            words[edit.start - inside.at] = edit.replacement[0]
        for contraction, words in changed.items():
            pieces = contraction.write(words)
            if pieces is None or len(pieces) != contraction.end - contraction.start:
                return None
            new = self._dress(contraction.start, contraction.end, pieces)
            restored.append(Edit(contraction.start, contraction.end, new))
        return Edits(tuple(sorted(restored)), len(self.written))

    def _dress(self, start: int, end: int, new: Sequence[str]) -> tuple[str, ...]:
        """New words in the place of some of the text's, with the signs that it uses there."""
        old = self.written[start:end]
        if not old:
            return tuple(new)
        models = [old[min(n, len(old) - 1)] for n in range(len(new))]
        return tuple(
            model if plain(model) == word else dress(model, word) for model, word in zip(models, new, strict=True)
        )


def read(written: Sequence[str]) -> Text:
    """The words with plain letters and signs, and every contraction as `does n't` and `he 's`."""
    text = " ".join(written)
    fused: set[int] = set()
    if not FUSED.keys().isdisjoint(text.lower().split(" ")):
        fused = {at for at, word in enumerate(written) if word.lower() in FUSED and not may_be_an_acronym(word, text)}
    if is_plain(text) and "'" not in text and not fused and len(text.split()) == len(written):
        return Text(tuple(written), tuple(written))
    words = tuple(written) if is_plain(text) else tuple(map(plain, written))
    odd = [at for at, word in enumerate(words) if not word.isalpha()]
    marked = [at for at in odd if _HAS_MARK.search(words[at])]
    places = {place for at in marked for place in range(max(0, at - _MOST + 1), at + 1)}
    places |= {at for at in odd if _WHITE.search(words[at])} | fused
    quoted = _quotations(words, marked)
    new: list[str] = []
    contractions: list[Contraction] = []
    at = 0
    for place in sorted(places):
        if place < at:
            continue
        new += words[at:place]
        contraction, standard = (place not in quoted and _contraction(words, place, len(new))) or _several(
            words[place], place, len(new), quoted.get(place, "")
        )
        at = contraction.end
        if words[place:at] != standard:
            contractions.append(contraction)
        new += standard
    new += words[at:]
    return Text(tuple(new), tuple(written), tuple(contractions))


def may_be_an_acronym(word: str, text: str) -> bool:
    """Whether a contraction without an apostrophe (*HES*) stands in capitals in a text that has small letters."""
    return word.isupper() and word.lower() in _SUBJECTS and not text.isupper()


def cut(written: Sequence[str]) -> list[str]:
    """The words in the writer's own letters, those that are several in the standard form cut there: *he`s* is two."""
    text = read(written)
    glued = {contraction.start: contraction for contraction in text.contractions if len(contraction.cuts) == 0}
    return [piece for at, word in enumerate(written) for piece in _pieces(word, text, glued.get(at))]


def _pieces(word: str, text: Text, contraction: Contraction | None) -> list[str]:
    if contraction is None:
        return [word]
    _, places = plain_with_places(word)
    at, pieces = len(contraction.around[0]), []
    for part, gap in zip(text.words[contraction.at :], (*contraction.gaps, ""), strict=False):
        pieces.append(word[places[at] : places[at + len(part)]])
        at += len(part) + len(gap)
    return pieces


def _contraction(words: Sequence[str], at: int, to: int) -> tuple[Contraction, tuple[str, ...]] | None:
    """The contraction that begins at a word, and its two words in the standard form, of which the first is at `to`."""
    if not words[at][:1].isalpha():
        return None
    if place := FUSED.get(words[at].lower()):
        return Contraction(at, at + 1, to), (words[at][:place], words[at][place:])
    for end in range(min(at + _MOST, len(words)), at, -1):
        tail = [word.lower().strip(APOSTROPHES) for word in words[at + 1 : end]]
        if any(part and part not in _PARTS for part in tail) or (tail and not any(tail)):
            continue
        written = "".join(words[at:end])
        match = _NEGATED.fullmatch(written) or _CLITIC.fullmatch(written)
        if match is None and end == at + 1:
            match = _BARE.fullmatch(written)
        if match is None:
            continue
        stem = match[1]
        is_closed = end < len(words) and words[end][:1] in APOSTROPHES
        if end - at > 1 and words[at + 1] in APOSTROPHES and not _may_be_split(match, stem, is_closed=is_closed):
            continue
        place = next(i for i in range(len(stem), len(written)) if written[i] in APOSTROPHES)
        mark = written[place]
        standard = (stem, written[len(stem) : place] + ("'" if end > at + 1 else mark) + written[place + 1 :])
        borders = [sum(map(len, words[at : at + n])) for n in range(1, end - at)]
        cuts = tuple(border - place for border in borders)
        return Contraction(at, end, to, mark=mark, cuts=cuts, split=len(stem) - place), standard
    return None


def _may_be_split(match: re.Match[str], stem: str, *, is_closed: bool) -> bool:
    """Whether an apostrophe that is a token begins a contraction, or a possessive: *the actress ' s dress*. In *the
    letter ' s '* and *said ` s* it begins a quotation; `is_closed`: behind it stands another."""
    is_pronoun = stem.lower() in _STEMS or stem.lower() in unmistakable_neopronouns()
    is_possessive = match[0][-1] in "sS" and match[0][-2] not in OPENING_MARKS and not is_closed
    return match.re is _NEGATED or is_pronoun or is_possessive


def _quotations(words: Sequence[str], marked: Sequence[int]) -> Mapping[int, str]:
    """Which of the `marked` words have a single quotation mark written onto them, and where: *'the actress'*."""
    places: dict[int, str] = {}
    opening: int | None = None
    for at in marked:
        word = words[at]
        if word[0] in APOSTROPHES and word[1:2].isalpha() and word[1:].lower() not in _PARTS:
            opening = at
        if opening is not None and len(word) > 2 and word[-1] in APOSTROPHES:
            places |= {opening: "<", at: "<>" if at == opening else ">"}
    return places


def _several(word: str, at: int, to: int, quoted: str) -> tuple[Contraction, tuple[str, ...]]:
    """A word that is several: with white space in it (a no-break space, a tab), or quotation marks at its ends."""
    parts = _WHITE.split(word) if not word.isspace() else [word]
    lead = parts.pop(0) + parts.pop(0) if not parts[0] and len(parts) > 2 else ""
    tail = parts.pop(-2) + parts.pop() if not parts[-1] and len(parts) > 2 else ""
    if "<" in quoted:
        parts[:1] = [parts[0][0], "", parts[0][1:]]
    if ">" in quoted:
        parts[-1:] = [parts[-1][:-1], "", parts[-1][-1]]
    standard: list[str] = []
    gaps: list[str] = []
    for part, gap in zip_longest(parts[0::2], parts[1::2], fillvalue=""):
        contraction = _contraction((part,), 0, 0)
        words = contraction[1] if contraction else (part,)
        standard += words
        gaps += [""] * (len(words) - 1) + [gap]
    return Contraction(at, at + 1, to, gaps=tuple(gaps[:-1]), around=(lead, tail)), tuple(standard)
