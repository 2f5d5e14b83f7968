"""`gec-fair perturber`: a seq2seq model that rewrites demographic references, and the rewritings it learns from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gec_fair.cli.fairness.annotate import annotate
from gec_fair.cli.options.command import option, overrides, path_argument, takes
from gec_fair.cli.options.groups import Group
from gec_fair.cli.options.results import json_option, print_parts, print_result, result_options
from gec_fair.cli.options.settings import reads, seed_option, train_output
from gec_fair.cli.options.training import tell_left_out, train_by
from gec_fair.errors import UsageError
from gec_fair.extras import require
from gec_fair.perturber.neural.options import PerturberTraining
from gec_fair.perturber.rewriting.options import PerturbOptions

_LEFT_OUT = {"too_long": "rows over max_pieces", "word_absent": "rows whose selected word is not in their text"}
perturber = Group(
    help="""The neural perturber: how its data are annotated, its training, and how near it comes to
    people (Qian et al.)."""
)


perturber.add_command(annotate)


@perturber.command(short_help="Fine-tune a neural perturber on PANDA")
@reads(PerturberTraining, "train", "dev", "start")
@takes(seed_option("Data order, dropout and new rows."), train_output, json_option)
def train(options: PerturberTraining, seed: int, output: Path) -> None:
    """Fine-tune one on PANDA's rows; the model lies in DIR/best.

    \b
    gec-fair perturber train training/perturber.yaml --train panda_train.csv --dev panda_valid.csv -o out/perturber
    """
    done = train_by("gec_fair.perturber.neural.train", options, output, seed=seed)
    tell_left_out(done, _LEFT_OUT)
    if "bleu" in done.result:
        figures = "{bleu:.1f} on {bleu_rows:,} validation rows; the texts as they were: {bleu_copied:.1f}"
        print_parts("BLEU " + figures.format(**done.result))


@perturber.command(short_help="Compare perturbers with human rewritings (Table 2)")
@path_argument("data", "PANDA.csv")
@option("--systems", "A,B", "rules, copy (no change), augly, nlpaug, or a model: neural:NAME.", default="rules,copy")
@takes(option("--limit", "N", "Rows that are read.", type=click.IntRange(1)), result_options)
def evaluate(data: Path, systems: str, limit: int | None) -> None:
    """Table 2: BLEU, ROUGE and word-level Levenshtein of rewritings against the annotators', the paper's beside them.

    \b
    gec-fair perturber evaluate panda_valid.csv --systems rules,copy,neural:facebook/perturber
    """
    from gec_fair.perturber.neural.evaluate import compare, parts

    require("BLEU and ROUGE", "perturber", "sacrebleu", "rouge_score")
    results = compare(data, systems.split(","), limit=limit)
    print_result(results, *parts(results))


@perturber.command(short_help="Score how much of each line can be perturbed")
@path_argument("text", "TEXT")
@click.option("--m0", default=1.0, show_default=True, help="Weight of a person entity.")
@click.option("--m1", default=1.0, show_default=True, help="Weight of a perturbable word.")
@option("--limit", "N", "Lines that are read.", type=click.IntRange(1))
@takes(overrides(PerturbOptions, "english", instead_of="embedded"), json_option)
def score(text: Path, m0: float, m1: float, limit: int | None, changes: dict[str, Any]) -> None:
    """How much of each line can be perturbed (equation 2): the score, a tab, the line; the highest first.

    \b
    gec-fair perturber score corpus.txt --limit 10000
    """
    from itertools import islice

    from gec_fair.data.text_files import refuse_endless
    from gec_fair.english.running_text.sentences import read_lines
    from gec_fair.perturber.rewriting.perturb import Perturbing
    from gec_fair.perturber.rewriting.perturbability import perturbability

    lines = list(islice(read_lines(text), limit))
    for number, line in enumerate(lines, 1):
        refuse_endless(line, f"{text}:{number}")
    perturbing = Perturbing(PerturbOptions(**changes))
    docs = perturbing.parse([perturbing.tokens([line]) for line in lines])
    scores = [perturbability(doc, perturbing.finder.find(doc), m0=m0, m1=m1) for doc in docs]
    order = sorted(range(len(lines)), key=lambda n: (-scores[n], n))
    rows = [{"score": scores[number], "text": lines[number]} for number in order]
    print_result(rows, *(f"{scores[number]:.4f}\t{lines[number]}" for number in order))


@perturber.command(short_help="Measure how far annotators agree (Table 8)")
@takes(path_argument("files", "A.csv B.csv ...", nargs=-1), result_options)
def agreement(files: tuple[Path, ...]) -> None:
    """Table 8: how far annotators' rewritings of the same rows agree, a file each, the paper's figures beside them.

    \b
    gec-fair perturber agreement annotator1.csv annotator2.csv annotator3.csv
    """
    from gec_fair.perturber.neural.evaluate import agreement_table
    from gec_fair.perturber.neural.metrics import agreement as agreed
    from gec_fair.perturber.neural.panda import read_annotators

    if len(files) < 2:
        raise UsageError("agreement is between annotators; give two files or more")
    require("BLEU and ROUGE", "perturber", "sacrebleu", "rouge_score")
    measures = agreed([[row.rewritten for row in rows] for rows in read_annotators(files)])
    print_result(measures, agreement_table(measures))
