"""`gec-fair fairscore`: how often a classifier changes its mind when a text's people change."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

import click

from gec_fair.cli.options.output import file_output
from gec_fair.cli.options.results import print_parts, result_options
from gec_fair.cli.options.unused import refuse
from gec_fair.fairscore.api import table_of
from gec_fair.progress import bar
from gec_fair.report.table import Part

Command = TypeVar("Command", bound=Callable[..., Any])

_MOST_SHOWN = 5  # flipped examples
_OF_A_FILE = (
    click.option("--fields", default="text", show_default=True, metavar="A,B", help="Of your own file: its texts."),
    click.option("--label", default="label", show_default=True, metavar="NAME", help="Of your own file: its answers."),
    click.option(
        "--rename", multiple=True, metavar="A=B", help="A label of the data as the model calls it; again for more."
    ),
)


def file_options(command: Command) -> Command:
    """What is said of a file of one's own."""
    for option in reversed(_OF_A_FILE):
        command = option(command)
    return command


@click.command()
@click.option(
    "--task", required=True, metavar="NAME|FILE", help="cola, sst2, stsb, qqp, mrpc, rte, qnli, race; hub:NAME; a file."
)
@click.option(
    "--model",
    required=True,
    metavar="NAME",
    help="tfidf, hf:NAME, sklearn:FILE.skops, command:PROGRAM, openai:MODEL, toxicity.",
)
@file_options
@click.option(
    "--train", type=click.Path(path_type=Path), metavar="FILE", help="Of your own file: what tfidf learns from."
)
@click.option("--perturber", default="rules", show_default=True, metavar="NAME", help="rules, or neural:MODEL.")
@click.option("--axes", default="gender,race,age", show_default=True, help="What is perturbed.")
@click.option("--lexicon", default="", metavar="DIR", help="Your own tables, laid over ours; they may add axes.")
@click.option(
    "--sampling",
    type=click.Choice(("uniform", "axes")),
    default="uniform",
    show_default=True,
    help="uniform: any word with any target (Algorithm 1); axes: an axis first, rare ones as often (footnote 2).",
)
@click.option("--check-labels", is_flag=True, help="Leave out examples whose label may have changed (aunt/uncle).")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Examples that are read.")
@click.option("--seed", default=0, show_default=True, help="Of what is perturbed, and of the bootstrap.")
@click.option("--no-cache", is_flag=True, help="openai: ask anew for every text, and keep nothing.")
@file_output(endings=(".json",), metavar="FILE", help="Keep the JSON, flips and all.")
@result_options
def fairscore(
    task: str,
    model: str,
    fields: str,
    label: str,
    train: Path | None,
    rename: tuple[str, ...],
    perturber: str,
    axes: str,
    lexicon: str,
    sampling: Literal["uniform", "axes"],
    check_labels: bool,
    limit: int | None,
    seed: int,
    no_cache: bool,
    output: Path | None,
    as_json: bool,
) -> None:
    """The share of examples whose prediction flips when gender, race or age in them is perturbed, of those that were.

    \b
    gec-fair fairscore --task sst2 --model tfidf
    gec-fair fairscore --task rte --model hf:textattack/roberta-base-RTE --check-labels -o rte.json
    gec-fair fairscore --task reviews.csv --fields text --label stars --model sklearn:stars.skops
    gec-fair fairscore --task comments.csv --label toxic --rename 1=toxic --rename 0=non-toxic --model toxicity
    """
    from gec_fair.extras import require

    require("fairscore", "fairscore", "sklearn", "scipy")
    from gec_fair.fairscore.api import measure
    from gec_fair.fairscore.examples import is_file
    from gec_fair.fairscore.tuning import figures_beside, paper
    from gec_fair.runs.atomic import write_text

    if not is_file(task):
        refuse(("fields", "label", "train"), f"is for a file of your own, and {task} is a task")
    if model != "tfidf":
        refuse(("train",), f"is for --model tfidf; {model} learns nothing here")
    result = measure(
        model,
        task,
        fields=tuple(fields.split(",")),
        label=label,
        perturber=perturber,
        axes=tuple(axes.split(",")),
        lexicon=lexicon,
        sampling=sampling,
        check_labels=check_labels,
        limit=limit,
        train=train,
        rename=renamed_labels(rename),
        seed=seed,
        no_cache=no_cache,
        progress=bar,
    )
    measured = result.measured
    model_name = result.version if model.startswith("command:") else model  # a program's words may hold a key
    record = {"task": task, "model": model_name, **measured.as_json(), "paper": paper(task)}
    text = json.dumps(record, ensure_ascii=False, indent=1)
    if output is not None:
        write_text(output, text + "\n")
    if as_json:
        click.echo(text)
    else:
        print_parts(*_parts(measured), *figures_beside(task))


def renamed_labels(words: Sequence[str]) -> dict[str, str]:
    """Of the words of --rename. UsageError for one that is none."""
    from gec_fair.errors import UsageError

    pairs = [word.partition("=") for word in words]
    if wrong := [word for word, (old, _, new) in zip(words, pairs, strict=True) if not old or not new]:
        raise UsageError(f"--rename wants OLD=NEW, not {wrong[0]!r}")
    return {old: new for old, _, new in pairs}


def _parts(measured: Any) -> Sequence[Part]:
    if measured.metric == "pearson":
        return [
            f"{measured.metric} {measured.original:.2f} on {measured.counts['examples']:,} examples; "
            "a regression has no fairscore, for no prediction flips",
            measured.signature,
        ]
    lines: list[Part] = [table_of(measured)]
    counts = ", ".join(f"{number:,} {name.replace('_', ' ')}" for name, number in measured.counts.items())
    lines += ["", f"{measured.metric} {measured.original:.2f} on the original examples; {counts}", ""]
    for example in measured.flipped[:_MOST_SHOWN]:
        lines.append(
            f"{example.before} → {example.after}: {' || '.join(example.original)}\n    {' || '.join(example.perturbed)}"
        )
    if (more := len(measured.flipped) - _MOST_SHOWN) > 0:
        lines.append(f"… and {more:,} more flips; all are in the JSON (-o FILE, or --json)")
    return [*lines, measured.signature]
