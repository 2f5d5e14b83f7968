"""`gec-fair perturber`: a seq2seq model that rewrites demographic references, and the rewritings it learns from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from gec_fair.cli.fairness.annotate import annotate
from gec_fair.cli.options.groups import Group
from gec_fair.cli.options.left_out import tell_left_out
from gec_fair.cli.options.results import counts_option, print_counts, print_json, print_parts, result_options
from gec_fair.cli.options.settings import reads, seed_option, show, train_output
from gec_fair.models.locate import find_model
from gec_fair.perturber.neural.options import PerturberTraining
from gec_fair.report.table import Column, Table, right

_MODULES = ("torch", "transformers", "datasets")
_NAMES = {"bleu": "sacrebleu", "rougeL": "rouge_l", "rougeLsum": "rouge_lsum"}
"""Our names of Table 8's measures, as the paper's table has them."""
_LEFT_OUT = {"too_long": "rows over max_pieces", "word_absent": "rows whose selected word is not in their text"}


@click.group(cls=Group)
def perturber() -> None:
    """The neural perturber: how its data are annotated, its training, and how near it comes to people (Qian et al.)."""


perturber.add_command(annotate)


@perturber.command(short_help="Fine-tune a neural perturber on PANDA")
@reads(PerturberTraining, "train", "dev", "start")
@seed_option("Data order, dropout and new rows.")
@train_output
@counts_option
def train(options: PerturberTraining, seed: int, output: Path) -> None:
    """Fine-tune one on PANDA's rows; the model lies in DIR/best.

    \b
    gec-fair perturber train training/perturber.yaml --train panda_train.csv --dev panda_valid.csv -o out/perturber
    """
    from gec_fair.extras import require

    require("training", "train", *_MODULES)
    find_model(options.start)
    from gec_fair.perturber.neural.train import train as run

    done = run(options, output, seed=seed)
    show(done)
    tell_left_out(done, _LEFT_OUT)
    if "bleu" in done.result:
        figures = "{bleu:.1f} on {bleu_rows:,} validation rows; the texts as they were: {bleu_copied:.1f}"
        print_parts("BLEU " + figures.format(**done.result))


@perturber.command(short_help="Compare perturbers with human rewritings (Table 2)")
@click.argument("data", type=click.Path(path_type=Path), metavar="PANDA.csv")
@click.option(
    "--systems",
    default="rules,copy",
    show_default=True,
    metavar="A,B",
    help="rules, copy (nothing changed), augly, nlpaug, or a model: neural:NAME.",
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Rows that are read.")
@result_options
def evaluate(data: Path, systems: str, limit: int | None, as_json: bool) -> None:
    """Table 2: BLEU, ROUGE and word-level Levenshtein of rewritings against the annotators', the paper's beside them.

    \b
    gec-fair perturber evaluate panda_valid.csv --systems rules,copy,neural:facebook/perturber
    """
    from gec_fair.extras import require
    from gec_fair.perturber.neural.evaluate import compare, parts

    require("BLEU and ROUGE", "perturber", "sacrebleu", "rouge_score")
    results = compare(data, systems.split(","), limit=limit)
    if as_json:
        print_json(results)
    else:
        print_parts(*parts(results))


@perturber.command(short_help="Score how much of each line can be perturbed")
@click.argument("text", type=click.Path(path_type=Path), metavar="TEXT")
@click.option("--m0", default=1.0, show_default=True, help="Weight of a person entity.")
@click.option("--m1", default=1.0, show_default=True, help="Weight of a perturbable word.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Lines that are read.")
@click.option(
    "--english",
    default="embedded",
    show_default=True,
    metavar="NAME",
    help="Another spaCy pipeline (name or folder); where it finds entities, persons are its.",
)
@counts_option
def score(text: Path, m0: float, m1: float, limit: int | None, english: str) -> None:
    """How much of each line can be perturbed (equation 2): the score, a tab, the line; the highest first.

    \b
    gec-fair perturber score corpus.txt --limit 10000
    """
    from itertools import islice

    from gec_fair.data.text_files import refuse_endless
    from gec_fair.english.running_text.sentences import read_lines
    from gec_fair.perturber.rewriting.options import PerturbOptions
    from gec_fair.perturber.rewriting.perturb import Perturbing
    from gec_fair.perturber.rewriting.perturbability import perturbability

    lines = list(islice(read_lines(text), limit))
    for number, line in enumerate(lines, 1):
        refuse_endless(line, f"{text}:{number}")
    perturbing = Perturbing(PerturbOptions(english=english))
    docs = perturbing.parse([perturbing.tokens([line]) for line in lines])
    scores = [perturbability(doc, perturbing.finder.find(doc), m0=m0, m1=m1) for doc in docs]
    order = sorted(range(len(lines)), key=lambda n: (-scores[n], n))
    rows = [{"score": scores[number], "text": lines[number]} for number in order]
    print_counts(rows, *(f"{scores[number]:.4f}\t{lines[number]}" for number in order))


@perturber.command(short_help="Measure how far annotators agree (Table 8)")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="A.csv B.csv ...")
@result_options
def agreement(files: tuple[Path, ...], as_json: bool) -> None:
    """Table 8: how far annotators' rewritings of the same rows agree, a file each, the paper's figures beside them.

    \b
    gec-fair perturber agreement annotator1.csv annotator2.csv annotator3.csv
    """
    from gec_fair.errors import InputError, UsageError
    from gec_fair.extras import require
    from gec_fair.perturber.neural import panda
    from gec_fair.perturber.neural.metrics import agreement as agreed

    if len(files) < 2:
        raise UsageError("agreement is between annotators; give two files or more")
    require("BLEU and ROUGE", "perturber", "sacrebleu", "rouge_score")
    first, *others = files
    annotators = [panda.read(file) for file in files]
    for file, rows in zip(others, annotators[1:], strict=True):
        if len(rows) != len(annotators[0]):
            raise InputError(f"{file}: has {len(rows):,} rows, and {first} {len(annotators[0]):,}; give the same rows")
        for number, (a, b) in enumerate(zip(annotators[0], rows, strict=True), 1):
            if (a.original, a.word, a.target) != (b.original, b.word, b.target):
                raise InputError(
                    f"{file}: row {number} is not about the text, word and attribute of {first}'s; give "
                    "rows in the same order"
                )
    agreement = agreed([[row.rewritten for row in rows] for rows in annotators])
    if as_json:
        print_json(agreement)
        return
    print_parts(_table_8(agreement))


def _table_8(measures: Mapping[str, float]) -> Table:
    from gec_fair.report.papers import read_printed

    theirs = read_printed("qian2022").get("table_8", {})
    records = [
        {"measure": name, "here": value, "paper": theirs.get(_NAMES.get(name, name))}
        for name, value in measures.items()
    ]
    columns = (Column("measure"), right("here", "{:.2f}"), right("paper", header="Qian et al. 2022"))
    return Table("agreement", "Agreement of annotators", records, columns=columns)
