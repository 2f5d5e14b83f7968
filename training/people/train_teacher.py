"""Train the reader of people, and measure it on documents that it was not trained on.

    python training/weights.py minilm                                     # the encoder, once
    GEC_FAIR_DATA=../shared/data python training/people/train_teacher.py out/people

Documents of the first fifth are held out, and so are the development parts of WNUT, BTC and UNER, and Wikigold. Names
are drawn anew in every pass: the words around decide, and not the name.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import pronouns
import texts
import torch
from documents import (
    GENDERS,
    KINDS,
    NO_ANTECEDENT,
    SOMEBODY,
    Document,
    of_form,
    read_documents,
    read_entities,
)
from model import HEADS, Labelled, Reader, cut, export, loss_of, tensors
from name_draws import Names, filled
from safetensors.torch import save_file

sys.path.append(str(Path(__file__).parents[1]))

import weights
from windows import Batcher

from gec_fair.english import pipeline
from gec_fair.english.lexicons import lexicon
from gec_fair.people.around import FORMS
from gec_fair.people.reader import Kind

FOLDER = Path(__file__).parent
HELD_OUT = 0
SAVED = 200
"""Updates between two states that are saved."""
MEASURED = {"wnut17.dev": "conll", "btc.dev": "conll", "uner_ewt.dev": "iob2", "wikigold": "conll"}
FIRST_NAME, SURNAME = frozenset({"first name"}), frozenset({"surname"})
IMPERSONAL_KINDS = tuple(frozenset({kind}) for kind in ("group", "place", "object"))


@dataclass(frozen=True)
class Options:
    encoder: str = "minilm"
    passes: int = 3
    rate: float = 1.5e-4
    head_rate: float = 1e-3
    batch: int = 16
    """Windows of an update."""
    renamed: float = 0.5
    """Of the persons of a text."""
    of_its_gender: float = 0.8
    """Of these, so many get a name of the old one's gender."""
    disguised: float = 0.12
    """Of the names of things, places and groups that are named like a person."""
    lowered: float = 0.05
    """Of the texts, written without capitals."""
    wikipedia: float = 0.4
    """Of its sentences, in each pass."""
    forms: int = 8000
    """Pronouns of raw text that are turned into *her* or *his*, in each pass."""
    kinds_templates: int = 4
    forms_templates: int = 10
    """Times that each template is filled, in each pass."""
    seed: int = 1


def renamed(document: Document, known: Names, rng: Random, options: Options) -> Document:
    """The document with other names; one word becomes the same word throughout."""
    table = lexicon.load().names
    new: dict[tuple[str, frozenset[str]], str] = {}
    words = list(document.words)
    for at, kinds in document.kinds.items():
        word = document.words[at]
        if not word[:1].isupper() or kinds not in (FIRST_NAME, SURNAME, *IMPERSONAL_KINDS):
            continue
        if (word, kinds) not in new:
            new[word, kinds] = word
            chance = rng.random()
            if kinds == FIRST_NAME and chance < options.renamed:
                keeps = rng.random() < options.of_its_gender
                drawn = [known.given_name(rng) for _ in range(8 if keeps else 1)]
                alike = [name for name in drawn if table.gender(name) is table.gender(word)]
                new[word, kinds] = (alike or drawn)[0]
            elif kinds == SURNAME and chance < options.renamed:
                new[word, kinds] = known.surname(rng)
            elif kinds in IMPERSONAL_KINDS and chance < options.disguised and not words[at - 1][:1].isupper():
                new[word, kinds] = rng.choice(known.shared) if rng.random() < 0.5 else known.given_name(rng)
        words[at] = new[word, kinds].upper() if word.isupper() and len(word) > 3 else new[word, kinds]
    return lowered(replace(document, words=words), rng, options)


def lowered(document: Document, rng: Random, options: Options) -> Document:
    """The document, at times without capitals."""
    if rng.random() >= options.lowered:
        return document
    return replace(document, words=[word.lower() for word in document.words])


def of_templates(known: Names, words: pronouns.Words, rng: Random, options: Options) -> Iterator[Document]:
    """Every template with names and words drawn anew."""
    of_kinds, of_forms = texts.read_templates(FOLDER / "kinds.tsv"), pronouns.read_templates(FOLDER / "forms.tsv")
    for number in range(options.kinds_templates):
        yield from filled(of_kinds, known, rng, number=number)
    for _ in range(options.forms_templates):
        examples = pronouns.filled(of_forms, words, rng)
        yield from (of_form(example, number) for number, example in enumerate(examples))


