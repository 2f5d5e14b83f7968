"""`gec-fair perturber train|evaluate`: a seq2seq model that rewrites demographic references."""

from __future__ import annotations

import json
from pathlib import Path

import click

from gec_fair.cli.keys import keys_option
from gec_fair.cli.left_out import tell_left_out
from gec_fair.cli.settings import read_options, tell, training_options

_MODULES = ("torch", "transformers", "datasets")
_LEFT_OUT = {"too_long": "rows over max_pieces"}


@click.group()
def perturber() -> None:
    """The neural perturber (Qian et al. 2022, §4): training on PANDA, and how near rewritings are to people's."""


@perturber.command()
@training_options(start="A seq2seq model", seed="Data order, dropout and new rows", data="PANDA.csv")
@keys_option("gec_fair.perturber.options:PerturberTraining")
def train(
    settings: Path, pairs: Path | None, dev: Path | None, start: str | None, seed: int, output: Path,
    changes: tuple[str, ...],
) -> None:  # fmt: skip
    """Fine-tune one on PANDA's rows; the model lies in DIR/best.

    \b
    gec-fair perturber train training/perturber.yaml --train panda_train.csv --dev panda_valid.csv -o out/perturber
    """
    from gec_fair.extras import require
    from gec_fair.perturber.options import PerturberTraining

    options = read_options(settings, PerturberTraining, changes, train=pairs, dev=dev, start=start)
    require("training", "train", *_MODULES)
    from gec_fair.perturber.train import train as run

    done = run(options, output, seed=seed)
    tell(done)
    tell_left_out(done, _LEFT_OUT)


@perturber.command()
@click.argument("data", type=click.Path(path_type=Path), metavar="PANDA.csv")
@click.option("--systems", default="rules,copy", show_default=True, metavar="A,B",
              help="rules, copy (nothing changed), augly, or a model: neural:NAME.")  # fmt: skip
@click.option("--limit", type=int, metavar="N", help="Rows that are read.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def evaluate(data: Path, systems: str, limit: int | None, as_json: bool) -> None:
    """Table 2: BLEU, ROUGE and word-level Levenshtein of rewritings against the annotators', the paper's beside them.

    \b
    gec-fair perturber evaluate panda_valid.csv --systems rules,copy,neural:facebook/perturber
    """
    from gec_fair.extras import require
    from gec_fair.perturber.evaluate import compared, table

    require("BLEU and ROUGE", "perturber", "sacrebleu", "rouge_score")
    found = compared(data, systems.split(","), limit=limit)
    click.echo(json.dumps(found, indent=1) if as_json else table(found))
