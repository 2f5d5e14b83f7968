"""`gec-fair perturber annotate`: folders for the review page, for PANDA's three stages and what experts check."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gec_fair.cli.options.groups import Group
from gec_fair.cli.options.results import counts_option, print_counts

if TYPE_CHECKING:
    from gec_fair.evaluate.evalsets.review.annotation import AnnotationSet, Subject
    from gec_fair.fairscore.tasks import Example

Command = TypeVar("Command", bound=Callable[..., Any])

_SUGGEST = "The annotator starts from what the rules find; without it from nothing, and is not led."
_PATH = click.Path(path_type=Path)
folder_argument = click.argument("folder", type=_PATH, metavar="EXPORTED")
suggest_option = click.option("--suggest", is_flag=True, help=_SUGGEST)
lexicon_option = click.option(
    "--lexicon", default="", metavar="DIR", help="Your own tables, laid over ours: more terms and axes."
)
seed_option = click.option("--seed", default=0, show_default=True, help="What is drawn.")


def sample_option(default: int | None) -> Callable[[Command], Command]:
    """`--sample N`, by default all or so many."""
    return click.option(
        *("--sample", "sample"),
        type=click.IntRange(1),
        default=default,
        show_default=default is not None,
        metavar="N",
        help="Texts that are drawn." + ("" if default else "  [default: all]"),
    )


def output_options(command: Command) -> Command:
    """`-o DIR` and `--overwrite`, and `--json` for the counts."""
    output = click.option(
        "-o", "--output", "out", required=True, type=_PATH, metavar="DIR", help="The review's folder."
    )
    overwrite = click.option("--overwrite", is_flag=True, help="Into a folder in use; annotators' decisions stay.")
    return output(overwrite(counts_option(command)))


@click.group(cls=Group)
def annotate() -> None:
    """Make a folder for gec-fair review: PANDA's three stages of annotation, its audit, and the check of labels."""


@annotate.command(short_help="Stage 1: which words can be perturbed")
@click.argument("inputs", nargs=-1, required=True, type=_PATH, metavar="TEXT…")
@click.option("--axes", default="", metavar="A,B", help="gender, race, age, or axes of --lexicon.  [default: all]")
@lexicon_option
@suggest_option
@sample_option(None)
@seed_option
@output_options
def select(
    inputs: tuple[Path, ...],
    axes: str,
    lexicon: str,
    suggest: bool,
    sample: int | None,
    seed: int,
    out: Path,
    overwrite: bool,
) -> None:
    """Annotators select the words that say of a person which gender, race or age they have. TEXT is a file with a text
    a line, or the folder of a finished `gec-fair perturb`, of which the changed texts are taken as they were.

    \b
    gec-fair perturber annotate select corpus.txt --sample 200 -o out/select
    gec-fair perturber annotate select out/perturbed --suggest -o out/select
    """
    from gec_fair.perturber.annotation import stages
    from gec_fair.perturber.annotation.checks import draw
    from gec_fair.perturber.rewriting.options import PerturbOptions

    options = PerturbOptions(axes=tuple(filter(None, axes.split(","))), lexicon=lexicon)
    texts = draw([text for path in inputs for text in stages.read_texts(path)], sample, seed)
    _write(stages.select(texts, options, suggest=suggest), out, overwrite)


@annotate.command(short_help="Stage 2: which attribute each word has")
@folder_argument
@lexicon_option
@suggest_option
@output_options
def attributes(folder: Path, lexicon: str, suggest: bool, out: Path, overwrite: bool) -> None:
    """Annotators choose an attribute for each word of an exported stage 1.

    \b
    gec-fair review out/select --export out/selected
    gec-fair perturber annotate attributes out/selected -o out/attributes
    """
    from gec_fair.perturber.annotation import stages

    _write(stages.attributes(folder, suggest=suggest, lexicon=lexicon), out, overwrite)


@annotate.command(short_help="Stage 3: rewrite with another attribute")
@folder_argument
@click.option("--targets", default="", metavar="A,B", help="Attributes that may be drawn.  [default: all]")
@click.option(
    "--pairs",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    metavar="N",
    help="Of each text, so many pairs of a word and a target; 0 for all.",
)
@lexicon_option
@suggest_option
@seed_option
@output_options
def rewrite(
    folder: Path, targets: str, pairs: int, lexicon: str, suggest: bool, seed: int, out: Path, overwrite: bool
) -> None:
    """Annotators rewrite texts of an exported stage 2 so that the person of a word has another attribute. The export is
    panda.csv, which `gec-fair perturber train` reads.

    \b
    gec-fair review out/attributes --export out/attributed
    gec-fair perturber annotate rewrite out/attributed --suggest -o out/rewrite
    """
    from gec_fair.perturber.annotation import stages

    names = tuple(filter(None, targets.split(",")))
    done = stages.rewritings(folder, targets=names, pairs=pairs, seed=seed, suggest=suggest, lexicon=lexicon)
    _write(done, out, overwrite)


