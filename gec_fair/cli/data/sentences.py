"""`gec-fair sentences`: running text as one tokenised sentence a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from gec_fair.cli.options.command import file_output, option, path_argument, takes
from gec_fair.cli.options.results import json_option, print_result
from gec_fair.errors import InputError
from gec_fair.progress import show_progress


@click.command()
@path_argument("texts", "TEXT...", nargs=-1)
@file_output("FILE", "The sentences, one a line.", endings=(".txt",), required=True)
@click.option("--all", "everything", is_flag=True, help="Fragments and sentences of more than 50 words too.")
@takes(option("--limit", "N", "Stop after N sentences.", type=click.IntRange(1)), json_option)
def sentences(texts: tuple[Path, ...], output: Path, everything: bool, limit: int | None) -> None:
    """Cut plain text (.txt, .gz, .xz, .zst; paragraphs apart by empty lines) into sentences, tokenised as GEC data is.

    Whole sentences of 4 to 50 words only, fit to be the correct side of a pair, unless --all.

    \b
    gec-fair sentences novels.txt.xz -o sentences.txt
    gec-fair sentences a.txt b.txt --limit 100000 -o sentences.txt
    """
    from itertools import islice

    from gec_fair.english.running_text.sentences import all_sentences, is_clean, read_paragraphs
    from gec_fair.runs.atomic import write_bytes

    count = 0

    def lines() -> Iterator[bytes]:
        nonlocal count
        paragraphs = show_progress((text for path in texts for text in read_paragraphs(path)), "paragraphs")
        words = all_sentences(paragraphs)
        for sentence_words in islice((sentence for sentence in words if everything or is_clean(sentence)), limit):
            count += 1
            yield " ".join(sentence_words).encode() + b"\n"
        if not count:
            remedy = "give other texts" if everything else "--all takes fragments and longer ones too"
            raise InputError(f"{', '.join(map(str, texts))}: has no whole sentence of 4 to 50 words; {remedy}")

    write_bytes(output, lines())
    print_result({"output": str(output), "sentences": count}, f"{output}  {count:,} sentences")
