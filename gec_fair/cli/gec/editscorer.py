"""`gec-fair editscorer train|predict|import`: rank elementary edits (Sorokin 2022)."""

from __future__ import annotations

from pathlib import Path

import click

from gec_fair.cli.options.corrections import corrections, read_texts, text_argument, write_texts
from gec_fair.cli.options.groups import Group
from gec_fair.cli.options.keys import keys_option
from gec_fair.cli.options.left_out import tell_left_out
from gec_fair.cli.options.results import counts_option
from gec_fair.cli.options.settings import read_options, refuse_what_is_there, show, training_options
from gec_fair.models.locate import find_model
from gec_fair.progress import bar

_MODULES = ("torch", "transformers", "datasets")
_LEFT_OUT = {
    "malformed": "malformed lines",
    "unread": "sentences over the generator's limit",
    "too_long": "sentences with a pair over max_pieces",
}


@click.group(cls=Group)
def editscorer() -> None:
    """Rank the edits that a GECToR or other systems propose: training, prediction, the authors' models."""


@editscorer.command(short_help="Train an EditScorer on pairs or an M2 file")
@training_options(start="An EditScorer or an encoder", seed="Batches, their order, dropout, a new head", data="FILE")
@keys_option("gec_fair.gec.editscorer.options:RankerTraining")
@click.option("--generator", metavar="GECTOR", help="Who proposes edits, instead of the file's.")
@counts_option
def train(
    settings: Path,
    pairs: Path | None,
    dev: Path | None,
    start: str | None,
    generator: str | None,
    seed: int,
    output: Path,
    changes: tuple[str, ...],
) -> None:
    """Train one EditScorer on pairs or an M2 file; it lies in DIR/best.

    Edits are proposed by a GECToR, or read from files (`lists`). Candidates are made once and kept in the cache
    directory for all seeds.

    \b
    gec-fair editscorer train training/editscorer.yaml --train wi.tsv --generator out/gector/best -o out/editscorer
    """
    from gec_fair.extras import require
    from gec_fair.gec.editscorer.options import RankerTraining

    options = read_options(settings, RankerTraining, changes, train=pairs, dev=dev, start=start, generator=generator)
    require("training", "train", *_MODULES)
    find_model(options.start)
    from gec_fair.gec.editscorer.train import train as run

    done = run(options, output, seed=seed)
    show(done)
    tell_left_out(done, _LEFT_OUT)


@editscorer.command(short_help="Correct texts")
@click.argument("model", metavar="MODEL")
@text_argument
@corrections
@click.option("--generator", metavar="GECTOR", help="Who proposes edits.  [default: the model's]")
@click.option(
    "--list",
    "lists",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Take candidates from hypotheses or M2 instead; again for more files.",
)
@click.option("--threshold", type=float, help="T: how sure an edit must be.  [default: the model's, else 0.8]")
@click.option("--alpha", type=float, help="Weight of the generator's ratio.  [default: the model's, else 0.1]")
@click.option("--rounds", type=int, help="Stages.  [default: the model's, else 8]")
@click.option(
    "--stages",
    "mode",
    type=click.Choice(["stagewise", "simultaneous"]),
    help="[default: the model's, else stagewise]",
)
def predict(
    model: str,
    text: Path | None,
    output: Path | None,
    generator: str | None,
    lists: tuple[Path, ...],
    threshold: float | None,
    alpha: float | None,
    rounds: int | None,
    mode: str | None,
) -> None:
    """Correct TEXT, one tokenised text a line (an M2 file gives its sources); without TEXT, standard input.

    \b
    gec-fair editscorer predict out/editscorer/best learner.txt -o corrected.txt
    gec-fair editscorer predict out/editscorer/best learner.txt --list bart.txt --list t5.txt -o best_of_two.txt
    """
    from gec_fair.errors import UsageError
    from gec_fair.extras import require

    if generator and lists:
        raise UsageError("candidates come from --generator or from --list, not from both")
    require("EditScorer", "train", *_MODULES)
    find_model(model)
    from dataclasses import replace

    from gec_fair.edits import spaced
    from gec_fair.gec.editscorer.checkpoint import load
    from gec_fair.gec.editscorer.lists import Listed
    from gec_fair.gec.editscorer.predict import Corrector, gector

    sources = read_texts(text)
    scorer = load(model)
    setup = scorer.setup
    options = {"threshold": threshold, "alpha": alpha, "rounds": rounds, "mode": mode}
    changes = {name: value for name, value in options.items() if value is not None}
    decoding = replace(setup.decoding, **changes)  # type: ignore[arg-type]
    proposing = (
        Listed(lists, [spaced(source).words for source in sources], name=str(text or "<stdin>"))
        if lists
        else gector(generator or setup.generator, setup.candidates, scorer=None if generator else Path(model))
    )
    with bar("editscorer") as progress:
        done = Corrector(scorer, proposing, decoding).correct(sources, progress=progress)
    write_texts(done.texts, output)
    if done.too_long:
        click.echo(f"note: {done.too_long:,} texts are too long for the models and passed through unchanged", err=True)


@editscorer.command("import", short_help="Convert a checkpoint of the original EditScorer")
@click.argument("checkpoint", type=click.Path(path_type=Path), metavar="OFFICIAL.pt")
@click.option(
    "--encoder", required=True, metavar="NAME|PATH", help="What it was built on: roberta-base, roberta-large."
)
@click.option("--generator", default="", metavar="GECTOR", help="Who will propose edits; kept beside the model.")
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), metavar="DIR", help="The folder of the model."
)
def import_official(checkpoint: Path, encoder: str, generator: str, output: Path) -> None:
    """Convert a checkpoint of the original EditScorer to one of ours. It keeps reading its padding, as it learned to.

    \b
    gec-fair editscorer import checkpoint_2.pt --encoder roberta-large --generator out/gectorv2 -o out/editscorer
    """
    from gec_fair.extras import require

    require("converting", "train", *_MODULES)
    refuse_what_is_there(output)
    from gec_fair.gec.editscorer.official import read_official
    from gec_fair.gec.editscorer.options import Setup
    from gec_fair.trainer.loop import replace

    scorer = read_official(checkpoint, encoder, Setup(generator))
    card = f"Converted by gec_fair from `{checkpoint.name}` of Sorokin 2022."
    replace(output.resolve(), lambda fresh: scorer.save(fresh, card=card))
    click.echo(f"{output}  {sum(p.numel() for p in scorer.model.parameters()):,} parameters")
