"""`gec-fair bart train|predict|import`: BART as a corrector (Katsumata and Komachi 2020)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gec_fair.cli.progress import bar
from gec_fair.cli.settings import set_option, settings_argument, train_output

if TYPE_CHECKING:
    from gec_fair.gec.bart.options import Text

_MODULES = ("torch", "transformers", "datasets")


@click.group()
def bart() -> None:
    """Correct by writing each sentence anew: training, prediction, checkpoints of fairseq."""


@bart.command()
@settings_argument
@click.option("--train", "pairs", type=click.Path(path_type=Path), metavar="PAIRS.tsv", help="Instead of the file's.")
@click.option("--dev", type=click.Path(path_type=Path), metavar="PAIRS.tsv", help="Instead of the file's.")
@click.option("--start", metavar="MODEL", help="A BART, instead of the file's.")
@click.option("--seed", default=0, show_default=True, help="Data order and dropout.")
@click.option("--workers", default=1, show_default=True, help="Processes that cut the pairs into sub-words.")
@train_output
@set_option
def train(
    settings: Path, pairs: Path | None, dev: Path | None, start: str | None, seed: int, workers: int, output: Path,
    changes: tuple[str, ...],
) -> None:  # fmt: skip
    """Train one BART on pairs; the model lies in DIR/best. For many seeds and mixes: gec-fair experiment.

    With several GPUs: torchrun --nproc_per_node 4 -m gec_fair.cli bart train …

    \b
    gec-fair bart train training/bart.yaml --train mix/system1/train.tsv --seed 0 -o runs/bart/system1/0
    """
    from gec_fair.corpus.settings import changes_of, read_settings
    from gec_fair.extras import require
    from gec_fair.gec.bart.options import BartTraining

    given = {"train": pairs, "dev": dev, "start": start}
    laid = {name: str(value) for name, value in given.items() if value is not None}
    options = read_settings(settings, BartTraining, changes={**laid, **changes_of(changes)})
    require("training", "train", *_MODULES)
    from gec_fair.gec.bart.train import train as run

    done = run(options, output, seed=seed, workers=workers)
    least = f", lowest validation loss {min(done.losses):.4f}" if done.losses else ""
    click.echo(f"{done.directory}  {done.steps:,} updates{least}")
    if done.too_long:
        click.echo(f"note: {done.too_long:,} pairs over max_source or max_target were left out", err=True)


@bart.command()
@click.argument("model", metavar="MODEL")
@click.argument("text", required=False, type=click.Path(path_type=Path, allow_dash=True))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="A file; else standard output.")
@click.option("--beam", default=2, show_default=True, help="Sentences that are kept while searching.")
@click.option("--length-penalty", default=1.0, show_default=True, help="Above 1 favours longer sentences.")
def predict(model: str, text: Path | None, output: Path | None, beam: int, length_penalty: float) -> None:
    """Correct TEXT, one tokenised text a line (an M2 file gives its sources); without TEXT, standard input.

    What the model did not change keeps its words. Texts over the model's limit pass through and are counted.

    \b
    gec-fair bart predict runs/bart/system1/0/best learner.txt -o corrected.txt
    """
    from gec_fair.corpus.atomic import write_text
    from gec_fair.errors import UsageError
    from gec_fair.evaluate.texts import read_sources, read_stream
    from gec_fair.extras import require
    from gec_fair.gec.bart.options import Decoding

    if output is not None and output.is_dir():
        raise UsageError(f"{output}: is a folder; name a file in it")
    decoding = Decoding(beam=beam, length_penalty=length_penalty)
    require("BART", "train", *_MODULES)
    from gec_fair.gec.bart.checkpoint import load
    from gec_fair.gec.bart.predict import Predictor

    predictor = Predictor(load(model))
    stdin = text is None or str(text) == "-"
    sources = read_stream(sys.stdin.buffer.read(), "<stdin>") if stdin else read_sources(text)  # type: ignore[arg-type]
    with bar("bart") as progress:
        done = predictor.correct(sources, decoding, progress=progress)
    told = "".join(line + "\n" for line in done.texts)
    if output is None:
        click.echo(told, nl=False)
    else:
        write_text(output, told)
    if done.too_long:
        limit = predictor.corrector.options.max_source
        click.echo(f"note: {done.too_long:,} texts of more than {limit} sub-words were passed through", err=True)
    if done.unanswered:
        click.echo(f"note: the model wrote nothing for {done.unanswered:,} texts; they were passed through", err=True)


@bart.command("import")
@click.argument("checkpoint", type=click.Path(path_type=Path), metavar="FAIRSEQ.pt")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), metavar="DIR")
@click.option("--dict", "dictionary", type=click.Path(path_type=Path), metavar="DICT.txt",
              help="Its dictionary; else dict.txt beside it.")  # fmt: skip
@click.option("--bpe", default="facebook/bart-large", show_default=True, metavar="FILE|NAME",
              help="GPT-2's merges: a vocab.bpe or merges.txt, or a model whose tokenizer has them.")  # fmt: skip
@click.option("--text", type=click.Choice(("raw", "tokenised")), default="tokenised", show_default=True,
              help="Whether it reads prose, or words with spaces between them as in the public recipe.")  # fmt: skip
@click.option("--bos/--no-bos", default=None, help="Whether its sequences begin with <s>.  [default: not if its task "
              "is translation]")  # fmt: skip
def import_fairseq(
    checkpoint: Path, output: Path, dictionary: Path | None, bpe: str, text: Text, bos: bool | None
) -> None:
    """Convert a BART that fairseq trained to one of ours.

    \b
    gec-fair bart import fairseq.pt -o out/
    gec-fair bart import checkpoint_best.pt --dict data-bin/dict.src.txt --bpe gpt2_bpe/vocab.bpe -o out/bart-gec
    """
    from gec_fair.errors import UsageError
    from gec_fair.extras import require

    if output.exists() and any(output.iterdir()):
        raise UsageError(f"{output}: is not empty; choose another --output")
    require("converting", "train", *_MODULES)
    from gec_fair.gec.bart._official import read_fairseq

    corrector, vocabulary = read_fairseq(checkpoint, dictionary=dictionary, bpe=bpe, text=text, bos=bos)
    output.mkdir(parents=True, exist_ok=True)
    corrector.save(output, card=f"Converted by gec_fair from `{checkpoint.name}`, a checkpoint of fairseq.")
    around = "with <s>" if corrector.options.bos else "without <s>"
    click.echo(f"{output}  {len(vocabulary.rows):,} rows, {around}, {text} text")
    unknown = len(vocabulary.rows) - vocabulary.trained - 1
    if unknown > 0:
        click.echo(f"note: {unknown:,} of GPT-2's pieces are not in the dictionary; they are read as <unk> and never "
                   "written", err=True)  # fmt: skip
