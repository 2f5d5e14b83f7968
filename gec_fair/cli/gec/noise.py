"""`gec-fair noise`: learner errors from clean sentences."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from gec_fair.cli.options.command import file_output, path_argument, path_option, takes
from gec_fair.cli.options.results import json_option, print_result
from gec_fair.errors import InputError, MissingResource
from gec_fair.progress import show_progress
from gec_fair.shipped import find_shipped


@click.command()
@path_argument("sentences", "SENTENCES.txt")
@path_option("--rates", "FILE", "Your own rates; else those of W&I.")
@click.option("--copies", default=1, show_default=True, type=click.IntRange(1), help="Pairs a sentence, drawn anew.")
@click.option("--seed", default=0, show_default=True, help="Decides what is drawn for each sentence.")
@takes(file_output("PAIRS.tsv", "The pairs.", endings=(".tsv",), required=True), json_option)
def noise(sentences: Path, rates: Path | None, copies: int, seed: int, output: Path) -> None:
    """Write source<TAB>target pairs: each sentence as a learner might have written it, and as it stands.

    SENTENCES.txt may be .gz, .xz or .zst. Errors come as often as in Write & Improve, of its kinds; no pronoun
    becomes another and no noun changes its gender (their may become there, your you 're, its it 's).

    \b
    gec-fair sentences novels.txt.xz -o sentences.txt
    gec-fair noise sentences.txt -o synthetic.tsv
    """
    from gec_fair.gec.noise import read_rates
    from gec_fair.gec.noise.draw import synthetic
    from gec_fair.runs.atomic import write_bytes

    rates = rates or find_shipped("training/from-scratch/noise.toml")
    if rates is None:
        raise MissingResource("the package's table of error rates is missing; reinstall gec-fair")
    chosen = read_rates(rates)
    wrong = count = 0

    def lines() -> Iterator[bytes]:
        nonlocal count, wrong
        for source, target in synthetic(
            show_progress(_sentences(sentences), "noise"), chosen, seed=seed, copies=copies
        ):
            count += 1
            wrong += source != target
            yield f"{source}\t{target}\n".encode()

    write_bytes(output, lines())
    counts = {"output": str(output), "pairs": count, "with_errors": wrong}
    print_result(counts, f"{output}  {count:,} pairs, {wrong:,} with errors")


def _sentences(path: Path) -> Iterator[str]:
    from gec_fair.english.running_text.sentences import read_lines

    for number, line in enumerate(read_lines(path), start=1):
        if "\t" in line:
            raise InputError(
                f"{path}:{number}: holds a tab, so these are pairs; give sentences, for example cut -f 2's"
            )
        yield line
