"""`gec-fair`: one thin module per command group; parse, call one library function, print. Errors are caught here.

Command modules are imported when they are called, so that `--help` is quick and never imports spaCy or torch.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from io import FileIO, TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO, cast

import click

from gec_fair.cli.options.groups import Group, write_rows
from gec_fair.errors import GecFairError
from gec_fair.shipped import resolve_shipped
from gec_fair.version import __version__

SECTIONS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "First steps": {
        "augment": ("gec_fair.cli.augmentation.augment", "Augment parallel data: singular they, or the other gender"),
        "rewrite": ("gec_fair.cli.augmentation.rewrite", "Rewrite plain text in the same ways"),
        "show": ("gec_fair.cli.evaluation.show", "Look at what a run changed, in the browser or the terminal"),
        "score": ("gec_fair.cli.evaluation.score", "Score corrected texts with ERRANT: P, R and F0.5"),
        "gap": ("gec_fair.cli.evaluation.gap", "Measure whether a system serves they as well as he"),
        "compare": ("gec_fair.cli.evaluation.compare", "Compare systems over sets and seeds; write a report"),
    },
    "Augment": {
        "mix": ("gec_fair.cli.augmentation.mix", "Mix original and augmented pairs into training data"),
        "explain": ("gec_fair.cli.augmentation.explain", "Show how one pair is augmented, step by step"),
        "lexicon": ("gec_fair.cli.data.lexicon", "List and check the tables of pronouns, nouns and names"),
        "audit-pairs": ("gec_fair.cli.evaluation.audit", "Find explicit bias in parallel data, and filter it out"),
    },
    "Measure": {
        "counterfactual": ("gec_fair.cli.evaluation.counterfactual", "Find unequal treatment without a reference"),
        "evalset": ("gec_fair.cli.evaluation.evalset", "List, fetch, export and build evaluation sets"),
        "review": ("gec_fair.cli.evaluation.review", "Review a new evaluation set in the browser"),
    },
    "GEC systems": {
        "correct": ("gec_fair.cli.gec.correct", "Run a GEC system over text"),
        "gector": ("gec_fair.cli.gec.gector", "Train, import and run GECToR"),
        "bart": ("gec_fair.cli.gec.bart", "Train, import and run BART"),
        "editscorer": ("gec_fair.cli.gec.editscorer", "Train and run EditScorer"),
        "experiment": ("gec_fair.cli.gec.experiment", "Fine-tune on several mixes over many seeds, and tabulate"),
        "noise": ("gec_fair.cli.gec.noise", "Make synthetic pairs: write text as learners might"),
        "sentences": ("gec_fair.cli.data.sentences", "Cut plain text into tokenised sentences"),
    },
    "Text perturbation": {
        "perturb": ("gec_fair.cli.fairness.perturb", "Perturb the gender, race or age of people in texts"),
        "perturber": ("gec_fair.cli.fairness.perturber", "Train and evaluate a neural perturber"),
        "fairscore": ("gec_fair.cli.fairness.fairscore", "Measure how often perturbing flips a classifier"),
        "fairtune": ("gec_fair.cli.fairness.fairtune", "Fine-tune classifiers on perturbed tasks, and compare"),
    },
    "Language models": {
        "lmbias": ("gec_fair.cli.fairness.lmbias", "Run bias suites: CrowS-Pairs, StereoSet, SEAT, BLiMP, …"),
        "babylm": ("gec_fair.cli.babylm.experiments", "Pretrain with and without interventions; debias"),
        "pretrain": ("gec_fair.cli.babylm.pretrain", "Pretrain an encoder from text alone"),
    },
    "Shortcuts": {"razor": ("gec_fair.cli.razor", "Find documents that give their label away, and rewrite them")},
    "Safety": {"safety": ("gec_fair.cli.safety", "Audit and remedy classifiers of unsafe text")},
    "Data": {
        "corpus": ("gec_fair.cli.babylm.corpus_report", "Report what is in a corpus: topics, toxicity, sentiment"),
        "data": ("gec_fair.cli.data.public", "Fetch public data sets"),
        "settings": ("gec_fair.cli.data.settings", "List and show settings files that come with the package"),
    },
}
"""Sections of the help: each command with its module and a summary, so that the help imports no command."""
COMMANDS = {name: module for commands in SECTIONS.values() for name, (module, _) in commands.items()}


@contextmanager
def _accept_a_closed_pipe() -> Iterator[None]:
    """Whoever reads what is printed may stop (`| head`)."""
    try:
        yield
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # standard output, for what is not written yet
        sys.exit(0)


class Lazy(Group):
    """A group whose commands are imported one by one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command of that name; None for an unknown one."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(COMMANDS[cmd_name]), cmd_name.replace("-", "_"))
        return command

    def make_context(self, *arguments: Any, **more: Any) -> click.Context:
        """Read the words of the command line, and print the help and the version."""
        with _accept_a_closed_pipe():
            return super().make_context(*arguments, **more)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with _accept_a_closed_pipe():
            return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by section."""
        for title, commands in SECTIONS.items():
            write_rows(formatter, title, [(name.ljust(14), summary) for name, (_, summary) in commands.items()])


@click.command(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="gec-fair")
def cli() -> None:
    """Fairness for grammatical error correction, and for the texts around it.

    \b
    gec-fair augment st clang8.tsv -o out/st      singular they, where one person is meant
    gec-fair augment fm clang8.tsv -o out/mf      she ⇄ he, actress ⇄ actor, Anna ⇄ Adam
    gec-fair show out/st                          what was changed, sampled and coloured
    """


def main() -> None:
    """The console script. Exit 0 done, 2 wrong usage or bad input, 1 an internal fault."""
    _replace_closed_streams()
    try:
        code = cli.main([resolve_shipped(word) for word in sys.argv[1:]], standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except click.ClickException as fault:
        fault.show()
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        print("\nstopped; the same command resumes from here", file=sys.stderr)
        sys.exit(130)
    except GecFairError as fault:
        _complain(str(fault))
        sys.exit(fault.exit_code)
    except MemoryError:
        _complain("the memory does not hold this input; give it in parts, or with --limit")
        sys.exit(2)
    except BaseException as fault:
        message = explain_refusal(fault)
        if message is None:
            raise
        _complain(message)
        sys.exit(2)


def _complain(message: str) -> None:
    """Without signs that a terminal obeys, which the name or the content of a file may bring into a message."""
    signs = (sign if sign.isprintable() or sign in "\n\t" else "\N{REPLACEMENT CHARACTER}" for sign in message)
    print("gec-fair:", "".join(signs), file=sys.stderr)


def _replace_closed_streams() -> None:
    """Where a standard stream is closed (`<&-`, `>&-`), Python has None and the next file gets its number. Put in its
    place one that refuses to be read or written, and for messages one that drops them."""
    for name, flag, mode in (("stdin", os.O_WRONLY, "r"), ("stdout", os.O_RDONLY, "w"), ("stderr", os.O_WRONLY, "w")):
        if getattr(sys, name) is None:
            raw = FileIO(os.open(os.devnull, flag), mode)  # without a buffer, which would be written at the exit
            setattr(sys, name, TextIOWrapper(cast("BinaryIO", raw), encoding="utf-8", write_through=True))


_REMEDIES = {
    errno.ENOSPC: "make room and run the same command again",
    errno.EDQUOT: "make room and run the same command again",
    errno.EFBIG: "raise the limit on the size of files, or name another place",
    errno.ELOOP: "its links lead in a circle; remove them, or name another file",
    errno.ENAMETOOLONG: "give it a shorter name",
    errno.EBADF: "this stream is closed; name another",
    errno.ENXIO: "nothing can be written there; name another place",
    errno.ENOENT: "make the folder, or name a file that is there",
    errno.ENOTDIR: "a part of this path is a file; name another",
    errno.EISDIR: "this is a folder; name a file",
    errno.EEXIST: "a part of this path is a file; name another",
    errno.EACCES: "this user may not; name another place, or change its rights",
    errno.EPERM: "this user may not; name another place, or change its rights",
    errno.EROFS: "nothing can be written there; name another place",
}


def explain_refusal(fault: BaseException) -> str | None:
    """What to say of a file that the system refuses to read or write, or that a library cannot bear, where no command
    foresaw it; None for what is no such fault."""
    from gec_fair.runs.atomic import is_for_want_of_room

    if type(fault).__name__ == "PanicException":  # of a library in Rust; no Exception
        return f"a tokenizer cannot read a text ({fault}); give the model with another tokenizer.json"
    if not isinstance(fault, OSError):
        return f"no room on the disk; {_REMEDIES[errno.ENOSPC]}" if is_for_want_of_room(fault) else None
    remedy = _REMEDIES.get(fault.errno or 0) or (fault.filename and "try again, or name another place")
    ours = str(fault.filename).startswith(str(Path(__file__).parents[1]))  # a file of the package: our own fault
    if not remedy or ours:
        return None
    return f"{fault.filename or 'a file'}: {fault.strerror}; {remedy}"
