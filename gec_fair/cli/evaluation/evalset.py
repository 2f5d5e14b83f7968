"""`gec-fair evalset list|fetch|export|build`: the sets that gaps are measured on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import click

from gec_fair.augmentation.options import Gate, Method, options_of
from gec_fair.cli.options.command import folder_output, takes
from gec_fair.cli.options.groups import Group
from gec_fair.cli.options.results import json_option, print_if_json, print_result, result_options, say, wants_json
from gec_fair.config.options import Option
from gec_fair.errors import InputError, MissingResource
from gec_fair.progress import bar
from gec_fair.report.table import Column, Table, right

evalset = Group(help="Evaluation sets: twins of original and augmented sentences with their corrections.")


@evalset.command("list", short_help="List the sets that have a name")
@result_options
def list_sets() -> None:
    """Every set that has a name: what it is, its licence, and whether its files are here.

    \b
    gec-fair evalset list
    """
    from gec_fair.evaluate.evalsets import catalogue

    rows = []
    for name, entry in catalogue.read_known().items():
        try:
            catalogue.find(name)
            state = "yes"
        except MissingResource:
            state = "no"
        except InputError as fault:
            say(f"note: {fault}")
            state = "damaged"
        row = {"name": name, "kind": entry["kind"], "items": entry["items"], "here": state == "yes", "state": state}
        more = {"development": entry.get("development", False), "licence": entry.get("licence", "")}
        rows.append({**row, **more, "about": entry["about"]})
    columns = (
        Column("name", header="set"),
        Column("kind"),
        right("items"),
        Column("state", header="here"),
        Column("about"),
    )
    print_result(rows, Table("sets", "Evaluation sets", rows, columns=columns))


@evalset.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME…")
@click.option("--offline", is_flag=True, help="Download nothing; say what is missing and where it comes from.")
@json_option
def fetch(names: tuple[str, ...], offline: bool) -> None:
    """Download public sets into the cache directory; checksums and line counts are verified.

    \b
    gec-fair evalset fetch bea-195 bea-556
    """
    from gec_fair.evaluate.evalsets.fetch import get

    folders: dict[str, str] = {}
    for name in names:
        folders[name] = str(get(name, offline=offline).orig.m2.parent)
        if not wants_json():
            click.echo(f"{name}  {folders[name]}")
    print_if_json(folders)


@evalset.command(short_help="Write the texts of a set for a system that runs elsewhere")
@takes(click.argument("name", metavar="NAME|DIR"), folder_output("A folder."))
@click.option("--prose", is_flag=True, help="As a person writes (He goes home.), to paste into a browser.")
@takes(click.option("--overwrite", is_flag=True, help="Replace the two files."), json_option)
def export(name: str, output: Path, prose: bool, overwrite: bool) -> None:
    """Write both sides of a set, a text a line: orig.txt and aug.txt. Give them to a system, and its answers, a text a
    line, to `gec-fair gap --hyp`, which reads prose too.

    \b
    gec-fair evalset export they-probe --prose -o out/they-probe
    gec-fair gap --evalset they-probe --hyp answers/orig.txt answers/aug.txt
    """
    from gec_fair.evaluate.evalsets.catalogue import find
    from gec_fair.evaluate.evalsets.export import export as write_sides

    written = write_sides(find(name), output, prose=prose, overwrite=overwrite)
    files = list(map(str, written))
    following = f"next: gec-fair gap --evalset {name} --hyp ORIG AUG, the answers to these two files"
    print_result({"name": name, "prose": prose, "files": files}, *files, following)


@dataclass(frozen=True, kw_only=True)
class BuildOptions:
    """What `gec-fair evalset build` does."""

    transform: Method
    """st: singular they; fm: the other gender; neo: a neopronoun."""
    reference: Annotated[Path, Option("M2", flags="--from")]
    """Sentences with their corrections."""
    name: Annotated[str | None, Option("STEM")] = None
    """What the files begin with; else the M2's name."""
    paradigm: Annotated[str, Option("NAME|FORMS")] = ""
    """neo: xe, ze, fae, …  [default: xe]"""
    gate: Gate = "coref"
    """st, neo: only where the text shows one person, or every he/she."""
    english: Annotated[str, Option("NAME|PATH")] = "embedded"
    """The pipeline that parses."""
    overwrite: bool = False
    """Build into a folder that is in use; reviewers' decisions stay."""


@evalset.command()
@takes(BuildOptions, folder_output("A new folder."), json_option)
def build(options: BuildOptions, output: Path) -> None:
    """Make a set from any M2 file: originals, augmented twins, and a queue of what a person should look at.

    \b
    gec-fair evalset build --transform st --from dev.m2 -o out/dev-st
    gec-fair review out/dev-st
    """
    from gec_fair.evaluate.evalsets import build as evalset_builder

    choices = options_of(options.transform, options.paradigm, english=options.english, gate=options.gate)
    with bar("build") as progress:
        built = evalset_builder.build(
            options.reference, output, choices, stem=options.name, overwrite=options.overwrite, progress=progress
        )
    counts = ", ".join(f"{n} {name}" for name, n in built.outcomes.items())
    print_result(
        {"folder": str(output), "outcomes": built.outcomes, "reasons": built.reasons},
        f"{output}: {counts}",
        *(f"  {n:5}  {reason}" for reason, n in built.reasons.items()),
        f"next: gec-fair review {output}",
    )