def updates(
    batcher: Batcher,
    documents: Sequence[Document],
    known: Names,
    words: pronouns.Words,
    turned,
    rng: Random,
    options: Options,
) -> list:
    """The windows of one pass, in batches of about the same length."""
    windows: list[Labelled] = []
    for document in of_templates(known, words, rng, options):
        windows += cut(lowered(document, rng, options), batcher)
    for document in documents:
        if document.source != "wikipedia" or rng.random() < options.wikipedia:
            windows += cut(renamed(document, known, rng, options), batcher)
    for number in range(options.forms):
        if (example := next(turned, None)) is not None:
            windows += cut(of_form(example, number), batcher)
    windows = [one for one in windows if one.has_labels]
    rng.shuffle(windows)
    batches = []
    for at in range(0, len(windows), 40 * options.batch):
        part = sorted(windows[at : at + 40 * options.batch], key=lambda one: len(one.places))
        batches += [part[n : n + options.batch] for n in range(0, len(part), options.batch)]
    rng.shuffle(batches)
    return batches


def with_surnames(documents: Sequence[Document]) -> Iterator[SimpleNamespace]:
    """The documents as `names` reads surnames off them."""
    for document in documents:
        places = [at for at, kinds in document.kinds.items() if kinds == SURNAME]
        if document.source != "wikipedia":
            yield SimpleNamespace(words=document.words, kinds=dict.fromkeys(places, Kind.SURNAME))


def train(documents: Sequence[Document], nlp, data: Path, options: Options, unfinished: Path) -> tuple[Reader, Batcher]:
    """The trained network. Its state is written to `unfinished` every `SAVED` updates; a rerun resumes from there."""
    torch.manual_seed(options.seed)
    rng = Random(options.seed)
    folder = weights.fetch(options.encoder)
    batcher, reader = Batcher(folder / "tokenizer.json"), Reader(folder)
    known = Names(list(with_surnames(documents)))
    words = pronouns.Words(pronouns.convert.training_documents(data / "ud"))
    turned = pronouns.turned(nlp, pronouns.corpora(data, held_out=False), rng, sparse(pronouns.SHARES))
    passes = [updates(batcher, documents, known, words, turned, rng, options) for _ in range(options.passes)]
    total = sum(map(len, passes))
    encoder = [weight for weight in reader.encoder.parameters() if weight.requires_grad]
    heads = [weight for name, weight in reader.named_parameters() if not name.startswith("encoder.")]
    optimizer = torch.optim.AdamW(
        [{"params": encoder, "lr": options.rate}, {"params": heads, "lr": options.head_rate}], weight_decay=0.01
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1, (step + 1) / 100) * (1 - step / total))
    mean: Counter[str] = Counter()
    started = time.process_time()
    parts: dict[str, Any] = {"reader": reader, "optimizer": optimizer, "schedule": schedule}
    done = 0
    if unfinished.is_file():
        state = torch.load(unfinished, weights_only=True)
        if state["options"] != asdict(options):
            sys.exit(f"{unfinished}: was begun with other options; delete it, or take those")
        done = state["step"]
        torch.set_rng_state(state["chance"])
        for name, part in parts.items():
            part.load_state_dict(state[name])
    reader.train()
    for step, batch in enumerate((batch for batches in passes for batch in batches), 1):
        if step <= done:
            continue
        with torch.autocast("cpu", torch.bfloat16):
            outputs = reader(tensors(batcher, batch))
        losses = loss_of(outputs, batch)
        optimizer.zero_grad()
        sum(losses.values()).backward()
        torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        for name, loss in losses.items():
            mean[name] += 0.02 * (loss.item() - mean[name])
        if step % 100 == 0:
            said = " ".join(f"{name} {value:.3f}" for name, value in sorted(mean.items()))
            print(f"{step} of {total}: {said}, {time.process_time() - started:.0f} s", flush=True)
        if step % SAVED == 0:
            state = {name: part.state_dict() for name, part in parts.items()}
            state |= {"step": step, "chance": torch.get_rng_state(), "options": asdict(options)}
            torch.save(state, unfinished.with_suffix(".part"))
            unfinished.with_suffix(".part").replace(unfinished)
    return reader.eval(), batcher


def sparse(shares: dict[str, float]) -> dict[str, float]:
    """Examples from all over the corpora, not from their beginnings."""
    return {word: share * 0.02 for word, share in shares.items()}


