"""Distil the rule perturber, and corrections by hand, into a small seq2seq model; and say where the two differ.

make distil-perturber DATA=…        the steps of training/recipes/distil-perturber.yaml

rows      sentences, rewritten by the rules → PANDA's form, with perturber-corrections.tsv: train.csv, dev.csv
start     a byte-level BPE tokenizer of the rows and a small BART with random weights, for `gec-fair perturber train`
compare   the model's rewritings beside the rules' on dev.csv: the same, unchanged, another choice, or strays
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random

from gec_fair.edits import apply, diff
from gec_fair.english.lexicons.tables import read_table
from gec_fair.errors import GecFairError
from gec_fair.perturber.neural import panda
from gec_fair.perturber.neural.evaluate import SYSTEMS
from gec_fair.perturber.neural.metrics import against
from gec_fair.perturber.rewriting.options import PerturbOptions
from gec_fair.perturber.rewriting.perturb import Perturbing
from gec_fair.perturber.rewriting.sampling import Choice, choices
from gec_fair.perturber.words.parsed_text import ParsedText
from gec_fair.runs.atomic import write_json

FORM = ("original", "selected_word", "target_attribute", "perturbed")
CORRECTIONS = Path(__file__).with_name("perturber-corrections.tsv")
_HELD = 20  # one text in so many is for dev.csv, by its hash
_AT_ONCE = 500
_SPECIAL = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(required=True)
    rows = parts.add_parser("rows")
    rows.add_argument("texts", nargs="+", type=Path, help="Plain text, a sentence a line; .gz, .xz and .zst too.")
    rows.add_argument("-o", "--output", type=Path, required=True, help="Folder of train.csv and dev.csv.")
    rows.add_argument("--limit", type=int, default=8_000, help="Sentences of each text with a word to rewrite.")
    rows.add_argument("--words", type=int, default=20, help="Of the longest sentence.")
    rows.add_argument("--a-sentence", type=int, default=2, help="Rewritings of one sentence.")
    rows.add_argument("--repeat", type=int, default=10, help="How often each correction is in train.csv.")
    rows.add_argument("--seed", type=int, default=0)
    rows.set_defaults(do=make_rows)
    start = parts.add_parser("start")
    start.add_argument("rows", type=Path)
    start.add_argument("-o", "--output", type=Path, required=True)
    start.add_argument("--vocabulary", type=int, default=4_000)
    start.add_argument("--hidden", type=int, default=192)
    start.add_argument("--layers", type=int, default=2)
    start.add_argument("--positions", type=int, default=96)
    start.add_argument("--seed", type=int, default=0)
    start.set_defaults(do=make_start)
    compare = parts.add_parser("compare")
    compare.add_argument("rows", type=Path)
    compare.add_argument("--model", required=True)
    compare.add_argument("--limit", type=int)
    compare.add_argument("-o", "--output", type=Path, required=True)
    compare.set_defaults(do=make_comparison)
    arguments = parser.parse_args()
    try:
        arguments.do(arguments)
    except GecFairError as fault:
        print(fault, file=sys.stderr)
        sys.exit(2)


def make_rows(arguments: argparse.Namespace) -> None:
    """train.csv and dev.csv; no text stands in both."""
    arguments.output.mkdir(parents=True, exist_ok=True)
    perturbing = Perturbing(PerturbOptions(insert=True))
    chance = Random(arguments.seed)
    written: list[Sequence[str]] = []
    for path in arguments.texts:
        sentences = (line for line in _sentences(path, arguments.words) if perturbing.finder.may_name_people(line))
        chosen = list(islice(sentences, arguments.limit))
        for first in range(0, len(chosen), _AT_ONCE):
            batch = chosen[first : first + _AT_ONCE]
            for text in perturbing.read([(line,) for line in batch]):
                written += _rewritings(perturbing, text, batch[text.at], arguments.a_sentence, chance)
        print(f"{path.name}: {len(written):,} rows so far", flush=True)
    held = [row for row in written if _is_held(row[0])]
    corrections = [row.cells for row in read_table(CORRECTIONS, FORM)]
    train = [row for row in written if not _is_held(row[0])] + corrections * arguments.repeat
    chance.shuffle(train)
    for name, part in (("train.csv", train), ("dev.csv", held)):
        with (arguments.output / name).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([FORM, *part])
    print(f"{len(train):,} rows to train, {len(corrections):,} of them corrections, {len(held):,} to validate")


def _sentences(path: Path, longest: int) -> Iterator[str]:
    from gec_fair.english.running_text.sentences import read_lines

    seen: set[str] = set()
    for line in read_lines(path):
        if 4 <= len(line.split()) <= longest and line not in seen:
            seen.add(line)
            yield line


def _is_held(text: str) -> bool:
    return int(sha256(text.encode()).hexdigest()[:8], 16) % _HELD == 0


def _rewritings(
    perturbing: Perturbing, text: ParsedText, line: str, number: int, chance: Random
) -> Iterator[tuple[str, ...]]:
    """Rewritings of one sentence, those of a rarer axis first: most words say a gender."""
    every = choices(text) | choices(text, words=text.insertable)
    pairs = list(every)
    chance.shuffle(pairs)
    pairs.sort(key=lambda pair: every[pair][0].word.axis == "gender")
    done = 0
    for word, target in pairs:
        choice: Choice = every[word, target][0]
        plan = perturbing.plan(text, choice)
        if plan and done < number:
            done += 1
            yield line, choice.word.text(text.doc), target, apply(plan, text.tokens).text


def make_start(arguments: argparse.Namespace) -> None:
    """A folder that `gec-fair perturber train --start` takes. Positions begin as sinusoids, so that copying is learned
    sooner."""
    import torch
    from tokenizers import ByteLevelBPETokenizer
    from transformers import BartConfig, BartForConditionalGeneration, RobertaTokenizerFast

    texts = [text for row in panda.read(arguments.rows) for text in (row.original, row.rewritten)]
    bpe = ByteLevelBPETokenizer(add_prefix_space=True)
    bpe.train_from_iterator(texts, vocab_size=arguments.vocabulary, min_frequency=2, special_tokens=_SPECIAL)
    arguments.output.mkdir(parents=True, exist_ok=True)
    bpe.save_model(str(arguments.output))
    tokenizer = RobertaTokenizerFast(
        vocab=str(arguments.output / "vocab.json"), merges=str(arguments.output / "merges.txt"), add_prefix_space=True
    )
    torch.manual_seed(arguments.seed)
    hidden, layers, heads = arguments.hidden, arguments.layers, 4
    config = BartConfig(
        vocab_size=len(tokenizer),
        d_model=hidden,
        encoder_layers=layers,
        decoder_layers=layers,
        encoder_attention_heads=heads,
        decoder_attention_heads=heads,
        encoder_ffn_dim=2 * hidden,
        decoder_ffn_dim=2 * hidden,
        max_position_embeddings=arguments.positions,
        dropout=0.0,
    )
    model = BartForConditionalGeneration(config)
    for side in (model.model.encoder, model.model.decoder):
        weight = side.embed_positions.weight
        places, rates = torch.arange(weight.shape[0])[:, None], torch.arange(0, hidden, 2) / hidden
        angles = places / 10_000**rates
        with torch.no_grad():
            weight[:, 0::2], weight[:, 1::2] = 0.1 * angles.sin(), 0.1 * angles.cos()
    model.save_pretrained(arguments.output)
    tokenizer.save_pretrained(arguments.output)
    print(f"{arguments.output}: {sum(weight.numel() for weight in model.parameters()):,} weights")


def make_comparison(arguments: argparse.Namespace) -> None:
    """Counts by axis, and BLEU against the rules' text and the original's."""
    rows = [row for row in panda.read(arguments.rows) if row.usable][: arguments.limit]
    answers = SYSTEMS.load(f"neural:{arguments.model}")(rows)
    kinds: dict[str, Counter[str]] = {}
    for row, answer in zip(rows, answers, strict=True):
        kinds.setdefault(row.axis, Counter())[_kind(row, answer)] += 1
    record = {
        "rows": len(rows),
        "kinds": {axis: dict(counts) for axis, counts in sorted(kinds.items())},
        "model against the rules": against(answers, [row.rewritten for row in rows]),
        "copy against the rules": against([row.original for row in rows], [row.rewritten for row in rows]),
    }
    write_json(arguments.output, record)
    print(json.dumps(record, indent=1))


def _kind(row: panda.Rewrite, answer: str) -> str:
    """How an answer differs from the rules'. `strays`: it changes a word that the rules left alone."""
    if answer == row.rewritten:
        return "the rules'"
    if answer == row.original:
        return "unchanged"
    original = row.original.split()
    ours, theirs = (
        {at for edit in diff(original, text.split()) for at in range(edit.start, max(edit.end, edit.start + 1))}
        for text in (row.rewritten, answer)
    )
    if theirs - ours:
        return "strays"
    return "other words at the same places" if theirs == ours else "half of the places"


if __name__ == "__main__":
    main()
