"""What a system has written for the sentences of a reference, as people have it: a text file, M2, a table, texts in
memory; as tokens or as prose; in the order of the reference, or with the sources beside it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from gec_fair.data.columns import read_rows, read_texts
from gec_fair.data.user_tables import valid_rows
from gec_fair.edits import Edits, edit_words, words_of
from gec_fair.english.running_text.prose import count_attached, tokenise
from gec_fair.errors import InputError, UsageError
from gec_fair.evaluate.options import HypText
from gec_fair.evaluate.scoring import texts as files
from gec_fair.evaluate.scoring.texts import Reference, Words
from gec_fair.progress import note

T = TypeVar("T")
Output: TypeAlias = Sequence[Words | Edits]
"""A system's text for each sentence, or its edits."""
_CLEAR = 0.9  # chosen by hand: in prose hardly a sign is alone, in tokens hardly one is attached
"""The share of attached signs from which on texts are prose; up to 1 - _CLEAR only those without a sign alone are."""
_FEW = 0.01  # chosen by hand: one *don't* in 241 texts is odd, two in 100 are not
"""The share of texts with an attached sign up to which such signs are odd words. Above it those texts are prose:
models that write *I don't know .*"""


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """One output, in the order of the reference. `is_prose`: it was prose, and has been tokenised."""

    output: Output
    is_prose: bool = False

    def words(self, sources: Sequence[Words]) -> list[Words]:
        """The texts, also of an output that is edits."""
        return [
            edit_words(answer, source) if isinstance(answer, Edits) else answer
            for answer, source in zip(self.output, sources, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class HypothesisOptions:
    """How hypotheses are read."""

    text: HypText = "tokens"
    """`tokens`: words stand between spaces; `prose`: they are found by alignment to the source's; `auto` looks which
    it is."""
    column: str = "hypothesis"
    """The hypotheses' column in a table."""
    source: str = "source"
    """The sources' column, by which rows are put into the reference's order. It may be missing or have another name."""


AS_TOKENS = HypothesisOptions()


def read_hypotheses(
    hypotheses: Any, gold: Reference, options: HypothesisOptions = AS_TOKENS, *, name: str = "hypotheses"
) -> Hypotheses:
    """The output in a file or in memory. `name`: what messages call texts in memory.

    InputError or UsageError for what is not about the reference's sentences, one for one.
    """
    if isinstance(hypotheses, str | Path):
        path = Path(hypotheses)
        if files.is_m2(path):
            return _read_m2(path, gold)
        if not files.is_table(path):
            words = files.read_texts(path)
            files.check_count(path, words, gold)
            return read_as(words, gold.sources, options.text, str(path), _words_of_gold(gold))
        rows = ((f"{path}:{number}", cells) for number, cells in valid_rows(path))
        texts = _in_order(rows, gold, options, str(path))
        name = str(path)
    elif _is_table(hypotheses):
        rows = ((f"{name}: row {number}", cells) for number, cells in enumerate(read_rows(hypotheses, name), 1))
        texts = _in_order(rows, gold, options, name)
    else:
        texts = list(read_texts(hypotheses, name))
        if len(texts) != len(gold):
            raise UsageError(f"{name}: {len(texts):,} texts for {len(gold):,} sentences; give one for each, in order")
    return read_as([words_of(text) for text in texts], gold.sources, options.text, name, _words_of_gold(gold))


def _words_of_gold(gold: Reference) -> set[str]:
    every = (edit for annotators in gold.annotators for edits in annotators for edit in edits)
    return {word for edit in every for text in (edit.replacement, *edit.alternatives) for word in text}


def read_as(
    texts: Sequence[Words], sources: Sequence[Words], text: HypText, name: str, known: Collection[str] = ()
) -> Hypotheses:
    """Texts that were cut at spaces, cut at other white space too (systems write U+00A0), except in words of the source
    and `known` ones; tokenised like their sources if they are prose. Where `auto` cannot tell, a note says so on
    stderr."""
    output = [_split_odd(words, source, known) for words, source in zip(texts, sources, strict=True)]
    prose = _find_prose(output, sources, name) if text == "auto" else range(len(texts) if text == "prose" else 0)
    for number in prose:
        output[number] = tokenise(sources[number], " ".join(output[number]))
    return Hypotheses(output, is_prose=text == "prose" or len(prose) > 0)


def _split_odd(words: Words, source: Words, known: Collection[str]) -> Words:
    if " ".join(words).split() == list(words):
        return words
    return tuple(part for word in words for part in ((word,) if word in source or word in known else word.split()))


def _find_prose(texts: Sequence[Words], sources: Sequence[Words], name: str) -> Sequence[int]:
    """The places of texts that are prose: signs and clitics stand attached to words, where the sources have them apart.
    Where few do, the others are tokens. A text that is its source tells nothing: systems return what they do not change
    as it was."""
    counts = [
        (0, 0) if words == tuple(source) else count_attached(source, words)
        for words, source in zip(texts, sources, strict=True)
    ]
    attached, alone = map(sum, zip(*counts, strict=True)) if counts else (0, 0)
    if not attached:
        return ()
    if prose := first_prose(sources):
        number, text = prose
        note(
            "the sources themselves are prose, so words are cut at spaces; tokenise them first. Sentence "
            f"{number}: {text}"
        )
        return ()
    share = attached / (attached + alone)
    is_odd = sum(attached > 0 for attached, _ in counts) <= _FEW * len(counts)
    lines = [number for number, (attached, alone) in enumerate(counts) if attached and not (alone and is_odd)]
    is_all = share > 1 - _CLEAR
    if share < _CLEAR and (is_all or lines):
        first = next(number for number, (attached, _) in enumerate(counts) if attached) if is_all else lines[0]
        subject = "it is" if is_all else f"{len(lines):,} of its texts are"
        note(
            f"{name}: in part tokens, in part prose ({alone:,} signs apart, {attached:,} at a word); {subject} "
            f"read as prose, unless --hyp-text (tokenise) says tokens. Line {first + 1}: {' '.join(texts[first])}"
        )
    return range(len(texts)) if is_all else lines


def first_prose(texts: Sequence[Words]) -> tuple[int, str] | None:
    """The first of texts that are prose, and its number; None where they are tokens."""
    counts = [count_attached((), words) for words in texts]
    if sum(attached for attached, _ in counts) <= sum(alone for _, alone in counts):
        return None
    number = next(number for number, (attached, _) in enumerate(counts) if attached)
    return number + 1, " ".join(texts[number])


def _read_m2(path: Path, gold: Reference) -> Hypotheses:
    """The edits. InputError where they are not of the reference's sources, or several annotators'."""
    reference = files.read_reference(path)
    files.check_sources(path, reference.sources, gold)
    for number, their in enumerate(reference.annotators, 1):
        if len(their) > 1:
            raise InputError(f"{path}: sentence {number}: has edits of {len(their)} annotators; give a file for each")
    return Hypotheses(tuple(their[0] for their in reference.annotators))


_Row: TypeAlias = tuple[str, Mapping[str, Any]]
"""Where a row stands, and its cells."""


def _is_table(hypotheses: Any) -> bool:
    """A data frame or a list of rows."""
    if type(hypotheses).__name__ in ("DataFrame", "Table", "Dataset"):
        return True
    return isinstance(hypotheses, list | tuple) and bool(hypotheses) and isinstance(hypotheses[0], Mapping)


def _in_order(rows: Iterable[_Row], gold: Reference, options: HypothesisOptions, name: str) -> list[str]:
    """The hypotheses in the order of the reference: by their sources where these are there."""
    every = list(rows)
    files.check_lines(Path(name), len(every), len(gold), str(gold.path))
    texts = [files.text_in(cells, options.column, place) for place, cells in every]
    has_sources = any(options.source in cells for _, cells in every)
    column = options.source if has_sources else _column_of_sources(every, options.column, gold)
    if not column:
        return texts
    placed = [
        (place, text, files.text_in(cells, column, place)) for (place, cells), text in zip(every, texts, strict=True)
    ]
    return in_order_of(gold.sources, placed, str(gold.path))


def _column_of_sources(rows: Sequence[_Row], texts: str, gold: Reference) -> str:
    """The column that has the reference's sources under another name; "" for none."""
    sources = sorted(_letters(" ".join(source)) for source in gold.sources)
    names = [name for _, cells in rows[:1] for name in cells if name != texts]
    return next((name for name in names if sorted(_letters(str(c.get(name))) for _, c in rows) == sources), "")


def in_order_of(sources: Sequence[Words], rows: Iterable[tuple[str, T, str]], name: str) -> list[T]:
    """The values of rows (place, value, source), one for each of the `sources`, which messages call `name`. InputError
    for a row with another source."""
    waiting: dict[str, list[int]] = defaultdict(list)
    for number in reversed(range(len(sources))):
        waiting[_letters(" ".join(sources[number]))].append(number)
    ordered: dict[int, T] = {}
    for place, value, source in rows:
        numbers = waiting.get(_letters(source))
        if not numbers:
            raise InputError(
                f"{place}: its source is not one of {name}, or stands there less often: {source}\n"
                "Give the row of each sentence once, or rename the column if it has something else"
            )
        ordered[numbers.pop()] = value
    return [ordered[number] for number in range(len(sources))]


def _letters(text: str) -> str:
    """What two sources must share: white space, and so the way of tokenising, does not count."""
    return "".join(text.split())
