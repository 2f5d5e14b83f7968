"""`gec-fair pretrain mlm`: texts in, a small encoder with a vocabulary of its own out; resumable, one folder.

OUT/packed/ (sentences, vocabulary, sub-words)  OUT/checkpoints/  OUT/best/ (model and tokenizer)  OUT/manifest.json
OUT/judged.jsonl (what suites found, a look a line)
"""

from __future__ import annotations

import json
import os
import string
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch
from transformers import (
    AutoModelForMaskedLM,
    AutoTokenizer,
    ModernBertConfig,
    PretrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerFast,
    RobertaConfig,
    TrainerCallback,
)

from gec_fair.corpus.atomic import write_bytes
from gec_fair.corpus.settings import as_dict
from gec_fair.english.sentences import read_lines, read_paragraphs, sentences
from gec_fair.errors import InputError
from gec_fair.pretrain import loop
from gec_fair.pretrain.hub import attention
from gec_fair.pretrain.masked import MaskedBatches, MaskedTrainer, around_block
from gec_fair.pretrain.options import EncoderOptions, PretrainOptions
from gec_fair.pretrain.order import Order
from gec_fair.pretrain.packed import digest, pack, split
from gec_fair.pretrain.runs import Run, Trained, file_digest
from gec_fair.pretrain.vocabulary import learn
from gec_fair.progress import counted

loop.quiet()


Judge = Callable[[PreTrainedModel, PreTrainedTokenizerFast], Mapping[str, Any]]
"""Scores an encoder; what it answers is plain JSON."""
JUDGED = "judged.jsonl"


def pretrain(options: PretrainOptions, out: Path, *, judge: Judge | None = None) -> Trained:
    """Learn a vocabulary and an encoder. The same command after a kill goes on; a finished run is not run again. In the
    result, `loss` is the lowest on validation text, in nats a hidden sub-word. `judge` is asked at every look at it.

    InputError for texts that cannot be read, ResumeError where `out` holds a run of other options or texts.
    """
    paths = [Path(string.Template(text).safe_substitute(os.environ)) for text in options.texts]
    for path in paths:
        if not path.is_file():
            raise InputError(f"{path}: no such file; name text files under texts (GEC_FAIR_DATA: {_data()})")
    inputs = [file_digest(path) for path in paths]
    run = Run(out, {"job": "pretrain", "options": as_dict(options), "inputs": {"texts": inputs}})
    done = run.finished()
    if done is not None:
        return done
    arguments = loop.arguments(options.training, out, options.seed)
    with arguments.main_process_first(local=False):  # one process cuts the texts, the others read what it wrote
        tokenizer, packed = _prepared(paths, options, out / "packed")
    free = options.block - len(around_block(tokenizer))
    train, held = split(packed, free, options.validation, options.seed)
    loop.seeded(options.seed)
    shape = configuration(options.encoder, tokenizer)
    model = AutoModelForMaskedLM.from_config(shape, attn_implementation=attention("training", shape))
    if options.encoder.sinusoids:
        begin_as_sinusoids(model.base_model.embeddings.position_embeddings, options.encoder.sinusoids)
    trainer = MaskedTrainer(
        model=model,
        args=arguments,
        train_dataset=train,
        eval_dataset=held,
        data_collator=MaskedBatches(tokenizer, options.mask, options.seed, whole_words=options.whole_words),
    )
    each = arguments.per_device_train_batch_size * arguments.gradient_accumulation_steps * arguments.world_size
    trainer.order = Order(len(train), each * options.training.steps, options.seed, numbered=True)
    if judge is not None:
        trainer.add_callback(_Judging(out / JUDGED, judge, tokenizer))

    def save(folder: Path) -> None:
        trainer.accelerator.unwrap_model(trainer.model, keep_torch_compile=False).save_pretrained(folder)
        tokenizer.save_pretrained(folder)

    state = loop.run(trainer, run, options.training, save)
    losses = state["losses"] or [trainer.evaluate()["eval_loss"]]
    loss = min(losses)
    return run.finish({"steps": state["steps"], "losses": losses, "loss": round(loss, 6),
                       "perplexity": round(loop.perplexity(loss), 3)})  # fmt: skip


def _prepared(paths: list[Path], options: PretrainOptions, folder: Path) -> tuple[PreTrainedTokenizerFast, Path]:
    """The vocabulary, and the texts cut by it; all named by what they were made from."""
    text = folder / f"{digest(options.words, *(file_digest(path)['sha256'] for path in paths))}.txt"
    if not text.exists():
        read = _sentences if options.words == "tokenised" else _as_they_are
        write_bytes(text, counted(read(paths), "texts read"))
    tokenizer = _tokenizer(text, options, text.with_suffix(f".{options.vocabulary}"))
    packed = text.with_name(f"{digest(file_digest(text)['sha256'], tokenizer_digest(tokenizer))}.u2")
    if not packed.exists():
        pack(counted(_lines(text), "texts cut into sub-words"), tokenizer, packed)
    return tokenizer, packed


