"""`gec-fair razor`: which documents give their label away by their surface, and what they read like without that."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gec_fair.cli.idle import refuse
from gec_fair.cli.keys import keys_option
from gec_fair.cli.output import file_output
from gec_fair.cli.settings import other_values

if TYPE_CHECKING:
    from gec_fair.razor.documents import Fields
    from gec_fair.razor.explain import Examined
    from gec_fair.razor.methods import Backbone
    from gec_fair.razor.score import Found

Command = TypeVar("Command", bound=Callable[..., Any])

_SHOWN = 10  # documents, and words of each label
_FIELDS = tuple(click.option(f"--{what}", metavar="NAME", help=f"The field that holds {told}.") for what, told in (
    ("id", "its name"), ("label", "its label"), ("text", "what is scored"), ("evidence", "what stays"),
))  # fmt: skip


def field_options(command: Command) -> Command:
    """Names of a row's fields."""
    for option in reversed(_FIELDS):
        command = option(command)
    return command


def fields_of(given: dict[str, Any]) -> Fields:
    """Of the options, which are taken out of `given`."""
    from gec_fair.razor.documents import Fields

    return Fields(**{what: given.pop(what) for what in ("id", "label", "text", "evidence")})


@click.group()
def razor() -> None:
    """Find the documents whose surface gives their label away, and rewrite them (Yang et al. 2024)."""


@razor.command()
@click.argument("data", type=click.Path(path_type=Path))
@field_options
@click.option("--mode", default="contrast", show_default=True, metavar="NAME", help="contrast, paper or published.")
@click.option("--space", default="", metavar="NAME", help="positions, tfidf or encoder:NAME.  [default: by mode]")
@click.option("--dimensions", default=64, show_default=True, metavar="N", help="λ, of positions.")
@click.option("--encoding", type=click.Choice(("paper", "standard")), default="paper", show_default=True,
              help="Of positions: the exponent 2k/λ, or 2⌊k/2⌋/λ.")  # fmt: skip
@click.option(
    "--words",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="In the output, each document's N words that add most.",
)
@click.option(
    "--top",
    type=click.IntRange(0),
    default=_SHOWN,
    show_default=True,
    metavar="N",
    help="Documents, and words a label, shown.",
)
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="The highest 200, their "
              "words coloured.")  # fmt: skip
@file_output(metavar="FILE", help="Every document's id, label and score, highest first.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def score(
    data: Path, mode: Any, space: str, dimensions: int, encoding: Any, words: int, top: int, html: Path | None,
    output: Path | None, as_json: bool, **given: Any,
) -> None:  # fmt: skip
    """Rank documents, and words, by how much they give the label away. DATA is JSONL, CSV or TSV: a label and a text,
    or a claim and its evidence.

    \b
    gec-fair razor score train.jsonl -o scores.jsonl
    gec-fair razor score snli_train.jsonl --mode paper --html snli.html
    gec-fair razor score reviews.csv --text review --label stars --words 3 -o scores.jsonl
    """
    from gec_fair.corpus.atomic import write_text
    from gec_fair.extras import require
    from gec_fair.razor import documents
    from gec_fair.razor.marked import page
    from gec_fair.razor.score import ScoreOptions
    from gec_fair.razor.score import score as scored

    require("razor", "razor", "scipy")
    options = ScoreOptions(mode, space, dimensions, encoding)
    if options.where != "positions":
        refuse(("dimensions", "encoding"), "is for the space of positions; name it, or --mode paper")
    if output is None:
        refuse(("words",), "is for the output; name a file with -o")
    found, faults = documents.read(data, fields_of(given))
    documents.tell(faults)
    ranked = scored(found, options)
    if output is not None:
        write_text(output, "".join(_lines(ranked, words)))
    if html is not None:
        write_text(html, page(ranked, 200))
    click.echo(json.dumps(_as_json(ranked, top), ensure_ascii=False, indent=1) if as_json else _table(ranked, top))


def _lines(found: Found, words: int) -> Iterator[str]:
    for each in found.ranked:
        row: dict[str, Any] = {"id": each.document.id, "label": each.document.label, "score": each.score}
        if words:
            row["words"] = sorted(each.words, key=lambda word: -word[1])[:words]
        yield json.dumps(row, ensure_ascii=False) + "\n"


