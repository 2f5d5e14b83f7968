"""`gec-fair perturb`: rewrite gender, race or age in plain text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from gec_fair.cli.options.augmentation import min_sure_option
from gec_fair.cli.options.finished import tell_complaints, tell_complete
from gec_fair.cli.options.results import print_json, print_parts, result_options
from gec_fair.report.table import Column, Record, Table, right

_TABLE_14 = 128  # words of BabyLM's chunks


@click.command()
@click.argument("inputs", nargs=-1, required=True, metavar="TEXT…")
@click.option(
    "-o",
    "--output",
    "out",
    required=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Where rewritten.txt, ledger.jsonl and manifest.json go.",
)
@click.option(
    "--axes",
    default="",
    metavar="A,B",
    help="What may be perturbed: gender, race, age, or axes of --lexicon.  [default: all]",
)
@click.option(
    "--lexicon",
    default="",
    metavar="DIR",
    help="Your own tables, laid over ours: more terms and axes (docs/how-to/perturber.md).",
)
@click.option(
    "--perturber",
    default="rules",
    show_default=True,
    metavar="NAME",
    help="rules, or neural:MODEL, a seq2seq model such as neural:facebook/perturber.",
)
@click.option(
    "--sampling",
    type=click.Choice(("uniform", "axes")),
    default="uniform",
    show_default=True,
    help="uniform: any word with any target (Algorithm 1); axes: an axis first, rare ones as often (footnote 2).",
)
@click.option(
    "--targets",
    default="",
    metavar="A,B",
    help="Attributes that may be drawn; unstated-race, unstated-age … take one away.  [default: all]",
)
@click.option(
    "--tokens",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Chunks of so many words, across lines; 0 is a line each. 256 in FairBERTa's pretraining, 128 for BabyLM.",
)
@click.option(
    "--tries",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Pairs of a word and a target that are drawn until one changes the text; 0 is all.",
)
@click.option(
    "--insert",
    is_flag=True,
    help="Where nothing can be changed, insert an attribute before a noun for people: women, middle-aged women.",
)
@click.option(
    "--beams", type=click.IntRange(1), default=1, show_default=True, help="Of a neural perturber's search; 1 is greedy."
)
@click.option(
    "--refuse-strays",
    is_flag=True,
    help="Leave a text as it is where a model changed what has nothing to do with the drawn word.",
)
@min_sure_option
@click.option("--tokenised", is_flag=True, help="Words are what stands between spaces.")
@click.option("--seed", default=0, show_default=True, help="Which word, and which target.")
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Processes. The bytes are the same for any number.",
)
@click.option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    show_default=True,
    help="local: processes here; ray: Ray Data, where gec-fair[ray] is installed.",
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Stop after N lines or chunks.")
@click.option("--strict", is_flag=True, help="Exit 2 at the first line that is not UTF-8.")
@click.option("--overwrite", is_flag=True, help="Throw away what lies in DIR.")
@result_options
def perturb(
    inputs: tuple[str, ...],
    out: Path,
    axes: str,
    lexicon: str,
    perturber: str,
    sampling: str,
    targets: str,
    tokens: int,
    tries: int,
    insert: bool,
    beams: int,
    refuse_strays: bool,
    min_sure: float,
    tokenised: bool,
    seed: int,
    workers: int,
    engine: str,
    limit: int | None,
    strict: bool,
    overwrite: bool,
    as_json: bool,
) -> None:
    """Rewrite one demographic reference of each text, and all that goes with it (Qian et al. 2022, Algorithm 1).

    \b
    gec-fair perturb corpus.txt -o out/perturbed --workers 2
    gec-fair perturb novels.txt.xz -o out/fair --tokens 256 --axes gender,race
    gec-fair perturb corpus.txt -o out/aged --axes age --insert
    gec-fair perturb corpus.txt -o out/religion --lexicon lexicons/axes --axes religion
    gec-fair perturb corpus.txt -o out/neural --perturber neural:facebook/perturber --tokens 128
    """
    import gec_fair as gf
    from gec_fair.perturber.run import astray, axes_of, statistics
    from gec_fair.report.papers import printed

    final = gf.perturb_corpus(
        inputs,
        out,
        tokens=tokens,
        workers=workers,
        engine=engine,  # type: ignore[arg-type]
        limit=limit,
        strict=strict,
        overwrite=overwrite,
        axes=tuple(filter(None, axes.split(","))),
        lexicon=lexicon,
        targets=tuple(filter(None, targets.split(","))),
        sampling=sampling,  # type: ignore[arg-type]
        tries=tries,
        perturber=perturber,
        insert=insert,
        beams=beams,
        refuse_strays=refuse_strays,
        min_sure=min_sure,
        seed=seed,
        tokenised=tokenised,
    )
    manifest = final.manifest
    if as_json:
        print_json(manifest.as_json())
        return
    tell_complete(final)
    counts = manifest.counts
    share = 100 * counts["augmented"] / max(1, counts["lines"])
    print_parts(f"{out}: {counts['augmented']:,} of {counts['lines']:,} texts perturbed ({share:.1f} %)")
    for reason, number in manifest.reasons.get("discarded", {}).items():
        print_parts(f"{number:,} left as they were: {reason.replace('_', ' ')}")
    if perturber != "rules" and (number := astray(out)):
        print_parts(f"{number:,} changed beyond the drawn word and its chain; see detail in ledger.jsonl")
    theirs = printed("babylm").get("table_14", {}) if tokens == _TABLE_14 else {}
    rows = statistics(manifest.reasons.get("augmented", {}), axes_of(manifest.identity.options))
    print_parts(_rewritings(rows, counts["lines"], theirs))
    for warning in manifest.warnings:
        click.echo(f"warning: {warning}", err=True)
    tell_complaints(final)


def _rewritings(rows: Iterable[tuple[str, str, int]], texts: int, theirs: Mapping[str, Any]) -> Table:
    """How many texts were perturbed, by axis and target; `theirs`: the paper's shares, where they are comparable."""
    records: list[Record] = []
    for axis, target, number in rows:
        overall = theirs.get("overall", {}).get("any_change" if axis == "any" else axis)
        share = {"axis": axis, "to": target, "texts": number, "share": 100 * number / max(1, texts)}
        records.append({**share, "paper": theirs.get(axis, {}).get(target) or overall})
    columns = (Column("axis"), Column("to"), right("texts", "{:,}"), right("share", "{:.1f}", "%"))
    paper = (right("paper", header="BabyLM, Table 14"),) if theirs else ()
    return Table("perturbed", "What texts became", records, columns=(*columns, *paper))
