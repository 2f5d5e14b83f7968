"""`gec-fair settings list|show`: the settings files and small tables that come with the package."""

from __future__ import annotations

from pathlib import Path

import click

from gec_fair.cli.options.command import file_output, settings_of
from gec_fair.cli.options.groups import Group
from gec_fair.cli.options.results import print_result, result_options
from gec_fair.report.table import Column, Table

settings = Group(
    help="""Settings files of trainings and experiments, and small tables and sample texts, which come with the package.
    A command that reads SETTINGS takes a name from this list, or the path of a file: `gec-fair bart train bart …`.

    \b
    gec-fair settings list
    gec-fair settings show gector-clang8
    """
)


@settings.command("list", short_help="List the files that come with the package")
@result_options
def list_settings() -> None:
    """Every file with its path and what it is for.

    \b
    gec-fair settings list
    """
    from gec_fair.config.files import list_files

    records = [{"name": file.name, "path": file.path, "about": file.about} for file in list_files()]
    columns = (Column("name"), Column("path"), Column("about"))
    print_result(records, Table("settings", "Files of the package", records, columns=columns))


@settings.command(short_help="Print a file, or the options of a command as one")
@click.argument("name", nargs=-1, required=True, metavar="FILE|COMMAND")
@file_output("FILE", "Copy it there, to be changed.")
def show(name: tuple[str, ...], output: Path | None) -> None:
    """Print the file of that name or path, or every option of a command, with its default and meaning, as a file for
    its --settings.

    \b
    gec-fair settings show gector-clang8
    gec-fair settings show gector-clang8 -o mine.yaml
    gec-fair settings show augment st -o st.yaml
    """
    from gec_fair.config.files import read_file
    from gec_fair.runs.atomic import write_bytes

    command = _find_command(name)
    content = settings_of(command).encode() if command is not None else read_file(" ".join(name))
    if output is None:
        click.echo(content, nl=False)
    else:
        write_bytes(output, [content])


def _find_command(words: tuple[str, ...]) -> click.Command | None:
    context = click.get_current_context().find_root()
    command: click.Command | None = context.command
    for word in words:
        command = command.get_command(context, word) if isinstance(command, click.Group) else None
    return command