def _as_json(found: Found, top: int) -> dict[str, Any]:
    return {
        "documents": [{"id": each.document.id, "label": each.document.label, "score": each.score,
                       "words": each.words} for each in found.ranked[:top]],
        "words": [{"label": each.label, "word": each.word, "documents": each.documents, "total": each.total,
                   "mean": each.mean} for label in found.counts for each in _of(found, label, top)],
        "measures": found.measures, "labels": found.counts, "signature": found.signature,
    }  # fmt: skip


def _of(found: Found, label: str, top: int) -> list[Any]:
    return [each for each in found.words if each.label == label][:top]


def _table(found: Found, top: int) -> str:
    from gec_fair.razor.marked import marked

    style: Any = "ansi" if sys.stdout.isatty() else "line"
    counts = ", ".join(f"{number:,} {label}" for label, number in found.counts.items())
    lines = [f"{len(found.ranked):,} documents: {counts}", ""]
    lines += ["| score | label | id | text |", "| ---: | --- | --- | --- |"]
    lines += [f"| {each.score:.4f} | {each.document.label} | {each.document.id} | {marked(each, style)} |"
              for each in found.ranked[:top]]  # fmt: skip
    if found.words:
        lines += ["", "| label | word | documents | added to all | to each |", "| --- | --- | ---: | ---: | ---: |"]
        lines += [f"| {each.label} | {each.word} | {each.documents:,} | {each.total:.3f} | {each.mean:.4f} |"
                  for label in found.counts for each in _of(found, label, top)]  # fmt: skip
    measures = [f"{name} {value:.6g}" for name, value in found.measures.items() if value is not None]
    return "\n".join([*lines, "", *([", ".join(measures)] if measures else []), found.signature])


@razor.command()
@click.argument("data", type=click.Path(path_type=Path))
@field_options
@click.option("-o", "--output", type=click.Path(path_type=Path, file_okay=False), required=True, help="A folder.")
@click.option("--llm", metavar="MODEL", help="Rewrites and verifies, behind a server that speaks OpenAI's protocol.")
@click.option("--rewriter", metavar="NAME", help="llm:MODEL, or rules, which are embedded.  [default: by --llm]")
@click.option("--verifier", metavar="NAME",
              help="llm:MODEL, nli:MODEL, a classifier (hf:MODEL, sklearn:FILE.skops, …), or none.")  # fmt: skip
@click.option("--base-url", metavar="URL", help="The server.  [default: OPENAI_BASE_URL, else OpenAI's]")
@click.option("--mode", default="contrast", show_default=True, metavar="NAME", help="contrast or paper.")
@click.option("--space", default="", metavar="NAME", help="positions, tfidf or encoder:NAME.  [default: by mode]")
@click.option("--top", default=50, show_default=True, metavar="N", help="Documents of a label in a pass.")
@click.option(
    "--candidates", type=click.IntRange(1), default=3, show_default=True, metavar="N", help="Rewritings of a document."
)
@click.option("--tries", default=2, show_default=True, metavar="N", help="How often a document is rewritten at most.")
@click.option("--turns", default=100, show_default=True, metavar="N", help="Passes of each label at most.")
@click.option("--patience", default=1, show_default=True, metavar="N", help="Stop after so many turns without gain.")
@click.option("--stop", type=click.Choice(("distance", "objective")), default="distance", show_default=True,
              help="What a turn must gain: less distance of the labels' means, or equation 14.")  # fmt: skip
