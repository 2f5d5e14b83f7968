"""`gec-fair editscorer train|predict|import`: rank elementary edits (Sorokin 2022)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gec_fair.cli.options.command import folder_output, option, overrides, path_argument, path_option, takes
from gec_fair.cli.options.corrections import corrections, read_texts, text_argument, write_texts
from gec_fair.cli.options.groups import Group
from gec_fair.cli.options.results import json_option, say
from gec_fair.cli.options.settings import reads, seed_option, train_output
from gec_fair.cli.options.training import check_import, check_model, tell_left_out, train_by
from gec_fair.errors import UsageError
from gec_fair.gec.editscorer.options import Decoding, RankerTraining
from gec_fair.progress import bar

_LEFT_OUT = {
    "malformed": "malformed lines",
    "unread": "sentences over the generator's limit",
    "too_long": "sentences with a pair over max_pieces",
}
editscorer = Group(
    help="Rank the edits that a GECToR or other systems propose: training, prediction, the authors' models."
)


@editscorer.command(short_help="Train an EditScorer on pairs or an M2 file")
@reads(RankerTraining, "train", "dev", "start", "generator")
@takes(seed_option("Batches, their order, dropout, a new head."), train_output, json_option)
def train(options: RankerTraining, seed: int, output: Path) -> None:
    """Train one EditScorer on pairs or an M2 file; it lies in DIR/best.

    Edits are proposed by a GECToR, or read from files (`lists`). Candidates are made once and kept in the cache
    directory for all seeds.

    \b
    gec-fair editscorer train training/editscorer.yaml --train wi.tsv --generator out/gector/best -o out/editscorer
    """
    done = train_by("gec_fair.gec.editscorer.train", options, output, seed=seed)
    tell_left_out(done, _LEFT_OUT)


@editscorer.command(short_help="Correct texts")
@click.argument("model", metavar="MODEL")
@takes(text_argument, corrections, option("--generator", "GECTOR", "Who proposes edits.  [default: the model's]"))
@path_option(
    "--list lists", "FILE", "Take candidates from hypotheses or M2 instead; again for more files.", multiple=True
)
@overrides(Decoding, "threshold", "alpha", "rounds", "mode", instead_of="the model's, else ours")
def predict(
    model: str,
    text: Path | None,
    output: Path | None,
    generator: str | None,
    lists: tuple[Path, ...],
    changes: dict[str, Any],
) -> None:
    """Correct TEXT, one tokenised text a line (an M2 file gives its sources); without TEXT, standard input.

    \b
    gec-fair editscorer predict out/editscorer/best learner.txt -o corrected.txt
    gec-fair editscorer predict out/editscorer/best learner.txt --list bart.txt --list t5.txt -o best_of_two.txt
    """
    if generator and lists:
        raise UsageError("candidates come from --generator or from --list, not from both")
    check_model("EditScorer", model)
    from dataclasses import replace

    from gec_fair.edits import split_spaces
    from gec_fair.gec.editscorer.checkpoint import load
    from gec_fair.gec.editscorer.lists import Listed
    from gec_fair.gec.editscorer.predict import Corrector, gector

    sources = read_texts(text)
    scorer = load(model)
    setup = scorer.setup
    decoding = replace(setup.decoding, **changes)
    proposing = (
        Listed(lists, [split_spaces(source).words for source in sources], name=str(text or "<stdin>"))
        if lists
        else gector(generator or setup.generator, setup.candidates, scorer=None if generator else Path(model))
    )
    with bar("editscorer") as progress:
        done = Corrector(scorer, proposing, decoding).correct(sources, progress=progress)
    write_texts(done.texts, output)
    if done.too_long:
        say(f"note: {done.too_long:,} texts are too long for the models and passed through unchanged")


@editscorer.command("import", short_help="Convert a checkpoint of the original EditScorer")
@path_argument("checkpoint", "OFFICIAL.pt")
@option("--encoder", "NAME|PATH", "What it was built on, e.g. roberta-base.", required=True)
@option("--generator", "GECTOR", "Who will propose edits; kept beside the model.", default="")
@folder_output("The folder of the model.")
def import_official(checkpoint: Path, encoder: str, generator: str, output: Path) -> None:
    """Convert a checkpoint of the original EditScorer to one of ours. It keeps reading its padding, as it learned to.

    \b
    gec-fair editscorer import checkpoint_2.pt --encoder roberta-large --generator out/gectorv2 -o out/editscorer
    """
    check_import(output)
    from gec_fair.gec.editscorer.official import read_official
    from gec_fair.gec.editscorer.options import Setup
    from gec_fair.trainer.loop import replace

    scorer = read_official(checkpoint, encoder, Setup(generator))
    card = f"Converted by gec_fair from `{checkpoint.name}` of Sorokin 2022."
    replace(output.resolve(), lambda fresh: scorer.save(fresh, card=card))
    click.echo(f"{output}  {sum(p.numel() for p in scorer.model.parameters()):,} parameters")
