"""`gec-fair bart train|predict|import`: BART as a corrector (Katsumata and Komachi 2020)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gec_fair.cli.options.corrections import corrections, read_texts, text_argument, write_texts
from gec_fair.cli.options.groups import Group
from gec_fair.cli.options.keys import keys_option
from gec_fair.cli.options.left_out import tell_left_out
from gec_fair.cli.options.results import counts_option
from gec_fair.cli.options.settings import read_options, refuse_what_is_there, show, training_options
from gec_fair.models.locate import find_model
from gec_fair.progress import bar

if TYPE_CHECKING:
    from gec_fair.gec.bart.options import Text

_MODULES = ("torch", "transformers", "datasets")
_LEFT_OUT = {
    "malformed": "malformed lines",
    "empty": "pairs without a target",
    "too_long": "pairs over max_source or max_target",
}


@click.group(cls=Group)
def bart() -> None:
    """Correct by writing each sentence anew: training, prediction, checkpoints of fairseq."""


@bart.command(short_help="Train a BART on pairs")
@training_options(start="A BART", seed="Data order and dropout")
@keys_option("gec_fair.gec.bart.options:BartTraining")
@click.option("--workers", default=1, show_default=True, help="Processes that cut the pairs into sub-words.")
@counts_option
def train(
    settings: Path,
    pairs: Path | None,
    dev: Path | None,
    start: str | None,
    seed: int,
    workers: int,
    output: Path,
    changes: tuple[str, ...],
) -> None:
    """Train one BART on pairs; the model lies in DIR/best. For many seeds and mixes: gec-fair experiment.

    With several GPUs: torchrun --nproc_per_node 4 -m gec_fair.cli bart train …

    \b
    gec-fair bart train training/bart.yaml --train mix/system1/train.tsv --seed 0 -o runs/bart/system1/0
    """
    from gec_fair.extras import require
    from gec_fair.gec.bart.options import BartTraining

    options = read_options(settings, BartTraining, changes, train=pairs, dev=dev, start=start)
    require("training", "train", *_MODULES)
    find_model(options.start)
    from gec_fair.gec.bart.train import train as run

    done = run(options, output, seed=seed, workers=workers)
    show(done)
    tell_left_out(done, _LEFT_OUT)


@bart.command(short_help="Correct texts")
@click.argument("model", metavar="MODEL")
@text_argument
@corrections
@click.option("--beam", default=2, show_default=True, help="Sentences that are kept while searching.")
@click.option("--length-penalty", default=1.0, show_default=True, help="Above 1 favours longer sentences.")
def predict(model: str, text: Path | None, output: Path | None, beam: int, length_penalty: float) -> None:
    """Correct TEXT, one tokenised text a line (an M2 file gives its sources); without TEXT, standard input.

    What the model did not change keeps its words. Texts over the model's limit pass through and are counted.

    \b
    gec-fair bart predict runs/bart/system1/0/best learner.txt -o corrected.txt
    """
    from gec_fair.extras import require
    from gec_fair.gec.bart.options import Decoding

    decoding = Decoding(beam=beam, length_penalty=length_penalty)
    require("BART", "train", *_MODULES)
    find_model(model)
    from gec_fair.gec.bart.checkpoint import load
    from gec_fair.gec.bart.predict import Predictor

    sources = read_texts(text)
    predictor = Predictor(load(model))
    with bar("bart") as progress:
        done = predictor.correct(sources, decoding, progress=progress)
    write_texts(done.texts, output)
    if done.too_long:
        limit = predictor.corrector.options.max_source
        click.echo(f"note: {done.too_long:,} texts of more than {limit} sub-words were passed through", err=True)
    if done.unanswered:
        click.echo(f"note: the model wrote nothing for {done.unanswered:,} texts; they were passed through", err=True)
    if done.cut_off:
        limit = predictor.corrector.options.max_target
        click.echo(
            f"note: the answers to {done.cut_off:,} texts were not at their end after {limit} sub-words; these "
            "texts were passed through",
            err=True,
        )


@bart.command("import", short_help="Convert a BART that fairseq trained")
@click.argument("checkpoint", type=click.Path(path_type=Path), metavar="FAIRSEQ.pt")
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), metavar="DIR", help="The folder of the model."
)
@click.option(
    "--dict",
    "dictionary",
    type=click.Path(path_type=Path),
    metavar="DICT.txt",
    help="Its dictionary; else dict.txt beside it.",
)
@click.option(
    "--bpe",
    default="facebook/bart-large",
    show_default=True,
    metavar="FILE|NAME",
    help="GPT-2's merges: a vocab.bpe or merges.txt, or a model whose tokenizer has them.",
)
@click.option(
    "--prose",
    "text",
    type=click.Choice(("raw", "tokenised")),
    help="Whether it reads prose, or words with spaces "
    "between them as in the public recipe.  [default: tokenised if its task is translation, else "
    "raw]",
)
@click.option(
    "--bos/--no-bos",
    default=None,
    help="Whether its sequences begin with <s>.  [default: not if its task is translation]",
)
def import_fairseq(
    checkpoint: Path, output: Path, dictionary: Path | None, bpe: str, text: Text | None, bos: bool | None
) -> None:
    """Convert a BART that fairseq trained to one of ours.

    \b
    gec-fair bart import fairseq.pt -o out/
    gec-fair bart import checkpoint_best.pt --dict data-bin/dict.src.txt --bpe gpt2_bpe/vocab.bpe -o out/bart-gec
    """
    from gec_fair.extras import require

    require("converting", "train", *_MODULES)
    refuse_what_is_there(output)
    from gec_fair.gec.bart.official import read_fairseq
    from gec_fair.trainer.loop import replace

    corrector, vocabulary = read_fairseq(checkpoint, dictionary=dictionary, bpe=bpe, text=text, bos=bos)
    card = f"Converted by gec_fair from `{checkpoint.name}`, a checkpoint of fairseq."
    replace(output.resolve(), lambda fresh: corrector.save(fresh, card=card))
    around = "with <s>" if corrector.options.bos else "without <s>"
    click.echo(f"{output}  {len(vocabulary.rows):,} rows, {around}, {corrector.options.text} text")
    unknown = len(vocabulary.rows) - vocabulary.trained - 1
    if unknown > 0:
        click.echo(
            f"note: {unknown:,} of GPT-2's pieces are not in the dictionary; they are read as <unk> and never written",
            err=True,
        )
