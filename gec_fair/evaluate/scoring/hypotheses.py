"""What a system has written for the sentences of a reference, as people have it: a text file, M2, a table, texts in
memory; as tokens or as prose; in the order of the reference, or with the sources beside it.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from gec_fair.data.columns import read_rows, read_texts
from gec_fair.data.user_tables import valid_rows
from gec_fair.edits import Edits, rewritten, spaced
from gec_fair.english.prose import count_attached, tokenise
from gec_fair.errors import InputError, UsageError
from gec_fair.evaluate.scoring import texts as files
from gec_fair.evaluate.scoring.texts import Reference, Words

HypText: TypeAlias = Literal["auto", "tokens", "prose"]
HYP_TEXTS = ("auto", "tokens", "prose")
Output: TypeAlias = Sequence[Words | Edits]
"""A system's text for each sentence, or its edits."""
_CLEAR = 0.9
"""The share of attached signs from which on texts are prose; below 1 - _CLEAR they are tokens."""


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """One output, in the order of the reference. `is_prose`: it was prose, and has been tokenised."""

    output: Output
    is_prose: bool = False

    def words(self, sources: Sequence[Words]) -> list[Words]:
        """The texts, also of an output that is edits."""
        return [
            rewritten(one, source) if isinstance(one, Edits) else one
            for one, source in zip(self.output, sources, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class HypothesisOptions:
    """How hypotheses are read. Checked when built."""

    text: HypText = "tokens"
    """`tokens`: words stand between spaces; `prose`: they are found by alignment to the source's; `auto` looks which
    it is."""
    column: str = "hypothesis"
    """The hypotheses' column in a table."""
    source: str = "source"
    """The sources' column, by which rows are put into the reference's order; it may be missing."""

    def __post_init__(self) -> None:
        if self.text not in HYP_TEXTS:
            raise UsageError(f"--hyp-text (tokenise) is {', '.join(HYP_TEXTS)}, not {self.text!r}")


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
            return read_as(words, gold.sources, options.text, str(path))
        texts = _in_order(_file_rows(path, options), gold, str(path))
        name = str(path)
    elif _is_table(hypotheses):
        texts = _in_order(_memory_rows(hypotheses, name, options), gold, name)
    else:
        texts = list(read_texts(hypotheses, name))
        if len(texts) != len(gold):
            raise UsageError(f"{name}: {len(texts):,} texts for {len(gold):,} sentences; give one for each, in order")
    return read_as([spaced(text).words for text in texts], gold.sources, options.text, name)


def read_as(texts: Sequence[Words], sources: Sequence[Words], text: HypText, name: str) -> Hypotheses:
    """Texts that were cut at spaces, tokenised like their sources if they are prose. Where `auto` cannot tell, a note
    says so on stderr."""
    if not (text == "prose" or (text == "auto" and _are_prose(texts, sources, name))):
        return Hypotheses(list(texts))
    return Hypotheses(
        [tokenise(source, " ".join(words)) for source, words in zip(sources, texts, strict=True)], is_prose=True
    )


def _are_prose(texts: Sequence[Words], sources: Sequence[Words], name: str) -> bool:
    """Whether signs and clitics stand attached to words, where the sources have them apart."""
    lines = [" ".join(words) for words in texts]
    attached, alone, first = count_attached(sources, lines)
    if not attached:
        return False
    of_sources, apart, number = count_attached([()] * len(sources), [" ".join(words) for words in sources])
    if of_sources > apart:
        _note(
            f"the sources themselves are prose, so words are cut at spaces; tokenise them first. Sentence {number}: "
            f"{' '.join(sources[number - 1])}"
        )
        return False
    share = attached / (attached + alone)
    if 1 - _CLEAR < share < _CLEAR:
        _note(
            f"{name}: in part tokens, in part prose ({alone:,} signs stand alone, {attached:,} at a word); it is read "
            f"as prose, unless --hyp-text (tokenise) says tokens. Line {first}: {lines[first - 1]}"
        )
    return share > 1 - _CLEAR


def _note(text: str) -> None:
    print(f"note: {text}", file=sys.stderr)


def _read_m2(path: Path, gold: Reference) -> Hypotheses:
    """The first annotator's edits. InputError where they are not of the reference's sources."""
    reference = files.read_reference(path)
    files.check_sources(path, reference.sources, gold)
    return Hypotheses(tuple(their[0] for their in reference.annotators))


_Row: TypeAlias = tuple[str, str, str | None]
"""Where a row stands, its hypothesis, and its source where there is one."""


def _file_rows(path: Path, options: HypothesisOptions) -> Iterator[_Row]:
    for number, cells in valid_rows(path):
        yield _row(f"{path}:{number}", cells, options)


def _memory_rows(table: Any, name: str, options: HypothesisOptions) -> Iterator[_Row]:
    for number, cells in enumerate(read_rows(table, name), 1):
        yield _row(f"{name}: row {number}", cells, options)


def _row(place: str, cells: Mapping[str, Any], options: HypothesisOptions) -> _Row:
    if options.column not in cells:
        raise InputError(f"{place}: no column named {options.column!r}; there are {', '.join(map(str, cells))}")
    for name in (options.column, options.source):
        if name in cells and not isinstance(cells[name], str):
            raise InputError(f"{place}: {name!r} is not a text; give a text in every row")
    return place, cells[options.column], cells.get(options.source)


def _is_table(hypotheses: Any) -> bool:
    """A data frame or a list of rows."""
    if type(hypotheses).__name__ in ("DataFrame", "Table", "Dataset"):
        return True
    return isinstance(hypotheses, list | tuple) and bool(hypotheses) and isinstance(hypotheses[0], Mapping)


def _in_order(table: Iterable[_Row], gold: Reference, name: str) -> list[str]:
    """The hypotheses in the order of the reference: by their sources where these are there. InputError for a row whose
    source is not one of the reference's."""
    every = list(table)
    files.check_lines(Path(name), len(every), len(gold), str(gold.path))
    if any(source is None for *_, source in every):
        return [text for _, text, _ in every]
    waiting: dict[str, list[int]] = defaultdict(list)
    for number in reversed(range(len(gold))):
        waiting[_letters(" ".join(gold.sources[number]))].append(number)
    ordered = [""] * len(gold)
    for place, text, source in every:
        numbers = waiting.get(_letters(source or ""))
        if not numbers:
            raise InputError(
                f"{place}: its source is not one of {gold.path}, or stands there less often: {source}\n"
                "Give the row of each sentence once, or rename the column if it has something else"
            )
        ordered[numbers.pop()] = text
    return ordered


def _letters(text: str) -> str:
    """What two sources must share: white space, and so the way of tokenising, does not count."""
    return "".join(text.split())
