"""Training pairs as sub-words, on disk once for all seeds, and the batches that they train in.

columns   source, target (sub-words, without the rows around them), held (validates if there is no dev file)
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from datasets import Dataset, Features, List, Value
from numpy.typing import NDArray
from torch.utils.data import Sampler
from transformers import PreTrainedTokenizerBase

from gec_fair.corpus.formats.pair_lines import Lines, pairs_of
from gec_fair.edits import split_spaces
from gec_fair.english.running_text.prose import detokenise
from gec_fair.errors import InputError
from gec_fair.gec.bart.checkpoint import Corrector, Frame, cut
from gec_fair.gec.bart.loss import IGNORED
from gec_fair.gec.bart.options import InputOptions, Text
from gec_fair.models.batching import longest_first, under_budget
from gec_fair.models.digest import tokenizer_text
from gec_fair.runs.cache import cache_directory
from gec_fair.trainer.arrow_table import Prepared, column, is_held_out, load_or_make_table

_FORMAT = "3"  # of the table; a new one makes older tables unfindable
_FEATURES = Features(
    {name: List(Value("int32")) for name in ("source", "target")}
    | {name: Value("int32") for name in ("source_size", "target_size")}
    | {"held": Value("bool")}
)
_POOL = 50  # batches' worth of pairs that are sorted by length together


def prepare(path: Path, corrector: Corrector, *, workers: int = 1, cache: Path | None = None) -> Prepared:
    """Cut all pairs of a file, or open what was cut before, and take those that can train: `empty` have no target,
    `too_long` are over max_source or max_target. InputError for a file without a pair that can."""
    lines = pairs_of(path)
    text = corrector.options.text
    folder = (cache or cache_directory()) / "bart" / _name(lines, corrector.tokenizer, text)
    table = load_or_make_table(
        folder, PairRows(path, corrector.tokenizer, text), len(lines), _FEATURES, workers=workers
    )
    empty, too_long = _unfit(table, corrector.options, corrector.frame)
    fit = np.flatnonzero(~(empty | too_long))
    if not len(fit):
        raise InputError(
            f"{path}: none of its {len(lines):,} pairs can train: {int(too_long.sum()):,} are longer than "
            f"{corrector.options.max_source} and {corrector.options.max_target} sub-words, {int(empty.sum()):,} empty"
        )
    malformed = {"malformed": lines.malformed, "first_malformed": lines.complaint()}
    unfit = {"empty": int(empty.sum()), "too_long": int(too_long.sum())}
    return Prepared(table.select(fit), {"lines": len(lines), **malformed, **unfit})


def sizes(table: Dataset, frame: Frame) -> NDArray[np.int64]:
    """What a pair costs in a batch: the sub-words of its longer side, with the rows around them."""
    longer: NDArray[np.int64] = np.maximum(column(table, "source_size"), column(table, "target_size")).astype(np.int64)
    return longer + frame.size


def split_evenly(batches: Sequence[list[int]], processes: int) -> list[list[int]]:
    """The batches, the largest halved until every process gets as many: else accelerate would hand some out twice."""
    shares = list(batches)
    while len(shares) % processes and any(len(batch) > 1 for batch in shares):
        largest = max(range(len(shares)), key=lambda place: len(shares[place]))
        batch = shares.pop(largest)
        shares += [batch[: len(batch) // 2], batch[len(batch) // 2 :]]
    return shares


class Batches(Sampler[list[int]]):
    """The batches of a whole run, `count` of them: pass after pass over the pairs in the given (endless) order, each
    pass in batches of like length under a budget, shuffled. A function of order and seed alone, so that a resumed run
    continues it."""

    batch_size = None  # they differ; accelerate asks
    drop_last = False

    def __init__(
        self, order: Iterable[int], cost: NDArray[np.int64], *, tokens: int, most: int, count: int, seed: int
    ) -> None:
        self.order, self.cost, self.tokens, self.most = order, cost, tokens, most
        self.count, self.seed = count, seed

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[list[int]]:
        return islice(self._all(), self.count)

    def _all(self) -> Iterator[list[int]]:
        items = iter(self.order)
        number = 0
        while order := list(islice(items, len(self.cost))):
            batches = list(self._one_pass(np.asarray(order)))
            chance = np.random.Generator(np.random.PCG64([self.seed, number, 1]))
            yield from (batches[place] for place in chance.permutation(len(batches)))
            number += 1

    def _one_pass(self, order: NDArray[np.int64]) -> Iterator[list[int]]:
        size = _POOL * max(1, min(self.most, round(self.tokens / float(self.cost.mean()))))
        for at in range(0, len(order), size):
            pool = order[at : at + size]
            sorted_pool = pool[longest_first(self.cost[pool])]
            yield from under_budget(sorted_pool.tolist(), self.cost, self.tokens, most=self.most)


def collate(rows: Sequence[dict[str, Any]], *, frame: Frame) -> dict[str, torch.Tensor]:
    """Rows of the table as a padded batch: what the encoder reads, what the decoder reads, what it should write.

    With `<s>`      <s> X </s>      </s> <s> Y      <s> Y </s>
    without         X </s>          </s> Y          Y </s>
    All are (rows, length), padded on the right, where transformers counts positions from the left.
    """
    ids, mask = pad([frame.around(row["source"]) for row in rows], frame.padding)
    targets = [frame.around(row["target"]) for row in rows]
    labels, _ = pad(targets, IGNORED)
    read, _ = pad([[frame.start, *target[:-1]] for target in targets], frame.padding)
    return {"input_ids": ids, "attention_mask": mask, "decoder_input_ids": read, "labels": labels}


def pad(rows: Sequence[Sequence[int]], padding: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Rows as one tensor (rows, longest), and 1 where it is none of the padding."""
    longest = max(map(len, rows))
    ids = torch.full((len(rows), longest), padding, dtype=torch.long)
    mask = torch.zeros((len(rows), longest), dtype=torch.long)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = torch.as_tensor(row)
        mask[number, : len(row)] = 1
    return ids, mask