@torch.inference_mode()
def answers(
    reader: Reader, batcher: Batcher, documents: Sequence[Document]
) -> Iterator[tuple[Labelled, list[torch.Tensor]]]:
    """Of every window the outputs of the four heads, as probabilities."""
    windows = [one for document in documents for one in cut(document, batcher)]
    windows.sort(key=lambda one: len(one.places))
    for at in range(0, len(windows), 32):
        batch = windows[at : at + 32]
        with torch.autocast("cpu", torch.bfloat16):
            outputs = [output.float().softmax(-1) for output in reader(tensors(batcher, batch))]
        for row, one in enumerate(batch):
            yield one, [output[row] for output in outputs]


def measure(reader: Reader, batcher: Batcher, documents: Sequence[Document]) -> Iterator[str]:
    """By source: kinds (of words with one), persons among capitalised words, first names among those of the table,
    forms, genders, and links (a right antecedent, or rightly none; in GAP only a name that is judged)."""
    table = lexicon.load().names
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for one, (kinds, forms, genders, links) in answers(reader, batcher, documents):
        row, document, start = counts[one.document.source], one.document, one.places.start
        for at in one.places:
            index, word = at - start, document.words[at]
            if (label := document.kinds.get(at)) is not None:
                best = KINDS[int(kinds[index].argmax())]
                row.update({"kinds": len(label) == 1, "kinds right": len(label) == 1 and best in label})
                if word[:1].isupper() and (label <= SOMEBODY or not label & SOMEBODY):
                    likely = float(kinds[index, [KINDS.index(kind) for kind in SOMEBODY]].sum()) >= 0.5
                    row.update(_hits("person", likely, label <= SOMEBODY))
                    if table.is_name(word, proper=True) and (label == FIRST_NAME or "first name" not in label):
                        row.update(_hits("name", best == "first name", label == FIRST_NAME))
            if (form := document.forms.get(at)) is not None:
                row.update({"forms": 1, "forms right": FORMS[int(forms[index].argmax())] is form})
            if (gender := document.genders.get(at)) is not None:
                row.update({"genders": 1, "genders right": GENDERS[int(genders[index].argmax())] == gender})
            if (right := document.links.get(at)) is not None:
                inside = [place - start for place in right if start <= place < at]
                chosen = int(links[index].argmax())
                is_right = chosen in inside if inside else chosen == links.size(-1) - 1
                row.update({"links": 1, "links right": is_right or (NO_ANTECEDENT in right and chosen in inside)})
    for source, row in counts.items():
        parts = [f"{name} {100 * row[f'{name} right'] / row[name]:.1f} of {row[name]}" for name in HEADS if row[name]]
        for name in ("person", "name"):
            if gold := row[f"{name} gold"]:
                precision = 100 * row[f"{name} both"] / max(1, row[f"{name} chosen"])
                parts.append(f"{name}s {precision:.1f} · {100 * row[f'{name} both'] / gold:.1f} of {gold}")
        yield f"{source:12} {'; '.join(parts)}"


def _hits(question: str, is_chosen: bool, is_gold: bool) -> dict[str, int]:
    return {
        f"{question} chosen": is_chosen,
        f"{question} gold": is_gold,
        f"{question} both": is_chosen and is_gold,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path, help="a folder for reader.onnx and tokenizer.json")
    for name in ("encoder", "passes", "rate", "seed"):
        default = getattr(Options(), name)
        parser.add_argument(f"--{name}", type=type(default), default=default)
    arguments = vars(parser.parse_args())
    output = arguments.pop("output")
    options, data, nlp = Options(**arguments), Path(os.environ.get("GEC_FAIR_DATA", "../shared/data")), pipeline.load()
    documents = list(read_documents(data, nlp))
    chosen = [document for document in documents if document.fold != HELD_OUT]
    output.mkdir(parents=True, exist_ok=True)
    reader, batcher = train(chosen, nlp, data, options, output / "unfinished.pt")
    export(reader, batcher, next(cut(chosen[0], batcher)), output)
    save_file(reader.state_dict(), output / "reader.safetensors")
    rest = [d for d in documents if d.fold == HELD_OUT and not d.source.endswith(".train")]
    for source, ending in MEASURED.items():
        rest += read_entities(data / f"ner/{source}.{ending}", source)
    for line in measure(reader, batcher, rest):
        print(line)
    (output / "unfinished.pt").unlink(missing_ok=True)


if __name__ == "__main__":
    main()
