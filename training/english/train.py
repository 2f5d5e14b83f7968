"""Train, prune, measure and install the package's English pipeline: one command, seeded.

    GEC_FAIR_DATA=../shared/data python training/english/train.py

pretrain (masked characters of raw text, half an hour) -> train (treebanks, every epoch newly noised, about an hour
on one core) -> prune -> install -> measure. The learning rate warms up, stays, and falls to zero at the known
end, `--steps`; with `--minutes` the clock ends the run first, which on another machine gives another number of steps.
The defaults are the steps that the shipped weights were trained for.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from convert import DEV, Document, check_tags, data_folder, read_documents, to_doc, training_documents
from install import install, replace_folder
from noise import chunks
from pretrain import pretrain
from tokenisation import set_rules

FOLDER = Path(__file__).parent
BUILD = FOLDER / "build"
CONFIG = FOLDER / "config.cfg"
PRETRAIN_STEPS = 3_564


@dataclass(frozen=True, slots=True)
class Options:
    """`minutes` and `steps` bound the run; `batch_words` grows from the first to the second value over the run;
    `clean` is the share of sentences left alone, `clean_late` the same in the last fifth."""

    minutes: float | None = None
    steps: int = 15_000
    learn_rate: float = 0.0015
    warmup: int = 200
    cooldown: float = 0.6
    batch_words: tuple[int, int] = (400, 1600)
    dropout: float = 0.25
    clean: float = 0.55
    clean_late: float = 0.7
    seed: int = 2024
    checkpoint_minutes: float = 5.0

    def rate(self, step: int, progress: float) -> float:
        return self.learn_rate * min(1.0, (step + 1) / self.warmup, (1 - progress) / self.cooldown)

    def words(self, progress: float) -> int:
        return int(self.batch_words[0] * (self.batch_words[1] / self.batch_words[0]) ** progress)


class Clock:
    """How much of the run is over, in [0, 1], by steps or by minutes."""

    def __init__(self, options: Options) -> None:
        self.options, self.begin, self.step = options, time.time(), 0

    @property
    def minutes(self) -> float:
        return (time.time() - self.begin) / 60

    @property
    def progress(self) -> float:
        by_clock = self.minutes / self.options.minutes if self.options.minutes else 0.0
        return min(1.0, max(by_clock, self.step / self.options.steps))


def batches(documents: list[Document], options: Options, clock: Clock) -> Iterator[list[Document]]:
    """Batches of chunks of about `options.words` words, epoch after epoch, for ever."""
    epoch = 0
    while True:
        clean = options.clean if clock.progress < 0.8 else options.clean_late
        batch, size = [], 0
        for chunk in chunks(documents, options.seed, epoch, clean=clean):
            batch.append(chunk)
            size += sum(map(len, chunk))
            if size >= options.words(clock.progress):
                yield batch
                batch, size = [], 0
        epoch += 1
        print(f"epoch {epoch} ends at step {clock.step}, minute {clock.minutes:.1f}", flush=True)


def examples(nlp, batch: list[Document]) -> list:
    """The words go in bare, the annotation is the reference."""
    from spacy.tokens import Doc
    from spacy.training import Example

    golds = [to_doc(nlp.vocab, chunk) for chunk in batch]
    bare = [Doc(nlp.vocab, words=[t.text for t in g], spaces=[bool(t.whitespace_) for t in g]) for g in golds]
    return [Example(doc, gold) for doc, gold in zip(bare, golds, strict=True)]


def new_pipeline(config_path: Path, documents: list[Document], options: Options, tok2vec: Path | None):
    """An initialised pipeline; its labels are those of the clean treebanks and of one noised epoch."""
    from parser_gradients import stack_steps
    from spacy.util import load_config, load_model_from_config
    from thinc.api import fix_random_seed

    stack_steps()
    fix_random_seed(options.seed)
    config = load_config(config_path)
    config.pop("pretraining")
    nlp = load_model_from_config(config, auto_fill=True)
    set_rules(nlp)
    sample = examples(nlp, documents) + examples(nlp, chunks(documents, options.seed, -1, clean=0.0))
    nlp.initialize(lambda: iter(sample))
    if tok2vec:
        encoder: Any = nlp.get_pipe("tok2vec")
        encoder.model.from_bytes(tok2vec.read_bytes())
    return nlp


def train(nlp, documents: list[Document], options: Options, output: Path) -> dict:
    from spacy.util import registry

    optimizer = registry.resolve({"o": nlp.config["training"]["optimizer"]})["o"]
    nlp.config["training"]["seed"] = options.seed
    clock, losses, words, saved = Clock(options), {}, 0, 0.0
    for batch in batches(documents, options, clock):
        if clock.progress >= 1:
            break
        optimizer.learn_rate = options.rate(clock.step, clock.progress)
        nlp.update(examples(nlp, batch), sgd=optimizer, losses=losses, drop=options.dropout)
        clock.step += 1
        words += sum(len(sentence) for chunk in batch for sentence in chunk)
        if clock.step % 100 == 0:
            print(_line(clock, optimizer, words, losses), flush=True)
            losses = {}
        if clock.minutes - saved >= options.checkpoint_minutes:
            saved = clock.minutes
            scores = checkpoint(nlp, optimizer, output)
            print(json.dumps({"step": clock.step, "minutes": round(saved, 1), **scores}), flush=True)
    scores = checkpoint(nlp, optimizer, output)
    return {"steps": clock.step, "minutes": round(clock.minutes, 1), "words": words, "dev": scores}


def _line(clock: Clock, optimizer, words: int, losses: dict) -> str:
    losses_text = " ".join(f"{name} {value:.0f}" for name, value in losses.items())
    rate = words / (clock.minutes * 60)
    head = f"step {clock.step} minute {clock.minutes:.1f} lr {optimizer.learn_rate:.5f}"
    return f"{head} words {words} ({rate:.0f}/s) {losses_text}"


def checkpoint(nlp, optimizer, output: Path) -> dict:
    """Score the averaged weights on a part of each development set, and write them whole or not at all."""
    with nlp.use_params(optimizer.averages):
        scores = dev_scores(nlp)
        replace_folder(nlp.to_disk, output)
    return scores


def dev_scores(nlp, *, sentences: int = 700) -> dict:
    from spacy.scorer import Scorer

    scores = {}
    for name in ("EWT", "GUM"):
        documents = read_documents(data_folder() / "ud" / DEV[name])
        documents = [d[i : i + 10] for d in documents for i in range(0, len(d), 10)]
        random.Random(0).shuffle(documents)
        picked = examples(nlp, documents[: sentences // 7])
        for example, doc in zip(picked, nlp.pipe([e.predicted for e in picked], batch_size=64), strict=True):
            example.predicted = doc
        figures = Scorer(nlp).score(picked)
        for key in ("tag_acc", "pos_acc", "morph_acc", "lemma_acc", "dep_uas", "dep_las", "sents_f"):
            scores[f"{name} {key}"] = round(100 * figures[key], 2)
    return scores


def versions() -> dict[str, str]:
    import numpy
    import spacy
    import thinc

    return {m.__name__: m.__version__ for m in (spacy, thinc, numpy)} | {"python": platform.python_version()}


def pretrained(arguments: argparse.Namespace) -> Path | None:
    """Weights of the tok2vec layer: those of --tok2vec, none after --pretrain-steps 0, else made now."""
    if arguments.tok2vec or not arguments.pretrain_steps:
        return arguments.tok2vec
    pretrain(CONFIG, data_folder(), BUILD / "tok2vec.bin", steps=arguments.pretrain_steps)
    return BUILD / "tok2vec.bin"


def main() -> None:
    arguments = parse_arguments()
    BUILD.mkdir(exist_ok=True)
    options = Options(minutes=arguments.minutes, steps=arguments.steps, dropout=arguments.dropout, seed=arguments.seed)
    tok2vec = pretrained(arguments)
    documents = training_documents(data_folder() / "ud")
    check_tags(documents)
    nlp = new_pipeline(arguments.config, documents, options, tok2vec)
    facts = {"pretraining": tok2vec is not None, "options": asdict(options), "versions": versions()}
    facts |= train(nlp, documents, options, arguments.output)
    arguments.output.with_suffix(".json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    if arguments.install:
        print(install(arguments.output, facts), "tokens are the same after pruning", flush=True)
        subprocess.run([sys.executable, str(FOLDER.parents[1] / "benchmarks" / "english.py")], check=True)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=Options().steps, help="batches (%(default)s)")
    parser.add_argument("--minutes", type=float, default=Options().minutes, help="end the schedule by the clock")
    parser.add_argument("--config", type=Path, default=CONFIG, help="the network (%(default)s)")
    parser.add_argument("--dropout", type=float, default=Options().dropout, help="(%(default)s)")
    parser.add_argument("--seed", type=int, default=Options().seed, help="(%(default)s)")
    parser.add_argument("--pretrain-steps", type=int, default=PRETRAIN_STEPS, help="0: none (%(default)s)")
    parser.add_argument("--tok2vec", type=Path, help="weights that an earlier pretraining wrote")
    parser.add_argument("--output", type=Path, default=BUILD / "model")
    parser.add_argument("--no-install", dest="install", action="store_false", help="train only")
    return parser.parse_args()


if __name__ == "__main__":
    main()
