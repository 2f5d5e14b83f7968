"""`gec-fair pretrain`: a small encoder from text alone."""

from __future__ import annotations

from pathlib import Path

import click

from gec_fair.cli.keys import keys_option
from gec_fair.cli.settings import read_options, set_option, settings_argument, tell, train_output


@click.command()
@settings_argument
@train_output
@set_option
@keys_option("gec_fair.pretrain.options:PretrainOptions")
def pretrain(settings: Path, output: Path, changes: tuple[str, ...]) -> None:
    """Learn a vocabulary and an encoder from texts, by masked words. The encoder lies in DIR/best.

    \b
    gec-fair pretrain training/from-scratch/encoder.yaml -o out/encoder
    gec-fair pretrain training/from-scratch/encoder.yaml --set training.steps=500 -o out/try
    """
    from gec_fair.extras import require
    from gec_fair.pretrain.options import PretrainOptions

    options = read_options(settings, PretrainOptions, changes)
    require("pretraining", "train", "torch", "transformers")
    from gec_fair.pretrain.encoder import pretrain as run

    tell(run(options, output))
