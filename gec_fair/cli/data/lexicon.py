"""`gec-fair lexicon`: check the tables, and say what they would do with a word."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from gec_fair.cli.options.command import path_argument, path_option, takes
from gec_fair.cli.options.groups import Group
from gec_fair.cli.options.results import json_option, print_if_json, say
from gec_fair.english.lexicons.lexicon import load
from gec_fair.english.lexicons.lexicon_check import check as check_tables
from gec_fair.english.lexicons.lookup import lookup as look_up

lexicon = Group(
    help="""The tables of pronouns, gendered nouns and first names.

    \b
    gec-fair lexicon check                        are the shipped tables sound?
    gec-fair lexicon lookup "mother - in - law"   what would become of these words?
    """
)


@lexicon.command(short_help="Validate the shipped tables, or your own")
@takes(path_argument("directory", "[DIRECTORY]", required=False), json_option, click.pass_context)
def check(ctx: click.Context, directory: Path | None) -> None:
    """Validate the shipped tables, or those in DIRECTORY (or one file) that overlay them.

    Every fault is printed with file, line and remedy; with one or more the exit code is 2.

    \b
    gec-fair lexicon check
    gec-fair lexicon check my-tables/
    gec-fair lexicon check my-tables/names.tsv
    """
    from gec_fair.perturber.words.check import check as check_demographics
    from gec_fair.perturber.words.check import check_axes

    reports = [check_tables(directory), check_demographics(directory), *([] if directory else [check_axes()])]
    faults = tuple(fault for report in reports for fault in report.faults)
    counts = {kind: count for report in reports for kind, count in report.counts.items() if count or directory is None}
    if not print_if_json({"faults": faults, "counts": counts}):
        for fault in faults:
            say(fault)
        for kind, count in counts.items():
            click.echo(f"{count:6,d}  {kind}")
        click.echo(f"{len(faults):6,d}  faults")
    if faults:
        ctx.exit(2)


@lexicon.command(short_help="Show what the tables say about words")
@click.argument("words", nargs=-1, required=True)
@path_option("--lexicon directory", "PATH", "Directory with your own tables, an overlay.")
@click.option("--decode", is_flag=True, help="Look for slurs too, and print those among WORDS with their rows.")
@json_option
def lookup(words: tuple[str, ...], directory: Path | None, decode: bool) -> None:
    """Show what the tables say about WORDS, tokenised by spaces as GEC data are. With --decode, WORDS may be in ROT13,
    as slurs.tsv has them, and slurs are shown in plain letters.

    \b
    gec-fair lexicon lookup chairwoman German Grace
    gec-fair lexicon lookup "bachelor 's degree"
    """
    from gec_fair.english.lexicons.lookup import lookup_slurs

    tokens = " ".join(words).split()
    findings = look_up(load(directory), tokens)
    if decode:
        findings += lookup_slurs(tokens)
    if print_if_json([asdict(finding) for finding in findings]):
        return
    for finding in findings:
        result = "stays" if finding.swapped is None else f"→ {finding.swapped}"
        click.echo(f"{finding.word}  {result}  [{finding.kind}] {finding.note}")
