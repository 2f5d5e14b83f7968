"""`gec-fair corpus`: what is in a corpus, as far as it may teach bias."""

from __future__ import annotations

from pathlib import Path

import click

from gec_fair.cli.options.command import folder_output, takes
from gec_fair.cli.options.groups import Group
from gec_fair.cli.options.results import print_if_json, print_tables, result_options
from gec_fair.config.options import part
from gec_fair.corpus_report.options import Measures, ReportOptions
from gec_fair.errors import UsageError
from gec_fair.extras import require
from gec_fair.progress import bar
from gec_fair.report.numbers import is_part

_PRINTED = ("topics", "harm", "readability", "pos", "sentiment")
corpus = Group(help="Corpora looked at before a model is trained on them.")


@corpus.command(short_help="Report one corpus, or several side by side")
@click.argument("files", nargs=-1, required=True, metavar="TEXT… | NAME=TEXT,TEXT…")
@takes(folder_output("Write report.html, every table and figure there.", required=False), ReportOptions, result_options)
def report(files: tuple[str, ...], output: Path | None, options: ReportOptions) -> None:
    """Topics, toxicity, readability, variety, coherence, emotions and sentiment of one corpus or of several side by
    side (appendix C of the BabyLM paper).

    \b
    gec-fair corpus report babylm.txt -o out/report
    gec-fair corpus report before.txt after.txt
    gec-fair corpus report babylm=childes.txt,books.txt.xz wikipedia=wiki.txt --pos 50 --workers 2
    gec-fair corpus report babylm.txt --toxic detoxify:original=toxicity --audit 200 -o out/report
    """
    audit = options.audit or 0
    if audit and output is None:
        raise UsageError("--audit writes a folder for gec-fair review; give -o DIR")
    require("corpus report", "corpus", "pyphen", "sklearn")
    from gec_fair.classifiers.harm import Judges
    from gec_fair.corpus_report import report as made
    from gec_fair.corpus_report.measure import AnalysisOptions, analyse

    if output:
        from gec_fair.report.page import check

        check()
    judges = Judges(options.toxic, options.hate, options.threshold)
    choices = AnalysisOptions(judges=judges, **vars(part(options, Measures)))
    analyses = []
    for name, paths in _corpora(files).items():
        with bar(name) as progress:
            analyses.append(analyse(name, paths, choices, workers=options.workers, progress=progress))
    written = made.write(analyses, choices, output, audit=audit) if output else []
    if print_if_json(made.as_json(analyses, choices)):
        return
    print_tables([table for table in made.every(analyses) if table.name in _PRINTED], with_notes=True)
    if output:
        click.echo(f"{written[0]}  {len(written) - 1} files beside it")
        if audit:
            click.echo("\n".join(f"gec-fair review {output / made.AUDIT / analysis.name}" for analysis in analyses))


def _corpora(files: tuple[str, ...]) -> dict[str, list[Path]]:
    """By name: NAME=TEXT,TEXT is one corpus, and so is each other file, under its name without endings."""
    from gec_fair.corpus_report.report import LABELS

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
        if name in LABELS or is_part(name):
            raise UsageError(f"{name} means something else in the tables; name the corpus: corpus={','.join(texts)}")
        named_paths[name] = [Path(text) for text in texts]
    return named_paths
