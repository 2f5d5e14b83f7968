"""A tiny BART that `fairseq-train` itself fine-tunes and saves: what the importer of fairseq checkpoints must read.

    python3.8 -m venv fairseq-env
    fairseq-env/bin/pip install "pip<24.1" "setuptools<66" wheel          # omegaconf 2.0's metadata
    fairseq-env/bin/pip install "torch==1.12.1" "numpy<1.24" "fairseq==0.12.2"
    fairseq-env/bin/python tests/gec/legacy/make_fairseq_fixture.py       # writes beside itself

The road is the one a GEC BART takes: a pretrained checkpoint with a `<mask>` row, fine-tuned by `--task translation`,
which trims that row. Writes `fairseq_tiny.pt`, `fairseq_tiny_dict.txt` and `fairseq_tiny.json`: batches as fairseq's
own dataset collates them, and the logits and losses that fairseq computes for them.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from argparse import Namespace
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from fairseq import checkpoint_utils, options
from fairseq.criterions.label_smoothed_cross_entropy import label_smoothed_nll_loss
from fairseq.data import Dictionary
from fairseq.models.bart import BARTModel
from fairseq.tasks.translation import TranslationTask, load_langpair_dataset

FOLDER = Path(__file__).parent
SEED = 2023
WORDS = 36  # GPT-2 BPE ids 256..291; the dictionary has the first 34, 4 specials, 2 of padding; the others are <unk>

# How a GEC BART is fine-tuned with fairseq, the sizes made tiny. max_*_positions stay at 1024.
FLAGS = """
    data --task translation --source-lang src --target-lang tgt --truncate-source
    --arch bart_large --layernorm-embedding --share-all-embeddings --share-decoder-input-output-embed
    --encoder-layers 2 --encoder-embed-dim 16 --encoder-ffn-embed-dim 32 --encoder-attention-heads 2
    --decoder-layers 2 --decoder-embed-dim 16 --decoder-ffn-embed-dim 32 --decoder-attention-heads 2
    --criterion label_smoothed_cross_entropy --label-smoothing 0.1 --dropout 0.3 --attention-dropout 0.3
    --optimizer adam --adam-betas (0.9,0.999) --adam-eps 1e-08 --weight-decay 0.01 --clip-norm 0.1
    --lr-scheduler polynomial_decay --lr 0.03 --total-num-update 20 --warmup-updates 2 --max-update 8 --max-epoch 1
    --max-tokens 64 --required-batch-size-multiple 1 --seed 2023 --cpu --num-workers 0 --log-format none
    --restore-file pretrained.pt --reset-optimizer --reset-dataloader --reset-meters --reset-lr-scheduler
    --save-dir saved --no-epoch-checkpoints --no-last-checkpoints
""".split()
# Adam's moments would treble the file and no importer reads them; the README says how a checkpoint with them differs.
NO_MOMENTS = ["--no-save-optimizer-state"]
# fairseq 0.12 keeps these copies of an encoder layer's weights for a fast path of torch; the underscore marks them.
COPIES = tuple(f"{part}_{kind}" for part in ("in_proj", "out_proj", "fc1", "fc2") for kind in ("weight", "bias"))


def write_corpus(folder: Path) -> None:
    """Ids as GPT-2's BPE writes them, one sentence a line; source and target differ in length."""
    draw = np.random.RandomState(SEED)
    for split, size in (("train", 40), ("valid", 3)):
        sources, targets = [], []
        for _ in range(size):
            source = [str(256 + i) for i in draw.randint(0, WORDS, draw.randint(2, 9))]
            target = [w for w in source if draw.rand() > 0.15] + [str(256 + draw.randint(0, WORDS))]
            sources.append(" ".join(source))
            targets.append(" ".join(target))
        (folder / f"{split}.src").write_text("\n".join(sources) + "\n", encoding="utf-8")
        (folder / f"{split}.tgt").write_text("\n".join(targets) + "\n", encoding="utf-8")


def write_dictionary(folder: Path) -> None:
    """`TOKEN COUNT` lines by falling count; `finalize` pads with madeupwords, as BART's published dict.txt has."""
    counts = Counter((folder / "train.src").read_text("utf-8").split())
    dictionary = Dictionary()
    for i in range(WORDS - 2):  # two ids short, so that there is something to pad
        dictionary.add_symbol(str(256 + i), counts[str(256 + i)] + 1)
    dictionary.finalize(padding_factor=8)
    dictionary.save(str(folder / "dict.txt"))


def write_pretrained(folder: Path) -> None:
    """What a user starts from: the older layout (`args` a Namespace, no `cfg`) and one `<mask>` row more.

    Every parameter is drawn, biases and layer norms too: at 0 or 1 a forgotten one would not be seen.
    """
    args = options.parse_args_and_arch(options.get_training_parser(), FLAGS)
    dictionary = Dictionary.load(str(folder / "dict.txt"))
    dictionary.add_symbol("<mask>")
    model = BARTModel.build_model(args, Namespace(source_dictionary=dictionary, target_dictionary=dictionary))
    draw = torch.Generator().manual_seed(SEED)
    with torch.no_grad():
        for name, value in model.named_parameters():
            noise = torch.randn(value.shape, generator=draw)
            is_scale = "norm" in name and name.endswith("weight")
            value.copy_(noise * 0.3 + (1.0 if is_scale else 0.0))
    # The published checkpoints are older than the copies; 0.12 fills them when it loads, and training forgets them.
    state = {key: value for key, value in model.state_dict().items() if not key.endswith(COPIES)}
    history = [
        {
            "criterion_name": "CrossEntropyCriterion",
            "optimizer_name": "FairseqAdam",
            "lr_scheduler_state": {"best": None},
            "num_updates": 0,
        }
    ]
    extra = {"train_iterator": {"epoch": 1, "iterations_in_epoch": 0}, "val_loss": None}
    torch.save(
        {"args": args, "model": state, "optimizer_history": history, "extra_state": extra}, folder / "pretrained.pt"
    )


