"""`gec-fair gector vocab|train|predict|import`: GECToR (Omelianchuk et al. 2020)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from gec_fair.cli.options.command import folder_output, overrides, path_argument, path_option, refuse, takes
from gec_fair.cli.options.corrections import corrections, read_texts, text_argument, write_texts
from gec_fair.cli.options.groups import Group
from gec_fair.cli.options.results import json_option, print_result, result_options, say, show_result
from gec_fair.cli.options.settings import reads, seed_option, train_output, workers_option
from gec_fair.cli.options.training import check_import, check_model, tell_first, train_by
from gec_fair.config.options import Option
from gec_fair.errors import UsageError
from gec_fair.evaluate.options import Annotating
from gec_fair.gec.gector.options import Decoding, GectorTraining
from gec_fair.progress import bar
from gec_fair.trainer.records import is_main

if TYPE_CHECKING:
    from gec_fair.gec.gector.predict import Predictor

_LINES = {
    "malformed": "are malformed and were left out",
    "cut": "are too long (input.max_words) and train with their beginning",
}
gector = Group(
    help="Correct by tagging each word with what becomes of it: vocabularies, training, prediction, official models."
)


@dataclass(frozen=True, kw_only=True)
class VocabularyOptions:
    """What `gec-fair gector vocab` does."""

    existing: Annotated[Path | None, Option("LABELS", flags="--from")] = None
    """Look at a labels.txt; with PAIRS, at how much of them it covers."""
    size: int = 5000
    """Tags, the most frequent of the pairs."""
    add_pronouns: bool = False
    """Add the tags of he, she and they that are missing."""
    verbs: Annotated[Path | None, Option("FILE")] = None
    """A verb-form-vocab.txt; else lemminflect."""


@gector.command(short_help="Build a tag vocabulary from pairs, or look at one")
@path_argument("pairs", "PAIRS.tsv...", nargs=-1, required=False)
@takes(VocabularyOptions, folder_output("Write labels.txt and d_tags.txt.", required=False), result_options)
def vocab(pairs: tuple[Path, ...], options: VocabularyOptions, output: Path | None) -> None:
    """Build a tag vocabulary from source<TAB>target pairs, or look at one: which pronouns a model with it can write.

    The official vocabulary has no tag with themself or hers: a model with it can never write them.

    \b
    gec-fair gector vocab clang8.tsv --size 5000 --add-pronouns -o out/vocab
    gec-fair gector vocab --from output_vocabulary/labels.txt
    """
    from gec_fair.gec.gector import vocabulary

    if options.existing is not None:
        refuse(("size",), "is for a vocabulary that is built; --from has its own")
    tags = vocabulary.make(pairs, options.existing, options.size, pronouns=options.add_pronouns, verbs=options.verbs)
    for note in tags.notes:
        say(f"note: {note}")
    if output is not None:
        tags.labels.write(output)
    print_result(tags.as_json(), *tags.describe(output))


@gector.command(short_help="Train a GECToR on pairs")
@takes(reads(GectorTraining, "train", "dev", "start"), seed_option("Data order, dropout, tp/tn draw, new heads."))
@takes(workers_option("Processes that tag the pairs."), train_output, json_option)
def train(options: GectorTraining, seed: int, workers: int, output: Path) -> None:
    """Train one GECToR on pairs; the model lies in DIR/best. For many seeds and mixes: gec-fair experiment.

    With several GPUs: torchrun --nproc_per_node 4 -m gec_fair.cli gector train …

    \b
    gec-fair gector train training/gector-clang8.yaml --train mix/system1/train.tsv --seed 0 -o runs/system1/0
    """
    done = train_by("gec_fair.gec.gector.train", options, output, seed=seed, workers=workers)
    for file, counts in ((options.train, done.result), (options.dev, done.result.get("dev", {}))):
        facts = [f"{counts[name]:,} {fact}" for name, fact in _LINES.items() if counts.get(name)]
        if facts and is_main():
            say(f"note: {file}: of {counts['lines'] + counts['malformed']:,} lines {', '.join(facts)}")
            tell_first(counts)


@gector.command(short_help="Correct texts, or tune the thresholds")
@takes(click.argument("model", metavar="MODEL"), text_argument, corrections)
@overrides(Decoding, "iterations", "min_error_probability", "confidence", "long", instead_of="the model's, else ours")
@path_option("--tune", "DEV.m2", "Try thresholds on DEV.m2, print them.")
@click.option("--save", is_flag=True, help="With --tune: keep the best beside the model.")
@takes(Annotating, result_options)
def predict(
    model: str,
    text: Path | None,
    output: Path | None,
    changes: dict[str, Any],
    tune: Path | None,
    save: bool,
    annotating: Annotating,
) -> None:
    """Correct TEXT, one tokenised text a line (an M2 file gives its sources); without TEXT, standard input. Or tune the
    two thresholds.

    \b
    gec-fair gector predict out/model learner.txt -o corrected.txt
    gec-fair gector predict out/model --tune dev.m2 --save
    """
    if text is not None and tune is not None:
        raise UsageError("give a text to correct, or --tune DEV.m2, not both")
    if save and tune is None:
        raise UsageError("--save keeps what --tune DEV.m2 finds; give both")
    if tune is not None:
        refuse(("output", "confidence", "min_error_probability"), "decides nothing with --tune; leave it out")
    else:
        refuse((*vars(annotating), "settings_file", "as_json", "table_format"), "is for --tune; leave it out")
    check_model("GECToR", model)
    from dataclasses import replace

    from gec_fair.evaluate.scoring.errant import make_annotator
    from gec_fair.gec.gector.checkpoint import load
    from gec_fair.gec.gector.predict import Predictor, in_place
    from gec_fair.gec.gector.tune import load_decoding

    decoding = replace(load_decoding(model), **changes)
    if tune is not None:
        predictor = Predictor(load(model), remember=True)
        _tune(predictor, model, tune, decoding, save, make_annotator(annotating))
        return
    sources = read_texts(text)
    predictor = Predictor(load(model))
    with bar("gector") as progress:
        done = predictor.correct([source.split() for source in sources], decoding, progress=progress)
    write_texts((in_place(text, words) for text, words in zip(sources, done.texts, strict=True)), output)
    if done.too_long:
        treatment = "passed through unchanged" if decoding.long == "unchanged" else "corrected in their beginning alone"
        pieces = predictor.tagger.pieces
        limit = f"{pieces.options.max_words} words"
        if pieces.positions < (pieces.options.max_words + 1) * pieces.options.max_pieces:
            limit += f" or {pieces.positions:,} sub-words"
        say(f"note: {done.too_long:,} texts of more than {limit} were {treatment}")


def _tune(predictor: Predictor, model: str, dev: Path, decoding: Decoding, keep: bool, judge: Any) -> None:
    from gec_fair.evaluate.scoring.texts import read_reference
    from gec_fair.gec.gector.tune import save, tune

    if keep and not Path(model).is_dir():
        raise UsageError(f"--save writes beside the model, and {model} is not a folder; copy the model into one")
    with bar("settings") as progress:
        tuned = tune(predictor, read_reference(dev), decoding, judge, heard=progress)
    show_result(tuned)
    if keep:
        say(f"kept in {save(tuned.best.decoding, Path(model))}")


@dataclass(frozen=True, kw_only=True)
class ImportOptions:
    """What `gec-fair gector import` needs to know of a checkpoint."""

    encoder: Annotated[str, Option("NAME|PATH")]
    """The encoder it was built on, e.g. roberta-base."""
    labels: Annotated[Path, Option("FILE")]
    """Its labels.txt (data/output_vocabulary of the original); a d_tags.txt beside it too."""
    verbs: Annotated[Path | None, Option("FILE")] = None
    """Its verb-form-vocab.txt; else lemminflect."""


@gector.command("import", short_help="Convert a checkpoint of the original GECToR (AllenNLP)")
@takes(path_argument("checkpoint", "OFFICIAL.th"), ImportOptions, folder_output("The folder of the model."))
def import_official(checkpoint: Path, options: ImportOptions, output: Path) -> None:
    """Convert a checkpoint of the original GECToR (AllenNLP, .th) to one of ours.

    \b
    gec-fair gector import roberta_1_gectorv2.th --encoder roberta-base --labels labels.txt -o out/gectorv2
    """
    check_import(output)
    from gec_fair.gec.gector.labels import DETECTION, DETECTION_FILE, read_detection, read_labels
    from gec_fair.gec.gector.official import read_official
    from gec_fair.gec.gector.verbs import verb_forms
    from gec_fair.trainer.loop import replace

    labels = options.labels
    detection_file = (labels if labels.is_dir() else labels.parent) / DETECTION_FILE
    detection = read_detection(detection_file) if detection_file.is_file() else DETECTION
    tagger = read_official(
        checkpoint, options.encoder, read_labels(labels), verb_forms(options.verbs), detection=detection
    )
    card = f"Converted by gec_fair from `{checkpoint.name}`."
    replace(output.resolve(), lambda fresh: tagger.save(fresh, card=card))
    click.echo(f"{output}  {len(tagger.labels):,} tags")
