"""`gec-fair pretrain`: texts in, a small encoder with a vocabulary of its own out; resumable, one folder.

OUT/packed/ (sentences, vocabulary, sub-words)  OUT/checkpoints/  OUT/best/ (model and tokenizer)  OUT/manifest.json
"""

from __future__ import annotations

import os
import string
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from transformers import AutoTokenizer, ModernBertConfig, ModernBertForMaskedLM, PreTrainedTokenizerFast

from gec_fair.corpus.atomic import write_bytes
from gec_fair.corpus.settings import as_dict
from gec_fair.english.sentences import read_paragraphs, sentences
from gec_fair.errors import InputError
from gec_fair.pretrain import loop
from gec_fair.pretrain.masked import MaskedBatches, MaskedTrainer
from gec_fair.pretrain.options import EncoderOptions, PretrainOptions
from gec_fair.pretrain.order import Order
from gec_fair.pretrain.packed import digest, pack, split
from gec_fair.pretrain.runs import Run, Trained, file_digest
from gec_fair.pretrain.vocabulary import learn
from gec_fair.progress import counted

loop.quiet()


def pretrain(options: PretrainOptions, out: Path) -> Trained:
    """Learn a vocabulary and an encoder. The same command after a kill goes on; a finished run is not run again. In the
    result, `loss` is the lowest on validation text, in nats a hidden sub-word.

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
        tokenizer, packed = _prepared(paths, options.vocabulary, out / "packed")
    train, held = split(packed, options.block, options.validation, options.seed)
    loop.seeded(options.seed)
    model = ModernBertForMaskedLM(configuration(options.encoder, tokenizer))
    trainer = MaskedTrainer(
        model=model,
        args=arguments,
        train_dataset=train,
        eval_dataset=held,
        data_collator=MaskedBatches(tokenizer, options.mask, options.seed, whole_words=options.whole_words),
    )
    each = arguments.per_device_train_batch_size * arguments.gradient_accumulation_steps * arguments.world_size
    trainer.order = Order(len(train), each * options.training.steps, options.seed, numbered=True)

    def save(folder: Path) -> None:
        trainer.accelerator.unwrap_model(trainer.model, keep_torch_compile=False).save_pretrained(folder)
        tokenizer.save_pretrained(folder)

    state = loop.run(trainer, run, options.training, save)
    losses = state["losses"] or [trainer.evaluate()["eval_loss"]]
    loss = min(losses)
    return run.finish({"steps": state["steps"], "losses": losses, "loss": round(loss, 6),
                       "perplexity": round(loop.perplexity(loss), 3)})  # fmt: skip


def _prepared(paths: list[Path], vocabulary: int, folder: Path) -> tuple[PreTrainedTokenizerFast, Path]:
    """The vocabulary, and the texts cut by it; all named by what they were made from."""
    text = folder / f"{digest(*(file_digest(path)['sha256'] for path in paths))}.txt"
    if not text.exists():
        write_bytes(text, counted(_sentences(paths), "texts read"))
    tokenizer = _tokenizer(text, vocabulary, text.with_suffix(f".{vocabulary}"))
    packed = text.with_name(f"{digest(file_digest(text)['sha256'], tokenizer_digest(tokenizer))}.u2")
    if not packed.exists():
        pack(counted(_lines(text), "texts cut into sub-words"), tokenizer, packed)
    return tokenizer, packed


def configuration(shape: EncoderOptions, tokenizer: PreTrainedTokenizerFast) -> ModernBertConfig:
    """ModernBERT with every layer global and attention written out: at these lengths that is quickest on a CPU."""
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
        attn_implementation="eager",
    )


def tokenizer_digest(tokenizer: PreTrainedTokenizerFast) -> str:
    """What decides how a text is cut."""
    return sha256(tokenizer.backend_tokenizer.to_str().encode()).hexdigest()


def _tokenizer(prepared: Path, size: int, folder: Path) -> PreTrainedTokenizerFast:
    if not (folder / "tokenizer.json").exists():
        learnt = learn(_lines(prepared), size)
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


def _lines(prepared: Path) -> Iterator[str]:
    with prepared.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            yield line.rstrip("\n")


def _data() -> str:
    return os.environ.get("GEC_FAIR_DATA") or "not set"
