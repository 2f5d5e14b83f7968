"""What several commands ask for: identity categories, a table of texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gec_fair.cli.options.command import path_argument, path_option, takes
from gec_fair.cli.options.results import print_result, say

if TYPE_CHECKING:
    from gec_fair.safety.data.groups import Groups
    from gec_fair.safety.data.texts import Text
    from gec_fair.safety.report.examples import Example

Command = TypeVar("Command", bound=Callable[..., Any])

groups_option = path_option(
    "--groups groups_file", "FILE", "Your own identity categories: a table of category, subgroup, also."
)
_terms_option = path_option(
    "--terms",
    "FILE",
    "How your own subgroups are said: a table of category, subgroup, slot (adjective, person, people, …), term.",
)
texts_option = path_option(
    "--texts", "FILE", "Tables of the texts (id, text), which the report shows behind a click.", multiple=True
)
show_text_option = click.option("--show-text", is_flag=True, help="Print the examples' texts, which may be harmful.")
texts_argument = path_argument("table", "TEXTS")


def read_groups(groups_file: Path | None) -> Groups:
    """Table 2's categories, or the user's."""
    from gec_fair.safety.data import groups

    return groups.read(groups_file) if groups_file is not None else groups.read_shipped()


def identity_options(command: Command) -> Command:
    """Add `--groups` and `--terms`; the argument `identities` is how the subgroups of these files are said."""

    @wraps(command)
    def invoke(groups_file: Path | None, terms: Path | None, **arguments: Any) -> Any:
        from gec_fair.safety.counterfactuals import identities

        is_ours = groups_file is None and terms is None
        said = identities.load() if is_ours else identities.read(read_groups(groups_file), terms)
        return command(identities=said, **arguments)

    return takes(groups_option, _terms_option)(invoke)  # type: ignore[return-value]


def write_texts(
    output: Path, texts: Sequence[Text], more: str = "", *lines: str, noun: str = "texts", **counts: Any
) -> None:
    """Write a table of texts, and print how many they are, with `more` behind; with `--json` the `counts`."""
    from gec_fair.data.user_tables import write_rows

    write_rows(output, (text.row() for text in texts))
    counts = {"output": str(output), noun: len(texts), **counts}
    print_result(counts, f"{output}  {len(texts):,} {noun}{more}", *lines)


def tell_texts(examples: Sequence[Example], tables: Sequence[Path]) -> None:
    """Print examples with their texts."""
    from gec_fair.safety.report.examples import with_texts

    sources = with_texts(examples, tables)
    for source, texts in sources:
        click.echo("\n    ".join([source, *texts]))
    if not sources:
        say(f"{tables[0]}: has no text of the examples, by id")