@annotate.command(short_help="The audit of rewritings (Table 9)")
@click.argument("source", type=_PATH, metavar="REWRITINGS")
@sample_option(None)
@seed_option
@output_options
def audit(source: Path, sample: int | None, seed: int, out: Path, overwrite: bool) -> None:
    """Experts tag what is wrong with rewritings: of a table in PANDA's columns, of an exported stage 3, or of a
    finished `gec-fair perturb`.

    \b
    gec-fair perturber annotate audit panda_valid.csv --sample 300 -o out/audit
    gec-fair perturber annotate audit out/perturbed --sample 100 -o out/audit
    """
    from gec_fair.perturber.annotation import checks

    _write(checks.audit(source, sample=sample, seed=seed), out, overwrite)


@annotate.command(short_help="Whether labels hold after a rewriting (appendix J)")
@click.argument("data", metavar="DATA")
@click.option("--fields", default="text", show_default=True, metavar="A,B", help="Of your own file: its texts.")
@click.option("--label", default="label", show_default=True, metavar="NAME", help="Of your own file: its labels.")
@click.option(
    "--rewriting",
    default="",
    metavar="A,B",
    help="Of your own file: its rewritten texts.  [default: the rules rewrite]",
)
@sample_option(25)
@seed_option
@output_options
def labels(
    data: str, fields: str, label: str, rewriting: str, sample: int, seed: int, out: Path, overwrite: bool
) -> None:
    """Experts say whether the label of an example is right for its rewriting. DATA is a task of `gec-fair fairscore`
    (sst2, rte …) or a file of your own, of which the rules rewrite each example as the fairscore does; a file that has
    rewritings; or the JSON of a fairscore, for the examples whose prediction flipped.

    \b
    gec-fair perturber annotate labels reviews.csv --fields text --label stars -o out/labels
    gec-fair perturber annotate labels pairs.tsv --fields original --rewriting perturbed --label gold -o out/labels
    gec-fair perturber annotate labels score.json --sample 50 -o out/flipped
    """
    from gec_fair.errors import UsageError
    from gec_fair.perturber.annotation import checks

    names, new = fields.split(","), list(filter(None, rewriting.split(",")))
    if new and len(new) != len(names):
        raise UsageError(f"--rewriting has {len(new)} columns, and --fields {len(names)}; name one for each")
    if Path(data).suffix == ".json":
        subjects = checks.flipped(Path(data))
    elif new:
        subjects = checks.rewritten_rows(Path(data), names, new, label)
    else:
        subjects = _rewritten(data, tuple(names), label, seed)
    _write(checks.labels(subjects, sample=sample, seed=seed), out, overwrite)


def _rewritten(data: str, fields: tuple[str, ...], label: str, seed: int) -> list[Subject]:
    """The examples of a task or a file that the rules change, as the fairscore perturbs them."""
    from gec_fair.errors import UsageError
    from gec_fair.evaluate.evalsets.review.annotation import Subject
    from gec_fair.fairscore.examples import load_examples
    from gec_fair.fairscore.rewriting import PerturberRewriter
    from gec_fair.fairscore.run import rewritten
    from gec_fair.perturber.rewriting.options import PerturbOptions
    from gec_fair.progress import bar

    loaded = load_examples(data, fields, label)
    if not loaded.labels:
        raise UsageError(f"{data} has scores, not labels, and a score has no right or wrong; give another task")
    rewriter = PerturberRewriter.load(PerturbOptions(seed=seed))
    with bar("rewritings") as update:
        rewritings = rewritten(rewriter, loaded.examples, lambda done: update(done, len(loaded.examples)))

    def subject(example: Example, new: Any) -> Subject:
        facts = f"{new.drawn.word}: {new.drawn.source} → {new.drawn.target}"
        return Subject(
            example.id,
            example.fields,
            rewriting=new.fields,
            label=example.label,
            group=new.drawn.axis,
            facts=facts,
        )

    pairs = zip(loaded.examples, rewritings, strict=True)
    return [subject(example, new) for example, new in pairs if new.drawn and new.fields != example.fields]


def _write(annotation: AnnotationSet, out: Path, overwrite: bool) -> None:
    from gec_fair.errors import UsageError
    from gec_fair.evaluate.evalsets.review.annotation import NAME, write_set

    if out.exists() and not out.is_dir():
        raise UsageError(f"{out}: is a file; take another folder")
    if out.exists() and any(out.iterdir()) and not overwrite:
        raise UsageError(f"{out}: is not empty; take another folder, or --overwrite (annotators' decisions stay)")
    write_set(out / NAME, annotation)
    number = len(annotation.subjects)
    counts = {"output": str(out), "task": annotation.task, "texts": number}
    print_counts(counts, f"{out}: {number:,} texts to annotate", f"next: gec-fair review {out}")
