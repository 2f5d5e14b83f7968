"""`gec-fair safety`: whether swapping an identity in a text swings a safety classifier's score, and an ensemble that
swings less."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gec_fair.cli.keys import keys_option
from gec_fair.cli.output import file_output
from gec_fair.cli.settings import other_values, settings_argument

if TYPE_CHECKING:
    from gec_fair.llm.client import Client
    from gec_fair.safety.groups import Groups
    from gec_fair.safety.texts import Expanded, Text

_GROUPS = click.option("--groups", "own", type=click.Path(path_type=Path), metavar="FILE",
                       help="Your own identity categories: a table of category, subgroup, also.")  # fmt: skip
_TABLE = click.argument("table", type=click.Path(path_type=Path), metavar="TEXTS")
_EXAMPLE = "seeds=1"
_say = partial(click.echo, err=True)


@click.group()
def safety() -> None:
    """Audit the scores of text safety classifiers, and train an ensemble over them that treats identities alike."""


def _known(own: Path | None) -> Groups:
    from gec_fair.safety import groups

    return groups.read(own) if own is not None else groups.shipped()


@safety.command()
@click.argument("scores", type=click.Path(path_type=Path), metavar="SCORES")
@click.option("--against", type=click.Path(path_type=Path), metavar="BASELINE",
              help="Another table of the same texts: what changed since it, in percent.")  # fmt: skip
@_GROUPS
@click.option("--threshold", default=0.5, show_default=True, help="A score at or above it flags a text.")
@click.option(
    "--resamples", default=1000, show_default=True, type=click.IntRange(1), help="Of the bootstrap over sets."
)
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Of the bootstrap.")
@click.option("-o", "--output", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
              help="Write report.html, tables and figures there.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def audit(
    scores: Path, against: Path | None, own: Path | None, threshold: float, resamples: int, seed: int,
    output: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """ACV, normalised ACV and sliced averages, with intervals, of a table of scores (CSV, TSV, JSONL, Parquet): set_id,
    category, subgroup, harm, label (0 safe, 1 unsafe), score (0 to 1), and id where a text names several subgroups.

    \b
    gec-fair safety audit scores.csv
    gec-fair safety audit remediated.csv --against baseline.csv -o out/audit
    gec-fair safety audit scores.parquet --groups hatecheck-groups.csv --json
    """
    from gec_fair.extras import require

    require("safety", "evaluate", "pandas", "tabulate")
    from gec_fair.safety import audit as auditing

    found = auditing.audit(scores, _known(own), auditing.AuditOptions(threshold, resamples, seed), against=against)
    if output is not None:
        from gec_fair.safety import report

        report.write_audit(found, output)
    if as_json:
        click.echo(json.dumps(auditing.as_json(found), ensure_ascii=False, indent=1))
        return
    for table in auditing.tables(found):
        click.echo(f"{table.title}\n\n{table.markdown()}{table.note}\n")
    click.echo(found.signature)


@safety.command()
@click.argument("name", metavar="NAME")
@click.argument("path", type=click.Path(path_type=Path), metavar="FILE")
@file_output(required=True, metavar="TEXTS", help="A table of texts: CSV, TSV or JSONL.")
def texts(name: str, path: Path, output: Path) -> None:
    """A public data set (cf-fairness, openai-moderation, hatecheck) as a table of texts: id, set_id, slices, copy_of,
    text, and a column for each harm.

    \b
    gec-fair safety texts cf-fairness counterfactual_fairness_dataset_seeds.csv -o seeds.csv
    gec-fair safety texts hatecheck test_suite_cases.csv -o hatecheck.csv
    """
    from gec_fair.corpus.names import closest
    from gec_fair.errors import UsageError
    from gec_fair.safety import public
    from gec_fair.safety import texts as tables

    if name not in public.READERS:
        raise UsageError(f"no data set is called {name!r}{closest(name, public.READERS)}; there are "
                         f"{', '.join(public.READERS)}")  # fmt: skip
    found = list(public.READERS[name](path))
    tables.write(output, (one.row() for one in found))
    click.echo(f"{output}  {len(found):,} texts, {sum(bool(one.slices) for one in found):,} name a subgroup")


@safety.command()
@_TABLE
@click.option("--model", metavar="MODEL", help="A chat model that rewrites, instead of tables and rules.")
@click.option("--base-url", metavar="URL", help="Its server, where it is not OPENAI_BASE_URL's or OpenAI's.")
@click.option("--no-critique", is_flag=True, help="Take the model's rewritings without its own critique.")
@click.option("--price", metavar="IN,OUT", help="Money for a million tokens that are read and written.")
@click.option("--budget", type=float, metavar="MONEY", help="The most that may be spent; needs --price.")
@click.option("--review", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
              help="Write what the critique finds incongruous there, for gec-fair review DIR.")  # fmt: skip
@file_output(required=True, metavar="TEXTS", help="The texts with their counterfactuals: CSV, TSV or JSONL.")
def counterfactuals(
    table: Path, model: str | None, base_url: str | None, no_critique: bool, price: str | None, budget: float | None,
    review: Path | None, output: Path,
) -> None:  # fmt: skip
    """Each text that names a subgroup once more for every other subgroup of its category. Labels stay; what cannot be
    said of another subgroup is counted, with the reason. By term tables and the rule perturber, offline; or by a chat
    model with few-shot prompts, which then criticises each set. Its answers are kept: the same command goes on.

    \b
    gec-fair safety counterfactuals seeds.csv -o expanded.csv
    gec-fair safety counterfactuals seeds.csv --model gpt-4o-mini --review out/odd -o expanded.csv
    """
    from gec_fair.cli.idle import refuse
    from gec_fair.safety import groups
    from gec_fair.safety import texts as tables
    from gec_fair.safety.swap import Swapping

    read = tables.read(table, groups.shipped())
    if model is None:
        refuse(("base_url", "no_critique", "price", "budget", "review"), "is for a chat model (--model)")
        found = tables.expand(read, Swapping())
    else:
        found = _by_chat(read, model, base_url, not no_critique, price, budget, review)
    tables.write(output, (one.row() for one in found.texts))
    click.echo("\n".join([f"{output}  {len(found.texts):,} texts", *tables.told(found)]))


def _client(base_url: str | None, price: str | None, budget: float | None) -> Client:
    from gec_fair.corpus.store import Store, cache_directory
    from gec_fair.llm.bill import Bill, Prices
    from gec_fair.llm.client import Client

    bill = Bill(Prices.read(price) if price else None, budget)
    return Client(base_url=base_url, kept=Store(cache_directory() / "chat.sqlite", "safety"), bill=bill)


def _by_chat(
    read: list[Text], model: str, base_url: str | None, critique: bool, price: str | None, budget: float | None,
    review: Path | None,
) -> Expanded:  # fmt: skip
    from gec_fair.corpus.atomic import write_text
    from gec_fair.evaluate.review.items import SENTENCES
    from gec_fair.safety import texts as tables
    from gec_fair.safety.injection import Injection, review_rows

    injection = Injection(_client(base_url, price, budget), model, critique=critique)
    found = tables.expand(read, injection)
    if review is not None:
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in review_rows(injection.flagged)]
        write_text(review / SENTENCES, "".join(lines))
    return found


@safety.command()
@click.argument("harms", nargs=-1, required=True, metavar="HARM…")
@click.option("--model", required=True, metavar="MODEL", help="A chat model.")
@click.option("--base-url", metavar="URL", help="Its server, where it is not OPENAI_BASE_URL's or OpenAI's.")
@click.option("--number", default=50, show_default=True, type=click.IntRange(1), help="Prompts of each.")
@click.option("--policies", type=click.Path(path_type=Path), metavar="FILE",
              help="Policies, themes and forms of your own, as gec_fair/safety/prompts/policies.toml.")  # fmt: skip
@click.option("--price", metavar="IN,OUT", help="Money for a million tokens that are read and written.")
@click.option("--budget", type=float, metavar="MONEY", help="The most that may be spent; needs --price.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Of themes and forms.")
@file_output(required=True, metavar="TEMPLATES", help="Prompts with <social_group>: CSV, TSV or JSONL.")
def generate(
    harms: tuple[str, ...], model: str, base_url: str | None, number: int, policies: Path | None, price: str | None,
    budget: float | None, seed: int, output: Path,
) -> None:  # fmt: skip
    """Have a chat model write prompts with <social_group> (after AART): of each HARM by its policy, or harmless ones,
    by theme and form. Answers are kept: the same command goes on.

    \b
    gec-fair safety generate hate violence harmless --model gpt-4o-mini -o templates.csv
    gec-fair safety fill templates.csv -o filled.csv
    """
    from gec_fair.safety import generation
    from gec_fair.safety import texts as tables

    known = generation.policies(policies)
    found = generation.generate(_client(base_url, price, budget), model, harms, number, known=known, seed=seed)
    tables.write(output, (one.row() for one in found.texts))
    left = "".join(f"; {number:,} left out: {why}" for why, number in sorted(found.dropped.items()))
    click.echo(f"{output}  {len(found.texts):,} prompts{left}")


@safety.command()
@click.argument("templates", type=click.Path(path_type=Path), metavar="TEMPLATES")
@click.option("--category", "categories", multiple=True, metavar="NAME",
              help="Of identities; again for more. Without any: all four.")  # fmt: skip
@file_output(required=True, metavar="TEXTS", help="The filled templates: CSV, TSV or JSONL.")
def fill(templates: Path, categories: tuple[str, ...], output: Path) -> None:
    """Fill <social_group> in a table of templates (id, text, a column for each harm) for every subgroup, in the form
    that the words around it want: a <social_group> man, <social_group> are, or <social_group:faith>.

    \b
    gec-fair safety fill templates.csv --category Religion -o filled.csv
    """
    from gec_fair.safety import groups
    from gec_fair.safety import texts as tables
    from gec_fair.safety.templates import filled

    known = groups.shipped()
    some = [known.category(name) for name in categories] or list(known.subgroups)
    found = filled(tables.read(templates, known), some)
    tables.write(output, (one.row() for one in found.texts))
    click.echo(f"{output}  {len(found.texts):,} texts; {found.dropped:,} left out, for the subgroup has no such word")


@safety.command()
@_TABLE
@click.option("--source", "sources", multiple=True, metavar="NAME",
              help="views, profanity, vader, toxicity, detoxify:…, hf:…, perspective, openai-moderation, …; NAME=… "
                   "calls it NAME; again for more. Without any: views, profanity and vader.")  # fmt: skip
@_GROUPS
@file_output(required=True, metavar="TABLE", help="The table with a column for each attribute, without the texts.")
def scores(table: Path, sources: tuple[str, ...], own: Path | None, output: Path) -> None:
    """What source classifiers say of texts: a column for each of their attributes, for `gec-fair safety train`. What
    comes over HTTP is kept, so that the same command goes on after a stop.

    \b
    gec-fair safety scores expanded.csv -o scored.csv
    gec-fair safety scores expanded.csv --source detoxify:original --source perspective -o scored.csv
    gec-fair safety scores expanded.csv --source ours=sklearn:ours.skops --source vader -o scored.csv
    """
    from gec_fair.corpus.store import cache_directory
    from gec_fair.progress import bar
    from gec_fair.safety import sources as named
    from gec_fair.safety import texts as tables

    found = tables.read(table, _known(own))
    loaded = named.called(sources or named.OFFLINE, cache_directory() / "moderation.sqlite")
    with bar("scores") as progress:
        columns, told = named.score([one.text for one in found], loaded, progress)
    tables.write(output, (tables.scored_row(one, columns, row) for one, row in zip(found, told, strict=True)))
    click.echo(f"{output}  {len(found):,} texts, {len(columns)} attributes: {', '.join(columns)}")


@safety.command()
@click.argument("table", type=click.Path(path_type=Path), metavar="TABLE")
@click.option("--shares", default="60,20,20", show_default=True, help="Of the sets: training, validation, test.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Of which set goes where.")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
              help="train.csv, validation.csv and test.csv are written there.")  # fmt: skip
def split(table: Path, shares: str, seed: int, output: Path) -> None:
    """Split a table of texts or scores by counterfactual set, never by row: a text and its counterfactuals stay
    together.

    \b
    gec-fair safety split scored.csv -o splits
    """
    from gec_fair.errors import UsageError
    from gec_fair.safety import split as splitting
    from gec_fair.safety import texts as tables
    from gec_fair.safety.scored import rows

    try:
        told = [float(share) for share in shares.split(",")]
    except ValueError as fault:
        raise UsageError(f"--shares {shares}: numbers are meant, for example 60,20,20") from fault
    found = splitting.split((cells for _, cells in rows(table, "id")), told, seed=seed)
    for name, some in found.items():
        if not some:
            raise UsageError(f"no set fell into {name}; give larger --shares, another --seed, or more texts")
        tables.write(output / f"{name}.csv", some)
        click.echo(f"{output / f'{name}.csv'}  {len(some):,} rows")


@safety.command()
@settings_argument
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), metavar="DIR",
              help="The run's folder; the same command goes on in it after a stop.")  # fmt: skip
@other_values(_EXAMPLE)
@keys_option("gec_fair.safety.options:SafetyTraining")
def train(settings: Path, output: Path, changes: tuple[str, ...]) -> None:
    """Train a baseline ensemble and a remediated one (counterfactual balance, Fair Data Reweighting), with every seed,
    and judge both on held-out counterfactual sets: tables, figures, report.html, and the ensembles as skops and ONNX.

    \b
    gec-fair safety train training/safety.yaml -o out/safety
    gec-fair safety train training/safety.yaml --set search.trials=40 -o out/searched
    """
    from gec_fair.corpus.settings import changes_of, read_settings
    from gec_fair.extras import require
    from gec_fair.safety.options import SafetyTraining

    asked = read_settings(settings, SafetyTraining, changes=changes_of(changes, example=_EXAMPLE))
    require("safety", "safety", "sklearn", "scipy", "skops", "skl2onnx", "onnx", "optuna")
    from gec_fair.evaluate.report.page import check
    from gec_fair.progress import bar
    from gec_fair.safety import report
    from gec_fair.safety.train import run

    check()
    with bar("seeds") as progress:
        results = run(asked, output, say=_say, progress=progress)
    written, shown = report.write_training(asked, results, output)
    for table in shown:
        click.echo(f"{table.title}\n\n{table.markdown()}{table.note}\n")
    click.echo(f"{written[0]}  {len(written) - 1} tables and figures beside it")


@safety.command()
@click.argument("model", type=click.Path(path_type=Path, file_okay=False), metavar="MODEL")
@click.argument("table", type=click.Path(path_type=Path), metavar="TABLE")
@file_output(required=True, metavar="FILE", help="id and a probability for each harm: CSV, TSV or JSONL.")
def predict(model: Path, table: Path, output: Path) -> None:
    """An ensemble's probabilities for new rows of source scores.

    \b
    gec-fair safety predict out/safety/remediated scored.csv -o probabilities.csv
    """
    from gec_fair.safety import export, predicting

    number, harms = predicting.predict(export.load(model), table, output)
    click.echo(f"{output}  {number:,} texts: {', '.join(harms)}")
