"""Systems to compare with, behind one shape: targets in, rewritten targets out; and the paper's transfer to the source.

- AugLy 1.0.0 from PyPI, its own augmenter and word list, every word a candidate, tokens kept and rejoined by single
  spaces (it would glue *hat .* together and so change tokens that no swap touches).
- The rules of Lund et al. 2023 re-derived from §3.1–3.2: every target is parsed in full, each he/she form goes by its
  part-of-speech tag, the verb is re-inflected from its lemma; differing segments of equal length only, word by word.
  English pipeline and lexicons are ours, so that only the algorithm differs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from gec_fair.edits import diff
from gec_fair.english import pipeline
from gec_fair.english.letters import like
from gec_fair.english.lexicons.lexicon import load

Words = tuple[str, ...]

THEY = {"he": "they", "she": "they", "him": "them", "hers": "theirs", "himself": "themself", "herself": "themself"}
COUNTERPARTS = {
    "he": "she",
    "she": "he",
    "him": "her",
    "hers": "his",
    "himself": "herself",
    "herself": "himself",
}
SUBJECTS = ("nsubj", "nsubj:pass", "nsubjpass")


class AugLy:
    """`swap_gendered_words` of AugLy with p = 1."""

    name = "AugLy 1.0.0, p = 1, tokens kept"

    def __init__(self) -> None:
        from augly.text.augmenters import word_replacement

        word_replacement.tokenize = lambda text: text.split(" ")
        word_replacement.detokenize = " ".join
        word_replacement.get_aug_idxes = lambda _self, tokens, *_: range(len(tokens))
        import augly.text as at

        self._swap = at.swap_gendered_words

    def __call__(self, targets: Sequence[Words]) -> Iterator[Words]:
        for words in targets:
            new = self._swap(" ".join(words), aug_word_p=1.0)
            yield tuple((new[0] if isinstance(new, list) else new).split(" "))


class PaperRules:
    """Target side of §3.1 (`fm`) and §3.2 (`st`), without the coreference gate."""

    def __init__(self, method: str, english: str = "embedded") -> None:
        self.method = method
        self.english = english
        self.name = f"the paper's rules re-derived ({method})"

    @cached_property
    def nlp(self):
        return pipeline.load(self.english)

    def __call__(self, targets: Sequence[Words]) -> Iterator[Words]:
        for doc in pipeline.parse(self.nlp, targets):
            yield self._they(doc) if self.method == "st" else self._swapped(doc)

    def _they(self, doc) -> Words:
        from lemminflect import getInflection

        out = [t.text for t in doc]
        for token in doc:
            new = _by_tag(token, THEY, "their", "them", "theirs")
            if new is None:
                continue
            out[token.i] = like(token.text, new)
            if token.dep_ not in SUBJECTS:
                continue
            for verb in (token.head, *token.head.children):
                if verb.tag_ == "VBZ" and (verb is token.head or verb.dep_ in ("aux", "aux:pass", "auxpass", "cop")):
                    plain = "'re" if verb.lower_ == "'s" else "are" if verb.lemma_ == "be" else ""
                    out[verb.i] = like(verb.text, plain or (getInflection(verb.lemma_, "VBP") or (verb.lemma_,))[0])
                elif verb.lower_ == "was":
                    out[verb.i] = like(verb.text, "were")
        return tuple(out)

    def _swapped(self, doc) -> Words:
        lexicon = load()
        out = [t.text for t in doc]
        for token in doc:
            new = _by_tag(token, COUNTERPARTS, "his" if token.lower_ == "her" else "her", "him", "hers")
            if new is None and token.tag_ in ("NN", "NNS"):
                match = lexicon.nouns.swap_noun(out, token.i)
                new = (
                    match.term.replacement[0]
                    if match and len(match.term.words) == len(match.term.replacement) == 1
                    else None
                )
            if new is None and token.tag_ == "NNP":
                new = lexicon.names.counterpart(token.text, proper=True)
            if new is not None:
                out[token.i] = like(token.text, new.lower())
        return tuple(out)


def _by_tag(token, forms: dict[str, str], determiner: str, accusative: str, independent: str) -> str | None:
    """The new pronoun, by the tag alone."""
    if token.lower_ == "her":
        return determiner if token.tag_ == "PRP$" else accusative
    if token.lower_ == "his":
        return determiner if token.tag_ == "PRP$" else independent
    return forms.get(token.lower_)


def transfer(source: Words, target: Words, new_target: Words) -> Words | None:
    """The paper's transfer: None where a differing segment with something to swap has another length, or its words
    swap differently. (To the letter, §3.1 refuses every segment of unequal length; that would carry far fewer.)"""
    if len(target) != len(new_target):
        return None
    out = list(source)
    shift = at = 0
    for edit in diff(source, target):
        for i in range(at, edit.start):
            out[i] = new_target[i + shift]
        left = edit.start + shift
        span = range(left, left + len(edit.replacement))
        gendered = [
            source[i].lower() in THEY or source[i].lower() in ("her", "his") for i in range(edit.start, edit.end)
        ]
        if edit.growth and (any(gendered) or any(new_target[j] != target[j] for j in span)):
            return None
        for i, is_gendered in zip(range(edit.start, edit.end), gendered, strict=True):
            if edit.growth:
                break
            swapped = new_target[i + shift] != target[i + shift]
            if swapped and source[i].lower() == target[i + shift].lower():
                out[i] = new_target[i + shift]
            elif swapped or is_gendered:
                return None
        at = edit.end
        shift += edit.growth
    for i in range(at, len(source)):
        out[i] = new_target[i + shift]
    return tuple(out)


def transferred(pairs: Iterable[tuple[Words, Words]], system) -> Iterator[tuple[Words, Words | None]]:
    """(new target, new source or None) for each pair."""
    listed = list(pairs)
    for (source, target), new in zip(listed, system([t for _, t in listed]), strict=True):
        yield new, transfer(source, target, new)
