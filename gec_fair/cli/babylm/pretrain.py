"""`gec-fair pretrain mlm`: an encoder from text alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gec_fair.cli.options.command import takes
from gec_fair.cli.options.groups import Group
from gec_fair.cli.options.results import json_option
from gec_fair.cli.options.settings import reads, train_output
from gec_fair.cli.options.training import show_training
from gec_fair.extras import require
from gec_fair.trainer.options import PretrainOptions

pretrain = Group(help="Encoders from text alone, with their own vocabulary.")


@pretrain.command(short_help="Learn a vocabulary and a masked encoder from texts")
@takes(reads(PretrainOptions), train_output, json_option)
def mlm(options: PretrainOptions, output: Path) -> None:
    """Learn a vocabulary and an encoder from texts, by masked words. The encoder lies in DIR/best.

    \b
    gec-fair pretrain mlm training/from-scratch/encoder.yaml -o out/encoder
    gec-fair pretrain mlm training/fairberta.yaml --set 'texts=[perturbed.txt]' --set training.steps=500 -o out/try
    """
    require("pretraining", "train", "torch", "transformers")
    from gec_fair.trainer.pretraining.encoder import pretrain as run

    show_training(run(options, output, judge=_judge(options.suites) if options.suites else None))


def _judge(names: tuple[str, ...]) -> Any:
    """What the suites say of an encoder; their data are looked for now, not at the first look."""
    require("bias suites", "lm", "scipy")
    from gec_fair.lmbias.options import Suites
    from gec_fair.lmbias.scoring.masked import Masked
    from gec_fair.lmbias.suites.catalogue import prepare
    from gec_fair.lmbias.suites.catalogue import run as scored

    options = Suites(suites=names)
    prepare(options)

    def judge(model: Any, tokenizer: Any) -> Mapping[str, Any]:
        suite_scores = scored(Masked(model, tokenizer, device=str(model.device)), options)
        figures = {f"{figure.suite} {figure.part} {figure.measure}": figure.value for figure in suite_scores.figures}
        return {"figures": figures, "signature": suite_scores.signature}

    return judge
