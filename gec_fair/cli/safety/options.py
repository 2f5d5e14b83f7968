"""What several commands ask for: identity categories, a table of texts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from gec_fair.safety.counterfactuals.identities import Identities
    from gec_fair.safety.data.groups import Groups
    from gec_fair.safety.report.examples import Example

groups_option = click.option(
    "--groups",
    "groups_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Your own identity categories: a table of category, subgroup, also.",
)
terms_option = click.option(
    "--terms",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="How your own subgroups are said: a table of category, subgroup, slot (adjective, person, people, …), term.",
)
texts_option = click.option(
    "--texts",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help="Tables of the texts (id, text), which the report shows behind a click.",
)
show_text_option = click.option(
    "--show-text", is_flag=True, help="Print the examples' texts too, which may be harmful."
)
texts_argument = click.argument("table", type=click.Path(path_type=Path), metavar="TEXTS")


def known(groups_file: Path | None) -> Groups:
    """Table 2's categories, or the user's."""
    from gec_fair.safety.data import groups

    return groups.read(groups_file) if groups_file is not None else groups.read_shipped()


def load_identities(groups_file: Path | None, terms: Path | None) -> Identities:
    """How their subgroups are said."""
    from gec_fair.safety.counterfactuals import identities

    return identities.load() if groups_file is None and terms is None else identities.read(known(groups_file), terms)


def tell_texts(examples: Sequence[Example], tables: Sequence[Path]) -> None:
    """Print examples with their texts."""
    from gec_fair.safety.report.examples import with_texts

    sources = with_texts(examples, tables)
    for source, texts in sources:
        click.echo("\n    ".join([source, *texts]))
    if not sources:
        click.echo(f"{tables[0]}: has no text of the examples, by id", err=True)
