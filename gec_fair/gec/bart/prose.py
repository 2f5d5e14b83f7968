"""The two ways of showing words to a BART, and the way back: words that it did not change stay as they were.

    words     I 've  never seen it !  !          I 've never seen them  !  !
      │ render                                         ▲ retokenise
      ▼                                                │
    prose     I've never seen it!!  ────model────▶  I've never seen them!!

What stands between two white spaces, if it is the same before and after, keeps the source's words; the rest is
tokenised anew. ERRANT compares words, so a system that reads prose must not pay for the way back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gec_fair.edits import diff
from gec_fair.english.prose import TREEBANK_QUOTES, Prose, detokenise
from gec_fair.gec.bart.options import Text

Tokenise = Callable[[str], list[str]]


def render(words: Sequence[str], text: Text) -> Prose:
    """The words as the model reads them, and where each lies."""
    if text == "tokenised":
        return _join_with_spaces(words)
    prose = detokenise(words)
    # a space inside a word would make two of it on the way back
    return _join_with_spaces(words) if any(" " in prose.text[start:end] for start, end in prose.spans) else prose


def retokenise(words: Sequence[str], prose: Prose, written: str, tokenise: Tokenise) -> tuple[str, ...]:
    """What the model wrote, as words. `retokenise(words, prose, prose.text, …) == words` for all words."""
    chunks = list(_chunks(words, prose))
    changes = diff([text for text, _ in chunks], [text for text in written.split(" ") if text])
    rewritten_words: list[str] = []
    at = 0
    for edit in changes:
        rewritten_words += (word for _, part in chunks[at : edit.start] for word in part)
        old = [word for _, part in chunks[edit.start : edit.end] for word in part]
        rewritten_words += _restore_quotes(old, tokenise(" ".join(edit.replacement)))
        at = edit.end
    rewritten_words += (word for _, part in chunks[at:] for word in part)
    return tuple(rewritten_words)


def spacy_words(text: str) -> list[str]:
    """Words as the embedded pipeline's tokenizer (spaCy's rules for English, as BEA-2019's) cuts them."""
    from gec_fair.english import pipeline

    return [token.text for token in pipeline.shared().tokenizer(text) if not token.is_space]


def _join_with_spaces(words: Sequence[str]) -> Prose:
    spans, at = [], 0
    for word in words:
        spans.append((at, at + len(word)))
        at += len(word) + 1
    return Prose(" ".join(words), tuple(spans))


def _chunks(words: Sequence[str], prose: Prose) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What stands between two spaces of the prose, and the words that it is made of."""
    first = 0
    for number in range(1, len(words) + 1):
        last = number == len(words)
        if last or prose.spans[number][0] > prose.spans[number - 1][1]:
            text = prose.text[prose.spans[first][0] : prose.spans[number - 1][1]]
            yield text, tuple(words[first:number])
            first = number


def _restore_quotes(old: Sequence[str], new: list[str]) -> list[str]:
    """Treebank quotes again where the source has them and as many are written."""
    marks = [word for word in old if word in (*TREEBANK_QUOTES, '"')]
    if len(marks) != new.count('"'):
        return new
    waiting = iter(marks)
    return [next(waiting) if word == '"' else word for word in new]
