"""`gec-fair correct`: run a GEC system over text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from gec_fair.cli.options.command import option, path_option, takes
from gec_fair.cli.options.corrections import corrections, read_texts, text_argument, write_texts
from gec_fair.cli.options.results import say
from gec_fair.config.work import Caching
from gec_fair.evaluate.options import Tokenising
from gec_fair.progress import bar


@dataclass(frozen=True)
class Correcting(Caching, Tokenising):
    """What `gec-fair correct` does."""


@click.command()
@text_argument
@option(
    "--system name",
    "[NAME=]SYSTEM",
    "identity, symspell, harper, quire, gector:FOLDER, bart:FOLDER, editscorer:FOLDER, command:PROGRAM, "
    "command-prose:PROGRAM, openai:MODEL.",
    required=True,
)
@takes(Correcting, corrections, path_option("--prompt", "PATH", "openai: a file with other instructions."))
def correct(text: Path | None, name: str, options: Correcting, output: Path | None, prompt: Path | None) -> None:
    """Correct TEXT, one tokenised text a line (an M2 file gives its sources); without TEXT, standard input.

    Where the system answers in prose (He goes home.), its answers are tokenised like the texts. A program behind
    `command-prose:` is given prose too; where the texts are prose already, its answers stay as they are.

    Answers are kept in the cache directory under the system and its version. What stands behind `command:` may
    change without its name changing: use --no-cache then.

    \b
    gec-fair correct learner.txt --system symspell -o symspell.txt
    gec-fair correct learner.txt --system "command:python my_model.py --beam 4" -o mine.txt
    gec-fair correct learner.txt --system openai:gpt-4o-mini -o gpt.txt
    """
    from gec_fair.api.loading import load_system
    from gec_fair.edits import words_of
    from gec_fair.evaluate.scoring.hypotheses import first_prose, read_as
    from gec_fair.gec.systems import run
    from gec_fair.gec.systems.protocol import ProseSystem
    from gec_fair.gec.systems.registry import SYSTEMS, visible_name
    from gec_fair.registry import split_label

    system = load_system(name, prompt=prompt, prose=options.prose)
    label = visible_name(split_label(SYSTEMS.noun, name)[0])
    texts = read_texts(text)
    sources = [words_of(source) for source in texts]
    is_prose = isinstance(system, ProseSystem)
    if isinstance(system, ProseSystem) and first_prose(sources):
        system = system.system
    with bar(label) as progress:
        answers = run.correct(system, texts, cache=None if options.no_cache else run.outputs_cache(), progress=progress)
    if not is_prose:
        hypotheses = read_as([words_of(answer) for answer in answers], sources, options.tokenise, label)
        if hypotheses.is_prose:
            answers = [" ".join(words) for words in hypotheses.words(sources)]
            say(f"note: {label} answered in prose; tokenised by alignment to the texts")
    write_texts(answers, output)