class _Judging(TrainerCallback):
    """Writes a line for each look; of a run that was killed, those after its checkpoint are written anew."""

    def __init__(self, path: Path, judge: Judge, tokenizer: PreTrainedTokenizerFast) -> None:
        self.path, self.judge, self.tokenizer = path, judge, tokenizer

    def on_evaluate(self, args: Any, state: Any, control: Any, model: Any = None, **_: Any) -> None:
        if not state.is_world_process_zero:
            return
        bare = getattr(model, "_orig_mod", model)
        was_training = bare.training
        found = {"step": state.global_step, **self.judge(bare, self.tokenizer)}
        bare.train(was_training)
        before = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        kept = [line for line in before if json.loads(line)["step"] < state.global_step]
        write_bytes(self.path, (f"{line}\n".encode() for line in [*kept, json.dumps(found)]))


def configuration(shape: EncoderOptions, tokenizer: PreTrainedTokenizerFast) -> PretrainedConfig:
    """ModernBERT with every layer global. Or RoBERTa, whose positions begin behind the padding row."""
    if shape.architecture == "roberta":
        return RobertaConfig(
            vocab_size=len(tokenizer),
            hidden_size=shape.hidden,
            num_hidden_layers=shape.layers,
            num_attention_heads=shape.heads,
            intermediate_size=shape.intermediate,
            max_position_embeddings=shape.positions + tokenizer.pad_token_id + 1,
            type_vocab_size=1,
            layer_norm_eps=1e-5,
            hidden_dropout_prob=shape.dropout,
            attention_probs_dropout_prob=shape.dropout,
            pad_token_id=tokenizer.pad_token_id,
            bos_token_id=tokenizer.bos_token_id,
            eos_token_id=tokenizer.eos_token_id,
        )
    return ModernBertConfig(
        vocab_size=len(tokenizer),
        hidden_size=shape.hidden,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        intermediate_size=shape.intermediate,
        max_position_embeddings=shape.positions,
        global_attn_every_n_layers=1,
        attention_dropout=shape.dropout,
        mlp_dropout=shape.dropout,
        embedding_dropout=shape.dropout,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        cls_token_id=tokenizer.cls_token_id,
        sep_token_id=tokenizer.sep_token_id,
    )


def begin_as_sinusoids(rows: torch.nn.Embedding, height: float) -> None:
    """Set the (positions, width) rows to sin and cos of position / 10000^(2i/width), columns in turn, times `height`
    (Vaswani et al. 2017, §3.5): what is so many words away is then the same rotation everywhere."""
    places, width = rows.weight.shape
    angles = torch.arange(places)[:, None] / 10_000 ** (torch.arange(0, width, 2) / width)
    with torch.no_grad():
        rows.weight.copy_(height * torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :width])


def tokenizer_digest(tokenizer: PreTrainedTokenizerFast) -> str:
    """What decides how a text is cut."""
    return sha256(tokenizer.backend_tokenizer.to_str().encode()).hexdigest()


def _tokenizer(prepared: Path, options: PretrainOptions, folder: Path) -> PreTrainedTokenizerFast:
    if not (folder / "tokenizer.json").exists():
        learnt = learn(_lines(prepared), options.vocabulary, raw=options.words == "raw")
        loop.replace(folder, lambda fresh: _ignore(learnt.save_pretrained(fresh)))
    found: PreTrainedTokenizerFast = AutoTokenizer.from_pretrained(folder)
    found.model_max_length = int(1e9)  # texts are cut into blocks later
    return found


def _ignore(_: object) -> None: ...


def _sentences(paths: list[Path]) -> Iterator[bytes]:
    """Every sentence, and an empty line after each file."""
    for path in paths:
        for paragraph in read_paragraphs(path):
            yield from (" ".join(words).encode() + b"\n" for words in sentences(paragraph))
        yield b"\n"


def _as_they_are(paths: list[Path]) -> Iterator[bytes]:
    """Every line that is not empty, and an empty one after each file."""
    for path in paths:
        yield from (line.encode() + b"\n" for line in read_lines(path) if line)
        yield b"\n"


def _lines(prepared: Path) -> Iterator[str]:
    with prepared.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            yield line.rstrip("\n")


def _data() -> str:
    return os.environ.get("GEC_FAIR_DATA") or "not set"
