"""`gec-fair pretrain mlm`: texts in, a small encoder with its own vocabulary out; resumable, one folder.

OUT/packed/ (sentences, vocabulary, sub-words)  OUT/checkpoints/  OUT/best/ (model and tokenizer)  OUT/manifest.json
OUT/steps/N/ (the model after N updates, where it is asked for)  OUT/judged.jsonl (what suites found, a look a line)
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from filelock import FileLock
from transformers import (
    AutoModelForMaskedLM,
    PreTrainedModel,
    PreTrainedTokenizerFast,
    TrainerCallback,
    TrainingArguments,
)

from gec_fair.config.settings import as_dict
from gec_fair.data.text_files import find_texts
from gec_fair.data.text_files import read_lines as read_text_lines
from gec_fair.english.running_text.sentences import read_lines, read_paragraphs, sentences
from gec_fair.errors import InputError, UsageError
from gec_fair.models.architectures import begin_as_sinusoids, configuration
from gec_fair.models.configuration import attention, positions_of, set_dropout
from gec_fair.models.load import load_config
from gec_fair.models.weights import HeadlessModel, check_rows, load_model, load_tokenizer, load_with_head
from gec_fair.progress import note, show_progress
from gec_fair.runs.atomic import write_bytes
from gec_fair.runs.digests import file_digest, model_digests
from gec_fair.runs.identity import Identity
from gec_fair.trainer import loop
from gec_fair.trainer.once import Learner, save_model, save_with, train_run
from gec_fair.trainer.options import PretrainOptions
from gec_fair.trainer.pretraining.masked import HybridBatches, MaskedBatches, MaskedTrainer, around_block
from gec_fair.trainer.pretraining.packed import digest, pack, split
from gec_fair.trainer.records import Run, Trained
from gec_fair.trainer.sampler import Order
from gec_fair.trainer.vocabulary import learn

Judge = Callable[[PreTrainedModel, PreTrainedTokenizerFast], Mapping[str, Any]]
"""Scores an encoder; returns plain JSON."""
JUDGED = "judged.jsonl"
STEPS = "steps"


def pretrain(options: PretrainOptions, out: Path, *, judge: Judge | None = None, packed: Path | None = None) -> Trained:
    """Learn a vocabulary and an encoder. The same command resumes after a kill; a finished run is not run again. In the
    result, `loss` is the lowest on validation text, in nats a hidden sub-word. `judge` is asked at every look at it.
    `packed`: where texts that are cut are kept, for several runs on the same ones.

    InputError for texts that cannot be read and a vocabulary that does not fit, ResumeError where `out` holds a run of
    other options or texts.
    """
    prepare = partial(_learner, options, out, judge, packed or out / "packed")
    return train_run(run_of(options, out), options.training, options.seed, prepare)


def _learner(
    options: PretrainOptions, out: Path, judge: Judge | None, packed: Path, arguments: TrainingArguments
) -> Learner:
    with arguments.main_process_first(local=False):  # one process cuts the texts, the others read what it wrote
        tokenizer, cut = prepare_texts(options, packed)
    free = options.block - len(around_block(tokenizer))
    train, held = split(cut, free, options.validation, options.seed)
    loop.seed_generators(options.seed)  # new weights do not depend on whether the texts were already cut
    model = _model(options, tokenizer)
    masked = MaskedBatches(tokenizer, options.mask, options.seed, unit=options.unit)
    trainer = MaskedTrainer(
        model=model,
        args=arguments,
        train_dataset=train,
        eval_dataset=held,
        data_collator=HybridBatches(masked, options.causal) if options.causal else masked,
    )
    items = loop.items_of_run(arguments, options.training.steps)
    trainer.order = Order(len(train), items, options.seed, numbered=True)
    if judge is not None:
        trainer.add_callback(_Judging(out / JUDGED, judge, tokenizer))

    save = partial(save_with, tokenizer)
    if options.keep_at or options.keep_every:
        trainer.add_callback(_Keeping(out / STEPS, options, partial(save_model, trainer, save)))
    return Learner(trainer, options.training, save, measure=partial(_measure, trainer))


def _measure(trainer: MaskedTrainer, state: Mapping[str, Any]) -> dict[str, Any]:
    losses = state["losses"] or [trainer.evaluate()["eval_loss"]]
    loss = min(losses)
    return {"losses": losses, "loss": round(loss, 6), "perplexity": round(loop.perplexity(loss), 3)}


def run_of(options: PretrainOptions, out: Path) -> Run:
    """The run in `out`: files and models count by their bytes, wherever they lie. Raises as `pretrain` does."""
    named = {name: model for name in ("tokenizer", "start") if (model := getattr(options, name))}
    inputs = {
        "texts": [file_digest(path) for path in texts_of(options)],
        **{name: model_digests(model) for name, model in named.items()},
    }
    plain = {**as_dict(options), **dict.fromkeys((*named, "texts"), "")}
    return Run(out, Identity("pretrain", plain, inputs))


def texts_of(options: PretrainOptions) -> list[Path]:
    """The text files. InputError for one that is not there, UsageError if none is named."""
    if not options.texts:
        raise UsageError("texts names no file")
    return find_texts(options.texts)


def _model(options: PretrainOptions, tokenizer: PreTrainedTokenizerFast) -> Any:
    """New, or the one that is gone on from. InputError where its positions or its vocabulary do not fit."""
    if not options.start:
        shape = configuration(options.encoder, tokenizer, predicts_next=options.causal > 0)
        model = AutoModelForMaskedLM.from_config(
            shape, trust_remote_code=False, attn_implementation=attention("training", shape)
        )
        if options.encoder.sinusoids:
            begin_as_sinusoids(model.base_model.embeddings.position_embeddings, options.encoder.sinusoids)
        return model
    shape = load_config(options.start)
    if bool(getattr(shape, "predicts_next", False)) != (options.causal > 0):
        raise InputError(
            f"{options.start}: guesses {'the next place' if not options.causal else 'at the place itself'}"
            "; set causal as it was trained"
        )
    if options.block > positions_of(shape):
        raise InputError(f"{options.start}: reads {positions_of(shape)} sub-words at most; set block to no more")
    set_dropout(shape, options.dropout, attention=options.attention_dropout)
    try:
        model = load_model(AutoModelForMaskedLM, options.start, shape, "training")
    except HeadlessModel:
        note(f"{options.start} has no head for masked words; it gets a new one")
        model = load_with_head(AutoModelForMaskedLM, options.start, shape)
    check_rows(options.start, model, tokenizer)
    return model


def prepare_texts(options: PretrainOptions, folder: Path) -> tuple[PreTrainedTokenizerFast, Path]:
    """The vocabulary, and the texts cut by it; all named by what they were made from, and made once, by one of several
    processes that want them."""
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / ".preparing"):
        paths = texts_of(options)
        text = folder / f"{digest(options.words, *(file_digest(path)['sha256'] for path in paths))}.txt"
        if not text.exists():
            read = _sentences if options.words == "tokenised" else _as_they_are
            write_bytes(text, show_progress(read(paths), "texts read"))
        tokenizer = _tokenizer(text, options, text.with_suffix(f".{options.subwords}-{options.vocabulary}"))
        packed = text.with_name(f"{digest(file_digest(text)['sha256'], tokenizer_digest(tokenizer))}.arrow")
        if not packed.exists():
            pack(show_progress(_lines(text), "texts cut into sub-words"), tokenizer, packed)
        return tokenizer, packed


class _Keeping(TrainerCallback):
    """Keeps the model after some updates, with its vocabulary."""

    def __init__(self, folder: Path, options: PretrainOptions, save: Callable[[Path], None]) -> None:
        self.folder, self.at, self.every, self.save = folder, set(options.keep_at), options.keep_every, save

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        step = state.global_step
        due = step in self.at or (self.every and step and step % self.every == 0)
        if due and state.is_world_process_zero:
            loop.replace(self.folder / str(step), self.save)

    on_train_begin = on_step_end  # the new weights


class _Judging(TrainerCallback):
    """Writes a line for each look; of a run that was killed, those after its checkpoint are written anew."""

    def __init__(self, path: Path, judge: Judge, tokenizer: PreTrainedTokenizerFast) -> None:
        self.path, self.judge, self.tokenizer = path, judge, tokenizer

    def on_evaluate(self, args: Any, state: Any, control: Any, model: Any = None, **_: Any) -> None:
        if not state.is_world_process_zero:
            return
        bare = getattr(model, "_orig_mod", model)
        was_training = bare.training
        judgement = {"step": state.global_step, **self.judge(bare, self.tokenizer)}
        bare.train(was_training)
        before = read_text_lines(self.path) if self.path.exists() else []
        earlier = [line for line in before if json.loads(line)["step"] < state.global_step]
        write_bytes(self.path, (f"{line}\n".encode() for line in [*earlier, json.dumps(judgement)]))


def tokenizer_digest(tokenizer: Any) -> str:
    """What decides how a text is cut."""
    return sha256(tokenizer.backend_tokenizer.to_str().encode()).hexdigest()


def _tokenizer(prepared: Path, options: PretrainOptions, folder: Path) -> PreTrainedTokenizerFast:
    """InputError for a model's vocabulary that masked words cannot be learned with."""
    model = options.tokenizer or options.start
    if not model and not (folder / "tokenizer.json").exists():
        learnt = learn(_lines(prepared), options.vocabulary, raw=options.words == "raw", kind=options.subwords)
        loop.replace(folder, learnt.save_pretrained)
    tokenizer = load_tokenizer(model or str(folder))
    if not isinstance(tokenizer, PreTrainedTokenizerFast) or tokenizer.mask_token_id is None:
        raise InputError(
            f"{model}: its tokenizer has no mask, or is none of the tokenizers library; give a masked model's"
        )
    tokenizer.model_max_length = int(1e9)  # texts are cut into blocks later
    return tokenizer


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