@dataclass(frozen=True, slots=True)
class PairRows:
    """Makes the rows of the table; goes to worker processes."""

    path: Path
    tokenizer: PreTrainedTokenizerBase
    text: Text

    def __call__(self, spans: Sequence[tuple[int, int]]) -> Iterator[dict[str, Any]]:
        """The tokenized pairs of some spans of lines, in order."""
        lines = Lines(self.path)
        for first, last in spans:
            yield from self._make_rows([lines.text(number) for number in range(first, last)])

    def _make_rows(self, lines: Sequence[str]) -> Iterator[dict[str, Any]]:
        pairs = [line.split("\t") for line in lines]
        sides = list(dict.fromkeys(side for pair in pairs for side in pair))  # many a target is its source
        pieces = dict(zip(sides, self._cut(sides), strict=True))
        for before, after in pairs:
            source, target = pieces[before], pieces[after]
            yield {
                "source": source,
                "target": target,
                "source_size": len(source),
                "target_size": len(target),
                "held": is_held_out(before),
            }

    def _cut(self, sides: Sequence[str]) -> list[list[int]]:
        return cut(self.tokenizer, [show(split_spaces(side).words, self.text) for side in sides])


def show(words: Sequence[str], text: Text) -> str:
    """The words as the model reads them: with spaces between them, or as prose (where no space stands inside a word,
    which would make two of it on the way back)."""
    prose = detokenise(words) if text == "raw" else None
    if prose is None or any(" " in prose.text[start:end] for start, end in prose.spans):
        return " ".join(words)
    return prose.text


def _unfit(table: Dataset, options: InputOptions, frame: Frame) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    source, target = column(table, "source_size"), column(table, "target_size")
    too_long = (source + frame.size > options.max_source) | (target + frame.size > options.max_target)
    empty = (source == 0) | (target == 0)
    return empty, too_long & ~empty


def _name(lines: Lines, tokenizer: PreTrainedTokenizerBase, text: Text) -> str:
    parts = (_FORMAT, lines.sha256(), tokenizer_text(tokenizer), json.dumps(text))
    return sha256("\0".join(parts).encode()).hexdigest()[:32]
