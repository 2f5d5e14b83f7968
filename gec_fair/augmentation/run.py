"""Augment whole files: the parallel step over a corpus, in a run directory (`corpus.run`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from gec_fair.augmentation.options import AugmentOptions, Options, find_unused
from gec_fair.augmentation.parallel import Augmenter
from gec_fair.augmentation.rewriter import step_of
from gec_fair.config.corpora import Reading, Running
from gec_fair.config.options import part
from gec_fair.corpus.formats.inputs import resolve
from gec_fair.corpus.formats.readers import blocks
from gec_fair.corpus.outcome import Unchanged
from gec_fair.corpus.records import Pair
from gec_fair.corpus.run import Finished, run
from gec_fair.corpus.step import Step
from gec_fair.version import __version__


def augment_corpus(inputs: Sequence[str | Path], out: str | Path, options: AugmentOptions) -> Finished:
    """Augment `inputs` into the directory `out`; a killed run resumes with the same call.

    The bytes depend on inputs, options and versions alone. Raises InputError, UsageError, ResumeError or
    MissingResource; the message says what to do.
    """
    method = part(options, Options)
    return run(
        inputs,
        out,
        partial(_step, method, options.reannotate),
        {**as_row(method), **({"reannotate": True} if options.reannotate else {})},
        job=method.method,
        versions=versions(method),
        reading=part(options, Reading),
        running=part(options, Running),
    )


def rewrite_corpus(
    inputs: Sequence[str | Path], out: str | Path, options: Options, running: Running = Running()
) -> Finished:
    """Rewrite plain text into the directory `out`, a text a line: rewritten.txt has every line, changed or not. Raises
    as `augment_corpus` does."""
    return run(
        inputs,
        out,
        partial(step_of, options),
        as_row(options),
        job=f"rewrite {options.method}",
        versions=versions(options),
        reading=Reading(format="text"),
        running=running,
    )


def versions(options: Options) -> dict[str, str]:
    """What else decides the bytes: package, tables, English model, coreference model."""
    from gec_fair.english import pipeline
    from gec_fair.english.lexicons import lexicon
    from gec_fair.people import links, people

    figures = {
        "gec-fair": __version__,
        "lexicon": lexicon.version(options.lexicon or None),
        "english": pipeline.version_of(options.english),
        "people": people.version(),
    }
    if options.method != "fm" and options.gate == "coref":
        figures["coref"] = links.version(options.coref)  # what is not installed is an error before anything is written
    return figures


def examples(inputs: Sequence[str | Path], options: AugmentOptions, *, number: int) -> Iterator[str]:
    """The first pairs that are rewritten, left or discarded, explained for the terminal."""
    from gec_fair.augmentation.explain import explain_pair

    augmenter, reading = Augmenter(part(options, Options)), part(options, Reading)
    number_shown = 0
    for block in blocks(resolve(inputs, reading.format), reading):
        pairs = [record for record in block.records() if isinstance(record, Pair)]
        for pair, outcome in zip(pairs, augmenter(pairs), strict=True):
            if not isinstance(outcome, Unchanged):
                yield explain_pair(pair, augmenter)
                number_shown += 1
            if number_shown == number:
                return


def _step(options: Options, reannotate: bool) -> Step:
    augmenter = Augmenter(options)
    augmenter.planner.load()
    if not reannotate:
        return augmenter
    from gec_fair.augmentation.reannotate import Reannotated

    return Reannotated(augmenter)


def as_row(options: Options) -> dict[str, object]:
    """The options that mean something for the method."""
    unused = {"method", *find_unused(options.method), *(() if options.method == "fm" else ("seed",))}
    names = [n for n in Options.__dataclass_fields__ if n not in unused]
    settings = {name: getattr(options, name) for name in names}
    for place in ("english", "lexicon"):  # a path is this machine's; `versions` has the digest of what lies there
        settings[place] = Path(settings[place]).name
    return settings
