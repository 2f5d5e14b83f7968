"""`gec-fair bart train|predict|import`: BART as a corrector (Katsumata and Komachi 2020)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import click

from gec_fair.cli.options.command import folder_output, path_argument, takes
from gec_fair.cli.options.corrections import corrections, read_texts, text_argument, write_texts
from gec_fair.cli.options.groups import Group
from gec_fair.cli.options.results import json_option, say
from gec_fair.cli.options.settings import reads, seed_option, train_output, workers_option
from gec_fair.cli.options.training import check_import, check_model, tell_left_out, train_by
from gec_fair.config.options import Option
from gec_fair.gec.bart.options import BartTraining, Decoding, Text
from gec_fair.progress import bar

_LEFT_OUT = {
    "malformed": "malformed lines",
    "empty": "pairs without a target",
    "too_long": "pairs over max_source or max_target",
}
bart = Group(help="Correct by writing each sentence anew: training, prediction, checkpoints of fairseq.")


@bart.command(short_help="Train a BART on pairs")
@takes(reads(BartTraining, "train", "dev", "start"), seed_option("Data order and dropout."))
@takes(workers_option("Processes that cut the pairs into sub-words."), train_output, json_option)
def train(options: BartTraining, seed: int, workers: int, output: Path) -> None:
    """Train one BART on pairs; the model lies in DIR/best. For many seeds and mixes: gec-fair experiment.

    With several GPUs: torchrun --nproc_per_node 4 -m gec_fair.cli bart train …

    \b
    gec-fair bart train training/bart.yaml --train mix/system1/train.tsv --seed 0 -o runs/bart/system1/0
    """
    done = train_by("gec_fair.gec.bart.train", options, output, seed=seed, workers=workers)
    tell_left_out(done, _LEFT_OUT)


@bart.command(short_help="Correct texts")
@takes(click.argument("model", metavar="MODEL"), text_argument, corrections, Decoding)
def predict(model: str, text: Path | None, output: Path | None, decoding: Decoding) -> None:
    """Correct TEXT, one tokenised text a line (an M2 file gives its sources); without TEXT, standard input.

    What the model did not change keeps its words. Texts over the model's limit pass through and are counted.

    \b
    gec-fair bart predict runs/bart/system1/0/best learner.txt -o corrected.txt
    """
    check_model("BART", model)
    from gec_fair.gec.bart.checkpoint import load
    from gec_fair.gec.bart.predict import Predictor

    sources = read_texts(text)
    predictor = Predictor(load(model))
    with bar("bart") as progress:
        done = predictor.correct(sources, decoding, progress=progress)
    write_texts(done.texts, output)
    if done.too_long:
        limit = predictor.corrector.options.max_source
        say(f"note: {done.too_long:,} texts of more than {limit} sub-words were passed through")
    if done.unanswered:
        say(f"note: the model wrote nothing for {done.unanswered:,} texts; they were passed through")
    if done.cut_off:
        limit = predictor.corrector.options.max_target
        say(
            f"note: the answers to {done.cut_off:,} texts were not at their end after {limit} sub-words; these "
            "texts were passed through"
        )


@dataclass(frozen=True, kw_only=True)
class ImportOptions:
    """What `gec-fair bart import` needs to know of a checkpoint."""

    dictionary: Annotated[Path | None, Option("DICT.txt", flags="--dict")] = None
    """Its dictionary; else dict.txt beside it."""
    bpe: Annotated[str, Option("FILE|NAME")] = "facebook/bart-large"
    """GPT-2's merges: a vocab.bpe or merges.txt, or a model whose tokenizer has them."""
    text: Annotated[Text | None, Option(flags="--prose")] = None
    """Whether it reads prose, or words with spaces between them as in the public recipe.  [default: tokenised if its
    task is translation, else raw]"""
    bos: bool | None = None
    """Whether its sequences begin with <s>.  [default: not if its task is translation]"""


@bart.command("import", short_help="Convert a BART that fairseq trained")
@takes(path_argument("checkpoint", "FAIRSEQ.pt"), ImportOptions, folder_output("The folder of the model."))
def import_fairseq(checkpoint: Path, options: ImportOptions, output: Path) -> None:
    """Convert a BART that fairseq trained to one of ours.

    \b
    gec-fair bart import fairseq.pt -o out/
    gec-fair bart import checkpoint_best.pt --dict data-bin/dict.src.txt --bpe gpt2_bpe/vocab.bpe -o out/bart-gec
    """
    check_import(output)
    from gec_fair.gec.bart.official import read_fairseq
    from gec_fair.trainer.loop import replace

    corrector, vocabulary = read_fairseq(checkpoint, **vars(options))
    card = f"Converted by gec_fair from `{checkpoint.name}`, a checkpoint of fairseq."
    replace(output.resolve(), lambda fresh: corrector.save(fresh, card=card))
    around = "with <s>" if corrector.options.bos else "without <s>"
    click.echo(f"{output}  {len(vocabulary.rows):,} rows, {around}, {corrector.options.text} text")
    unknown = len(vocabulary.rows) - vocabulary.trained - 1
    if unknown > 0:
        say(f"note: {unknown:,} of GPT-2's pieces are not in the dictionary; they are read as <unk> and never written")
