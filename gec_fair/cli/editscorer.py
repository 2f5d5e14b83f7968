"""`gec-fair editscorer train|predict|import`: rank elementary edits (Sorokin 2022)."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from gec_fair.cli.progress import bar
from gec_fair.cli.settings import set_option, settings_argument, train_output

_MODULES = ("torch", "transformers", "datasets")


@click.group()
def editscorer() -> None:
    """Rank the edits that a GECToR or other systems propose: training, prediction, the authors' models."""


@editscorer.command()
@settings_argument
@click.option("--train", "pairs", type=click.Path(path_type=Path), metavar="FILE", help="Instead of the file's.")
@click.option("--dev", type=click.Path(path_type=Path), metavar="FILE", help="Instead of the file's.")
@click.option("--start", metavar="MODEL", help="An EditScorer or an encoder, instead of the file's.")
@click.option("--generator", metavar="GECTOR", help="Who proposes edits, instead of the file's.")
@click.option("--seed", default=0, show_default=True, help="Batches, their order, dropout, a new head.")
@train_output
@set_option
def train(
    settings: Path, pairs: Path | None, dev: Path | None, start: str | None, generator: str | None, seed: int,
    output: Path, changes: tuple[str, ...],
) -> None:  # fmt: skip
    """Train one EditScorer on pairs or an M2 file; it lies in DIR/best.

    Edits are proposed by a GECToR, or read from files (`lists`). Candidates are made once and kept in the cache
    directory for all seeds.

    \b
    gec-fair editscorer train training/editscorer.yaml --train wi.tsv --generator out/gector/best -o out/editscorer
    """
    from gec_fair.corpus.settings import changes_of, read_settings
    from gec_fair.extras import require
    from gec_fair.gec.editscorer.options import RankerTraining

    given = {"train": pairs, "dev": dev, "start": start, "generator": generator}
    laid = {name: str(value) for name, value in given.items() if value is not None}
    options = read_settings(settings, RankerTraining, changes={**laid, **changes_of(changes)})
    require("training", "train", *_MODULES)
    from gec_fair.gec.editscorer.train import train as run

    done = run(options, output, seed=seed)
    least = f", lowest validation loss {min(done.losses):.4f}" if done.losses else ""
    click.echo(f"{done.directory}  {done.steps:,} updates{least}")


@editscorer.command()
@click.argument("model", metavar="MODEL")
@click.argument("text", type=click.Path(path_type=Path, allow_dash=True))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="A file; else standard output.")
@click.option("--generator", metavar="GECTOR", help="Who proposes edits.  [default: the model's]")
@click.option("--list", "lists", multiple=True, type=click.Path(path_type=Path), metavar="FILE",
              help="Take candidates from hypotheses or M2 instead; again for more files.")  # fmt: skip
@click.option("--threshold", type=float, help="T: how sure an edit must be.  [default: the model's, else 0.8]")
@click.option("--alpha", type=float, help="Weight of the generator's ratio.  [default: the model's, else 0.1]")
@click.option("--rounds", type=int, help="Stages.  [default: the model's, else 8]")
@click.option("--mode", type=click.Choice(["stagewise", "simultaneous"]), help="[default: the model's, else stagewise]")
def predict(
    model: str, text: Path, output: Path | None, generator: str | None, lists: tuple[Path, ...],
    threshold: float | None, alpha: float | None, rounds: int | None, mode: str | None,
) -> None:  # fmt: skip
    """Correct TEXT, one tokenised text a line (an M2 file gives its sources; - is standard input).

    \b
    gec-fair editscorer predict out/editscorer/best learner.txt -o corrected.txt
    gec-fair editscorer predict out/editscorer/best learner.txt --list bart.txt --list t5.txt -o best_of_two.txt
    """
    from gec_fair.errors import UsageError
    from gec_fair.extras import require

    if generator and lists:
        raise UsageError("candidates come from --generator or from --list, not from both")
    require("EditScorer", "train", *_MODULES)
    from dataclasses import replace

    from gec_fair.corpus.atomic import write_text
    from gec_fair.edits import spaced
    from gec_fair.evaluate.texts import read_sources, read_stream
    from gec_fair.gec.editscorer.checkpoint import load
    from gec_fair.gec.editscorer.lists import Listed
    from gec_fair.gec.editscorer.predict import Corrector, gector

    scorer = load(model)
    given = {"threshold": threshold, "alpha": alpha, "rounds": rounds, "mode": mode}
    changes = {name: value for name, value in given.items() if value is not None}
    decoding = replace(scorer.setup.decoding, **changes)  # type: ignore[arg-type]
    sources = read_stream(sys.stdin.buffer.read(), "<stdin>") if str(text) == "-" else read_sources(text)
    proposing = (
        Listed(lists, [spaced(source).words for source in sources], name=str(text))
        if lists
        else gector(generator or scorer.setup.generator, scorer.setup.candidates, beside=Path(model))
    )
    with bar("editscorer") as progress:
        done = Corrector(scorer, proposing, decoding).correct(sources, progress=progress)
    told = "".join(answer + "\n" for answer in done.texts)
    if output is None:
        click.echo(told, nl=False)
    else:
        write_text(output, told)
    if done.too_long:
        click.echo(f"note: {done.too_long:,} texts are too long for the models and passed through unchanged", err=True)


@editscorer.command("import")
@click.argument("checkpoint", type=click.Path(path_type=Path), metavar="OFFICIAL.pt")
@click.option(
    "--encoder", required=True, metavar="NAME|PATH", help="What it was built on: roberta-base, roberta-large."
)
@click.option("--generator", default="", metavar="GECTOR", help="Who will propose edits; kept beside the model.")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), metavar="DIR")
def import_official(checkpoint: Path, encoder: str, generator: str, output: Path) -> None:
    """Convert a checkpoint of the original EditScorer to one of ours. It keeps reading its padding, as it learned to.

    \b
    gec-fair editscorer import checkpoint_2.pt --encoder roberta-large --generator out/gectorv2 -o out/editscorer
    """
    from gec_fair.errors import UsageError
    from gec_fair.extras import require

    if output.exists() and any(output.iterdir()):
        raise UsageError(f"{output}: is not empty; choose another --output")
    require("converting", "train", *_MODULES)
    from gec_fair.gec.editscorer._official import read_official
    from gec_fair.gec.editscorer.options import Setup

    scorer = read_official(checkpoint, encoder, Setup(generator))
    output.mkdir(parents=True, exist_ok=True)
    scorer.save(output, card=f"Converted by gec_fair from `{checkpoint.name}` of Sorokin 2022.")
    click.echo(f"{output}  {sum(p.numel() for p in scorer.model.parameters()):,} parameters")
