"""`gec-fair score`: precision, recall and F0.5 of outputs on one reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from gec_fair.cli.options.command import option, path_option, takes
from gec_fair.cli.options.results import print_if_json, print_parts, result_options
from gec_fair.evaluate.options import ScoringOptions
from gec_fair.report.table import Part


@click.command()
@option(
    "--hyp hypotheses",
    "[NAME=]FILE",
    "Corrected texts, a table, or M2; again for more outputs.",
    required=True,
    multiple=True,
)
@path_option(
    "--ref",
    "FILE",
    "M2 with the annotators' edits; corrected texts, one a line (with --src); or CSV, TSV or JSONL with both.",
    required=True,
)
@takes(ScoringOptions, result_options)
def score(hypotheses: tuple[str, ...], ref: Path, options: ScoringOptions) -> None:
    """Score corrected texts with ERRANT: precision, recall, F0.5, equal to errant_compare to the digit.

    Several outputs are annotated together: what they share costs nothing twice. They are compared with the first.
    Intervals and p-values are those of a paired bootstrap over sentences.

    \b
    gec-fair score --hyp system.txt --ref corrected.txt --src learner.txt
    gec-fair score --hyp system.txt --ref bea-dev.m2
    gec-fair score --hyp system.txt --ref bea-dev.m2 --cat 2 --workers 2
    gec-fair score --hyp outputs.csv --ref outputs.csv --fields source,corrected
    gec-fair score --hyp gector=gector.txt --hyp bart=bart.txt --ref bea-dev.m2
    """
    from gec_fair.api.scoring import differences_table
    from gec_fair.api.scoring import score as measure_outputs

    scores = measure_outputs(dict(_outputs(hypotheses)), ref, **vars(options))
    differences = {row["system"]: row for row in scores.differences}
    compared = {name: {"difference": row} for name, row in differences.items()}
    if print_if_json([{"hyp": name, **result.to_dict(), **compared.get(name, {})} for name, result in scores.items()]):
        return
    if len(scores) == 1:
        print_parts(*(table for result in scores.values() for table in result.tables()))
    else:
        parts: list[Part] = [scores.tables()[0], "", differences_table(list(differences.values()), options.beta)]
        for name, result in scores.items() if options.cat else ():
            parts += ["", name, "", *result.tables()]
        print_parts(*parts)
    if any(low is not None for result in scores.values() for low, _ in result.intervals.values()):
        print_parts("", f"95 % interval of F{options.beta:g}: bootstrap over sentences")
    for note in scores.notes if len(scores) > 1 else next(iter(scores.values())).notes:
        print_parts("", note)
    print_parts("", *dict.fromkeys(result.signature for result in scores.values()))


def _outputs(texts: Sequence[str]) -> Iterator[tuple[str, Path]]:
    """Each output with its name: the one that was given, else the file's, or its path where two files have the same. A
    file that has the sign in its own path is found as it is. UsageError for two outputs of one name."""
    outputs: list[tuple[str, Path]] = []
    for text in texts:
        name, sign, file = text.partition("=")
        is_named = bool(sign) and "/" not in name and not Path(text).exists()
        if is_named and not (name and file):
            raise click.UsageError(f"--hyp wants FILE or NAME=FILE, not {text!r}")
        outputs.append((name, Path(file)) if is_named else ("", Path(text)))
    files = Counter(path.name for name, path in outputs if not name)
    names = [name or (path.name if files[path.name] == 1 else str(path)) for name, path in outputs]
    if twice := [name for name, number in Counter(names).items() if number > 1]:
        raise click.UsageError(f"--hyp: two outputs are called {twice[0]}; give each its own name: NAME=FILE")
    yield from ((name, path) for name, (_, path) in zip(names, outputs, strict=True))