@click.option("--temperature", type=click.FloatRange(0, 2), default=0.7, show_default=True, help="Of the rewriter.")
@click.option(
    "--top-p", type=click.FloatRange(0, 1, min_open=True), default=0.9, show_default=True, help="Of the rewriter."
)
@click.option("--prompts", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER", help="Other prompts.")
@click.option("--price", metavar="IN,OUT", help="Of a million tokens that are read and written.")
@click.option("--budget", type=float, metavar="MONEY", help="The most that this command may spend; needs --price.")
@click.option("--dry-run", is_flag=True, help="Ask nothing; say what the first turn would cost.")
@click.option(
    "--at-once",
    type=click.IntRange(1),
    default=8,
    show_default=True,
    metavar="N",
    help="Requests on their way at a time.",
)
@click.option("--no-cache", is_flag=True, help="Ask anew, and keep no answers.")
@click.option("--seed", default=0, show_default=True, help="Of the rewriter's draws.")
def run(
    data: Path, output: Path, llm: str | None, rewriter: str | None, verifier: str | None, base_url: str | None,
    prompts: Path | None, price: str | None, budget: float | None, dry_run: bool, at_once: int, no_cache: bool,
    **given: Any,
) -> None:  # fmt: skip
    """Rewrite the documents that give their label away, until the labels' surfaces are alike; resumable.

    \b
    gec-fair razor run train.jsonl --llm gpt-4o-mini --price 0.15,0.60 --budget 5 -o out/razor
    gec-fair razor run train.jsonl --rewriter rules --verifier hf:out/fever -o out/razor
    gec-fair razor run train.jsonl --llm llama3.1 --base-url http://127.0.0.1:11434/v1 -o out/razor
    """
    from gec_fair.errors import UsageError
    from gec_fair.extras import require
    from gec_fair.razor import documents
    from gec_fair.razor import run as folder
    from gec_fair.razor.asking import PROMPTS
    from gec_fair.razor.joined import Asking, first_turn, rewriter_of, verifier_of
    from gec_fair.razor.rewriting import RewriteOptions
    from gec_fair.razor.score import ScoreOptions

    require("razor", "razor", "scipy")
    first = rewriter or (f"llm:{llm}" if llm else None)
    second = verifier or (f"llm:{llm}" if llm else first if first and first.startswith("llm:") else None)
    if first is None:
        raise UsageError("name the model that rewrites with --llm MODEL, or --rewriter rules")
    if second is None:
        raise UsageError(f"--rewriter {first} wants a --verifier: a classifier, nli:MODEL, llm:MODEL, or none")
    if not first.startswith("llm:"):
        refuse(("candidates", "temperature", "top_p", "seed", "dry_run"), f"is for a model, and {first} is none")
    fields = fields_of(given)
    how = {name: given.pop(name) for name in ("candidates", "temperature", "top_p", "seed")}
    options = RewriteOptions(ScoreOptions(given.pop("mode"), given.pop("space")), **given)
    folder_of_prompts = prompts or PROMPTS
    asking = Asking(base_url, price, budget, at_once=at_once, keep=not no_cache)
    found, faults = documents.read(data, fields)
    documents.tell(faults)
    proposing = rewriter_of(first, asking, folder_of_prompts, **how)
    if dry_run:
        click.echo(first_turn(found, options, proposing))
        return
    judging = verifier_of(second, asking, found, folder_of_prompts)
    try:
        made = folder.run(found, output, options, proposing, judging, fields=fields, faults=faults, progress=_pass_told)
        click.echo(_run_table(made))
    finally:
        if asking.bill is not None:
            click.echo(asking.bill.told())


def _pass_told(made: Any) -> None:
    print(f"pass {made.number + 1}, {made.label}: {len(made.replaced)} of {len(made.rows)} replaced, distance "
          f"{made.before['mmd']:.6g} → {made.after['mmd']:.6g}", file=sys.stderr)  # fmt: skip


def _run_table(made: Any) -> str:
    from gec_fair.razor.run import counts

    lines = ["| pass | label | tried | replaced | mean cosine | squared distance |",
             "| ---: | --- | ---: | ---: | --- | --- |"]  # fmt: skip
    lines += [f"| {each.number + 1} | {each.label} | {len(each.rows)} | {len(each.replaced)} | "
              f"{each.before['likeness']:.6g} → {each.after['likeness']:.6g} | "
              f"{each.before['mmd']:.6g} → {each.after['mmd']:.6g} |" for each in made.passes]  # fmt: skip
    told = ", ".join(f"{name} {number:,}" for name, number in counts(made.passes).items())
    return "\n".join([*lines, "", f"{made.changed:,} of {made.documents:,} documents read otherwise; {made.why}", told,
                      made.signature])  # fmt: skip


@razor.command()
@click.argument("data", type=click.Path(path_type=Path))
@click.argument("document")
@field_options
@click.option("--model", required=True, metavar="NAME",
              help="The classifier: hf:NAME, sklearn:FILE.skops, command:PROGRAM.")  # fmt: skip
@click.option("--part", default="", metavar="A,B", help="The words.  [default: the fewest that are enough]")
@click.option("--attribution", type=click.Choice(("attention", "occlusion", "gradients", "shapley")),
              help="h of lemma 1; the last two: [attribution].  [default: attention, of hf: models]")  # fmt: skip
@click.option("--rename", multiple=True, metavar="A=B", help="A label of the data as the model calls it.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def explain(
    data: Path, document: str, model: str, part: str, attribution: str | None, rename: tuple[str, ...], as_json: bool,
    **given: Any,
) -> None:  # fmt: skip
    """Are these words of DOCUMENT (its id) a shortcut of a classifier (definition 1), and do they carry its attribution
    (lemma 1)?

    \b
    gec-fair razor explain fever_dev.jsonl 35708 --model hf:out/fever --part only
    gec-fair razor explain reviews.jsonl r17 --model sklearn:stars.skops
    """
    from gec_fair.cli.fairscore import renamed_labels
    from gec_fair.razor import documents
    from gec_fair.razor.joined import examined

    found, faults = documents.read(data, fields_of(given))
    documents.tell(faults)
    words = tuple(filter(None, part.split(",")))
    told = examined(found, document, model, words, attribution, renamed_labels(rename))
    click.echo(json.dumps(_examined_json(told), ensure_ascii=False, indent=1) if as_json else _examined_table(told))


def _examined_json(told: Examined) -> dict[str, Any]:
    return {"words": told.words, "part": [told.words[i] for i in told.places], "label": told.label,
            "predicted": told.whole, "predicted_from_part": told.alone, "same": told.same, "wrong": told.wrong,
            "at_most_half": told.small, "shortcut": told.is_shortcut, "mean_attribution": told.mean,
            "mean_attribution_of_the_rest": told.rest, "carries": told.carries}  # fmt: skip


def _examined_table(told: Examined) -> str:
    shown = " ".join(f"*{word}*" if i in told.places else word for i, word in enumerate(told.words))
    sides = "–" if told.mean is None or told.rest is None else f"{told.mean:.4g} against {told.rest:.4g}"
    rows = [
        ("the same prediction from the part alone (equation 1)", told.same, f"{told.whole}, {told.alone}"),
        ("the prediction is wrong (equation 2)", told.wrong, f"{told.whole}, the label is {told.label}"),
        ("at most half of the words (equation 3)", told.small, f"{len(told.places)} of {len(told.words)}"),
        ("a shortcut (definition 1)", told.is_shortcut, ""),
        ("mean attribution at least the rest's (lemma 1)", told.carries, sides),
    ]
    lines = [shown, "", "| | | |", "| --- | --- | --- |"]
    answers = {True: "yes", False: "no", None: "–"}
    return "\n".join([*lines, *(f"| {what} | {answers[is_so]} | {detail} |" for what, is_so, detail in rows)])


@razor.command()
@click.option("--train", type=click.Path(path_type=Path), multiple=True, required=True, metavar="FILE",
              help="Training data; again for more.")  # fmt: skip
@click.option("--test", multiple=True, required=True, metavar="NAME=FILE", help="A test set; again for more.")
@click.option("--rewritten", type=click.Path(path_type=Path), metavar="FILE", help="razor: run's rewritten.jsonl.")
@click.option("--methods", default="original,eda,crossaug,rew,poe,clever", show_default=True, metavar="NAMES",
              help="Apart by commas; razor too, with --rewritten.")  # fmt: skip
@click.option("--labels", metavar="A,B", help="Documents with other labels are left out.  [default: all]")
@click.option("--claim-only", is_flag=True, help="Train and judge on claims without their evidence.")
@click.option("--seeds", type=click.IntRange(1), default=1, show_default=True, help="Trainings of each method.")
@click.option(
    "--pairs",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Train on N documents that the rewriting changed, drawn anew each time (figure 3).",
)
@click.option("--backbone", default="linear", show_default=True, metavar="NAME",
              help="linear, or an encoder (folder or hub name).")  # fmt: skip
@click.option("--settings", type=click.Path(path_type=Path), metavar="FILE.yaml", help="How an encoder is trained.")
@other_values("lora=0")
@keys_option("gec_fair.razor.fine_tuned:EncoderTraining")
@click.option("--runs", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
              help="An encoder's trainings; a killed command goes on in it.")  # fmt: skip
@field_options
@file_output(metavar="FILE", help="Keep the JSON.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def evaluate(
    train: tuple[Path, ...], test: tuple[str, ...], rewritten: Path | None, methods: str, labels: str | None,
    claim_only: bool, seeds: int, pairs: int, backbone: str, settings: Path | None, changes: tuple[str, ...],
    runs: Path | None, output: Path | None, as_json: bool, **given: Any,
) -> None:  # fmt: skip
    """Train a classifier by each method of debiasing, and judge it on every test set (table 1 in form).

    \b
    gec-fair razor evaluate --train train.jsonl --test fever=dev.jsonl --test symmetric=symmetric.jsonl --seeds 5
    gec-fair razor evaluate --train train.jsonl --rewritten new.jsonl --methods original,razor --test dev=dev.jsonl
    gec-fair razor evaluate --train t.jsonl --test d=d.jsonl --backbone M --settings training/razor.yaml --runs out/r
    """
    from gec_fair.corpus.atomic import write_text
    from gec_fair.errors import UsageError
    from gec_fair.extras import require
    from gec_fair.progress import bar
    from gec_fair.razor import evaluate as evaluating
    from gec_fair.razor.joined import data_of

    require("razor evaluate", "razor", "scipy", "sklearn")
    trained = _backbone(backbone, settings, changes, runs)
    fields = fields_of(given)
    kept = tuple(filter(None, (labels or "").split(",")))
    if wrong := [each for each in test if not all(each.partition("="))]:
        raise UsageError(f"--test wants NAME=FILE, not {wrong[0]!r}")
    data = data_of(train, fields, kept)
    tests = {name: data_of([Path(path)], fields, kept) for name, _, path in (each.partition("=") for each in test)}
    again = data_of([rewritten], fields, kept) if rewritten else []
    with bar("methods") as progress:
        rows = evaluating.evaluate(data, tests, tuple(filter(None, methods.split(","))), rewritten=again, seeds=seeds,
                                   claim_only=claim_only, pairs=pairs, backbone=trained,
                                   progress=progress)  # fmt: skip
    versions = {"original": data, **({"razor": again} if again else {})}
    told = {
        "rows": evaluating.as_json(rows), "train": len(data), "seeds": seeds, "claim_only": claim_only, "pairs": pairs,
        "negations": {name: evaluating.negations(some) for name, some in versions.items()},
        "repeated": {of: {name: evaluating.repeated(some, each) for name, some in versions.items()}
                     for of, each in tests.items()},
    }  # fmt: skip
    if output is not None:
        write_text(output, json.dumps(told, ensure_ascii=False, indent=1) + "\n")
    click.echo(json.dumps(told, ensure_ascii=False, indent=1) if as_json else _evaluated(told))


def _backbone(name: str, settings: Path | None, changes: tuple[str, ...], runs: Path | None) -> Backbone:
    """UsageError for settings without an encoder, or an encoder without its folder."""
    from gec_fair.cli.settings import read_options
    from gec_fair.errors import UsageError
    from gec_fair.extras import require
    from gec_fair.razor.fine_tuned import Encoder, EncoderTraining
    from gec_fair.razor.linear import Linear

    if name == "linear":
        refuse(("settings", "changes", "runs"), "is for encoders, and the linear one has no settings")
        return Linear()
    if settings is None or runs is None:
        raise UsageError(f"--backbone {name} is an encoder; give --settings training/razor.yaml and --runs DIR")
    require("an encoder as backbone", "train", "torch", "transformers")
    return Encoder(read_options(settings, EncoderTraining, changes, start=name), runs)


def _evaluated(told: dict[str, Any]) -> str:
    lines = ["| method | test set | examples | accuracy | 95 % interval | F1 |",
             "| --- | --- | ---: | ---: | --- | ---: |"]  # fmt: skip
    for row in told["rows"]:
        accuracy, f1 = (f"{row[name]:.2f}" + ("" if row[f"{name}_sd"] is None else f" ± {row[f'{name}_sd']:.2f}")
                        for name in ("accuracy", "f1"))  # fmt: skip
        lines.append(f"| {row['method']} | {row['test']} | {row['examples']:,} | {accuracy} | "
                     f"[{row['low']:.2f}, {row['high']:.2f}] | {f1} |")  # fmt: skip
    of = f"{told['pairs']:,} that were rewritten of " if told["pairs"] else ""
    lines += ["", f"{of}{told['train']:,} training documents, {told['seeds']} trainings of each; ± is the standard "
              "deviation over trainings, the interval is over test examples", ""]  # fmt: skip
    for name, shares in told["negations"].items():
        shown = ", ".join(f"{label} {share:.1f} %" for label, share in shares.items())
        lines.append(f"no, not in claims, {name}: {shown}")
    for name, shares in told["repeated"].items():
        shown = ", ".join(f"{of} {share:.1f} %" for of, share in shares.items())
        lines.append(f"claims of {name} that have five words in a row in common with a training claim: {shown}")
    return "\n".join(lines)
