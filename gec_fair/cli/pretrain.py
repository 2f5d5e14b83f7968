"""`gec-fair pretrain`: a small encoder from text alone."""

from __future__ import annotations

from pathlib import Path

import click

from gec_fair.cli.settings import set_option, settings_argument, train_output


@click.command()
@settings_argument
@train_output
@set_option
def pretrain(settings: Path, output: Path, changes: tuple[str, ...]) -> None:
    """Learn a vocabulary and an encoder from texts, by masked words. The encoder lies in DIR/best.

    \b
    gec-fair pretrain training/from-scratch/encoder.yaml -o out/encoder
    gec-fair pretrain training/from-scratch/encoder.yaml --set training.steps=500 -o out/try
    """
    from gec_fair.corpus.settings import changes_of, read_settings
    from gec_fair.extras import require
    from gec_fair.pretrain.options import PretrainOptions

    options = read_settings(settings, PretrainOptions, changes=changes_of(changes))
    require("pretraining", "train", "torch", "transformers")
    from gec_fair.pretrain.encoder import pretrain as run

    made = run(options, output)
    click.echo(f"{made.directory}  {made.steps:,} updates, validation loss {made.loss:.4f}")
