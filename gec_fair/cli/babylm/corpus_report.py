"""`gec-fair corpus`: what is in a corpus, as far as it may teach bias."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gec_fair.cli.options.groups import Group
from gec_fair.cli.options.results import print_json, print_tables, result_options
from gec_fair.progress import bar

_PRINTED = ("topics", "harm", "readability", "pos", "sentiment")


@click.group(cls=Group)
def corpus() -> None:
    """Corpora looked at before a model is trained on them."""


@corpus.command(short_help="Report one corpus, or several side by side")
@click.argument("files", nargs=-1, required=True, metavar="TEXT… | NAME=TEXT,TEXT…")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write report.html, every table and figure there.",
)
@click.option(
    "--toxic",
    default="toxicity=toxic",
    show_default=True,
    metavar="CLASSIFIER=LABEL",
    help="Who says what is toxic; detoxify:original=toxicity is the paper's.",
)
@click.option(
    "--hate",
    default="",
    metavar="CLASSIFIER=LABEL",
    help="Who says what is hateful, such as hf:MODEL=HATE.  [default: nobody]",
)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    help="A sentence with a higher score is toxic, or hateful.",
)
@click.option(
    "--sentiment",
    default="polarity",
    show_default=True,
    metavar="CLASSIFIER",
    help="Of negative, neutral, positive; the embedded lexicon is weak.",
)
@click.option("--emotions", type=click.Path(path_type=Path), metavar="FILE", help="NRC's word-level lexicon.")
@click.option(
    "--vectors",
    default="overlap",
    show_default=True,
    metavar="NAME",
    help="Of coherence: overlap, or spacy:en_core_web_lg.",
)
@click.option(
    "--sentences",
    type=click.IntRange(0),
    default=100_000,
    show_default=True,
    metavar="N",
    help="That classifiers judge, drawn by seed; 0 is all.",
)
@click.option(
    "--topical",
    type=click.IntRange(0),
    default=2_000,
    show_default=True,
    metavar="N",
    help="Sentences of each topic whose sentiment is judged; 0 is all.",
)
@click.option(
    "--pos",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    metavar="N",
    help="Chunks that are tagged for parts of speech, drawn by seed.",
)
@click.option("--wrapped", is_flag=True, help="Lines are wrapped: those up to an empty one are one paragraph.")
@click.option(
    "--audit",
    type=click.IntRange(1),
    metavar="N",
    help="Flagged sentences for the review page, drawn by seed; needs -o.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of everything that is drawn.")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
@result_options
def report(
    files: tuple[str, ...],
    output: Path | None,
    toxic: str,
    hate: str,
    threshold: float,
    emotions: Path | None,
    audit: int | None,
    workers: int,
    as_json: bool,
    **arguments: Any,
) -> None:
    """Topics, toxicity, readability, variety, coherence, emotions and sentiment of one corpus or of several side by
    side (appendix C of the BabyLM paper).

    \b
    gec-fair corpus report babylm.txt -o out/report
    gec-fair corpus report before.txt after.txt
    gec-fair corpus report babylm=childes.txt,books.txt.xz wikipedia=wiki.txt --pos 50 --workers 2
    gec-fair corpus report babylm.txt --toxic detoxify:original=toxicity --audit 200 -o out/report
    """
    from gec_fair.errors import UsageError
    from gec_fair.extras import require

    if audit and output is None:
        raise UsageError("--audit writes a folder for gec-fair review; give -o DIR")
    require("corpus report", "corpus", "pyphen", "sklearn")
    from gec_fair.classifiers.harm import Judges
    from gec_fair.corpus_report import report as made
    from gec_fair.corpus_report.measure import AnalysisOptions, analyse

    if output:
        from gec_fair.report.page import check

        check()
    options = AnalysisOptions(Judges(toxic, hate, threshold), emotions=str(emotions or ""), **arguments)
    analyses = []
    for name, paths in _corpora(files).items():
        with bar(name) as progress:
            analyses.append(analyse(name, paths, options, workers=workers, progress=progress))
    if output:
        written = made.write(analyses, options, output, audit=audit or 0)
    if as_json:
        print_json(made.as_json(analyses, options))
        return
    print_tables([table for table in made.every(analyses) if table.name in _PRINTED], with_notes=True)
    if output:
        click.echo(f"{written[0]}  {len(written) - 1} files beside it")
        if audit:
            click.echo("\n".join(f"gec-fair review {output / made.AUDIT / analysis.name}" for analysis in analyses))


def _corpora(files: tuple[str, ...]) -> dict[str, list[Path]]:
    """By name: NAME=TEXT,TEXT is one corpus, and so is each other file, under its name without endings."""
    from gec_fair.errors import UsageError

    named_paths: dict[str, list[Path]] = {}
    for file in files:
        name, equals, paths = file.partition("=")
        if equals and not Path(file).exists():
            if not all([name, *paths.split(",")]):
                raise UsageError(f"{file}: a corpus is NAME=TEXT,TEXT")
            texts = paths.split(",")
        else:
            name, texts = Path(file).name.split(".")[0], [file]
        if name in named_paths:
            raise UsageError(f"two corpora are called {name}; name them: one={named_paths[name][0]} two={texts[0]}")
        named_paths[name] = [Path(text) for text in texts]
    return named_paths