def train(folder: Path) -> None:
    """Binarise and fine-tune by fairseq's commands, in `folder`, so that the saved options hold relative paths only."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    binarise = ["-s", "src", "-t", "tgt", "--trainpref", "train", "--validpref", "valid", "--destdir", "data"]
    binarise += ["--srcdict", "dict.txt", "--tgtdict", "dict.txt"]
    for module, flags in (("fairseq_cli.preprocess", binarise), ("fairseq_cli.train", FLAGS + NO_MOMENTS)):
        done = subprocess.run(
            [sys.executable, "-m", module, *flags], cwd=folder, env=environment, capture_output=True, text=True
        )
        if done.returncode:
            sys.exit(done.stderr[-4000:])


def record(folder: Path, prepend_bos: bool) -> dict[str, Any]:
    """One batch in one of the two conventions, loaded and collated and scored by fairseq.

    prepend_bos False   source `X </s>`        decoder input `</s> Y`        target `Y </s>`      (the translation task)
    prepend_bos True    source `<s> X </s>`    decoder input `</s> <s> Y`    target `<s> Y </s>`  (bart.sample)
    """
    dictionary = Dictionary.load(str(folder / "dict.txt"))
    task = TranslationTask(Namespace(eval_bleu=False), dictionary, dictionary)
    (model,), _ = checkpoint_utils.load_model_ensemble([str(folder / "saved" / "checkpoint_best.pt")], task=task)
    model.eval()
    out: dict[str, Any] = {"prepend_bos": prepend_bos}
    for left in (True, False):
        dataset = load_langpair_dataset(
            str(folder / "data"),
            split="valid",
            src="src",
            src_dict=dictionary,
            tgt="tgt",
            tgt_dict=dictionary,
            combine=False,
            dataset_impl=None,
            upsample_primary=1,
            left_pad_source=left,
            left_pad_target=False,
            max_source_positions=1024,
            max_target_positions=1024,
            prepend_bos=prepend_bos,
            shuffle=False,
        )
        batch = dataset.collater([dataset[i] for i in range(len(dataset))])
        inputs = batch["net_input"]
        with torch.no_grad():
            logits, _ = model(**inputs)
        if left:  # fairseq's default side, so the logits are those of the batch that fairseq would have made
            out["src_tokens_left_padded"] = plain(inputs["src_tokens"])
            out["prev_output_tokens"] = plain(inputs["prev_output_tokens"])
            out["target"] = plain(batch["target"])
            out["ntokens"] = batch["ntokens"]
            out["losses"] = [loss(model, logits, batch["target"], epsilon) for epsilon in (0.0, 0.1)]
            out["logits"] = plain(logits)
            reference = logits
        else:
            out["src_tokens"] = plain(inputs["src_tokens"])
            out["left_against_right_padding"] = plain((logits - reference).abs().max())
    return out


def loss(model: BARTModel, logits: torch.Tensor, target: torch.Tensor, epsilon: float) -> dict[str, float]:
    """The sum over target tokens, padding left out; fairseq divides by `ntokens` afterwards."""
    lprobs = model.get_normalized_probs((logits, None), log_probs=True).flatten(0, 1)
    total, _ = label_smoothed_nll_loss(lprobs, target.flatten(), epsilon, ignore_index=1)
    return {"label_smoothing": epsilon, "sum": plain(total)}


def plain(value: torch.Tensor) -> Any:
    """Nested lists; a float is written with the fewest digits that give the same float32 back."""
    if value.dtype.is_floating_point and value.dim() == 0:
        return float(str(np.float32(value.item())))
    return [plain(item) for item in value] if value.dim() else value.item()


def write(path: Path, record: dict[str, Any]) -> None:
    """JSON with one field a line, so that a change can be read in a diff."""
    fields = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in record.items())
    path.write_text("{\n" + fields + "\n}\n", encoding="utf-8")


def main() -> None:
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_corpus(folder)
        write_dictionary(folder)
        write_pretrained(folder)
        train(folder)
        records = {f"prepend_bos_{flag}".lower(): record(folder, flag) for flag in (False, True)}
        shutil.copy(folder / "saved" / "checkpoint_best.pt", FOLDER / "fairseq_tiny.pt")
        shutil.copy(folder / "dict.txt", FOLDER / "fairseq_tiny_dict.txt")
        state = torch.load(folder / "saved" / "checkpoint_best.pt")["model"]
    write(
        FOLDER / "fairseq_tiny.json",
        {
            "made_by": "make_fairseq_fixture.py",
            "versions": {
                "python": platform.python_version(),
                **{package: version(package) for package in ("fairseq", "torch", "numpy", "omegaconf", "hydra-core")},
            },
            "command": "fairseq-train " + " ".join(FLAGS + NO_MOMENTS),
            **records,
            "keys": {key: list(value.shape) for key, value in state.items()},
        },
    )


if __name__ == "__main__":
    main()
